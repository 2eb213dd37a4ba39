// Work at once: no more than allowed, results in order, and a failure that does not depend on who was faster.

import { describe, expect, test } from 'vitest';
import { atOnce, limitOf } from '../../src/select/atonce.js';
import { processors } from '../../src/worker/platform.js';

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('work at once', () => {
  test.each([1, 2, 3, 100])('of at most %i comes back in order, begun in order', async (limit) => {
    const begun: number[] = [];
    let now = 0;
    let most = 0;
    const results = await atOnce(['a', 'b', 'c', 'd', 'e', 'f'], limit, async (item, index) => {
      begun.push(index);
      most = Math.max(most, ++now);
      // Those with an even number take a turn of the event loop more.
      for (let turns = index % 2 ? 1 : 2; turns > 0; turns--) await turn();
      now--;
      return `${item}${index}`;
    });
    expect(results).toEqual(['a0', 'b1', 'c2', 'd3', 'e4', 'f5']);
    expect(begun).toEqual([0, 1, 2, 3, 4, 5]);
    expect(most).toBe(Math.min(limit, 6));
  });

  test('of nothing is nothing', async () => {
    expect(await atOnce([], 3, () => Promise.reject(new Error('never')))).toEqual([]);
  });

  test('that fails begins nothing more, waits for the others, and throws the first failure in order', async () => {
    const begun: number[] = [];
    const ended: number[] = [];
    const failing = atOnce([0, 1, 2, 3, 4, 5], 3, async (item) => {
      begun.push(item);
      for (let turns = [9, 1, 5, 0, 0, 0][item]!; turns > 0; turns--) await turn();
      ended.push(item);
      throw new Error(`number ${item}`);
    });
    await expect(failing).rejects.toThrow('number 0');
    expect(begun).toEqual([0, 1, 2]);
    expect(ended).toEqual([1, 2, 0]);
  });
});

test('folds at once are as many as there are threads and room for, and one at least', () => {
  const most = Math.max(2, processors());
  expect([1, 2, 1e9].map((threads) => limitOf(threads, 0))).toEqual([1, 2, most]);
  expect(limitOf('auto', 0)).toBe(processors());
  expect([2 ** 29, 2 ** 30 + 1, 2 ** 40].map((bytes) => limitOf(2, bytes))).toEqual([2, 1, 1]);
});
