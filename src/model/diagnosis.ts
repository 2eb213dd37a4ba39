// The diagnosis of a model: Novikoff's theorem in numbers (Novikoff 1962; SPEC §4).
// All in augmented space, x̃ = (x, B) and w̃ = (w, b/B), or in plain space without an intercept.

import type { ArenaRows } from '../data/arenarows.js';
import type { BoundEngine } from '../engine/contract.js';
import { dotF64 } from '../engine/js/dots.js';
import type { KernelFunction } from '../gram/kernel.js';
import type { SeparabilityProof } from '../proof/verify.js';
import { down, driftOf, EPS, leastSigma, lengthOf, radiusOf, scoreError, TINY, up } from './bracket.js';
import { type Expansion, kernelScores } from './dual.js';
import { type KernelPlane, kernelPlanes, kernelRadius, spreadOf } from './kernelbounds.js';
import { lossOf, scoresOf } from './linear.js';
import type { Plane, Supports } from './state.js';

/** Options of `diagnose`. */
export interface DiagnoseOptions {
  /** The weights of a known plane to compare with. */
  reference?: ArrayLike<number>;
  /** The bias of that plane. Default 0. */
  referenceBias?: number;
  /** Whether to prove that a plane separates these rows, or that none does (docs/proofs.md). Linear kernel only. Default false. */
  prove?: boolean;
}

/** What `diagnose` says of a model on rows: its errors, a bracket of the best margin, a bound of the mistakes (SPEC §4). */
export interface Diagnosis {
  samples: number;
  /** Samples predicted wrongly. */
  errors: number;
  accuracy: number;
  /** L(w, b) of SPEC §2. */
  loss: number;
  /** loss / ‖w‖: the total distance of the wrong samples to the plane. */
  distance: number;
  /** R, the largest ‖x̃‖. */
  radius: number;
  /**
   * Bounds of the best margin γ* that any plane has on the training rows, rounded outward; upper is Infinity if training made no
   * update.
   */
  margin: { lower: number; upper: number };
  /**
   * The most mistakes that training with these options can make, with γ = lower; null if lower ≤ 0, in batch order, and for a
   * polynomial kernel with a negative coef0: nothing is proven then.
   */
  mistakeBound: number | null;
  /** Mistakes that training made. */
  mistakes: number;
  /** Compared with the known plane. */
  reference?: { cosine: number; margin: number; mistakeBound: number | null };
  /** With `prove`: whether some plane has y·s > 0 for every row; 'unknown' if no proof was found with bounded effort. */
  separable?: 'yes' | 'no' | 'unknown';
  /** The proof, for `verifyProof(X, y, proof)`; not if it is unknown. */
  proof?: SeparabilityProof;
}

/** What the bounds need from training. */
export interface Proof {
  /** B, or 0 without an intercept. */
  scaling: number;
  learningRate: number;
  mu: number;
  sigma: number;
  classWeightRange: readonly [number, number];
  mistakes: number;
  /** Whether the mistake bound holds: for updates of size η, made one sample at a time. */
  isBounded: boolean;
}

/** The planes of a primal proof. */
export interface Planes {
  /** The plane that predicts. */
  plane: Plane;
  last: Plane;
  /** All zeros if undefined. */
  start: Plane | undefined;
}

/** The measurements on the rows. */
export interface Measured {
  scores: Float64Array;
  /** A bound of the rounding error of a score. */
  error: number;
  /** Bounds of ‖w̃‖ of the plane that predicts. */
  length: readonly [least: number, most: number];
  /** ‖w‖. */
  plain: number;
  /** At least ‖Σ λ_i y_i x̃_i‖, and at most Σ λ_i > 0: their ratio is no less than γ*, for any λ ≥ 0. Training gives λ. */
  combination: number;
  total: number;
  /** ‖w̃₀‖. */
  start: number;
  /** R, and at least R. */
  radius: number;
  mostRadius: number;
}

/** The smallest y·s. */
function smallestMargin(scores: Float64Array, signs: Int8Array): number {
  let least = Infinity;
  for (let i = 0; i < scores.length; i++) least = Math.min(least, (scores[i] as number) * (signs[i] as number));
  return least;
}

/** Bounds of a length that was computed from `terms` squares. */
export const around = (length: number, terms: number): readonly [number, number] => [
  down(length * (1 - EPS * (terms + 4))),
  up(length * (1 + EPS * (terms + 4))),
];

/** At most the smallest y·s / ‖w̃‖; a zero plane has no direction, and the margin of any unit vector is at least −R. */
function leastMargin(computed: number, error: number, [least, most]: Measured['length'], radius: number): number {
  const exact = down(computed - error);
  const margin = exact > 0 ? exact / most : least > 0 ? exact / least : -Infinity;
  return Math.max(-radius, down(margin));
}

/**
 * T ≤ (c_max R² + 2μ/η + 2‖w̃₀‖γ/η) / (c_min γ²), rounded up; γ is at most the best margin. null if the theorem, which is about
 * exact arithmetic, says nothing of doubles: if a step is lost in longer weights, or in the smallest numbers.
 */
function boundFor(gamma: number, { mostRadius: radius, start }: Measured, proof: Proof): number | null {
  if (!(gamma > 0) || !proof.isBounded) return null;
  const { learningRate: eta, mu } = proof;
  const [least, most] = proof.classWeightRange;
  const bound = up((most * (radius / gamma) ** 2 + (2 * mu) / eta / gamma / gamma + (2 * start) / eta / gamma) / least);
  const step = eta * least * radius;
  const longest = start + Math.sqrt(bound) * (eta * most * radius + Math.sqrt(2 * eta * most * mu));
  return longest < 2 ** 43 * step && step * radius > 2 ** -960 ? bound : null;
}

