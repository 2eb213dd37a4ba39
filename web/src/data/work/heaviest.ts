// The few largest of many values, without sorting them.

import type { Weight } from '../types.js';

const MOST_WEIGHTS = 12;

/** The heaviest of some values; the first among equals. */
export function heaviest(values: ArrayLike<number>, nameOf: (index: number) => string, most = MOST_WEIGHTS): Weight[] {
  const kept: number[] = [];
  const size = (index: number): number => Math.abs(values[index] as number);
  for (let k = 0; k < values.length; k++) {
    if (size(k) === 0 || (kept.length === most && size(k) <= size(kept[most - 1] as number))) continue;
    const at = kept.findIndex((other) => size(other) < size(k));
    kept.splice(at < 0 ? kept.length : at, 0, k);
    if (kept.length > most) kept.pop();
  }
  return kept.map((index) => ({ name: nameOf(index), value: values[index] as number }));
}
