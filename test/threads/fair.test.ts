// Several fits at once share turns and threads: none waits for another's end.

import { afterAll, expect, test } from 'vitest';
import {
  DenseMatrix,
  DualPerceptron,
  gramAsync,
  MulticlassPerceptron,
  Perceptron,
  stopThreads,
} from '../../src/index.js';
import { turnsDuring } from '../turns.js';
import { forever, RBF } from './endless.js';
import { flatRows, leavesNothing, start, stopper, underWay, until, xor, xorLabels } from './helpers.js';

// One row with both labels: neither planes nor kernels separate them, so that no fit ends by itself.
const long = flatRows({ rows: 1000, cols: 300, noise: 0.3, contradicts: true });
const short = flatRows({ rows: 200, cols: 50, noise: 0.2 });

leavesNothing();
afterAll(stopThreads);

/** Threads of the first fit and of the second. */
const pairs = [
  [1, 1],
  [2, 2],
  ['auto', 'auto'],
  [1, 2],
  [2, 1],
  [4, 2],
] as const;

test.each(pairs)('two long fits go on together (threads: %s and %s)', async (...threads) => {
  const control = stopper();
  const X = DenseMatrix.from(long.X);
  const order: number[] = [];
  const fits = threads.map((count, i) =>
    new Perceptron<number>(forever).fitAsync(X, long.y, {
      threads: count,
      signal: control.signal,
      keepPartial: true,
      onEpoch: () => void order.push(i),
    }),
  );
  // Both tell of epochs, now one and now the other.
  await until(() => order.filter((who, k) => k > 0 && who !== order[k - 1]).length > 3);
  control.abort();
  for (const { report } of await Promise.all(fits)) {
    expect(report.stopReason).toBe('aborted');
    expect(report.epochs).toBeGreaterThan(0);
  }
  X.dispose();
});

/** Fits that do not end by themselves, of all kinds of work. */
const makers: [string, () => Perceptron<number> | DualPerceptron<number>][] = [
  ['fits', () => new Perceptron<number>(forever)],
  [
    'fits that multiply rows of the Gram matrix',
    () => new DualPerceptron<number>({ ...forever, kernel: RBF, gram: 'rows', maxGramBytes: 80_000 }),
  ],
];

test.each(makers.flatMap(([name, make]) => ([1, 2, 'auto'] as const).map((threads) => [name, threads, make] as const)))(
  'short work beside long %s ends before them (threads: %s)',
  async (_, threads, make) => {
    const X = DenseMatrix.from(long.X);
    const fits = [1, 2, 3].map(() => start((options) => make().fitAsync(X, long.y, { ...options, threads } as never)));
    await underWay(fits[0]!);
    for (const count of [1, 2, 'auto'] as const) {
      await new Perceptron<number>({ maxEpochs: 20 }).fitAsync(short.X, short.y, { threads: count });
      await new DualPerceptron<number>({ maxEpochs: 5 }).fitAsync(short.X, short.y, { threads: count });
      (await gramAsync(short.X, { threads: count })).dispose();
    }
    for (const fit of fits) {
      expect(fit.end).toBe(undefined);
      fit.abort();
      await fit.ended;
      expect(fit.end).toEqual({ error: fit.signal.reason });
    }
    X.dispose();
  },
);

test('small fits that begin after large ones end before them, where the large ones alone have work for all threads', async () => {
  // A fit has one order under way at a time, and a large one has more of them than the small ones have turns together.
  const X = DenseMatrix.from(long.X);
  const ends: string[] = [];
  const end = (name: string) => () => void ends.push(name);
  const large = Array.from({ length: 3 }, () =>
    new Perceptron<number>({ maxEpochs: 1000 }).fitAsync(X, long.y, { threads: 2 }).then(end('large')),
  );
  const small = Array.from({ length: 8 }, () =>
    new Perceptron<number>({ maxEpochs: 20 }).fitAsync(short.X, short.y, { threads: 2 }).then(end('small')),
  );
  await Promise.all([...large, ...small]);
  expect(ends).toEqual([...small.map(() => 'small'), ...large.map(() => 'large')]);
  X.dispose();
});

test('classes side by side in epochs that are too short for a slice, and for threads: the event loop turns', async () => {
  const make = () => new MulticlassPerceptron<number>({ order: 'batch', maxEpochs: 300 });
  const fit = () => make().fitAsync(xor, xorLabels, { onEpoch: () => undefined });
  expect(await turnsDuring(fit, undefined, 1)).toBeGreaterThan(20);
});
