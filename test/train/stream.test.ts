// fitStream: rows that come block by block. One pass over a stream is one epoch, to the bit; every block is published as
// it is finished, so that what goes wrong later leaves the model as far as it got.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  DualPerceptron,
  type Kernel,
  MulticlassPerceptron,
  Perceptron,
  PocketPerceptron,
  type Rows,
  type TrainerOptions,
} from '../../src/index.js';
import { type Any, checkError, type ErrorClass, rejection } from '../bad-input/refusals.js';
import { runs } from '../effort.js';
import { someEngines as engines } from '../engines.js';
import { anyClasses, manyClasses, SQUARE_KERNEL, saved } from '../family-samples.js';
import { integers, real } from '../samples.js';

/** Blocks are numbered from here on, as epochs are. */
const FIRST_BLOCK = 0;

interface Block {
  X: Rows;
  y: number[];
}
type Options = Omit<TrainerOptions<number>, 'onEpoch'> & { warmStart?: boolean };
type Model = Perceptron<number> | DualPerceptron<number> | MulticlassPerceptron<number>;

const RBF: Kernel = { type: 'rbf', gamma: 0.02 };
/** Every trainer that takes a stream, and how many classes it is given. */
const makers: [string, (o: Options) => Model, number][] = [
  ['Perceptron', (o) => new Perceptron<number>(o), 2],
  ['DualPerceptron', (o) => new DualPerceptron<number>(o), 2],
  ['DualPerceptron, polynomial', (o) => new DualPerceptron<number>({ ...o, kernel: SQUARE_KERNEL }), 2],
  ['DualPerceptron, rbf', (o) => new DualPerceptron<number>({ ...o, kernel: RBF }), 2],
  ['MulticlassPerceptron', (o) => new MulticlassPerceptron<number>(o), 3],
  ['multinomial', (o) => new MulticlassPerceptron<number>({ ...o, strategy: 'multinomial' }), 3],
  ['multinomial, rbf', (o) => new MulticlassPerceptron<number>({ ...o, strategy: 'multinomial', kernel: RBF }), 3],
];

/** 30 rows of 3 columns that no plane separates. */
function sample(classes: number) {
  const { X, y } = manyClasses(30, 3, classes, 3, 30);
  return { X: X.map((x) => x.map((v) => v / 7)), y, classes: Array.from({ length: classes }, (_, k) => k) };
}

/** The rows in blocks of these sizes, over and over. */
function inBlocks(X: number[][], y: number[], sizes: readonly number[]): Block[] {
  const blocks: Block[] = [];
  for (let from = 0, k = 0; from < X.length; k++) {
    const to = Math.min(X.length, from + (sizes[k % sizes.length] as number));
    blocks.push({ X: X.slice(from, to), y: y.slice(from, to) });
    from = to;
  }
  return blocks;
}

async function* later<T>(items: Iterable<T>): AsyncGenerator<T> {
  for (const item of items) {
    await new Promise((resolve) => setImmediate(resolve));
    yield item;
  }
}

/** A stream of these blocks that says whether it was closed, and may throw an error of its own before block `at`. */
function watched(blocks: readonly Block[], error?: unknown, at = blocks.length) {
  const seen = { given: 0, isClosed: false };
  async function* run(): AsyncGenerator<Block> {
    try {
      for (const [k, block] of blocks.entries()) {
        if (error !== undefined && k === at) throw error;
        seen.given++;
        yield block;
      }
      if (error !== undefined && at >= blocks.length) throw error;
    } finally {
      seen.isClosed = true;
    }
  }
  return { stream: run(), seen };
}

function scores(model: Model, X: Rows): number[] {
  const answer = model.decisionFunction(X);
  return [...(answer instanceof Float64Array ? answer : answer.data)];
}
/** What was learned and counted. */
const learned = (model: Model, X: Rows) => ({
  scores: scores(model, X),
  mistakes: model.report.mistakes,
  classes: model.classes,
});

