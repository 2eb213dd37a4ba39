// What is learned from: rows of numbers, or the columns of a table with words, categories and gaps.

import type { DenseMatrix, Dtype, SparseMatrix } from 'perceptron-wasm';

/** NaN and null are missing. */
export type Column = Float64Array | readonly (string | null)[];

export interface Table {
  readonly columns: Readonly<Record<string, Column>>;
  readonly rows: number;
}

export type Input = DenseMatrix<Dtype> | SparseMatrix | Table;

export const isTable = (X: Input): X is Table => 'columns' in X;
export const isSparse = (X: Input): X is SparseMatrix => 'nonZeros' in X;

/** Some of the rows, anew. */
export function takeRows(X: Input, rows: Uint32Array): Input {
  if (!isTable(X)) return X.take(rows);
  const columns = Object.entries(X.columns).map(([name, column]) => [
    name,
    column instanceof Float64Array
      ? Float64Array.from(rows, (row) => column[row] as number)
      : Array.from(rows, (row) => column[row] ?? null),
  ]);
  return { columns: Object.fromEntries(columns), rows: rows.length };
}

/** Gives its memory back. */
export function release(X: Input): void {
  if (!isTable(X)) X.dispose();
}
