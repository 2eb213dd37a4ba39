// Rows of numbers in every form that a caller may pass: recognised, checked once, and copied into the arena
// unless they are in the arena already.

import { expectCount, show } from '../errors.js';
import type { Arena } from '../memory/arena.js';
import { get, has } from '../own.js';
import { type ArenaRows, badAt, DenseRows, firstNotFinite, rowsOfStore, type Shape } from './arenarows.js';
import { piecesFor, SparseStore, storeOf } from './csr.js';
import type { DenseMatrix } from './dense.js';
import type { Entries } from './entries.js';
import { checkLength, PartsReader, type SparseParts } from './parts.js';
import type { SparseMatrix } from './sparse.js';
import { LARGE_PIECE, PIECE, type Stage } from './stages.js';
import { type Dtype, dtypeOf, type Floats, readable, STORAGE, type Values, valuesOf } from './views.js';

/** The caller's row-major numbers; never changed. */
export interface FlatRows {
  data: Float64Array | Float32Array;
  rows: number;
  cols: number;
}

/** Rows of numbers: arrays, one flat typed array, a matrix, or the parts of a sparse one. */
export type Rows = ArrayLike<ArrayLike<number>> | FlatRows | DenseMatrix<Dtype> | SparseMatrix | SparseParts;

const FORMS = 'an array of rows, { data, rows, cols }, a DenseMatrix or a SparseMatrix';

/** A SparseMatrix of this library, one of another copy of it, or CSR parts. */
export type SparseRows = SparseMatrix | SparseParts;

/** Whether X is stored sparsely. */
export const isSparse = (X: Rows): X is SparseRows =>
  typeof X === 'object' && X !== null && !Array.isArray(X) && (storeOf.has(X) || has(X, 'indptr') || has(X, 'toParts'));

/**
 * X, recognised: its fields are read once, so that what was checked is what is used even if X changes. One of `sparse`, `flat` and
 * `list` is set; all fields are own ones, so that a changed Object.prototype has no say.
 */
export interface Source extends Shape {
  readonly sparse: SparseStore | PartsReader | undefined;
  /** The caller's row-major values, and a view of our own of them. */
  readonly data: unknown;
  readonly flat: Values | undefined;
  readonly list: ArrayLike<ArrayLike<number>> | undefined;
  /** The number of the first row as the caller counts rows. */
  readonly first: number;
}

/** For parts of rows (partOfRows): the number of the first row. Errors name rows as the caller counts them. */
const firstRows = new WeakMap<object, number>();

/** Recognises X, which may have no rows. @throws TypeError or RangeError if X is not rows at all */
function recognise(X: Rows, name: string): Source {
  if (isSparse(X)) {
    const sparse =
      storeOf.get(X) ??
      new PartsReader(has(X, 'toParts') ? (X as SparseMatrix).toParts() : (X as SparseParts), `${name}.`);
    const { rows, cols } = sparse;
    return { rows, cols, sparse, data: undefined, flat: undefined, list: undefined, first: 0 };
  }
  if (typeof X !== 'object' || X === null) throw new TypeError(`${name} must be ${FORMS}, got ${show(X)}`);
  if (ArrayBuffer.isView(X)) {
    const kind = show(X).split(' ')[1];
    throw new TypeError(`${name} is a flat ${kind}: pass { data: ${name}, rows, cols } so that its shape is known`);
  }
  const first = firstRows.get(X) ?? 0;
  if (!Array.isArray(X) && has(X, 'data')) return flatOf(X as FlatRows, name, first);
  const { length } = X;
  if (typeof length !== 'number') throw new TypeError(`${name} must be ${FORMS}, got ${show(X)}`);
  if (length >>> 0 !== length) checkLength(length, name); // it throws
  const cols = length === 0 ? 0 : rowAt(X, 0, name, first).length;
  if (cols >>> 0 !== cols) checkLength(cols, `${name} row ${first}`);
  return { rows: length, cols, sparse: undefined, data: undefined, flat: undefined, list: X, first };
}

function flatOf(X: FlatRows, name: string, first: number): Source {
  const { data } = X;
  const [rows, cols] = [get(X, 'rows'), get(X, 'cols')] as [number, number];
  expectCount(rows, 0, `${name}.rows`);
  expectCount(cols, 0, `${name}.cols`);
  const flat = valuesOf(data, `${name}.data`, get(X as { dtype?: unknown }, 'dtype'));
  if (!flat) throw new TypeError(`${name}.data must be a Float64Array or a Float32Array, got ${show(data)}`);
  if (flat.length < rows * cols) {
    const detached = flat.buffer.byteLength === 0 ? '; its buffer is empty or detached' : '';
    throw new RangeError(
      `${name}.data has ${flat.length} values, expected ${rows * cols} (${rows} rows × ${cols} columns)${detached}`,
    );
  }
  return { rows, cols, sparse: undefined, data, flat, list: undefined, first };
}

