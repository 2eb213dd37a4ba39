// Rows of numbers, in every form a caller may have them: recognised, checked once, and copied into the arena,
// or used where they are if they are in the arena already.

import { expectCount, show } from '../errors.js';
import type { Arena } from '../memory/arena.js';
import { type ArenaRows, badAt, DenseRows, firstNotFinite, rowsOfStore, type Shape } from './arenarows.js';
import { rowAtEntry, storeOf } from './csr.js';
import type { DenseMatrix } from './dense.js';
import { checkingParts, checkParts, checkPartsForm, type SparseParts, storing } from './parts.js';
import type { SparseMatrix } from './sparse.js';
import { LARGE_PIECE, PIECE, runStages, type Stage } from './stages.js';
import { type Floats, readable } from './views.js';

/** Row-major numbers of the caller's: read, never changed. */
export interface FlatRows {
  data: Float64Array | Float32Array;
  rows: number;
  cols: number;
}

export type Rows = ArrayLike<ArrayLike<number>> | FlatRows | DenseMatrix | SparseMatrix | SparseParts;

/** The number of the first row of a part (partOfRows) among the caller's rows: errors name rows as the caller counts them. */
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

/** How many rows fit a part of some bytes; undefined where X is sparse, or in the arena already: then parts would not help. */
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

/** Bytes of a part of rows that are too many for the memory. */
const PART_BYTES = 2 ** 24;

/** CSR of any maker: ours, that of another copy of this library, or parts. */
export type SparseRows = SparseMatrix | SparseParts;

/** Whether X is stored sparsely. */
export const isSparse = (X: Rows): X is SparseRows =>
  typeof X === 'object' && X !== null && (storeOf.has(X) || 'indptr' in X || 'toParts' in X);

/** Sparse rows as CSR, checked. @throws Error if they were disposed */
export const partsOf = (X: SparseRows, name: string): SparseParts =>
  storeOf.get(X)?.parts() ?? checkParts(ownParts(X), `${name}.`);

