// rowsOf: columns of numbers → a DenseMatrix, by one transposing copy.

import { isMissing, placeOf } from '../encode/values.js';
import { show } from '../errors.js';
import { DenseMatrix } from '../index.js';
import { numberOf } from './advice.js';
import { type ArrowLikeTable, tableOf } from './tables.js';

/** Columns of numbers: a list for each, or an Arrow table. */
export type NumberTable = { readonly columns: Readonly<Record<string, ArrayLike<number>>> } | ArrowLikeTable;

/** Values of a block: its rows stay in the cache until each column is in them. */
const BLOCK = 2 ** 14;

/**
 * The rows of columns of numbers, in the order of the columns. Booleans are 0 and 1; bigints must be exact.
 * @throws TypeError or RangeError naming row and column; for text, categories and missing values use a TableEncoder
 *
 * @example
 * const X = rowsOf({ columns: { width: [1, 2], height: new Float64Array([3, 4]) } });
 * console.log(X.rows, X.row(1)); // → 2 Float64Array(2) [ 2, 4 ]
 */
export function rowsOf(table: NumberTable): DenseMatrix {
  if (Array.isArray(table)) {
    throw new TypeError(
      `rowsOf takes { columns } or an Arrow table, got ${show(table)}: records are for a TableEncoder`,
    );
  }
  const { rows, columns, lists, value } = tableOf(table);
  const cols = columns.length;
  const matrix = DenseMatrix.allocate(rows, cols);
  try {
    const size = Math.max(16, Math.ceil(BLOCK / cols));
    const block = new Float64Array(size);
    for (let from = 0; from < rows; from += size) {
      const count = Math.min(size, rows - from);
      for (let k = 0; k < cols; k++) {
        const list = lists?.[k];
        const isCopied = list instanceof Float64Array || list instanceof Float32Array;
        if (isCopied) block.set(list.subarray(from, from + count));
        for (let i = 0; i < count; i++) {
          const given = isCopied ? block[i] : value(from + i, k);
          const isNumber = typeof given === 'number' && given - given === 0;
          block[i] = isNumber ? given : checked(given, from + i, columns[k] as string);
        }
        // Reading values may run code of the caller, and memory that grows detaches earlier views.
        const { data } = matrix;
        for (let i = 0, at = from * cols + k; i < count; i++, at += cols) data[at] = block[i] as number;
      }
    }
    return matrix;
  } catch (error) {
    matrix.dispose();
    throw error;
  }
}

function checked(value: unknown, i: number, name: string): number {
  if (isMissing(value)) {
    throw new RangeError(`${placeOf(i, name)} is missing (${String(value)}): a TableEncoder fills missing values`);
  }
  if (typeof value === 'string') {
    throw new TypeError(
      `${placeOf(i, name)} must be a number, got ${show(value)}: a TableEncoder takes categories and text`,
    );
  }
  return numberOf(value, i, name);
}
