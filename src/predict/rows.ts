// Rows in all their input forms: recognised by their shape and checked value by value.

import { gather } from '../data/entries.js';
import type { SparseParts } from '../data/parts.js';
import type { SparseRow } from '../data/row.js';
import type { Values } from '../data/views.js';
import { kindOf, mustBe } from '../errors.js';
import { get, has } from '../own.js';
import { type DenseTable, type Names, ofMany, ofOne, type SparseTable, type Step, type Table } from './tables.js';

/** Row-major numbers; they are not changed. */
export interface FlatRows {
  readonly data: Values;
  readonly rows: number;
  readonly cols: number;
}

/** A DenseMatrix is `{ data, rows, cols }`, a SparseMatrix has `toParts()`; they may come from any copy of the library. */
export type Rows = ArrayLike<ArrayLike<number>> | FlatRows | SparseParts | { toParts(): SparseParts };

const FORMS =
  'an array of rows, { data, rows, cols }, { values, indices, indptr, cols }, a DenseMatrix or a SparseMatrix';

const isList = (value: unknown): value is ArrayLike<unknown> =>
  typeof value === 'object' && value !== null && typeof (value as ArrayLike<unknown>).length === 'number';

/** @throws TypeError if it is no list */
function listOf(value: unknown, name: string): ArrayLike<unknown> {
  if (isList(value)) return value;
  throw mustBe(name, 'an array of numbers', value);
}

const notFinite = (name: string, value: unknown) => mustBe(name, 'a finite number', value, 'number');

const otherCols = (given: unknown, cols: number) =>
  mustBe('X.cols', `${cols}, as the model was fitted on`, given, 'number');

/** Checks rows of any form, or one, for a model of `cols` columns. It throws a TypeError or RangeError naming the row or the value. */
export const rowsStep = (cols: number): Step => ({
  cols,
  takesRows: false,
  apply: (X, names) => (names === ofOne ? oneRow : tableOf)(X, cols),
});

function tableOf(X: unknown, cols: number): Table {
  if (ArrayBuffer.isView(X)) {
    throw new TypeError(`X is a flat ${kindOf(X)}: pass { data: X, rows, cols }`);
  }
  const given: object = Object(X);
  if (has(given, 'toParts')) return sparseTable(Object((X as { toParts(): SparseParts }).toParts()), cols);
  if (has(given, 'indptr')) return sparseTable(X as SparseParts, cols);
  if (has(given, 'data')) return flatTable(X as FlatRows, cols);
  if (isList(X)) return listTable(X, cols, ofMany);
  throw mustBe('X', FORMS, X);
}

function oneRow(x: unknown, cols: number): Table {
  if (isList(x)) return listTable([x], cols, ofOne);
  const row: SparseRow = Object(x);
  const values = get(row, 'values');
  if (isList(values)) return entries(row, [0, values.length], cols, 'x.');
  throw mustBe('x', 'an array of numbers or { indices, values }', x);
}

/** The caller's array, read in place. */
function flatTable(X: FlatRows, cols: number): DenseTable {
  const { data } = X;
  const rows = get(X, 'rows') as number;
  const given = get(X, 'cols');
  if (!(Number.isSafeInteger(rows) && rows >= 0)) throw mustBe('X.rows', 'an integer ≥ 0', rows, 'number');
  if (rows > 0 && given !== cols) throw otherCols(given, cols);
  const kind = kindOf(data);
  // Integers are those of a DenseMatrix, which says so.
  if (
    !ArrayBuffer.isView(data) ||
    !(/^Float(64|32)A/.test(kind) || kind.toLowerCase() === `${get(X as { dtype?: unknown }, 'dtype')}array`)
  ) {
    throw mustBe('X.data', 'a Float64Array or a Float32Array', data);
  }
  const count = rows * cols;
  if (data.length < count) {
    throw new RangeError(`X.data has ${data.length} values, expected ${count} (${rows} rows × ${cols} columns)`);
  }
  for (let k = 0; k < count; k++) {
    if (!Number.isFinite(data[k])) throw notFinite(ofMany.value(Math.floor(k / cols), k % cols), data[k]);
  }
  return { data, rows, cols };
}

function listTable(X: ArrayLike<unknown>, cols: number, names: Names): DenseTable {
  // All lengths first: an array of numbers may be a row of a model with many columns.
  const lists = Array.from(X, (row, i) => {
    if (!isList(row)) throw mustBe(names.row(i), 'an array of numbers', row);
    if (row.length !== cols) {
      throw new RangeError(`${names.row(i)} has ${row.length} values, the model was fitted on ${cols} columns`);
    }
    return row;
  });
  const data = new Float64Array(lists.length * cols);
  lists.forEach((row, i) => {
    for (let k = 0; k < cols; k++) {
      const value = row[k] as number;
      if (!Number.isFinite(value)) throw notFinite(names.value(i, k), value);
      data[i * cols + k] = value;
    }
  });
  return { data, rows: lists.length, cols };
}

/** CSR. */
function sparseTable(parts: SparseParts, cols: number): SparseTable {
  const ends = listOf(get(parts, 'indptr'), 'X.indptr');
  const given = get(parts, 'cols');
  if (ends.length > 1 && given !== cols) throw otherCols(given, cols);
  return entries(parts, ends, cols, 'X.');
}

/** Sparse rows, checked and copied; row i has the entries from ends[i] to ends[i + 1] − 1. */
function entries(parts: SparseRow, ends: ArrayLike<unknown>, cols: number, name: string): SparseTable {
  const given = listOf(get(parts, 'values'), `${name}values`);
  const columns = listOf(get(parts, 'indices'), `${name}indices`);
  const total = given.length;
  if (columns.length !== total) {
    throw new RangeError(`${name}values has ${total} entries, ${name}indices ${columns.length}: one each`);
  }
  let k = 0;
  /** Entry `i` of `ends`, which is between the one before and `most`. */
  const endAt = (i: number, most: number): number => {
    const end = ends[i] as number;
    if (Number.isInteger(end) && end >= k && end <= most) return end;
    throw mustBe(`${name}indptr[${i}]`, `an integer from ${k} to ${most}`, end, 'number');
  };
  if (ends.length > 0) endAt(0, 0);
  const rows = gather({
    rows: ends.length - 1,
    cols,
    nonZeros: total,
    visit(i, see) {
      const end = endAt(i + 1, total);
      for (let before = -1; k < end; k++) {
        const column = columns[k] as number;
        if (!(Number.isInteger(column) && column > before && column < cols)) {
          const expected = `an integer above ${before} and below ${cols} (columns ascend)`;
          throw mustBe(`${name}indices[${k}]`, expected, column, 'number');
        }
        const value = given[k] as number;
        if (!Number.isFinite(value)) throw notFinite(`${name}values[${k}]`, value);
        see(column, value);
        before = column;
      }
    },
  });
  if (k !== total || ends.length === 0) {
    throw new RangeError(`${name}indptr must end with ${total}, the number of values`);
  }
  return rows;
}
