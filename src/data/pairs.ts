// Pairs of rows under a kernel, K(x_i, x_j): all of them, one row against all, or some other rows. In order P all have the
// same bits (docs/adr/0003): whoever holds a row need not know how it was made, nor whether it was dense or sparse.

import * as at from '../../assembly/layout.js';
import { finish, inOneGo, type Pace, type Sliced } from '../async/sliced.js';
import type { BoundEngine, Kernels } from '../engine/contract.js';
import { power } from '../engine/js/exp.js';
import type { Block } from '../memory/arena.js';
import { type ArenaRows, findBad } from './arenarows.js';
import type { KeptRows } from './kept.js';
import type { KernelFunction } from './kernel.js';

/** Rows from elsewhere, in the arena for as long as they are needed, stored as the pairs they are for; with their norms. */
export interface OtherRows {
  readonly offset: number;
  readonly norms: Float64Array;
  release(): void;
}

type TransformCall = ['transform', ...Parameters<Kernels['transform']>];

/** Pairs with rows X under a kernel: whole Gram matrices, one row against all, or other rows. Holds scratch until released. */
export abstract class Pairs {
  protected readonly engine: BoundEngine;
  protected readonly X: ArenaRows;
  readonly #kernel: KernelFunction;
  readonly #scratch: Block;
  readonly #norms: number;

  readonly #first: number;

  /** X may be a part of the caller's rows, from row `first` on; `bytes` of scratch are for whoever extends this. */
  constructor(engine: BoundEngine, X: ArenaRows, kernel: KernelFunction, first: number, bytes: number) {
    this.engine = engine;
    this.X = X;
    this.#kernel = kernel;
    const normBytes = kernel.kind === at.RBF ? 8 * X.rows : 0;
    const what = `kernels of ${X.rows} × ${X.cols} values`;
    this.#scratch = engine.arena.allocate(at.GROUP_BYTES + bytes + normBytes, what, false);
    this.#norms = normBytes > 0 ? this.own + bytes : 0;
    this.#first = first;
  }

