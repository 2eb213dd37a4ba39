// Counting all mistakes after every update (random order, the pocket) without N·d products each time: the scores are kept,
// and an update adds one row of the Gram matrix to them (SPEC §6, §7).
//
// The answers are those of a scan with w, to the bit. Kept scores drift from w·x by rounding; how far at most is known, and
// a score that is nearer to μ than that is computed anew. What is gained is time alone, so how much of it may be spent
// before the matrix is worth its price is a matter of taste: as much as the matrix costs.

import * as at from '../../assembly/layout.js';
import type { Pausing } from '../async/pausing.js';
import type { ArenaRows } from '../data/arenarows.js';
import { lengthOfRow } from '../data/csr.js';
import type { BoundEngine, Kernels } from '../engine/contract.js';
import { marginOf } from '../engine/js/mistake.js';
import { Gram } from '../gram/gramrows.js';
import { LINEAR } from '../gram/kernel.js';
import { squaredNorms } from '../gram/pairs.js';
import type { Arena, Block } from '../memory/arena.js';
import { aligned } from '../memory/freelist.js';
import type { MistakeCounter } from './learner.js';
import { type Hooks, rowsFor } from './loop.js';
import type { TrainingRecord } from './record.js';

/** With fewer columns a scan is as fast. */
const LEAST_COLS = 16;

/** The largest Gram matrix to keep for this. */
const MOST_BYTES = 2 ** 28;

/** Looks by scanning, as a share of the rows, before the matrix is computed: about what it costs. */
const SCANS = 1 / 16;

/** Updates after which the scores are computed anew, so that little is uncertain. */
const FRESH_FOR = 1024;

/** A larger share of uncertain scores is not looked at one by one. */
const FEW = 1 / 16;

/** Instead of a count: the scores must be computed anew. */
const STALE = -1;

/** Values scored in one call of a kernel. */
const REFRESHED_VALUES = 2 ** 21;

/** Sizes beyond this are left to the scan, which knows about overflow. */
const HUGE = 1e280;

/** Numbers whose squares are numbers too; others are left to the scan. */
const isUsual = (v: number): boolean => v === 0 || (Math.abs(v) > 1e-140 && Math.abs(v) < 1e140);

function isAllUsual(X: ArenaRows): boolean {
  if (!X.store) return X.view().every(isUsual);
  let isAll = true;
  const see = (_: number, value: number) => {
    isAll &&= isUsual(value);
  };
  for (let i = 0; isAll && i < X.rows; i++) X.visit(i, see);
  return isAll;
}

/** Products of tiny numbers round by this at most, whatever their size. */
const TINY = 1e-300;

/** What a counter needs of the learner it counts for. */
export interface Scanned {
  readonly record: TrainingRecord;
  readonly labels: Int8Array;
  readonly weights: Float64Array;
}

/** Whether keeping scores can pay. */
export const isCounted = ({ rows, cols }: ArenaRows): boolean => cols >= LEAST_COLS && 8 * rows * rows <= MOST_BYTES;

/** Counts the mistakes of a primal learner by scores that are kept up to date with rows of the Gram matrix. */
export class GramCounter implements MistakeCounter {
  readonly #engine: BoundEngine;
  readonly #X: ArenaRows;
  readonly #learner: Scanned;
  #scansLeft: number;
  #kept: KeptScores | undefined;
  #isRefused = false;

  constructor(engine: BoundEngine, X: ArenaRows, learner: Scanned) {
    this.#engine = engine;
    this.#X = X;
    this.#learner = learner;
    this.#scansLeft = SCANS * X.rows;
  }

  note(index: number): void {
    this.#kept?.note(index);
  }

