// Checked rows, dense or sparse: the rows to predict, and the support vectors of a model.

import type { Values } from '../data/views.js';
import { has } from '../own.js';

/** Dense rows, one after the other. */
export interface DenseTable {
  readonly data: Values;
  readonly rows: number;
  readonly cols: number;
}

/** Sparse rows as CSR, columns ascending within a row. */
export interface SparseTable {
  readonly values: Float64Array;
  readonly indices: Uint32Array;
  /** One entry more than there are rows. */
  readonly indptr: Uint32Array;
  readonly cols: number;
}

export type Table = DenseTable | SparseTable;

export const isSparse = (X: Table): X is SparseTable => has(X, 'indptr');

export const countRows = (X: Table): number => (isSparse(X) ? X.indptr.length - 1 : X.rows);

/** Whether dense rows are not stored as float64. */
export const isNarrow = ({ data }: DenseTable): boolean => data.BYTES_PER_ELEMENT < 8;

/** Calls `see` with each stored column of row i, ascending, and its value. */
export function visitRow(X: Table, i: number, see: (column: number, value: number) => void): void {
  if (isSparse(X)) {
    const end = X.indptr[i + 1] as number;
    for (let k = X.indptr[i] as number; k < end; k++) see(X.indices[k] as number, X.values[k] as number);
  } else {
    const { data, cols } = X;
    for (let k = 0; k < cols; k++) see(k, data[i * cols + k] as number);
  }
}

/** The names of rows and values in errors. */
export interface Names {
  row(i: number): string;
  value(i: number, column: number): string;
}

/** Names for the rows of X. */
export const ofMany: Names = { row: (i) => `X row ${i}`, value: (i, column) => `X[${i}][${column}]` };

/** Names for x, the row of `predictOne`. */
export const ofOne: Names = { row: () => 'x', value: (_, column) => `x[${column}]` };

/** What comes before the scores: it reads what the caller gives, or changes rows. */
export interface Step {
  /** The columns of the rows that it makes. */
  readonly cols: number;
  /** Whether it takes rows of numbers that have been read. */
  readonly takesRows: boolean;
  apply(X: unknown, names: Names): Table;
}
