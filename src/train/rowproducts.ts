// The products of row j with all rows, x_j·x_i: computed when they are first needed, and kept while there is room.
//
// Dense rows are multiplied by the kernel that scores rows, so the products of one row cost as much as a scan. If many rows are
// needed, the products of all rows are computed at once, which takes a third of the time (measured). Sparse rows are multiplied
// column by column: only pairs of values in one column cost time.

import * as at from '../../assembly/layout.js';
import { type Clock, type Pausing, runCalls } from '../async/pausing.js';
import { type ArenaRows, planeBytes, wideBytes, wideRowAt } from '../data/arenarows.js';
import { type ByColumns, blockOf, blocksOf, byColumns, panelBytes, panelParts, pieces } from '../data/products.js';
import type { BoundEngine, KernelCall } from '../engine/contract.js';
import { type Block, isNoRoom } from '../memory/arena.js';
import { aligned } from '../memory/freelist.js';
import { rowsFor } from './loop.js';

/** Products to keep: the most bytes, and the largest share of the memory. */
const MOST_BYTES = 2 ** 28;
const MOST_SHARE = 1 / 4;

/** From this share of dense rows on, the products of all rows are computed at once. */
const MANY = 1 / 16;

/** Values for one call of a kernel: a few milliseconds on the slowest engine. */
const CALL_VALUES = 2 ** 21;

export class RowProducts {
  readonly #engine: BoundEngine;
  readonly #X: ArenaRows;
  /** f64[n], products of a row that are not kept; f64[d], a row of float32 as float64; scratch of the kernels. */
  readonly #scratch: Block;
  readonly #vector: number;
  readonly #group: number;
  #columns: ByColumns | undefined;
  /** The byte offset of f64[n] for each row whose products are kept; their blocks, and that of the columns. */
  readonly #kept = new Map<number, number>();
  readonly #blocks: Block[] = [];
  /** The most rows whose products may be kept. */
  #most: number;

  /** @throws RangeError (isNoRoom) */
  constructor(engine: BoundEngine, X: ArenaRows) {
    const { arena } = engine;
    const bytes = aligned(8 * X.rows);
    const wide = wideBytes(X) && aligned(planeBytes(X));
    this.#engine = engine;
    this.#X = X;
    this.#scratch = arena.allocate(bytes + wide + at.GROUP_BYTES, `products of ${X.rows} rows`, false);
    this.#vector = this.#scratch.offset + bytes;
    this.#group = this.#vector + wide;
    this.#most = Math.floor(Math.min(MOST_BYTES, MOST_SHARE * arena.maxBytes) / bytes);
  }

  /** Whether the products of a row are kept. */
  has(index: number): boolean {
    return this.#kept.has(index);
  }

  /** The byte offset of the products of a row, after `ensureRow`. Products that are not kept last until the next `ensureRow`. */
  at(index: number): number {
    return this.#kept.get(index) ?? this.#scratch.offset;
  }

  /** Computes the products of a row if they are not kept. @throws RangeError (isNoRoom) */
  *ensureRow(index: number, clock: Clock): Pausing<void> {
    const { rows: n, store } = this.#X;
    if (!store && this.#kept.size >= MANY * n && this.#most >= n) yield* this.#computeAll(clock);
    if (this.has(index)) return;
    const block = this.#kept.size < this.#most ? this.#take(8 * n) : undefined;
    yield* this.#multiply(index, block?.offset ?? this.#scratch.offset, clock);
    if (block) this.#kept.set(index, block.offset);
  }

  *#computeAll(clock: Clock): Pausing<void> {
    const X = this.#X;
    const { rows: n } = X;
    const size = blockOf(n);
    const scratch = this.#take(panelBytes(X, n, size));
    const former = this.#blocks.length; // the scratch is the last of these
    const matrix = scratch && this.#take(8 * n * n);
    if (!matrix) return;
    const { offset: out } = matrix;
    for (const block of blocksOf(n, size)) {
      for (const part of panelParts(X, X, block, out)) yield* runCalls(this.#engine, part(scratch.offset), clock);
    }
    for (let i = 0; i < n; i++) this.#kept.set(i, out + 8 * n * i);
    for (const block of this.#blocks.splice(0, former)) this.#engine.arena.release(block);
  }

  /** A block for products; undefined if there is no room: then no more products are kept. */
  #take(bytes: number): Block | undefined {
    try {
      const block = this.#engine.arena.allocate(bytes, 'products of rows', false);
      this.#blocks.push(block);
      return block;
    } catch (error) {
      if (!isNoRoom(error)) throw error;
      this.#most = this.#kept.size;
      return undefined;
    }
  }

  /** out[i] = x_index · x_i for all rows i. */
  *#multiply(index: number, out: number, clock: Clock): Pausing<void> {
    const X = this.#X;
    const engine = this.#engine;
    if (!X.store) return yield* this.score(wideRowAt(X, index, engine.arena, this.#vector), out, clock);
    if (!this.#columns) {
      const made = byColumns(X, engine);
      this.#blocks.push(made.block);
      yield* runCalls(engine, made.calls, clock);
      this.#columns = made;
    }
    const { ends, rows, values, lanes } = this.#columns;
    engine.kernels().pairSparse(X.rowAt(index), ends, rows, values, X.rows, lanes, out);
  }

  /** out[i] = x_i · w for all rows i, order S; w is f64[d]. */
  score(w: number, out: number, clock: Clock): Pausing<void> {
    const { rows, cols, element, valuesPerRow } = this.#X;
    const perCall = clock.rows ?? rowsFor(CALL_VALUES, Math.max(1, valuesPerRow));
    const make = (i: number, some: number): KernelCall => {
      return ['scores', element, this.#X.rowAt(i), some, cols, 0, w, 0, out + 8 * i, this.#group];
    };
    return runCalls(this.#engine, pieces(rows, perCall, make), clock);
  }

  release(): void {
    const { arena } = this.#engine;
    for (const block of this.#blocks) arena.release(block);
    arena.release(this.#scratch);
  }
}
