// Takes some rows of a matrix: the folds of a cross-validation, the blocks of a prediction.

import { DenseMatrix, type Dtype, type Label, type Rows, SparseBuilder, type SparseMatrix } from '../index.js';

export type Matrix = DenseMatrix<Dtype> | SparseMatrix;

export const isSparse = (X: Matrix): X is SparseMatrix => 'nonZeros' in X;

/** A new matrix of these rows. */
export function takeRows(X: Matrix, rows: ArrayLike<number>): Matrix {
  if (!isSparse(X)) {
    const { cols } = X;
    const taken = DenseMatrix.allocate(rows.length, cols, { dtype: X.dtype });
    // Get the views after the allocation, which may detach them.
    const to = taken.data;
    for (let i = 0; i < rows.length; i++) to.set(X.row(rows[i] as number), i * cols);
    return taken;
  }
  const builder = new SparseBuilder({ cols: X.cols });
  try {
    for (let i = 0; i < rows.length; i++) {
      const { indices, values } = X.row(rows[i] as number);
      builder.add(indices, values);
    }
    return builder.finish();
  } catch (error) {
    builder.dispose();
    throw error;
  }
}

/** Calls `use` with rows start … end − 1. They are copied only if they are sparse; `use` must not keep them. */
export function withRange<T>(X: Matrix, start: number, end: number, use: (rows: Rows) => T): T {
  if (start === 0 && end === X.rows) return use(X);
  if (!isSparse(X)) {
    const { dtype, cols } = X;
    const part = { data: X.data.subarray(start * cols, end * cols), dtype, rows: end - start, cols };
    return use(part as unknown as Rows); // integers are taken with their dtype, as a DenseMatrix has it
  }
  const block = takeRows(
    X,
    Uint32Array.from({ length: end - start }, (_, i) => start + i),
  );
  try {
    return use(block);
  } finally {
    block.dispose();
  }
}

export interface ClassCount {
  readonly label: Label;
  rows: number;
}

/** Classes and their numbers of rows, in class order: numbers by value, strings by code unit. */
export function classCounts(y: readonly Label[]): ClassCount[] {
  const counts = new Map<Label, number>();
  for (const label of y) counts.set(label, (counts.get(label) ?? 0) + 1);
  return [...counts]
    .map(([label, rows]) => ({ label, rows }))
    .sort((a, b) => (a.label < b.label ? -1 : a.label > b.label ? 1 : 0));
}