/** X, recognised. @throws RangeError if it has no rows or columns; TypeError if X is not rows at all */
export function sourceOf(X: Rows, name: string): Source {
  const source = recognise(X, name);
  if (source.rows === 0) throw new RangeError(`${name} is empty: it has no rows`);
  if (source.cols === 0) throw new RangeError(`${name} has no columns`);
  return source;
}

/** Whether X has no rows: predicting nothing is not an error. */
export const isEmpty = (X: Rows): boolean => recognise(X, 'X').rows === 0;

/** Bytes of a part, when X is larger than the memory. */
const PART_BYTES = 2 ** 24;

/** The rows of a part of PART_BYTES; undefined if X is sparse or in the arena already, where parts would not help. */
export function rowsOfPart(X: Rows, arena: Arena): number | undefined {
  const { sparse, flat, cols } = sourceOf(X, 'X');
  if (sparse || flat?.buffer === arena.buffer) return undefined;
  return Math.max(12, Math.floor(Math.min(PART_BYTES, arena.maxBytes / 8) / (8 * cols)));
}

/** Rows from … to − 1 of dense rows. */
export function partOfRows(X: Rows, from: number, to: number): Rows {
  const { flat, list, cols } = sourceOf(X, 'X');
  const part = flat
    ? { data: flat.subarray(from * cols, to * cols) as Floats, dtype: dtypeOf(flat), rows: to - from, cols }
    : Array.from(
        { length: to - from },
        (_, r) => (list as ArrayLike<ArrayLike<number>>)[from + r] as ArrayLike<number>,
      );
  firstRows.set(part, from);
  return part;
}

/** Row i of a list of rows, whose first row has the number `first`. */
function rowAt(list: ArrayLike<ArrayLike<number>>, i: number, name: string, first: number): ArrayLike<number> {
  const row = list[i];
  if (typeof row !== 'object' || row === null || typeof row.length !== 'number') {
    throw new TypeError(`${name} row ${first + i} must be an array of numbers, got ${show(row)}`);
  }
  return ArrayBuffer.isView(row) ? readable(row, `${name} row ${first + i}`) : row;
}

/**
 * The stage that copies X to dense rows of its shape and checks every value; `isChecked`: those of flat rows too. For sparse X the
 * rows must be zeros, and `fill` is fillSparse.
 */
export function copyingTo(to: DenseRows, source: Source, name: string, isChecked: boolean, fill = fillRow): Stage {
  const { flat, rows, cols } = source;
  if (flat) {
    return {
      count: rows,
      size: Math.ceil(LARGE_PIECE / cols),
      piece(from, end) {
        const part = flatNow(source, name).subarray(from * cols, end * cols);
        copyFlat(to.view().subarray(from * cols, end * cols), part, from, cols, name, isChecked);
      },
    };
  }
  return {
    count: rows,
    size: Math.max(1, Math.floor(PIECE / cols)),
    piece(from, end) {
      let values = to.view();
      for (let i = from; i < end; ) {
        fill(values, i * cols, source, i, name);
        // A getter of the caller may make the memory grow, which may detach the view: then the row is written again.
        if (values.length > 0) i++;
        else values = to.view();
      }
    },
  };
}

/** Flat rows as they are now: other work may have detached them. */
function flatNow({ data, flat, rows, cols }: Source, name: string): Values {
  const now = valuesOf(data, `${name}.data`, dtypeOf(flat as Values)) as Values;
  if (now.length >= rows * cols) return now;
  throw new RangeError(`${name}.data was detached or made shorter while it was in use`);
}

/**
 * Copies row-major values, from row `first` on, to a list of just as many. `isChecked`: refuses values that are not finite;
 * otherwise the kernels report them.
 */
function copyFlat(into: Values, part: Values, first: number, cols: number, name: string, isChecked: boolean): void {
  into.set(part);
  const wrong = isChecked && wrongIn(into, part, first, cols, name);
  if (wrong) throw firstNotFinite(part, cols, name, first) ?? wrong;
}

/** The error for the first value of `part` that is not finite or that its copy cannot hold, if there is one. */
function wrongIn(into: Values, part: ArrayLike<number>, first: number, cols: number, name: string) {
  const bad = into.BYTES_PER_ELEMENT < 4 ? into.findIndex((_, k) => !isHeld(into, k, part[k] as number)) : badAt(into);
  if (bad < 0) return undefined;
  const value = part[bad] as number; // another thread may have changed it since
  const wrong = isHeld(into, bad, value) ? (into[bad] as number) : value;
  return wrongAt(wrong, into, first + Math.floor(bad / cols), bad % cols, name);
}

/** Half a step above the largest float32 number: from here on rounding gives infinity. */
const FLOAT32_LIMIT = 2 ** 128 - 2 ** 103;

