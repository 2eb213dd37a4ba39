// Primal training on rows that come in a window (src/data/window.ts). The kernels work on the window as if it were all there
// is; between calls the record says what it would say over all rows. The bits are the same: w, b and the books go on from
// window to window, and an update knows how many samples of the whole pass were seen before it.

import * as at from '../../assembly/layout.js';
import type { RowWindow } from '../data/window.js';
import type { BoundEngine, Steps } from '../engine/contract.js';
import { Memory } from '../engine/js/memory.js';
import { type Books, booksOf } from '../engine/js/train.js';
import type { Arena } from '../memory/arena.js';
import type { TrainingRecord } from './record.js';

/** What INDEX is while no row was met. */
const NONE = 0xffffffff;

export class WindowSteps implements Steps {
  readonly #arena: Arena;
  readonly #kernels: Steps;
  readonly #memory: Memory;
  readonly #books: Books;
  readonly #window: RowWindow;
  readonly #record: TrainingRecord;
  readonly #samples: number;
  /** Places of a pass in this order are in the window, as long as its `loads` stay the same. */
  #held = { order: 0, from: 0, count: 0, loads: -1 };

  /** @param samples how many labels there are */
  constructor(engine: BoundEngine, window: RowWindow, record: TrainingRecord, samples: number) {
    this.#arena = engine.arena;
    this.#kernels = engine.kernels().primal;
    this.#memory = new Memory(engine.arena);
    this.#books = booksOf(this.#memory);
    this.#window = window;
    this.#record = record;
    this.#samples = samples;
  }

  /** As the kernels do it, but one pass a call. */
  run(_record: number, rows: number, mistakes: number): number {
    const record = this.#record;
    record.setU32(at.PASSES, 0);
    for (let [rowsLeft, mistakesLeft] = [rows, mistakes]; ; ) {
      const cursor = record.u32(at.CURSOR);
      if (cursor === record.u32(at.N)) return this.#closePass();
      if (rowsLeft === 0) return at.PAUSED;
      const before = record.u32(at.MISTAKES);
      const status = this.#goOn(rowsLeft, (most) => this.#kernels.run(record.offset, most, mistakesLeft, 1));
      if (status !== at.PAUSED) return status;
      rowsLeft -= record.u32(at.CURSOR) - cursor;
      mistakesLeft -= record.u32(at.MISTAKES) - before;
    }
  }

