// What users get, case by case: every trainer, order, option and storage, streams, resumed training, callbacks and errors.
// A case is run on every engine and on several threads; all runs must end with one text, whose hash is committed.

import {
  DenseMatrix,
  DualPerceptron,
  type DualPerceptronOptions,
  gram,
  gramAsync,
  type Kernel,
  loadModel,
  MulticlassPerceptron,
  type MulticlassPerceptronOptions,
  Perceptron,
  type PerceptronOptions,
  Pipeline,
  PocketPerceptron,
  type PocketPerceptronOptions,
  type Rows,
  Scaler,
  SparseMatrix,
} from '../../src/index.js';
import { Random } from '../../src/random.js';

/** How a case is run: on which engine, and on how many threads; 0: by `fit`. */
export interface How {
  readonly engine: 'wasm-simd' | 'wasm-scalar' | 'js';
  readonly threads: number;
}

export interface Case {
  readonly name: string;
  /** The text of everything that the run gave. */
  run(how: How): Promise<string>;
}

// ---- data -------------------------------------------------------------------------------------------------

interface Data {
  rows: number[][];
  /** −1 and 1, or class numbers. */
  y: number[];
}

/** Real numbers in [−1, 1), a third of them zero where `sparse`; labels by planes, `noise` per cent of them drawn anew. */
function data(rows: number, cols: number, classes: number, noise: number, seed: number): Data {
  const random = Random.seeded(seed);
  const real = () => random.next() / 2 ** 31 - 1;
  const planes = Array.from({ length: classes === 2 ? 1 : classes }, () => Array.from({ length: cols + 1 }, real));
  const list = Array.from({ length: rows }, () =>
    Array.from({ length: cols }, () => (random.below(3) === 0 ? 0 : Math.fround(real()))),
  );
  const y = list.map((x) => {
    const scores = planes.map((p) => x.reduce((s, v, k) => s + v * (p[k] as number), (p[cols] as number) / 4));
    const own = classes === 2 ? ((scores[0] as number) > 0 ? 1 : 0) : scores.indexOf(Math.max(...scores));
    return random.below(100) < noise ? random.below(classes) : own;
  });
  for (let k = 0; k < classes; k++) y[k] = k;
  return { rows: list, y: classes === 2 ? y.map((k) => 2 * k - 1) : y };
}

const parted = data(90, 37, 2, 0, 1);
const mixed = data(130, 21, 2, 15, 2);
const many = data(120, 17, 5, 8, 3);
const small = data(40, 9, 3, 0, 4);

const wholes = data(110, 23, 2, 10, 6);
wholes.rows = wholes.rows.map((row) => row.map((value) => Math.round(Math.abs(value) * 127)));

const storages = {
  lists: ({ rows }: Data): Rows => rows,
  float64: ({ rows }: Data): Rows => DenseMatrix.from(rows),
  float32: ({ rows }: Data): Rows => DenseMatrix.from(rows, { dtype: 'float32' }),
  sparse: ({ rows }: Data): Rows => SparseMatrix.fromDense(rows),
  uint8: ({ rows }: Data): Rows => DenseMatrix.from(rows, { dtype: 'uint8' }),
  int8: ({ rows }: Data): Rows => DenseMatrix.from(rows, { dtype: 'int8' }),
  int16: ({ rows }: Data): Rows => DenseMatrix.from(rows, { dtype: 'int16' }),
} as const;
type Storage = keyof typeof storages;

/** Rows in some storage, for as long as `use` takes. */
async function stored<T>(storage: Storage, set: Data, use: (X: Rows) => Promise<T>): Promise<T> {
  const X = storages[storage](set);
  try {
    return await use(X);
  } finally {
    if ('dispose' in X) X.dispose();
  }
}

// ---- what a run gave ----------------------------------------------------------------------------------------

type Anyone = {
  fit(X: Rows, y: never, ...rest: never[]): unknown;
  fitAsync(X: Rows, y: never, options?: object): Promise<unknown>;
  predict(X: Rows): unknown[];
  decisionFunction(X: Rows): Float64Array | { data: Float64Array };
  score(X: Rows, y: never): number;
  loss(X: Rows, y: never): number;
  diagnose(X: Rows, y: never): unknown;
  hardest?(count?: number): unknown;
  readonly report: object;
  toJSON(): unknown;
};

