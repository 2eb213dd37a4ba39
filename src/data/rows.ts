// Rows of numbers, in every form a caller may have them: recognised, checked once, and brought into the
// arena with one copy, or with none where they lie there already.

import { finish, inOneGo, LARGE_PIECE, type Pace, PIECE, type Sliced } from '../async/sliced.js';
import { expectCount, show } from '../errors.js';
import type { Arena } from '../memory/arena.js';
import { type ArenaRows, badAt, DenseRows, findNotFinite, rowsOfStore, type Shape } from './arenarows.js';
import { rowAtEntry, storeOf } from './csr.js';
import type { DenseMatrix } from './dense.js';
import { checkParts, checkPartsForm, endOfPiece, type SparseParts, storeFromParts } from './parts.js';
import type { SparseMatrix } from './sparse.js';
import { type Floats, readable } from './views.js';

/** Row-major numbers of the caller's: read, never changed. */
export interface FlatRows {
  data: Float64Array | Float32Array;
  rows: number;
  cols: number;
}

export type Rows = ArrayLike<ArrayLike<number>> | FlatRows | DenseMatrix | SparseMatrix | SparseParts;

const FORMS = 'an array of rows, { data, rows, cols }, a DenseMatrix or a SparseMatrix';

/** A typed array's own name, whichever realm it is from. */
const nameOf = (value: object): string => Object.prototype.toString.call(value).slice(8, -1);

/** CSR of any maker: ours, that of another copy of this library, or parts. */
export type SparseRows = SparseMatrix | SparseParts;

/** Whether X is stored sparsely. */
export const isSparse = (X: Rows): X is SparseRows =>
  typeof X === 'object' && X !== null && (storeOf.has(X) || 'indptr' in X || 'toParts' in X);

/** Sparse rows as CSR, checked. @throws Error if they were disposed */
export function* partsOf(X: SparseRows, name: string, pace: Pace): Sliced<SparseParts> {
  const own = storeOf.get(X);
  if (!own) return yield* checkParts('toParts' in X ? X.toParts() : X, `${name}.`, pace);
  own.hold();
  try {
    return yield* own.parts(pace);
  } finally {
    own.release();
  }
}

/** The flat form, if that is what X is, checked; undefined if it is an array of rows, or sparse. */
export function asFlat(X: Rows, name: string): FlatRows | undefined {
  if (isSparse(X)) return undefined;
  if (typeof X !== 'object' || X === null) throw new TypeError(`${name} must be ${FORMS}, got ${show(X)}`);
  if (ArrayBuffer.isView(X)) {
    throw new TypeError(
      `${name} is a flat ${nameOf(X)}: pass { data: ${name}, rows, cols } so that its shape is known`,
    );
  }
  if (!('data' in X)) {
    if (typeof X.length !== 'number') throw new TypeError(`${name} must be ${FORMS}, got ${show(X)}`);
    return undefined;
  }
  const { rows, cols } = X;
  const data = ArrayBuffer.isView(X.data) ? readable(X.data, `${name}.data`) : X.data;
  expectCount(rows, 0, `${name}.rows`);
  expectCount(cols, 0, `${name}.cols`);
  const kind = ArrayBuffer.isView(data) ? nameOf(data) : '';
  if (kind !== 'Float64Array' && kind !== 'Float32Array') {
    throw new TypeError(`${name}.data must be a Float64Array or a Float32Array, got ${show(data)}`);
  }
  if (data.length < rows * cols) {
    const detached = data.buffer.byteLength === 0 ? '; its buffer is empty or detached' : '';
    throw new RangeError(
      `${name}.data has ${data.length} values, expected ${rows * cols} (${rows} rows × ${cols} columns)${detached}`,
    );
  }
  return { data, rows, cols };
}

function rowAt(X: ArrayLike<ArrayLike<number>>, i: number, name: string): ArrayLike<number> {
  const row = X[i];
  if (typeof row !== 'object' || row === null || typeof row.length !== 'number') {
    throw new TypeError(`${name} row ${i} must be an array of numbers, got ${show(row)}`);
  }
  return ArrayBuffer.isView(row) ? readable(row, `${name} row ${i}`) : row;
}

/** Whether X is a list of no rows: nothing to predict is not an error. */
export function isEmpty(X: Rows): boolean {
  if (isSparse(X)) return sparseShape(X, 'X').rows === 0;
  return (asFlat(X, 'X')?.rows ?? (X as ArrayLike<unknown>).length) === 0;
}

/** By what is there, whatever those of another maker say of themselves. */
function sparseShape(X: SparseRows, name: string): Shape {
  const own = storeOf.get(X);
  if (own) return { rows: own.rows, cols: own.cols };
  const { indptr, cols } = checkPartsForm('toParts' in X ? X.toParts() : X, `${name}.`);
  return { rows: indptr.length - 1, cols };
}

