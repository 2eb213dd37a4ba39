// The primal learner: w and b, and their running sums (SPEC §2, §9).

import * as at from '../../assembly/layout.js';
import { allFinite, firstBad, planeBytes } from '../data/arenarows.js';
import type { BoundEngine, Steps } from '../engine/contract.js';
import { isMistake } from '../engine/js/mistake.js';
import { aligned } from '../memory/freelist.js';
import { checkedScores, scoresOf } from '../model/linear.js';
import { type Linear, meanOf, type Plane, type RunState, type Standing } from '../model/state.js';
import { KeptScores, LEAST_COLS } from './keptscores.js';
import { Learner, type MistakeCounter, overflowed, type StateAfter, type Target } from './learner.js';
import type { Problem } from './problem.js';
import type { NumericSettings } from './settings.js';

/** The most rows held out that are scored in one call. */
const JUDGED = 1024;

/** The start: planes, and the samples seen; `plane` is what was in the pocket. */
export type PrimalStart = Omit<Linear, 'plane'> & Standing & { readonly plane: Plane | undefined };

export class PrimalLearner extends Learner<Linear, 'weights' | 'sums' | 'judging'> {
  override readonly remote = { run: 'run', scan: 'scan' } as const;
  override readonly steps: Steps;
  #pocketPlane: Plane | undefined;

  constructor(
    engine: BoundEngine,
    problem: Problem,
    settings: NumericSettings,
    target: Target,
    from: (RunState & Linear) | undefined,
    start: PrimalStart,
  ) {
    const { X } = problem;
    const bytes = planeBytes(X);
    super(engine, problem, settings, target, from, {
      weights: bytes,
      sums: settings.average ? 8 * X.cols : 0,
      // f64[d], a plane; f64[some] scores, u32[some] rows.
      judging: settings.validationFraction > 0 ? aligned(bytes) + 12 * Math.min(JUDGED, X.rows) : 0,
    });
    this.steps = this.kernels.primal;
    const { last, sums } = start;
    this.#pocketPlane = settings.pocket ? start.plane : undefined;
    const { record, offsets } = this;
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
    record.setF64(at.SEEN, start.seen);
    record.setF64(at.SIGMA, start.sigma);
  }

  /** The present weights. Growth of the memory may detach this view: do not keep it. */
  get weights(): Float64Array {
    return this.arena.f64(this.offsets.weights, this.X.cols);
  }

  get #sums(): Float64Array {
    return this.arena.f64(this.offsets.sums, this.X.cols);
  }

  protected result(): Linear & Standing {
    const { record, standing, X } = this;
    const sums = this.offsets.sums ? { weights: this.#sums.slice(), bias: record.f64(at.BIAS_SUM) } : undefined;
    const last = { weights: this.weights.slice(), bias: record.f64(at.BIAS) };
    const linear = linearOf(last, sums, standing.seen, X);
    const pocket = this.#pocketPlane && { plane: this.#pocketPlane };
    return { counts: this.counts.slice(), ...standing, ...linear, ...pocket };
  }

  protected override stateAfter(): StateAfter {
    return { bias: this.record.f64(at.BIAS), weights: () => this.weights, code: undefined };
  }

  override makeCounter(): MistakeCounter | undefined {
    return this.X.cols >= LEAST_COLS ? new KeptScores(this.engine, this.X, this) : undefined;
  }

  override keep(): void {
    const last = { weights: this.weights.slice(), bias: this.record.f64(at.BIAS) };
    expectFinite(last, this.X);
    this.#pocketPlane = last;
  }

  override countKept(): number | undefined {
    if (!this.#pocketPlane) return undefined;
    const scores = scoresOf(this.#pocketPlane, this.X, this.engine);
    const { labels } = this;
    const mu = this.record.f64(at.MU);
    let wrong = 0;
    const count = (i: number) => {
      if (isMistake(scores[i] as number, labels[i] as number, mu)) wrong++;
    };
    if (this.problem.samples) this.problem.samples.forEach(count);
    else for (let i = 0; i < scores.length; i++) count(i);
    return wrong;
  }

  rightAmong(rows: Uint32Array): number {
    const scores = this.#scoresAt(rows);
    const { labels } = this;
    let right = 0;
    for (let k = 0; k < rows.length; k++) {
      if ((scores[k] as number) >= 0 === (labels[rows[k] as number] as number) > 0) right++;
    }
    return right;
  }

  /** The scores of some rows, with the pocket's or the last weights. */
  #scoresAt(rows: Uint32Array): Float64Array {
    const { X, arena, kernels } = this;
    const { weights, bias } = this.#pocketPlane ?? { weights: this.weights, bias: this.record.f64(at.BIAS) };
    const perCall = Math.min(JUDGED, X.rows);
    const w = this.offsets.judging;
    const out = w + aligned(planeBytes(X));
    const order = out + 8 * perCall;
    const group = this.record.offset + at.GROUP;
    const scores = new Float64Array(rows.length);
    arena.f64(w, weights.length).set(weights);
    for (let from = 0; from < rows.length; from += perCall) {
      const some = rows.subarray(from, from + perCall);
      arena.u32(order, some.length).set(some);
      kernels.scores(X.element, X.offset, some.length, X.cols, order, w, bias, out, group);
      scores.set(arena.f64(out, some.length), from);
    }
    return this.#pocketPlane ? checkedScores(scores, X, rows) : scores;
  }
}

/** Checks a plane: no score follows the last update of a fit and would show an overflow. @throws RangeError */
function expectFinite({ weights, bias }: Plane, X: Problem['X']): void {
  if (allFinite(weights) && Number.isFinite(bias)) return;
  const k = weights.findIndex((w) => !Number.isFinite(w));
  throw firstBad(X) ?? overflowed(k < 0 ? 'the bias' : `the weight of column ${k}`);
}

/** The last weights, their sums, and the plane that predicts: the mean (SPEC §9), or the last if there are no sums. */
export function linearOf(last: Plane, sums: Plane | undefined, seen: number, X: Problem['X']): Linear {
  expectFinite(last, X);
  if (!sums) return { last, sums, plane: last };
  const plane = {
    weights: last.weights.map((w, k) => meanOf(w, sums.weights[k] as number, seen)),
    bias: meanOf(last.bias, sums.bias, seen),
  };
  expectFinite(plane, X);
  return { last, sums, plane };
}
