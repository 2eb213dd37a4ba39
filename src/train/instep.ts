// One-vs-rest in primal form, cyclic or shuffled: trains all classes in step; an epoch reads each row once (assembly/many.ts).

import * as at from '../../assembly/layout.js';
import { type Pausing, waitFor } from '../async/pausing.js';
import { type ArenaRows, wideBytes } from '../data/arenarows.js';
import type { BoundEngine } from '../engine/contract.js';
import type { Arena, Block } from '../memory/arena.js';
import { aligned } from '../memory/freelist.js';
import type { Random } from '../random.js';
import type { TaskRunner } from '../worker/taskrunner.js';
import { TASK_VALUES } from '../worker/threads.js';
import { type Learner, ROW_COST } from './learner.js';
import { type Hooks, listSamples, rowsFor, rowsPerCall, type Training, UNLIMITED } from './loop.js';

/** Trains several learners in step. */
export interface InStep {
  /** One epoch of these learners; each record then has one closed epoch. @throws the error of a score that is not finite */
  epoch(active: readonly Learner[], hooks: Hooks): Pausing<void>;
  /** Set if scores come from blocks of kernel values instead of a Gram matrix. */
  readonly gram: Training<unknown>['gram'];
  release(): void;
}

/** The shuffled order of an epoch that all learners share: a list in the arena. */
export class SharedOrder {
  readonly #arena: Arena;
  readonly #random: Random;
  readonly #block: Block;

  constructor(arena: Arena, rows: number, random: Random) {
    this.#arena = arena;
    this.#random = random;
    this.#block = arena.allocate(4 * rows, `the order of ${rows} rows`, false);
  }

  /** Shuffles the samples of the next epoch, and points all records to the list. */
  begin(active: readonly Learner[]): void {
    const [first] = active as readonly [Learner];
    const order = this.#arena.u32(this.#block.offset, first.samples);
    this.#random.shuffle(listSamples(order, first.problem.samples));
    for (const { record } of active) record.setU32(at.ORDER, this.#block.offset);
  }

  release(): void {
    this.#arena.release(this.#block);
  }
}

/** The row at a place in the epoch. */
export function sampleAt({ record }: Learner, arena: Arena, place: number): number {
  const order = record.u32(at.ORDER);
  return order ? (arena.u32(order + 4 * place, 1)[0] as number) : place;
}

/** Where the lists behind a header are (assembly/layout.ts, MANY). */
type Layout = Record<'records' | 'weights' | 'scores' | 'row' | 'bytes', number>;

export class ManyInStep implements InStep {
  readonly gram = undefined;
  readonly #engine: BoundEngine;
  readonly #X: ArenaRows;
  /** Set if samples are shuffled. */
  readonly #order: SharedOrder | undefined;

  constructor(engine: BoundEngine, X: ArenaRows, random: Random | undefined) {
    this.#engine = engine;
    this.#X = X;
    this.#order = random && new SharedOrder(engine.arena, X.rows, random);
  }

