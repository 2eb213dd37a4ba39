// Scores of a dual model: from its support vectors, or from w if the kernel is linear (SPEC §7).

import { RBF } from '../../assembly/layout.js';
import { finish } from '../async/pausing.js';
import { type ArenaRows, firstBad, rowsOfStore } from '../data/arenarows.js';
import { storeOfRows } from '../data/csr.js';
import { nonZerosOf } from '../data/entries.js';
import { countKept, entriesOfKept, isKeptSparse, type KeptRows, visitKept } from '../data/kept.js';
import { squaredNormsOf } from '../data/products.js';
import type { BoundEngine } from '../engine/contract.js';
import { axpyAny } from '../engine/js/dots.js';
import { DensePairs, pairsOf } from '../gram/densepairs.js';
import type { KernelFunction } from '../gram/kernel.js';
import { type OtherRows, pairOverflow } from '../gram/pairs.js';
import { SparsePairs } from '../gram/sparsepairs.js';
import type { Block } from '../memory/arena.js';
import { ALONE } from '../worker/threads.js';
import { checkedScore, checkedScores, withRows } from './linear.js';
import { byWeight, type Contribution } from './model.js';
import { type DualState, meanOf, type Plane, type Supports } from './state.js';

/** α_i y_i of each support vector, and their bias. */
export interface Expansion {
  readonly coefficients: Float64Array;
  readonly bias: number;
}

/** Scores, one for each class: Σ coefficients[s] · K(training row indices[s], x) + bias. */
export interface Expansions {
  readonly indices: Uint32Array;
  readonly expansions: readonly Expansion[];
}

/** The last α. */
export function lastExpansion({ supports: { alphas, signs }, bias }: DualState): Expansion {
  return { coefficients: alphas.map((alpha, s) => alpha * (signs[s] as number)), bias };
}

/** The expansion that predicts: the mean of α if averaging is on, that of the pocket if there is one, else the last. */
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

/** w = Σ α_i y_i x_i, support vectors in ascending order. */
export function planeOf({ coefficients, bias }: Expansion, { data }: Pick<Supports, 'data'>, cols: number): Plane {
  const weights = new Float64Array(cols);
  coefficients.forEach((by, s) => {
    if (isKeptSparse(data)) {
      visitKept(data, s, (k, value) => {
        weights[k] = (weights[k] as number) + by * value;
      });
    } else {
      axpyAny(weights, 0, data.data, s * cols, by, cols);
    }
  });
  return { weights, bias };
}

/** Rows scored together with how many support vectors: 0.3 MB of K. A quarter or four times as much is no faster. */
const CHUNK_ROWS = 384;
const CHUNK_SUPPORTS = 96;

/**
 * Σ c_j K(x_j, x_i) for each list of coefficients c and each row i, without the bias: support vectors in ascending order,
 * pairs in order P. K is computed once for all lists. Zero coefficients are multiplied too: 0·∞ is NaN and so reveals an
 * overflow of K.
 */
export function expand(
  coefficients: readonly Float64Array[],
  data: KeptRows,
  kernel: KernelFunction,
  rows: ArenaRows,
  engine: BoundEngine,
): Float64Array[] {
  const { arena } = engine;
  const results = coefficients.map(() => new Float64Array(rows.rows));
  const supports = countKept(data);
  if (supports === 0) return results;
  if (rows.store || isKeptSparse(data)) {
    expandSparse(results, coefficients, data, kernel, rows, engine);
    return results;
  }
  const width = Math.min(rows.rows, CHUNK_ROWS);
  const height = Math.min(supports, CHUNK_SUPPORTS);
  const bytes = 8 * width * (coefficients.length + height);
  const block = arena.allocate(bytes, `kernels of ${height} and ${width} rows`, false);
  const [values, scores] = [block.offset, block.offset + 8 * width * height];
  let others: OtherRows | undefined;
  try {
    for (let i = 0; i < rows.rows; i += width) {
      const count = Math.min(width, rows.rows - i);
      const pairs = new DensePairs(engine, rows.part(i, count), kernel, i);
      try {
        others ??= pairs.copyIn(data);
        arena.f64(scores, count * coefficients.length).fill(0);
        for (let s = 0; s < supports; s += height) {
          const together = Math.min(height, supports - s);
          finish(pairs.block(others, s, together, values, ALONE));
          const { axpy } = engine.kernels();
          coefficients.forEach((list, l) => {
            for (let r = 0; r < together; r++) {
              axpy(8, scores + 8 * count * l, values + 8 * count * r, list[s + r] as number, count);
            }
          });
        }
      } finally {
        pairs.release();
      }
      results.forEach((result, l) => {
        result.set(arena.f64(scores + 8 * count * l, count), i);
      });
    }
  } finally {
    arena.release(block);
    others?.rows.release();
  }
  return results;
}

