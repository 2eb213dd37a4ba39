// Products of rows with rows in order P (docs/adr/0003), for Gram matrices, norms and kept scores. They are lists of calls of
// kernels: whoever runs them may pause between two calls (runCalls of src/async/pausing.ts) or give them to threads.

import * as at from '../../assembly/layout.js';
import type { BoundEngine, KernelCall } from '../engine/contract.js';
import type { Block } from '../memory/arena.js';
import { aligned } from '../memory/freelist.js';
import type { ArenaRows } from './arenarows.js';
import { lengthOfRow } from './csr.js';

/** The most values for one call of a kernel, dense and sparse: some milliseconds on the slowest engine. */
const NORM_VALUES = 2 ** 21;
const COLUMN_VALUES = 2 ** 19;

/** The most products in one part of a block: some milliseconds. */
const PART_VALUES = 2 ** 25;

/** Rows of a block: splits all rows evenly, in whole tiles. */
export function blockOf(rows: number): number {
  const blocks = Math.ceil(rows / at.GRAM_BLOCK);
  return Math.min(at.GRAM_BLOCK, 4 * Math.ceil(rows / blocks / 4));
}

/** Scratch bytes of pairPanel for blocks of so many rows of A and of B: the sums of a tile, and the copies of both blocks, in fours. */
export function panelBytes({ cols }: Pick<ArenaRows, 'cols'>, ...rows: number[]): number {
  const rowBytes = 16 * Math.ceil(Math.min(cols, at.PANEL) / 2);
  return rows.reduce((bytes, count) => bytes + rowBytes * 4 * Math.ceil(Math.min(count, at.GRAM_BLOCK) / 4), 64);
}

/** Some pairs: ni rows of A from i on with nj rows of B from j on. */
export type PairBlock = readonly [i: number, ni: number, j: number, nj: number];

/** Blocks on top of one another that share one copy of the rows of their columns: 3 % faster. */
const TALL = 4;

/** The blocks of all pairs on and below the diagonal. Those on it are half the work and come last: so they balance the end on threads. */
export function blocksOf(n: number, size: number, threads = 1): PairBlock[] {
  const blocks: PairBlock[] = [];
  const height = threads === 1 || n > 8 * threads * size ? TALL * size : size;
  for (let j = 0; j < n; j += size) {
    for (let i = j + size; i < n; i += height) blocks.push([i, Math.min(height, n - i), j, size]);
  }
  for (let i = 0; i < n; i += size) blocks.push([i, Math.min(size, n - i), i, Math.min(size, n - i)]);
  return blocks;
}

/**
 * The calls that compute a block of the products of dense rows A with B, panel by panel, in parts of some milliseconds. Of X with
 * itself, the last part also makes the calls of `end`, then mirrors the block.
 */
export function panelParts(
  A: ArenaRows,
  B: ArenaRows,
  block: PairBlock,
  out: number,
  end?: () => readonly BlockCall[],
) {
  const { rows: n, cols: d } = B;
  const [i, ni, j, nj] = block;
  const parts: ((scratch: number) => BlockCall[])[] = [];
  const size = at.PANEL * Math.max(1, Math.floor(PART_VALUES / (ni * nj * at.PANEL)));
  for (let from = 0; from < d; from += size) {
    parts.push((scratch) => {
      const calls: BlockCall[] = [];
      const [a, b, to] = [A.rowAt(i), B.rowAt(j), out + 8 * (i * n + j)];
      const isTriangle = A === B && i === j ? 1 : 0;
      for (let k = from; k < Math.min(d, from + size); k += at.PANEL) {
        calls.push(['pairPanel', A.element, a, ni, B.element, b, nj, d, k, isTriangle, to, n, scratch]);
      }
      if (A === B && from + size >= d) calls.push(...(end?.() ?? []), ['mirror', out, n, ...block]);
      return calls;
    });
  }
  return parts;
}

type BlockCall = readonly ['pairPanel' | 'transform' | 'mirror', ...numbers: number[]];

/** Sparse rows stored by columns, as byte offsets (see fillColumns of the kernels), and `lanes` for pairSparse. */
export interface ByColumns {
  readonly block: Block;
  readonly ends: number;
  readonly rows: number;
  readonly values: number;
  readonly lanes: number;
}

/** Memory for a copy of sparse rows, stored by columns, and the calls that fill it. The caller releases the block. */
export function byColumns(X: ArenaRows, { arena }: BoundEngine): ByColumns & { readonly calls: KernelCall[] } {
  const { rows: n, cols: d, offset } = X;
  let count = 0;
  for (let i = 0; i < n; i++) count += lengthOfRow(arena, X.rowAt(i));
  const [toEnds, toValues] = [aligned(16 * n), aligned(16 * n) + aligned(4 * d)];
  const toRows = toValues + aligned(8 * count);
  const block = arena.allocate(toRows + 4 * count, `${count} sparse values by columns`);
  const { offset: lanes } = block;
  const [ends, values, rows] = [lanes + toEnds, lanes + toValues, lanes + toRows];
  const perCall = Math.max(1, Math.floor((COLUMN_VALUES * n) / Math.max(1, count)));
  const calls: KernelCall[] = [
    ...pieces(n, perCall, (i, some): KernelCall => ['countColumns', X.rowAt(i), some, ends]),
    ['placeColumns', ends, d],
    ...pieces(n, perCall, (i, some): KernelCall => ['fillColumns', offset, i, some, ends, rows, values]),
  ];
  return { block, lanes, ends, values, rows, calls };
}

/** The calls that write ‖x_i‖² of each row to f64[rows] at `out`. */
export function normCalls(X: ArenaRows, out: number): KernelCall[] {
  const perCall = Math.ceil(NORM_VALUES / Math.max(1, X.valuesPerRow));
  return pieces(X.rows, perCall, (i, some) => ['squaredNorms', X.element, X.rowAt(i), some, X.cols, out + 8 * i]);
}

/** ‖x_i‖² of each row, without a pause. */
export function squaredNormsOf(X: ArenaRows, engine: BoundEngine): Float64Array {
  const { arena } = engine;
  const block = arena.allocate(8 * X.rows, `norms of ${X.rows} rows`, false);
  try {
    engine.kernels().squaredNorms(X.element, X.offset, X.rows, X.cols, block.offset);
    return arena.f64(block.offset, X.rows).slice();
  } finally {
    arena.release(block);
  }
}

/** What `make` returns for each piece of `size` among `count` items: `some` items from `from` on. */
export const pieces = <T>(count: number, size: number, make: (from: number, some: number) => T): T[] =>
  Array.from({ length: Math.ceil(count / size) }, (_, k) => make(k * size, Math.min(size, count - k * size)));