  *epoch(active: readonly Learner[], hooks: Hooks): Pausing<void> {
    this.#order?.begin(active);
    // With `onUpdate`, no threads are taken.
    const threads = hooks.threads && (yield* waitFor(hooks.threads.take(this.#costOf(active) * this.#X.rows, true)));
    const each = Math.ceil(active.length / (threads?.limit ?? 1));
    const layout = this.#layoutFor(each);
    const { bytes } = layout;
    const groups: (readonly Learner[])[] = [];
    for (let from = 0; from < active.length; from += each) groups.push(active.slice(from, from + each));
    const { arena } = this.#engine;
    const block = arena.allocate(groups.length * bytes, `scores of ${active.length} classes`, false);
    try {
      for (const [k, group] of groups.entries()) this.#fillHeader(block.offset + k * bytes, layout, group);
      if (threads) yield* this.#runTasks(block.offset, bytes, groups, threads);
      else yield* this.#run(block.offset, active, hooks);
    } finally {
      arena.release(block);
    }
  }

  *#run(header: number, active: readonly Learner[], hooks: Hooks): Pausing<void> {
    const kernels = this.#engine.kernels();
    const rows = rowsPerCall(this.#costOf(active), hooks);
    const mistakes = hooks.onUpdate ? 1 : UNLIMITED;
    for (;;) {
      const status = kernels.runMany(header, rows, mistakes);
      if (status === at.CLOSED) return;
      const latest = active[this.#engine.arena.u32(header + at.MANY_LATEST, 1)[0] as number] as Learner;
      if (status === at.NON_FINITE) throw latest.overflowAt(latest.record.u32(at.INDEX));
      if (status === at.MISTAKE) hooks.onUpdate?.(latest.updateAt(latest.record.u32(at.INDEX)));
      if (hooks.clock.due()) yield;
    }
  }

  /** Runs each group of classes on a thread; each thread reads all rows. */
  *#runTasks(
    offset: number,
    bytes: number,
    groups: readonly (readonly Learner[])[],
    threads: TaskRunner,
  ): Pausing<void> {
    const rows = rowsFor(TASK_VALUES, this.#costOf(groups[0] as readonly Learner[]));
    for (;;) {
      const tasks = groups.map((_, k) => threads.runTask(['runMany', offset + k * bytes, rows, UNLIMITED]));
      const outcomes = yield* waitFor(Promise.allSettled(tasks));
      const statuses = outcomes.map((outcome) => {
        if (outcome.status === 'rejected') throw outcome.reason;
        return outcome.value;
      });
      if (statuses.includes(at.NON_FINITE)) throw this.#firstOverflow(statuses, groups);
      if (statuses[0] === at.CLOSED) return; // then all are: groups begin together, and each task visits as many rows
    }
  }

  /** The error of the first row of the epoch whose score is not finite. */
  #firstOverflow(statuses: readonly number[], groups: readonly (readonly Learner[])[]): Error {
    const stuck = groups.filter((_, k) => statuses[k] === at.NON_FINITE).map((group) => group.at(-1) as Learner);
    const places = stuck.map(({ record }) => record.u32(at.CURSOR));
    const [first] = stuck as [Learner];
    return first.overflowAt(sampleAt(first, this.#engine.arena, Math.min(...places)));
  }

  /** The cost of a row for these classes, in values. */
  #costOf(active: readonly Learner[]): number {
    return ROW_COST + active.length * (ROW_COST + this.#X.valuesPerRow);
  }

  /** Byte offsets of the lists behind the header of at most `count` classes, and the bytes of it all. */
  #layoutFor(count: number): Layout {
    const wide = wideBytes(this.#X);
    const padded = count + at.MANY_PADDING;
    const records = at.MANY_BYTES;
    const weights = records + aligned(4 * count);
    const scores = weights + aligned(4 * padded);
    const row = scores + aligned(8 * padded);
    return { records, weights, scores, row, bytes: row + aligned(wide) };
  }

  #fillHeader(header: number, { records, weights, scores, row }: Layout, group: readonly Learner[]): void {
    const { arena } = this.#engine;
    const count = group.length;
    const padded = count + at.MANY_PADDING;
    const fields = arena.u32(header, at.MANY_BYTES / 4);
    fields[at.MANY_COUNT / 4] = count;
    fields[at.MANY_RECORDS / 4] = header + records;
    fields[at.MANY_WEIGHTS / 4] = header + weights;
    fields[at.MANY_SCORES / 4] = header + scores;
    fields[at.MANY_ROW / 4] = header + row;
    const [offsets, planes] = [arena.u32(header + records, count), arena.u32(header + weights, padded)];
    for (let k = 0; k < padded; k++) {
      const { record } = group[Math.min(k, count - 1)] as Learner; // kernels may read beyond the last plane
      planes[k] = record.u32(at.W);
      if (k < count) offsets[k] = record.offset;
    }
  }

  release(): void {
    this.#order?.release();
  }
}