/** Rows and columns of X. @throws RangeError if there are none; TypeError if X is not rows at all */
export function shapeOf(X: Rows, name: string, flat = asFlat(X, name)): Shape {
  if (isSparse(X)) {
    const shape = sparseShape(X, name);
    if (shape.rows === 0) throw new RangeError(`${name} is empty: it has no rows`);
    return shape;
  }
  const list = X as ArrayLike<ArrayLike<number>>;
  const rows = flat ? flat.rows : list.length;
  if (rows === 0) throw new RangeError(`${name} is empty: it has no rows`);
  const cols = flat ? flat.cols : rowAt(list, 0, name).length;
  if (cols === 0) throw new RangeError(`${name} has no columns`);
  return { rows, cols };
}

/** Copies X to where `to` says (rows·cols values, zeros, a view of this moment), checking every value. */
export function* fillRows(to: () => Floats, X: Rows, { rows, cols }: Shape, name: string, pace: Pace): Sliced<void> {
  const flat = asFlat(X, name);
  if (flat) {
    yield* copyFlat(to, flat.data, rows * cols, name, pace);
    // Values are looked at only if the copy has a bad one: finite sums prove finite terms.
    const at = yield* badAt(to, pace);
    if (at < 0) return;
    const from = flat.data.subarray(0, rows * cols);
    const bad = yield* findNotFinite(() => from, cols, name, pace);
    throw bad ?? tooLargeAt(from[at] as number, Math.floor(at / cols), at % cols, name);
  }
  if (isSparse(X)) {
    yield* fillSparse(to, X, cols, name, pace);
    return;
  }
  const list = X as ArrayLike<ArrayLike<number>>;
  const together = Math.max(1, Math.floor(PIECE / cols));
  for (let i = 0; i < rows; i += together) {
    for (let k = 0; k < cols; k += PIECE) {
      fillSome(to(), list, i, Math.min(rows, i + together), k, cols, name);
      if (pace.due()) yield;
    }
  }
}

/** Values of a caller's that others may have had their turn with since. */
export function stillThere(data: Floats, count: number, name: string): Floats {
  const now = readable(data, `${name}.data`);
  if (now.length < count) throw new RangeError(`${name}.data was detached or made shorter while it was in use`);
  return now;
}

/** Copies the first `count` values. */
function* copyFlat(to: () => Floats, data: Floats, count: number, name: string, pace: Pace): Sliced<void> {
  for (let k = 0; k < count; k += LARGE_PIECE) {
    const from = stillThere(data, count, name);
    const end = Math.min(count, k + LARGE_PIECE);
    to().set(end - k === from.length ? from : from.subarray(k, end), k);
    if (pace.due()) yield;
  }
}

/** Copies a piece of rows i … end − 1 of a list, from column k on, each to its place. */
function fillSome(
  to: Floats,
  X: ArrayLike<ArrayLike<number>>,
  i: number,
  end: number,
  k: number,
  cols: number,
  name: string,
): void {
  for (let row = i; row < end; row++) fillRow(to, row * cols, X, row, k, cols, name);
}

/** Copies row i of a list of rows, a piece of it from column `from` on, to place `at` and after, checking every value. */
function fillRow(
  to: Floats,
  at: number,
  X: ArrayLike<ArrayLike<number>>,
  i: number,
  from: number,
  cols: number,
  name: string,
): void {
  const row = rowAt(X, i, name);
  if (row.length !== cols) throw new RangeError(`${name} row ${i} has ${row.length} values, expected ${cols}`);
  const end = Math.min(cols, from + PIECE);
  for (let j = from, k = at + from; j < end; j++, k++) {
    const value = row[j];
    if (typeof value !== 'number') throw new TypeError(`${name}[${i}][${j}] must be a number, got ${show(value)}`);
    if (value - value !== 0) throw new RangeError(`${name}[${i}][${j}] is ${value}`);
    to[k] = value;
    if (to[k] === Infinity || to[k] === -Infinity) throw tooLargeAt(value, i, j, name);
  }
}

function* fillSparse(to: () => Floats, X: SparseRows, cols: number, name: string, pace: Pace): Sliced<void> {
  const parts = yield* partsOf(X, name, pace);
  for (let i = 0, end = 0; i + 1 < parts.indptr.length; i = end) {
    end = endOfPiece(parts.indptr, i);
    fillSparseRows(to(), parts, i, end, cols, name);
    if (pace.due()) yield;
  }
}

function fillSparseRows(to: Floats, parts: SparseParts, from: number, end: number, cols: number, name: string): void {
  const { indptr, indices, values } = parts;
  for (let i = from; i < end; i++) {
    for (let k = indptr[i] as number; k < (indptr[i + 1] as number); k++) {
      const [column, value] = [indices[k] as number, values[k] as number];
      to[i * cols + column] = value;
      if (!Number.isFinite(to[i * cols + column])) throw tooLargeAt(value, i, column, name);
    }
  }
}