  /**
   * To be done before all else: norms, where the kernel needs them.
   * @throws RangeError for RBF, if a row has no finite norm: exp would make 0 of an infinity, and nobody would know
   */
  *prepare(pace: Pace): Sliced<void> {
    if (!this.#norms) return;
    yield* fillNorms(this.X, this.engine, this.#norms, pace);
    const bad = this.engine.arena.f64(this.#norms, this.X.rows).findIndex((norm) => !Number.isFinite(norm));
    if (bad < 0) return;
    throw (yield* findBad(this.X, pace)) ?? pairOverflow(this.#first + bad, this.#first + bad, NaN, 'rbf');
  }

  /** GROUP_BYTES of scratch. */
  protected get group(): number {
    return this.#scratch.offset;
  }

  /** The scratch that was asked for. */
  protected get own(): number {
    return this.#scratch.offset + at.GROUP_BYTES;
  }

  /** Dot products of each row with the next one. */
  protected abstract neighbourProducts(): Generator<number>;
  /** out[j] = x_i · x_j for all rows j. */
  protected abstract rowProducts(i: number, out: number, pace: Pace): Sliced<void>;
  /** out[j] = z · x_j for all rows j, z being row r of others. */
  protected abstract otherProducts(others: OtherRows, r: number, out: number, pace: Pace): Sliced<void>;
  /** The same for `count` others from `from` on, row after row. */
  protected abstract blockProducts(
    others: OtherRows,
    from: number,
    count: number,
    out: number,
    pace: Pace,
  ): Sliced<void>;
  /** Fills `out`, f64[rows · rows]. */
  abstract matrix(out: number, pace: Pace): Sliced<void>;
  /** Rows a model kept, to be paired with these. */
  abstract bring(kept: KeptRows): OtherRows;

  /** The kernel of one pair, given its dot product. */
  #one(g: number, i: number, j: number): number {
    const value = this.engine.arena.f64(this.group, 1);
    value[0] = g;
    this.transform(this.group, 1, i, j);
    return value[0] as number;
  }

  /** K(x_i, x_i) for all rows. */
  *diagonal(pace: Pace): Sliced<Float64Array> {
    return (yield* squaredNorms(this.X, this.engine, pace)).map((norm, i) => this.#one(norm, i, i));
  }

  /** K(x_i, x_{i+1}) for all rows but the last. */
  *neighbours(): Generator<number> {
    let i = 0;
    for (const product of this.neighbourProducts()) {
      yield this.#one(product, i, i + 1);
      i++;
    }
  }

  /** No |K(x_i, x_j)| of two rows is larger: by the inequality of Cauchy and Schwarz. */
  *bound(pace: Pace): Sliced<number> {
    const { kind, gamma, coef0, degree } = this.#kernel;
    if (kind === at.RBF) return 1;
    const norm = (yield* squaredNorms(this.X, this.engine, pace)).reduce((a, b) => Math.max(a, b), 0);
    return kind === at.LINEAR ? norm : power(gamma * norm + Math.abs(coef0), degree);
  }

  /** Dot products of row i with `count` rows from j on become kernels. */
  protected transform(values: number, count: number, i: number, j: number): void {
    for (const [, ...numbers] of this.transforming(values, count, i, j)) this.engine.kernels().transform(...numbers);
  }

  /** The call that does it; none where products are kernels already. */
  protected transforming(values: number, count: number, i: number, j: number): TransformCall[] {
    const { kind, gamma, coef0, degree } = this.#kernel;
    if (kind === at.LINEAR) return [];
    const norm = this.#norms ? (this.engine.arena.f64(this.#norms + 8 * i, 1)[0] as number) : 0;
    const norms = this.#norms ? this.#norms + 8 * j : 0;
    return [['transform', kind, gamma, coef0, degree, values, count, norm, norms]];
  }

  /** out[j] = K(x_i, x_j) for all rows j: row i of the matrix. */
  *row(i: number, out: number, pace: Pace): Sliced<void> {
    yield* this.rowProducts(i, out, pace);
    this.transform(out, this.X.rows, i, 0);
  }

  /** out[j] = K(z, x_j) for all rows j, z being row `r` of other rows. */
  *other(others: OtherRows, r: number, out: number, pace: Pace): Sliced<void> {
    this.#expectFinite(others, r, 1);
    yield* this.otherProducts(others, r, out, pace);
    this.#transformOther(others, r, out);
  }

  /**
   * Fills `out`, f64[count · rows]: K(z, x_j) for all rows j, row after row of `count` other rows z from `from` on; the
   * same bits as `other` for each, at the speed of the matrix.
   */
  *block(others: OtherRows, from: number, count: number, out: number, pace: Pace): Sliced<void> {
    this.#expectFinite(others, from, count);
    yield* this.blockProducts(others, from, count, out, pace);
    for (let r = 0; r < count; r++) this.#transformOther(others, from + r, out + 8 * r * this.X.rows);
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
    this.engine.kernels().transform(kind, gamma, coef0, degree, values, this.X.rows, norms[r] ?? 0, this.#norms);
  }

  release(): void {
    this.engine.arena.release(this.#scratch);
  }
}

/** Values that one call of a kernel goes through, at most: some milliseconds on the slowest engine. */
const CALL_VALUES = 2 ** 21;

/** ‖x_i‖² of each row, order P, to f64[rows] at `out`. */
function* fillNorms(X: ArenaRows, engine: BoundEngine, out: number, pace: Pace): Sliced<void> {
  const together = Math.ceil(CALL_VALUES / Math.max(1, X.valuesPerRow));
  for (let i = 0; i < X.rows; i += together) {
    const count = Math.min(together, X.rows - i);
    engine.kernels().squaredNorms(X.element, X.rowAt(i), count, X.cols, out + 8 * i);
    if (pace.due()) yield;
  }
}

/** ‖x_i‖² of each row, order P. */
export const squaredNormsOf = (X: ArenaRows, engine: BoundEngine): Float64Array =>
  finish(squaredNorms(X, engine, inOneGo));

/** The same in slices; in a window without. */
export function* squaredNorms(X: ArenaRows, engine: BoundEngine, pace: Pace): Sliced<Float64Array> {
  const { rows, cols, element, window } = X;
  const { arena } = engine;
  if (window) {
    const kernels = engine.kernels();
    return window.map((count, out) => kernels.squaredNorms(element, window.offset, count, cols, out));
  }
  const block = arena.allocate(8 * rows, `norms of ${rows} rows`, false);
  try {
    yield* fillNorms(X, engine, block.offset, pace);
    return arena.f64(block.offset, rows).slice();
  } finally {
    arena.release(block);
  }
}

/** The error for a kernel that is not finite. */
export function pairOverflow(i: number, j: number, value: number, type: string): RangeError {
  const remedy = type === 'polynomial' ? 'scale X down, or use a smaller gamma, coef0 or degree' : 'scale X down';
  const rows = i === j ? `row ${i} with itself` : `rows ${i} and ${j}`;
  return new RangeError(`the ${type} kernel of X ${rows} overflows to ${value}: ${remedy}`);
}
