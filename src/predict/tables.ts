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

/** The names of rows and values in errors. */
export interface Names {
  row(i: number): string;
  value(i: number, column: number): string;
}

/** Names for the rows of X. */
export const ofMany: Names = { row: (i) => `X row ${i}`, value: (i, column) => `X[${i}][${column}]` };

/** Names for x, the row of `predictOne`. */
export const ofOne: Names = { row: () => 'x', value: (_, column) => `x[${column}]` };
