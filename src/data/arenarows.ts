// Rows as they lie in the arena, dense or sparse: what everything behind the facade works with.

import { ROW_BYTES, SPARSE } from '../../assembly/layout.js';
import { finish, inOneGo, LARGE_PIECE, type Pace, type Sliced } from '../async/sliced.js';
import type { ElementBytes } from '../engine/contract.js';
import type { Arena } from '../memory/arena.js';
import { type SparseStore, visitEntry } from './csr.js';
import type { Floats } from './views.js';
import type { RowWindow } from './window.js';

export interface Shape {
  rows: number;
  cols: number;
}

/** Rows in the arena, for as long as they are needed. */
export interface ArenaRows extends Shape {
  /** Where the rows are; sparse ones: their table. */
  readonly offset: number;
  readonly element: ElementBytes;
  /** There where not all rows fit: they come and go in it, and `offset` means nothing. */
  readonly window: RowWindow | undefined;
  /** There where rows are sparse. */
  readonly store: SparseStore | undefined;
  /** What a row has on average. */
  readonly valuesPerRow: number;
  /** The byte offset of row i, or of its entry: in a window, until something else is brought in. */
  rowAt(i: number): number;
  /** The values of dense rows as a view of this moment. */
  view(): Floats;
  /** Hands the columns of row i, ascending, and their values to `see`; of a sparse row those that are stored. */
  visit(i: number, see: (column: number, value: number) => void): void;
  /** Some of the rows, looked after by whoever has all of them. */
  part(from: number, count: number): ArenaRows;
  release(): void;
}

const nothing = (): void => {};

/** Dense rows in the arena. */
export class DenseRows implements ArenaRows {
  readonly window = undefined;
  readonly store = undefined;
  readonly rows: number;
  readonly cols: number;
  readonly offset: number;
  readonly element: 4 | 8;
  readonly release: () => void;
  readonly #arena: Arena;
  readonly #stride: number;

  constructor(arena: Arena, shape: Shape, offset: number, element: 4 | 8, release: () => void) {
    this.rows = shape.rows;
    this.cols = shape.cols;
    this.offset = offset;
    this.element = element;
    this.release = release;
    this.#arena = arena;
    this.#stride = shape.cols * element;
  }

  get valuesPerRow(): number {
    return this.cols;
  }

  rowAt(i: number): number {
    return this.offset + i * this.#stride;
  }

  view(): Floats {
    const count = this.rows * this.cols;
    return this.element === 8 ? this.#arena.f64(this.offset, count) : this.#arena.f32(this.offset, count);
  }

  visit(i: number, see: (column: number, value: number) => void): void {
    visitDense(this.view(), i, this.cols, see);
  }

  part(from: number, count: number): ArenaRows {
    const shape = { rows: count, cols: this.cols };
    return new DenseRows(this.#arena, shape, this.rowAt(from), this.element, nothing);
  }
}

/** Hands the values of a row to `see`. */
export function visitDense(
  values: Floats,
  i: number,
  cols: number,
  see: (column: number, value: number) => void,
): void {
  for (let k = 0, at = i * cols; k < cols; k++, at++) see(k, values[at] as number);
}

/** Sparse rows in the arena. */
class SparseArenaRows implements ArenaRows {
  readonly window = undefined;
  readonly element = SPARSE;
  readonly store: SparseStore;
  readonly rows: number;
  readonly cols: number;
  readonly offset: number;
  readonly release: () => void;

  constructor(store: SparseStore, first: number, rows: number, release: () => void) {
    this.store = store;
    this.rows = rows;
    this.cols = store.cols;
    this.offset = store.entryOf(first);
    this.release = release;
  }

  get valuesPerRow(): number {
    return Math.ceil(this.store.nonZeros / this.store.rows);
  }

  rowAt(i: number): number {
    return this.offset + ROW_BYTES * i;
  }

  view(): never {
    throw new Error('sparse rows have no dense view');
  }

  visit(i: number, see: (column: number, value: number) => void): void {
    visitEntry(this.store.arena, this.rowAt(i), see);
  }

  part(from: number, count: number): ArenaRows {
    return new SparseArenaRows(this.store, (this.rowAt(from) - this.store.offset) / ROW_BYTES, count, nothing);
  }
}

/** The error that names the first NaN or infinity of rows, if there is one. Sparse rows were checked when they came. */
export function* findBad(X: ArenaRows, pace: Pace): Sliced<RangeError | undefined> {
  return X.store ? undefined : yield* findNotFinite(() => X.view(), X.cols, 'X', pace);
}

/** The same at once. */
export const firstBad = (X: ArenaRows): RangeError | undefined => finish(findBad(X, inOneGo));

/** The error that names the first NaN or infinity of row-major values, if there is one. */
export function* findNotFinite(
  values: () => Floats,
  cols: number,
  name: string,
  pace: Pace,
): Sliced<RangeError | undefined> {
  const at = yield* badAt(values, pace);
  return at < 0 ? undefined : new RangeError(`${name}[${Math.floor(at / cols)}][${at % cols}] is ${values()[at]}`);
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

/** Where the first NaN or infinity of values, as a view of the moment, is; −1: nowhere. */
export function* badAt(values: () => Floats, pace: Pace): Sliced<number> {
  for (let from = 0, now = values(); from < now.length; from += LARGE_PIECE) {
    const piece = now.subarray(from, from + LARGE_PIECE);
    if (!allFinite(piece)) return from + piece.findIndex((value) => !Number.isFinite(value));
    if (!pace.due()) continue;
    yield;
    now = values();
  }
  return -1;
}

/** Sparse rows that were just made, as rows; released, they are given back. */
export const rowsOfStore = (store: SparseStore): ArenaRows =>
  new SparseArenaRows(store, 0, store.rows, () => store.release());

/** Rows that lie in the arena as float64, looked after by somebody else. */
export const rowsLying = (arena: Arena, offset: number, rows: number, cols: number): ArenaRows =>
  new DenseRows(arena, { rows, cols }, offset, 8, nothing);

/** The byte offset of dense row i as float64: where it lies, or in `room`, f64[cols]. */
export function wideRowAt(X: ArenaRows, i: number, arena: Arena, room: number): number {
  const at = X.rowAt(i);
  if (X.element === 8) return at;
  arena.f64(room, X.cols).set(arena.f32(at, X.cols));
  return room;
}
