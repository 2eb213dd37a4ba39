// Training on sparse rows has the bits of training on the same rows stored densely: every trainer, every option, every engine.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultArena, resolveEngine } from '../../src/engine/engine.js';
import {
  createEngine,
  DenseMatrix,
  DualPerceptron,
  type EngineKind,
  gram,
  type Kernel,
  MulticlassPerceptron,
  Perceptron,
  PocketPerceptron,
  SparseMatrix,
} from '../../src/index.js';
import { checkError, rejection } from '../bad-input/refusals.js';
import { runs } from '../effort.js';
import { someEngines as engines } from '../engines.js';
import { orders } from '../samples.js';
import { fitInSlices } from '../slices.js';
import {
  type AnyModel,
  anyShape,
  bitsOf,
  densePartOf,
  expectSame,
  keepsSparse,
  kernelMakers,
  type Maker,
  type Options,
  pairOf,
  partOf,
  planeMakers,
  saidOf,
  someOptions,
} from '../sparse-samples.js';

/** A model that tells of what happens to it; the loss shows every score of a mistake. */
function watched({ make }: Maker, options: Options, isWatched: boolean): { model: AnyModel; story: unknown[] } {
  const story: unknown[] = [];
  const callbacks: Options = isWatched
    ? {
        onUpdate: ({ index, epoch, mistakes, label, bias }) => story.push([index, epoch, mistakes, label, bias]),
        onEpoch: ({ epoch, mistakes, loss }) => void story.push([epoch, mistakes, loss]),
      }
    : {};
  return { model: make({ ...options, ...callbacks }), story };
}

function sameAsDense(maker: Maker, numRuns: number): void {
  fc.assert(
    fc.property(
      anyShape,
      someOptions,
      fc.constantFrom(...engines),
      fc.boolean(),
      fc.boolean(),
      (shape, options, engine, isWatched, isMatrix) => {
        const pair = pairOf(shape);
        const y = pair[maker.labels];
        const expected = watched(maker, { ...options, engine }, isWatched);
        expected.model.fit(pair.dense, y);
        const actual = watched(maker, { ...options, engine }, isWatched);
        using X = SparseMatrix.from(pair.sparse);
        actual.model.fit(isMatrix ? X : pair.sparse, y);
        expect(actual.story).toEqual(expected.story);
        expectSame(actual.model, expected.model);
        const said = saidOf(expected.model, pair.dense, y);
        expect(saidOf(actual.model, X, y)).toEqual(said);
        expect(saidOf(actual.model, pair.dense, y)).toEqual(said);
        expect(saidOf(expected.model, X, y)).toEqual(said);
        expect(actual.model.hardest(1000)).toEqual(expected.model.hardest(1000));
      },
    ),
    { numRuns: runs(numRuns) },
  );
}

for (const maker of planeMakers) {
  test(`${maker.name}: the bits of dense rows, with any options, on any engine`, () => sameAsDense(maker, 25));
}

for (const maker of kernelMakers) {
  test(`${maker.name}: the bits of dense rows, with any options, on any engine`, () => sameAsDense(maker, 6));
}

/** A pair that no plane separates, several panels wide. */
const usual = pairOf({ rows: 40, cols: 1101, density: 0.05, seed: 4 });
const { sparse, dense, signs } = usual;

/** Every maker by its name, with one of the engines in turn. */
const makers = [...planeMakers, ...kernelMakers].map((maker, k): [string, Maker & { engine: EngineKind }] => {
  const engine = engines[k % engines.length] as EngineKind;
  return [`${maker.name}, ${engine}`, { ...maker, engine }];
});