describe.each(makers)('%s', (_name, make, count) => {
  const { X, y, classes } = sample(count);

  test('blocks of any sizes are one epoch, to the bit, with a mean or without', async () => {
    for (const engine of engines) {
      for (const average of [false, true]) {
        const whole = make({ engine, average, maxEpochs: 1 }).fit(X, y);
        for (const sizes of [[1], [4], [7, 1, 12], [29], [30], [99]]) {
          const model = make({ engine, average, classes });
          expect(await model.fitStream(later(inBlocks(X, y, sizes)))).toBe(model);
          expect(learned(model, X)).toEqual(learned(whole, X));
          expect(model.report.epochs).toBe(1);
          expect(model.report.mistakesByEpoch).toEqual([whole.report.mistakes]);
        }
      }
    }
  });

  test('arrays, generators and functions that return them are streams too', async () => {
    const blocks = inBlocks(X, y, [8]);
    const expected = learned(make({ maxEpochs: 1 }).fit(X, y), X);
    function* generator() {
      yield* blocks;
    }
    for (const stream of [
      blocks,
      new Set(blocks),
      generator(),
      later(blocks),
      () => blocks,
      () => generator(),
      () => later(blocks),
    ]) {
      const model = make({});
      await model.fitStream(stream, { classes });
      expect(learned(model, X)).toEqual(expected);
    }
  });

  test('every form of rows may come in a block', async () => {
    const blocks = inBlocks(X, y, [8]).map(({ X, y }, k): Block => {
      const rows = X as number[][];
      if (k % 2) return { X: rows.map((x) => Float64Array.from(x)), y };
      return { X: { data: Float64Array.from(rows.flat()), rows: rows.length, cols: 3 }, y };
    });
    const model = make({ classes });
    await model.fitStream(blocks);
    expect(learned(model, X)).toEqual(learned(make({ maxEpochs: 1 }).fit(X, y), X));
  });

  test('several epochs ask a function for a stream each', async () => {
    const data = manyClasses(24, 3, count, 5, 40); // whole numbers: samples that come again add up exactly
    for (const average of [false, true]) {
      const whole = make({ average, maxEpochs: 3 }).fit(data.X, data.y);
      expect(whole.report.epochs).toBe(3);
      let asked = 0;
      const mistakes: number[] = [];
      const model = make({ average, classes });
      const stream = () => {
        asked++;
        return later(inBlocks(data.X, data.y, [5, 9]));
      };
      await model.fitStream(stream, {
        epochs: 3,
        onBlock: (b: { mistakes: number }) => void mistakes.push(b.mistakes),
      });
      expect(asked).toBe(3);
      expect(model.report).toMatchObject({ epochs: 3, mistakes: whole.report.mistakes });
      expect(model.report.mistakesByEpoch).toEqual(whole.report.mistakesByEpoch);
      expect(mistakes.reduce((a, b) => a + b, 0)).toBe(whole.report.mistakes);
      scores(whole, data.X).forEach((s, i) => {
        expect(scores(model, data.X)[i]).toBeCloseTo(s, 6);
      });
    }
  });

  test('onBlock is told of every block: its number, its rows, its mistakes', async () => {
    const blocks = inBlocks(X, y, [7, 1, 12]);
    const told: { block: number; rows: number; mistakes: number }[] = [];
    const onBlock = (b: { block: number; rows: number; mistakes: number }) => void told.push({ ...b });
    const model = make({ classes });
    await model.fitStream(later(blocks), { onBlock });
    expect(told.map((b) => b.block)).toEqual(blocks.map((_, k) => k + FIRST_BLOCK));
    expect(told.map((b) => b.rows)).toEqual(blocks.map((b) => b.y.length));
    expect(told.reduce((sum, b) => sum + b.mistakes, 0)).toBe(model.report.mistakes);
    const first = make({ classes });
    first.partialFit(blocks[0]?.X as Rows, blocks[0]?.y as number[]);
    expect(told[0]?.mistakes).toBe(first.report.mistakes);
  });

  test('blocks of no rows are skipped', async () => {
    const none: Block = { X: [], y: [] };
    const [first, ...others] = inBlocks(X, y, [11]) as [Block, ...Block[]];
    const model = make({ classes });
    await model.fitStream([none, first, none, none, ...others, none]);
    expect(learned(model, X)).toEqual(learned(make({ maxEpochs: 1 }).fit(X, y), X));
    expect(model.report.epochs).toBe(1);
  });

  test('starts afresh, or goes on from a warm start', async () => {
    const blocks = inBlocks(X, y, [10]);
    const fresh = make({ classes, maxEpochs: 5 }).fit(X, y);
    await fresh.fitStream(blocks);
    expect(learned(fresh, X)).toEqual(learned(make({ maxEpochs: 1 }).fit(X, y), X));
    const whole = manyClasses(24, 3, count, 6, 40);
    const warm = make({ classes, warmStart: true, maxEpochs: 2 }).fit(whole.X, whole.y);
    await warm.fitStream(inBlocks(whole.X, whole.y, [24]));
    const three = make({ maxEpochs: 3 }).fit(whole.X, whole.y);
    expect(learned(warm, whole.X)).toEqual(learned(three, whole.X));
    expect(warm.report.epochs).toBe(3);
  });

  test('goes on after the stream: JSON, more blocks with partialFit', async () => {
    const data = manyClasses(24, 3, count, 7, 40);
    const blocks = inBlocks(data.X, data.y, [6]) as [Block, Block, Block, Block];
    const model = make({ classes, average: true });
    await model.fitStream(blocks.slice(0, 2));
    const copy = (model.constructor as typeof Perceptron).fromJSON<number>(saved(model)) as unknown as Model;
    expect(JSON.stringify(copy)).toBe(JSON.stringify(model));
    for (const m of [model, copy]) {
      for (const block of blocks.slice(2)) m.partialFit(block.X, block.y);
      const whole = make({ average: true, maxEpochs: 1 }).fit(data.X, data.y);
      expect(learned(m, data.X)).toEqual(learned(whole, data.X));
    }
  });

  // ---- what goes wrong ------------------------------------------------------------------------------

  /** The model after the first two of these blocks, and no more. */
  async function afterTwo(blocks: readonly Block[]) {
    const model = make({ classes });
    await model.fitStream(blocks.slice(0, 2));
    return learned(model, X);
  }

  test('a stream that throws in its third block: the error is the caller’s own, the model that of two blocks', async () => {
    const blocks = inBlocks(X, y, [6]);
    for (const boom of [new Error('boom'), { not: 'an error' }, 'a string']) {
      const { stream, seen } = watched(blocks, boom, 2);
      const model = make({ classes });
      expect(await rejection(model.fitStream(stream))).toBe(boom);
      expect(seen).toEqual({ given: 2, isClosed: true });
      expect(learned(model, X)).toEqual(await afterTwo(blocks));
    }
    function* sync() {
      yield* blocks.slice(0, 2);
      throw boom;
    }
    const boom = new Error('boom');
    const model = make({ classes });
    expect(await rejection(model.fitStream(sync()))).toBe(boom);
    expect(learned(model, X)).toEqual(await afterTwo(blocks));
    const failing = () => {
      throw boom;
    };
    expect(await rejection(make({ classes }).fitStream(failing))).toBe(boom);
  });

  const broken: [string, (b: Block) => Any, ErrorClass, RegExp][] = [
    [
      'is wider',
      ({ X, y }) => ({ X: (X as number[][]).map((x) => [...x, 1]), y }),
      RangeError,
      /X has 4 columns, the model was fitted on 3$/,
    ],
    ['has a label too few', ({ X, y }) => ({ X, y: y.slice(1) }), RangeError, /y has 5 labels, X has 6 rows$/],
    [
      'has a label nobody knows',
      ({ X, y }) => ({ X, y: [...y.slice(1), 7] }),
      RangeError,
      /y\[5\] is 7, which is not /,
    ],
    ['has labels of another type', ({ X }) => ({ X, y: ['a', 'b', 'a', 'b', 'a', 'b'] }), TypeError, /y\[0\] is "a"/],
    [
      'has a NaN',
      ({ X, y }) => ({ X: (X as number[][]).map((x, i) => (i === 4 ? [1, NaN, 1] : x)), y }),
      RangeError,
      /X\[4\]\[1\] is NaN$/,
    ],
    ['has no X', ({ y }) => ({ y }), TypeError, /X must be an array of rows/],
    ['is null', () => null, TypeError, /./],
  ];

  test.each(broken)(
    'a third block that %s is named, the stream closed, the model that of two blocks',
    async (_w, spoil, type, message) => {
      const blocks = inBlocks(X, y, [6]);
      const bad = blocks.map((block, k) => (k === 2 ? spoil(block) : block)) as Block[];
      const { stream, seen } = watched(bad);
      const model = make({ classes });
      const error = await rejection(model.fitStream(stream));
      checkError(error, type, message);
      expect(error.message).toMatch(new RegExp(`^block ${2 + FIRST_BLOCK}\\b`));
      expect(seen).toEqual({ given: 3, isClosed: true });
      expect(learned(model, X)).toEqual(await afterTwo(blocks));
      // The model goes on from there.
      for (const block of blocks.slice(2)) model.partialFit(block.X, block.y);
      expect(learned(model, X)).toEqual(learned(make({ maxEpochs: 1 }).fit(X, y), X));
    },
  );

  test('a first block that is bad leaves the model that was there', async () => {
    const model = make({ classes, maxEpochs: 5 }).fit(X, y);
    const before = JSON.stringify(model);
    const { report } = model;
    const bad: Block = { X: [[1, 2, NaN]], y: [0] };
    const { stream, seen } = watched([bad, ...inBlocks(X, y, [9])]);
    checkError(await rejection(model.fitStream(stream)), RangeError, /^block \d+: X\[0\]\[2\] is NaN$/);
    expect(seen).toEqual({ given: 1, isClosed: true });
    const boom = new Error('boom');
    expect(await rejection(model.fitStream(watched([], boom).stream))).toBe(boom);
    expect(JSON.stringify(model)).toBe(before);
    expect(model.report).toBe(report);
  });

  test('a stream without rows is an error, and leaves the model that was there', async () => {
    const none: Block = { X: [], y: [] };
    const model = make({ classes, maxEpochs: 5 }).fit(X, y);
    const before = JSON.stringify(model);
    for (const stream of [[], later([]), [none, none], () => []]) {
      checkError(await rejection(model.fitStream(stream)), RangeError, /no rows|empty/);
      expect(JSON.stringify(model)).toBe(before);
    }
  });

  test('an abort ends with the signal’s reason; finished blocks stay', async () => {
    const blocks = inBlocks(X, y, [6]);
    const reason = new Error('enough');
    const controller = new AbortController();
    const { stream, seen } = watched(blocks);
    const model = make({ classes });
    const onBlock = ({ block }: { block: number }) => {
      if (block === 1 + FIRST_BLOCK) controller.abort(reason);
    };
    expect(await rejection(model.fitStream(stream, { signal: controller.signal, onBlock }))).toBe(reason);
    expect(seen.isClosed).toBe(true);
    expect(learned(model, X)).toEqual(await afterTwo(blocks));
  });

  test('a signal aborted before the start changes nothing', async () => {
    const model = make({ classes, maxEpochs: 5 }).fit(X, y);
    const before = JSON.stringify(model);
    const error = await rejection(model.fitStream(inBlocks(X, y, [6]), { signal: AbortSignal.abort() }));
    expect(error).toMatchObject({ name: 'AbortError' });
    expect(JSON.stringify(model)).toBe(before);
  });

  test('an onBlock that throws ends the stream with its error, and closes it', async () => {
    const boom = new Error('boom');
    const { stream, seen } = watched(inBlocks(X, y, [6]));
    const onBlock = () => {
      throw boom;
    };
    expect(await rejection(make({ classes }).fitStream(stream, { onBlock }))).toBe(boom);
    expect(seen).toEqual({ given: 1, isClosed: true });
  });

  test.each(['shuffle', 'random', 'batch'] as const)('order %s is refused, with the reason', async (order) => {
    const model = make({ order, classes, maxEpochs: 5 }).fit(X, y);
    const before = JSON.stringify(model);
    const { stream, seen } = watched(inBlocks(X, y, [6]));
    const error = await rejection(model.fitStream(stream));
    checkError(error, RangeError, new RegExp(`order.*${order}|${order}.*order`));
    expect(error.message).toMatch(/cyclic/);
    expect(seen.given).toBe(0);
    expect(JSON.stringify(model)).toBe(before);
  });

  test('classes must be known before the first block', async () => {
    const { stream, seen } = watched(inBlocks(X, y, [6]));
    const model = make({});
    checkError(await rejection(model.fitStream(stream)), RangeError, /needs "classes"/);
    expect(seen.given).toBeLessThanOrEqual(1);
    expect(() => model.report).toThrow(/is not fitted yet/);
    // A warm start knows them.
    const warm = make({ warmStart: true, maxEpochs: 5 }).fit(X, y);
    await warm.fitStream(inBlocks(X, y, [6]));
    expect(warm.classes).toEqual(classes);
    const other = await rejection(warm.fitStream(inBlocks(X, y, [6]), { classes: classes.map((k) => k + 1) }));
    checkError(other, RangeError, /"classes" must stay /);
  });

  test('a block may lack a class, and come in any order of labels', async () => {
    const sorted = [...y.keys()].sort((i, j) => (y[j] as number) - (y[i] as number));
    const [rows, labels] = [sorted.map((i) => X[i] as number[]), sorted.map((i) => y[i] as number)];
    const model = make({ classes });
    await model.fitStream(inBlocks(rows, labels, [2]));
    expect(learned(model, X)).toEqual(learned(make({ maxEpochs: 1 }).fit(rows, labels), X));
  });
});