  *count(hooks: Hooks): Pausing<number | undefined> {
    if (!this.#kept && !this.#isRefused && this.#scansLeft-- <= 0) yield* this.#open(hooks);
    let count = this.#kept?.count();
    if (count === STALE) count = (yield* (this.#kept as KeptScores).refresh(hooks)) ? this.#kept?.count() : undefined;
    if (count === undefined) this.release(); // scanning goes on
    return count;
  }

  pick(k: number): boolean {
    this.#kept?.pick(k);
    return this.#kept !== undefined;
  }

  /** Computes the matrix, where there is room for it. */
  *#open(hooks: Hooks): Pausing<void> {
    const { rows } = this.#X;
    this.#isRefused = true;
    if (!isAllUsual(this.#X)) return;
    let gram: Gram | undefined;
    try {
      gram = new Gram(this.#engine, this.#X, LINEAR, { mode: 'full', bytes: 8 * rows * rows });
      yield* gram.open(hooks);
      const norms = yield* squaredNorms(this.#X, this.#engine, hooks);
      this.#kept = new KeptScores(this.#engine, this.#X, this.#learner, gram, norms);
      gram = undefined;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error; // no room: scanning goes on
    } finally {
      gram?.release();
    }
  }

  release(): void {
    if (!this.#kept) return;
    this.#kept.release();
    this.#kept = undefined;
    this.#isRefused = true;
  }
}

/** Values of the longest row. */
function longestOf(X: ArenaRows, arena: Arena): number {
  if (!X.store) return X.cols;
  let longest = 0;
  for (let i = 0; i < X.rows; i++) longest = Math.max(longest, lengthOfRow(arena, X.rowAt(i)));
  return longest;
}

/** The scores of all rows, and how far off they may be. */
class KeptScores {
  readonly #arena: Arena;
  readonly #kernels: Kernels;
  readonly #X: ArenaRows;
  readonly #learner: Scanned;
  readonly #gram: Gram;
  readonly #block: Block;
  readonly #scores: number;
  readonly #signs: number;
  readonly #out: number;
  readonly #group: number;
  readonly #norms: Float64Array;
  /** Products in a score, at most. */
  readonly #terms: number;
  /** The largest ‖x‖. */
  readonly #radius: number;
  /** No ‖w‖ since the scores were fresh was larger. */
  #length = 0;
  /** How far the scores may have drifted, in units of rounding times ‖x‖. */
  #drift = 0;
  /** Updates since; more than FRESH_FOR: not fresh at all. */
  #age = FRESH_FOR;
  /** Rows corrected since the latest count. */
  #noted: number[] = [];
  /** Rows whose scores were uncertain in the latest count, and right; ascending. */
  #rightAfterAll: number[] = [];
  /** Margins between these are uncertain. */
  #low = 0;
  #high = 0;
  /** The latest update, if its row is still to be added. */
  #pending: { row: number; step: number } | undefined;

  constructor(engine: BoundEngine, X: ArenaRows, learner: Scanned, gram: Gram, norms: Float64Array) {
    const { arena } = engine;
    this.#arena = arena;
    this.#kernels = engine.kernels();
    this.#X = X;
    this.#learner = learner;
    this.#norms = norms.map((norm) => Math.sqrt(norm) * (1 + 1e-9));
    this.#radius = this.#norms.reduce((a, b) => Math.max(a, b), 0);
    this.#terms = longestOf(X, arena);
    const bytes = aligned(8 * X.rows);
    this.#block = arena.allocate(2 * bytes + at.GROUP_BYTES + 16, `scores of ${X.rows} rows`);
    this.#gram = gram;
    this.#scores = this.#block.offset;
    this.#signs = this.#scores + bytes;
    this.#group = this.#signs + bytes;
    this.#out = this.#group + at.GROUP_BYTES;
    const signs = arena.f64(this.#signs, X.rows);
    learner.labels.forEach((label, i) => {
      signs[i] = label < 0 ? -0 : 0;
    });
  }

  note(index: number): void {
    this.#noted.push(index);
  }

  /** How many are mistakes; undefined where numbers are too large for this, STALE where they must be fresh first. */
  count(): number | undefined {
    for (const index of this.#noted) {
      if (this.#age >= FRESH_FOR) break;
      this.#add(index);
    }
    this.#noted = [];
    if (this.#age >= FRESH_FOR) return STALE;
    const { unsure, wrong } = this.#judge();
    if (unsure > FEW * this.#X.rows && this.#age > 0) return STALE;
    this.#rightAfterAll = unsure > 0 ? this.#lookCloser() : [];
    const isSafe = this.#length * this.#radius + Math.abs(this.#learner.record.f64(at.BIAS)) < HUGE;
    return isSafe ? wrong + unsure - this.#rightAfterAll.length : undefined;
  }

  /** Adds the row of an update, and what that may have rounded. */
  #add(index: number): void {
    const { record, labels } = this.#learner;
    const step = record.f64((labels[index] as number) > 0 ? at.STEP_POSITIVE : at.STEP_NEGATIVE);
    this.#addPending();
    this.#pending = { row: this.#arena.u32(this.#gram.table, this.#X.rows)[index] as number, step };
    const size = Math.abs(step) * (this.#norms[index] as number);
    this.#length += size;
    // The kernel of two rows, the product with the step, the sum; and the same in w.
    this.#drift += (2 * this.#terms + 16) * size + 4 * this.#length;
    this.#age++;
  }

  /** Adds the latest row, unless that is done while counting. */
  #addPending(): void {
    if (!this.#pending) return;
    this.#kernels.axpy(8, this.#scores, this.#pending.row, this.#pending.step, this.#X.rows);
    this.#pending = undefined;
  }

  /** Computes all scores with w. Returns whether they can be kept. */
  *refresh({ clock }: Hooks): Pausing<boolean> {
    const { rows, cols, element, valuesPerRow } = this.#X;
    const { record } = this.#learner;
    this.#pending = undefined;
    const together = clock.rows ?? rowsFor(REFRESHED_VALUES, Math.max(1, valuesPerRow));
    for (let i = 0; i < rows; i += together) {
      const [from, count] = [this.#X.rowAt(i), Math.min(together, rows - i)];
      this.#kernels.scores(element, from, count, cols, 0, record.u32(at.W), 0, this.#scores + 8 * i, this.#group);
      if (clock.due()) yield;
    }
    const { weights } = this.#learner;
    this.#length = Math.sqrt(weights.reduce((sum, w) => sum + w * w, 0)) * (1 + 1e-9);
    this.#drift = 0;
    this.#age = 0;
    return weights.every(isUsual) && this.#length * this.#radius < HUGE;
  }

  /** Counts by the scores as they are. */
  #judge(): { wrong: number; unsure: number } {
    const { record } = this.#learner;
    const { rows } = this.#X;
    const b = record.f64(at.BIAS);
    const mu = record.f64(at.MU);
    const reach = this.#length * this.#radius;
    const slack =
      this.#age === 0
        ? 0
        : Number.EPSILON * (this.#drift * this.#radius + 4 * (this.#terms + 4) * reach + 4 * Math.abs(b)) + TINY;
    this.#low = mu - slack;
    this.#high = mu + slack;
    const { row, step } = this.#pending ?? { row: 0, step: 0 };
    this.#pending = undefined;
    this.#kernels.tally(this.#scores, this.#signs, rows, row, step, b, this.#low, this.#high, this.#out);
    const [right, wrong] = this.#arena.u32(this.#out, 2) as unknown as [number, number];
    return { wrong, unsure: rows - right - wrong };
  }

  /** Computes uncertain scores with w; answers which rows are right. */
  #lookCloser(): number[] {
    const { record } = this.#learner;
    const { rows } = this.#X;
    const b = record.f64(at.BIAS);
    const mu = record.f64(at.MU);
    const scores = this.#arena.f64(this.#scores, rows);
    const { labels } = this.#learner;
    const right: number[] = [];
    for (let i = 0; i < rows; i++) {
      const m = marginOf((scores[i] as number) + b, labels[i] as number);
      if (m > this.#low && !(m > this.#high) && this.#marginOf(i) > mu) right.push(i);
    }
    return right;
  }

  /** y·(w·x + b), as a scan has it. */
  #marginOf(i: number): number {
    const { cols, element } = this.#X;
    const { record, labels } = this.#learner;
    const s = this.#kernels.dot(element, this.#X.rowAt(i), record.u32(at.W), cols) + record.f64(at.BIAS);
    return marginOf(s, labels[i] as number);
  }

  pick(k: number): void {
    const { record } = this.#learner;
    let place = k;
    let index = 0;
    for (;;) {
      index = this.#kernels.nthWrong(this.#scores, this.#signs, record.f64(at.BIAS), this.#high, place);
      const skipped = this.#rightAfterAll.findIndex((row) => row > index);
      const next = k + (skipped < 0 ? this.#rightAfterAll.length : skipped);
      if (next === place) break;
      place = next;
    }
    this.#arena.u32(record.u32(at.LIST), 1)[0] = index;
    this.#arena.f64(record.u32(at.MARGINS), 1)[0] = this.#marginOf(index);
  }

  release(): void {
    this.#arena.release(this.#block);
    this.#gram.release();
  }
}

/** What a counter needs of a learner in dual form, whose scores are kept anyway. */
export interface ScoresKept {
  readonly record: TrainingRecord;
  readonly rows: number;
  overflowAt(index: number): Error;
}

/** Counts the mistakes of a dual learner by its cached scores. */
export class DualCounter implements MistakeCounter {
  readonly #engine: BoundEngine;
  readonly #learner: ScoresKept;
  readonly #out: Block;

  constructor(engine: BoundEngine, learner: ScoresKept) {
    this.#engine = engine;
    this.#learner = learner;
    this.#out = engine.arena.allocate(8, 'two counts');
  }

  note(): void {}

  *count(): Pausing<number> {
    const { record, rows } = this.#learner;
    const [scores, signs, b] = [record.u32(at.SCORES), record.u32(at.SIGNS), record.f64(at.BIAS)];
    const { offset } = this.#out;
    const { arena } = this.#engine;
    this.#engine.kernels().tally(scores, signs, rows, 0, 0, b, record.f64(at.MU), Number.MAX_VALUE, offset);
    const [infinite, wrong] = arena.u32(offset, 2) as unknown as [number, number];
    if (infinite > 0) {
      throw this.#learner.overflowAt(arena.f64(scores, rows).findIndex((s) => !Number.isFinite(s)));
    }
    return wrong;
  }

  pick(k: number): boolean {
    const { record } = this.#learner;
    const { arena } = this.#engine;
    const [scores, signs, b] = [record.u32(at.SCORES), record.u32(at.SIGNS), record.f64(at.BIAS)];
    const index = this.#engine.kernels().nthWrong(scores, signs, b, record.f64(at.MU), k);
    const s = (arena.f64(scores + 8 * index, 1)[0] as number) + b;
    if (!Number.isFinite(s)) throw this.#learner.overflowAt(index);
    arena.u32(record.u32(at.LIST), 1)[0] = index;
    arena.f64(record.u32(at.MARGINS), 1)[0] = Object.is(arena.f64(signs + 8 * index, 1)[0], -0) ? -s : s;
    return true;
  }

  release(): void {
    this.#engine.arena.release(this.#out);
  }
}