/** `expand` for sparse rows or sparse support vectors: each row against all support vectors, which are stored by columns. */
function expandSparse(
  results: readonly Float64Array[],
  coefficients: readonly Float64Array[],
  data: KeptRows,
  kernel: KernelFunction,
  rows: ArenaRows,
  engine: BoundEngine,
): void {
  const { arena } = engine;
  const supports = rowsOfStore(storeOfRows(entriesOfKept(data), arena));
  let pairs: SparsePairs | undefined;
  let block: Block | undefined;
  try {
    pairs = new SparsePairs(engine, supports, kernel);
    block = arena.allocate(8 * supports.rows, `kernels of ${supports.rows} rows`, false);
    for (let i = 0; i < rows.rows; i += CHUNK_ROWS) {
      const count = Math.min(CHUNK_ROWS, rows.rows - i);
      const some = sparseOthers(rows.part(i, count), i, kernel, engine);
      try {
        for (let r = 0; r < count; r++) {
          finish(pairs.block(some, r, 1, block.offset, ALONE));
          const kernels = arena.f64(block.offset, supports.rows);
          coefficients.forEach((list, l) => {
            let sum = 0;
            for (let s = 0; s < list.length; s++) sum += (list[s] as number) * (kernels[s] as number);
            (results[l] as Float64Array)[i + r] = sum;
          });
        }
      } finally {
        some.rows.release();
      }
    }
  } finally {
    if (block) arena.release(block);
    pairs?.release();
    supports.release();
  }
}

/** Rows, from row `first` of X on, as the other rows of sparse pairs. */
function sparseOthers(rows: ArenaRows, first: number, kernel: KernelFunction, engine: BoundEngine): OtherRows {
  const norms = kernel.kind === RBF ? squaredNormsOf(rows, engine) : new Float64Array(rows.rows);
  const bad = norms.findIndex((norm) => !Number.isFinite(norm));
  if (bad >= 0) throw firstBad(rows) ?? pairOverflow(first + bad, first + bad, NaN, 'rbf');
  if (rows.store) return { rows, norms };
  // The products skip columns that no support vector has, so values that are not finite there must be found here.
  const unmet = firstBad(rows);
  if (unmet) throw unmet;
  return { rows: rowsOfStore(storeOfRows(nonZerosOf(rows), engine.arena)), norms };
}

/** K(x_i, x) of each support vector; x is one row. */
export function kernelsWith(
  { data, indices }: Pick<Supports, 'data' | 'indices'>,
  x: KeptRows,
  kernel: KernelFunction,
  engine: BoundEngine,
): Float64Array {
  const count = indices.length;
  if (count === 0) return new Float64Array();
  const { arena } = engine;
  return withRows(data, x.cols, engine, (rows) => {
    const pairs = pairsOf(engine, rows, kernel);
    let other: OtherRows | undefined;
    let out: Block | undefined;
    try {
      other = pairs.copyIn(x);
      if (kernel.kind === RBF && !Number.isFinite(other.norms[0])) checkedScore(NaN);
      out = arena.allocate(8 * count, `${count} kernels`, false);
      finish(pairs.block(other, 0, 1, out.offset, ALONE));
      return arena.f64(out.offset, count).slice();
    } finally {
      pairs.release();
      other?.rows.release();
      if (out) arena.release(out);
    }
  });
}

/** What each support adds to the score of x, which is one row: the `top` largest parts. */
export function supportContributions(
  { coefficients }: Expansion,
  supports: Pick<Supports, 'data' | 'indices'>,
  x: KeptRows,
  kernel: KernelFunction,
  engine: BoundEngine,
  top: number,
): Contribution[] {
  const values = kernelsWith(supports, x, kernel, engine);
  const parts = Array.from(supports.indices, (index, s) => ({
    index,
    contribution: (coefficients[s] as number) * (values[s] as number),
  }));
  return byWeight(parts, top);
}

/** The score of each row, for each expansion. @throws RangeError naming the first value or row that is not finite */
export function kernelScores(
  expansions: readonly Expansion[],
  { data }: Pick<Supports, 'data'>,
  kernel: KernelFunction,
  rows: ArenaRows,
  engine: BoundEngine,
): Float64Array[] {
  const lists = expansions.map((e) => e.coefficients);
  return expand(lists, data, kernel, rows, engine).map((scores, l) => {
    const { bias } = expansions[l] as Expansion;
    for (let i = 0; i < scores.length; i++) scores[i] = (scores[i] as number) + bias;
    return checkedScores(scores, rows);
  });
}