function tooLargeAt(value: number, i: number, j: number, name: string): RangeError {
  return new RangeError(`${name}[${i}][${j}] is ${value}, which float32 cannot hold; use dtype 'float64'`);
}

/**
 * X in the arena: where it is if it lies there already, else as a copy.
 * Values that were not copied one by one are not checked here: a non-finite value makes every score of
 * its row non-finite, which the kernels report, and `firstBad` then names the first.
 */
export function* bringIn(X: Rows, arena: Arena, name: string, pace: Pace): Sliced<ArenaRows> {
  if (isSparse(X)) return yield* bringSparse(X, arena, name, pace);
  const flat = asFlat(X, name);
  const shape = shapeOf(X, name, flat);
  const count = shape.rows * shape.cols;
  const element = flat?.data.BYTES_PER_ELEMENT === 4 ? 4 : 8;
  if (flat && flat.data.buffer === arena.buffer) {
    const { byteOffset } = flat.data;
    const block = arena.blockAt(byteOffset);
    if (!block) throw new Error(`${name}.data is a view into a DenseMatrix that was disposed`);
    block.holders++;
    return new DenseRows(arena, shape, byteOffset, element, () => arena.release(block));
  }
  const block = arena.allocate(count * element, `${shape.rows} × ${shape.cols} values`, false);
  let isIn = false;
  try {
    const to = () => (element === 8 ? arena.f64(block.offset, count) : arena.f32(block.offset, count));
    if (flat) yield* copyFlat(to, flat.data, count, name, pace);
    else yield* fillRows(to, X, shape, name, pace);
    isIn = true;
  } finally {
    if (!isIn) arena.release(block);
  }
  return new DenseRows(arena, shape, block.offset, element, () => arena.release(block));
}

function* bringSparse(X: SparseRows, arena: Arena, name: string, pace: Pace): Sliced<ArenaRows> {
  shapeOf(X, name);
  const own = storeOf.get(X);
  if (own?.arena === arena) {
    own.hold();
    return rowsOfStore(own);
  }
  return rowsOfStore(yield* storeFromParts(yield* partsOf(X, name, pace), arena, pace));
}

/** How many values each column of sparse rows has. */
export function columnCounts(X: SparseRows, cols: number, name: string): Uint32Array {
  const counts = new Uint32Array(cols);
  const count = (columns: ArrayLike<number>) => {
    for (let k = 0; k < columns.length; k++) {
      const column = columns[k] as number;
      counts[column] = (counts[column] as number) + 1;
    }
  };
  const store = storeOf.get(X);
  if (!store) count(finish(partsOf(X, name, inOneGo)).indices);
  else for (let i = 0; i < store.rows; i++) count(rowAtEntry(store.arena, store.entryOf(i)).columns);
  return counts;
}

/** The non-zeros of rows of any form, row after row, in lists that are used again for the next row. */
export function* rowsOf(
  X: Rows,
  name: string,
): Generator<{ columns: Uint32Array; values: Float64Array; count: number }> {
  const { rows, cols } = shapeOf(X, name);
  if (isSparse(X)) {
    const { indptr, indices, values } = finish(partsOf(X, name, inOneGo));
    for (let i = 0; i < rows; i++) {
      const [from, to] = [indptr[i] as number, indptr[i + 1] as number];
      const [columns, own] = [new Uint32Array(to - from), new Float64Array(to - from)];
      // Whoever takes these rows may have made the memory grow.
      const [places, numbers] = [readable(indices, name), readable(values, name)];
      if (places.length < to || numbers.length < to) {
        throw new Error(`${name} has a part of a view that was detached when the memory grew`);
      }
      let count = 0;
      for (let k = from; k < to; k++) {
        if (numbers[k] === 0) continue;
        columns[count] = places[k] as number;
        own[count++] = numbers[k] as number;
      }
      yield { columns, values: own, count };
    }
    return;
  }
  const flat = asFlat(X, name);
  const columns = new Uint32Array(cols);
  const values = new Float64Array(cols);
  const row = new Float64Array(cols);
  for (let i = 0; i < rows; i++) {
    if (flat) row.set(readable(flat.data, name).subarray(i * cols, (i + 1) * cols));
    else for (let k = 0; k < cols; k += PIECE) fillRow(row, 0, X as ArrayLike<ArrayLike<number>>, i, k, cols, name);
    let count = 0;
    for (let k = 0; k < cols; k++) {
      const value = row[k] as number;
      if (value === 0) continue;
      if (value - value !== 0) throw new RangeError(`${name}[${i}][${k}] is ${value}`);
      columns[count] = k;
      values[count++] = value;
    }
    yield { columns, values, count };
  }
}
