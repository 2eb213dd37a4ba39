// Visits rows of every form one by one, for the writers.

import { show } from '../errors.js';
import type { Rows, SparseMatrix, SparseParts } from '../index.js';
import { has } from '../own.js';

/** `isStored`: the value is stored in a sparse row, so that a zero is intended. */
type See = (column: number, value: number, isStored: boolean) => void;

export interface VisitedRows {
  readonly count: number;
  readonly cols: number;
  /** Calls `see` with the values of row i, columns ascending. @throws RangeError if a value is not finite */
  visit(i: number, see: See): void;
}

function checked(value: unknown, i: number, j: number): number {
  if (typeof value !== 'number') throw new TypeError(`X[${i}][${j}] must be a number, got ${show(value)}`);
  if (!Number.isFinite(value)) throw new RangeError(`X[${i}][${j}] is ${value}`);
  return value;
}

/** Rows of any form. @throws TypeError if X is none of them */
export function visitRows(X: Rows): VisitedRows {
  if (typeof X !== 'object' || X === null) throw new TypeError(`X must be rows, got ${show(X)}`);
  if (has(X, 'toParts')) return sparseRows(X as SparseMatrix);
  if (has(X, 'indptr')) return partRows(X as SparseParts);
  if (has(X, 'data')) {
    const { rows: count, cols } = X;
    // Gets the view each time: memory growth may have detached it.
    return visited(count, cols, (i) => X.data.subarray(i * cols, (i + 1) * cols));
  }
  if (typeof X.length !== 'number') throw new TypeError(`X must be rows, got ${show(X)}`);
  return visited(X.length, X[0]?.length ?? 0, (i) => X[i]);
}

function visited(count: number, cols: number, rowAt: (i: number) => ArrayLike<number> | undefined): VisitedRows {
  const visit = (i: number, see: See): void => {
    const row = rowAt(i);
    if (typeof row !== 'object' || row === null || typeof row.length !== 'number') {
      throw new TypeError(`X row ${i} must be an array of numbers, got ${show(row)}`);
    }
    if (row.length !== cols) throw new RangeError(`X row ${i} has ${row.length} values, expected ${cols}`);
    for (let j = 0; j < cols; j++) see(j, checked(row[j], i, j), false);
  };
  return { count, cols, visit };
}

function sparseRows(X: SparseMatrix): VisitedRows {
  const visit = (i: number, see: See): void => {
    const { indices, values } = X.row(i);
    indices.forEach((column, k) => {
      see(column, values[k] as number, true);
    });
  };
  return { count: X.rows, cols: X.cols, visit };
}

function partRows({ values, indices, indptr, cols }: SparseParts): VisitedRows {
  const visit = (i: number, see: See): void => {
    let before = -1;
    for (let k = indptr[i] as number; k < (indptr[i + 1] as number); k++) {
      const column = indices[k] as number;
      if (!(Number.isInteger(column) && column > before && column < cols)) {
        throw new RangeError(
          `X.indices[${k}] must be an integer from ${before + 1} to ${cols - 1}, got ${show(column)}`,
        );
      }
      see(column, checked(values[k], i, column), true);
      before = column;
    }
  };
  return { count: indptr.length - 1, cols, visit };
}
