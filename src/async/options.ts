// Options that all calls in slices have in common.

import { show } from '../errors.js';

/** Refuses what is no number of threads. */
export function checkThreads(threads: number | 'auto' = 'auto'): void {
  if (threads !== 'auto' && !(Number.isInteger(threads) && threads >= 1)) {
    throw new RangeError(`"threads" must be 'auto' or an integer of at least 1, got ${show(threads)}`);
  }
}
