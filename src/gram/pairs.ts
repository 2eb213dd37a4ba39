// Pairs of rows under a kernel, K(x_i, x_j): all of them, one row against all, or some other rows. In order P all have the
// same bits (docs/adr/0003): whoever holds a row need not know how it was made, nor whether it was dense or sparse.

import * as at from '../../assembly/layout.js';
import { finish, type Pausing } from '../async/pausing.js';
import { type ArenaRows, firstBad } from '../data/arenarows.js';
import type { KeptRows } from '../data/kept.js';
import type { BoundEngine, Kernels } from '../engine/contract.js';
import { power } from '../engine/js/exp.js';
import type { Block } from '../memory/arena.js';
import { ALONE, type Resources } from '../worker/threads.js';
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
  *prepare(resources: Resources): Pausing<void> {
    if (!this.#norms) return;
    yield* fillNorms(this.X, this.engine, this.#norms, resources);
    const bad = this.engine.arena.f64(this.#norms, this.X.rows).findIndex((norm) => !Number.isFinite(norm));
    if (bad < 0) return;
    throw firstBad(this.X) ?? pairOverflow(this.#first + bad, this.#first + bad, NaN, 'rbf');
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
  protected abstract neighbourProducts(): number[];
  /** out[j] = x_i · x_j for all rows j. */
  protected abstract rowProducts(i: number, out: number, resources: Resources): Pausing<void>;
  /** out[j] = z · x_j for all rows j, z being row r of others. */
  protected abstract otherProducts(others: OtherRows, r: number, out: number, resources: Resources): Pausing<void>;
  /** The same for `count` others from `from` on, row after row. */
  protected abstract blockProducts(
    others: OtherRows,
    from: number,
    count: number,
    out: number,
    resources: Resources,
  ): Pausing<void>;
  /** Fills `out`, f64[rows · rows]. */
  abstract matrix(out: number, resources: Resources): Pausing<void>;
  /** Rows a model kept, to be paired with these. */
  abstract copyIn(kept: KeptRows): OtherRows;

  /** The kernel of one pair, given its dot product. */
  #one(g: number, i: number, j: number): number {
    const value = this.engine.arena.f64(this.group, 1);
    value[0] = g;
    this.transform(this.group, 1, i, j);
    return value[0] as number;
  }

  /** K(x_i, x_i) for all rows. */
  *diagonal(resources: Resources): Pausing<Float64Array> {
    return (yield* squaredNorms(this.X, this.engine, resources)).map((norm, i) => this.#one(norm, i, i));
  }

  /** K(x_i, x_{i+1}) for all rows but the last. */
  neighbours(): number[] {
    return this.neighbourProducts().map((product, i) => this.#one(product, i, i + 1));
  }

  /** No |K(x_i, x_j)| of two rows is larger: by the inequality of Cauchy and Schwarz. */
  *bound(resources: Resources): Pausing<number> {
    const { kind, gamma, coef0, degree } = this.#kernel;
    if (kind === at.RBF) return 1;
    const norm = (yield* squaredNorms(this.X, this.engine, resources)).reduce((a, b) => Math.max(a, b), 0);
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
  *row(i: number, out: number, resources: Resources): Pausing<void> {
    yield* this.rowProducts(i, out, resources);
    this.transform(out, this.X.rows, i, 0);
  }

  /** out[j] = K(z, x_j) for all rows j, z being row `r` of other rows. */
  *other(others: OtherRows, r: number, out: number, resources: Resources): Pausing<void> {
    this.#expectFinite(others, r, 1);
    yield* this.otherProducts(others, r, out, resources);
    this.#transformOther(others, r, out);
  }

  /**
   * Fills `out`, f64[count · rows]: K(z, x_j) for all rows j, row after row of `count` other rows z from `from` on; the
   * same bits as `other` for each, at the speed of the matrix.
   */
  *block(others: OtherRows, from: number, count: number, out: number, resources: Resources): Pausing<void> {
    this.#expectFinite(others, from, count);
    yield* this.blockProducts(others, from, count, out, resources);
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
function* fillNorms(X: ArenaRows, engine: BoundEngine, out: number, resources: Resources): Pausing<void> {
  const together = Math.ceil(CALL_VALUES / Math.max(1, X.valuesPerRow));
  for (let i = 0; i < X.rows; i += together) {
    const count = Math.min(together, X.rows - i);
    engine.kernels().squaredNorms(X.element, X.rowAt(i), count, X.cols, out + 8 * i);
    if (resources.clock.due()) yield;
  }
}

/** ‖x_i‖² of each row, order P. */
export const squaredNormsOf = (X: ArenaRows, engine: BoundEngine): Float64Array =>
  finish(squaredNorms(X, engine, ALONE));

/** The same, pausing. */
export function* squaredNorms(X: ArenaRows, engine: BoundEngine, resources: Resources): Pausing<Float64Array> {
  const { rows } = X;
  const { arena } = engine;
  const block = arena.allocate(8 * rows, `norms of ${rows} rows`, false);
  try {
    yield* fillNorms(X, engine, block.offset, resources);
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
