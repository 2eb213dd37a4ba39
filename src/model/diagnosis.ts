// The diagnosis of a model: Novikoff's theorem in numbers (Novikoff 1962; SPEC §4).
// All in augmented space, x̃ = (x, B) and w̃ = (w, b/B), or in plain space without an intercept.

import { finish } from '../async/pausing.js';
import type { ArenaRows } from '../data/arenarows.js';
import { squaredNormsOf } from '../data/products.js';
import type { BoundEngine } from '../engine/contract.js';
import { dotF64 } from '../engine/js/dots.js';
import { pairsOf } from '../gram/densepairs.js';
import type { KernelFunction } from '../gram/kernel.js';
import { ALONE } from '../worker/threads.js';
import { type Expansion, expand, kernelScores } from './dual.js';
import { lossOf, scoresOf, withRows } from './linear.js';
import type { Plane, Supports } from './state.js';

export interface DiagnoseOptions {
  /** The weights of a known plane to compare with. */
  reference?: ArrayLike<number>;
  /** The bias of that plane. Default 0. */
  referenceBias?: number;
}

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
  /** Bounds of the best margin γ* that any plane has on the training rows; upper is Infinity if training made no update. */
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
  isBatch: boolean;
}

/** The planes of a primal proof. */
export interface Planes {
  /** The plane that predicts. */
  plane: Plane;
  last: Plane;
  start: Plane;
}

/** The measurements on the rows. */
export interface Measured {
  scores: Float64Array;
  /** ‖w̃‖² and ‖w‖² of the plane that predicts. */
  augmented2: number;
  plain2: number;
  /** ‖w̃_T − w̃₀‖², ‖w̃₀‖². */
  moved2: number;
  start2: number;
  /** R². */
  radius2: number;
  /** An upper bound of the rounding error of a margin. */
  slack: number;
}

/** ‖(w, b/B)‖² */
export function squaredNorm({ weights, bias }: Plane, scaling: number): number {
  const b = scaling > 0 ? bias / scaling : 0;
  return dotF64(weights, 0, weights, 0, weights.length) + b * b;
}

/** The smallest y·s. */
function smallestMargin(scores: Float64Array, signs: Int8Array): number {
  let least = Infinity;
  for (let i = 0; i < scores.length; i++) least = Math.min(least, (scores[i] as number) * (signs[i] as number));
  return least;
}

/** R² = max ‖x‖² + B². */
export const squaredRadius = (rows: ArenaRows, scaling: number, engine: BoundEngine): number =>
  squaredNormsOf(rows, engine).reduce((a, b) => Math.max(a, b), 0) + scaling * scaling;

/** T ≤ (c_max R² + 2μ/η + 2‖w̃₀‖γ/η) / (c_min γ²), with γ reduced by its possible rounding error, so that the bound holds. */
function boundFor(computed: number, { radius2, start2, slack }: Measured, proof: Proof): number | null {
  const gamma = computed - slack;
  if (!(gamma > 0) || proof.isBatch) return null;
  const { learningRate: eta, mu } = proof;
  const [least, most] = proof.classWeightRange;
  return (most * radius2 + (2 * mu) / eta + (2 * Math.sqrt(start2) * gamma) / eta) / (least * gamma * gamma);
}

export function conclude(proof: Proof, measured: Measured, signs: Int8Array): Diagnosis {
  const { scores, radius2 } = measured;
  const samples = scores.length;
  const loss = lossOf(scores, signs);
  let errors = 0;
  for (let i = 0; i < samples; i++) if ((scores[i] as number) >= 0 !== (signs[i] as number) > 0) errors++;
  const length = Math.sqrt(measured.augmented2);
  // A zero plane has no direction and proves nothing; the margin of any unit vector is at least −R.
  const lower = length > 0 ? smallestMargin(scores, signs) / length : -Math.sqrt(radius2);
  return {
    samples,
    errors,
    accuracy: (samples - errors) / samples,
    loss,
    distance: loss === 0 ? 0 : loss / Math.sqrt(measured.plain2),
    radius: Math.sqrt(radius2),
    margin: { lower, upper: proof.sigma > 0 ? Math.sqrt(measured.moved2) / proof.sigma : Infinity },
    mistakeBound: boundFor(lower, measured, proof),
    mistakes: proof.mistakes,
  };
}

