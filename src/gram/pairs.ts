// The kernel function of pairs of rows, K(x_i, x_j): all pairs, or rows against all. In order P the results are bit-identical
// (docs/adr/0003), however they were computed and whether rows are dense or sparse.
//
// The subclasses list the calls of kernels that compute dot products. Pairs runs them, here or on threads, and makes K of them.

import * as at from '../../assembly/layout.js';
import { type Clock, type Pausing, runCalls, waitFor } from '../async/pausing.js';
import { type ArenaRows, firstBad, wideRowAt } from '../data/arenarows.js';
import type { KeptRows } from '../data/kept.js';
import { type ByColumns, byColumns, normCalls, squaredNormsOf } from '../data/products.js';
import type { BoundEngine, Kernels } from '../engine/contract.js';
import { power } from '../engine/js/exp.js';
import type { Block } from '../memory/arena.js';
import { aligned } from '../memory/freelist.js';
import type { Item } from '../worker/taskrunner.js';
import { type Resources, threadsFor } from '../worker/threads.js';
import type { KernelFunction } from './kernel.js';

/** Rows that are not rows of X, with their norms: dense in any storage, or sparse as X is. */
export interface OtherRows {
  readonly rows: ArenaRows;
  readonly norms: Float64Array;
}

/** The call that makes kernels of dot products. */
export type TransformCall = readonly ['transform', ...Parameters<Kernels['transform']>];

/** Calls of kernels to run, and the bytes of scratch that each item needs. */
export interface Plan {
  readonly items: Iterable<Item>;
  readonly bytes: number;
}

/** Bytes for one product. */
const ONE_BYTES = 16;

/** The kernel function of pairs with rows of X. Holds scratch until `release`. */
export abstract class Pairs {
  protected readonly engine: BoundEngine;
  protected readonly X: ArenaRows;
  /** GROUP_BYTES of scratch; then room for one product, for a row as float64, and for the norms. */
  protected readonly group: number;
  protected readonly one: number;
  readonly #wide: number;
  readonly #norms: number;
  #hasNorms = false;
  readonly #scratch: Block;
  readonly #kernel: KernelFunction;
  /** Whether dot products are kernels already. */
  protected readonly isLinear: boolean;
  readonly #first: number;
  /** Sparse rows by columns, made at first use: they take as much memory as the rows. */
  #columns: ByColumns | undefined;
  #hasColumns = false;

  /** X may be a part of the caller's rows, from row `first` on. */
  constructor(engine: BoundEngine, X: ArenaRows, kernel: KernelFunction, first = 0) {
    this.engine = engine;
    this.X = X;
    this.#kernel = kernel;
    this.isLinear = kernel.kind === at.LINEAR;
    this.#first = first;
    const wide = X.store ? 0 : aligned(8 * X.cols);
    const normBytes = kernel.kind === at.RBF ? 8 * X.rows : 0;
    const bytes = at.GROUP_BYTES + ONE_BYTES + wide + normBytes;
    this.#scratch = engine.arena.allocate(bytes, `kernels of ${X.rows} × ${X.cols} values`, false);
    this.group = this.#scratch.offset;
    this.one = this.group + at.GROUP_BYTES;
    this.#wide = this.one + ONE_BYTES;
    this.#norms = normBytes > 0 ? this.#wide + wide : 0;
  }

  /** Fills `out`, f64[rows · rows], with K of all pairs. */
  abstract matrix(out: number, resources: Resources): Pausing<void>;
  /** out[j] = z · x_j for all rows j and each row z of Z, row after row. */
  protected abstract against(Z: ArenaRows, out: number, resources: Resources): Pausing<void>;
  /** The dot product of two rows. */
  protected abstract product(i: number, j: number): number;
  /** Copies rows of a model in: dense where X is, sparse where X is. */
  protected abstract rowsOf(kept: KeptRows): ArenaRows;

  /** Copies rows of a model in, to be paired with rows of X. */
  copyIn(kept: KeptRows): OtherRows {
    const rows = this.rowsOf(kept);
    try {
      return { rows, norms: squaredNormsOf(rows, this.engine) };
    } catch (error) {
      rows.release();
      throw error;
    }
  }

