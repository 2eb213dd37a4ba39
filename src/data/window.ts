// Rows too many for the arena: they stay where they are, and some of them at a time are copied in. How many depends on the
// memory there is; what comes of them never does.

import { GROUP_BYTES } from '../../assembly/layout.js';
import type { Pace, Sliced } from '../async/sliced.js';
import type { ElementBytes } from '../engine/contract.js';
import { type Arena, type Block, isNoRoom } from '../memory/arena.js';
import { aligned } from '../memory/freelist.js';
import { type ArenaRows, type Shape, visitDense } from './arenarows.js';
import { asFlat, bringIn, fillRows, isSparse, type Rows, shapeOf, stillThere } from './rows.js';
import type { Floats } from './views.js';

/** Bytes of a window, at most: what was just copied is still in a cache when it is looked at (64 MiB: 1.4 times the time). */
const MOST_BYTES = 4 * 2 ** 20;

/** Rows of a window, at least: as many as the kernels look at together. */
const LEAST_ROWS = 12;

/** Room for some rows, a number for each of them, a plane, and scratch. */
export class RowWindow {
  readonly #arena: Arena;
  readonly #shape: Shape;
  readonly #element: ElementBytes;
  readonly #values: () => Floats;
  #block: Block | undefined;
  /** Rows it holds at most. */
  capacity = 0;
  /** Where the rows are … */
  offset = 0;
  /** … 8 bytes for each of them, the caller's to use until the next load … */
  numbers = 0;
  /** … a plane, f64[cols] … */
  plane = 0;
  /** … and GROUP_BYTES of scratch. */
  group = 0;
  /** How often rows were brought in: while it stays the same, so do the rows. */
  loads = 0;
  #single = -1;

  /** @param values where the rows are to be had, row-major */
  constructor(arena: Arena, shape: Shape, element: ElementBytes, values: () => Floats) {
    this.#arena = arena;
    this.#shape = shape;
    this.#element = element;
    this.#values = values;
  }

  /** Takes its memory, after all that must fit beside it. @throws RangeError if there is no room for a dozen rows */
  open(): void {
    const { rows, cols } = this.#shape;
    const stride = cols * this.#element;
    const most = Math.min(MOST_BYTES, this.#arena.maxBytes / 4);
    const least = Math.min(LEAST_ROWS, rows);
    let capacity = Math.min(rows, Math.max(least, Math.floor(most / (stride + 8))));
    const bytes = () => aligned(capacity * stride) + aligned(8 * capacity) + aligned(8 * cols) + GROUP_BYTES;
    while (!this.#block) {
      try {
        this.#block = this.#arena.allocate(bytes(), `${capacity} of ${rows} × ${cols} values`, false);
      } catch (error) {
        if (capacity === least || !isNoRoom(error)) throw error;
        capacity = Math.max(least, capacity >> 1);
      }
    }
    this.capacity = capacity;
    this.offset = this.#block.offset;
    this.numbers = this.offset + aligned(capacity * stride);
    this.plane = this.numbers + aligned(8 * capacity);
    this.group = this.plane + aligned(8 * cols);
  }

  /** Brings in `count` rows from row `from` on; of a list, those listed from place `from` on. */
  load(from: number, count: number, list?: Uint32Array): void {
    const values = this.#values();
    const { cols } = this.#shape;
    const to =
      this.#element === 8 ? this.#arena.f64(this.offset, count * cols) : this.#arena.f32(this.offset, count * cols);
    this.loads++;
    this.#single = -1;
    for (let k = 0, run = count; k < count; k += run) {
      const first = list ? (list[from + k] as number) : from;
      if (list) for (run = 1; k + run < count && list[from + k + run] === first + run; ) run++;
      to.set(values.subarray(first * cols, (first + run) * cols), k * cols);
    }
  }

  /** Brings in row i, unless it was the latest, and answers where it is. */
  rowAt(i: number): number {
    if (this.#single !== i) {
      this.load(i, 1);
      this.#single = i;
    }
    return this.offset;
  }

  /** Brings in all rows, or those listed, one window after the other; answers the f64 that `compute` leaves at `out` for each. */
  map(compute: (count: number, out: number) => void, list?: Uint32Array): Float64Array {
    const result = new Float64Array(list?.length ?? this.#shape.rows);
    for (let from = 0; from < result.length; from += this.capacity) {
      const count = Math.min(this.capacity, result.length - from);
      this.load(from, count, list);
      compute(count, this.numbers);
      result.set(this.#arena.f64(this.numbers, count), from);
    }
    return result;
  }

  release(): void {
    if (this.#block) this.#arena.release(this.#block);
    this.#block = undefined;
  }
}

/** X as rows that come in a window, which is still to be opened; undefined if that would not help. */
function* inWindows(X: Rows, arena: Arena, name: string, pace: Pace): Sliced<ArenaRows | undefined> {
  if (isSparse(X)) return undefined; // most of it is not there
  const given = asFlat(X, name);
  if (given?.data.buffer === arena.buffer) return undefined; // they are in the arena already
  const shape = shapeOf(X, name, given);
  const count = shape.rows * shape.cols;
  const data = given?.data ?? (yield* flattened(X, shape, name, pace));
  if (!data) return undefined;
  const element: ElementBytes = data.BYTES_PER_ELEMENT === 4 ? 4 : 8;
  // The caller's own, while others may have their turn: looked after each time.
  const values = () => stillThere(data, count, name);
  const window = new RowWindow(arena, shape, element, values);
  return {
    ...shape,
    offset: 0,
    element,
    window,
    store: undefined,
    valuesPerRow: shape.cols,
    rowAt: (i) => window.rowAt(i),
    view: () => values().subarray(0, count),
    visit: (i, see) => visitDense(values(), i, shape.cols, see),
    part() {
      throw new Error('rows in a window cannot be taken apart');
    },
    release: () => window.release(),
  };
}

/** An array of rows as one, checked; undefined if that is too much for the platform too. */
function* flattened(X: Rows, shape: Shape, name: string, pace: Pace): Sliced<Float64Array | undefined> {
  let values: Float64Array;
  try {
    values = new Float64Array(shape.rows * shape.cols);
  } catch {
    return undefined;
  }
  yield* fillRows(() => values, X, shape, name, pace);
  return values;
}

/**
 * Hands X in the arena to `use`, which releases it: whole, or where there is no room for that and all it takes, in a window
 * that `use` opens. @throws what the arena said first if there is no room for that either
 */
export function* wholeOrInWindows<T>(
  X: Rows,
  arena: Arena,
  name: string,
  pace: Pace,
  use: (rows: ArenaRows) => Sliced<T>,
): Sliced<T> {
  try {
    return yield* use(yield* bringIn(X, arena, name, pace));
  } catch (error) {
    const rows = isNoRoom(error) ? yield* inWindows(X, arena, name, pace) : undefined;
    if (!rows) throw error;
    try {
      return yield* use(rows);
    } catch (second) {
      throw isNoRoom(second) ? error : second;
    }
  }
}
