// CSR in the caller's arrays, as SciPy has it: checked, and brought into the arena.

import { type Pace, PIECE, type Sliced } from '../async/sliced.js';
import { expectCount, show } from '../errors.js';
import type { Arena } from '../memory/arena.js';
import { MOST_COLS, RowPieces, type SparseStore } from './csr.js';
import { readable } from './views.js';

/** CSR: row i holds `values[k]` in column `indices[k]` for k from indptr[i] to indptr[i + 1] − 1. */
export interface SparseParts {
  values: ArrayLike<number>;
  /** Ascending within a row. */
  indices: ArrayLike<number>;
  /** One more than there are rows. */
  indptr: ArrayLike<number>;
  cols: number;
}

/** A RangeError for a number, a TypeError for anything else. */
export const wrong = (value: unknown, message: string) =>
  new (typeof value === 'number' ? RangeError : TypeError)(message);

/** Whether a value may be a list of numbers. */
export const isList = (value: unknown): value is ArrayLike<number> =>
  typeof value === 'object' && value !== null && typeof (value as ArrayLike<number>).length === 'number';

/** Refuses a number of columns that no matrix can have. */
export function expectCols(cols: unknown, name: string): void {
  expectCount(cols, 1, name);
  if ((cols as number) > MOST_COLS) throw new RangeError(`${name} must be at most ${MOST_COLS}, got ${show(cols)}`);
}

/** What can be said at a glance. `name` comes before the names of the parts in errors: '' or 'X.'. */
export function checkPartsForm(parts: SparseParts, name: string): SparseParts {
  if (typeof parts !== 'object' || parts === null) {
    throw new TypeError(`${name || 'the parts'} must be { values, indices, indptr, cols }, got ${show(parts)}`);
  }
  if (parts.values === undefined && 'data' in parts) {
    throw new TypeError(`${name}values is missing; what SciPy calls "data" is "values" here, and shape[1] is "cols"`);
  }
  const listAt = (key: 'values' | 'indices' | 'indptr'): ArrayLike<number> => {
    const list = parts[key];
    if (!isList(list)) throw new TypeError(`${name}${key} must be an array of numbers, got ${show(list)}`);
    return readable(list, `${name}${key}`);
  };
  const [values, indices, indptr] = [listAt('values'), listAt('indices'), listAt('indptr')];
  const { cols } = parts;
  expectCols(cols, `${name}cols`);
  if (values.length !== indices.length) {
    throw new RangeError(`${name}values has ${values.length} entries, ${name}indices ${indices.length}: one each`);
  }
  if (indptr.length === 0) throw new RangeError(`${name}indptr is empty: it has one entry more than there are rows`);
  return { values, indices, indptr, cols };
}

/** Rows from `from` on that are looked at together: the number of the one after them. */
export function endOfPiece(indptr: ArrayLike<number>, from: number): number {
  const most = Math.min(indptr.length - 1, from + PIECE);
  const entries = (indptr[from] as number) + PIECE;
  let end = from + 1;
  while (end < most && (indptr[end + 1] as number) <= entries) end++;
  return end;
}

/** Parts, checked. @throws TypeError or RangeError naming the first entry that is wrong */
export function* checkParts(parts: SparseParts, name: string, pace: Pace): Sliced<SparseParts> {
  const { values, indices, indptr: ends, cols } = checkPartsForm(parts, name);
  const { length } = ends;
  // A copy of where rows begin: it may be a view that growth detaches, and rows behind it would be lost.
  const indptr = new Uint32Array(length);
  for (let from = 0; from < length; from += PIECE) {
    copyEnds(indptr, readable(ends, `${name}indptr`), from, Math.min(length, from + PIECE), name);
    if (pace.due()) yield;
  }
  const last = readable(ends, `${name}indptr`)[length - 1] as number;
  if (last !== values.length) {
    throw new RangeError(`${name}indptr ends with ${last}, expected ${values.length}: as many as there are values`);
  }
  const checked = { values, indices, indptr, cols };
  for (let i = 0, end = 0; i + 1 < length; i = end) {
    end = endOfPiece(indptr, i);
    checkEntries(checked, i, end, name);
    if (pace.due()) yield;
  }
  return checked;
}

/** Copies where rows from … to − 1 begin, checked. */
function copyEnds(into: Uint32Array, indptr: ArrayLike<number>, from: number, to: number, name: string): void {
  for (let i = from; i < to; i++) {
    const at = indptr[i] as number;
    const least = i === 0 ? 0 : (indptr[i - 1] as number);
    if (i === 0 && at !== 0) throw wrong(at, `${name}indptr[0] must be 0, got ${show(at)}`);
    if (!(Number.isInteger(at) && at >= least)) {
      throw wrong(at, `${name}indptr[${i}] must be an integer of at least ${least}, got ${show(at)}`);
    }
    into[i] = at;
  }
}

/** Every entry of rows from … end − 1. */
function checkEntries(parts: SparseParts, from: number, end: number, name: string): void {
  const { indptr, cols } = parts;
  const [values, indices] = [readable(parts.values, `${name}values`), readable(parts.indices, `${name}indices`)];
  for (let i = from; i < end; i++) {
    const to = indptr[i + 1] as number;
    for (let k = indptr[i] as number, before = -1; k < to; k++) {
      const column = indices[k] as number;
      const value = values[k] as number;
      if (!(Number.isInteger(column) && column >= 0 && column < cols)) {
        throw wrong(column, `${name}indices[${k}] must be an integer from 0 to ${cols - 1}, got ${show(column)}`);
      }
      if (column <= before) {
        throw new RangeError(
          `${name}indices[${k}] is ${column}, after ${before}: the columns of a row (here row ${i}) must ascend`,
        );
      }
      if (typeof value !== 'number') throw new TypeError(`${name}values[${k}] must be a number, got ${show(value)}`);
      if (value - value !== 0) throw new RangeError(`${name}values[${k}] is ${value}`);
      before = column;
    }
  }
}

/** Parts that were checked, in an arena. */
export function* storeFromParts(parts: SparseParts, arena: Arena, pace: Pace): Sliced<SparseStore> {
  const { indptr } = parts;
  const pieces = new RowPieces(arena, parts.values.length + indptr.length, indptr.length - 1);
  try {
    for (let i = 0, end = 0; i + 1 < indptr.length; i = end) {
      end = endOfPiece(indptr, i);
      putRows(pieces, parts, i, end);
      if (pace.due()) yield;
    }
    return pieces.finish(parts.cols);
  } finally {
    pieces.dispose(); // what is finished is not its own any more
  }
}

function putRows(pieces: RowPieces, { values, indices, indptr }: SparseParts, from: number, end: number): void {
  for (let i = from; i < end; i++) pieces.put(indices, values, indptr[i] as number, indptr[i + 1] as number);
}
