// Pairs of sparse rows: a row against all visits its columns, and for each column the rows that have it (Gustavson 1978), so
// that the work is proportional to the pairs of values that meet. This needs a copy of the rows by columns, made at first
// use: it takes as much memory as the rows.

import * as at from '../../assembly/layout.js';
import { type Pausing, waitFor } from '../async/pausing.js';
import { type ArenaRows, rowsOfStore } from '../data/arenarows.js';
import { rowAtEntry, storeOfRows } from '../data/csr.js';
import { entriesOfKept, type KeptRows } from '../data/kept.js';
import { type ByColumns, byColumns, squaredNormsOf } from '../data/products.js';
import type { BoundEngine } from '../engine/contract.js';
import { aligned } from '../memory/freelist.js';
import type { Call } from '../worker/protocol.js';
import type { Part, TaskRunner } from '../worker/taskrunner.js';
import { type Resources, threadsFor } from '../worker/threads.js';
import { DensePairs } from './densepairs.js';
import type { KernelFunction } from './kernel.js';
import { type OtherRows, Pairs } from './pairs.js';

/** The most values for one call of an engine kernel: some milliseconds on the slowest engine. */
const CALL_VALUES = 2 ** 19;

export class SparsePairs extends Pairs {
  #made: ByColumns | undefined;

  constructor(engine: BoundEngine, X: ArenaRows, kernel: KernelFunction, first = 0) {
    super(engine, X, kernel, first, 0);
  }

  /** The rows by columns, made at first use. */
  *#byColumns({ clock }: Resources): Pausing<ByColumns> {
    this.#made ??= yield* byColumns(this.X, this.engine, clock);
    return this.#made;
  }

  /** out[j] = z · x_j for all rows j; z is the byte offset of a row's entry. */
  *#against(z: number, out: number, resources: Resources): Pausing<void> {
    const { ends, rows, values, lanes } = yield* this.#byColumns(resources);
    this.engine.kernels().pairSparse(z, ends, rows, values, this.X.rows, lanes, out);
    if (resources.clock.due()) yield;
  }

  protected override neighbourProducts(): number[] {
    return Array.from({ length: this.X.rows - 1 }, (_, i) => this.#product(this.X.rowAt(i), this.X.rowAt(i + 1)));
  }

  /** The dot product of two rows alone, order P. */
  #product(a: number, b: number): number {
    const { arena } = this.engine;
    const other = rowAtEntry(arena, b);
    const found = new Map(Array.from(other.columns, (column, k) => [column, other.values[k] as number]));
    const own = rowAtEntry(arena, a);
    /** The lanes of each panel in which both rows have a column. */
    const lanes = new Map<number, [even: number, odd: number]>();
    own.columns.forEach((column, k) => {
      const value = found.get(column);
      if (value === undefined) return;
      const panel = Math.floor(column / at.PANEL);
      const sums = lanes.get(panel) ?? [0, 0];
      sums[column % 2 === 0 ? 0 : 1] += (own.values[k] as number) * value;
      lanes.set(panel, sums);
    });
    return [...lanes].sort(([p], [q]) => p - q).reduce((sum, [, [even, odd]]) => sum + (even + odd), 0);
  }

  override *matrix(out: number, resources: Resources): Pausing<void> {
    const { rows: n } = this.X;
    // An estimate of the products: as if all columns had equally many values.
    const values = ((n * this.X.valuesPerRow) / this.X.cols) * n * this.X.valuesPerRow;
    const threads = yield* threadsFor(resources, values);
    if (!threads || !(yield* this.#matrixOnThreads(out, resources, threads))) {
      for (let i = 0; i < n; i++) yield* this.row(i, out + 8 * n * i, resources);
    }
    this.#releaseColumns(); // the matrix replaces the rows by columns
  }

  /** Computes rows of the matrix on threads, some at a time; each thread has its own lanes. */
  *#matrixOnThreads(out: number, resources: Resources, threads: TaskRunner): Pausing<boolean> {
    const { rows: n } = this.X;
    const own = yield* this.#byColumns(resources);
    const most = Math.ceil(n / 8 / threads.limit);
    return yield* waitFor(threads.each(this.#someRows(out, own, most), aligned(16 * n), true));
  }

  /** Parts of up to `most` rows, by the products that each row takes: a few columns may have most of the values. */
  *#someRows(out: number, { ends, rows, values }: ByColumns, most: number): Generator<Part[]> {
    const { rows: n, cols } = this.X;
    const { arena } = this.engine;
    for (let from = 0, to = 0; from < n; from = to) {
      const list: number[] = [];
      const end = arena.u32(ends, cols);
      for (let products = 0; to < n && list.length < most && products < CALL_VALUES; to++) {
        list.push(to);
        products += n;
        for (const k of rowAtEntry(arena, this.X.rowAt(to)).columns) {
          products += (end[k] as number) - (k > 0 ? (end[k - 1] as number) : 0);
        }
      }
      yield [
        (lanes) =>
          list.flatMap((i): Call[] => {
            const at = out + 8 * n * i;
            return [
              ['pairSparse', this.X.rowAt(i), ends, rows, values, n, lanes, at],
              ...this.transforming(at, n, i, 0),
            ];
          }),
      ];
    }
  }

  override copyIn(kept: KeptRows): OtherRows {
    const rows = rowsOfStore(storeOfRows(entriesOfKept(kept), this.engine.arena));
    try {
      return {
        offset: rows.offset,
        norms: squaredNormsOf(rows, this.engine),
        release: () => rows.release(),
      };
    } catch (error) {
      rows.release();
      throw error;
    }
  }

  protected override *rowProducts(i: number, out: number, resources: Resources): Pausing<void> {
    yield* this.#against(this.X.rowAt(i), out, resources);
  }

  protected override otherProducts(others: OtherRows, r: number, out: number, resources: Resources): Pausing<void> {
    return this.#against(others.offset + at.ROW_BYTES * r, out, resources);
  }

  protected override *blockProducts(
    others: OtherRows,
    from: number,
    count: number,
    out: number,
    resources: Resources,
  ): Pausing<void> {
    for (let r = 0; r < count; r++) {
      yield* this.#against(others.offset + at.ROW_BYTES * (from + r), out + 8 * this.X.rows * r, resources);
    }
  }

  #releaseColumns(): void {
    if (this.#made) this.engine.arena.release(this.#made.block);
    this.#made = undefined;
  }

  override release(): void {
    this.#releaseColumns();
    super.release();
  }
}

/** Pairs with dense or sparse rows; X may be a part of the caller's rows, from row `first` on. */
export const pairsOf = (engine: BoundEngine, X: ArenaRows, kernel: KernelFunction, first = 0): Pairs =>
  X.store ? new SparsePairs(engine, X, kernel, first) : new DensePairs(engine, X, kernel, first);
