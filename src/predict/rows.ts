// Rows in all their input forms: recognised by their shape and checked value by value.

import type { SparseParts } from '../data/parts.js';
import type { Row, SparseRow } from '../data/row.js';
import { expectCount, show } from '../errors.js';
import { get, has } from '../own.js';
import { countRows, type DenseTable, type SparseTable, type Table } from './tables.js';

/** Row-major numbers; they are not changed. */
export interface FlatRows {
  readonly data: Float64Array | Float32Array;
  readonly rows: number;
  readonly cols: number;
}

/** A DenseMatrix is `{ data, rows, cols }`, a SparseMatrix has `toParts()`; they may come from any copy of the library. */
export type Rows = ArrayLike<ArrayLike<number>> | FlatRows | SparseParts | { toParts(): SparseParts };

const FORMS =
  'an array of rows, { data, rows, cols }, { values, indices, indptr, cols }, a DenseMatrix or a SparseMatrix';

/** The most columns of a sparse matrix. */
const MOST_COLS = 2 ** 31 - 1;

const isList = (value: unknown): value is ArrayLike<unknown> =>
  typeof value === 'object' && value !== null && typeof (value as ArrayLike<unknown>).length === 'number';

/** The name of a typed array's type, also from another realm. */
const nameOf = (value: object): string => Object.prototype.toString.call(value).slice(8, -1);

/** A RangeError for a number, a TypeError for anything else. */
const wrong = (value: unknown, message: string) => new (typeof value === 'number' ? RangeError : TypeError)(message);

/** @throws TypeError or RangeError if a value is not a finite number */
function expectFinite(value: unknown, name: () => string): void {
  if (typeof value !== 'number') throw new TypeError(`${name()} must be a number, got ${show(value)}`);
  if (value - value !== 0) throw new RangeError(`${name()} is ${value}`);
}

/** Checks rows of any form for a model of `cols` columns. @throws TypeError or RangeError naming the row or the value that is wrong */
export function tableOf(X: Rows, cols: number): Table {
  if (typeof X !== 'object' || X === null) throw new TypeError(`X must be ${FORMS}, got ${show(X)}`);
  if (ArrayBuffer.isView(X)) {
    throw new TypeError(`X is a flat ${nameOf(X)}: pass { data: X, rows, cols } so that its shape is known`);
  }
  const table = has(X, 'toParts')
    ? sparseTable((X as { toParts(): SparseParts }).toParts(), 'X.')
    : has(X, 'indptr')
      ? sparseTable(X as SparseParts, 'X.')
      : has(X, 'data')
        ? flatTable(X as FlatRows)
        : listTable(X as ArrayLike<ArrayLike<number>>);
  if (countRows(table) > 0 && table.cols !== cols) {
    throw new RangeError(`X has ${table.cols} columns, the model was fitted on ${cols}`);
  }
  return table;
}

/** The caller's array, read in place. */
function flatTable(X: FlatRows): DenseTable {
  const { data } = X;
  const [rows, cols] = [get(X, 'rows'), get(X, 'cols')] as [number, number];
  expectCount(rows, 0, 'X.rows');
  expectCount(cols, 0, 'X.cols');
  const kind = ArrayBuffer.isView(data) ? nameOf(data) : '';
  if (kind !== 'Float64Array' && kind !== 'Float32Array') {
    throw new TypeError(`X.data must be a Float64Array or a Float32Array, got ${show(data)}`);
  }
  const count = rows * cols;
  if (data.length < count) {
    const detached = data.buffer.byteLength === 0 ? '; its buffer is empty or detached' : '';
    throw new RangeError(
      `X.data has ${data.length} values, expected ${count} (${rows} rows × ${cols} columns)${detached}`,
    );
  }
  for (let k = 0; k < count; k++) {
    const value = data[k] as number;
    if (value - value !== 0) throw new RangeError(`X[${Math.floor(k / cols)}][${k % cols}] is ${value}`);
  }
  return { data, rows, cols: expectCols(rows, cols) };
}

function listTable(X: ArrayLike<ArrayLike<number>>): DenseTable {
  if (!isList(X)) throw new TypeError(`X must be ${FORMS}, got ${show(X)}`);
  const rows = X.length;
  const rowAt = (i: number): ArrayLike<number> => {
    const row: unknown = X[i];
    if (!isList(row)) throw new TypeError(`X row ${i} must be an array of numbers, got ${show(row)}`);
    return row as ArrayLike<number>;
  };
  const cols = rows === 0 ? 0 : expectCols(rows, rowAt(0).length);
  const data = new Float64Array(rows * cols);
  for (let i = 0, at = 0; i < rows; i++) {
    const row = rowAt(i);
    if (row.length !== cols) throw new RangeError(`X row ${i} has ${row.length} values, expected ${cols}`);
    for (let k = 0; k < cols; k++) {
      const value = row[k] as number;
      // The name is made only for a bad value: there may be many rows.
      if (typeof value !== 'number' || value - value !== 0) expectFinite(value, () => `X[${i}][${k}]`);
      data[at++] = value;
    }
  }
  return { data, rows, cols };
}