  #closePass(): number {
    this.#held.loads = -1; // the order of the next one is another
    this.#memory.look();
    return this.#books.closePass(this.#record.offset) ? at.CLEAN : at.CLOSED;
  }

  scan(_record: number, rows: number): number {
    const record = this.#record;
    for (let left = rows; ; ) {
      const cursor = record.u32(at.CURSOR);
      if (cursor === record.u32(at.N)) return at.CLOSED;
      if (left === 0) return at.PAUSED;
      const before = record.u32(at.COUNT);
      const status = this.#goOn(left, (most) => this.#kernels.scan(record.offset, most));
      if (status === at.NON_FINITE) return status;
      const list = this.#arena.u32(record.u32(at.LIST), record.u32(at.COUNT));
      const { from } = this.#held;
      const order = this.#order;
      for (let k = before; k < list.length; k++) {
        const place = from + (list[k] as number);
        list[k] = order ? (order[place] as number) : place;
      }
      left -= record.u32(at.CURSOR) - cursor;
    }
  }

  apply(_record: number, from: number, count: number): number {
    const record = this.#record;
    const { capacity } = this.#window;
    for (let done = 0; done < count; done += capacity) {
      const some = Math.min(capacity, count - done);
      const list = this.#arena.u32(record.u32(at.LIST) + 4 * (from + done), some);
      const rows = list.slice();
      this.#bring(0, some, rows);
      for (let k = 0; k < some; k++) list[k] = k;
      const met = this.#call(0, some, rows, () => this.#kernels.apply(record.offset, from + done, some)).met as number;
      record.setU32(at.INDEX, rows[met] as number);
      list.set(rows);
    }
    return count;
  }

  /** The rows in the order of the pass; undefined: as they are. */
  get #order(): Uint32Array | undefined {
    const order = this.#record.u32(at.ORDER);
    return order ? this.#arena.u32(order, this.#record.u32(at.N)) : undefined;
  }

  /** Has a kernel go on from CURSOR, for at most `rows` rows and no further than the window. */
  #goOn(rows: number, kernel: (most: number) => number): number {
    const record = this.#record;
    const cursor = record.u32(at.CURSOR);
    const order = record.u32(at.ORDER);
    let held = this.#held;
    const isThere = held.loads === this.#window.loads && held.order === order;
    if (!isThere || cursor < held.from || cursor >= held.from + held.count) {
      // No more than is asked for: a slice of time should not go by with rows of the next.
      const count = Math.min(this.#window.capacity, rows, record.u32(at.N) - cursor);
      this.#bring(cursor, count, this.#order);
      held = { order, from: cursor, count, loads: this.#window.loads };
      this.#held = held;
    }
    const most = Math.min(rows, held.from + held.count - cursor);
    const { answer, met } = this.#call(held.from, held.count, this.#order, () => kernel(most));
    if (met !== undefined) record.setU32(at.INDEX, this.#order?.[held.from + met] ?? held.from + met);
    return answer;
  }

  /** Brings rows and their labels into the window. */
  #bring(from: number, count: number, list: Uint32Array | undefined): void {
    this.#window.load(from, count, list);
    const labels = this.#arena.i8(this.#record.u32(at.Y), this.#samples);
    const own = this.#arena.i8(this.#window.numbers, count);
    for (let k = 0; k < count; k++) own[k] = labels[list ? (list[from + k] as number) : from + k] as number;
  }

  /**
   * Calls a kernel on a record that knows of nothing but the window, whose first row is at place `from` of the pass; answers
   * with the place in the window of the row that INDEX would be, if there was one.
   */
  #call(
    from: number,
    count: number,
    list: Uint32Array | undefined,
    kernel: () => number,
  ): { answer: number; met: number | undefined } {
    const record = this.#record;
    const counts = record.u32(at.COUNTS);
    // How often each row was the mistake: rows as they come lie together; those of a list get theirs afterwards.
    const { numbers, capacity } = this.#window;
    const own = numbers + 4 * capacity;
    if (list) this.#arena.u32(own, count).fill(0);
    record.setU32(at.COUNTS, list ? own : counts + 4 * from);
    const n = record.u32(at.N);
    const order = record.u32(at.ORDER);
    const labels = record.u32(at.Y);
    const index = record.u32(at.INDEX);
    const seen = record.f64(at.SEEN);
    record.setU32(at.X, this.#window.offset);
    record.setU32(at.N, count + 1); // one more than it gets to: the end of a window is not the end of a pass
    record.setU32(at.ORDER, 0);
    record.setU32(at.Y, this.#window.numbers);
    record.setU32(at.INDEX, NONE);
    record.setU32(at.CURSOR, record.u32(at.CURSOR) - from);
    record.setF64(at.SEEN, seen + from);
    const answer = kernel();
    const met = record.u32(at.INDEX);
    record.setU32(at.COUNTS, counts);
    if (list) this.#addCounts(own, count, counts, list, from);
    record.setU32(at.N, n);
    record.setU32(at.ORDER, order);
    record.setU32(at.Y, labels);
    record.setU32(at.INDEX, index);
    record.setU32(at.CURSOR, record.u32(at.CURSOR) + from);
    record.setF64(at.SEEN, seen);
    return { answer, met: met === NONE ? undefined : met };
  }

  /** Adds the counts of a window to those of the rows it held. */
  #addCounts(own: number, count: number, counts: number, list: Uint32Array, from: number): void {
    const all = this.#arena.u32(counts, this.#samples);
    this.#arena.u32(own, count).forEach((n, k) => {
      if (n === 0) return;
      const row = list[from + k] as number;
      all[row] = (all[row] as number) + n;
    });
  }
}
