// Several workers score the rows of one epoch ahead with the same weights; the first mistake wins (SPEC §3). All rows before it are
// right, so the record goes on at that row as if one thread had come there; what was scored behind it is forgotten. The results are
// those of one row after another, to the bit.
//
// It pays where mistakes are rare: a mistake costs a round trip to the workers. So rows are scored ahead only while the last
// mistakes were far apart, and no further than that.

import * as at from '../../assembly/layout.js';
import { type Pausing, waitFor } from '../async/pausing.js';
import { type Arena, type Block, isNoRoom } from '../memory/arena.js';
import { aligned } from '../memory/freelist.js';
import { ORDER_VALUES, startsOf, type Threads } from '../worker/threads.js';
import type { Learner } from './learner.js';
import { rowsFor, UNLIMITED } from './loop.js';
import { TrainingRecord } from './record.js';

/** Values between two mistakes, at least: some milliseconds of one thread. */
const FAR_APART = 2 ** 22;

/** A worker's copy of the record, with room for the mistakes it finds. */
class Scout {
  readonly record: TrainingRecord;
  readonly #list: number;
  readonly #margins: number;

  constructor(arena: Arena, offset: number, rows: number) {
    this.record = new TrainingRecord(arena, offset);
    this.#margins = offset + aligned(at.RECORD_BYTES);
    this.#list = this.#margins + 8 * rows;
  }

  /** Gets ready to score rows from place `from` on. */
  begin(record: TrainingRecord, from: number): void {
    this.record.copyFrom(record);
    this.record.setU32(at.LIST, this.#list);
    this.record.setU32(at.MARGINS, this.#margins);
    this.record.setU32(at.CURSOR, from);
    this.record.setU32(at.COUNT, 0);
  }
}

export class Ahead {
  readonly #learner: Learner;
  readonly #arena: Arena;
  readonly #block: Block;
  readonly #scouts: readonly Scout[];
  /** Rows that one worker scores, at most. */
  readonly #rows: number;

  private constructor(learner: Learner, arena: Arena, threads: number, rows: number) {
    const bytes = aligned(at.RECORD_BYTES) + aligned(12 * rows);
    this.#learner = learner;
    this.#arena = arena;
    this.#rows = rows;
    this.#block = arena.allocate(threads * bytes, `lists of ${threads} threads`, false);
    const { offset } = this.#block;
    this.#scouts = Array.from({ length: threads }, (_, k) => new Scout(arena, offset + k * bytes, rows));
  }

  /** For a learner and its threads; undefined where there is no room for it. */
  static of(learner: Learner, arena: Arena, { limit }: Threads): Ahead | undefined {
    try {
      return new Ahead(learner, arena, limit, Math.min(learner.samples, rowsFor(ORDER_VALUES, learner.costOfRow)));
    } catch (error) {
      if (isNoRoom(error)) return undefined;
      throw error;
    }
  }

  /** Rows worth scoring ahead now, by the distance of the latest mistakes; 0: mistakes are too near each other. */
  get reach(): number {
    const { record, costOfRow } = this.#learner;
    const apart = Math.max(record.u32(at.CALM), record.u32(at.LAST_CALM));
    return apart * costOfRow >= FAR_APART ? apart : 0;
  }

  /** Goes on to the first mistake among the rows ahead and corrects it, or to the last of them; returns what `run` of the kernels would. */
  *run(threads: Threads, passes: number): Pausing<number> {
    const { record, steps } = this.#learner;
    const from = record.u32(at.CURSOR);
    const reach = Math.min(this.reach, this.#scouts.length * this.#rows, record.u32(at.N) - from);
    const each = Math.max(1, Math.ceil(reach / this.#scouts.length));
    const starts = startsOf(reach, each);
    const orders = starts.map((start, k) => {
      const scout = this.#scouts[k] as Scout;
      scout.begin(record, from + start);
      return threads.order(['scan', scout.record.offset, Math.min(each, reach - start)]);
    });
    const outcomes = yield* waitFor(Promise.allSettled(orders));
    let [place, rows] = [from + reach, 0]; // all are right: `run` has to close the pass, at its end
    for (const [k, outcome] of outcomes.entries()) {
      if (outcome.status === 'rejected') throw outcome.reason;
      const start = from + (starts[k] as number);
      const isKnown = outcome.value !== at.NON_FINITE;
      const found = isKnown ? this.#firstIn(this.#scouts[k] as Scout, start) : start;
      if (found === undefined) continue;
      // `run` looks at that row once more and corrects it; at all rows of the chunk, if a score in it is not finite.
      [place, rows] = [found, isKnown ? 1 : each];
      break;
    }
    record.setU32(at.CALM, record.u32(at.CALM) + place - from);
    record.setU32(at.CURSOR, place);
    return steps.run(record.offset, rows, UNLIMITED, passes);
  }

  /** The place of the first row that is not right, among those that a scout has scored from place `from` on. */
  #firstIn({ record }: Scout, from: number): number | undefined {
    if (record.u32(at.COUNT) === 0) return undefined;
    const sample = this.#arena.u32(record.u32(at.LIST), 1)[0] as number;
    const order = record.u32(at.ORDER);
    if (!order) return sample;
    const places = this.#arena.u32(order, record.u32(at.N));
    let place = from;
    while (places[place] !== sample) place++;
    return place;
  }

  release(): void {
    this.#arena.release(this.#block);
  }
}
