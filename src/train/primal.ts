// The primal learner: w and b, and their running sums (SPEC §2, §9).

import * as at from '../../assembly/layout.js';
import { type ArenaRows, notFinite } from '../data/rows.js';
import type { BoundEngine, Steps } from '../engine/contract.js';
import { scoresOf } from '../model/linear.js';
import { type Linear, meanOf, type Plane, type Standing } from '../model/state.js';
import { Learner, overflowed } from './learner.js';
import type { Joined } from './lockstep.js';
import type { Slice, Tally } from './loop.js';
import type { NumericSettings } from './options.js';
import { GramTally, isTallied } from './tally.js';

/** What to start from: planes, and where averaging stands; `plane` is what was in the pocket. */
export type PrimalStart = Omit<Linear, 'plane'> & Standing & { readonly plane?: Plane };

/** `weightsAt`: where the weights are to be, if not in a place of their own. */
export class PrimalLearner extends Learner<Linear, 'weights' | 'sums'> {
  readonly #engine: BoundEngine;
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
    super(engine, X, settings, { weights: weightsAt ? 0 : bytes, sums: settings.average ? bytes : 0 });
    this.#engine = engine;
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

  /** Its own kernels, unless it is to go in step with others. */
  get steps(): Steps {
    return this.lockstep ?? this.kernels.primal;
  }

  lockstep: Joined | undefined;

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

  result(): Linear & Standing {
    const { record, standing } = this;
    const last = this.#checked({ weights: this.weights.slice(), bias: record.f64(at.BIAS) });
    const counts = this.counts.slice();
    if (!this.offsets.sums) return { last, sums: undefined, plane: this.#pocket ?? last, counts, ...standing };
    const sums = { weights: this.#sums.slice(), bias: record.f64(at.BIAS_SUM) };
    const plane = this.#checked({
      weights: last.weights.map((w, k) => meanOf(w, sums.weights[k] as number, standing.seen)),
      bias: meanOf(last.bias, sums.bias, standing.seen),
    });
    return { last, sums, plane, counts, ...standing };
  }

  /** The last update of a fit has no score after it that would show an overflow. */
  #checked(plane: Plane): Plane {
    const k = plane.weights.findIndex((w) => !Number.isFinite(w));
    if (k < 0 && Number.isFinite(plane.bias)) return plane;
    throw this.#badValue() ?? overflowed(k < 0 ? 'the bias' : `the weight of column ${k}`);
  }

  #badValue(): Error | undefined {
    return notFinite(this.X.view(), this.X.cols, 'X');
  }

  overflow(index: number): Error {
    return this.#badValue() ?? overflowed(`the score of row ${index}`);
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
    this.#pocket = this.#checked({ weights: this.weights.slice(), bias: this.record.f64(at.BIAS) });
  }

  override countKept(training: Uint32Array | undefined): number | undefined {
    if (!this.#pocket) return undefined;
    const { labels } = this;
    const mu = this.record.f64(at.MU);
    const isWrong = (s: number, i: number) => !(((labels[i] as number) < 0 ? -s : s) > mu);
    const wrong = scoresOf(this.#pocket, this.X, this.#engine).map((s, i) => (isWrong(s, i) ? 1 : 0));
    return training ? training.reduce((sum, i) => sum + (wrong[i] as number), 0) : wrong.reduce((a, b) => a + b, 0);
  }

  scoresAt(rows: Uint32Array): Float64Array {
    if (this.#pocket) {
      const scores = scoresOf(this.#pocket, this.X, this.#engine);
      return Float64Array.from(rows, (row) => scores[row] as number);
    }
    const n = rows.length;
    const { X, arena } = this;
    const block = arena.allocate(8 * n + at.GROUP_BYTES + 4 * n, 'the rows held out');
    const [out, group, order] = [block.offset, block.offset + 8 * n, block.offset + 8 * n + at.GROUP_BYTES];
    try {
      arena.u32(order, n).set(rows);
      const bias = this.record.f64(at.BIAS);
      this.kernels.scores(X.element, X.offset, n, X.cols, order, this.offsets.weights, bias, out, group);
      return arena.f64(out, n).slice();
    } finally {
      arena.release(block);
    }
  }
}
