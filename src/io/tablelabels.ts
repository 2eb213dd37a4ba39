// The label column of a table as labels.

import type { Label } from '../index.js';
import { isNumber } from './labels.js';

/** Labels: numbers if all of them are numbers, else strings. `rows`: those that have one, if others have none. */
export function labelsOf(column: Float64Array | readonly (string | null)[]): { y: Label[]; rows?: Uint32Array } {
  const labels: (number | string)[] = [];
  const there: number[] = [];
  for (let i = 0; i < column.length; i++) {
    const value = column[i] as number | string | null;
    if (value === null || Number.isNaN(value)) continue;
    labels.push(value);
    there.push(i);
  }
  const rows = labels.length < column.length ? { rows: Uint32Array.from(there) } : undefined;
  if (!labels.every((label) => typeof label === 'string' && isNumber(label))) return { y: labels, ...rows };
  const large = labels.find((text) => !Number.isFinite(Number(text)));
  if (large !== undefined) throw new RangeError(`the label ${JSON.stringify(large)} is too large for a float64`);
  return { y: labels.map((text) => Number(text) + 0), ...rows };
}
