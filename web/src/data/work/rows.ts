// Some of the rows of a matrix.

import { DenseMatrix, type Dtype, SparseBuilder, type SparseMatrix } from 'perceptron-wasm';

export type Matrix = DenseMatrix<Dtype> | SparseMatrix;

export const isSparse = (X: Matrix): X is SparseMatrix => 'nonZeros' in X;

/** A new matrix of these rows. */
export function takeRows(X: Matrix, rows: Uint32Array): Matrix {
  if (!isSparse(X)) {
    const taken = DenseMatrix.allocate(rows.length, X.cols, { dtype: X.dtype });
    const to = taken.data; // after the allocation, which may have moved X
    for (const [i, row] of rows.entries()) to.set(X.row(row), i * X.cols);
    return taken;
  }
  const builder = new SparseBuilder({ cols: X.cols });
  try {
    for (const row of rows) {
      const { indices, values } = X.row(row);
      builder.add(indices, values);
    }
    return builder.finish();
  } catch (error) {
    builder.dispose();
    throw error;
  }
}
