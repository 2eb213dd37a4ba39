// Rows of numbers in every form that a caller may pass: recognised, checked once, and copied into the arena
// unless they are in the arena already.

import { expectCount, show } from '../errors.js';
import type { Arena } from '../memory/arena.js';
import { get, has } from '../own.js';
import { type ArenaRows, badAt, DenseRows, firstNotFinite, rowsOfStore, type Shape } from './arenarows.js';
import { type OwnParts, RowBuffer, RowPieces, storeOf } from './csr.js';
import type { DenseMatrix } from './dense.js';
import { checkParts, checkPartsForm, PartsReader, type SparseParts } from './parts.js';
import type { SparseMatrix } from './sparse.js';
import { LARGE_PIECE, PIECE, type Stage } from './stages.js';
import { type Floats, readable } from './views.js';

/** The caller's row-major numbers; never changed. */
export interface FlatRows {
  data: Float64Array | Float32Array;
  rows: number;
  cols: number;
}

export type Rows = ArrayLike<ArrayLike<number>> | FlatRows | DenseMatrix | SparseMatrix | SparseParts;

/** For parts of rows (partOfRows): the number of the first row. Errors name rows as the caller counts them. */
const firstRows = new WeakMap<object, number>();

/** Rows from … to − 1 of dense rows. */
export function partOfRows(X: Rows, from: number, to: number): Rows {
  const flat = asFlat(X, 'X');
  const part = flat
    ? { data: flat.data.subarray(from * flat.cols, to * flat.cols), rows: to - from, cols: flat.cols }
    : Array.prototype.slice.call(X, from, to);
  firstRows.set(part, from);
  return part;
}

/** The rows of a part of PART_BYTES; undefined if X is sparse or in the arena already, where parts would not help. */
export function rowsOfPart(X: Rows, arena: Arena): number | undefined {
  if (isSparse(X)) return undefined;
  const flat = asFlat(X, 'X');
  if (flat?.data.buffer === arena.buffer) return undefined;
  const { cols } = shapeOf(X, 'X', flat);
  return Math.max(12, Math.floor(Math.min(PART_BYTES, arena.maxBytes / 8) / (8 * cols)));
}

const FORMS = 'an array of rows, { data, rows, cols }, a DenseMatrix or a SparseMatrix';

/** A typed array's own name, whichever realm it is from. */
const nameOf = (value: object): string => Object.prototype.toString.call(value).slice(8, -1);

/** Bytes of a part, when X is larger than the memory. */
const PART_BYTES = 2 ** 24;

/** A SparseMatrix of this library, one of another copy of it, or CSR parts. */
export type SparseRows = SparseMatrix | SparseParts;

/** Whether X is stored sparsely. */
export const isSparse = (X: Rows): X is SparseRows =>
  typeof X === 'object' && X !== null && (storeOf.has(X) || has(X, 'indptr') || has(X, 'toParts'));

/** A checked copy of sparse rows as CSR. @throws Error if the matrix was disposed */
export const partsOf = (X: SparseRows, name: string): OwnParts =>
  storeOf.get(X)?.parts() ?? checkParts(ownParts(X), `${name}.`);