/** Whether place `at`, to which a value was written, holds it: not NaN, not too large; in integers not a fraction, and not −0. */
function isHeld(to: Values, at: number, value: number): boolean {
  const bytes = to.BYTES_PER_ELEMENT;
  if (bytes < 4) return to[at] === value && (value !== 0 || 1 / value > 0);
  return Math.abs(value) < (bytes === 8 ? Infinity : FLOAT32_LIMIT);
}

/** Writes row i of a sparse X to place `at` and after, where zeros are. */
export function fillSparse(to: Values, at: number, { sparse }: Source, i: number, name: string): void {
  sparse?.visit(i, (k, value) => {
    to[at + k] = value;
    if (to.length > 0 && !isHeld(to, at + k, value)) throw wrongAt(value, to, i, k, name); // length 0: as in fillRow
  });
}

/** Writes row i of a list of rows to place `at` and after, checking every value. */
function fillRow(to: Values, at: number, { list, cols, first }: Source, i: number, name: string): void {
  const row = rowAt(list as ArrayLike<ArrayLike<number>>, i, name, first);
  const { length } = row;
  if (length !== cols) throw new RangeError(`${name} row ${first + i} has ${length} values, expected ${cols}`);
  let nothing = 0; // NaN after a value that is not finite
  for (let j = 0; j < cols; j++) {
    const value = row[j];
    if (typeof value !== 'number') {
      throw new TypeError(`${name}[${first + i}][${j}] must be a number, got ${show(value)}`);
    }
    to[at + j] = value;
    nothing += value * 0;
  }
  if ((to.BYTES_PER_ELEMENT === 8 && nothing === 0) || to.length === 0) return; // length 0: it was detached meanwhile
  const wrong = wrongIn(to.subarray(at, at + cols), row, first + i, cols, name);
  if (wrong) throw wrong;
}

/** The error for a value that is not finite, or that its storage cannot hold. */
function wrongAt(value: number, to: Values, i: number, j: number, name: string): RangeError {
  const remedy = Number.isFinite(value) ? `, which ${dtypeOf(to)} cannot hold; use dtype 'float64'` : '';
  return new RangeError(`${name}[${i}][${j}] is ${Object.is(value, -0) ? '-0' : value}${remedy}`);
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
  const source = sourceOf(X, name);
  const { sparse, flat, rows, cols, first } = source;
  if (sparse) return sparseArrival(sparse, arena);
  const { element, Values } = STORAGE[flat ? dtypeOf(flat) : 'float64'];
  if (flat?.buffer === arena.buffer) {
    const { byteOffset } = flat;
    const block = arena.blockAt(byteOffset);
    if (!block) throw new Error(`${name}.data is a view into a DenseMatrix that was disposed`);
    if (byteOffset + rows * cols * Values.BYTES_PER_ELEMENT > block.offset + block.bytes) {
      throw new RangeError(`${name}.data reaches beyond the DenseMatrix that it is a view into`);
    }
    block.holders++;
    return new DenseRows(arena, source, byteOffset, element, block);
  }
  const block = arena.allocate(rows * cols * Values.BYTES_PER_ELEMENT, `${rows} × ${cols} values`, false);
  const to = new DenseRows(arena, source, block.offset, element, block, first);
  to.stage = copyingTo(to, source, name, false);
  return to;
}

function sparseArrival(X: SparseStore | PartsReader, arena: Arena): Arrival {
  const { rows, cols, nonZeros } = X;
  let held = X instanceof SparseStore ? X : undefined;
  held?.hold();
  if (held?.arena === arena) {
    const store = held;
    return { rows, cols, stage: undefined, take: () => rowsOfStore(store), release: () => store.release() };
  }
  const pieces = piecesFor(X, arena);
  const release = () => {
    pieces.dispose(); // after `finish` this releases nothing
    held?.release();
    held = undefined;
  };
  return {
    rows,
    cols,
    stage: {
      count: rows,
      size: Math.max(1, Math.floor((PIECE * rows) / Math.max(1, nonZeros))),
      piece: (from, end) => pieces.copy(X, from, end),
    },
    take() {
      const store = pieces.finish(cols);
      release();
      return rowsOfStore(store);
    },
    release,
  };
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

/** X row by row: the stored values of sparse rows, all values of dense ones, checked. */
export function entriesOf(X: Rows, name: string): Entries {
  const source = sourceOf(X, name);
  const { rows, cols, sparse, flat } = source;
  if (sparse) return sparse;
  const row = new Float64Array(cols);
  let now = flat;
  return {
    rows,
    cols,
    visit(i, see) {
      if (now?.length === 0) now = flatNow(source, name); // growth of the memory has detached it
      if (now) copyFlat(row, now.subarray(i * cols, (i + 1) * cols), i, cols, name, true);
      else fillRow(row, 0, source, i, name);
      for (let k = 0; k < cols; k++) see(k, row[k] as number);
    },
  };
}