/** −0, infinities and NaN as what they are; the words of advice may change. */
const exact = (key: string, value: unknown): unknown => {
  if (key === 'message') return undefined;
  if (typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0))) {
    return `number ${Object.is(value, -0) ? '-0' : value}`;
  }
  return ArrayBuffer.isView(value) ? Array.from(value as unknown as ArrayLike<number>) : value;
};

const textOf = (...parts: unknown[]): string => parts.map((part) => JSON.stringify(part, exact)).join('\n');

/** All that a fitted model says of itself and of rows. */
function told(model: Anyone, X: Rows, y: number[]): string {
  const {
    timings: _,
    engine: __,
    threads: ___,
    threadsReason: ____,
    engineReason: _____,
    ...history
  } = model.report as {
    [key: string]: unknown;
  };
  const scores = model.decisionFunction(X);
  return textOf(
    history,
    model.toJSON(),
    model.hardest?.(20),
    model.predict(X),
    ArrayBuffer.isView(scores) ? scores : scores.data,
    model.score(X, y as never),
    model.loss(X, y as never),
    model.diagnose(X, y as never),
  );
}

/** Fits as `how` says. */
async function fitted<M extends Anyone>(
  model: M,
  X: Rows,
  y: number[],
  { threads }: How,
  options?: object,
): Promise<M> {
  if (threads > 0) await model.fitAsync(X, y as never, { ...options, threads });
  else if (options) model.fit(X, y as never, ...([options] as never[]));
  else model.fit(X, y as never);
  return model;
}

// ---- cases ------------------------------------------------------------------------------------------------

export const cases: Case[] = [];
const add = (name: string, run: Case['run']) => cases.push({ name, run });

const orders = ['cyclic', 'shuffle', 'random', 'batch'] as const;
const RBF: Kernel = { type: 'rbf', gamma: 0.3 };
const CUBIC: Kernel = { type: 'polynomial', degree: 3, gamma: 0.2, coef0: 1 };

const primal: Record<string, PerceptronOptions<number>> = {
  plain: {},
  average: { average: true, learningRate: 0.3 },
  'margin, weights': { margin: 0.7, classWeight: { '1': 2.5, '-1': 0.3 } },
  'balanced, no intercept': { classWeight: 'balanced', fitIntercept: false, learningRate: 0.1 },
  'held out': { validationFraction: 0.2, patience: 2, interceptScaling: 3 },
};

for (const order of orders) {
  for (const [variant, options] of Object.entries(primal)) {
    for (const storage of ['float64', 'sparse'] as const) {
      add(`Perceptron, ${order}, ${variant}, ${storage}`, (how) =>
        stored(storage, mixed, async (X) => {
          const model = new Perceptron<number>({ ...options, order, seed: 5, maxEpochs: 6, engine: how.engine });
          return told(await fitted(model, X, mixed.y, how), X, mixed.y);
        }),
      );
    }
  }
  for (const storage of ['lists', 'float32'] as const) {
    add(`Perceptron, ${order}, separable, ${storage}`, (how) =>
      stored(storage, parted, async (X) => {
        // Not Math.sin: its last bit differs between runtimes.
        const start = {
          initialWeights: Array.from({ length: 37 }, (_, k) => ((7 * k) % 11) / 5 - 1),
          initialBias: -0.7,
        };
        const model = new Perceptron<number>({ ...start, order, seed: 6, maxEpochs: 60, engine: how.engine });
        return told(await fitted(model, X, parted.y, how), X, parted.y);
      }),
    );
  }
}

