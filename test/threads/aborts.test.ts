// An abort is heard soon, whatever threads are at.

import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import {
  DenseMatrix,
  DualPerceptron,
  gramAsync,
  MulticlassPerceptron,
  Perceptron,
  Pipeline,
  Scaler,
  SparseMatrix,
} from '../../src/index.js';
import { poolsNow, Thread } from '../../src/worker/pool.js';
import { now } from '../clock.js';
import { endless, forever, listeners, noWorkers, RBF, small } from './endless.js';
import { busy, DEADLINE, expectBelow, flatRows, leavesNothing, outcomeOf, rejection, stopper } from './helpers.js';

vi.setConfig({ testTimeout: DEADLINE });

leavesNothing();

describe.each(endless)('%s', (name, make, { X, y }) => {
  test('an abort in the middle is heard within 100 ms, and changes nothing', async () => {
    const model = make();
    model.fit(small.X, small.y.map(() => 0).fill(1, 10)); // other labels: a fit that is half done would show
    const earlier = outcomeOf(model);
    for (const threads of [2, 'auto'] as const) {
      await expectBelow(100, async () => {
        const control = stopper();
        const reason = new Error('enough');
        const ended = rejection(model.fitAsync(X, y, { signal: control.signal, threads }));
        if (threads === 2 && !noWorkers.has(name)) await busy();
        await sleep(25);
        const told = now();
        control.abort(reason);
        expect(await ended).toBe(reason);
        const took = now() - told;
        expect(listeners(control)).toBe(0);
        expect(outcomeOf(model)).toBe(earlier);
        expect(poolsNow().busy).toBe(0);
        return took;
      });
    }
  });
});

test('an abort while rows are copied in, scaled or multiplied is heard too', async () => {
  const { X, y } = flatRows({ rows: 2000, cols: 1500, noise: 0.3 });
  const nested = Array.from({ length: 2000 }, (_, i) => X.data.subarray(i * 1500, (i + 1) * 1500));
  const calls = [
    (signal: AbortSignal) => new DualPerceptron<number>(forever).fitAsync(nested, y, { signal, threads: 2 }),
    (signal: AbortSignal) => new DualPerceptron<number>({ kernel: RBF, ...forever }).fitAsync(X, y, { signal }),
    (signal: AbortSignal) =>
      new Pipeline<number>(new Scaler({ kind: 'standardize' }), new Perceptron<number>(forever)).fitAsync(nested, y, {
        signal,
        threads: 2,
      }),
    (signal: AbortSignal) => gramAsync(nested, { signal, threads: 2 }),
  ];
  for (const call of calls) {
    for (const ms of [0, 3, 30]) {
      await expectBelow(100, async () => {
        const control = stopper();
        const ended = rejection(call(control.signal));
        await sleep(ms);
        const told = now();
        control.abort();
        expect(await ended).toBe(control.signal.reason);
        expect(listeners(control)).toBe(0);
        return now() - told;
      });
    }
  }
});

// Rows that take longer to be steered than to be multiplied: what an order may take follows from that too.
test.each([
  ['1,000,000 × 2', 1_000_000, 3, () => DenseMatrix.allocate(1_000_000, 2)],
  ['100,000 × 2, many classes', 100_000, 300, () => DenseMatrix.allocate(100_000, 2)],
  ['sparse', 500_000, 3, () => SparseMatrix.from(narrow(500_000))],
] as const)('one-vs-rest, %s: no order is long, and an abort is heard', async (_, rows, classes, make) => {
  const X = make();
  const steps = (i: number) => ((i * 7919) % 1000) / 500 - 1;
  if (X instanceof DenseMatrix) for (let i = 0; i < X.data.length; i++) X.data[i] = steps(i);
  const y = Array.from({ length: rows }, (_, i) => (i * 7 + (i >> 3)) % classes);
  const ask = vi.spyOn(Thread.prototype, 'ask');
  try {
    await expectBelow(100, async () => {
      ask.mockClear();
      const control = stopper();
      const ended = rejection(
        new MulticlassPerceptron<number>(forever).fitAsync(X, y, { signal: control.signal, threads: 2 }),
      );
      await busy();
      await sleep(60);
      const told = now();
      control.abort();
      await ended;
      const took = now() - told;
      const asked = ask.mock.calls.map(([message]) => message as { group?: unknown; rows: number });
      const most = Math.max(...asked.filter(({ group }) => group).map(({ rows }) => rows));
      expect(most).toBeLessThan(rows / 10); // a pass takes 200 ms at least
      return took;
    });
  } finally {
    ask.mockRestore();
    X.dispose();
  }
});

/** So many rows of two entries. */
const narrow = (rows: number) => ({
  values: Float64Array.from({ length: 2 * rows }, (_, k) => ((k * 7919) % 1000) / 500 - 1),
  indices: Uint32Array.from({ length: 2 * rows }, (_, k) => (k % 2) * 500 + ((k * 31) % 500)),
  indptr: Uint32Array.from({ length: rows + 1 }, (_, i) => 2 * i),
  cols: 1000,
});

test('the Gram matrix of sparse rows, most values in a few columns: no order is long', async () => {
  // Rows have from 2 to 2000 entries, the last ones most: by their number alone, the last orders would take very long.
  const rows = 2000;
  const indptr = new Uint32Array(rows + 1);
  const indices: number[] = [];
  for (let i = 0; i < rows; i++) {
    const length = i < 1800 ? 2 : 2000;
    for (let k = 0; k < length; k++) indices.push(k < 2 || i >= 1800 ? k : 0);
    indptr[i + 1] = indices.length;
  }
  const X = SparseMatrix.from({ values: new Float64Array(indices.length).fill(0.5), indices, indptr, cols: 100_000 });
  const ask = vi.spyOn(Thread.prototype, 'ask');
  const products = (message: unknown) => {
    const { calls = [] } = message as { calls?: number[] };
    return calls.length / 8; // rows of an order, each of them one call of seven numbers
  };
  const made = await gramAsync(X, { threads: 2 });
  const most = Math.max(...ask.mock.calls.map(([message]) => products(message)));
  const last = products(ask.mock.calls.at(-1)?.[0]);
  ask.mockRestore();
  made.dispose();
  X.dispose();
  // A row of the first kind is 4000 products and as many zeros, one of the last 404,000.
  expect(most).toBeGreaterThan(50);
  expect(last).toBeLessThanOrEqual(2);
});
