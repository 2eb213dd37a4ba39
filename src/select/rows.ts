// Some rows of anything that a trainer or a pipeline takes: rows of numbers, matrices, texts, tables.

import { columnsIn, isRecord } from '../encode/tables.js';
import { mustBe } from '../errors.js';
import { DenseMatrix, type FlatRows, type Rows, SparseMatrix, type SparseParts } from '../index.js';
import { has } from '../own.js';
import type { ArrowLikeTable } from '../prepare/index.js';

/** X, recognised. */
export interface Input {
  readonly rows: number;
  /** All rows, as a trainer or a pipeline takes them. */
  readonly whole: unknown;
  /** A copy of these rows, in the form of X; of an Arrow table { columns }, of CSR parts a SparseMatrix. */
  take(rows: Uint32Array): unknown;
  /** The bytes of a copy in the kernels' memory, if X is a matrix. */
  readonly bytes: number;
  dispose(): void;
}

type Matrix = DenseMatrix | SparseMatrix;

const nothing = () => {};

/** Recognises X. @throws TypeError if it is neither rows, texts nor a table */
export function inputOf(X: unknown): Input {
  if (Array.isArray(X)) return listInput(X);
  if (typeof X === 'object' && X !== null && !ArrayBuffer.isView(X)) {
    if (has(X, 'take') && has(X, 'rows')) return matrixInput(X as unknown as Matrix);
    if (has(X, 'indptr')) return numbersOf(X);
    if (has(X, 'data') && has(X, 'cols')) return flatInput(X as unknown as FlatRows);
    if (has(X, 'numRows') && has(X, 'getChild')) return arrowInput(X as unknown as ArrowLikeTable);
    const columns = columnsIn(X);
    if (columns) return columnsInput(columns, X);
    if (Symbol.iterator in X || has(X, 'length')) return listInput(Array.from(X as Iterable<unknown>));
  }
  throw mustBe('X', 'rows of numbers, a matrix, an array of texts or a table', X);
}

/** Rows of numbers as a matrix, which is copied once for all folds. */
export function numbersOf(X: unknown): Input {
  const isOurs = !(typeof X === 'object' && X !== null && has(X, 'take') && has(X, 'rows'));
  if (!isOurs) return matrixInput(X as Matrix);
  const isSparse = isRecord(X) && has(X, 'indptr');
  const isFloat32 = isRecord(X) && has(X, 'data') && X.data instanceof Float32Array;
  const matrix = isSparse
    ? SparseMatrix.from(X as unknown as SparseParts)
    : DenseMatrix.from(X as Rows, { dtype: isFloat32 ? 'float32' : 'float64' });
  return { ...matrixInput(matrix), dispose: () => matrix.dispose() };
}

function matrixInput(X: Matrix): Input {
  const { rows } = X;
  const bytes = 'nonZeros' in X ? 12 * X.nonZeros + 16 * rows : rows * X.row(0).byteLength;
  return { rows, whole: X, take: (some) => X.take(some), bytes, dispose: nothing };
}

function listInput(list: readonly unknown[]): Input {
  return { rows: list.length, whole: list, take: (some) => picked(list, some), bytes: 0, dispose: nothing };
}

const picked = (list: ArrayLike<unknown>, some: Uint32Array): unknown[] => Array.from(some, (i) => list[i]);

function flatInput({ data, rows, cols }: FlatRows): Input {
  const whole = { data, rows, cols };
  const take = (some: Uint32Array): FlatRows => {
    const taken =
      data instanceof Float32Array ? new Float32Array(some.length * cols) : new Float64Array(some.length * cols);
    some.forEach((i, at) => {
      taken.set(data.subarray(i * cols, (i + 1) * cols), at * cols);
    });
    return { data: taken, rows: some.length, cols };
  };
  return { rows, whole, take, bytes: 0, dispose: nothing };
}

/** Lists keep their kind: what is in a Float64Array stays in one. */
function columnsInput(columns: Readonly<Record<string, unknown>>, whole: unknown): Input {
  const entries = Object.entries(columns) as [string, ArrayLike<unknown>][];
  const rows = Math.max(0, ...entries.map(([, list]) => list?.length ?? 0));
  const take = (some: Uint32Array) => ({
    columns: Object.fromEntries(entries.map(([name, list]) => [name, pickedAs(list, some)])),
  });
  return { rows, whole, take, bytes: 0, dispose: nothing };
}

const pickedAs = (list: ArrayLike<unknown>, some: Uint32Array): ArrayLike<unknown> =>
  list instanceof Float64Array ? Float64Array.from(some, (i) => list[i] as number) : picked(list, some);

function arrowInput(table: ArrowLikeTable): Input {
  const names = Array.from(table.schema.fields, ({ name }) => String(name));
  const take = (some: Uint32Array) => ({
    columns: Object.fromEntries(
      names.map((name) => {
        const column = table.getChild(name);
        const read = column?.get ?? column?.at;
        const all = read ? undefined : column?.toArray?.();
        return [name, Array.from(some, (i) => (read ? read.call(column, i) : all?.[i]))];
      }),
    ),
  });
  return { rows: table.numRows, whole: table, take, bytes: 0, dispose: nothing };
}
