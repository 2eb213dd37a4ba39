// Pairs of sparse rows: a row against all visits its columns, and for each column the rows that have it (Gustavson 1978), so
// that the work is proportional to the pairs of values that meet. This needs a copy of the rows by columns.

import * as at from '../../assembly/layout.js';
import type { Pausing } from '../async/pausing.js';
import { type ArenaRows, rowsOfStore } from '../data/arenarows.js';
import { lengthOfRow, storeOfRows, visitEntry } from '../data/csr.js';
import { entriesOfKept, type KeptRows } from '../data/kept.js';
import { aligned } from '../memory/freelist.js';
import type { Call } from '../worker/protocol.js';
import type { Item } from '../worker/taskrunner.js';
import type { Resources } from '../worker/threads.js';
import { Pairs } from './pairs.js';

/** The most values for one call of an engine kernel: some milliseconds on the slowest engine. */
const CALL_VALUES = 2 ** 19;

export class SparsePairs extends Pairs {
  protected override against(Z: ArenaRows, out: number, resources: Resources): Pausing<void> {
    const calls = (lanes: number): Call[] =>
      Array.from({ length: Z.rows }, (_, r) => this.#rowCall(Z.rowAt(r), lanes, out + 8 * this.X.rows * r));
    return this.run(() => ({ items: [[calls]], bytes: 0 }), 0, resources);
  }

  #rowCall(z: number, lanes: number, out: number): Call {
    const { ends, rows, values } = this.columns;
    return ['pairSparse', z, ends, rows, values, this.X.rows, lanes, out];
  }

  /** Computes rows of the matrix, some at a time; each thread has its own lanes. */
  override matrix(out: number, resources: Resources): Pausing<void> {
    const { rows: n, cols, valuesPerRow } = this.X;
    // An estimate of the products: as if all columns had equally many values.
    const products = ((n * valuesPerRow) / cols) * n * valuesPerRow;
    const planFor = (threads: number) => ({
      items: this.#someRows(out, Math.ceil(n / 8 / threads)),
      bytes: aligned(16 * n),
    });
    return this.run(planFor, products, resources);
  }

  /** Items of up to `most` rows, by the products that each row takes: a few columns may have most of the values. */
  #someRows(out: number, most: number): Item[] {
    const { X } = this;
    const { rows: n, cols } = X;
    const { arena } = this.engine;
    let [met, start] = [0, 0];
    for (const end of arena.u32(this.columns.ends, cols)) {
      met += (end - start) ** 2;
      start = end;
    }
    const perValue = met / Math.max(1, start); // products of a value, on average
    const rowCalls = (i: number, lanes: number): Call[] => {
      const to = out + 8 * n * i;
      return [this.#rowCall(X.rowAt(i), lanes, to), ...this.transforming(to, n, this.normOf(i), 0)];
    };
    const items: Item[] = [];
    for (let from = 0, to = 0; from < n; from = to) {
      for (let work = 0; to < n && to - from < most && work < CALL_VALUES; to++) {
        work += n + perValue * lengthOfRow(arena, X.rowAt(to));
      }
      const some = Array.from({ length: to - from }, (_, k) => from + k);
      items.push([(lanes) => some.flatMap((i) => rowCalls(i, lanes))]);
    }
    return items;
  }

  /** The dot product of two rows alone, order P. */
  protected override product(i: number, j: number): number {
    const { arena } = this.engine;
    const other = new Map<number, number>();
    visitEntry(arena, this.X.rowAt(j), (column, value) => other.set(column, value));
    /** The sum of the panels before, and the lanes of this one. */
    let [sum, even, odd, panel] = [0, 0, 0, 0];
    visitEntry(arena, this.X.rowAt(i), (column, value) => {
      const by = other.get(column);
      if (by === undefined) return;
      if (column >= panel + at.PANEL) {
        sum += even + odd;
        panel = column - (column % at.PANEL);
        even = odd = 0;
      }
      if (column % 2 === 0) even += value * by;
      else odd += value * by;
    });
    return sum + (even + odd);
  }

  protected override rowsOf(kept: KeptRows): ArenaRows {
    return rowsOfStore(storeOfRows(entriesOfKept(kept), this.engine.arena));
  }
}
