// Pairs of dense rows: computes the Gram matrix in blocks that fit the caches, tile by tile (assembly/gram.ts).

import * as at from '../../assembly/layout.js';
import type { Pausing } from '../async/pausing.js';
import { type ArenaRows, bytesOf, DenseRows } from '../data/arenarows.js';
import { countKept, denseRow, isKeptSparse, type KeptRows } from '../data/kept.js';
import { blockOf, blocksOf, type PairBlock, panelBytes, panelParts, pieces } from '../data/products.js';
import { dtypeOf, STORAGE } from '../data/views.js';
import type { BoundEngine } from '../engine/contract.js';
import type { Item } from '../worker/taskrunner.js';
import type { Resources } from '../worker/threads.js';
import type { KernelFunction } from './kernel.js';
import { Pairs, type TransformCall } from './pairs.js';
import { SparsePairs } from './sparsepairs.js';

/** The most values of X for one call of an engine kernel: some milliseconds on the slowest engine. */
const CALL_VALUES = 2 ** 21;

/** A smaller block size if there would be too few blocks to keep all threads busy to the end. */
function smallerBlock(size: number, rows: number, threads: number): number {
  let smaller = size;
  const blocks = () => Math.ceil(rows / smaller);
  while (smaller > 16 && blocks() * (blocks() + 1) < 16 * threads) smaller = 4 * Math.ceil(smaller / 8);
  return smaller;
}

export class DensePairs extends Pairs {
  /** Computes each pair once, block by block, then mirrors it. */
  override matrix(out: number, resources: Resources): Pausing<void> {
    const { X } = this;
    const { rows: n, cols: d } = X;
    const planFor = (threads: number) => {
      const size = threads > 1 ? smallerBlock(blockOf(n), n, threads) : blockOf(n);
      const items: Item[] = [];
      for (const block of blocksOf(n, size, threads)) {
        items.push(panelParts(X, X, block, out, this.isLinear ? undefined : () => this.#transformingBlock(block, out)));
      }
      return { items, bytes: panelBytes(X, n, size) };
    };
    return this.run(planFor, (n * (n + 1) * d) / 2, resources);
  }

  #transformingBlock([i, ni, j, nj]: PairBlock, out: number): TransformCall[] {
    const calls: TransformCall[] = [];
    for (let p = i; p < i + ni; p++) {
      const values = out + 8 * (p * this.X.rows + j);
      calls.push(...this.transforming(values, Math.min(nj, p - j + 1), this.normOf(p), j));
    }
    return calls;
  }

  protected override against(Z: ArenaRows, out: number, resources: Resources): Pausing<void> {
    const { X } = this;
    const { rows: n, cols: d } = X;
    const count = Z.rows;
    // A single row would leave three quarters of each tile idle: it is multiplied row by row.
    if (count === 1) return this.#byRows(X, this.wideAt(Z, 0), out, resources);
    if (n === 1) return this.#byRows(Z, this.wideAt(X, 0), out, resources);
    const [height, width] = [blockOf(count), blockOf(n)];
    const items: Item[] = [];
    for (let j = 0; j < n; j += width) {
      for (let r = 0; r < count; r += height) {
        items.push(panelParts(Z, X, [r, Math.min(height, count - r), j, Math.min(width, n - j)], out));
      }
    }
    const bytes = panelBytes(X, height, width);
    return this.run(() => ({ items, bytes }), count * n * d, resources);
  }

  /** The products of the row z, f64[d], with dense rows. */
  #byRows(rows: ArenaRows, z: number, out: number, resources: Resources): Pausing<void> {
    const { rows: n, cols: d, element } = rows;
    const perCall = Math.max(12, Math.floor(CALL_VALUES / d));
    const items = pieces(n, perCall, (j, some): Item => {
      return [(group) => [['pairRow', element, rows.rowAt(j), some, d, z, out + 8 * j, group]]];
    });
    return this.run(() => ({ items, bytes: at.GROUP_BYTES }), n * d, resources, this.group);
  }

  protected override product(i: number, j: number): number {
    const { X } = this;
    this.engine.kernels().pairRow(X.element, X.rowAt(j), 1, X.cols, this.wideAt(X, i), this.one, this.group);
    return this.engine.arena.f64(this.one, 1)[0] as number;
  }

  protected override rowsOf(kept: KeptRows): ArenaRows {
    const { arena } = this.engine;
    const shape = { rows: countKept(kept), cols: this.X.cols };
    const isSparse = isKeptSparse(kept);
    const { element } = STORAGE[isSparse ? 'float64' : dtypeOf(kept.data)];
    const count = shape.rows * shape.cols;
    const block = arena.allocate(bytesOf(element) * count, `${shape.rows} × ${shape.cols} values`, false);
    const rows = new DenseRows(arena, shape, block.offset, element, block);
    const values = rows.view();
    if (isSparse) {
      for (let s = 0; s < shape.rows; s++) denseRow(kept, s, values.subarray(s * shape.cols, (s + 1) * shape.cols));
    } else {
      values.set(kept.data);
    }
    return rows;
  }
}

/** Pairs with dense or sparse rows. */
export const pairsOf = (engine: BoundEngine, X: ArenaRows, kernel: KernelFunction): Pairs =>
  new (X.store ? SparsePairs : DensePairs)(engine, X, kernel);