/** X as flat rows, checked; undefined if X is an array of rows, or sparse. */
function asFlat(X: Rows, name: string): FlatRows | undefined {
  if (isSparse(X)) return undefined;
  if (typeof X !== 'object' || X === null) throw new TypeError(`${name} must be ${FORMS}, got ${show(X)}`);
  if (ArrayBuffer.isView(X)) {
    throw new TypeError(
      `${name} is a flat ${nameOf(X)}: pass { data: ${name}, rows, cols } so that its shape is known`,
    );
  }
  if (!has(X, 'data')) {
    if (typeof X.length !== 'number') throw new TypeError(`${name} must be ${FORMS}, got ${show(X)}`);
    return undefined;
  }
  const [rows, cols] = [get(X, 'rows'), get(X, 'cols')] as [number, number];
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

/** The number of row i as the caller counts rows. */
const numberOf = (X: object, i: number): number => (firstRows.get(X) ?? 0) + i;

function rowAt(X: ArrayLike<ArrayLike<number>>, i: number, name: string): ArrayLike<number> {
  const row = X[i];
  if (typeof row !== 'object' || row === null || typeof row.length !== 'number') {
    throw new TypeError(`${name} row ${numberOf(X, i)} must be an array of numbers, got ${show(row)}`);
  }
  return ArrayBuffer.isView(row) ? readable(row, `${name} row ${numberOf(X, i)}`) : row;
}

/** Whether X has no rows: predicting nothing is not an error. */
export function isEmpty(X: Rows): boolean {
  if (isSparse(X)) return sparseShape(X, 'X').rows === 0;
  return (asFlat(X, 'X')?.rows ?? (X as ArrayLike<unknown>).length) === 0;
}

/** The shape of the actual parts, whatever properties a matrix of another library has. */
function sparseShape(X: SparseRows, name: string): Shape {
  const own = storeOf.get(X);
  if (own) return { rows: own.rows, cols: own.cols };
  const { indptr, cols } = checkPartsForm(ownParts(X), `${name}.`);
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

/** The stage that copies X to dense rows of its shape and checks every value. For sparse X the rows must be zeros. */
export function copyingTo(to: DenseRows, X: Rows, name: string): Stage {
  if (isSparse(X)) return copyingSparse(to, partsOf(X, name), name);
  const flat = asFlat(X, name);
  return flat ? copyingFlat(to, flat.data, name, true) : copyingList(to, X as ArrayLike<ArrayLike<number>>, name);
}

/** Copies row-major values. `isChecked`: refuses values that are not finite; otherwise the kernels report them. */
const copyingFlat = (to: DenseRows, data: Floats, name: string, isChecked: boolean): Stage => ({
  count: to.rows,
  size: Math.ceil(LARGE_PIECE / to.cols),
  piece(from, end) {
    const { rows, cols } = to;
    const now = readable(data, `${name}.data`); // other work may have detached it
    if (now.length < rows * cols) throw new RangeError(`${name}.data was detached or made shorter while it was in use`);
    const copy = to.view().subarray(from * cols, end * cols);
    copy.set(now.subarray(from * cols, end * cols));
    const bad = isChecked ? badAt(copy) : -1;
    if (bad < 0) return;
    const at = from * cols + bad;
    const own = now.subarray(0, rows * cols);
    throw firstNotFinite(own, cols, name) ?? tooLargeAt(own[at] as number, Math.floor(at / cols), at % cols, name);
  },
});

/** Copies a list of rows, checking every value. */
const copyingList = (to: DenseRows, X: ArrayLike<ArrayLike<number>>, name: string): Stage => ({
  count: to.rows,
  size: Math.max(1, Math.floor(PIECE / to.cols)),
  piece(from, end) {
    const values = to.view();
    for (let i = from; i < end; i++) fillRow(values, i * to.cols, X, i, to.cols, name);
  },
});

/** Copies sparse rows to dense rows that are zeros. */
const copyingSparse = (to: DenseRows, { indptr, indices, values }: OwnParts, name: string): Stage => ({
  count: to.rows,
  size: Math.max(1, Math.floor(PIECE / to.cols)),
  piece(from, end) {
    const dense = to.view();
    for (let i = from; i < end; i++) {
      for (let k = indptr[i] as number; k < (indptr[i + 1] as number); k++) {
        const at = i * to.cols + (indices[k] as number);
        dense[at] = values[k] as number;
        if (!Number.isFinite(dense[at])) throw tooLargeAt(values[k] as number, i, indices[k] as number, name);
      }
    }
  },
});

/** Copies row i of a list of rows to place `at` and after, checking every value. */
function fillRow(to: Floats, at: number, X: ArrayLike<ArrayLike<number>>, i: number, cols: number, name: string): void {
  const row = rowAt(X, i, name);
  if (row.length !== cols) {
    throw new RangeError(`${name} row ${numberOf(X, i)} has ${row.length} values, expected ${cols}`);
  }
  for (let j = 0; j < cols; j++) {
    const value = row[j];
    if (typeof value !== 'number') throw notANumber(value, numberOf(X, i), j, name);
    if (value - value !== 0) throw new RangeError(`${name}[${numberOf(X, i)}][${j}] is ${value}`);
    to[at + j] = value;
  }
  if (to.BYTES_PER_ELEMENT === 8) return;
  for (let j = 0; j < cols; j++) {
    if (!Number.isFinite(to[at + j])) throw tooLargeAt(row[j] as number, numberOf(X, i), j, name);
  }
}

const notANumber = (value: unknown, i: number, j: number, name: string): TypeError =>
  new TypeError(`${name}[${i}][${j}] must be a number, got ${show(value)}`);

function tooLargeAt(value: number, i: number, j: number, name: string): RangeError {
  return new RangeError(`${name}[${i}][${j}] is ${value}, which float32 cannot hold; use dtype 'float64'`);
}

/** Rows that are being copied to the arena: run the stage, if any, then `take` the rows; or `release`. */
export interface Arrival extends Shape {
  /** The stage that copies; undefined if the rows are in the arena already. */
  readonly stage: Stage | undefined;
  take(): ArenaRows;
  release(): void;
}

/**
 * Prepares the copy of X to the arena. Rows that are in the arena already are held and not copied.
 * Values that are not copied one by one are not checked here: a value that is not finite makes the scores of its row not finite,
 * the kernels report that, and then `firstBad` names the value.
 */
export function arrivalOf(X: Rows, arena: Arena, name: string): Arrival {
  if (isSparse(X)) return sparseArrival(X, arena, name);
  const flat = asFlat(X, name);
  const shape = shapeOf(X, name, flat);
  const element = flat?.data.BYTES_PER_ELEMENT === 4 ? 4 : 8;
  if (flat && flat.data.buffer === arena.buffer) {
    const { byteOffset } = flat.data;
    const block = arena.blockAt(byteOffset);
    if (!block) throw new Error(`${name}.data is a view into a DenseMatrix that was disposed`);
    block.holders++;
    return new DenseRows(arena, shape, byteOffset, element, block);
  }
  const block = arena.allocate(shape.rows * shape.cols * element, `${shape.rows} × ${shape.cols} values`, false);
  const to = new DenseRows(arena, shape, block.offset, element, block, firstRows.get(X));
  const list = X as ArrayLike<ArrayLike<number>>;
  to.stage = flat ? copyingFlat(to, flat.data, name, false) : copyingList(to, list, name);
  return to;
}

/** The CSR parts of a matrix of any maker. */
const ownParts = (X: SparseRows): SparseParts =>
  has(X, 'toParts') ? (X as SparseMatrix).toParts() : (X as SparseParts);

function sparseArrival(X: SparseRows, arena: Arena, name: string): Arrival {
  const { rows, cols } = shapeOf(X, name);
  const own = storeOf.get(X);
  if (own?.arena === arena) {
    own.hold();
    return { rows, cols, stage: undefined, take: () => rowsOfStore(own), release: () => own.release() };
  }
  const reader = new PartsReader(own?.parts() ?? ownParts(X), `${name}.`);
  const pieces = new RowPieces(arena, reader.nonZeros + rows + 1, rows);
  const stage: Stage = {
    count: rows,
    size: Math.max(1, Math.floor((PIECE * rows) / Math.max(1, reader.nonZeros))),
    piece(from, end) {
      for (let i = from; i < end; i++) pieces.put(reader, reader.next(i));
    },
  };
  return { rows, cols, stage, take: () => rowsOfStore(pieces.finish(cols)), release: () => pieces.dispose() };
}

/** X in the arena, copied now if necessary. */
export function copyIn(X: Rows, arena: Arena, name: string): ArenaRows {
  const arrival = arrivalOf(X, arena, name);
  try {
    arrival.stage?.piece(0, arrival.rows);
    return arrival.take();
  } catch (error) {
    arrival.release();
    throw error;
  }
}

/** Calls `see` with the non-zeros of each row, in one buffer that the next row overwrites. */
export function eachRow(X: Rows, name: string, see: (row: RowBuffer, length: number) => void): void {
  const { rows, cols } = shapeOf(X, name);
  const buffer = new RowBuffer();
  let count = 0;
  const put = (column: number, value: number) => {
    if (value === 0) return;
    buffer.columns[count] = column;
    buffer.values[count++] = value;
  };
  if (isSparse(X)) {
    const { indptr, indices, values } = partsOf(X, name);
    for (let i = 0; i < rows; i++, count = 0) {
      const [from, to] = [indptr[i] as number, indptr[i + 1] as number];
      buffer.reserve(to - from);
      for (let k = from; k < to; k++) put(indices[k] as number, values[k] as number);
      see(buffer, count);
    }
    return;
  }
  const flat = asFlat(X, name);
  const row = new Float64Array(cols);
  buffer.reserve(cols);
  for (let i = 0; i < rows; i++, count = 0) {
    if (flat) row.set(readable(flat.data, name).subarray(i * cols, (i + 1) * cols));
    else fillRow(row, 0, X as ArrayLike<ArrayLike<number>>, i, cols, name);
    const bad = flat ? badAt(row) : -1;
    if (bad >= 0) throw new RangeError(`${name}[${i}][${bad}] is ${row[bad]}`);
    row.forEach((value, k) => {
      put(k, value);
    });
    see(buffer, count);
  }
}
