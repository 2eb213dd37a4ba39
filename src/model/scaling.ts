// What a Scaler learns from rows: the mean and the divisor of each column, in the stages that each kind needs.

import type { ArenaRows } from '../data/arenarows.js';
import { PIECE, type Stage } from '../data/stages.js';
import type { Values } from '../data/views.js';

/** 'standardize': mean 0 and variance 1; 'centre': mean 0; 'unit-ball': one factor for all, so that no row is longer than 1. */
export type ScalerKind = 'standardize' | 'centre' | 'unit-ball';

/** x_k → (x_k − mean_k) / scale_k. */
export interface Scaling {
  readonly means: Float64Array;
  readonly scales: Float64Array;
}

/** How many rows are in a piece, given the values of a row. */
export const rowsInPiece = (values: number): number => Math.ceil(PIECE / Math.max(1, values));

const square = (v: number): number => v * v;

/** The stages in which a kind of scaler learns, and the result after they have run. */
interface FitStages {
  readonly stages: Stage[];
  fitted(): Scaling;
}

/** Sums of `of(value)` by column, row after row. */
function columnSums(
  sums: Float64Array,
  rows: () => ArenaRows,
  count: number,
  of: (value: number, k: number) => number,
): Stage {
  return {
    count,
    size: rowsInPiece(sums.length),
    piece(from, to) {
      addRows(sums, rows().view(), from, to, of);
      const bad = to === count ? sums.findIndex((sum) => !Number.isFinite(sum)) : -1;
      if (bad >= 0) throw new RangeError(`column ${bad} of X has values too large to scale: their sum is ${sums[bad]}`);
    },
  };
}

function addRows(
  sums: Float64Array,
  values: Values,
  i: number,
  end: number,
  of: (value: number, k: number) => number,
): void {
  const cols = sums.length;
  for (let at = i * cols; at < end * cols; ) {
    for (let k = 0; k < cols; k++, at++) sums[k] = (sums[k] as number) + of(values[at] as number, k);
  }
}

export const fitOf: Record<ScalerKind, (rows: () => ArenaRows, count: number, cols: number) => FitStages> = {
  centre(rows, count, cols) {
    const sums = new Float64Array(cols);
    return {
      stages: [columnSums(sums, rows, count, (v) => v)],
      fitted: () => ({ means: sums.map((sum) => sum / count), scales: new Float64Array(cols).fill(1) }),
    };
  },
  standardize(rows, count, cols) {
    const sums = new Float64Array(cols);
    const squares = new Float64Array(cols);
    const mean = (k: number) => (sums[k] as number) / count;
    // The deviation of a constant column that rounding of the mean alone can cause.
    const noise = (k: number) => count * Number.EPSILON * Math.abs(mean(k));
    return {
      // Means first, then deviations: the difference of two large sums would lose the variance.
      stages: [
        columnSums(sums, rows, count, (v) => v),
        columnSums(squares, rows, count, (v, k) => square(v - mean(k))),
      ],
      fitted: () => ({
        means: sums.map((_, k) => mean(k)),
        scales: squares.map((sum, k) => {
          const deviation = Math.sqrt(sum / count);
          return deviation > noise(k) ? deviation : 1;
        }),
      }),
    };
  },
  'unit-ball'(rows, count, cols) {
    let largest = 0;
    let sum = 0;
    const add = (_: number, value: number) => {
      sum += square(value);
    };
    const lengths: Stage = {
      count,
      size: rowsInPiece(cols),
      piece(from, to) {
        for (let i = from; i < to; i++) {
          sum = 0;
          rows().visit(i, add);
          if (sum === Infinity) {
            throw new RangeError(`row ${i} of X has values too large to scale: its length is Infinity`);
          }
          largest = Math.max(largest, sum);
        }
      },
    };
    return {
      stages: [lengths],
      fitted: () => ({ means: new Float64Array(cols), scales: new Float64Array(cols).fill(Math.sqrt(largest) || 1) }),
    };
  },
};
