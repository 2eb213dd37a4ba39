// Measures rows: their lengths, and the sizes of columns.

import { isSparse, type Matrix } from './rows.js';

export interface Measures {
  /** ‖x‖ of the rows. */
  readonly norms: { readonly min: number; readonly median: number; readonly max: number };
  readonly values: { readonly min: number; readonly max: number };
  readonly columns: {
    /** Columns that are 0 in every row. */
    readonly empty: number;
    /** The smallest and the largest mean of |x| of the other columns, and which columns those are. */
    readonly smallest: ColumnSize;
    readonly largest: ColumnSize;
  };
}

export interface ColumnSize {
  readonly index: number;
  readonly size: number;
}

/** If column sizes differ by more than this factor, the large ones dominate; the library's advice uses the same factor. */
export const SCALE_RATIO = 100;

export function measure(X: Matrix): Measures {
  const norms = new Float64Array(X.rows);
  const sizes = new Float64Array(X.cols);
  // Zeros that are not stored count as values.
  const hasZeros = isSparse(X) && X.nonZeros < X.rows * X.cols;
  let min = hasZeros ? 0 : Infinity;
  let max = hasZeros ? 0 : -Infinity;
  for (let i = 0; i < X.rows; i++) {
    const { indices, values } = isSparse(X) ? X.row(i) : { indices: undefined, values: X.row(i) };
    let squares = 0;
    for (let k = 0; k < values.length; k++) {
      const value = values[k] as number;
      const column = indices ? (indices[k] as number) : k;
      squares += value * value;
      sizes[column] = (sizes[column] as number) + Math.abs(value);
      min = Math.min(min, value);
      max = Math.max(max, value);
    }
    norms[i] = Math.sqrt(squares);
  }
  return { norms: spread(norms), values: { min, max }, columns: columnSizes(sizes, X.rows) };
}

function spread(norms: Float64Array): Measures['norms'] {
  const sorted = norms.slice().sort();
  const middle = sorted.length >> 1;
  const upper = sorted[middle] as number;
  const median = sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] as number)) / 2;
  return { min: sorted[0] as number, median, max: sorted[sorted.length - 1] as number };
}

function columnSizes(sizes: Float64Array, rows: number): Measures['columns'] {
  let smallest = { index: -1, size: Infinity };
  let largest = { index: -1, size: 0 };
  let empty = 0;
  sizes.forEach((sum, index) => {
    const size = sum / rows;
    if (size === 0) empty++;
    else if (size < smallest.size) smallest = { index, size };
    if (size > largest.size) largest = { index, size };
  });
  return { empty, smallest, largest };
}
