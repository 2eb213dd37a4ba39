// The primal learner: w and b, and their running sums (SPEC §2, §9).

import * as at from '../../assembly/layout.js';
import { done, type Pace, type Sliced } from '../async/sliced.js';
import type { ArenaRows } from '../data/arenarows.js';
import type { BoundEngine, Steps } from '../engine/contract.js';
import { aligned } from '../memory/freelist.js';
import { checkedScores, scoresInWindow, slicedScores } from '../model/linear.js';
import type { Linear, Plane, Standing } from '../model/state.js';
import { Learner, overflowed } from './learner.js';
import type { Joined } from './lockstep.js';
import type { Elsewhere, Slice, Tally } from './loop.js';
import { checked, linearOf } from './planes.js';
import type { NumericSettings } from './settings.js';
import { GramTally, isTallied } from './tally.js';
import { WindowSteps } from './windows.js';

/** Rows held out that are scored together, at most. */
const JUDGED = 1024;

/** What to start from: planes, and where averaging stands; `plane` is what was in the pocket. */
export type PrimalStart = Omit<Linear, 'plane'> & Standing & { readonly plane?: Plane };

/** `weightsAt`: where the weights are to be, if not in a place of their own. */
export class PrimalLearner extends Learner<Linear, 'weights' | 'sums' | 'judging'> {
  readonly #engine: BoundEngine;
  /** For rows that come in a window. */
  readonly #windowed: Steps | undefined;
  #pocket: Plane | undefined;
  #tally: GramTally | undefined;

  constructor(
    engine: BoundEngine,
    X: ArenaRows,
    settings: NumericSettings,
    { plane, last, sums, seen, sigma }: PrimalStart,
    weightsAt = 0,
  ) {
    const bytes = 8 * X.cols;
    super(engine, X, settings, {
      weights: weightsAt ? 0 : bytes,
      sums: settings.average ? bytes : 0,
      // f64[d], a plane; f64[some] scores, u32[some] rows. A window has room for that.
      judging: settings.validationFraction > 0 && !X.window ? aligned(bytes) + 12 * Math.min(JUDGED, X.rows) : 0,
    });
    this.#engine = engine;
    this.#windowed = X.window && new WindowSteps(engine, X.window, this.record, X.rows);
    this.#pocket = settings.pocket ? plane : undefined;
    const { record, offsets } = this;
    if (weightsAt) offsets.weights = weightsAt;
    record.setU32(at.X, X.offset);
    record.setU32(at.D, X.cols);
    record.setU32(at.ELEMENT, X.element);
    record.setU32(at.W, offsets.weights);
    record.setU32(at.SUMS, offsets.sums);
    this.weights.set(last.weights);
    record.setF64(at.BIAS, last.bias);
    if (sums && offsets.sums) {
      this.#sums.set(sums.weights);
      record.setF64(at.BIAS_SUM, sums.bias);
    }
    this.standing = { seen, sigma };
  }

  /** Its own kernels, unless it is to go in step with others, or in windows. */
  get steps(): Steps {
    return this.lockstep ?? this.#windowed ?? this.kernels.primal;
  }

  lockstep: Joined | undefined;

  override get elsewhere(): Elsewhere | undefined {
    if (this.lockstep) return this.lockstep.elsewhere;
    if (this.#windowed) return undefined;
    const { record, X } = this;
    const ahead = X.store ? undefined : X.cols;
    return {
      values: record.u32(at.N) * this.costOfRow,
      run: (threads, rows, passes, inbox) =>
        threads.sweep({ form: 'run', record: record.offset, rows, ...passes }, ahead, inbox),
      scan: (threads, rows) => threads.scan({ scan: 'scan', record: record.offset, rows }),
    };
  }

  override watch(onUpdate: (index: number) => void): void {
    this.lockstep?.watch(onUpdate);
  }

  override retire(): void {
    this.lockstep?.retire();
  }

  override get weights(): Float64Array {
    return this.arena.f64(this.offsets.weights, this.X.cols);
  }

  get #sums(): Float64Array {
    return this.arena.f64(this.offsets.sums, this.X.cols);
  }

  result(): Sliced<Linear & Standing> {
    const { record, standing } = this;
    const sums = this.offsets.sums ? { weights: this.#sums.slice(), bias: record.f64(at.BIAS_SUM) } : undefined;
    const linear = linearOf(this.#last, sums, standing.seen, this.X);
    return done({ ...linear, ...(this.#pocket && { plane: this.#pocket }), counts: this.counts.slice(), ...standing });
  }

  /** The last weights, copied out. */
  get #last(): Plane {
    return { weights: this.weights.slice(), bias: this.record.f64(at.BIAS) };
  }

  protected overflow(index: number): Error {
    return overflowed(`the score of row ${index}`);
  }

  override tallyFor(slice: Slice): Tally | undefined {
    // Not where rows are held out: it counts all of them.
    if (this.record.u32(at.N) !== this.samples || !isTallied(this.X)) return undefined;
    this.#tally ??= new GramTally(this.#engine, this.X, this, slice);
    return this.#tally;
  }

  override release(): void {
    this.#tally?.release();
    super.release();
  }

  override keep(): void {
    this.#pocket = checked(this.#last, this.X);
  }

  override *countKept(training: Uint32Array | undefined, pace: Pace): Sliced<number | undefined> {
    if (!this.#pocket) return undefined;
    const scores = yield* slicedScores(this.#pocket, this.X, this.#engine, pace);
    const { labels } = this;
    const mu = this.record.f64(at.MU);
    const isWrong = (s: number, i: number) => !(((labels[i] as number) < 0 ? -s : s) > mu);
    const wrong = scores.map((s, i) => (isWrong(s, i) ? 1 : 0));
    return training ? training.reduce((sum, i) => sum + (wrong[i] as number), 0) : wrong.reduce((a, b) => a + b, 0);
  }

  scoresAt(rows: Uint32Array): Float64Array {
    const { X } = this;
    const plane = this.#pocket ?? { weights: this.weights, bias: this.record.f64(at.BIAS) };
    const scores = X.window
      ? scoresInWindow(plane, X.window, X.element, this.#engine, rows)
      : this.#scoresListed(plane, rows);
    return this.#pocket ? checkedScores(scores, X, rows) : scores;
  }

  #scoresListed({ weights, bias }: Plane, rows: Uint32Array): Float64Array {
    const { X, arena, kernels } = this;
    const together = Math.min(JUDGED, X.rows);
    const w = this.offsets.judging;
    const out = w + aligned(weights.byteLength);
    const order = out + 8 * together;
    const group = this.record.offset + at.GROUP;
    const scores = new Float64Array(rows.length);
    arena.f64(w, weights.length).set(weights);
    for (let from = 0; from < rows.length; from += together) {
      const some = rows.subarray(from, from + together);
      arena.u32(order, some.length).set(some);
      kernels.scores(X.element, X.offset, some.length, X.cols, order, w, bias, out, group);
      scores.set(arena.f64(out, some.length), from);
    }
    return scores;
  }
}
