// Scores of rows: w·x + b of planes, Σ c_s K(x_s, x) + b of support vectors (SPEC §7, §8).

import { POLYNOMIAL, RBF } from '../../assembly/layout.js';
import { exp, power } from '../engine/js/exp.js';
import type { KernelFunction } from '../gram/kernel.js';
import type { Plane } from '../model/state.js';
import { dot, dotSparse, P, S } from './sums.js';
import { countRows, type DenseTable, isNarrow, isSparse, type Names, type Table, visitRow } from './tables.js';

/** Scores, row-major: a row for each row of X, a column for each plane or expansion. They may be non-finite. */
export type Scorer = (X: Table, names: Names) => Float64Array;

/** The coefficient of each support vector, and their bias. */
export interface Expansion {
  readonly coefficients: Float64Array;
  readonly bias: number;
}

/** Dense row i as float64, and the index where it begins: a copy of a float32 row; nothing of a sparse one. */
function wideRow(X: Table, i: number): [data: Float64Array, at: number] {
  if (isSparse(X)) return [X.values, 0];
  const at = i * X.cols;
  return isNarrow(X) ? [new Float64Array(X.data.subarray(at, at + X.cols)), 0] : [X.data as Float64Array, at];
}

/** w·x + b for each plane, in order S. */
export function planeScorer(planes: readonly Plane[]): Scorer {
  return (X) => {
    const { cols } = X;
    const rows = countRows(X);
    const scores = new Float64Array(rows * planes.length);
    for (let i = 0, out = 0; i < rows; i++) {
      const [x, at] = wideRow(X, i);
      for (const { weights, bias } of planes) {
        scores[out++] = (isSparse(X) ? dotSparse(X, i, S, weights) : dot(x, at, weights, 0, cols, S)) + bias;
      }
    }
    return scores;
  };
}

/** w = Σ c_s x_s, support vectors in ascending order: the plane of an expansion with the linear kernel. */
export function planeOf({ coefficients, bias }: Expansion, supports: Table): Plane {
  const { cols } = supports;
  const weights = new Float64Array(cols);
  coefficients.forEach((by, s) => {
    visitRow(supports, s, (column, value) => {
      weights[column] = (weights[column] as number) + by * value;
    });
  });
  return { weights, bias };
}

/** ‖x_i‖² in order P. */
function squaredNorm(X: Table, i: number, x: Float64Array, at: number): number {
  return isSparse(X) ? dotSparse(X, i, P) : dot(x, at, x, at, X.cols, P);
}

/** ‖x_s‖² of each support vector. */
export const normsOf = (supports: Table): Float64Array =>
  Float64Array.from({ length: countRows(supports) }, (_, s) =>
    squaredNorm(supports, s, (supports as DenseTable).data as Float64Array, s * supports.cols),
  );

/** K(x, z) from x·z and the squared norms of both. */
function kernelOf({ kind, gamma, coef0, degree }: KernelFunction, g: number, normX: number, normZ: number): number {
  if (kind === POLYNOMIAL) return power(gamma * g + coef0, degree);
  const square = normX + normZ - 2 * g;
  return exp(-gamma * (square < 0 ? 0 : square));
}

/**
 * Σ c_s K(x_s, x) + b for each expansion: support vectors in ascending order, products in order P, each K computed once.
 * The kernel function is not the linear one; `norms` are those of the support vectors.
 */
export function kernelScorer(
  kernel: KernelFunction,
  supports: Table,
  norms: Float64Array,
  expansions: readonly Expansion[],
): Scorer {
  const isRbf = kernel.kind === RBF;
  const count = countRows(supports);
  const many = expansions.length;
  return (X, names) => {
    const { cols } = X;
    const rows = countRows(X);
    const scores = new Float64Array(rows * many);
    const isSpread = isSparse(X) && isSparse(supports);
    const room = new Float64Array(isSpread ? cols : 0);
    for (let i = 0; i < rows; i++) {
      const [x, at] = isSpread ? [room, 0] : wideRow(X, i);
      if (isSpread) {
        visitRow(X, i, (column, value) => {
          room[column] = value;
        });
      }
      const norm = isRbf ? squaredNorm(X, i, x, at) : 0;
      if (norm === Infinity) {
        throw new RangeError(`the rbf kernel of ${names.row(i)} with itself overflows to NaN: scale its values down`);
      }
      for (let s = 0; s < count; s++) {
        const product = isSparse(supports)
          ? dotSparse(supports, s, P, x, at)
          : isSparse(X)
            ? dotSparse(X, i, P, supports.data as Float64Array, s * cols)
            : dot(x, at, supports.data as Float64Array, s * cols, cols, P);
        const value = kernelOf(kernel, product, norm, norms[s] as number);
        for (let k = 0, out = i * many; k < many; k++, out++) {
          scores[out] = (scores[out] as number) + ((expansions[k] as Expansion).coefficients[s] as number) * value;
        }
      }
      for (let k = 0, out = i * many; k < many; k++, out++) {
        scores[out] = (scores[out] as number) + (expansions[k] as Expansion).bias;
      }
      if (isSpread) {
        visitRow(X, i, (column) => {
          room[column] = 0;
        });
      }
    }
    return scores;
  };
}

/** Checks scores class by class. @throws RangeError naming the first row whose score is not finite */
export function expectFiniteScores(scores: Float64Array, many: number, names: Names): void {
  for (let k = 0; k < many; k++) {
    for (let at = k; at < scores.length; at += many) {
      const score = scores[at] as number;
      if (!Number.isFinite(score)) {
        throw new RangeError(`the score of ${names.row((at - k) / many)} is ${score}: its values are too large`);
      }
    }
  }
}