export function diagnosisOf(
  proof: Proof,
  { plane, last, start }: Planes,
  rows: ArenaRows,
  signs: Int8Array,
  engine: BoundEngine,
  reference: Plane | undefined,
): Diagnosis {
  const { scaling } = proof;
  const moved = {
    weights: last.weights.map((w, k) => w - (start.weights[k] as number)),
    bias: last.bias - start.bias,
  };
  const radius2 = squaredRadius(rows, scaling, engine);
  const measured: Measured = {
    scores: scoresOf(plane, rows, engine),
    augmented2: squaredNorm(plane, scaling),
    plain2: squaredNorm(plane, 0),
    moved2: squaredNorm(moved, scaling),
    start2: squaredNorm(start, scaling),
    radius2,
    slack: 2 * (rows.cols + 4) * Number.EPSILON * Math.sqrt(radius2),
  };
  const diagnosis = conclude(proof, measured, signs);
  if (!reference) return diagnosis;

  const length = Math.sqrt(measured.augmented2);
  const referenceLength = Math.sqrt(squaredNorm(reference, scaling));
  const gamma = smallestMargin(scoresOf(reference, rows, engine), signs) / referenceLength;
  const inner =
    dotF64(plane.weights, 0, reference.weights, 0, plane.weights.length) +
    (scaling > 0 ? (plane.bias / scaling) * (reference.bias / scaling) : 0);
  diagnosis.reference = {
    cosine: length > 0 ? inner / (length * referenceLength) : 0,
    margin: gamma,
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
  const squares = (lists: readonly Float64Array[]): number[] => {
    if (supports.indices.length === 0) return lists.map(() => 0);
    const parts = withRows(supports.data, rows.cols, engine, (r) => expand(lists, supports.data, kernel, r, engine));
    // Not negative in exact arithmetic if the kernel function is positive semidefinite.
    return parts.map((part, l) =>
      Math.max(
        0,
        part.reduce((sum, s, i) => sum + (lists[l]?.[i] as number) * s, 0),
      ),
    );
  };
  const biased = ({ bias }: Expansion) => (scaling > 0 ? (bias / scaling) * (bias / scaling) : 0);
  const pairs = pairsOf(engine, rows, kernel);
  let radius2 = scaling * scaling;
  try {
    radius2 += finish(pairs.diagonal(ALONE)).reduce((a, b) => Math.max(a, b), 0);
  } finally {
    pairs.release();
  }
  const [plain2, last2] = squares([expansion.coefficients, last.coefficients]) as [number, number];
  const augmented2 = plain2 + biased(expansion);
  const terms = 2 * (rows.cols + supports.indices.length + 16);
  const measured: Measured = {
    scores: kernelScores([expansion], supports, kernel, rows, engine)[0] as Float64Array,
    augmented2,
    plain2,
    moved2: last2 + biased(last),
    start2: 0,
    radius2,
    // Each term α_i K_ij of a score is rounded on its own, and their absolute values sum to at most σ R².
    slack: augmented2 > 0 ? (terms * Number.EPSILON * proof.sigma * radius2) / Math.sqrt(augmented2) : 0,
  };
  const diagnosis = conclude(proof, measured, signs);
  // With a negative coef0 squared lengths may be negative: a margin is not defined, and the theorem does not hold.
  if (kernel.coef0 < 0) {
    return { ...diagnosis, margin: { lower: -diagnosis.radius, upper: Infinity }, mistakeBound: null };
  }
  return diagnosis;
}