test('any rows in any blocks are one epoch, to the bit', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyClasses(real),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 }),
      fc.record({
        average: fc.boolean(),
        fitIntercept: fc.boolean(),
        learningRate: fc.constantFrom(1, 0.1),
        margin: fc.constantFrom(0, 0.5),
        engine: fc.constantFrom(...engines),
      }),
      fc.constantFrom(...makers),
      async ({ X, y }, sizes, o, [, make, most]) => {
        const rows = X.map((x) => x.map((v) => v / 50));
        const labels = y.map((label) => label % most).map((label, i) => (i < most ? i : label));
        const classes = Array.from({ length: most }, (_, k) => k);
        const model = make({ ...o, classes });
        await model.fitStream(inBlocks(rows, labels, sizes));
        expect(learned(model, rows)).toEqual(learned(make({ ...o, maxEpochs: 1 }).fit(rows, labels), rows));
      },
    ),
    { numRuns: runs(120) },
  );
});

test('a pocket counts over all rows, which a stream never has', async () => {
  const { X, y, classes } = sample(2);
  for (const model of [
    new PocketPerceptron<number>({ classes, maxEpochs: 5 }).fit(X, y),
    new DualPerceptron<number>({ classes, maxEpochs: 5, pocket: true }).fit(X, y),
  ] as Any[]) {
    const before = JSON.stringify(model);
    const { stream, seen } = watched(inBlocks(X, y, [6]));
    checkError(await rejection((async () => model.fitStream(stream))()), RangeError, /pocket.*all rows/);
    expect(seen.given).toBe(0);
    expect(JSON.stringify(model)).toBe(before);
  }
});

