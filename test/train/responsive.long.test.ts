// While fitAsync and gramAsync work, the event loop goes on turning, whatever the rows and labels are; the bits are those of
// fit and gram; and an abort in the middle of a copy gives everything back.

import { expect, test } from 'vitest';
import { defaultArena, resolveEngine } from '../../src/engine/engine.js';
import {
  createEngine,
  DenseMatrix,
  DualPerceptron,
  gram,
  gramAsync,
  type Label,
  MulticlassPerceptron,
  Perceptron,
  Pipeline,
  PocketPerceptron,
  type Rows,
  Scaler,
} from '../../src/index.js';
import { signalAfter, turnsDuring } from '../turns.js';

/** The event loop turns while something is under way: more than once, since a wait for a worker to start turns it too. */
async function expectTurns(name: string, work: () => Promise<unknown>): Promise<void> {
  expect(await turnsDuring(work), name).toBeGreaterThan(2);
}

/** Numbers that are the same in every run. */
function filled(count: number, seed: number): Float64Array {
  const values = new Float64Array(count);
  let state = seed >>> 0;
  for (let i = 0; i < count; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    values[i] = state / 2 ** 32 - 0.5;
  }
  return values;
}

const flat = (rows: number, cols: number, seed = 1) => ({ data: filled(rows * cols, seed), rows, cols });

const nested = (rows: number, cols: number, seed = 1): number[][] => {
  const { data } = flat(rows, cols, seed);
  return Array.from({ length: rows }, (_, i) => {
    const row: number[] = []; // filled by hand, which is much quicker than Array.from
    for (let k = i * cols; k < (i + 1) * cols; k++) row.push(data[k] as number);
    return row;
  });
};

/** CSR with so many entries a row. */
function sparse(rows: number, perRow: number, cols: number) {
  const count = rows * perRow;
  const indices = new Uint32Array(count);
  const step = Math.floor(cols / perRow);
  for (let k = 0; k < count; k++) indices[k] = (k % perRow) * step + ((k * 7919) % step);
  const indptr = Uint32Array.from({ length: rows + 1 }, (_, i) => i * perRow);
  return { values: filled(count, 3), indices, indptr, cols };
}

const labels = (rows: number, classes = 2): number[] =>
  Array.from({ length: rows }, (_, i) => (i * 7 + (i >> 3)) % classes);

interface Case {
  name: string;
  data: () => { X: Rows; y: ArrayLike<Label> };
  make: () => {
    fit(X: Rows, y: ArrayLike<Label>): unknown;
    fitAsync(X: Rows, y: ArrayLike<Label>, options?: object): Promise<unknown>;
    toJSON(): unknown;
  };
}

const cases: Case[] = [
  {
    name: 'nested arrays',
    data: () => ({ X: nested(20_000, 300), y: labels(20_000) }),
    make: () => new Perceptron<Label>({ maxEpochs: 2 }),
  },
  {
    name: 'a Float64Array of 200 MB',
    data: () => ({ X: flat(25_000, 1000), y: labels(25_000) }),
    make: () => new Perceptron<Label>({ maxEpochs: 1 }),
  },
  {
    name: 'sparse parts with 5 million entries',
    data: () => ({ X: sparse(500_000, 10, 10_000), y: labels(500_000) }),
    make: () => new Perceptron<Label>({ maxEpochs: 1 }),
  },
  {
    name: 'a million labels that are strings',
    data: () => ({ X: flat(1_000_000, 2), y: labels(1_000_000).map((label) => `class ${label}`) }),
    make: () => new Perceptron<Label>({ maxEpochs: 1, order: 'shuffle' }),
  },
  {
    name: 'RBF, dual',
    data: () => ({ X: flat(600, 4000), y: labels(600) }),
    make: () => new DualPerceptron<Label>({ kernel: 'rbf', maxEpochs: 2 }),
  },
  {
    name: 'the pocket, random order',
    data: () => ({ X: flat(1000, 2000), y: labels(1000) }),
    make: () => new PocketPerceptron<Label>({ maxEpochs: 1, order: 'random', seed: 1 }),
  },
  {
    name: 'the pocket on many rows',
    data: () => ({ X: flat(20_000, 200), y: labels(20_000) }),
    make: () => new PocketPerceptron<Label>({ maxEpochs: 1, ratchet: true }),
  },
  {
    name: '200 classes, one against the rest',
    data: () => ({ X: flat(4000, 100), y: labels(4000, 200) }),
    make: () => new MulticlassPerceptron<Label>({ maxEpochs: 1 }),
  },
  {
    name: '200 classes, multinomial',
    data: () => ({ X: flat(4000, 100), y: labels(4000, 200) }),
    make: () => new MulticlassPerceptron<Label>({ maxEpochs: 2, strategy: 'multinomial' }),
  },
  {
    name: '200 classes, multinomial with a kernel',
    data: () => ({ X: flat(2000, 50), y: labels(2000, 200) }),
    make: () => new MulticlassPerceptron<Label>({ maxEpochs: 2, strategy: 'multinomial', kernel: 'rbf' }),
  },
  {
    name: 'a kernel by blocks',
    data: () => ({ X: flat(1200, 400), y: labels(1200, 3) }),
    make: () => new MulticlassPerceptron<Label>({ maxEpochs: 2, kernel: 'rbf', gram: 'blocks' }),
  },
  {
    name: 'rows held out',
    data: () => ({ X: flat(100_000, 100), y: labels(100_000) }),
    make: () => new Perceptron<Label>({ maxEpochs: 3, validationFraction: 0.3 }),
  },
  {
    name: 'rows held out, multinomial',
    data: () => ({ X: flat(8000, 200), y: labels(8000, 100) }),
    make: () => new MulticlassPerceptron<Label>({ maxEpochs: 1, strategy: 'multinomial', validationFraction: 0.5 }),
  },
  {
    name: 'a pipeline',
    data: () => ({ X: flat(20_000, 300), y: labels(20_000) }),
    make: () => new Pipeline<Label>(new Scaler({ kind: 'standardize' }), new Perceptron<Label>({ maxEpochs: 1 })),
  },
  {
    name: 'a pipeline of sparse rows',
    data: () => ({ X: sparse(100_000, 10, 1000), y: labels(100_000) }),
    make: () => new Pipeline<Label>(new Scaler({ kind: 'unit-ball' }), new Perceptron<Label>({ maxEpochs: 1 })),
  },
];