// The hashes of all storages are one.
for (const storage of ['float64', 'uint8', 'int8', 'int16'] as const) {
  for (const order of ['cyclic', 'random'] as const) {
    add(`Perceptron, ${order}, integers as ${storage}`, (how) =>
      stored(storage, wholes, async (X) => {
        const model = new Perceptron<number>({ order, average: true, seed: 5, maxEpochs: 6, engine: how.engine });
        return told(await fitted(model, X, wholes.y, how), X, wholes.y);
      }),
    );
  }
  for (const order of ['cyclic', 'shuffle'] as const) {
    add(`MulticlassPerceptron, one-vs-rest, ${order}, integers as ${storage}`, (how) =>
      stored(storage, wholes, async (X) => {
        const y = wholes.rows.map((row) => (row[0] as number) % 5);
        const model = new MulticlassPerceptron<number>({ order, seed: 5, maxEpochs: 4, engine: how.engine });
        return told(await fitted(model, X, y, how), X, y);
      }),
    );
  }
  add(`DualPerceptron, integers as ${storage}`, (how) =>
    stored(storage, wholes, async (X) => {
      const kernel: Kernel = { type: 'polynomial', degree: 3, gamma: 1e-4, coef0: 1 };
      const model = new DualPerceptron<number>({ kernel, maxEpochs: 6, engine: how.engine });
      return told(await fitted(model, X, wholes.y, how), X, wholes.y);
    }),
  );
  for (const [name, own] of Object.entries({
    multinomial: { strategy: 'multinomial' },
    'gram blocks': { gram: 'blocks', kernel: { type: 'rbf', gamma: 1e-4 }, average: true },
  } as const)) {
    add(`MulticlassPerceptron, ${name}, integers as ${storage}, and on from a half`, (how) =>
      stored(storage, wholes, async (X) => {
        const y = wholes.rows.map((row) => (row[0] as number) % 5);
        const model = new MulticlassPerceptron<number>({ ...own, maxEpochs: 2, engine: how.engine });
        await fitted(model, X, y, how);
        const half = (X as DenseMatrix).slice(40, 80);
        model.partialFit(half, y.slice(40, 80));
        half.dispose();
        return told(model, X, y);
      }),
    );
  }
  add(`gram, polynomial, integers as ${storage}`, ({ engine, threads }) =>
    stored(storage, wholes, async (X) => {
      const kernel: Kernel = { type: 'polynomial', degree: 2, gamma: 1e-4, coef0: 1 };
      const G = threads > 0 ? await gramAsync(X, { kernel, threads, engine }) : gram(X, { kernel, engine });
      const text = textOf(G.data);
      G.dispose();
      return text;
    }),
  );
}

const pockets: Record<string, PocketPerceptronOptions<number>> = {
  random: {},
  ratchet: { ratchet: true },
  'random, held out': { validationFraction: 0.25, patience: 3 },
  'ratchet, held out': { ratchet: true, validationFraction: 0.25, patience: 3 },
  cyclic: { order: 'cyclic' },
  shuffle: { order: 'shuffle', classWeight: { '1': 2 } },
  batch: { order: 'batch' },
};
for (const [variant, options] of Object.entries(pockets)) {
  for (const storage of ['lists', 'float32', 'sparse'] as const) {
    add(`PocketPerceptron, ${variant}, ${storage}`, (how) =>
      stored(storage, mixed, async (X) => {
        const model = new PocketPerceptron<number>({ ...options, seed: 3, maxEpochs: 4, engine: how.engine });
        await fitted(model, X, mixed.y, how);
        return `${told(model, X, mixed.y)}\n${textOf(model.predict(X, { last: true }))}`;
      }),
    );
  }
}

const duals: Record<string, DualPerceptronOptions<number>> = {
  plain: {},
  'average, weights': { average: true, classWeight: { '1': 2 }, learningRate: 0.5 },
  pocket: { pocket: true },
  'held out': { validationFraction: 0.2, patience: 2 },
  rows: { gram: 'rows', maxGramBytes: 8 * 130 * 7 },
};
for (const order of orders) {
  for (const [variant, options] of Object.entries(duals)) {
    for (const [storage, kernel] of [
      ['float64', RBF],
      ['sparse', CUBIC],
      ['float32', 'linear'],
    ] as const) {
      const name = typeof kernel === 'string' ? kernel : kernel.type;
      add(`DualPerceptron, ${order}, ${variant}, ${name}, ${storage}`, (how) =>
        stored(storage, mixed, async (X) => {
          const shared = { order, kernel, seed: 9, maxEpochs: 5, engine: how.engine };
          const model = new DualPerceptron<number>({ ...options, ...shared });
          await fitted(model, X, mixed.y, how);
          return `${told(model, X, mixed.y)}\n${textOf(model.alphas, model.updateCounts, model.supportIndices)}`;
        }),
      );
    }
  }
}