test('onEpoch is told of the whole stream once, and false ends it', async () => {
  const { X, y } = integers(40, 3, 4, 20);
  const blocks = [0, 10, 20, 30].map((from) => ({ X: X.slice(from, from + 10), y: y.slice(from, from + 10) }));
  const told: { epoch: number; mistakes: number; loss: number }[] = [];
  const expected: typeof told = [];
  new Perceptron<number>({
    maxEpochs: 2,
    onEpoch: ({ epoch, mistakes, loss }) => {
      expected.push({ epoch, mistakes, loss });
    },
  }).fit(X, y);
  const model = new Perceptron<number>({
    onEpoch: ({ epoch, mistakes, loss, snapshot }) => {
      told.push({ epoch, mistakes, loss });
      expect(snapshot().report.mistakes).toBeGreaterThan(0);
      return epoch < 2;
    },
  });
  // An array can be gone through again.
  await model.fitStream(blocks, { classes: [-1, 1], epochs: 5 });
  expect(told).toEqual(expected);
  expect(model.report).toMatchObject({ stopReason: 'stopped', epochs: 2, converged: false });
});

test('an aborted stream says so in the report', async () => {
  const { X, y } = integers(40, 3, 4, 20);
  const controller = new AbortController();
  const model = new Perceptron<number>();
  const blocks = [0, 20].map((from) => ({ X: X.slice(from, from + 20), y: y.slice(from, from + 20) }));
  const promise = model.fitStream(blocks, {
    classes: [-1, 1],
    signal: controller.signal,
    onBlock: () => controller.abort(),
  });
  expect(await promise.catch((error: unknown) => error)).toBe(controller.signal.reason);
  expect(model.report).toMatchObject({ stopReason: 'aborted', converged: false });
  expect(model.weights).toEqual(new Perceptron<number>({ maxEpochs: 1 }).fit(X.slice(0, 20), y.slice(0, 20)).weights);
});

test('what a stream cannot do is refused with the reason', async () => {
  const { X, y } = integers(20, 3, 4);
  const twice = () => [{ X, y }];
  const options = { classes: [-1, 1], epochs: 2 };
  await expect(new Perceptron<number>({ tol: 0 }).fitStream(twice, options)).rejects.toThrow(
    new RangeError('fitStream trains in order \'cyclic\' and does not go with "tol", which needs all rows at once'),
  );
  await expect(new Perceptron<number>({ validationFraction: 0.2 }).fitStream(twice, options)).rejects.toThrow(
    /validationFraction/,
  );
  function* once() {
    yield { X, y };
  }
  await expect(new Perceptron<number>().fitStream(once(), options)).rejects.toThrow(
    /^"epochs" 2 needs a function that returns the blocks again/,
  );
});