describe('a start elsewhere', () => {
  /** A start for each of some columns. */
  const start = (cols: number, seed: number) => Array.from({ length: cols }, (_, k) => Math.sin(seed + 7 * k) * 3);

  test('initial weights and bias: the bits of dense rows', () => {
    fc.assert(
      fc.property(anyShape, someOptions, fc.constantFrom(...engines), fc.boolean(), (shape, o, engine, isPocket) => {
        const pair = pairOf(shape);
        const begun = {
          ...o,
          engine,
          initialWeights: start(shape.cols, shape.seed),
          initialBias: (o.fitIntercept ?? true) ? 0.25 : 0,
        };
        const { average: _, onEpoch: __, ...unaveraged } = begun;
        const make = () => (isPocket ? new PocketPerceptron<number>(unaveraged) : new Perceptron<number>(unaveraged));
        expectSame(make().fit(pair.sparse, pair.signs), make().fit(pair.dense, pair.signs));
      }),
      { numRuns: runs(40) },
    );
  });

  test.each(orders)('order %s: weights that start at −0 end as with dense rows, but for the sign of zeros', (order) => {
    // A dense row adds step · 0 to every weight, which may make 0 of −0; a sparse row leaves it (docs/adr/0009).
    const initialWeights = new Array<number>(dense.cols).fill(-0);
    const unsigned = (weights: Float64Array) => bitsOf(weights.map((w) => w + 0));
    for (const engine of engines) {
      for (const average of [false, true]) {
        const make = () => new Perceptron<number>({ engine, order, average, maxEpochs: 3, initialWeights });
        const [actual, expected] = [make().fit(sparse, signs), make().fit(dense, signs)];
        expect(unsigned(actual.weights)).toBe(unsigned(expected.weights));
        expect(bitsOf(actual.decisionFunction(dense))).toBe(bitsOf(expected.decisionFunction(dense)));
        expect(actual.report.mistakesByEpoch).toEqual(expected.report.mistakesByEpoch);
      }
    }
  });

  test.each(makers)('%s: a warm start goes on as with dense rows', (_name, maker) => {
    const y = usual[maker.labels];
    const expected = maker.make({ maxEpochs: 2, warmStart: true, average: true, order: 'shuffle' });
    const actual = maker.make({ maxEpochs: 2, warmStart: true, average: true, order: 'shuffle' });
    const mixed = maker.make({ maxEpochs: 2, warmStart: true, average: true, order: 'shuffle' });
    for (let round = 0; round < 3; round++) {
      expected.fit(dense, y);
      expectSame(actual.fit(sparse, y), expected);
      // The same rows, dense the first time and sparse the next.
      expectSame(mixed.fit(round % 2 ? sparse : dense, y), expected);
    }
  });
});

describe('containers', () => {
  test.each(engines)(
    '%s: rows of another memory, another copy of the library, or disposed later are the same',
    async (kind) => {
      const engine = createEngine({ kind });
      const foreign = { rows: dense.rows, cols: dense.cols, toParts: () => sparse } as unknown as SparseMatrix;
      for (const { make, labels } of [...planeMakers.slice(0, 1), ...kernelMakers.slice(-1)]) {
        const y = usual[labels];
        const options = { engine, maxEpochs: 3 };
        const expected = make(options).fit(dense, y);
        const others = [SparseMatrix.from(sparse), SparseMatrix.from(sparse, { engine: createEngine() }), foreign];
        for (const X of others) expectSame(make(options).fit(X, y), expected);
        const own = SparseMatrix.from(sparse, { engine });
        const promise = make(options).fitAsync(own, y);
        own.dispose(); // lasts until the fit is over
        using taken = SparseMatrix.from({ ...sparse, values: sparse.values.map(() => 9) }, { engine });
        expectSame((await promise) as AnyModel, expected);
        expect(taken.nonZeros).toBe(sparse.values.length);
        for (const X of others.slice(0, 2)) X.dispose();
      }
      expect(resolveEngine(engine).arena.usage).toMatchObject({ liveBytes: 0, blocks: 0 });
    },
  );

  test('fitting and predicting rows that lie in the memory copies none of them, and leaves them as they are', () => {
    const large = pairOf({ rows: 60, cols: 3000, density: 0.3, seed: 8 });
    for (const engine of engines) {
      for (const order of orders) {
        using X = SparseMatrix.from(large.sparse);
        const before = defaultArena.usage;
        let seen = 0;
        const onEpoch = () => {
          seen = Math.max(seen, defaultArena.usage.liveBytes - before.liveBytes);
        };
        new Perceptron<number>({ engine, order, average: true, maxEpochs: 2, onEpoch }).fit(X, large.signs).predict(X);
        expect(seen).toBeGreaterThan(0);
        // As for a DenseMatrix; in random order the products of these few rows, and what it takes to make them: the rows by columns.
        const kept = order === 'random' ? 8 * 60 * 64 + 12 * X.nonZeros + 4 * 3000 + 16 * 60 : 0;
        expect(seen).toBeLessThan(21 * 60 + 16 * 3000 + 8192 + kept);
        expect(defaultArena.usage).toMatchObject({ liveBytes: before.liveBytes, blocks: before.blocks });
        expect(bitsOf(X.toParts().values)).toBe(bitsOf(large.sparse.values));
      }
    }
  });

  test('rows of the caller’s are never changed', () => {
    const parts = {
      values: Object.freeze([3, -0, 1.5, 2]),
      indices: Object.freeze([0, 3, 2, 1]),
      indptr: Object.freeze([0, 2, 2, 3, 4]),
      cols: 4,
    };
    const copy = structuredClone(parts);
    for (const { make } of [...planeMakers, ...kernelMakers]) {
      const model = make({ maxEpochs: 2 }).fit(parts, [0, 1, 0, 1]);
      saidOf(model, parts, [0, 1, 0, 1]);
    }
    expect(parts).toEqual(copy);
  });

  test('a model holds nothing in the kernels’ memory', () => {
    const { blocks } = defaultArena.usage;
    for (const { make, labels } of [...planeMakers, ...kernelMakers]) {
      const X = SparseMatrix.from(sparse);
      const model = make({ maxEpochs: 2 }).fit(X, usual[labels]);
      const said = saidOf(model, dense, usual[labels]);
      X.dispose();
      expect(defaultArena.usage.blocks).toBe(blocks);
      using other = SparseMatrix.from({ ...sparse, values: sparse.values.map(() => 7) });
      expect(saidOf(model, dense, usual[labels])).toEqual(said);
      expect(other.rows).toBe(40);
    }
  });
});

