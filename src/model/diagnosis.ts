// The proof that comes with a model: Novikoff's theorem in numbers (Novikoff 1962; SPEC §4).
// All in augmented space, x̃ = (x, B) and w̃ = (w, b/B), or plain space without an intercept.

import type { ArenaRows } from '../data/rows.js';
import type { BoundEngine } from '../engine/contract.js';
import { dotF64 } from '../engine/js/kernels.js';
import { lossOf, scoresOf } from './linear.js';
import type { Plane } from './state.js';

export interface DiagnoseOptions {
  /** A known plane to measure against: its weights … */
  reference?: ArrayLike<number>;
  /** … and its bias. Default 0. */
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
  /** A bracket of the best margin γ* that any plane has on the training rows; upper is Infinity while there was no update. */
  margin: { lower: number; upper: number };
  /** The most mistakes training with these options can make, with γ = lower; null while lower ≤ 0, and in batch order. */
  mistakeBound: number | null;
  /** Mistakes that training made. */
  mistakes: number;
  /** Against the known plane. */
  reference?: { cosine: number; margin: number; mistakeBound: number | null };
}

/** Everything the proof needs to know of how a model came about. */
export interface Proof {
  plane: Plane;
  last: Plane;
  start: Plane;
  /** B, or 0 without an intercept. */
  scaling: number;
  learningRate: number;
  mu: number;
  sigma: number;
  classWeightRange: readonly [number, number];
  mistakes: number;
  isBatch: boolean;
}

/** ‖(w, b/B)‖² */
function squaredNorm({ weights, bias }: Plane, scaling: number): number {
  const b = scaling > 0 ? bias / scaling : 0;
  return dotF64(weights, 0, weights, 0, weights.length) + b * b;
}

function norm(plane: Plane, scaling: number): number {
  return Math.sqrt(squaredNorm(plane, scaling));
}

/** The smallest y·s. */
function smallestMargin(scores: Float64Array, signs: Int8Array): number {
  let least = Infinity;
  for (let i = 0; i < scores.length; i++) least = Math.min(least, (scores[i] as number) * (signs[i] as number));
  return least;
}

/** R² = max ‖x‖² + B². */
function squaredRadius(rows: ArenaRows, scaling: number, { arena, kernels }: BoundEngine): number {
  const block = arena.allocate(8 * rows.rows, `norms of ${rows.rows} rows`, false);
  try {
    kernels().squaredNorms(rows.element, rows.offset, rows.rows, rows.cols, block.offset);
    return arena.f64(block.offset, rows.rows).reduce((a, b) => Math.max(a, b), 0) + scaling * scaling;
  } finally {
    arena.release(block);
  }
}

/** T ≤ (c_max R² + 2μ/η + 2‖w̃₀‖γ/η) / (c_min γ²), for a γ smaller by what rounding may have added: it is a theorem. */
function boundFor(computed: number, radius2: number, proof: Proof): number | null {
  const gamma = computed - 2 * (proof.plane.weights.length + 4) * Number.EPSILON * Math.sqrt(radius2);
  if (!(gamma > 0) || proof.isBatch) return null;
  const { learningRate: eta, mu, start, scaling } = proof;
  const [least, most] = proof.classWeightRange;
  return (most * radius2 + (2 * mu) / eta + (2 * norm(start, scaling) * gamma) / eta) / (least * gamma * gamma);
}

export function diagnosisOf(
  proof: Proof,
  rows: ArenaRows,
  signs: Int8Array,
  engine: BoundEngine,
  reference: Plane | undefined,
): Diagnosis {
  const { plane, last, start, scaling } = proof;
  const scores = scoresOf(plane, rows, engine);
  const loss = lossOf(scores, signs);
  let errors = 0;
  for (let i = 0; i < scores.length; i++) if ((scores[i] as number) >= 0 !== (signs[i] as number) > 0) errors++;
  const length = norm(plane, scaling);
  // A zero plane has no direction and proves nothing; any unit vector does at least as well as −R.
  const radius2 = squaredRadius(rows, scaling, engine);
  const lower = length > 0 ? smallestMargin(scores, signs) / length : -Math.sqrt(radius2);
  const moved = {
    weights: last.weights.map((w, k) => w - (start.weights[k] as number)),
    bias: last.bias - start.bias,
  };
  const diagnosis: Diagnosis = {
    samples: rows.rows,
    errors,
    accuracy: (rows.rows - errors) / rows.rows,
    loss,
    distance: loss === 0 ? 0 : loss / norm(plane, 0),
    radius: Math.sqrt(radius2),
    margin: { lower, upper: proof.sigma > 0 ? norm(moved, scaling) / proof.sigma : Infinity },
    mistakeBound: boundFor(lower, radius2, proof),
    mistakes: proof.mistakes,
  };
  if (!reference) return diagnosis;

  const referenceLength = norm(reference, scaling);
  const gamma = smallestMargin(scoresOf(reference, rows, engine), signs) / referenceLength;
  const inner =
    dotF64(plane.weights, 0, reference.weights, 0, plane.weights.length) +
    (scaling > 0 ? (plane.bias / scaling) * (reference.bias / scaling) : 0);
  diagnosis.reference = {
    cosine: length > 0 ? inner / (length * referenceLength) : 0,
    margin: gamma,
    mistakeBound: boundFor(gamma, radius2, proof),
  };
  return diagnosis;
}