const multis: Record<string, MulticlassPerceptronOptions<number>> = {
  plain: {},
  'average, weights': { average: true, classWeight: { '1': 2, '3': 0.5 }, learningRate: 0.5 },
  'held out': { validationFraction: 0.2, patience: 2 },
  'no intercept, margin': { fitIntercept: false, margin: 0.2 },
};
for (const strategy of ['one-vs-rest', 'multinomial'] as const) {
  for (const order of orders) {
    for (const [variant, options] of Object.entries(multis)) {
      for (const [storage, kernel] of [
        ['float64', undefined],
        ['float32', undefined],
        ['sparse', undefined],
        ['float64', RBF],
        ['sparse', CUBIC],
      ] as const) {
        const name = kernel === undefined ? 'weights' : (kernel as { type: string }).type;
        add(`MulticlassPerceptron, ${strategy}, ${order}, ${variant}, ${name}, ${storage}`, (how) =>
          stored(storage, many, async (X) => {
            const shared = { strategy, order, ...(kernel && { kernel }), seed: 2, maxEpochs: 4, engine: how.engine };
            const model = new MulticlassPerceptron<number>({ ...options, ...shared });
            return told(await fitted(model, X, many.y, how), X, many.y);
          }),
        );
      }
    }
    add(`MulticlassPerceptron, ${strategy}, ${order}, separable`, async (how) => {
      const model = new MulticlassPerceptron<number>({ strategy, order, maxEpochs: 300, engine: how.engine });
      return told(await fitted(model, small.rows, small.y, how), small.rows, small.y);
    });
    add(`MulticlassPerceptron, ${strategy}, ${order}, gram rows`, async (how) => {
      const own = { kernel: RBF, gram: 'rows', maxGramBytes: 8 * 120 * 9, maxEpochs: 3 } as const;
      const model = new MulticlassPerceptron<number>({ ...own, strategy, order, engine: how.engine });
      return told(await fitted(model, many.rows, many.y, how), many.rows, many.y);
    });
  }
}
for (const order of ['cyclic', 'shuffle'] as const) {
  for (const average of [false, true]) {
    add(`MulticlassPerceptron, gram blocks, ${order}${average ? ', average' : ''}`, async (how) => {
      const own = { kernel: CUBIC, gram: 'blocks', maxEpochs: 3, average } as const;
      const model = new MulticlassPerceptron<number>({ ...own, order, engine: how.engine });
      return told(await fitted(model, many.rows, many.y, how), many.rows, many.y);
    });
  }
}

// ---- weights of rows, passive-aggressive steps, tol ------------------------------------------------------------

/** 0, ½, 1, 1½, 2. */
const weightsOf = (count: number) => Array.from({ length: count }, (_, i) => ((7 * i) % 5) / 2);

const weighted: Record<string, (own: { engine: How['engine']; order: 'cyclic' | 'shuffle' }) => Anyone> = {
  Perceptron: (own) => new Perceptron<number>({ ...own, average: true, classWeight: { '1': 2 }, maxEpochs: 6 }),
  'Perceptron, held out': (own) => new Perceptron<number>({ ...own, validationFraction: 0.2, maxEpochs: 6 }),
  'Perceptron, random': (own) => new Perceptron<number>({ ...own, order: 'random', maxEpochs: 6 }),
  'Perceptron, batch': (own) => new Perceptron<number>({ ...own, order: 'batch', maxEpochs: 6 }),
  PocketPerceptron: (own) => new PocketPerceptron<number>({ ...own, maxEpochs: 4 }),
  'PocketPerceptron, ratchet': ({ engine }) => new PocketPerceptron<number>({ engine, ratchet: true, maxEpochs: 4 }),
  DualPerceptron: (own) => new DualPerceptron<number>({ ...own, kernel: RBF, average: true, maxEpochs: 5 }),
  'DualPerceptron, gram rows': (own) =>
    new DualPerceptron<number>({ ...own, kernel: CUBIC, gram: 'rows', maxGramBytes: 8 * 130 * 7, maxEpochs: 5 }),
};
const weightedMany: typeof weighted = {
  'one-vs-rest': (own) => new MulticlassPerceptron<number>({ ...own, classWeight: { '1': 2 }, maxEpochs: 4 }),
  'one-vs-rest, rbf': (own) => new MulticlassPerceptron<number>({ ...own, kernel: RBF, average: true, maxEpochs: 4 }),
  'gram blocks': (own) => new MulticlassPerceptron<number>({ ...own, kernel: CUBIC, gram: 'blocks', maxEpochs: 3 }),
  multinomial: (own) =>
    new MulticlassPerceptron<number>({ ...own, strategy: 'multinomial', average: true, maxEpochs: 4 }),
  'multinomial, rbf': (own) =>
    new MulticlassPerceptron<number>({ ...own, strategy: 'multinomial', kernel: RBF, maxEpochs: 4 }),
};
for (const order of ['cyclic', 'shuffle'] as const) {
  for (const [makers, set] of [
    [weighted, mixed],
    [weightedMany, many],
  ] as const) {
    for (const [name, make] of Object.entries(makers)) {
      // gram: 'blocks' is for dense rows.
      for (const storage of ['float64', name === 'gram blocks' ? 'float32' : 'sparse'] as const) {
        add(`sampleWeight: ${name}, ${order}, ${storage}`, (how) =>
          stored(storage, set, async (X) => {
            const sampleWeight = weightsOf(set.rows.length);
            const model = make({ engine: how.engine, order });
            return told(await fitted(model, X, set.y, how, { sampleWeight }), X, set.y);
          }),
        );
      }
    }
  }
}