describe('block by block', () => {
  const sizes = [7, 1, 16, 3, 13];
  /** The rows in blocks: all dense, all sparse, or one of each in turn. */
  function blocksOf(kind: 'dense' | 'sparse' | 'mixed', y: number[]) {
    let from = 0;
    return sizes.map((size, k) => {
      const to = from + size;
      const isSparse = kind === 'sparse' || (kind === 'mixed' && k % 2 === 1);
      const block = { X: isSparse ? partOf(sparse, from, to) : densePartOf(dense, from, to), y: y.slice(from, to) };
      from = to;
      return block;
    });
  }
  const classesOf = (y: number[]) => [...new Set(y)].sort((a, b) => a - b);
  const takesBlocks = (name: string) => !name.includes('ocket');

  test.each(makers.filter(([name]) => takesBlocks(name) || name.startsWith('Pocket')))(
    '%s: partialFit on sparse, dense and mixed blocks',
    (_name, { make, labels, engine }) => {
      const y = usual[labels];
      const trained = (kind: 'dense' | 'sparse' | 'mixed') => {
        const model = make({ engine, average: true, classes: classesOf(y), maxEpochs: 3 });
        // The first rows come again: as new ones.
        for (const block of [...blocksOf(kind, y), ...blocksOf(kind, y).slice(0, 2)])
          model.partialFit(block.X, block.y);
        return model;
      };
      const expected = trained('dense');
      const mixed = trained('mixed');
      expectSame(trained('sparse'), expected);
      expectSame(mixed, expected);
      expect(saidOf(mixed, sparse, y)).toEqual(saidOf(expected, dense, y));
    },
  );

  test.each(makers.filter(([name]) => takesBlocks(name)))(
    '%s: a stream of sparse, dense and mixed blocks is one epoch',
    async (_name, { make, labels, engine }) => {
      const y = usual[labels];
      const trained = (kind: 'dense' | 'sparse' | 'mixed') =>
        make({ engine, average: true, classes: classesOf(y) }).fitStream(blocksOf(kind, y), { epochs: 2 });
      const expected = await trained('dense');
      expectSame(await trained('sparse'), expected);
      expectSame(await trained('mixed'), expected);
      const whole = make({ engine, average: true, maxEpochs: 1 }).fit(sparse, y);
      const once = await make({ engine, average: true, classes: classesOf(y) }).fitStream(blocksOf('sparse', y));
      expect(saidOf(once, sparse, y).scores).toBe(saidOf(whole, dense, y).scores);
    },
  );

  test.each(makers)(
    '%s: fitAsync, and slices of a few rows each, broken off wherever that can be',
    async (_name, { make, labels, engine }) => {
      const y = usual[labels];
      for (const order of orders) {
        const options = { engine, maxEpochs: 2, order, learningRate: 0.3 };
        const expected = make(options).fit(dense, y);
        const sliced = make(options);
        expect(fitInSlices(sliced, sparse, y, 3)).toBeGreaterThan(1);
        expectSame(sliced, expected);
        if (order === 'shuffle') expectSame(await make(options).fitAsync(sparse, y), expected);
      }
    },
  );
});

