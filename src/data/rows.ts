// Rows of numbers, in every form a caller may have them: recognised, checked once, and brought into the
// arena with one copy, or with none where they lie there already.

import type { ElementBytes } from '../engine/contract.js';
import { expectCount, show } from '../errors.js';
import type { Arena, Block } from '../memory/arena.js';
import type { DenseMatrix } from './dense.js';
import type { RowWindow } from './window.js';

/** Row-major numbers of the caller's: read, never changed. */
export interface FlatRows {
  data: Float64Array | Float32Array;
  rows: number;
  cols: number;
}

export type Rows = ArrayLike<ArrayLike<number>> | FlatRows | DenseMatrix;

export interface Shape {
  rows: number;
  cols: number;
}

export type Floats = Float64Array | Float32Array;

/** Where each view that a DenseMatrix has handed out lies: growth detaches views, and then they no longer know. */
export const placeOfView = new WeakMap<object, { block: Block; again(): Floats }>();

/** A list of numbers as it can be read now: a view of ours is made again if growth has detached it. */
export function readable<T extends object>(list: T, name: string): T {
  const place = placeOfView.get(list);
  if (!place) return list;
  if (place.block.holders === 0) throw new Error(`${name} is a view into a DenseMatrix that was disposed`);
  return (list as unknown as Floats).byteLength === 0 ? (place.again() as unknown as T) : list;
}

const FORMS = 'an array of rows, { data, rows, cols } or a DenseMatrix';

/** A typed array's own name, whichever realm it is from. */
const nameOf = (value: object): string => Object.prototype.toString.call(value).slice(8, -1);

/** The flat form, if that is what X is, checked; undefined if it is an array of rows. */
export function asFlat(X: Rows, name: string): FlatRows | undefined {
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
  return (asFlat(X, 'X')?.rows ?? (X as ArrayLike<unknown>).length) === 0;
}

/** Rows and columns of X. @throws RangeError if there are none; TypeError if X is not rows at all */
export function shapeOf(X: Rows, name: string, flat = asFlat(X, name)): Shape {
  const list = X as ArrayLike<ArrayLike<number>>;
  const rows = flat ? flat.rows : list.length;
  if (rows === 0) throw new RangeError(`${name} is empty: it has no rows`);
  const cols = flat ? flat.cols : rowAt(list, 0, name).length;
  if (cols === 0) throw new RangeError(`${name} has no columns`);
  return { rows, cols };
}

/** Copies X into `to` (rows·cols values), checking every value. */
export function fillRows(to: Floats, X: Rows, { rows, cols }: Shape, name: string): void {
  const flat = asFlat(X, name);
  if (flat) {
    const from = flat.data.length === rows * cols ? flat.data : flat.data.subarray(0, rows * cols);
    to.set(from);
    // Values are looked at only if the copy has a bad one: finite sums prove finite terms.
    if (!allFinite(to)) throw notFinite(from, cols, name) ?? tooLarge(from, cols, name);
    return;
  }
  const list = X as ArrayLike<ArrayLike<number>>;
  for (let i = 0, k = 0; i < rows; i++) {
    const row = rowAt(list, i, name);
    if (row.length !== cols) throw new RangeError(`${name} row ${i} has ${row.length} values, expected ${cols}`);
    for (let j = 0; j < cols; j++, k++) {
      const value = row[j];
      if (typeof value !== 'number') throw new TypeError(`${name}[${i}][${j}] must be a number, got ${show(value)}`);
      if (value - value !== 0) throw new RangeError(`${name}[${i}][${j}] is ${value}`);
      to[k] = value;
      if (to[k] === Infinity || to[k] === -Infinity) throw tooLargeAt(value, i, j, name);
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

/** The error that names the first NaN or infinity of row-major values, if there is one. */
export function notFinite(values: Floats, cols: number, name: string): RangeError | undefined {
  const at = values.findIndex((value) => !Number.isFinite(value));
  if (at < 0) return undefined;
  return new RangeError(`${name}[${Math.floor(at / cols)}][${at % cols}] is ${values[at]}`);
}

function tooLarge(values: Floats, cols: number, name: string): RangeError {
  const at = values.findIndex((value) => !Number.isFinite(Math.fround(value)));
  return tooLargeAt(values[at] as number, Math.floor(at / cols), at % cols, name);
}

function tooLargeAt(value: number, i: number, j: number, name: string): RangeError {
  return new RangeError(`${name}[${i}][${j}] is ${value}, which float32 cannot hold; use dtype 'float64'`);
}

/** Rows in the arena, for as long as they are needed. */
export interface ArenaRows extends Shape {
  readonly offset: number;
  readonly element: ElementBytes;
  /** There where not all rows fit: they come and go in it, and `offset` means nothing. */
  readonly window: RowWindow | undefined;
  /** The byte offset of row i: in a window, until something else is brought in. */
  rowAt(i: number): number;
  /** The values as a view of this moment. */
  view(): Floats;
  release(): void;
}

/**
 * X in the arena: where it is if it lies there already, else as a copy.
 * Values that were not copied one by one are not checked here: a non-finite value makes every score of
 * its row non-finite, which the kernels report, and `notFinite` then names the first.
 */
export function bringIn(X: Rows, arena: Arena, name: string): ArenaRows {
  const flat = asFlat(X, name);
  const shape = shapeOf(X, name, flat);
  const count = shape.rows * shape.cols;
  const element: ElementBytes = flat?.data.BYTES_PER_ELEMENT === 4 ? 4 : 8;
  const stride = shape.cols * element;
  const rowsAt = (offset: number, release: () => void): ArenaRows => ({
    rows: shape.rows, // field by field: a spread costs a small fit a microsecond
    cols: shape.cols,
    offset,
    element,
    window: undefined,
    rowAt: (i) => offset + i * stride,
    view: () => (element === 8 ? arena.f64(offset, count) : arena.f32(offset, count)),
    release,
  });

  if (flat && flat.data.buffer === arena.buffer) {
    const { byteOffset } = flat.data;
    const block = arena.blockAt(byteOffset);
    if (!block) throw new Error(`${name}.data is a view into a DenseMatrix that was disposed`);
    block.holders++;
    return rowsAt(byteOffset, () => arena.release(block));
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
  return rowsAt(block.offset, () => arena.release(block));
}

/** Rows that lie in the arena as float64, looked after by somebody else. */
export function rowsLying(arena: Arena, offset: number, rows: number, cols: number): ArenaRows {
  return {
    rows,
    cols,
    offset,
    element: 8,
    window: undefined,
    rowAt: (i) => offset + 8 * cols * i,
    view: () => arena.f64(offset, rows * cols),
    release() {},
  };
}

/** The byte offset of row i as float64: where it lies, or in `room`, f64[cols]. */
export function wideRowAt(X: ArenaRows, i: number, arena: Arena, room: number): number {
  const at = X.rowAt(i);
  if (X.element === 8) return at;
  arena.f64(room, X.cols).set(arena.f32(at, X.cols));
  return room;
}
