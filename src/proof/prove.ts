// Whether a plane separates two classes, with a proof: a plane that is checked exactly, or λ ≥ 0 with Σ λ_i y_i x̃_i = 0.
// Doubles find what is likely to be a proof, integers make it one.

import type { Label } from '../data/labels.js';
import { has } from '../own.js';
import { nearestPoint } from './nearest.js';
import { inDoubles, integerColumns, normalised, Points, type ProverRows } from './points.js';
import { solveExactly } from './simplex.js';
import type { SeparabilityProof } from './verify.js';

interface ProverPlane {
  readonly weights: ArrayLike<number>;
  readonly bias: number;
}

export interface Proven<L extends Label = Label> {
  separable: 'yes' | 'no' | 'unknown';
  proof?: SeparabilityProof<L>;
}

/** How much to try. It is counted, not timed, so that every run gives the same answer. */
const EFFORT = {
  /** The most values of a dense copy; if X has more, every so many rows are searched for a proof. */
  values: 2 ** 23,
  /** The most columns of an exact system. */
  columns: 400,
  /** The search in doubles, and the proof in integers: a unit takes one to three nanoseconds. */
  search: 2 ** 32,
  integers: 2 ** 33,
};

/** A point that is zero, or two that are opposite: the shortest proofs that no plane separates. */
function contradiction(points: Points): number[] | undefined {
  // Equal rows have equal sums of values with any weights; unequal ones that share a sum are told apart by the values.
  const seen = new Map<number, number>();
  const textOf = (i: number, sign: number) => {
    const parts: string[] = [];
    points.visit(i, (k, value) => {
      if (value !== 0) parts.push(`${k}:${sign * value}`);
    });
    return parts.join();
  };
  for (let i = 0; i < points.count; i++) {
    let [key, isZero] = [0, true];
    points.visit(i, (k, value) => {
      key += value * Math.sin(k + 1);
      isZero &&= value === 0;
    });
    if (isZero) return [i];
    const other = seen.get(-key);
    if (other !== undefined && textOf(other, -1) === textOf(i, 1)) return [other, i];
    seen.set(key, i);
  }
  return undefined;
}

function reduced(lambdas: readonly bigint[]): string[] {
  const gcd = lambdas.reduce((a, b) => {
    let [x, y] = [a, b];
    while (y !== 0n) [x, y] = [y, x % y];
    return x;
  }, 0n);
  return lambdas.map((v) => String(v / gcd));
}

/** Whether a plane separates the rows with sign +1 from those with −1. `planes`: some that may. `positive`: the label of +1. */
export function prove<L extends Label>(
  X: ProverRows,
  signs: Int8Array,
  intercept: boolean,
  planes: readonly ProverPlane[],
  positive: L,
  effort = EFFORT,
): Proven<L> {
  if (!signs.includes(1)) return { separable: 'unknown' }; // a proof needs rows of the class that it is about
  const all = new Points(X, signs, intercept, 1);
  const yes = (w: ArrayLike<number>): Proven<L> | undefined => {
    if (!Array.from(w).every(Number.isFinite) || !all.areRightOf(w)) return undefined;
    const weights = Array.from(w).slice(0, X.cols);
    const bias = intercept ? (w[X.cols] as number) : 0;
    return { separable: 'yes', proof: { separable: 'yes', positive, intercept, weights, bias } };
  };
  const no = (samples: number[], multipliers: string[]): Proven<L> => ({
    separable: 'no',
    proof: { separable: 'no', positive, intercept, samples, multipliers },
  });
  for (const { weights, bias } of planes) {
    const known = yes([...Array.from(weights), bias]);
    if (known) return known;
  }
  const pair = contradiction(all);
  if (pair)
    return no(
      pair,
      pair.map(() => '1'),
    );
  const step = Math.ceil((all.count * all.size) / effort.values);
  const points = new Points(X, signs, intercept, step);
  const { Q, back } = normalised(points, intercept);
  const { point, support } = nearestPoint(Q, points.count, points.size, effort.search);
  const found = yes(back(point));
  if (found) return found;
  if (points.size > effort.columns) return { separable: 'unknown' };
  const columns = integerColumns(points);
  const result = solveExactly(columns, support, effort.integers);
  if (!result) return { separable: 'unknown' };
  if (has(result, 'lambdas'))
    return no(
      result.samples.map((i) => i * step),
      reduced(result.lambdas),
    );
  const plane = inDoubles(
    result.plane,
    columns.shifts.map((s) => s - 1074),
  );
  return (plane && yes(plane)) ?? { separable: 'unknown' };
}
