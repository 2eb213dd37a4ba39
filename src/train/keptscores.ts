// Counting all mistakes after every update (order 'random', the pocket) in N steps instead of N·d (SPEC §6, §7). The scores of
// all rows are kept; an update with row j adds step · (x_j·x_i) to the score of row i (rowproducts.ts).
//
// The counts are those of a scan with w, to the bit. Kept scores drift from w·x by rounding. The drift has a known bound, and a
// score that is closer to μ than this bound is computed with w.

import * as at from '../../assembly/layout.js';
import { type Clock, type Pausing, runCalls } from '../async/pausing.js';
import type { ArenaRows } from '../data/arenarows.js';
import { normCalls } from '../data/products.js';
import type { BoundEngine, Kernels } from '../engine/contract.js';
import { marginOf } from '../engine/js/mistake.js';
import { type Arena, type Block, isNoRoom } from '../memory/arena.js';
import { aligned } from '../memory/freelist.js';
import { absentFrom } from './absent.js';
import type { MistakeCounter } from './learner.js';
import type { Hooks } from './loop.js';
import type { Problem } from './problem.js';
import type { TrainingRecord } from './record.js';
import { RowProducts } from './rowproducts.js';

/** With fewer columns a scan is as fast. */
export const LEAST_COLS = 16;

/** Updates after which all scores are computed again, so that few are uncertain. */
const FRESH_FOR = 1024;

/** If a larger share of the scores is uncertain, all are computed again. */
const FEW = 1 / 16;

/** If the longest row is longer or shorter, or a score larger than HUGE, a scan counts instead: it handles overflow. */
const LONGEST = 1e140;
const SHORTEST = 1e-120;
const HUGE = 1e280;

/** An upper bound of a length, given its computed square, which may lack values below 1e-150. */
const lengthOf = (square: number): number => Math.sqrt(square) * (1 + 1e-6) + 1e-135;

/** Upper bounds of the error of subnormal products: in a score; and in a step times a row, as a length. */
const TINY_SCORE = 1e-300;
const TINY_STEP = 1e-290;

/** What the counter needs of its learner. */
interface Scanned {
  readonly record: TrainingRecord;
  readonly labels: Int8Array;
  readonly weights: Float64Array;
  readonly problem: Pick<Problem, 'samples'>;
}

/** Counts the mistakes of a primal learner with scores that it keeps up to date. */
export class KeptScores implements MistakeCounter {
  readonly #engine: BoundEngine;
  readonly #arena: Arena;
  readonly #kernels: Kernels;
  readonly #X: ArenaRows;
  readonly #learner: Scanned;
  /** Whether to scan instead. */
  #isRefused = false;
  #products: RowProducts | undefined;
  /** The block of scores and signs, f64[n] each, and u32[2] for counts of the kernels; and their byte offsets. */
  #block: Block | undefined;
  #scores = 0;
  #signs = 0;
  #counts = 0;
  /** Rows that are no samples: their scores are infinite, and right. */
  #absent: Uint32Array = new Uint32Array();
  /** Upper bounds of ‖x‖ of each row, and the largest. */
  #lengths = new Float64Array();
  #radius = 0;
  /** An upper bound of ‖w‖ since the scores were last computed. */
  #reach = 0;
  /** How far the scores may have drifted, in units of rounding times ‖x‖. */
  #drift = 0;
  /** Updates since the scores were last computed; Infinity before the first time. */
  #age = Infinity;
  /** Rows corrected since the latest count, and their steps. More than FRESH_FOR are not listed: all scores are then computed again. */
  #noted: { readonly index: number; readonly step: number }[] = [];
  /** Rows whose scores were uncertain in the latest count and turned out right; ascending. */
  #rightAfterAll: number[] = [];
  /** Margins above `low` and not above `high` are uncertain. `right` margins are above `high`. */
  #low = 0;
  #high = 0;
  #right = 0;

  constructor(engine: BoundEngine, X: ArenaRows, learner: Scanned) {
    this.#engine = engine;
    this.#arena = engine.arena;
    this.#kernels = engine.kernels();
    this.#X = X;
    this.#learner = learner;
  }

