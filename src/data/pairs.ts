// Pairs of rows under a kernel, K(x_i, x_j): all of them, one row against all, or some other rows. In order P all have the
// same bits (docs/adr/0003): whoever holds a row need not know how it was made.

import * as at from '../../assembly/layout.js';
import type { BoundEngine } from '../engine/contract.js';
import { power } from '../engine/js/exp.js';
import type { Block } from '../memory/arena.js';
import { aligned } from '../memory/freelist.js';
import type { KernelFunction } from './kernel.js';
import { type ArenaRows, firstBad } from './rows.js';

/** Whether to let others have their turn. */
export type Due = () => boolean;

/** Values of X that one call of a kernel goes through, at most: some milliseconds on the slowest engine. */
const CALL_VALUES = 2 ** 21;

/** Bytes for the sums of a tile, and for copies of a block of rows where the kernels make them (assembly/gram.ts). */
const TILE_BYTES = 64;
const copyBytes = (rows: number, element: number, cols: number) =>
  element === 4 || (8 * cols) % 4096 === 0 ? rows * (8 * at.PANEL + 64) : 0;

/** Rows of a block: all of them evenly split, in whole tiles. */
function blockOf(rows: number): number {
  const blocks = Math.ceil(rows / at.GRAM_BLOCK);
  return Math.min(at.GRAM_BLOCK, 4 * Math.ceil(rows / blocks / 4));
}

/** Pairs with rows X under a kernel: whole Gram matrices, one row against all, or other rows. Holds scratch until released. */
export class Pairs {
  readonly #engine: BoundEngine;
  readonly #X: ArenaRows;
  readonly #kernel: KernelFunction;
  readonly #scratch: Block;
  readonly #norms: number;
  readonly #row: number;

