// Products of rows with rows in order P (docs/adr/0003), for Gram matrices, norms and kept scores. The generators ask the clock
// after each call of a kernel and yield when it is time to pause (src/async/pausing.ts).

import * as at from '../../assembly/layout.js';
import type { BoundEngine } from '../engine/contract.js';
import type { Block } from '../memory/arena.js';
import { aligned } from '../memory/freelist.js';
import type { ArenaRows } from './arenarows.js';
import { lengthOfRow } from './csr.js';

/** Says when to pause. */
interface Clock {
  due(): boolean;
}

/** A generator that yields when it is time to pause. */
type Pausing<T> = Generator<undefined, T, void>;

/** The most values for one call of a kernel: some milliseconds on the slowest engine. */
const NORM_VALUES = 2 ** 21;

/** The most sparse values for one call of a kernel: some milliseconds on the slowest engine. */
const COLUMN_VALUES = 2 ** 19;

/** Scratch bytes of pairPanel: for the sums of a tile, and for copies of a block of rows if the kernel makes them. */
export const TILE_BYTES = 64;
export const copyBytes = (rows: number, element: number, cols: number): number =>
  element === 4 || (8 * cols) % 4096 === 0 ? rows * (8 * at.PANEL + 64) : 0;

/** Rows of a block: splits all rows evenly, in whole tiles. */
export function blockOf(rows: number): number {
  const blocks = Math.ceil(rows / at.GRAM_BLOCK);
  return Math.min(at.GRAM_BLOCK, 4 * Math.ceil(rows / blocks / 4));
}

/**
 * Fills `out`, f64[n · n], with the products of all pairs of dense rows, block by block: computes each pair once, then mirrors it.
 * `done` is called with each block before it is mirrored: ni rows from i on, nj columns from j on.
 */
export function* allProducts(
  X: ArenaRows,
  engine: BoundEngine,
  out: number,
  clock: Clock,
  done?: (i: number, ni: number, j: number, nj: number) => void,
): Pausing<void> {
  const { rows: n, cols: d, element } = X;
  const { arena } = engine;
  const kernels = engine.kernels();
  const size = blockOf(n);
  const scratch = arena.allocate(TILE_BYTES + 2 * copyBytes(size, element, d), `blocks of ${size} rows`, false);
  try {
    for (let j = 0; j < n; j += size) {
      const nj = Math.min(size, n - j);
      const b = X.rowAt(j);
      for (let i = j; i < n; i += size) {
        const ni = Math.min(size, n - i);
        const to = out + 8 * (i * n + j);
        for (let k = 0; k < d; k += at.PANEL) {
          kernels.pairPanel(element, X.rowAt(i), ni, element, b, nj, d, k, i === j, to, n, scratch.offset);
          if (clock.due()) yield;
        }
        done?.(i, ni, j, nj);
        kernels.mirror(out, n, i, ni, j, nj);
      }
    }
  } finally {
    arena.release(scratch);
  }
}

/** Sparse rows stored by columns, as byte offsets (see fillColumns of the kernels), and `lanes` for pairSparse. */
export interface ByColumns {
  readonly block: Block;
  readonly ends: number;
  readonly rows: number;
  readonly values: number;
  readonly lanes: number;
}

/** A copy of sparse rows, stored by columns. The caller releases the block. */
export function* byColumns(X: ArenaRows, engine: BoundEngine, clock: Clock): Pausing<ByColumns> {
  const { rows: n, cols: d, offset } = X;
  const { arena } = engine;
  let count = 0;
  for (let i = 0; i < n; i++) count += lengthOfRow(arena, X.rowAt(i));
  const [lanes, ends, values] = [aligned(16 * n), aligned(4 * d), aligned(8 * count)];
  const block = arena.allocate(lanes + ends + values + 4 * count, `${count} sparse values by columns`);
  let made: ByColumns | undefined;
  try {
    const kernels = engine.kernels();
    const own = {
      block,
      lanes: block.offset,
      ends: block.offset + lanes,
      values: block.offset + lanes + ends,
      rows: block.offset + lanes + ends + values,
    };
    const perCall = Math.max(1, Math.floor((COLUMN_VALUES * n) / Math.max(1, count)));
    for (let i = 0; i < n; i += perCall) {
      kernels.countColumns(X.rowAt(i), Math.min(perCall, n - i), own.ends);
      if (clock.due()) yield;
    }
    kernels.placeColumns(own.ends, d);
    for (let i = 0; i < n; i += perCall) {
      kernels.fillColumns(offset, i, Math.min(perCall, n - i), own.ends, own.rows, own.values);
      if (clock.due()) yield;
    }
    made = own;
  } finally {
    if (!made) arena.release(block);
  }
  return made;
}

/** Writes ‖x_i‖² of each row to f64[rows] at `out`. */
export function* fillNorms(X: ArenaRows, engine: BoundEngine, out: number, clock: Clock): Pausing<void> {
  const perCall = Math.ceil(NORM_VALUES / Math.max(1, X.valuesPerRow));
  for (let i = 0; i < X.rows; i += perCall) {
    const count = Math.min(perCall, X.rows - i);
    engine.kernels().squaredNorms(X.element, X.rowAt(i), count, X.cols, out + 8 * i);
    if (clock.due()) yield;
  }
}

/** ‖x_i‖² of each row. */
export function* squaredNorms(X: ArenaRows, engine: BoundEngine, clock: Clock): Pausing<Float64Array> {
  const { rows } = X;
  const { arena } = engine;
  const block = arena.allocate(8 * rows, `norms of ${rows} rows`, false);
  try {
    yield* fillNorms(X, engine, block.offset, clock);
    return arena.f64(block.offset, rows).slice();
  } finally {
    arena.release(block);
  }
}

/** The same, without a pause. */
export const squaredNormsOf = (X: ArenaRows, engine: BoundEngine): Float64Array =>
  squaredNorms(X, engine, { due: () => false }).next().value as Float64Array;