  note(index: number): void {
    if (this.#noted.length <= FRESH_FOR) this.#noted.push({ index, step: this.#learner.record.f64(at.STEP) });
  }

  *count({ clock }: Hooks): Pausing<number | undefined> {
    if (this.#isRefused) return undefined;
    let count: number | undefined;
    try {
      this.#products ??= new RowProducts(this.#engine, this.#X);
      if (this.#lengths.length > 0 || (yield* this.#open(clock))) {
        count = yield* this.#countBy(this.#products, clock);
      }
    } catch (error) {
      if (!isNoRoom(error)) throw error;
    }
    if (count === undefined) this.release();
    return count;
  }

  /** Allocates the scores and computes the lengths of rows. Returns whether the longest row is within bounds. */
  *#open(clock: Clock): Pausing<boolean> {
    const { rows } = this.#X;
    const bytes = aligned(8 * rows);
    this.#block ??= this.#arena.allocate(2 * bytes + 8, `scores of ${rows} rows`, false);
    this.#scores = this.#block.offset;
    this.#signs = this.#scores + bytes;
    this.#counts = this.#signs + bytes;
    const signs = Float64Array.from(this.#learner.labels, (label) => (label < 0 ? -0 : 0));
    this.#absent = absentFrom(this.#learner.problem.samples, rows);
    for (const i of this.#absent) signs[i] = 0;
    this.#arena.f64(this.#signs, rows).set(signs);
    yield* runCalls(this.#engine, normCalls(this.#X, this.#scores), clock);
    this.#lengths = this.#arena.f64(this.#scores, rows).map(lengthOf);
    this.#radius = this.#lengths.reduce((a, b) => Math.max(a, b), 0);
    return this.#radius > SHORTEST && this.#radius < LONGEST;
  }

  /** How many mistakes there are; undefined if numbers are too large. */
  *#countBy(products: RowProducts, clock: Clock): Pausing<number | undefined> {
    const missing = this.#noted.findIndex(({ index }) => !products.has(index));
    // Computing all scores costs as much as the products of one row: so compute the products of one missing row, not of several.
    const isStale = this.#age + this.#noted.length > FRESH_FOR || (missing >= 0 && this.#noted.length > 1);
    if (isStale) yield* this.#refresh(products, clock);
    else if (missing >= 0) yield* products.ensureRow(this.#noted[missing]?.index as number, clock);
    let unsure = this.#judge(products);
    if (unsure > FEW * this.#X.rows) {
      yield* this.#refresh(products, clock);
      unsure = this.#judge(products);
    }
    if (!(this.#reach * this.#radius + Math.abs(this.#learner.record.f64(at.BIAS)) < HUGE)) return undefined;
    this.#rightAfterAll = unsure > 0 ? this.#recheck() : [];
    return this.#X.rows - this.#right - this.#rightAfterAll.length;
  }

  /** Computes all scores with w. */
  *#refresh(products: RowProducts, clock: Clock): Pausing<void> {
    const { record, weights } = this.#learner;
    this.#age = Infinity; // until all are computed
    this.#noted = [];
    this.#reach = lengthOf(weights.reduce((sum, w) => sum + w * w, 0));
    yield* products.score(record.u32(at.W), this.#scores, clock);
    const scores = this.#arena.f64(this.#scores, this.#X.rows);
    for (const i of this.#absent) scores[i] = Infinity;
    this.#drift = 0;
    this.#age = 0;
  }

  /** Adds the noted updates to the scores and their rounding to the drift, and counts. Returns how many scores are uncertain. */
  #judge(products: RowProducts): number {
    const { record } = this.#learner;
    const { rows, cols } = this.#X;
    let [row, step] = [0, 0]; // the last one is added while counting
    for (const { index, step: by } of this.#noted) {
      if (row) this.#kernels.axpy(8, this.#scores, row, step, rows);
      row = products.at(index);
      step = by;
      const size = Math.abs(step) * (this.#lengths[index] as number) + TINY_STEP;
      this.#reach += size;
      // Rounding of the products (one for each column), of the step times them, of the sum; and the same in w.
      this.#drift += (2 * cols + 16) * size + 4 * this.#reach;
      this.#age++;
    }
    this.#noted = [];
    const [b, mu] = [record.f64(at.BIAS), record.f64(at.MU)];
    // Rounding of w·x at both times, and of the bias. Scores just computed are those of a scan.
    const rounding = this.#radius * (this.#drift + 4 * (cols + 4) * this.#reach) + 4 * Math.abs(b);
    const slack = this.#age === 0 ? 0 : Number.EPSILON * rounding + TINY_SCORE;
    this.#low = mu - slack;
    this.#high = mu + slack;
    this.#kernels.tally(this.#scores, this.#signs, rows, row, step, b, this.#low, this.#high, this.#counts);
    const counts = this.#arena.u32(this.#counts, 2);
    this.#right = counts[0] as number;
    return rows - this.#right - (counts[1] as number);
  }

  /** Computes the uncertain scores with w; returns the rows that are right. */
  #recheck(): number[] {
    const { record, labels } = this.#learner;
    const [b, mu] = [record.f64(at.BIAS), record.f64(at.MU)];
    const right: number[] = [];
    this.#arena.f64(this.#scores, this.#X.rows).forEach((score, i) => {
      const m = marginOf(score + b, labels[i] as number);
      if (m > this.#low && !(m > this.#high) && this.#marginOf(i) > mu) right.push(i);
    });
    return right;
  }

  /** y·(w·x + b), bit-identical to a scan. */
  #marginOf(i: number): number {
    const { record, labels } = this.#learner;
    const { element, cols } = this.#X;
    const s = this.#kernels.dot(element, this.#X.rowAt(i), record.u32(at.W), cols) + record.f64(at.BIAS);
    return marginOf(s, labels[i] as number);
  }

  pick(k: number): boolean {
    if (this.#isRefused) return false;
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
    return true;
  }

  release(): void {
    this.#isRefused = true;
    this.#products?.release();
    this.#products = undefined;
    if (this.#block) this.#arena.release(this.#block);
    this.#block = undefined;
  }
}
