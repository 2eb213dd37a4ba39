// gramAsync while it is under way: aborts, timers, copies.

import { getEventListeners } from 'node:events';
import { afterAll, expect, test } from 'vitest';
import { DenseMatrix, gram, gramAsync, stopThreads } from '../../src/index.js';
import { bitsOf } from '../sparse-samples.js';
import { signalAfter, turnsDuring } from '../turns.js';
import { flatRows, leavesNothing, rejection } from './helpers.js';

leavesNothing();
afterAll(stopThreads);

/** The bits of a matrix, which is then given back. */
function taken(matrix: DenseMatrix): string {
  const bits = bitsOf(matrix.data as Float64Array);
  matrix.dispose();
  return bits;
}

const data = flatRows({ rows: 1000, cols: 1200 });
const X = () => DenseMatrix.from(data.X);

test('an abort before it begins or in the middle ends it; one that comes after changes nothing', async () => {
  const rows = X();
  const early = new Error('too early');
  expect(await rejection(gramAsync(rows, { signal: AbortSignal.abort(early) }))).toBe(early);
  for (const threads of [1, 2] as const) {
    for (const turns of [0, 1]) {
      const signal = signalAfter(turns);
      expect(await rejection(gramAsync(rows, { signal, threads }))).toBe(signal.reason);
      expect(getEventListeners(signal, 'abort').length).toBe(0);
    }
    // Later, it may be done by then.
    for (const turns of [4, 16, 64]) {
      const signal = signalAfter(turns);
      const end = await gramAsync(rows, { signal, threads }).catch((error) => error);
      if (end instanceof DenseMatrix) end.dispose();
      else expect(end).toBe(signal.reason);
    }
  }
  const control = new AbortController();
  const small = await gramAsync({ data: rows.data, rows: 50, cols: 1200 }, { signal: control.signal, threads: 2 });
  control.abort();
  expect(getEventListeners(control.signal, 'abort').length).toBe(0);
  expect(small.rows).toBe(50);
  small.dispose();
  rows.dispose();
});

test('the event loop turns, rows may be disposed of, and several go at once', async () => {
  const rows = X();
  const expected = taken(gram(rows));
  const own = X();
  let made: DenseMatrix[] = [];
  const turns = await turnsDuring(
    async () => {
      made = await Promise.all([gramAsync(rows, { threads: 2 }), gramAsync(own, { threads: 2 }), gramAsync(rows)]);
    },
    (turn) => turn === 2 && own.dispose(),
  );
  expect(turns).toBeGreaterThan(2);
  for (const matrix of made) expect(taken(matrix) === expected).toBe(true);
  rows.dispose();
});

test('the event loop turns while a view of millions of values, or as many in nested arrays, are copied in', async () => {
  const { X: flat } = flatRows({ rows: 300, cols: 10_000 });
  const nested = Array.from({ length: 300 }, (_, i) => Array.from(flat.data.subarray(i * 10_000, (i + 1) * 10_000)));
  for (const rows of [flat, nested]) {
    expect(await turnsDuring(async () => (await gramAsync(rows, { threads: 2 })).dispose())).toBeGreaterThan(2);
  }
});