/** The flat form, if that is what X is, checked; undefined if it is an array of rows, or sparse. */
function asFlat(X: Rows, name: string): FlatRows | undefined {
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

/** The number of row i as the caller counts. */
const numberOf = (X: object, i: number): number => (firstRows.get(X) ?? 0) + i;

function rowAt(X: ArrayLike<ArrayLike<number>>, i: number, name: string): ArrayLike<number> {
  const row = X[i];
  if (typeof row !== 'object' || row === null || typeof row.length !== 'number') {
    throw new TypeError(`${name} row ${numberOf(X, i)} must be an array of numbers, got ${show(row)}`);
  }
  return ArrayBuffer.isView(row) ? readable(row, `${name} row ${numberOf(X, i)}`) : row;
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

/** Copies X to where `to` says (rows·cols values, zeros, a view of this moment), checking every value. */
export function fillingRows(to: () => Floats, X: Rows, { rows, cols }: Shape, name: string): Stage[] {
  const flat = asFlat(X, name);
  if (flat) return [copyFlat(to, flat.data, rows * cols, name), checkCopy(to, flat.data, rows * cols, cols, name)];
  if (isSparse(X)) return [fillSparse(to, X, rows, cols, name)];
  return [fillList(to, X as ArrayLike<ArrayLike<number>>, rows, cols, name)];
}

/** The caller's values as they can be read now: they may have been detached while others had their turn. */
function stillThere(data: Floats, count: number, name: string): Floats {
  const now = readable(data, `${name}.data`);
  if (now.length < count) throw new RangeError(`${name}.data was detached or made shorter while it was in use`);
  return now;
}

/** Copies the first `count` values. */
const copyFlat = (to: () => Floats, data: Floats, count: number, name: string): Stage => ({
  count,
  size: LARGE_PIECE,
  piece(from, end) {
    const values = stillThere(data, count, name);
    to().set(end - from === values.length ? values : values.subarray(from, end), from);
  },
});

/** Looks for values that are not finite in a copy; only if there is one, in the caller's own values. */
const checkCopy = (to: () => Floats, data: Floats, count: number, cols: number, name: string): Stage => ({
  count,
  size: LARGE_PIECE,
  piece(from, end) {
    const bad = badAt(to().subarray(from, end));
    if (bad < 0) return;
    const at = from + bad;
    const own = data.subarray(0, count);
    throw firstNotFinite(own, cols, name) ?? tooLargeAt(own[at] as number, Math.floor(at / cols), at % cols, name);
  },
});

/** Copies a list of rows, checking every value. */
const fillList = (
  to: () => Floats,
  X: ArrayLike<ArrayLike<number>>,
  rows: number,
  cols: number,
  name: string,
): Stage => ({
  count: rows,
  size: Math.max(1, Math.floor(PIECE / cols)),
  piece(from, end) {
    const values = to();
    for (let i = from; i < end; i++) fillRow(values, i * cols, X, i, cols, name);
  },
});

/** Copies row i of a list of rows to place `at` and after, checking every value. */
function fillRow(to: Floats, at: number, X: ArrayLike<ArrayLike<number>>, i: number, cols: number, name: string): void {
  const row = rowAt(X, i, name);
  if (row.length !== cols) {
    throw new RangeError(`${name} row ${numberOf(X, i)} has ${row.length} values, expected ${cols}`);
  }
  for (let j = 0, k = at; j < cols; j++, k++) {
    const value = row[j];
    if (typeof value !== 'number') throw notANumber(value, numberOf(X, i), j, name);
    if (value - value !== 0) throw new RangeError(`${name}[${numberOf(X, i)}][${j}] is ${value}`);
    to[k] = value;
    if (to[k] === Infinity || to[k] === -Infinity) throw tooLargeAt(value, numberOf(X, i), j, name);
  }
}

const notANumber = (value: unknown, i: number, j: number, name: string): TypeError =>
  new TypeError(`${name}[${i}][${j}] must be a number, got ${show(value)}`);

/** Copies sparse rows to a dense place that is all zeros. */
function fillSparse(to: () => Floats, X: SparseRows, rows: number, cols: number, name: string): Stage {
  const { indptr, indices, values } = partsOf(X, name);
  return {
    count: rows,
    size: Math.max(1, Math.floor(PIECE / cols)),
    piece(from, end) {
      const dense = to();
      for (let i = from; i < end; i++) {
        for (let k = indptr[i] as number; k < (indptr[i + 1] as number); k++) {
          const [column, value] = [indices[k] as number, values[k] as number];
          dense[i * cols + column] = value;
          if (!Number.isFinite(dense[i * cols + column])) throw tooLargeAt(value, i, column, name);
        }
      }
    },
  };
}

function tooLargeAt(value: number, i: number, j: number, name: string): RangeError {
  return new RangeError(`${name}[${i}][${j}] is ${value}, which float32 cannot hold; use dtype 'float64'`);
}

/** Rows on their way into the arena: run the stages, then take the rows; or give back what was taken. */
export interface Arrival {
  readonly shape: Shape;
  readonly stages: readonly Stage[];
  rows(): ArenaRows;
  release(): void;
}

/**
 * X on its way into the arena. Rows that are there already are held and not copied.
 * Values that are not copied one by one are not checked here: a value that is not finite makes every score of its row not finite,
 * the kernels report that, and `firstBad` then names the first one.
 */
export function arrivalOf(X: Rows, arena: Arena, name: string): Arrival {
  if (isSparse(X)) return sparseArrival(X, arena, name);
  const flat = asFlat(X, name);
  const shape = shapeOf(X, name, flat);
  const count = shape.rows * shape.cols;
  const element = flat?.data.BYTES_PER_ELEMENT === 4 ? 4 : 8;
  if (flat && flat.data.buffer === arena.buffer) {
    const { byteOffset } = flat.data;
    const block = arena.blockAt(byteOffset);
    if (!block) throw new Error(`${name}.data is a view into a DenseMatrix that was disposed`);
    block.holders++;
    const rows = new DenseRows(arena, shape, byteOffset, element, () => arena.release(block));
    return { shape, stages: [], rows: () => rows, release: rows.release };
  }
  const block = arena.allocate(count * element, `${shape.rows} × ${shape.cols} values`, false);
  const rows = new DenseRows(arena, shape, block.offset, element, () => arena.release(block), firstRows.get(X));
  const copy = flat
    ? copyFlat(() => rows.view(), flat.data, count, name)
    : fillList(() => rows.view(), X as ArrayLike<ArrayLike<number>>, shape.rows, shape.cols, name);
  return { shape, stages: [copy], rows: () => rows, release: rows.release };
}

const alreadyChecked = (parts: SparseParts) => ({ stages: [], parts: () => parts });

/** CSR as whoever made X has it. */
const ownParts = (X: SparseRows): SparseParts => ('toParts' in X ? X.toParts() : X);

function sparseArrival(X: SparseRows, arena: Arena, name: string): Arrival {
  const shape = shapeOf(X, name);
  const own = storeOf.get(X);
  if (own?.arena === arena) {
    own.hold();
    return { shape, stages: [], rows: () => rowsOfStore(own), release: () => own.release() };
  }
  const { stages, parts } = own ? alreadyChecked(own.parts()) : checkingParts(ownParts(X), `${name}.`);
  const { stage, store, dispose } = storing(parts, shape.rows, arena);
  return { shape, stages: [...stages, stage], rows: () => rowsOfStore(store()), release: dispose };
}

/** X in the arena, copied now if need be. */
export function copyIn(X: Rows, arena: Arena, name: string): ArenaRows {
  const arrival = arrivalOf(X, arena, name);
  try {
    runStages(arrival.stages);
    return arrival.rows();
  } catch (error) {
    arrival.release();
    throw error;
  }
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

/** Calls `see` with the non-zeros of each row, in lists that are used again for the next row. */
export function eachRow(
  X: Rows,
  name: string,
  see: (columns: Uint32Array, values: Float64Array, count: number) => void,
): void {
  const { rows, cols } = shapeOf(X, name);
  if (isSparse(X)) {
    eachSparseRow(partsOf(X, name), rows, name, see);
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
    see(columns, values, count);
  }
}

function eachSparseRow(
  { indptr, indices, values }: SparseParts,
  rows: number,
  name: string,
  see: (columns: Uint32Array, values: Float64Array, count: number) => void,
): void {
  for (let i = 0; i < rows; i++) {
    const [from, to] = [indptr[i] as number, indptr[i + 1] as number];
    const [columns, own] = [new Uint32Array(to - from), new Float64Array(to - from)];
    // `see` may have made the memory grow.
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
    see(columns, own, count);
  }
}