test.each(cases.map((c): [string, Case] => [c.name, c]))('fitAsync: %s', async (name, { data, make }) => {
  const { X, y } = data();
  const model = make();
  await expectTurns(name, () => model.fitAsync(X, y));
  const whole = make();
  whole.fit(X, y);
  expect(JSON.stringify(model)).toBe(JSON.stringify(whole));
  expect(defaultArena.usage.blocks).toBe(0);
});

test('fitAsync with a precomputed matrix, and gramAsync', async () => {
  const X = flat(1000, 1000);
  const y = labels(1000);
  const G = gram(X, { kernel: 'rbf' });
  const out = DenseMatrix.allocate(1000, 1000);
  await expectTurns('gramAsync', () => gramAsync(X, { kernel: 'rbf', out }));
  expect(Buffer.compare(new Uint8Array(G.data.slice().buffer), new Uint8Array(out.data.slice().buffer))).toBe(0);
  const model = new DualPerceptron<Label>({ kernel: 'rbf', maxEpochs: 2 });
  await model.fitAsync(X, y, { precomputed: G });
  expect(JSON.stringify(model)).toBe(
    JSON.stringify(new DualPerceptron<Label>({ kernel: 'rbf', maxEpochs: 2 }).fit(X, y)),
  );
  for (const matrix of [G, out]) matrix.dispose();
  expect(defaultArena.usage.blocks).toBe(0);
});

const lists = nested(8000, 100);
const wide = flat(4000, 500);
const parts = sparse(100_000, 10, 1000);
const forever = { maxEpochs: 1e9 };
const scaled = (kind: 'centre' | 'unit-ball') => new Pipeline(new Scaler({ kind }), new Perceptron(forever));

/** Calls that end when they are told to. */
const endless: [string, (signal: AbortSignal) => Promise<unknown>][] = [
  ['nested arrays', (signal) => new Perceptron(forever).fitAsync(lists, labels(8000), { signal })],
  ['a flat list', (signal) => new Perceptron(forever).fitAsync(wide, labels(4000), { signal })],
  ['sparse parts', (signal) => new Perceptron(forever).fitAsync(parts, labels(100_000), { signal })],
  [
    'rows held out',
    (signal) =>
      new Perceptron({ ...forever, validationFraction: 0.2, patience: 1e9 }).fitAsync(wide, labels(4000), { signal }),
  ],
  [
    'a kernel',
    (signal) => new DualPerceptron({ ...forever, kernel: 'linear' }).fitAsync(wide, labels(4000), { signal }),
  ],
  ['many classes', (signal) => new MulticlassPerceptron(forever).fitAsync(wide, labels(4000, 50), { signal })],
  ['a pipeline', (signal) => scaled('centre').fitAsync(lists, labels(8000), { signal })],
  ['a sparse pipeline', (signal) => scaled('unit-ball').fitAsync(parts, labels(100_000), { signal })],
];