for (const update of ['pa1', 'pa2'] as const) {
  for (const order of ['cyclic', 'shuffle', 'random'] as const) {
    for (const [variant, options] of Object.entries({
      plain: {},
      'average, C': { average: true, aggressiveness: 0.1 },
    })) {
      const own = { ...options, update, order, seed: 5, maxEpochs: 5 };
      for (const storage of ['float64', 'float32', 'sparse'] as const) {
        add(`Perceptron, ${update}, ${order}, ${variant}, ${storage}`, (how) =>
          stored(storage, mixed, async (X) => {
            const model = new Perceptron<number>({ ...own, engine: how.engine });
            return told(await fitted(model, X, mixed.y, how), X, mixed.y);
          }),
        );
      }
      add(`DualPerceptron, ${update}, ${order}, ${variant}`, async (how) => {
        const model = new DualPerceptron<number>({ ...own, kernel: RBF, engine: how.engine });
        const sampleWeight = weightsOf(mixed.rows.length);
        return told(await fitted(model, mixed.rows, mixed.y, how, { sampleWeight }), mixed.rows, mixed.y);
      });
      add(`MulticlassPerceptron, one-vs-rest, ${update}, ${order}, ${variant}`, async (how) => {
        const model = new MulticlassPerceptron<number>({ ...own, engine: how.engine });
        return told(await fitted(model, many.rows, many.y, how), many.rows, many.y);
      });
    }
  }
}

for (const order of orders) {
  const own = { tol: 0.01, patience: 2, order, seed: 5 };
  add(`tol: Perceptron, ${order}`, async (how) => {
    const model = new Perceptron<number>({ ...own, engine: how.engine });
    return told(await fitted(model, mixed.rows, mixed.y, how), mixed.rows, mixed.y);
  });
  add(`tol: DualPerceptron, ${order}`, async (how) => {
    const model = new DualPerceptron<number>({ ...own, kernel: RBF, engine: how.engine });
    return told(await fitted(model, mixed.rows, mixed.y, how), mixed.rows, mixed.y);
  });
  for (const strategy of ['one-vs-rest', 'multinomial'] as const) {
    add(`tol: MulticlassPerceptron, ${strategy}, ${order}`, async (how) => {
      const model = new MulticlassPerceptron<number>({ ...own, strategy, engine: how.engine });
      return told(await fitted(model, many.rows, many.y, how), many.rows, many.y);
    });
  }
}

// ---- training that goes on --------------------------------------------------------------------------------

const saved = (model: { toJSON(): unknown }) => loadModel<number>(JSON.parse(JSON.stringify(model)));