  /**
   * X may be a part of the caller's rows, from row `first` on.
   * @throws RangeError for RBF, if a row has no finite norm: exp would make 0 of an infinity, and nobody would know
   */
  constructor(engine: BoundEngine, X: ArenaRows, kernel: KernelFunction, first = 0) {
    this.#engine = engine;
    this.#X = X;
    this.#kernel = kernel;
    const rowBytes = X.element === 4 ? aligned(8 * X.cols) : 0;
    const normBytes = kernel.kind === at.RBF ? 8 * X.rows : 0;
    const what = `kernels of ${X.rows} × ${X.cols} values`;
    this.#scratch = engine.arena.allocate(at.GROUP_BYTES + rowBytes + normBytes, what, false);
    this.#row = this.#scratch.offset + at.GROUP_BYTES;
    this.#norms = normBytes > 0 ? this.#row + rowBytes : 0;
    if (!this.#norms) return;
    engine.kernels().squaredNorms(X.element, X.offset, X.rows, X.cols, this.#norms);
    const norms = engine.arena.f64(this.#norms, X.rows);
    const bad = norms.findIndex((norm) => !Number.isFinite(norm));
    if (bad < 0) return;
    this.release();
    throw firstBad(X) ?? pairOverflow(first + bad, first + bad, NaN, 'rbf');
  }

  /** The kernel of one pair, given its dot product. */
  #one(g: number, i: number, j: number): number {
    const value = this.#engine.arena.f64(this.#scratch.offset, 1);
    value[0] = g;
    this.#transform(this.#scratch.offset, 1, i, j);
    return value[0] as number;
  }

  /** K(x_i, x_i) for all rows. */
  diagonal(): Float64Array {
    return squaredNormsOf(this.#X, this.#engine).map((norm, i) => this.#one(norm, i, i));
  }

  /** K(x_i, x_{i+1}) for all rows but the last. */
  *neighbours(): Generator<number> {
    const { rows, cols, element, offset } = this.#X;
    const { arena } = this.#engine;
    const out = arena.allocate(16, 'a kernel', false);
    try {
      for (let i = 0; i + 1 < rows; i++) {
        const next = offset + element * cols * (i + 1);
        this.#engine.kernels().pairRow(element, next, 1, cols, this.#wide(i), out.offset, this.#scratch.offset);
        yield this.#one(arena.f64(out.offset, 1)[0] as number, i, i + 1);
      }
    } finally {
      arena.release(out);
    }
  }

  /** No |K(x_i, x_j)| of two rows is larger: by the inequality of Cauchy and Schwarz. */
  bound(): number {
    const { kind, gamma, coef0, degree } = this.#kernel;
    if (kind === at.RBF) return 1;
    const norm = squaredNormsOf(this.#X, this.#engine).reduce((a, b) => Math.max(a, b), 0);
    return kind === at.LINEAR ? norm : power(gamma * norm + Math.abs(coef0), degree);
  }

  /** Row i as float64: where it lies, or in the scratch. */
  #wide(i: number): number {
    const { cols, element, offset } = this.#X;
    if (element === 8) return offset + 8 * i * cols;
    const { arena } = this.#engine;
    arena.f64(this.#row, cols).set(arena.f32(offset + 4 * i * cols, cols));
    return this.#row;
  }

  /** Dot products of row i with `count` rows from j on become kernels. */
  #transform(values: number, count: number, i: number, j: number): void {
    const { kind, gamma, coef0, degree } = this.#kernel;
    if (kind === at.LINEAR) return;
    const norm = this.#norms ? (this.#engine.arena.f64(this.#norms + 8 * i, 1)[0] as number) : 0;
    const norms = this.#norms ? this.#norms + 8 * j : 0;
    this.#engine.kernels().transform(kind, gamma, coef0, degree, values, count, norm, norms);
  }

  /** Fills `out`, f64[rows · rows], block by block: each pair once, then mirrored. */
  *matrix(out: number, due: Due): Generator<void> {
    const { rows: n, cols: d, element, offset } = this.#X;
    const { arena } = this.#engine;
    const kernels = this.#engine.kernels();
    const size = blockOf(n);
    const scratch = arena.allocate(TILE_BYTES + 2 * copyBytes(size, element, d), `blocks of ${size} rows`, false);
    try {
      for (let j = 0; j < n; j += size) {
        const nj = Math.min(size, n - j);
        const b = offset + element * j * d;
        for (let i = j; i < n; i += size) {
          const ni = Math.min(size, n - i);
          const a = offset + element * i * d;
          const to = out + 8 * (i * n + j);
          for (let k = 0; k < d; k += at.PANEL) {
            kernels.pairPanel(element, a, ni, element, b, nj, d, k, i === j, to, n, scratch.offset);
            if (due()) yield;
          }
          for (let p = i; p < i + ni; p++) this.#transform(out + 8 * (p * n + j), Math.min(nj, p - j + 1), p, j);
          kernels.mirror(out, n, i, ni, j, nj);
        }
      }
    } finally {
      arena.release(scratch);
    }
  }

  /** out[j] = K(x_i, x_j) for all rows j: row i of the matrix. */
  *row(i: number, out: number, due: Due): Generator<void> {
    yield* this.#against(this.#wide(i), out, due);
    this.#transform(out, this.#X.rows, i, 0);
  }

  /** out[j] = K(z, x_j) for all rows j, z being row `r` of other rows. */
  other(others: OtherRows, r: number, out: number): void {
    this.#expectFinite(others, r, 1);
    for (const _ of this.#against(others.offset + 8 * r * this.#X.cols, out, never));
    this.#transformOther(others, r, out);
  }

  /**
   * Fills `out`, f64[count · rows]: K(z, x_j) for all rows j, row after row of `count` other rows z from `from` on; the
   * same bits as `other` for each, at the speed of the matrix.
   */
  *block(others: OtherRows, from: number, count: number, out: number, due: Due): Generator<void> {
    this.#expectFinite(others, from, count);
    const { rows: n, cols: d } = this.#X;
    const z = others.offset + 8 * from * d;
    // A lone row would leave three quarters of each tile idle: it is taken for the other one.
    if (n === 1) this.#engine.kernels().pairRow(8, z, count, d, this.#wide(0), out, this.#scratch.offset);
    else yield* this.#products(z, count, out, due);
    for (let r = 0; r < count; r++) this.#transformOther(others, from + r, out + 8 * r * n);
  }

  /** out[r][j] = z_r · x_j for `count` rows of f64[d] at z and all rows j. */
  *#products(z: number, count: number, out: number, due: Due): Generator<void> {
    const { rows: n, cols: d, element, offset } = this.#X;
    const { arena } = this.#engine;
    const kernels = this.#engine.kernels();
    const [height, width] = [blockOf(count), blockOf(n)];
    const bytes = TILE_BYTES + copyBytes(height, 8, d) + copyBytes(width, element, d);
    const scratch = arena.allocate(bytes, `blocks of ${height} and ${width} rows`, false);
    try {
      for (let j = 0; j < n; j += width) {
        const nj = Math.min(width, n - j);
        const b = offset + element * j * d;
        for (let r = 0; r < count; r += height) {
          const nr = Math.min(height, count - r);
          const a = z + 8 * r * d;
          const to = out + 8 * (r * n + j);
          for (let k = 0; k < d; k += at.PANEL) {
            kernels.pairPanel(8, a, nr, element, b, nj, d, k, false, to, n, scratch.offset);
            if (due()) yield;
          }
        }
      }
    } finally {
      arena.release(scratch);
    }
  }

  /** Refuses rows of others that RBF kernels cannot take: exp would make 0 of an infinity. */
  #expectFinite({ norms }: OtherRows, from: number, count: number): void {
    if (this.#kernel.kind !== at.RBF || norms.subarray(from, from + count).every(Number.isFinite)) return;
    throw new RangeError('the rbf kernel overflows: the values of a row are too large');
  }

  /** Dot products of row r of others with all rows become kernels. */
  #transformOther({ norms }: OtherRows, r: number, values: number): void {
    const { kind, gamma, coef0, degree } = this.#kernel;
    if (kind === at.LINEAR) return;
    this.#engine.kernels().transform(kind, gamma, coef0, degree, values, this.#X.rows, norms[r] ?? 0, this.#norms);
  }

  /** out[j] = z · x_j for all rows j. */
  *#against(z: number, out: number, due: Due): Generator<void> {
    const { rows: n, cols: d, element, offset } = this.#X;
    const kernels = this.#engine.kernels();
    const together = Math.max(12, Math.floor(CALL_VALUES / d));
    for (let j = 0; j < n; j += together) {
      const count = Math.min(together, n - j);
      kernels.pairRow(element, offset + element * j * d, count, d, z, out + 8 * j, this.#scratch.offset);
      if (due()) yield;
    }
  }

  release(): void {
    this.#engine.arena.release(this.#scratch);
  }
}

/** ‖x_i‖² of each row, order P. */
export function squaredNormsOf({ rows, cols, element, offset, window }: ArenaRows, engine: BoundEngine): Float64Array {
  const { arena } = engine;
  if (window) {
    const kernels = engine.kernels();
    return window.map((count, out) => kernels.squaredNorms(element, window.offset, count, cols, out));
  }
  const block = arena.allocate(8 * rows, `norms of ${rows} rows`, false);
  try {
    engine.kernels().squaredNorms(element, offset, rows, cols, block.offset);
    return arena.f64(block.offset, rows).slice();
  } finally {
    arena.release(block);
  }
}

export const never: Due = () => false;

/** Rows from elsewhere, brought into the arena as float64 for as long as they are needed, with their norms. */
export interface OtherRows {
  readonly offset: number;
  readonly norms: Float64Array;
  release(): void;
}

export function bringOthers(data: Float64Array | Float32Array, cols: number, engine: BoundEngine): OtherRows {
  const { arena } = engine;
  const rows = data.length / cols;
  const block = arena.allocate(8 * (data.length + rows), `${rows} × ${cols} values`, false);
  arena.f64(block.offset, data.length).set(data);
  const norms = block.offset + 8 * data.length;
  engine.kernels().squaredNorms(8, block.offset, rows, cols, norms);
  return {
    offset: block.offset,
    norms: arena.f64(norms, rows).slice(),
    release: () => arena.release(block),
  };
}

/** The error for a kernel that is not finite. */
export function pairOverflow(i: number, j: number, value: number, type: string): RangeError {
  const remedy = type === 'polynomial' ? 'scale X down, or use a smaller gamma, coef0 or degree' : 'scale X down';
  const rows = i === j ? `row ${i} with itself` : `rows ${i} and ${j}`;
  return new RangeError(`the ${type} kernel of X ${rows} overflows to ${value}: ${remedy}`);
}