  /**
   * Runs work of about so many values: on threads if that is worth it and they are available; else here, with `scratch` if given.
   * 0 values: never on threads. Before it, computes the norms and stores sparse rows by columns, if needed.
   */
  protected *run(
    planFor: (threads: number) => Plan,
    values: number,
    resources: Resources,
    scratch?: number,
  ): Pausing<void> {
    const { engine, X } = this;
    const { clock } = resources;
    if (this.#norms && !this.#hasNorms) yield* this.#fillNorms(clock);
    const threads = values > 0 && resources.threads ? yield* threadsFor(resources, values) : undefined;
    if (X.store && !this.#hasColumns) yield* this.#fillColumns(clock);
    if (threads) {
      const { items, bytes } = planFor(threads.limit);
      if (yield* waitFor(threads.each(items, bytes, X.store !== undefined))) return;
    }
    const { items, bytes } = planFor(1);
    const own = scratch ?? this.#columns?.lanes;
    const block = own === undefined ? engine.arena.allocate(bytes, `products of ${X.rows} rows`, false) : undefined;
    try {
      for (const item of items) {
        for (const part of item) yield* runCalls(engine, part(own ?? (block as Block).offset), clock);
      }
    } finally {
      if (block) engine.arena.release(block);
    }
  }

  *#fillColumns(clock: Clock): Pausing<void> {
    this.releaseColumns(); // an abort may have left some
    const made = byColumns(this.X, this.engine);
    this.#columns = made;
    yield* runCalls(this.engine, made.calls, clock);
    this.#hasColumns = true;
  }

  /** Sparse rows by columns, in `run`. */
  protected get columns(): ByColumns {
    return this.#columns as ByColumns;
  }

  /** @throws RangeError for RBF if the norm of a row is not finite: exp would turn an infinity into 0 silently */
  *#fillNorms(clock: Clock): Pausing<void> {
    yield* runCalls(this.engine, normCalls(this.X, this.#norms), clock);
    const bad = this.engine.arena.f64(this.#norms, this.X.rows).findIndex((norm) => !Number.isFinite(norm));
    if (bad >= 0) throw firstBad(this.X) ?? pairOverflow(this.#first + bad, this.#first + bad, NaN, 'rbf');
    this.#hasNorms = true;
  }

  /** The byte offset of dense row i as float64: in place, or of a copy, which the next call overwrites. */
  protected wideAt(rows: ArenaRows, i: number): number {
    return wideRowAt(rows, i, this.engine.arena, this.#wide);
  }

  /** The kernel function of one pair, given its dot product. */
  #kernelOf(g: number, i: number, j: number): number {
    const value = this.engine.arena.f64(this.one, 1);
    value[0] = g;
    this.#transform(this.one, 1, this.normOf(i), j);
    return value[0] as number;
  }

  /** ‖x_i‖² of all rows. */
  *#squaredNorms({ clock }: Resources): Pausing<Float64Array> {
    const { engine, X } = this;
    const block = engine.arena.allocate(8 * X.rows, `norms of ${X.rows} rows`, false);
    try {
      yield* runCalls(engine, normCalls(X, block.offset), clock);
      return engine.arena.f64(block.offset, X.rows).slice();
    } finally {
      engine.arena.release(block);
    }
  }

  /** K(x_i, x_i) for all rows. */
  *diagonal(resources: Resources): Pausing<Float64Array> {
    if (this.#norms && !this.#hasNorms) yield* this.#fillNorms(resources.clock);
    return (yield* this.#squaredNorms(resources)).map((norm, i) => this.#kernelOf(norm, i, i));
  }

  /** K(x_i, x_{i+1}) for all rows but the last. */
  neighbours(): number[] {
    return Array.from({ length: this.X.rows - 1 }, (_, i) => this.#kernelOf(this.product(i, i + 1), i, i + 1));
  }

  /** An upper bound of |K(x_i, x_j)| over all pairs, by the Cauchy–Schwarz inequality. */
  *bound(resources: Resources): Pausing<number> {
    const { kind, gamma, coef0, degree } = this.#kernel;
    if (kind === at.RBF) return 1;
    const norm = (yield* this.#squaredNorms(resources)).reduce((a, b) => Math.max(a, b), 0);
    return kind === at.LINEAR ? norm : power(gamma * norm + Math.abs(coef0), degree);
  }

  #transform(values: number, count: number, norm: number, j: number): void {
    for (const [, ...numbers] of this.transforming(values, count, norm, j)) this.engine.kernels().transform(...numbers);
  }

  /** ‖x_i‖² if the kernel function needs it, else 0. */
  protected normOf(i: number): number {
    return this.#norms ? (this.engine.arena.f64(this.#norms + 8 * i, 1)[0] as number) : 0;
  }

  /** The calls that replace dot products by K: those of a row of this norm with `count` rows from j on. None for the linear kernel. */
  protected transforming(values: number, count: number, norm: number, j: number): TransformCall[] {
    const { kind, gamma, coef0, degree } = this.#kernel;
    if (kind === at.LINEAR) return [];
    return [['transform', kind, gamma, coef0, degree, values, count, norm, this.#norms ? this.#norms + 8 * j : 0]];
  }

  /** out[j] = K(x_i, x_j) for all rows j: row i of the matrix. */
  *row(i: number, out: number, resources: Resources): Pausing<void> {
    yield* this.against(this.X.part(i, 1), out, resources);
    this.#transform(out, this.X.rows, this.normOf(i), 0);
  }

  /**
   * Fills `out`, f64[count · rows]: K(z, x_j) for all rows j, for `count` rows z of `others` from `from` on.
   * @throws RangeError for RBF if the norm of a row is not finite: exp would turn an infinity into 0 silently
   */
  *block(others: OtherRows, from: number, count: number, out: number, resources: Resources): Pausing<void> {
    const { X } = this;
    yield* this.against(others.rows.part(from, count), out, resources);
    if (this.#norms && !others.norms.subarray(from, from + count).every(Number.isFinite)) {
      throw new RangeError('the rbf kernel overflows: the values of a row are too large');
    }
    for (let r = 0; r < count; r++) {
      this.#transform(out + 8 * r * X.rows, X.rows, others.norms[from + r] as number, 0);
    }
  }

  /** Releases the rows by columns, which a matrix replaces. */
  releaseColumns(): void {
    if (this.#columns) this.engine.arena.release(this.#columns.block);
    this.#columns = undefined;
    this.#hasColumns = false;
  }

  release(): void {
    if (this.#columns) this.releaseColumns();
    this.engine.arena.release(this.#scratch);
  }
}

/** The error for a K(x_i, x_j) that is not finite. */
export function pairOverflow(i: number, j: number, value: number, type: string): RangeError {
  const remedy = type === 'polynomial' ? 'scale X down, or use a smaller gamma, coef0 or degree' : 'scale X down';
  const rows = i === j ? `row ${i} with itself` : `rows ${i} and ${j}`;
  return new RangeError(`the ${type} kernel of X ${rows} overflows to ${value}: ${remedy}`);
}
