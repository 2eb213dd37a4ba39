// Statistics of one column: what fills its holes, its mean and deviation. Sums are taken in the order of the rows.

import { show } from '../errors.js';
import type { MissingRule } from './tableoptions.js';

/** The most frequent key; of several the smallest. The map is not empty. */
export function mostFrequent<K extends number | string>(counts: ReadonlyMap<K, number>): K {
  let [best, most] = [undefined as K | undefined, 0];
  for (const [key, count] of counts) {
    if (count > most || (count === most && key < (best as K))) [best, most] = [key, count];
  }
  return best as K;
}

/** What stands for a missing number, from the numbers that are there: at least one. */
export const fillOf: Readonly<Record<MissingRule, (values: Float64Array, name: string) => number>> = {
  refuse: () => 0,
  zero: () => 0,
  mean: (values, name) => meanOf(values, name),
  median(values) {
    const sorted = values.slice().sort();
    const middle = sorted.length >> 1;
    const upper = sorted[middle] as number;
    if (sorted.length % 2 === 1) return upper;
    const lower = sorted[middle - 1] as number;
    const mean = (lower + upper) / 2;
    return Number.isFinite(mean) ? mean : lower / 2 + upper / 2;
  },
  'most-frequent'(values) {
    const counts = new Map<number, number>();
    for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
    return mostFrequent(counts);
  },
};

function meanOf(values: Float64Array, name: string): number {
  return sumOf(values, name, (value) => value) / values.length;
}

function sumOf(values: Float64Array, name: string, of: (value: number) => number): number {
  let sum = 0;
  for (const value of values) sum += of(value);
  if (Number.isFinite(sum)) return sum;
  throw new RangeError(`column ${show(name)} has values too large to scale: their sum is ${sum}`);
}

/** Mean and deviation, as a Scaler of kind 'standardize' has them: the scale of a constant column is 1. */
export function scaleOf(values: Float64Array, name: string): { mean: number; scale: number } {
  const count = values.length;
  const mean = meanOf(values, name);
  const squares = sumOf(values, name, (value) => (value - mean) * (value - mean));
  const deviation = Math.sqrt(squares / count);
  // The deviation of a constant column that rounding of the mean alone can cause.
  const noise = count * Number.EPSILON * Math.abs(mean);
  return { mean, scale: deviation > noise ? deviation : 1 };
}
