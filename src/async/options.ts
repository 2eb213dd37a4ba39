// Options that all calls in slices have in common.

import { show } from '../errors.js';

/** Refuses what is no number of threads, and no place to load their script from. */
export function checkThreads(threads: number | 'auto' = 'auto', workerUrl?: string | URL): void {
  if (threads !== 'auto' && !(Number.isInteger(threads) && threads >= 1)) {
    throw new RangeError(`"threads" must be 'auto' or an integer of at least 1, got ${show(threads)}`);
  }
  if (workerUrl !== undefined && typeof workerUrl !== 'string' && typeof workerUrl?.href !== 'string') {
    throw new TypeError(`"workerUrl" must be a string or a URL, got ${show(workerUrl)}`);
  }
}