/** Three epochs, a file, two more by partialFit, a warm start of two more: as `make` says. */
function addResumed(name: string, set: Data, make: (own: { maxEpochs: number; warmStart: boolean }) => Anyone): void {
  add(`goes on: ${name}`, async (how) => {
    const first = make({ maxEpochs: 3, warmStart: true });
    await fitted(first, set.rows, set.y, how);
    await fitted(first, set.rows, set.y, how);
    const loaded = saved(first) as unknown as Anyone & { partialFit(X: Rows, y: never): unknown };
    try {
      loaded.partialFit(set.rows, set.y as never);
      loaded.partialFit(set.rows.slice(0, 30), set.y.slice(0, 30) as never);
    } catch (error) {
      return `${told(first, set.rows, set.y)}\n${(error as Error).constructor.name}`;
    }
    return `${told(first, set.rows, set.y)}\n${told(loaded, set.rows, set.y)}`;
  });
}
for (const order of orders) {
  const engineOf = (own: object) => ({ ...own, order, seed: 11 });
  for (const average of [false, true]) {
    const suffix = `${order}${average ? ', average' : ''}`;
    addResumed(`Perceptron, ${suffix}`, mixed, (own) => new Perceptron<number>({ ...engineOf(own), average }));
    addResumed(
      `DualPerceptron, ${suffix}`,
      mixed,
      (own) => new DualPerceptron<number>({ ...engineOf(own), average, kernel: RBF }),
    );
    for (const strategy of ['one-vs-rest', 'multinomial'] as const) {
      addResumed(
        `MulticlassPerceptron, ${strategy}, ${suffix}`,
        many,
        (own) => new MulticlassPerceptron<number>({ ...engineOf(own), strategy, average }),
      );
      addResumed(
        `MulticlassPerceptron, ${strategy}, rbf, ${suffix}`,
        small,
        (own) => new MulticlassPerceptron<number>({ ...engineOf(own), strategy, average, kernel: RBF }),
      );
    }
  }
  addResumed(`PocketPerceptron, ${order}`, mixed, (own) => new PocketPerceptron<number>(engineOf(own)));
}
addResumed('PocketPerceptron, ratchet', mixed, (own) => new PocketPerceptron<number>({ ...own, ratchet: true }));
addResumed('gram blocks', many, (own) => {
  return new MulticlassPerceptron<number>({ ...own, kernel: CUBIC, gram: 'blocks', order: 'shuffle' });
});

const streamed = {
  Perceptron: (engine: How['engine']) => new Perceptron<number>({ engine, average: true }),
  DualPerceptron: (engine: How['engine']) => new DualPerceptron<number>({ engine, kernel: CUBIC }),
  'one-vs-rest': (engine: How['engine']) => new MulticlassPerceptron<number>({ engine }),
  multinomial: (engine: How['engine']) => new MulticlassPerceptron<number>({ engine, strategy: 'multinomial' }),
  'multinomial, rbf': (engine: How['engine']) =>
    new MulticlassPerceptron<number>({ engine, strategy: 'multinomial', kernel: RBF }),
  'one-vs-rest, rbf': (engine: How['engine']) => new MulticlassPerceptron<number>({ engine, kernel: RBF }),
};
for (const [name, make] of Object.entries(streamed)) {
  add(`a stream: ${name}`, async ({ engine }) => {
    const blocks = [0, 1, 2].map((k) => ({
      X: mixed.rows.slice(40 * k, 40 * k + 40),
      y: mixed.y.slice(40 * k, 40 * k + 40),
    }));
    const model = make(engine);
    const seen: unknown[] = [];
    await model.fitStream(blocks, { classes: [-1, 1], epochs: 2, onBlock: (block) => seen.push(block) });
    return `${told(model as Anyone, mixed.rows, mixed.y)}\n${textOf(seen)}`;
  });
}

// ---- callbacks, pipelines, Gram matrices, errors ------------------------------------------------------------

