// Several fits at once share turns and threads: none waits for another's end.

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { DenseMatrix, DualPerceptron, gramAsync, Perceptron, stopThreads } from '../../src/index.js';
import { poolsNow } from '../../src/worker/pool.js';
import { now } from '../clock.js';
import { DEADLINE, expectBelow, flatRows, stopAll, stopper, until } from './helpers.js';

vi.setConfig({ testTimeout: DEADLINE });

const long = flatRows({ rows: 1000, cols: 300, noise: 0.3 });
const short = flatRows({ rows: 200, cols: 50, noise: 0.2 });

afterEach(async () => {
  await stopAll();
  expect(poolsNow().busy).toBe(0);
});
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
    new Perceptron<number>({ maxEpochs: 1e9 }).fitAsync(X, long.y, {
      threads: count,
      signal: control.signal,
      keepPartial: true,
      onProgress: () => void order.push(i),
      // A word from the worker at every pass: beside a fit in slices, that is a slice for each pass.
      ...(threads[0] === threads[1] && { onEpoch: () => void order.push(i) }),
    }),
  );
  const changesOf = () => order.filter((who, k) => k > 0 && who !== order[k - 1]).length;
  await sleep(500);
  await until(() => changesOf() > 3, 8000);
  control.abort();
  const epochs = (await Promise.all(fits)).map((model) => model.report.epochs);
  X.dispose();
  // Both are heard of at their rates, one beside the other.
  expect(changesOf()).toBeGreaterThan(3);
  expect(Math.min(...epochs)).toBeGreaterThan(0);
  // One in a worker and one in slices, or more threads than the other: fair is not equal, but nobody starves.
  expect(Math.max(...epochs) / Math.min(...epochs)).toBeLessThan(threads[0] === threads[1] ? 4 : 12);
});

test.each([1, 2, 'auto'] as const)(
  'a short fit beside long ones ends long before them (threads: %s)',
  async (threads) => {
    const control = stopper();
    const X = DenseMatrix.from(long.X);
    let ended = 0;
    const fits = Array.from({ length: 3 }, () =>
      new Perceptron<number>({ maxEpochs: 1e9 })
        .fitAsync(X, long.y, { threads, signal: control.signal, keepPartial: true })
        .finally(() => ended++),
    );
    await sleep(60);
    for (const count of [1, 2, 'auto'] as const) {
      await expectBelow(400, async () => {
        const started = now();
        await new Perceptron<number>({ maxEpochs: 20 }).fitAsync(short.X, short.y, { threads: count });
        await new DualPerceptron<number>({ maxEpochs: 5 }).fitAsync(short.X, short.y, { threads: count });
        (await gramAsync(short.X, { threads: count })).dispose();
        return now() - started;
      });
    }
    expect(ended).toBe(0);
    control.abort();
    await Promise.all(fits);
    X.dispose();
  },
);

test('a short fit beside a large Gram matrix, and one beside a copy of many rows', async () => {
  const rows = DenseMatrix.from(flatRows({ rows: 2000, cols: 2000 }).X);
  for (const threads of [1, 2, 'auto'] as const) {
    const control = stopper();
    let isOver = false;
    const large = gramAsync(rows, { threads, signal: control.signal }).then(
      (g) => {
        isOver = true;
        g.dispose();
      },
      () => {},
    );
    await sleep(20);
    await expectBelow(400, async () => {
      const started = now();
      await new Perceptron<number>({ maxEpochs: 20 }).fitAsync(short.X, short.y, { threads });
      return now() - started;
    });
    expect(isOver).toBe(false);
    control.abort();
    await large;
  }
  rows.dispose();
});