export function conclude(proof: Proof, measured: Measured, signs: Int8Array): Diagnosis {
  const { scores, total, mostRadius } = measured;
  const samples = scores.length;
  const loss = lossOf(scores, signs);
  let errors = 0;
  for (let i = 0; i < samples; i++) if ((scores[i] as number) >= 0 !== (signs[i] as number) > 0) errors++;
  const lower = leastMargin(smallestMargin(scores, signs), measured.error, measured.length, mostRadius);
  return {
    samples,
    errors,
    accuracy: (samples - errors) / samples,
    loss,
    distance: loss === 0 ? 0 : loss / measured.plain,
    radius: measured.radius,
    margin: { lower, upper: total > 0 ? up(measured.combination / total) : Infinity },
    mistakeBound: boundFor(lower, measured, proof),
    mistakes: proof.mistakes,
  };
}

/** What the upper side needs, of weights that moved from w̃₀ by this length in training. */
export function movedBy(
  moved: number,
  terms: number,
  { mistakes, sigma, scaling }: Proof,
  radius: number,
  start: number,
): Pick<Measured, 'combination' | 'total'> {
  const drift = driftOf(mistakes, sigma, radius, start, terms, scaling);
  return { combination: up(around(moved, terms)[1] + drift), total: leastSigma(sigma, mistakes) };
}

/** `radius`: R of these rows, if it is known. */
export function diagnosisOf(
  proof: Proof,
  { plane, last, start }: Planes,
  rows: ArenaRows,
  signs: Int8Array,
  engine: BoundEngine,
  reference: Plane | undefined,
  radius = radiusOf(rows, proof.scaling, engine, 1),
): Diagnosis {
  const { scaling } = proof;
  const { cols } = rows;
  const moved = start
    ? { weights: last.weights.map((w, k) => w - (start.weights[k] as number)), bias: last.bias - start.bias }
    : last;
  const [, mostRadius] = around(radius, cols);
  const length = around(lengthOf([plane], scaling), cols);
  const [, startLength] = around(start ? lengthOf([start], scaling) : 0, cols);
  const measured: Measured = {
    scores: scoresOf(plane, rows, engine),
    error: scoreError(length[1], mostRadius, cols),
    length,
    plain: lengthOf([plane], 0),
    ...movedBy(lengthOf([moved], scaling), cols, proof, mostRadius, startLength),
    start: startLength,
    radius,
    mostRadius,
  };
  const diagnosis = conclude(proof, measured, signs);
  if (!reference) return diagnosis;

  const referenceLength = lengthOf([reference], scaling);
  const between = around(referenceLength, cols);
  const score = smallestMargin(scoresOf(reference, rows, engine), signs);
  const gamma = leastMargin(score, scoreError(between[1], mostRadius, cols), between, mostRadius);
  const inner =
    dotF64(plane.weights, 0, reference.weights, 0, plane.weights.length) +
    (scaling > 0 ? (plane.bias / scaling) * (reference.bias / scaling) : 0);
  const own = lengthOf([plane], scaling);
  diagnosis.reference = {
    cosine: own > 0 ? inner / (own * referenceLength) : 0,
    margin: score / referenceLength,
    mistakeBound: boundFor(gamma, measured, proof),
  };
  return diagnosis;
}

/** The same in the space of a kernel: ‖w‖² = Σ α_i y_i (s_i − b), R² = max K_ii + B² (SPEC §4). */
export function kernelDiagnosisOf(
  proof: Proof,
  {
    expansion,
    last,
    supports,
    kernel,
  }: {
    expansion: Expansion;
    last: Expansion;
    supports: Pick<Supports, 'data' | 'indices'>;
    kernel: KernelFunction;
  },
  rows: ArenaRows,
  signs: Int8Array,
  engine: BoundEngine,
): Diagnosis {
  const { scaling } = proof;
  // Any λ ≥ 0 bounds γ*: the last α, with the bias that belongs to them exactly but for the rounding of one sum.
  const { coefficients } = last;
  const total = spreadOf(coefficients);
  const bias = scaling * scaling * coefficients.reduce((sum, c) => sum + c, 0);
  const lostBias = scaling > 0 ? (TINY * (1 + total)) / scaling : 0; // where b or B² is subnormal
  const [own, moved] = kernelPlanes(
    [[expansion], [{ coefficients, bias }]],
    supports.data,
    kernel,
    scaling,
    rows,
    engine,
  ) as [KernelPlane, KernelPlane];
  const measured: Measured = {
    scores: kernelScores([expansion], supports, kernel, rows, engine)[0] as Float64Array,
    error: own.error,
    length: own.length,
    plain: own.plain,
    combination: up(moved.length[1] + EPS * (coefficients.length + 4) * scaling * total + lostBias),
    total: down(total * (1 - 2 * EPS * (coefficients.length + 8))),
    start: 0,
    ...kernelRadius(rows, kernel, scaling, engine, 1),
  };
  const diagnosis = conclude(proof, measured, signs);
  // With a negative coef0 squared lengths may be negative: a margin is not defined, and the theorem does not hold.
  if (kernel.coef0 < 0) {
    return { ...diagnosis, margin: { lower: -diagnosis.radius, upper: Infinity }, mistakeBound: null };
  }
  return diagnosis;
}
