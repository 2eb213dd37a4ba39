// Platt's sigmoid: p = 1 / (1 + e^(a s + b)), a and b of the largest likelihood.
//
// Platt (1999), "Probabilistic outputs for support vector machines": targets are not 1 and 0 but (N₊ + 1) / (N₊ + 2) and
// 1 / (N₋ + 2), so that scores which separate the classes give finite a and b. Minimised by the Newton method with backtracking of
// Lin, Lin and Weng (2007), "A note on Platt's probabilistic outputs for support vector machines", whose formulas neither
// overflow nor cancel. Weights count as so many rows, as in scikit-learn.

import { ln } from '../encode/log.js';
import { exp } from '../engine/js/exp.js';
import type { Levels } from './curves.js';
import type { SigmoidMap } from './maps.js';

/** Rows of one score: their sum of targets and their weight. */
interface Groups {
  /** Scaled: the largest absolute value is 1. */
  readonly scores: Float64Array;
  readonly targets: Float64Array;
  readonly weights: Float64Array;
}

const MOST_STEPS = 100;
/** Keeps the Hessian regular if all scores are equal. Relative to the weight of all rows. */
const RIDGE = 1e-12;
/** The gradient, relative to the weight of all rows, at which the search ends. */
const SMALL_GRADIENT = 1e-14;
const SMALLEST_STEP = 1e-10;

/** The mean over rows of −t ln p − (1 − t) ln (1 − p). */
function lossAt({ scores, targets, weights }: Groups, a: number, b: number): number {
  let sum = 0;
  for (let i = 0; i < scores.length; i++) {
    const z = a * (scores[i] as number) + b;
    const weight = weights[i] as number;
    const target = targets[i] as number;
    // t z + ln(1 + e^−z), which is (t − 1) z + ln(1 + e^z).
    sum += (z >= 0 ? target : target - weight) * z + weight * ln(1 + exp(-Math.abs(z)));
  }
  return sum;
}

/** The gradient [g_a, g_b] and the Hessian [h_aa, h_ab, h_bb]. */
function slopesAt(
  { scores, targets, weights }: Groups,
  a: number,
  b: number,
): [number, number, number, number, number] {
  let [ga, gb, haa, hab, hbb] = [0, 0, 0, 0, 0];
  for (let i = 0; i < scores.length; i++) {
    const s = scores[i] as number;
    const z = a * s + b;
    const e = exp(-Math.abs(z));
    const [p, q] = z >= 0 ? [e / (1 + e), 1 / (1 + e)] : [1 / (1 + e), e / (1 + e)];
    const weight = weights[i] as number;
    const g = (targets[i] as number) - weight * p;
    const h = weight * p * q;
    ga += s * g;
    gb += g;
    haa += s * s * h;
    hab += s * h;
    hbb += h;
  }
  return [ga, gb, haa, hab, hbb];
}

const total = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0);

/** The sigmoid that fits rows best. */
export function fitSigmoid({ scores: given, positive, negative }: Levels): SigmoidMap {
  const largest = given.reduce((most, score) => Math.max(most, Math.abs(score)), 0) || 1;
  const [plus, minus] = [total(positive), total(negative)];
  const [high, low] = [(plus + 1) / (plus + 2), 1 / (minus + 2)];
  const groups = {
    scores: given.map((score) => score / largest),
    targets: positive.map((weight, i) => weight * high + (negative[i] as number) * low),
    weights: positive.map((weight, i) => weight + (negative[i] as number)),
  };
  const all = plus + minus;
  let [a, b] = [0, ln((minus + 1) / (plus + 1))];
  let loss = lossAt(groups, a, b);
  for (let k = 0; k < MOST_STEPS; k++) {
    const [ga, gb, haa, hab, hbb] = slopesAt(groups, a, b);
    if (Math.max(Math.abs(ga), Math.abs(gb)) <= SMALL_GRADIENT * all) break;
    const [caa, cbb] = [haa + RIDGE * all, hbb + RIDGE * all];
    const determinant = caa * cbb - hab * hab;
    const [da, db] = [(hab * gb - cbb * ga) / determinant, (hab * ga - caa * gb) / determinant];
    const slope = ga * da + gb * db;
    let step = 1;
    let next = lossAt(groups, a + da, b + db);
    while (!(next < loss + 1e-4 * step * slope) && step >= SMALLEST_STEP) {
      step /= 2;
      next = lossAt(groups, a + step * da, b + step * db);
    }
    if (step < SMALLEST_STEP) {
      // The loss is flat to its last digit. The gradient is not yet: one more Newton step, if that makes it smaller.
      const [nextA, nextB] = slopesAt(groups, a + da, b + db);
      if (Math.abs(nextA) + Math.abs(nextB) < Math.abs(ga) + Math.abs(gb)) [a, b] = [a + da, b + db];
      break;
    }
    [a, b, loss] = [a + step * da, b + step * db, next];
  }
  const most = Number.MAX_VALUE;
  return { a: Math.max(-most, Math.min(most, a / largest)), b };
}
