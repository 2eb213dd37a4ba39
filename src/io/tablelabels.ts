// The label column of a table as labels.

import type { Label } from '../index.js';
import { isNumber } from './labels.js';

/** Labels: numbers if all of them are numbers, else strings. `rows`: those that have one, if others have none. */
export function labelsOf(column: Float64Array | readonly (string | null)[]): { y: Label[]; rows?: Uint32Array } {
  const all = Array.from<number | string | null>(column);
  const isThere = (value: number | string | null): value is number | string => value !== null && !Number.isNaN(value);
  const labels = all.filter(isThere);
  const rows =
    labels.length < all.length
      ? { rows: Uint32Array.from([...all.keys()].filter((i) => isThere(all[i] ?? null))) }
      : undefined;
  const different = [...new Set(labels)].filter((label) => typeof label === 'string');
  if (different.length === 0 || !different.every(isNumber)) return { y: labels, ...rows };
  const large = different.find((text) => !Number.isFinite(Number(text)));
  if (large !== undefined) throw new RangeError(`the label ${JSON.stringify(large)} is too large for a float64`);
  return { y: labels.map((text) => Number(text) + 0), ...rows };
}
