// gramAsync while it is under way: aborts, timers, copies.

import { getEventListeners } from 'node:events';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { DenseMatrix, gram, gramAsync, stopThreads } from '../../src/index.js';
import { longestHold, now } from '../clock.js';
import { bitsOf } from '../sparse-samples.js';
import { busy, DEADLINE, expectBelow, flatRows, leavesNothing, rejection } from './helpers.js';

vi.setConfig({ testTimeout: DEADLINE });

leavesNothing();
afterAll(stopThreads);

/** The bits of a matrix, which is then given back. */
function taken(matrix: DenseMatrix): string {
  const bits = bitsOf(matrix.data as Float64Array);
  matrix.dispose();
  return bits;
}

describe('while it is under way', () => {
  const data = flatRows({ rows: 1000, cols: 1200 });
  const X = () => DenseMatrix.from(data.X);

  test('abort before, during and after', async () => {
    const rows = X();
    const early = new Error('too early');
    const stopped = AbortSignal.abort(early);
    expect(await rejection(gramAsync(rows, { signal: stopped }))).toBe(early);
    for (const threads of [1, 2] as const) {
      await expectBelow(100, async () => {
        const control = new AbortController();
        const error = rejection(gramAsync(rows, { signal: control.signal, threads }));
        if (threads > 1) await busy();
        await new Promise((resolve) => setTimeout(resolve, 20));
        const told = now();
        control.abort();
        expect(await error).toBe(control.signal.reason);
        expect(getEventListeners(control.signal, 'abort').length).toBe(0);
        return now() - told;
      });
    }
    const control = new AbortController();
    const small = await gramAsync({ data: rows.data, rows: 50, cols: 1200 }, { signal: control.signal, threads: 2 });
    control.abort();
    expect(getEventListeners(control.signal, 'abort').length).toBe(0);
    expect(small.rows).toBe(50);
    small.dispose();
    rows.dispose();
  });

  test('timers go on, rows may be disposed of, and several go at once', async () => {
    const rows = X();
    const expected = taken(gram(rows));
    await expectBelow(50, async () => {
      const own = X();
      let made: DenseMatrix[] = [];
      const gap = await longestHold(async () => {
        const all = [gramAsync(rows, { threads: 2 }), gramAsync(own, { threads: 2 }), gramAsync(rows)];
        setTimeout(() => own.dispose(), 5);
        made = await Promise.all(all);
      });
      for (const matrix of made) expect(taken(matrix) === expected).toBe(true);
      return gap;
    });
    rows.dispose();
  });

  test('a million-value view and rows of arrays are copied in without holding the thread', async () => {
    const { X: flat } = flatRows({ rows: 300, cols: 10_000 });
    const nested = Array.from({ length: 300 }, (_, i) => Array.from(flat.data.subarray(i * 10_000, (i + 1) * 10_000)));
    for (const rows of [flat, nested]) {
      await expectBelow(50, () => longestHold(async () => (await gramAsync(rows, { threads: 2 })).dispose()));
    }
  });
});
