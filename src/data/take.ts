// The row numbers that `take` and `slice` copy, checked.

import { mustBe, show } from '../errors.js';
import { checkLength, isList } from './parts.js';

const isWithin = (value: number, least: number, most: number): boolean =>
  Number.isInteger(value) && value >= least && value <= most;

const notWithin = (value: number, least: number, most: number, name: string): Error =>
  mustBe(name, `an integer from ${least} to ${most}`, value, 'number');

/** Row numbers of a matrix of `rows` rows. @throws TypeError or RangeError naming the first that is wrong */
export function indicesOf(indices: ArrayLike<number>, rows: number): Uint32Array {
  if (!isList(indices)) throw new TypeError(`indices must be an array of integers, got ${show(indices)}`);
  expectRows(rows);
  const own = new Uint32Array(checkLength(indices.length, 'indices'));
  if (own.length === 0) throw new RangeError('indices is empty: a matrix has at least one row');
  for (let r = 0; r < own.length; r++) {
    const i = indices[r] as number;
    if (!isWithin(i, 0, rows - 1)) throw notWithin(i, 0, rows - 1, `indices[${r}]`);
    own[r] = i;
  }
  return own;
}

/** Row numbers from … to − 1 of a matrix of `rows` rows. @throws TypeError or RangeError if there are none */
export function indicesFrom(from: number, to: number, rows: number): Uint32Array {
  expectRows(rows);
  if (!isWithin(from, 0, rows - 1)) throw notWithin(from, 0, rows - 1, '"from"');
  if (!isWithin(to, from + 1, rows)) throw notWithin(to, from + 1, rows, '"to"');
  return Uint32Array.from({ length: to - from }, (_, r) => from + r);
}

/** Checks that there are rows: a sparse matrix may have none. */
function expectRows(rows: number): void {
  if (rows === 0) throw new RangeError('this matrix has no rows');
}
