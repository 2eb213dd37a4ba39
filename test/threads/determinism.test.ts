// The same bits from fit and from fitAsync on one, two, three and four threads: files, histories, hard rows, errors.

import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { resolveEngine } from '../../src/engine/engine.js';
import {
  createEngine,
  DenseMatrix,
  DualPerceptron,
  type FlatRows,
  gram,
  type Kernel,
  MulticlassPerceptron,
  type MulticlassPerceptronOptions,
  Perceptron,
  type PerceptronOptions,
  Pipeline,
  PocketPerceptron,
  Scaler,
  SparseMatrix,
  stopThreads,
} from '../../src/index.js';
import '../../src/scalar.js';
import { runs, someOf } from '../effort.js';
import { manyClasses } from '../family-samples.js';
import { anyData, anyOptions, orders, real } from '../samples.js';
import { anyShape, kernelMakers, pairOf, planeMakers, someOptions } from '../sparse-samples.js';
import {
  counts,
  expectEqual,
  expectSameOnThreads,
  expectThreads,
  type FlatData,
  flatRows,
  leavesNothing,
  outcomeOf,
} from './helpers.js';

const wasm = someOf(['wasm-simd', 'wasm-scalar'] as const, ['wasm-simd']);
/** All counts on one engine; the other has the same way there. */
const countsOn = (engine: string) => (engine === 'wasm-simd' ? counts : [3]);
const RBF: Kernel = { type: 'rbf', gamma: 0.05 };
const CUBIC: Kernel = { type: 'polynomial', degree: 3, gamma: 0.1, coef0: 1 };

leavesNothing();
afterAll(stopThreads);

/** Does it with rows that lie in memory, and gives them back. */
async function inMemory({ X, y }: FlatData, use: (X: DenseMatrix, y: number[]) => Promise<unknown>): Promise<void> {
  const matrix = DenseMatrix.from(X);
  try {
    await use(matrix, y);
  } finally {
    matrix.dispose();
  }
}

// ---- the primal form ------------------------------------------------------------------------------------

const parted = flatRows({ rows: 500, cols: 37, gap: 0.05 });
const mixed = flatRows({ rows: 300, cols: 21, noise: 0.3 });

const variants: [string, PerceptronOptions<number>][] = [
  ['plain', {}],
  ['average', { average: true }],
  ['margin, classWeight', { margin: 1.5, classWeight: { '1': 2.5, '-1': 0.3 } }],
  ['balanced, no intercept', { classWeight: 'balanced', fitIntercept: false, learningRate: 0.1 }],
  ['validationFraction', { validationFraction: 0.2, patience: 2, interceptScaling: 3 }],
  ['initialWeights', { initialWeights: Array.from({ length: 37 }, (_, k) => Math.sin(k)), initialBias: -0.7 }],
];