function expectCols(rows: number, cols: number): number {
  if (rows > 0 && cols === 0) throw new RangeError('X has no columns');
  return cols;
}

/** CSR, checked and copied. Errors put `name` before the names of the parts. */
function sparseTable(parts: SparseParts, name: string): SparseTable {
  if (typeof parts !== 'object' || parts === null) {
    throw new TypeError(`${name}toParts() must give { values, indices, indptr, cols }, got ${show(parts)}`);
  }
  if (get(parts, 'values') === undefined && has(parts, 'data')) {
    throw new TypeError(`${name}values is missing; what SciPy calls "data" is "values" here, and shape[1] is "cols"`);
  }
  const listAt = (key: 'values' | 'indices' | 'indptr'): ArrayLike<number> => {
    const list: unknown = get(parts, key);
    if (!isList(list)) throw new TypeError(`${name}${key} must be an array of numbers, got ${show(list)}`);
    return list as ArrayLike<number>;
  };
  const [values, indices, ends] = [listAt('values'), listAt('indices'), listAt('indptr')];
  const cols = get(parts, 'cols') as number;
  expectCount(cols, 1, `${name}cols`);
  if (cols > MOST_COLS) throw new RangeError(`${name}cols must be at most ${MOST_COLS}, got ${show(cols)}`);
  expectPaired(values, indices, name);
  if (ends.length === 0) throw new RangeError(`${name}indptr is empty: it has one entry more than there are rows`);
  return entries(values, indices, rowEnds(ends, values.length, name), cols, name);
}

function expectPaired(values: ArrayLike<number>, indices: ArrayLike<number>, name: string): void {
  if (values.length !== indices.length) {
    throw new RangeError(`${name}values has ${values.length} entries, ${name}indices ${indices.length}: one each`);
  }
}

/** The bounds of rows: ascending integers from 0 to `total`; equal ones are allowed. */
function rowEnds(ends: ArrayLike<number>, total: number, name: string): Uint32Array {
  const indptr = new Uint32Array(ends.length);
  for (let i = 0, least = 0; i < ends.length; i++) {
    const end = ends[i] as number;
    if (i === 0 && end !== 0) throw wrong(end, `${name}indptr[0] must be 0, got ${show(end)}`);
    if (!(Number.isInteger(end) && end >= least)) {
      throw wrong(end, `${name}indptr[${i}] must be an integer of at least ${least}, got ${show(end)}`);
    }
    indptr[i] = least = end;
  }
  const last = ends[ends.length - 1] as number;
  if (last !== total) {
    throw new RangeError(`${name}indptr ends with ${last}, expected ${total}: as many as there are values`);
  }
  return indptr;
}

/** The entries of sparse rows, checked and copied. Precondition: as many values as indices. */
function entries(
  values: ArrayLike<number>,
  indices: ArrayLike<number>,
  indptr: Uint32Array,
  cols: number,
  name: string,
): SparseTable {
  const table = { values: new Float64Array(values.length), indices: new Uint32Array(values.length), indptr, cols };
  for (let i = 0; i + 1 < indptr.length; i++) {
    const end = indptr[i + 1] as number;
    for (let k = indptr[i] as number, before = -1; k < end; k++) {
      const column = indices[k] as number;
      if (!(Number.isInteger(column) && column >= 0 && column < cols)) {
        throw wrong(column, `${name}indices[${k}] must be an integer from 0 to ${cols - 1}, got ${show(column)}`);
      }
      if (column <= before) {
        throw new RangeError(
          `${name}indices[${k}] is ${column}, after ${before}: the columns of a row${name === 'X.' ? ` (here row ${i})` : ''} must ascend`,
        );
      }
      const value = values[k] as number;
      if (typeof value !== 'number' || value - value !== 0) expectFinite(value, () => `${name}values[${k}]`);
      table.indices[k] = before = column;
      table.values[k] = value;
    }
  }
  return table;
}

/** Checks the row of `predictOne` for a model of `cols` columns. @throws TypeError or RangeError naming the value that is wrong */
export function oneRow(x: Row, cols: number): Table {
  if (!isList(x)) {
    const { indices, values } = Object(x) as Partial<SparseRow>;
    if (!isList(indices) || !isList(values)) {
      throw new TypeError(`x must be an array of numbers or { indices, values }, got ${show(x)}`);
    }
    expectPaired(values, indices, 'x.');
    return entries(values, indices, Uint32Array.of(0, values.length), cols, 'x.');
  }
  if (typeof x[0] === 'object' && x[0] !== null) {
    throw new TypeError('x must be one row of numbers, got an array of rows');
  }
  if (x.length !== cols) throw new RangeError(`x has ${x.length} values, the model was fitted on ${cols} columns`);
  const data = new Float64Array(cols);
  for (let k = 0; k < cols; k++) {
    const value = x[k] as number;
    if (typeof value !== 'number' || value - value !== 0) expectFinite(value, () => `x[${k}]`);
    data[k] = value;
  }
  return { data, rows: 1, cols };
}