test.each(endless)('%s: whenever an abort comes, it ends the fit, and all memory is given back', async (_, call) => {
  for (const turns of [0, 1, 2, 4, 7, 12]) {
    const signal = signalAfter(turns);
    const error = await call(signal).catch((reason) => reason);
    expect(error).toBe(signal.reason);
    expect(defaultArena.usage.blocks).toBe(0);
  }
});

test('gramAsync: whenever an abort comes, it ends or has ended, and all memory is given back', async () => {
  for (const turns of [0, 1, 2, 4, 7, 12]) {
    const signal = signalAfter(turns);
    const end = await gramAsync(wide, { signal }).catch((error) => error);
    if (end instanceof DenseMatrix) end.dispose();
    else expect(end).toBe(signal.reason);
    expect(defaultArena.usage.blocks).toBe(0);
  }
});

test('a matrix may be disposed as soon as fitAsync has it, however many fits are under way', async () => {
  const y = labels(1000);
  const fits = Array.from({ length: 5 }, (_, k) => {
    const X = DenseMatrix.from(flat(1000, 100, k));
    const fit = new Perceptron<number>({ maxEpochs: 3 }).fitAsync(X, y);
    X.dispose();
    return fit;
  });
  for (const [k, model] of (await Promise.all(fits)).entries()) {
    const whole = new Perceptron<number>({ maxEpochs: 3 }).fit(flat(1000, 100, k), y);
    expect(JSON.stringify(model)).toBe(JSON.stringify(whole));
  }
  expect(defaultArena.usage.blocks).toBe(0);
});

test('fits for which there is no room say so; the others are not harmed', async () => {
  const engine = createEngine({ maxMemoryBytes: 24 * 2 ** 20 });
  const { arena } = resolveEngine(engine);
  const make = () => new DualPerceptron<number>({ engine, gram: 'full', maxEpochs: 3 });
  const [X, y] = [flat(1200, 300), labels(1200)]; // some 15 MB each
  const whole = JSON.stringify(make().fit(X, y));
  const ends = await Promise.allSettled([1, 2, 3, 4].map(() => make().fitAsync(X, y)));
  for (const end of ends) {
    if (end.status === 'fulfilled') expect(JSON.stringify(end.value)).toBe(whole);
    else expect(end.reason).toMatchObject({ name: 'RangeError', message: expect.stringMatching(NO_ROOM) });
  }
  expect(ends[0]?.status).toBe('fulfilled');
  await expect(gramAsync(flat(1700, 400), { engine })).rejects.toThrow(NO_ROOM); // 28 MB
  (await gramAsync(flat(1000, 400), { engine })).dispose();
  expect(arena.usage.blocks).toBe(0);
});
const NO_ROOM = /no room|the memory holds at most/;

/** Long work outside of epochs: errors that are looked for, lists that are made, support vectors of an earlier fit. */
const seldom: [string, () => { X?: DenseMatrix; call: () => Promise<unknown> }][] = [
  [
    'training that overflows',
    () => {
      const X = DenseMatrix.from(flat(60_000, 800));
      X.data.fill(1e300, X.data.length - 800);
      const y = labels(60_000);
      return { X, call: () => rejected(new Perceptron<number>({ learningRate: 1e10 }).fitAsync(X, y)) };
    },
  ],
  [
    'a Gram matrix with a value that is not finite',
    () => {
      const X = DenseMatrix.from(flat(4000, 8));
      X.data.fill(1e200, X.data.length - 8);
      return { X, call: () => rejected(gramAsync(X)) };
    },
  ],
  [
    'a flat list with a NaN at its end',
    () => {
      const X = flat(25_000, 1000);
      X.data[X.data.length - 1] = Number.NaN;
      const y = labels(25_000);
      return { call: () => rejected(new Perceptron<number>().fitAsync(X, y)) };
    },
  ],
  [
    'two million rows, several classes',
    () => {
      const X = flat(2_000_000, 1);
      const y = labels(2_000_000, 3);
      return { call: () => new MulticlassPerceptron<number>({ maxEpochs: 1, order: 'shuffle' }).fitAsync(X, y) };
    },
  ],
  [
    'supports of an earlier block with many rows',
    () => {
      const model = new DualPerceptron<number>({ gram: 'rows', maxEpochs: 1, warmStart: true });
      model.partialFit(flat(4, 1000, 9), labels(4), { classes: [0, 1] } as never);
      const X = flat(60_000, 1000);
      const y = labels(60_000);
      return { call: () => model.fitAsync(X, y, { signal: signalAfter(40), threads: 1 }).catch(() => {}) };
    },
  ],
];
const rejected = (call: Promise<unknown>) => expect(call).rejects.toThrow(RangeError);

test.each(seldom)('%s: the event loop turns', async (name, prepare) => {
  const { X, call } = prepare();
  await expectTurns(name, call);
  X?.dispose();
  expect(defaultArena.usage.blocks).toBe(0);
});
