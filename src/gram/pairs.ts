// The kernel function of pairs of rows, K(x_i, x_j): all pairs, one row against all, or other rows against all. In order P the
// results are bit-identical (docs/adr/0003), however they were computed and whether rows are dense or sparse.

import * as at from '../../assembly/layout.js';
import type { Pausing } from '../async/pausing.js';
import { type ArenaRows, firstBad } from '../data/arenarows.js';
import type { KeptRows } from '../data/kept.js';
import { fillNorms, squaredNorms } from '../data/products.js';
import type { BoundEngine, Kernels } from '../engine/contract.js';
import { power } from '../engine/js/exp.js';
import type { Block } from '../memory/arena.js';
import type { Resources } from '../worker/threads.js';
import type { KernelFunction } from './kernel.js';

/** Rows that are not rows of X, copied into the arena in the storage of the pairs, with their norms. */
export interface OtherRows {
  readonly offset: number;
  readonly norms: Float64Array;
  release(): void;
}

type TransformCall = ['transform', ...Parameters<Kernels['transform']>];

/** The kernel function of pairs with rows of X. Holds scratch until `release`. */
export abstract class Pairs {
  protected readonly engine: BoundEngine;
  protected readonly X: ArenaRows;
  readonly #kernel: KernelFunction;
  /** Whether dot products are kernels already. */
  protected readonly isLinear: boolean;
  readonly #scratch: Block;
  readonly #norms: number;

  readonly #first: number;

  /** X may be a part of the caller's rows, from row `first` on; `bytes` is the scratch of the subclass. */
  constructor(engine: BoundEngine, X: ArenaRows, kernel: KernelFunction, first: number, bytes: number) {
    this.engine = engine;
    this.X = X;
    this.#kernel = kernel;
    this.isLinear = kernel.kind === at.LINEAR;
    const normBytes = kernel.kind === at.RBF ? 8 * X.rows : 0;
    const what = `kernels of ${X.rows} × ${X.cols} values`;
    this.#scratch = engine.arena.allocate(at.GROUP_BYTES + bytes + normBytes, what, false);
    this.#norms = normBytes > 0 ? this.own + bytes : 0;
    this.#first = first;
  }

  /**
   * Computes the norms if the kernel function needs them. Call it first.
   * @throws RangeError for RBF if the norm of a row is not finite: exp would turn an infinity into 0 silently
   */
  *prepare(resources: Resources): Pausing<void> {
    if (!this.#norms) return;
    yield* fillNorms(this.X, this.engine, this.#norms, resources.clock);
    const bad = this.engine.arena.f64(this.#norms, this.X.rows).findIndex((norm) => !Number.isFinite(norm));
    if (bad < 0) return;
    throw firstBad(this.X) ?? pairOverflow(this.#first + bad, this.#first + bad, NaN, 'rbf');
  }

  /** GROUP_BYTES of scratch. */
  protected get group(): number {
    return this.#scratch.offset;
  }

  /** Byte offset of the subclass's scratch. */
  protected get own(): number {
    return this.#scratch.offset + at.GROUP_BYTES;
  }

  /** Dot products of each row with the next one. */
  protected abstract neighbourProducts(): number[];
  /** out[j] = x_i · x_j for all rows j. */
  protected abstract rowProducts(i: number, out: number, resources: Resources): Pausing<void>;
  /** out[j] = z · x_j for all rows j; z is row r of `others`. */
  protected abstract otherProducts(others: OtherRows, r: number, out: number, resources: Resources): Pausing<void>;
  /** The same for `count` rows of `others` from `from` on, row after row. */
  protected abstract blockProducts(
    others: OtherRows,
    from: number,
    count: number,
    out: number,
    resources: Resources,
  ): Pausing<void>;
  /** Fills `out`, f64[rows · rows]. */
  abstract matrix(out: number, resources: Resources): Pausing<void>;
  /** Copies rows of a model in, to be paired with rows of X. */
  abstract copyIn(kept: KeptRows): OtherRows;

  /** The kernel function of one pair, given its dot product. */
  #one(g: number, i: number, j: number): number {
    const value = this.engine.arena.f64(this.group, 1);
    value[0] = g;
    this.transform(this.group, 1, i, j);
    return value[0] as number;
  }

  /** K(x_i, x_i) for all rows. */
  *diagonal(resources: Resources): Pausing<Float64Array> {
    return (yield* squaredNorms(this.X, this.engine, resources.clock)).map((norm, i) => this.#one(norm, i, i));
  }

  /** K(x_i, x_{i+1}) for all rows but the last. */
  neighbours(): number[] {
    return this.neighbourProducts().map((product, i) => this.#one(product, i, i + 1));
  }

  /** An upper bound of |K(x_i, x_j)| over all pairs, by the Cauchy–Schwarz inequality. */
  *bound(resources: Resources): Pausing<number> {
    const { kind, gamma, coef0, degree } = this.#kernel;
    if (kind === at.RBF) return 1;
    const norm = (yield* squaredNorms(this.X, this.engine, resources.clock)).reduce((a, b) => Math.max(a, b), 0);
    return kind === at.LINEAR ? norm : power(gamma * norm + Math.abs(coef0), degree);
  }

  /** Replaces the dot products of row i with `count` rows from j on by K. */
  protected transform(values: number, count: number, i: number, j: number): void {
    for (const [, ...numbers] of this.transforming(values, count, i, j)) this.engine.kernels().transform(...numbers);
  }

  /** The call that does so; none for the linear kernel. */
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

  /** out[j] = K(z, x_j) for all rows j; z is row `r` of `others`. */
  *other(others: OtherRows, r: number, out: number, resources: Resources): Pausing<void> {
    this.#expectFinite(others, r, 1);
    yield* this.otherProducts(others, r, out, resources);
    this.#transformOther(others, r, out);
  }

  /**
   * Fills `out`, f64[count · rows]: K(z, x_j) for all rows j, for `count` rows z of `others` from `from` on. Bit-identical to
   * `other` for each of them, at the speed of the matrix.
   */
  *block(others: OtherRows, from: number, count: number, out: number, resources: Resources): Pausing<void> {
    this.#expectFinite(others, from, count);
    yield* this.blockProducts(others, from, count, out, resources);
    for (let r = 0; r < count; r++) this.#transformOther(others, from + r, out + 8 * r * this.X.rows);
  }

  /** @throws RangeError for RBF if the norm of a row is not finite: exp would turn an infinity into 0 */
  #expectFinite({ norms }: OtherRows, from: number, count: number): void {
    if (this.#kernel.kind !== at.RBF || norms.subarray(from, from + count).every(Number.isFinite)) return;
    throw new RangeError('the rbf kernel overflows: the values of a row are too large');
  }

  /** Replaces the dot products of row r of `others` with all rows by K. */
  #transformOther({ norms }: OtherRows, r: number, values: number): void {
    const { kind, gamma, coef0, degree } = this.#kernel;
    if (kind === at.LINEAR) return;
    this.engine.kernels().transform(kind, gamma, coef0, degree, values, this.X.rows, norms[r] ?? 0, this.#norms);
  }

  release(): void {
    this.engine.arena.release(this.#scratch);
  }
}

/** The error for a K(x_i, x_j) that is not finite. */
export function pairOverflow(i: number, j: number, value: number, type: string): RangeError {
  const remedy = type === 'polynomial' ? 'scale X down, or use a smaller gamma, coef0 or degree' : 'scale X down';
  const rows = i === j ? `row ${i} with itself` : `rows ${i} and ${j}`;
  return new RangeError(`the ${type} kernel of X ${rows} overflows to ${value}: ${remedy}`);
}
