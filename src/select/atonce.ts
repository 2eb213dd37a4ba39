// Several pieces of work at once. Results, their order and errors do not depend on how many.

import { processors } from '../worker/platform.js';

/** The most memory that copies of rows may use at the same time: half of the kernels' memory. */
const MOST_BYTES = 2 ** 31;

/**
 * Works on all items, at most `limit` at the same time; returns the results in their order. After a failure it starts no more
 * items, waits for the running ones, and throws the first error in item order.
 */
export async function atOnce<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length);
  const failures: { index: number; error: unknown }[] = [];
  const rest = items.entries();
  const hand = async () => {
    for (const [index, item] of rest) {
      try {
        results[index] = await work(item, index);
      } catch (error) {
        failures.push({ index, error });
      }
      if (failures.length > 0) return;
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, hand));
  const [first] = failures.sort((a, b) => a.index - b.index);
  if (first) throw first.error;
  return results;
}

/** How many folds run at once: limited by threads, processors, and memory for `bytes` each. */
export function limitOf(threads: number | 'auto', bytes: number): number {
  const working = threads === 'auto' ? processors() : Math.min(threads, Math.max(2, processors()));
  return Math.max(1, Math.min(working, Math.floor(MOST_BYTES / Math.max(1, bytes))));
}
