// Rows of numbers, in every form a caller may have them: recognised, checked once, and brought into the
// arena with one copy, or with none where they lie there already.

import { expectCount, show } from '../errors.js';
import type { Arena } from '../memory/arena.js';
import { type ArenaRows, DenseRows, notFinite, rowsOfStore, type Shape } from './arenarows.js';
import { rowAtEntry, storeOf } from './csr.js';
import type { DenseMatrix } from './dense.js';
import { checkEntries, checkParts, type SparseParts, storeFromParts } from './parts.js';
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
export function partsOf(X: SparseRows, name: string): SparseParts {
  const own = storeOf.get(X)?.parts();
  if (own) return own;
  const parts = checkParts('toParts' in X ? X.toParts() : X, `${name}.`);
  checkEntries(parts, `${name}.`);
  return parts;
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
  const { indptr, cols } = checkParts('toParts' in X ? X.toParts() : X, `${name}.`);
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

/** Copies X into `to` (rows·cols values, zeros), checking every value. */
export function fillRows(to: Floats, X: Rows, { rows, cols }: Shape, name: string): void {
  const flat = asFlat(X, name);
  if (flat) {
    const from = flat.data.length === rows * cols ? flat.data : flat.data.subarray(0, rows * cols);
    to.set(from);
    // Values are looked at only if the copy has a bad one: finite sums prove finite terms.
    if (!allFinite(to)) throw notFinite(from, cols, name) ?? tooLarge(from, cols, name);
    return;
  }
  if (isSparse(X)) {
    fillSparse(to, X, cols, name);
    return;
  }
  for (let i = 0; i < rows; i++) fillRow(to, i * cols, X as ArrayLike<ArrayLike<number>>, i, cols, name);
}

/** Copies row i of a list of rows to place `at`, checking every value. */
function fillRow(to: Floats, at: number, X: ArrayLike<ArrayLike<number>>, i: number, cols: number, name: string): void {
  const row = rowAt(X, i, name);
  if (row.length !== cols) throw new RangeError(`${name} row ${i} has ${row.length} values, expected ${cols}`);
  for (let j = 0, k = at; j < cols; j++, k++) {
    const value = row[j];
    if (typeof value !== 'number') throw new TypeError(`${name}[${i}][${j}] must be a number, got ${show(value)}`);
    if (value - value !== 0) throw new RangeError(`${name}[${i}][${j}] is ${value}`);
    to[k] = value;
    if (to[k] === Infinity || to[k] === -Infinity) throw tooLargeAt(value, i, j, name);
  }
}

function fillSparse(to: Floats, X: SparseRows, cols: number, name: string): void {
  const { indptr, indices, values } = partsOf(X, name);
  for (let i = 0; i + 1 < indptr.length; i++) {
    for (let k = indptr[i] as number; k < (indptr[i + 1] as number); k++) {
      const [column, value] = [indices[k] as number, values[k] as number];
      to[i * cols + column] = value;
      if (!Number.isFinite(to[i * cols + column])) throw tooLargeAt(value, i, column, name);
    }
  }
}

/** Whether all values are finite: x·0 is 0 or −0 for those, NaN for the others. */
export function allFinite(values: Floats): boolean {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  const quads = values.length - (values.length & 3);
  for (let i = 0; i < quads; i += 4) {
    a += (values[i] as number) * 0;
    b += (values[i + 1] as number) * 0;
    c += (values[i + 2] as number) * 0;
    d += (values[i + 3] as number) * 0;
  }
  for (let i = quads; i < values.length; i++) a += (values[i] as number) * 0;
  return a + b + c + d === 0;
}

function tooLarge(values: Floats, cols: number, name: string): RangeError {
  const at = values.findIndex((value) => !Number.isFinite(Math.fround(value)));
  return tooLargeAt(values[at] as number, Math.floor(at / cols), at % cols, name);
}

function tooLargeAt(value: number, i: number, j: number, name: string): RangeError {
  return new RangeError(`${name}[${i}][${j}] is ${value}, which float32 cannot hold; use dtype 'float64'`);
}

/**
 * X in the arena: where it is if it lies there already, else as a copy.
 * Values that were not copied one by one are not checked here: a non-finite value makes every score of
 * its row non-finite, which the kernels report, and `firstBad` then names the first.
 */
export function bringIn(X: Rows, arena: Arena, name: string): ArenaRows {
  if (isSparse(X)) return bringSparse(X, arena, name);
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
  try {
    const to = element === 8 ? arena.f64(block.offset, count) : arena.f32(block.offset, count);
    const source = flat && readable(flat.data, name); // making room may have detached it
    if (source) to.set(source.length === count ? source : source.subarray(0, count));
    else fillRows(to, X, shape, name);
  } catch (error) {
    arena.release(block);
    throw error;
  }
  return new DenseRows(arena, shape, block.offset, element, () => arena.release(block));
}

function bringSparse(X: SparseRows, arena: Arena, name: string): ArenaRows {
  shapeOf(X, name);
  const own = storeOf.get(X);
  if (own && own.arena === arena) own.hold();
  const store = own?.arena === arena ? own : storeFromParts(partsOf(X, name), arena);
  return rowsOfStore(store);
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
  if (!store) count(partsOf(X, name).indices);
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
    const { indptr, indices, values } = partsOf(X, name);
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
    else fillRow(row, 0, X as ArrayLike<ArrayLike<number>>, i, cols, name);
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
