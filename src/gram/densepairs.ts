// Pairs of dense rows: computes the Gram matrix in blocks that fit the caches, tile by tile (assembly/gram.ts).

import * as at from '../../assembly/layout.js';
import { type Pausing, waitFor } from '../async/pausing.js';
import { type ArenaRows, wideRowAt } from '../data/arenarows.js';
import { countKept, denseRow, isKeptSparse, type KeptRows } from '../data/kept.js';
import { allProducts, blockOf, copyBytes, TILE_BYTES } from '../data/products.js';
import type { BoundEngine } from '../engine/contract.js';
import { aligned } from '../memory/freelist.js';
import type { Call } from '../worker/protocol.js';
import type { Part, TaskRunner } from '../worker/taskrunner.js';
import { type Resources, threadsFor } from '../worker/threads.js';
import type { KernelFunction } from './kernel.js';
import { type OtherRows, Pairs } from './pairs.js';

/** The starts of parts of `size`: 0, size, 2·size, … below count. */
const startsOf = (count: number, size: number): number[] =>
  Array.from({ length: Math.ceil(count / size) }, (_, k) => k * size);

/** The most values of X for one call of an engine kernel: some milliseconds on the slowest engine. */
const CALL_VALUES = 2 ** 21;

/** The most products in one task of a thread: some milliseconds. */
const MATRIX_TASK_VALUES = 2 ** 25;

/** A smaller block size if there would be too few blocks to keep all threads busy to the end. */
function smallerBlock(size: number, rows: number, threads: number): number {
  let smaller = size;
  const blocks = () => Math.ceil(rows / smaller);
  while (smaller > 16 && blocks() * (blocks() + 1) < 16 * threads) smaller = 4 * Math.ceil(smaller / 8);
  return smaller;
}

/** Maps each value when it is needed: there may be very many. */
const lazily = <T, U>(values: readonly T[], map: (value: T) => U): Iterable<U> => ({
  [Symbol.iterator]() {
    let k = 0;
    return { next: () => (k < values.length ? { value: map(values[k++] as T) } : { done: true, value: undefined }) };
  },
});

export class DensePairs extends Pairs {
  constructor(engine: BoundEngine, X: ArenaRows, kernel: KernelFunction, first = 0) {
    super(engine, X, kernel, first, X.element === 4 ? aligned(8 * X.cols) : 0); // a row as float64
  }