// More than any block of rows, or of supports, that kernels and chunks go by.
test.each(makers)('%s: 400 rows', (_name, { make, labels }) => {
  const many = pairOf({ rows: 400, cols: 23, density: 0.15, seed: 12 });
  const y = many[labels];
  const options = { maxEpochs: 2, order: 'shuffle', validationFraction: 0.1 } as const;
  const [actual, expected] = [make(options).fit(many.sparse, y), make(options).fit(many.dense, y)];
  expectSame(actual, expected);
  const { scores, diagnosis } = saidOf(expected, many.dense, y);
  expect(saidOf(actual, many.sparse, y)).toMatchObject({ scores, diagnosis });
  for (const [model, X] of [
    [actual, many.dense],
    [expected, many.sparse],
  ] as const) {
    // biome-ignore format: two pairs
    const table = model.decisionFunction(X);
    expect(bitsOf(table instanceof Float64Array ? table : table.data)).toBe(scores);
  }
});

test.each(makers)(
  '%s: a snapshot on the way, and rows disposed of on the way, are those of dense rows',
  (_name, { make, labels, engine }) => {
    const y = usual[labels];
    const { blocks } = defaultArena.usage;
    const story = (rows: SparseMatrix | typeof dense) => {
      const snapshots: AnyModel[] = [];
      const onEpoch: Options['onEpoch'] = ({ snapshot }) => {
        snapshots.push(snapshot() as unknown as AnyModel);
        if (rows instanceof SparseMatrix) rows.dispose();
      };
      snapshots.push(make({ engine, maxEpochs: 3, onEpoch }).fit(rows, y));
      return snapshots;
    };
    const [actual, expected] = [story(SparseMatrix.from(sparse)), story(dense)];
    expect(actual).toHaveLength(expected.length);
    for (const [k, model] of actual.entries()) expectSame(model, expected[k] as AnyModel);
    expect(defaultArena.usage.blocks).toBe(blocks);
  },
);