type Watch = { onUpdate(u: object): void; onEpoch(e: { epoch: number; snapshot(): { toJSON(): unknown } }): boolean };
const watched: Record<string, (own: Watch & { engine: How['engine']; order: 'cyclic' }) => Anyone> = {
  Perceptron: (own) => new Perceptron<number>({ ...own, average: true }),
  PocketPerceptron: (own) => new PocketPerceptron<number>(own),
  DualPerceptron: (own) => new DualPerceptron<number>({ ...own, kernel: RBF }),
  'one-vs-rest': (own) => new MulticlassPerceptron<number>(own as object),
  'one-vs-rest, rbf': (own) => new MulticlassPerceptron<number>({ ...(own as object), kernel: RBF }),
  multinomial: (own) => new MulticlassPerceptron<number>({ ...(own as object), strategy: 'multinomial' }),
};
for (const order of orders) {
  for (const [name, make] of Object.entries(watched)) {
    add(`callbacks: ${name}, ${order}`, async (how) => {
      // By class: which class is told first between two epochs is not promised.
      const updates: Record<string, unknown[]> = {};
      const epochs: unknown[] = [];
      const model = make({
        engine: how.engine,
        order: order as 'cyclic',
        onUpdate: (u) => {
          const { label, weights } = u as { label?: number; weights?: Float64Array };
          updates[`class ${label}`] ??= [];
          updates[`class ${label}`]?.push({ ...u, weights: weights?.slice() }); // a view of the moment
        },
        onEpoch: ({ snapshot, ...e }) => {
          const { elapsedMs: _, ...rest } = e as { elapsedMs?: number; epoch: number };
          epochs.push(rest, rest.epoch === 2 ? snapshot() : 0);
          return rest.epoch < 3;
        },
      });
      const y = small.y.map((k) => (k === 0 ? -1 : 1));
      await fitted(model, small.rows, y, how);
      return `${told(model, small.rows, y)}\n${textOf(epochs, Object.entries(updates).sort())}`;
    });
  }
}
for (const kind of ['standardize', 'centre', 'unit-ball'] as const) {
  for (const storage of kind === 'unit-ball'
    ? (['lists', 'float32', 'sparse'] as const)
    : (['lists', 'float32'] as const)) {
    add(`Pipeline, ${kind}, ${storage}`, (how) =>
      stored(storage, mixed, async (X) => {
        const model = new Pipeline(new Scaler({ kind }), new Perceptron<number>({ maxEpochs: 9, engine: how.engine }));
        return told((await fitted(model as unknown as Anyone, X, mixed.y, how)) as Anyone, X, mixed.y);
      }),
    );
  }
}
for (const kernel of ['linear', RBF, CUBIC] as const) {
  for (const storage of ['float64', 'float32', 'sparse'] as const) {
    add(
      `gram, ${typeof kernel === 'string' ? kernel : (kernel as { type: string }).type}, ${storage}`,
      ({ engine, threads }) =>
        stored(storage, mixed, async (X) => {
          const G = threads > 0 ? await gramAsync(X, { kernel, threads, engine }) : gram(X, { kernel, engine });
          const text = textOf(G.data);
          G.dispose();
          return text;
        }),
    );
  }
}
const huge = mixed.rows.map((row, i) => row.map((v) => (i === 77 ? v * 1e300 : v * 1e10)));
const trouble: Record<string, (how: How) => Promise<unknown>> = {
  'a score overflows': (how) =>
    fitted(new Perceptron<number>({ engine: how.engine, learningRate: 1e200 }), huge, mixed.y, how),
  'a kernel overflows': (how) =>
    fitted(new DualPerceptron<number>({ engine: how.engine, kernel: CUBIC }), huge, mixed.y, how),
  'a class overflows': (how) =>
    fitted(
      new MulticlassPerceptron<number>({ engine: how.engine, learningRate: 1e200 }),
      huge.slice(0, 120),
      many.y,
      how,
    ),
  'NaN in X': (how) =>
    fitted(
      new Perceptron<number>({ engine: how.engine }),
      { data: new Float64Array(1300).fill(NaN, 700, 701), rows: 130, cols: 10 },
      mixed.y,
      how,
    ),
  'one class': (how) =>
    fitted(
      new Perceptron<number>({ engine: how.engine }),
      mixed.rows,
      mixed.y.map(() => 1),
      how,
    ),
  'a ragged row': (how) => fitted(new Perceptron<number>({ engine: how.engine }), [[1, 2], [3]], [1, -1], how),
};
for (const [name, act] of Object.entries(trouble)) {
  add(`an error: ${name}`, async (how) => {
    try {
      await act(how);
    } catch (error) {
      const { message, name } = error as Error;
      return `${name} ${message.match(/\d+/)?.[0]}`;
    }
    return 'no error';
  });
}