  /** The byte offset of row i as float64: in place, or copied to the scratch. */
  #wide(i: number): number {
    return wideRowAt(this.X, i, this.engine.arena, this.own);
  }

  protected override neighbourProducts(): number[] {
    const { rows, cols, element } = this.X;
    const { arena } = this.engine;
    const out = arena.allocate(16, 'a kernel', false);
    try {
      return Array.from({ length: rows - 1 }, (_, i) => {
        const next = this.X.rowAt(i + 1);
        this.engine.kernels().pairRow(element, next, 1, cols, this.#wide(i), out.offset, this.group);
        return arena.f64(out.offset, 1)[0] as number;
      });
    } finally {
      arena.release(out);
    }
  }

  /** Computes each pair once, block by block, then mirrors it. */
  override *matrix(out: number, resources: Resources): Pausing<void> {
    const { rows: n, cols: d } = this.X;
    const threads = resources.threads && (yield* threadsFor(resources, (n * (n + 1) * d) / 2));
    if (threads && (yield* waitFor(this.#matrixOnThreads(out, threads)))) return;
    const done = (i: number, ni: number, j: number, nj: number) => {
      for (let p = i; p < i + ni; p++) this.transform(out + 8 * (p * n + j), Math.min(nj, p - j + 1), p, j);
    };
    yield* allProducts(this.X, this.engine, out, resources.clock, this.isLinear ? undefined : done);
  }

  /** The same blocks on threads, the largest first: blocks on the diagonal are half the work and balance the end. */
  #matrixOnThreads(out: number, threads: TaskRunner): Promise<boolean> {
    const { rows: n, cols: d, element } = this.X;
    const size = smallerBlock(blockOf(n), n, threads.limit);
    const bytes = aligned(TILE_BYTES + 2 * copyBytes(size, element, d));
    const starts = startsOf(n, size);
    const corners = starts.flatMap((j) => starts.filter((i) => i > j).map((i) => [i, j] as const));
    corners.push(...starts.map((i) => [i, i] as const));
    const blockAt = ([i, j]: readonly [number, number]): Part[] => {
      const [ni, nj] = [Math.min(size, n - i), Math.min(size, n - j)];
      const to = out + 8 * (i * n + j);
      const [a, b] = [this.X.rowAt(i), this.X.rowAt(j)];
      const isSame = i === j ? 1 : 0;
      const panel = (k: number, own: number): Call => [
        'pairPanel',
        element,
        a,
        ni,
        element,
        b,
        nj,
        d,
        k,
        isSame,
        to,
        n,
        own,
      ];
      const parts = this.#panelsOf(ni * nj, panel);
      const rows = Array.from({ length: ni }, (_, p) => i + p);
      parts.push(() => [
        ...rows.flatMap((p) => this.transforming(out + 8 * (p * n + j), Math.min(nj, p - j + 1), p, j)),
        ['mirror', out, n, i, ni, j, nj],
      ]);
      return parts;
    };
    return threads.each(lazily(corners, blockAt), bytes);
  }

  /** The panels of a block of `pairs` pairs, in order, in parts of some milliseconds. */
  #panelsOf(pairs: number, panel: (k: number, own: number) => Call): Part[] {
    const panels = startsOf(this.X.cols, at.PANEL);
    const perTask = Math.max(1, Math.floor(MATRIX_TASK_VALUES / (pairs * at.PANEL)));
    return startsOf(panels.length, perTask).map((p) => {
      const own = panels.slice(p, p + perTask);
      return (scratch) => own.map((k) => panel(k, scratch));
    });
  }

  override copyIn(kept: KeptRows): OtherRows {
    const { arena } = this.engine;
    const { cols } = this.X;
    const rows = countKept(kept);
    const block = arena.allocate(8 * rows * (cols + 1), `${rows} × ${cols} values`, false);
    const values = arena.f64(block.offset, rows * cols);
    if (isKeptSparse(kept)) {
      for (let s = 0; s < rows; s++) denseRow(kept, s, values.subarray(s * cols, (s + 1) * cols));
    } else {
      values.set(kept.data);
    }
    const norms = block.offset + 8 * rows * cols;
    this.engine.kernels().squaredNorms(8, block.offset, rows, cols, norms);
    return {
      offset: block.offset,
      norms: arena.f64(norms, rows).slice(),
      release: () => arena.release(block),
    };
  }

  protected override *rowProducts(i: number, out: number, resources: Resources): Pausing<void> {
    yield* this.#against(this.#wide(i), out, resources);
  }

  protected override otherProducts(others: OtherRows, r: number, out: number, resources: Resources): Pausing<void> {
    return this.#against(others.offset + 8 * r * this.X.cols, out, resources);
  }

  /** out[j] = z · x_j for all rows j; z is f64[d]. */
  *#against(z: number, out: number, resources: Resources): Pausing<void> {
    const { rows: n, cols: d, element } = this.X;
    const kernels = this.engine.kernels();
    const perCall = Math.max(12, Math.floor(CALL_VALUES / d));
    const threads = resources.threads && (yield* threadsFor(resources, n * d));
    if (threads && (yield* waitFor(this.#againstOnThreads(z, out, perCall, threads)))) return;
    for (let j = 0; j < n; j += perCall) {
      kernels.pairRow(element, this.X.rowAt(j), Math.min(perCall, n - j), d, z, out + 8 * j, this.group);
      if (resources.clock.due()) yield;
    }
  }

  #againstOnThreads(z: number, out: number, perCall: number, threads: TaskRunner): Promise<boolean> {
    const { rows: n, cols: d, element } = this.X;
    const rowsFrom = (j: number): Part => {
      const [count, rows] = [Math.min(perCall, n - j), this.X.rowAt(j)];
      return (own) => [['pairRow', element, rows, count, d, z, out + 8 * j, own]];
    };
    return threads.each(
      startsOf(n, perCall).map((j) => [rowsFrom(j)]),
      at.GROUP_BYTES,
    );
  }

  protected override *blockProducts(
    others: OtherRows,
    from: number,
    count: number,
    out: number,
    resources: Resources,
  ): Pausing<void> {
    const { rows: n, cols: d } = this.X;
    const z = others.offset + 8 * from * d;
    // A single row would leave three quarters of each tile idle: swap the two sides.
    if (n === 1) this.engine.kernels().pairRow(8, z, count, d, this.#wide(0), out, this.group);
    else yield* this.#products(z, count, out, resources);
  }

  /** out[r][j] = z_r · x_j for `count` rows of f64[d] at z and all rows j. */
  *#products(z: number, count: number, out: number, resources: Resources): Pausing<void> {
    const { rows: n, cols: d, element } = this.X;
    const { arena } = this.engine;
    const kernels = this.engine.kernels();
    const [height, width] = [blockOf(count), blockOf(n)];
    const bytes = aligned(TILE_BYTES + copyBytes(height, 8, d) + copyBytes(width, element, d));
    const threads = resources.threads && (yield* threadsFor(resources, count * n * d));
    if (threads) {
      const corners = startsOf(n, width).flatMap((j) => startsOf(count, height).map((r) => [r, j] as const));
      const blockAt = ([r, j]: readonly [number, number]): Part[] => {
        const [nr, nj] = [Math.min(height, count - r), Math.min(width, n - j)];
        const [a, b, to] = [z + 8 * r * d, this.X.rowAt(j), out + 8 * (r * n + j)];
        return this.#panelsOf(nr * nj, (k, own) => ['pairPanel', 8, a, nr, element, b, nj, d, k, 0, to, n, own]);
      };
      if (yield* waitFor(threads.each(lazily(corners, blockAt), bytes))) return;
    }
    const scratch = arena.allocate(bytes, `blocks of ${height} and ${width} rows`, false);
    try {
      for (let j = 0; j < n; j += width) {
        const nj = Math.min(width, n - j);
        const b = this.X.rowAt(j);
        for (let r = 0; r < count; r += height) {
          const nr = Math.min(height, count - r);
          const a = z + 8 * r * d;
          const to = out + 8 * (r * n + j);
          for (let k = 0; k < d; k += at.PANEL) {
            kernels.pairPanel(8, a, nr, element, b, nj, d, k, false, to, n, scratch.offset);
            if (resources.clock.due()) yield;
          }
        }
      }
    } finally {
      arena.release(scratch);
    }
  }
}
