// Seeded rows: the same numbers in every browser. Values lie on a grid of 1/16, so that sums of their products are exact in
// whatever order they are added, and the answers of all contestants can be compared to the bit.

import { randomFrom } from '../ui/random.js';
import { pause } from './contest.js';

export interface Recipe {
  readonly rows: number;
  readonly cols: number;
  /** Rows are moved this far from the hidden plane, each to its own side. */
  readonly margin?: number;
  /** The share of labels that are turned round afterwards. */
  readonly flips?: number;
  /** How many of the first rows are repeated at the end with the other label: no plane can please both. */
  readonly contradictions?: number;
  /** Added to every value: rows far from the origin take many epochs. */
  readonly offset?: number;
}

export interface Generated {
  readonly data: Float64Array;
  readonly rows: number;
  readonly cols: number;
  readonly y: Int8Array;
}

/** The page may answer after so many values. */
const VALUES_A_TURN = 400_000;

/** Gaussian rows, labels by a hidden plane through the origin. */
export async function generate(recipe: Recipe, signal: AbortSignal): Promise<Generated> {
  const { rows, cols, margin = 0, flips = 0, contradictions = 0, offset = 0 } = recipe;
  const next = randomFrom(1);
  // The sum of three uniform numbers is gaussian enough: mean 0, variance 1.
  const gaussian = () => 2 * (next() + next() + next()) - 3;
  const plane = Float64Array.from({ length: cols }, () => (next() < 0.5 ? -1 : 1) / Math.sqrt(cols));
  const data = new Float64Array(rows * cols);
  const y = new Int8Array(rows);
  const rowsATurn = Math.ceil(VALUES_A_TURN / cols);
  for (let i = 0; i < rows; i++) {
    if (i % rowsATurn === 0) await pause(signal);
    const row = data.subarray(i * cols, (i + 1) * cols);
    let score = 0;
    for (let k = 0; k < cols; k++) {
      const value = gaussian();
      row[k] = value;
      score += value * (plane[k] as number);
    }
    const side = score < 0 ? -1 : 1;
    for (let k = 0; k < cols; k++) {
      row[k] = Math.round(16 * ((row[k] as number) + side * margin * (plane[k] as number))) / 16 + offset;
    }
    y[i] = next() < flips ? -side : side;
  }
  for (let i = 0; i < contradictions; i++) {
    const copy = rows - 1 - i;
    data.copyWithin(copy * cols, i * cols, (i + 1) * cols);
    y[copy] = -(y[i] as number);
  }
  return { data, rows, cols, y };
}
