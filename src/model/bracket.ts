// Bounds that hold in floating point: lengths without overflow, rounding errors, results rounded outward (Higham 2002, §3).
// A result is within u = 2⁻⁵³ of its exact value; 2u is used throughout, which covers the terms of second order.

import { RBF } from '../../assembly/layout.js';
import type { ArenaRows } from '../data/arenarows.js';
import { squaredNormsOf } from '../data/products.js';
import type { BoundEngine } from '../engine/contract.js';
import { dotF64 } from '../engine/js/dots.js';
import type { KernelFunction } from '../gram/kernel.js';
import type { Plane } from './state.js';

/** 2u. */
export const EPS = Number.EPSILON;

/** The smallest double, 2⁻¹⁰⁷⁴: a product that underflows is wrong by at most half of it. */
export const TINY = Number.MIN_VALUE;

/** At least the exact value of a few operations whose result was x. */
export const up = (x: number): number => (Number.isNaN(x) ? Infinity : x + 8 * EPS * Math.abs(x) + TINY);

/** At most that value. */
export const down = (x: number): number => -up(-x);

export const largest = (values: Float64Array): number => values.reduce((a, b) => Math.max(a, b), 0);

/** Whether a sum of squares has neither overflowed nor lost anything to underflow. */
const isSafe = (squares: number): boolean => squares > 2 ** -900 && squares < 2 ** 1000;

/** √ of the squares of all values that `visit` gives; `squares` is their plain sum. */
function lengthFrom(squares: number, visit: (see: (value: number) => void) => void): number {
  if (isSafe(squares)) return Math.sqrt(squares);
  let [most, sum] = [0, 0];
  visit((v) => {
    most = Math.max(most, Math.abs(v));
  });
  if (!(most > 0 && most < Infinity)) return most;
  visit((v) => {
    sum += (v / most) ** 2;
  });
  return most * Math.sqrt(sum);
}

/** The length of all (w, b/B) as one vector, or of all w if B is 0. */
export function lengthOf(planes: readonly Plane[], scaling: number): number {
  const biasOf = ({ bias }: Plane) => (scaling > 0 ? bias / scaling : 0);
  const squares = planes.reduce((sum, plane) => {
    const { weights } = plane;
    return sum + (dotF64(weights, 0, weights, 0, weights.length) + biasOf(plane) ** 2);
  }, 0);
  return lengthFrom(squares, (see) => {
    for (const plane of planes) {
      for (const w of plane.weights) see(w);
      see(biasOf(plane));
    }
  });
}

/** The largest ‖(x, B)‖, times √`factor`. */
export function radiusOf(rows: ArenaRows, scaling: number, engine: BoundEngine, factor: 1 | 2): number {
  const squares = factor * (largest(squaredNormsOf(rows, engine)) + scaling * scaling);
  if (isSafe(squares)) return Math.sqrt(squares);
  let longest = 0;
  for (let i = 0; i < rows.rows; i++) {
    const length = lengthFrom(0, (see) => {
      rows.visit(i, (_, value) => see(value));
      see(scaling);
    });
    longest = Math.max(longest, length);
  }
  return Math.sqrt(factor) * longest;
}

/** A bound of the rounding error of a score w·x + b, for weights of this length. */
export const scoreError = (length: number, radius: number, cols: number): number =>
  (cols + 4) * (EPS * length * radius + TINY);

/**
 * A bound of ‖w̃_T − w̃₀ − Σ step·y·x̃‖, the rounding errors of T updates: each rounds a product and a sum twice at most, in a
 * vector that is never longer than ‖w̃₀‖ + σR.
 */
export function driftOf(updates: number, sigma: number, radius: number, start: number, cols: number, scaling: number) {
  const lost = scaling > 0 ? 1 + 1 / scaling : 1;
  // B² may be subnormal: its rounding, times all steps, is in b.
  const ofScaling = scaling > 0 ? (TINY * sigma) / scaling : 0;
  return up((updates + 2) * (4 * EPS * (start + sigma * radius) + TINY * (cols + 2) * lost) + ofScaling);
}

/** At most σ, the sum of this many steps. */
export const leastSigma = (sigma: number, updates: number): number => down(sigma * (1 - EPS * (updates + 2)));

/** The largest |K| among rows with ‖x‖² up to `squares`, and a bound of its rounding error. */
export function kernelError({ kind, gamma, coef0, degree }: KernelFunction, squares: number, cols: number) {
  if (kind === RBF) {
    // ‖x‖² + ‖z‖² − 2x·z is wrong by a part of its terms, not of itself; exp by less than an ulp (docs/adr/0006).
    return { most: 1, error: Math.min(1, EPS * (4 * (cols + 8) * gamma * squares + 4)) };
  }
  const most = up((gamma * squares + Math.abs(coef0)) ** degree);
  return { most, error: up(EPS * degree * (cols + 8) * most) };
}
