// What a dual model does with rows: scores from supports, or through w where the kernel is linear (SPEC §7).

import { RBF } from '../../assembly/layout.js';
import type { KernelFunction } from '../data/kernel.js';
import { bringOthers, type OtherRows, Pairs } from '../data/pairs.js';
import type { ArenaRows } from '../data/rows.js';
import type { BoundEngine } from '../engine/contract.js';
import { axpyF32, axpyF64 } from '../engine/js/dots.js';
import type { Block } from '../memory/arena.js';
import { checkedScore, checkedScores, withRows } from './linear.js';
import { type DualState, meanOf, type Plane, type Supports } from './state.js';

/** α_i y_i of each support, and the bias that belongs to them. */
export interface Expansion {
  readonly coefficients: Float64Array;
  readonly bias: number;
}

/** The last α. */
export function lastExpansion({ supports: { alphas, signs }, bias }: DualState): Expansion {
  return { coefficients: alphas.map((alpha, s) => alpha * (signs[s] as number)), bias };
}

/** What predicts: the mean of α over time where averaging is on, the pocket where there is one, else the last. */
export function expansionOf(state: DualState): Expansion {
  const { supports, seen, bias, biasSum } = state;
  const { alphas, signs, sums, pocket } = supports;
  if (pocket) return { coefficients: pocket.map((a, s) => a * (signs[s] as number)), bias: state.pocketBias };
  if (!sums) return lastExpansion(state);
  return {
    coefficients: alphas.map((alpha, s) => meanOf(alpha, sums[s] as number, seen) * (signs[s] as number)),
    bias: meanOf(bias, biasSum, seen),
  };
}

/** w = Σ α_i y_i x_i, supports in ascending order. */
export function planeOf({ coefficients, bias }: Expansion, { data }: Pick<Supports, 'data'>, cols: number): Plane {
  const weights = new Float64Array(cols);
  coefficients.forEach((by, s) => {
    if (data.BYTES_PER_ELEMENT === 8) axpyF64(weights, 0, data as Float64Array, s * cols, by, cols);
    else axpyF32(weights, 0, data as Float32Array, s * cols, by, cols);
  });
  return { weights, bias };
}

/** Values of X scored against all supports before the next are: they stay in a cache meanwhile. */
const CHUNK_VALUES = 2 ** 16;

/** Σ α_j y_j K(x_j, x_i) for each row i, without the bias: supports in ascending order, pairs in order P. */
export function expand(
  coefficients: Float64Array,
  data: Float64Array | Float32Array,
  kernel: KernelFunction,
  rows: ArenaRows,
  engine: BoundEngine,
): Float64Array {
  const { arena } = engine;
  const result = new Float64Array(rows.rows);
  if (coefficients.length === 0) return result;
  const chunk = Math.min(rows.rows, Math.max(24, Math.floor(CHUNK_VALUES / rows.cols)));
  const block = arena.allocate(16 * chunk, `scores of ${chunk} rows`, false);
  const [scores, values] = [block.offset, block.offset + 8 * chunk];
  let supports: OtherRows | undefined;
  try {
    const brought = bringOthers(data, rows.cols, engine);
    supports = brought;
    for (let i = 0; i < rows.rows; i += chunk) {
      const count = Math.min(chunk, rows.rows - i);
      const pairs = new Pairs(
        engine,
        { ...rows, rows: count, offset: rows.offset + rows.element * rows.cols * i },
        kernel,
      );
      try {
        arena.f64(scores, count).fill(0);
        coefficients.forEach((by, s) => {
          pairs.other(brought, s, values);
          engine.kernels().axpy(8, scores, values, by, count);
        });
      } finally {
        pairs.release();
      }
      result.set(arena.f64(scores, count), i);
    }
  } finally {
    arena.release(block);
    supports?.release();
  }
  return result;
}

/** K(x_i, x) of each support. */
export function kernelsWith(
  { data, indices }: Pick<Supports, 'data' | 'indices'>,
  x: ArrayLike<number>,
  kernel: KernelFunction,
  engine: BoundEngine,
): Float64Array {
  const count = indices.length;
  if (count === 0) return new Float64Array();
  const { arena } = engine;
  return withRows({ data, rows: count, cols: x.length }, x.length, engine, (rows) => {
    const pairs = new Pairs(engine, rows, kernel);
    let other: OtherRows | undefined;
    let out: Block | undefined;
    try {
      other = bringOthers(Float64Array.from(x), x.length, engine);
      if (kernel.kind === RBF && !Number.isFinite(other.norms[0])) checkedScore(NaN);
      out = arena.allocate(8 * count, `${count} kernels`, false);
      pairs.other(other, 0, out.offset);
      return arena.f64(out.offset, count).slice();
    } finally {
      pairs.release();
      other?.release();
      if (out) arena.release(out);
    }
  });
}

/** The score of each row. @throws RangeError naming the first value or row that is not finite */
export function kernelScores(
  { coefficients, bias }: Expansion,
  { data }: Pick<Supports, 'data'>,
  kernel: KernelFunction,
  rows: ArenaRows,
  engine: BoundEngine,
): Float64Array {
  const scores = expand(coefficients, data, kernel, rows, engine);
  for (let i = 0; i < scores.length; i++) scores[i] = (scores[i] as number) + bias;
  return checkedScores(scores, rows);
}
