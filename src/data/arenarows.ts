// Rows in the arena, dense or sparse: the form of X that everything below the facades works with.

import { ELEMENT_BYTES, FLOAT64, ROW_BYTES, SPARSE } from '../../assembly/layout.js';
import type { Element } from '../engine/contract.js';
import type { Arena, Block } from '../memory/arena.js';
import { type SparseStore, visitEntry } from './csr.js';
import type { Stage } from './stages.js';
import { ARRAYS, type Values } from './views.js';

export interface Shape {
  rows: number;
  cols: number;
}

/** Rows in the arena, until `release`. */
export interface ArenaRows extends Shape {
  /** The byte offset of the rows; of their table if they are sparse. */
  readonly offset: number;
  readonly element: Element;
  /** The number of the first row as the caller counts rows. */
  readonly first: number;
  /** Set when the rows are sparse. */
  readonly store: SparseStore | undefined;
  /** Stored values of a row, on average. */
  readonly valuesPerRow: number;
  /** The byte offset of row i, or of its entry in the table. */
  rowAt(i: number): number;
  /** The values of dense rows. Growth of the memory may detach this view: do not keep it. */
  view(): Values;
  /** Calls `see` with each column of row i, ascending, and its value; for a sparse row, with the stored ones only. */
  visit(i: number, see: (column: number, value: number) => void): void;
  /** Some of the rows. They are valid until all of the rows are released. */
  part(from: number, count: number): ArenaRows;
  release(): void;
}

/** Bytes of a value of dense rows. */
export const bytesOf = (element: Element): number => element & ELEMENT_BYTES;

/** Bytes of a row as float64, if rows are dense and stored as something else; else 0. */
export const wideBytes = ({ element, cols }: Pick<ArenaRows, 'element' | 'cols'>): number =>
  element === SPARSE || element === FLOAT64 ? 0 : 8 * cols;

/** Bytes of weights for the kernels that score rows: f64[cols], and scratch for rows of 8 bits (assembly/halves.ts). */
export const planeBytes = ({ element, cols }: Pick<ArenaRows, 'element' | 'cols'>): number =>
  element & 1 ? 12 * ((cols + 7) & ~7) : 8 * cols;

const nothing = (): void => {};

/** Dense rows in the arena. */
export class DenseRows implements ArenaRows {
  readonly first: number;
  readonly store: undefined;
  readonly rows: number;
  readonly cols: number;
  readonly offset: number;
  readonly element: Exclude<Element, 0>;
  readonly valuesPerRow: number;
  /** What copies the rows in, where they arrive (rows.ts). */
  stage: Stage | undefined;
  readonly #arena: Arena;
  /** The block to release, if any. */
  readonly #block: Block | undefined;

  constructor(arena: Arena, shape: Shape, offset: number, element: Exclude<Element, 0>, block?: Block, first = 0) {
    this.first = first;
    this.store = undefined;
    this.rows = shape.rows;
    this.cols = this.valuesPerRow = shape.cols;
    this.offset = offset;
    this.element = element;
    this.#arena = arena;
    this.#block = block;
  }

  rowAt(i: number): number {
    return this.offset + i * this.cols * bytesOf(this.element);
  }

  view(): Values {
    return new ARRAYS[this.element](this.#arena.buffer, this.offset, this.rows * this.cols);
  }

  visit(i: number, see: (column: number, value: number) => void): void {
    const { cols } = this;
    const values = this.view();
    for (let k = 0; k < cols; k++) see(k, values[i * cols + k] as number);
  }

  part(from: number, count: number): ArenaRows {
    return new DenseRows(this.#arena, { rows: count, cols: this.cols }, this.rowAt(from), this.element);
  }

  /** The rows, once they have arrived. */
  take(): ArenaRows {
    return this;
  }

  release(): void {
    if (this.#block) this.#arena.release(this.#block);
  }
}

/** Sparse rows in the arena. */
class SparseArenaRows implements ArenaRows {
  readonly first = 0;
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

/** The error that names the first NaN or infinity of rows, if there is one. Sparse rows were checked when they were copied in. */
export function firstBad(X: ArenaRows): RangeError | undefined {
  return X.store ? undefined : firstNotFinite(X.view(), X.cols, 'X', X.first);
}

/** The error that names the first NaN or infinity of row-major values, if there is one. */
export function firstNotFinite(values: Values, cols: number, name: string, first = 0): RangeError | undefined {
  const at = badAt(values);
  if (at < 0) return undefined;
  return new RangeError(`${name}[${first + Math.floor(at / cols)}][${at % cols}] is ${values[at]}`);
}

/** Whether all values are finite: x·0 is 0 or −0 for those, NaN for the others. */
export function allFinite(values: Values): boolean {
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

/** The index of the first NaN or infinity; −1 if there is none. */
export const badAt = (values: Values): number =>
  allFinite(values) ? -1 : values.findIndex((value) => !Number.isFinite(value));

/** Sparse rows of a store. `release` releases the store. */
export const rowsOfStore = (store: SparseStore): ArenaRows =>
  new SparseArenaRows(store, 0, store.rows, () => store.release());

/** The byte offset of dense row i as float64: in place, or copied to `room`, f64[cols]. */
export function wideRowAt(X: ArenaRows, i: number, arena: Arena, room: number): number {
  if (X.element === FLOAT64) return X.rowAt(i);
  arena.f64(room, X.cols).set(X.view().subarray(i * X.cols, (i + 1) * X.cols));
  return room;
}