describe.each(wasm)('%s', (engine) => {
  for (const order of orders) {
    // Which kernels run on threads makes no difference to the loop: one variant of each order will do.
    const some = engine === 'wasm-simd' ? variants : variants.slice(0, 1);
    test.each(some)(`Perceptron, order '${order}', %s: rows that a plane separates`, async (_, options) => {
      const make = () => new Perceptron<number>({ ...options, order, seed: 5, engine, maxEpochs: 40 });
      const outcome = await expectSameOnThreads(make, parted.X, parted.y, { threads: countsOn(engine) });
      expect(outcome).not.toMatch(/^\w*Error/);
    });

    test.each(some.slice(0, 5))(`Perceptron, order '${order}', %s: rows that none does`, async (_, options) => {
      const make = () => new Perceptron<number>({ ...options, order, seed: 6, engine, maxEpochs: 3 });
      const outcome = await expectSameOnThreads(make, mixed.X, mixed.y, { threads: countsOn(engine) });
      expect(outcome).toMatch(/^{"converged":false/);
    });
  }

  test.each(orders)(`order '%s': float32 rows, and a fit that goes on from an earlier one`, async (order) => {
    const { X, y } = flatRows({ rows: 400, cols: 33, noise: 0.1, seed: 8 });
    const rows: FlatRows = { ...X, data: Float32Array.from(X.data) };
    const make = () => new Perceptron<number>({ order, engine, average: true, maxEpochs: 3, warmStart: true });
    await expectSameOnThreads(make, rows, y, { threads: countsOn(engine) });
    const whole = outcomeOf(make().fit(rows, y).fit(rows, y).fit(rows, y));
    for (const threads of countsOn(engine)) {
      const model = await make().fitAsync(rows, y, { threads });
      model.fit(rows, y);
      await model.fitAsync(rows, y, { threads: 5 - threads });
      expect(outcomeOf(model)).toBe(whole);
    }
  });
});

// From rows that fit the first cache to rows that fit none, from one column to many.
const shapes = [
  { rows: 30_000, cols: 1, gap: 0.2 },
  { rows: 9000, cols: 3, gap: 0.1 },
  { rows: 130, cols: 32, gap: 0.02 },
  { rows: 300, cols: 1000, gap: 0.005 },
  { rows: 2500, cols: 1000, gap: 0.01 },
  { rows: 330, cols: 20_000, gap: 0.002 },
];
test.each(someOf(shapes, shapes.slice(0, 4)))('$rows × $cols: rare mistakes, and many', async ({ rows, cols, gap }) => {
  await inMemory(flatRows({ rows, cols, gap }), async (X, y) => {
    const outcome = await expectSameOnThreads(() => new Perceptron<number>({ maxEpochs: 12 }), X, y);
    expect(outcome).toMatch(/"stopReason":"(separated|max-epochs)"/);
    await expectSameOnThreads(() => new Perceptron<number>({ order: 'shuffle', maxEpochs: 4 }), X, y, {
      threads: [2, 3],
    });
    const drawn = y.map((_, i) => ((i * i) % 7 < 3 ? 1 : -1));
    for (const order of ['cyclic', 'shuffle', 'batch'] as const) {
      const make = () => new Perceptron<number>({ order, maxEpochs: 2, average: order === 'shuffle' });
      await expectSameOnThreads(make, X, drawn, { threads: order === 'cyclic' ? counts : [2, 4] });
    }
  });
});

// What threads look at together: long stretches without a mistake, then two that different threads may find first.
test.each([
  { order: 'cyclic', dtype: 'float64' },
  { order: 'shuffle', dtype: 'float64' },
  { order: 'cyclic', dtype: 'float32' },
] as const)('mistakes far apart, in pairs: $order, $dtype', async ({ order, dtype }) => {
  const { X, y } = flatRows({ rows: 2000, cols: 2000, gap: 0.1, seed: 3 });
  // Rows that are other rows with the other label: no plane has both right.
  const contradict = (row: number, other: number) => {
    X.data.copyWithin(row * 2000, other * 2000, (other + 1) * 2000);
    y[row] = -y[other]!;
  };
  for (let i = 200; i < 2000; i += 600) contradict(i, i + 30);
  contradict(1999, 5);
  const rows = DenseMatrix.from(X, { dtype });
  const make = () => new Perceptron<number>({ order, maxEpochs: 12, average: order === 'shuffle' });
  const whole = make().fit(rows, y);
  const { mistakesByEpoch } = whole.report;
  expect(mistakesByEpoch.at(-1)).toBeGreaterThan(3);
  expect(mistakesByEpoch.at(-1)).toBeLessThan(60);
  for (const round of someOf([1, 2], [1])) {
    for (const threads of someOf([2, 3, 4], [2, 4])) {
      const model = await make().fitAsync(rows, y, { threads });
      expectEqual(outcomeOf(model), outcomeOf(whole), `threads: ${threads}, round ${round}`);
    }
  }
  rows.dispose();
});

test('bad and too large values that threads come upon while they look ahead', async () => {
  const { X, y } = flatRows({ rows: 1500, cols: 2000, gap: 0.05 });
  const rows = DenseMatrix.from(X);
  const start = new Perceptron<number>().fit(rows, y);
  const o = { initialWeights: start.weights, initialBias: start.bias, maxEpochs: 3 };
  for (const [row, value, message] of [
    [1499, Number.NaN, 'RangeError: X[1499][7] is NaN'],
    [1203, Number.NEGATIVE_INFINITY, 'RangeError: X[1203][7] is -Infinity'],
    [1100, 1.7e308, /^RangeError: training overflowed: the score of row 1100 /],
  ] as const) {
    const kept = rows.data[row * 2000 + 7]!;
    rows.data[row * 2000 + 7] = value;
    for (const isMistaken of [false, true]) {
      if (isMistaken) y[row - 3] = -y[row - 3]!;
      for (const order of ['cyclic', 'shuffle'] as const) {
        const make = () => new Perceptron<number>({ ...o, order });
        expect(await expectSameOnThreads(make, rows, y, { threads: [2, 4] })).toMatch(message);
      }
      if (isMistaken) y[row - 3] = -y[row - 3]!;
    }
    rows.data[row * 2000 + 7] = kept;
  }
  rows.dispose();
});

test('fewer rows than threads', async () => {
  for (const rows of [2, 3]) {
    const { X, y } = flatRows({ rows, cols: 1000 });
    for (const order of orders) {
      await expectSameOnThreads(() => new Perceptron<number>({ order, maxEpochs: 30 }), X, y);
    }
    for (const kernel of ['linear', CUBIC, RBF] as const) {
      await expectSameOnThreads(() => new DualPerceptron<number>({ kernel }), X, y);
    }
    await expectSameOnThreads(() => new PocketPerceptron<number>({ maxEpochs: 30 }), X, y);
    await expectSameOnThreads(() => new MulticlassPerceptron<number>({ maxEpochs: 30 }), X, y);
  }
});

test('rows that come through a window, for which memory has no room', async () => {
  const { X, y } = flatRows({ rows: 600, cols: 500, noise: 0.02 });
  const engine = createEngine({ maxMemoryBytes: 2 ** 20 });
  for (const order of ['cyclic', 'shuffle', 'batch'] as const) {
    await expectSameOnThreads(() => new Perceptron<number>({ engine, order, maxEpochs: 3 }), X, y, { threads: [1, 2] });
  }
  expect(resolveEngine(engine).arena.usage.blocks).toBe(0);
});

test('any rows and options', async () => {
  await fc.assert(
    fc.asyncProperty(anyData(real), anyOptions, fc.constantFrom(...wasm), async ({ X, y }, options, engine) => {
      await expectSameOnThreads(() => new Perceptron<number>({ ...options, engine }), X, y, { threads: [2, 3] });
    }),
    { numRuns: runs(40), seed: 1 },
  );
});

test('pockets, with and without ratchet, on all orders', async () => {
  const { X, y } = flatRows({ rows: 200, cols: 9, noise: 0.2 });
  for (const engine of wasm) {
    for (const order of orders) {
      await expectSameOnThreads(() => new PocketPerceptron<number>({ order, engine, maxEpochs: 2 }), X, y, {
        threads: countsOn(engine),
      });
    }
    await expectSameOnThreads(() => new PocketPerceptron<number>({ ratchet: true, engine, maxEpochs: 5 }), X, y);
  }
});

// ---- the dual form --------------------------------------------------------------------------------------

describe.each(['linear', CUBIC, RBF] as const)('DualPerceptron, kernel %j', (kernel) => {
  const { X, y } = flatRows({ rows: 150, cols: 11, noise: 0.15, seed: 4 });
  test.each(wasm)('whole Gram matrix, rows of it, few rows of it: %s', async (engine) => {
    for (const order of orders) {
      const options = { kernel, engine, order, maxEpochs: 4, average: order !== 'batch' };
      const same = { threads: countsOn(engine) };
      await expectSameOnThreads(() => new DualPerceptron<number>({ ...options, gram: 'full' }), X, y, same);
      await expectSameOnThreads(() => new DualPerceptron<number>({ ...options, gram: 'rows' }), X, y, same);
      const maxGramBytes = 8 * 150 * 5;
      await expectSameOnThreads(() => new DualPerceptron<number>({ ...options, gram: 'rows', maxGramBytes }), X, y, {
        threads: [2, 3],
      });
    }
  });

  test('a Gram matrix made earlier, by gram', async () => {
    const precomputed = gram(X, { kernel });
    const make = () => new DualPerceptron<number>({ kernel, maxEpochs: 5 });
    const given = await expectSameOnThreads(make, X, y, { options: { precomputed } });
    expect(given).toBe(outcomeOf(make().fit(X, y)));
    precomputed.dispose();
  });

  test('long rows, and many', async () => {
    const long = flatRows({ rows: 97, cols: 1024, noise: 0.1 });
    await expectSameOnThreads(() => new DualPerceptron<number>({ kernel, maxEpochs: 9 }), long.X, long.y);
    const many = flatRows({ rows: 700, cols: 20, noise: 0.1 });
    const make = () => new DualPerceptron<number>({ kernel, maxEpochs: 4 });
    await expectSameOnThreads(make, many.X, many.y, { threads: [2, 3, 'auto'] });
  });
});

test('the dual form on any rows and options', async () => {
  await fc.assert(
    fc.asyncProperty(anyData(real), anyOptions, fc.constantFrom('full', 'rows'), async ({ X, y }, options, mode) => {
      const make = () => new DualPerceptron<number>({ ...options, gram: mode as 'full', kernel: RBF });
      await expectSameOnThreads(make, X, y, { threads: [2, 3] });
    }),
    { numRuns: runs(25), seed: 2 },
  );
});

// ---- many classes, sparse rows, pipelines ---------------------------------------------------------------

const classified = manyClasses(150, 7, 4, 3, 15);

const families: [string, MulticlassPerceptronOptions<number>][] = [
  ['one-vs-rest', {}],
  ['one-vs-rest, average', { average: true, classWeight: 'balanced' }],
  ['one-vs-rest, rows held out', { validationFraction: 0.2, patience: 1 }],
  ['one-vs-rest, whole Gram matrix', { kernel: CUBIC, gram: 'full' }],
  ['one-vs-rest, Gram rows', { kernel: CUBIC, gram: 'rows', maxGramBytes: 8 * 150 * 9 }],
  ['one-vs-rest, blocks', { kernel: CUBIC, gram: 'blocks' }],
  ['multinomial', { strategy: 'multinomial', average: true }],
  ['multinomial, kernel', { strategy: 'multinomial', kernel: RBF }],
];

test.each(families)('MulticlassPerceptron, %s', async (_, options) => {
  const { X, y } = classified;
  for (const engine of wasm) {
    for (const order of orders) {
      if (options.gram === 'blocks' && (order === 'random' || order === 'batch')) continue;
      const make = () => new MulticlassPerceptron<number>({ maxEpochs: 2, ...options, order, engine });
      const isInStep = !options.kernel && !options.strategy && (order === 'cyclic' || order === 'shuffle');
      await expectSameOnThreads(make, X, y, { threads: countsOn(engine), least: isInStep ? 2 : 1 });
    }
  }
});

test('MulticlassPerceptron with more rows and classes than threads, and with two classes', async () => {
  const { X, y } = manyClasses(1500, 40, 10, 5, 5);
  const rows = { data: Float64Array.from(X.flat(), (v) => v / 3), rows: 1500, cols: 40 };
  for (const options of [{}, { strategy: 'multinomial' }, { kernel: CUBIC, gram: 'blocks' }] as const) {
    const make = () => new MulticlassPerceptron<number>({ maxEpochs: 2, ...options });
    const least = 'strategy' in options ? 1 : 2;
    await expectSameOnThreads(make, rows, y, { threads: [2, 4], least });
    await expectSameOnThreads(make, rows, y, { threads: ['auto'] });
  }
  await expectSameOnThreads(() => new MulticlassPerceptron<number>({ order: 'batch', maxEpochs: 2 }), rows, y, {
    threads: [2, 4],
    least: 2,
  });
  await expectSameOnThreads(() => new MulticlassPerceptron<number>({ maxEpochs: 9 }), mixed.X, mixed.y);
});

test('sparse rows of any shape, with every trainer', async () => {
  const makers = [...planeMakers, ...kernelMakers];
  await fc.assert(
    fc.asyncProperty(
      anyShape,
      someOptions,
      fc.constantFrom(...makers),
      fc.constantFrom(...wasm),
      async (shape, options, maker, engine) => {
        const pair = pairOf(shape);
        const X = SparseMatrix.from(pair.sparse);
        try {
          const make = () => maker.make({ ...options, maxEpochs: Math.min(3, options.maxEpochs), engine });
          await expectSameOnThreads(make as never, X, pair[maker.labels], { threads: [2, 3] });
        } finally {
          X.dispose();
        }
      },
    ),
    { numRuns: runs(60), seed: 3 },
  );
});

test.each(orders)(`larger sparse rows, order '%s'`, async (order) => {
  const { sparse, signs, codes } = pairOf({ rows: 600, cols: 3000, density: 0.01, seed: 11 });
  const X = SparseMatrix.from(sparse);
  await expectSameOnThreads(() => new Perceptron<number>({ order, average: true, maxEpochs: 2 }), X, signs);
  await expectSameOnThreads(() => new DualPerceptron<number>({ order, kernel: CUBIC, maxEpochs: 2 }), X, signs, {
    threads: [2, 3],
  });
  await expectSameOnThreads(() => new MulticlassPerceptron<number>({ order, maxEpochs: 1 }), X, codes, {
    threads: [2, 3],
  });
  X.dispose();
});

test.each(['standardize', 'centre', 'unit-ball'] as const)('Pipeline, scaler %s', async (kind) => {
  for (const make of [
    () => new Perceptron<number>({ maxEpochs: 20 }),
    () => new DualPerceptron<number>({ kernel: RBF, maxEpochs: 4 }),
    () => new MulticlassPerceptron<number>({ maxEpochs: 5 }),
  ]) {
    const pipeline = () => new Pipeline<number>(new Scaler({ kind }), make());
    await expectSameOnThreads(pipeline as never, mixed.X, mixed.y);
  }
});

test('pure JavaScript has one thread, says so, and gives the same bits', async () => {
  for (const order of orders) {
    const make = (engine: 'js' | 'wasm-simd') => () => new Perceptron<number>({ order, engine, maxEpochs: 1 });
    const outcome = await expectSameOnThreads(make('js'), mixed.X, mixed.y, { threads: [1, 2], hasThreads: false });
    const other = await expectSameOnThreads(make('wasm-simd'), mixed.X, mixed.y, { threads: [2] });
    expect(outcome.replace('"engine":"js"', '"engine":"wasm-simd"')).toBe(other);
  }
  const make = () => new DualPerceptron<number>({ engine: 'js', kernel: RBF, maxEpochs: 3 });
  await expectSameOnThreads(make, mixed.X, mixed.y, { threads: [1, 4], hasThreads: false });
});

// ---- callbacks ------------------------------------------------------------------------------------------

test('the trainer’s own onEpoch hears of the same passes, with the same snapshots', async () => {
  const makers = [
    (onEpoch: never) => new Perceptron<number>({ maxEpochs: 8, onEpoch }),
    (onEpoch: never) => new Perceptron<number>({ maxEpochs: 8, order: 'shuffle', average: true, onEpoch }),
    (onEpoch: never) => new DualPerceptron<number>({ maxEpochs: 5, kernel: RBF, onEpoch }),
    (onEpoch: never) => new MulticlassPerceptron<number>({ maxEpochs: 5, onEpoch }),
    ...orders.map(
      (order) => (onEpoch: never) =>
        new MulticlassPerceptron<number>({ maxEpochs: 2, order, kernel: order === 'random' ? RBF : CUBIC, onEpoch }),
    ),
    (onEpoch: never) => new PocketPerceptron<number>({ maxEpochs: 2, onEpoch }),
  ];
  for (const make of makers) {
    const listen = () => {
      const heard: unknown[] = [];
      const onEpoch = ({
        epoch,
        mistakes,
        loss,
        snapshot,
      }: Parameters<NonNullable<PerceptronOptions['onEpoch']>>[0]) => {
        heard.push({ epoch, mistakes, loss, snapshot: JSON.stringify(snapshot()) });
      };
      return { heard, model: make(onEpoch as never) };
    };
    const whole = listen();
    whole.model.fit(mixed.X, mixed.y);
    for (const threads of counts) {
      const { heard, model } = listen();
      await model.fitAsync(mixed.X, mixed.y, { threads });
      expect(heard).toEqual(whole.heard);
      expect(outcomeOf(model)).toBe(outcomeOf(whole.model));
    }
  }
});

test('classes that are trained at the same time, told of pass by pass, several models at once', async () => {
  const { X, y } = flatRows({ rows: 700, cols: 150, noise: 0.3 });
  for (const order of orders) {
    const make = () => new MulticlassPerceptron<number>({ order, maxEpochs: order === 'random' ? 1 : 6, onEpoch() {} });
    const expected = outcomeOf(make().fit(X, y));
    for (let round = 0; round < (order === 'batch' ? 6 : 1); round++) {
      const models = await Promise.all(
        [2, 3, 4, 2, 'auto', 1].map((threads) => make().fitAsync(X, y, { threads } as never)),
      );
      for (const model of models) expectEqual(outcomeOf(model), expected, order);
    }
  }
});

test('onUpdate hears of the same updates, on the caller’s thread alone', async () => {
  for (const order of orders) {
    const updates: number[][] = [];
    const make = () => {
      const own: number[] = [];
      updates.push(own);
      const onUpdate = ({ index, bias }: { index: number; bias: number }) => own.push(index, bias);
      return new Perceptron<number>({ order, maxEpochs: 2, onUpdate });
    };
    const whole = outcomeOf(make().fit(mixed.X, mixed.y));
    for (const threads of [1, 2, 4]) {
      const model = await make().fitAsync(mixed.X, mixed.y, { threads });
      expect(outcomeOf(model)).toBe(whole);
      expectThreads(model.report, threads, false);
      expect(updates.at(-1)).toEqual(updates[0]);
    }
  }
});

// ---- errors ---------------------------------------------------------------------------------------------

const makers: [string, () => Perceptron<number> | DualPerceptron<number> | MulticlassPerceptron<number>][] = [
  ...orders.map((order): [string, () => Perceptron<number>] => [
    `Perceptron, order '${order}'`,
    () => new Perceptron<number>({ order, maxEpochs: 2 }),
  ]),
  ['PocketPerceptron', () => new PocketPerceptron<number>({ maxEpochs: 2 })],
  ['DualPerceptron', () => new DualPerceptron<number>({ maxEpochs: 2 })],
  ['DualPerceptron, rows', () => new DualPerceptron<number>({ gram: 'rows', maxEpochs: 2 })],
  ['DualPerceptron, polynomial', () => new DualPerceptron<number>({ kernel: CUBIC, maxEpochs: 2 })],
  ['DualPerceptron, rbf rows', () => new DualPerceptron<number>({ kernel: RBF, gram: 'rows', maxEpochs: 2 })],
  ['MulticlassPerceptron', () => new MulticlassPerceptron<number>({ maxEpochs: 2 })],
  ['multinomial', () => new MulticlassPerceptron<number>({ strategy: 'multinomial', maxEpochs: 2 })],
  ['blocks', () => new MulticlassPerceptron<number>({ kernel: CUBIC, gram: 'blocks', maxEpochs: 2 })],
];

test.each(makers)('%s: bad values anywhere are the same error', async (_, make) => {
  for (const [rows, value] of [
    [[0], Number.NaN],
    [[150], Number.POSITIVE_INFINITY],
    [[299], Number.NaN],
    [[40, 120, 280], Number.NEGATIVE_INFINITY], // in the shares of several threads
  ] as const) {
    const X = DenseMatrix.from(mixed.X);
    for (const row of rows) X.data[row * X.cols + 20] = value;
    expect(await expectSameOnThreads(make, X, mixed.y)).toBe(`RangeError: X[${rows[0]}][20] is ${value}`);
    X.dispose();
  }
});

test.each(makers)('%s: numbers that become too large, at once or late, are the same error', async (_, make) => {
  const outcomes: string[] = [];
  for (const factor of [1e307, 6e153, 1e102, 1e40]) {
    const data = mixed.X.data.map((v) => v * factor);
    outcomes.push(await expectSameOnThreads(make, { ...mixed.X, data }, mixed.y, { threads: [1, 2, 4] }));
    const sparse = SparseMatrix.fromDense({ ...mixed.X, data });
    await expectSameOnThreads(make, sparse, mixed.y, { threads: [3] });
    sparse.dispose();
  }
  expect(outcomes[0]).toMatch(/^RangeError: .*scale X down/);
  expect(outcomes.at(-1)).toMatch(/^{"converged":false/);
});

test.each(['cyclic', 'shuffle'] as const)('classes in step name the row that overflows: %s', async (order) => {
  const { X } = flatRows({ rows: 600, cols: 40 });
  for (const row of [401, 463]) for (let k = row * 40; k < (row + 1) * 40; k++) X.data[k]! *= 1e308;
  const y = Array.from({ length: 600 }, (_, i) => i % 5);
  const outcome = await expectSameOnThreads(() => new MulticlassPerceptron<number>({ order }) as never, X, y);
  expect(outcome).toMatch(/overflowed: the score of row/);
});