describe('the dual form', () => {
  const kernels: Kernel[] = ['linear', { type: 'polynomial', degree: 2 }, { type: 'rbf', gamma: 0.02 }];

  test.each(engines)(
    '%s: gram of sparse rows is that of dense ones, with every kernel and into any matrix',
    (engine) => {
      fc.assert(
        fc.property(anyShape, fc.constantFrom(...kernels), (shape, kernel) => {
          const pair = pairOf(shape);
          using expected = gram(pair.dense, { kernel, engine });
          using X = SparseMatrix.from(pair.sparse);
          using actual = gram(X, { kernel, engine });
          expect(bitsOf(actual.data as Float64Array)).toBe(bitsOf(expected.data as Float64Array));
          using out = DenseMatrix.allocate(shape.rows, shape.rows);
          out.data.fill(3);
          expect(gram(pair.sparse, { kernel, engine, out })).toBe(out);
          expect(bitsOf(out.data as Float64Array)).toBe(bitsOf(expected.data as Float64Array));
        }),
        { numRuns: runs(25) },
      );
    },
  );

  test('a precomputed matrix is taken for sparse rows, whatever rows it was made of, and checked', () => {
    for (const kernel of kernels) {
      for (const engine of engines) {
        using X = SparseMatrix.from(sparse);
        using own = gram(X, { kernel, engine });
        using others = gram(dense, { kernel, engine });
        const options = { kernel, engine, maxEpochs: 4 };
        const expected = new DualPerceptron<number>(options).fit(dense, signs);
        for (const precomputed of [own, others]) {
          expectSame(new DualPerceptron<number>(options).fit(X, signs, { precomputed }), expected);
          expectSame(new DualPerceptron<number>(options).fit(dense, signs, { precomputed }), expected);
        }
        own.data[41] = 1e6;
        const act = () => new DualPerceptron<number>(options).fit(X, signs, { precomputed: own });
        expect(act).toThrow(RangeError);
      }
    }
  });

  test('Gram rows that make room for each other change nothing', () => {
    for (const engine of engines) {
      for (const kernel of kernels) {
        const options = { kernel, engine, maxEpochs: 4, order: 'shuffle' } as const;
        const expected = new DualPerceptron<number>({ ...options, gram: 'full' }).fit(dense, signs);
        const few = { ...options, gram: 'rows', maxGramBytes: 8 * 40 * 3 } as const;
        expectSame(new DualPerceptron<number>(few).fit(sparse, signs), expected);
      }
    }
  });

  test('support rows are kept sparse, and dense ones beside them too', () => {
    for (const { make, labels } of kernelMakers) {
      const y = usual[labels];
      expect(keepsSparse(make({ maxEpochs: 2 }).fit(sparse, y))).toBe(true);
      expect(keepsSparse(make({ maxEpochs: 2 }).fit(dense, y))).toBe(false);
    }
  });

  test("gram: 'blocks' is refused for sparse rows, and the model stays; 'auto' takes Gram rows instead", () => {
    const { codes } = usual;
    const kernel = { type: 'rbf', gamma: 0.02 } as const;
    const model = new MulticlassPerceptron<number>({ kernel, gram: 'blocks', maxEpochs: 2 }).fit(dense, codes);
    const before = JSON.stringify(model);
    const { blocks } = defaultArena.usage;
    for (const act of [() => model.fit(sparse, codes), () => model.partialFit(sparse, codes)]) {
      expect(act).toThrow(
        new RangeError("gram: 'blocks' multiplies blocks of dense rows; with sparse rows use gram: 'rows', or 'full'"),
      );
    }
    expect(JSON.stringify(model)).toBe(before);
    expect(defaultArena.usage.blocks).toBe(blocks);
    expect(saidOf(model, sparse, codes)).toEqual(saidOf(model, dense, codes));
    const few = { kernel, maxEpochs: 3, maxGramBytes: 8 * 40 * 10 };
    const auto = new MulticlassPerceptron<number>(few).fit(sparse, codes);
    expect(auto.report.gram).toBe('rows');
    expectSame(auto, new MulticlassPerceptron<number>({ ...few, gram: 'rows' }).fit(dense, codes));
  });

  test('what was begun without a Gram matrix on dense rows goes on with sparse ones', () => {
    const { codes } = usual;
    const kernel = { type: 'rbf', gamma: 0.02 } as const;
    const few = { kernel, maxEpochs: 2, maxGramBytes: 8 * 40 * 10, warmStart: true };
    const model = new MulticlassPerceptron<number>(few).fit(dense, codes);
    expect(model.report.gram).toBe('blocks');
    for (let round = 0; round < 2; round++) model.fit(round % 2 ? dense : sparse, codes).partialFit(sparse, codes);
    const loaded = MulticlassPerceptron.fromJSON<number>(JSON.parse(JSON.stringify(model)));
    expect(JSON.stringify(loaded)).toBe(JSON.stringify(model));
    expect(saidOf(loaded, sparse, codes)).toEqual(saidOf(model, dense, codes));
  });
});

test('a stream whose blocks change between sparse and dense says which block has another width', async () => {
  const blocks = [
    { X: partOf(sparse, 0, 5), y: signs.slice(0, 5) },
    { X: densePartOf(dense, 5, 9), y: signs.slice(5, 9) },
    { X: { ...partOf(sparse, 9, 12), cols: dense.cols + 1 }, y: signs.slice(9, 12) },
  ];
  const model = new DualPerceptron<number>({ classes: [-1, 1], kernel: { type: 'rbf', gamma: 0.1 } });
  const message = `block 2: X has ${dense.cols + 1} columns, the model was fitted on ${dense.cols}`;
  checkError(await rejection(model.fitStream(blocks)), RangeError, message);
  const expected = new DualPerceptron<number>({ classes: [-1, 1], kernel: { type: 'rbf', gamma: 0.1 } });
  for (const block of [densePartOf(dense, 0, 5), densePartOf(dense, 5, 9)].entries()) {
    const [k, X] = block;
    expected.partialFit(X, k === 0 ? signs.slice(0, 5) : signs.slice(5, 9));
  }
  expect(saidOf(model, sparse, signs).scores).toBe(saidOf(expected, dense, signs).scores); // as far as it got
});
