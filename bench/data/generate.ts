// Seeded data: the same numbers on every machine and in every run.
//
// Values lie on a grid of 1/16. Sums of products of such numbers are exact in float64 as long as they stay
// below 2^45, in whatever order they are added: the answers of all contestants can be compared bit by bit,
// though they add in different orders. float32 holds the values exactly too.

const GRID = 16;

/** mulberry32: uniform numbers from 0 to below 1. */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Gaussian enough: the sum of three uniform numbers, mean 0, variance 1, never beyond ±3. */
  gaussian(): number {
    return 2 * (this.next() + this.next() + this.next()) - 3;
  }
}

/** The nearest multiple of 1/16. */
export function toGrid(x: number): number {
  return Math.round(x * GRID) / GRID;
}

/** Fills with uniform numbers from −1 to 1, on the grid. */
export function fillUniform(values: Float64Array | Float32Array, seed: number): void {
  const random = new Random(seed);
  for (let i = 0; i < values.length; i++) values[i] = toGrid(random.next() * 2 - 1);
}

export interface Generated {
  data: Float64Array;
  rows: number;
  cols: number;
  /** −1 or +1 a row. */
  y: Int8Array;
}

export interface Recipe {
  rows: number;
  cols: number;
  seed: number;
  /** Rows are moved this far from the hidden plane, each to its own side. Default 0. */
  margin?: number;
  /** The share of labels that are turned round afterwards. Default 0. */
  flips?: number;
  /** How many of the rows are repeated, as the last rows, with the other label: no plane can please both. Default 0. */
  contradictions?: number;
  /** Added to every value in the end: rows far from the origin take many passes. Default 0. */
  offset?: number;
}

/** Gaussian rows, labels by a hidden plane through the origin whose weights are −1 and +1 at random, scaled to length 1. */
export function generate(recipe: Recipe): Generated {
  const { rows, cols, seed, margin = 0, flips = 0, contradictions = 0, offset = 0 } = recipe;
  const random = new Random(seed);
  const plane = new Float64Array(cols);
  for (let k = 0; k < cols; k++) plane[k] = (random.next() < 0.5 ? -1 : 1) / Math.sqrt(cols);
  const data = new Float64Array(rows * cols);
  const y = new Int8Array(rows);
  for (let i = 0; i < rows; i++) {
    const row = data.subarray(i * cols, (i + 1) * cols);
    y[i] = fillRow(row, plane, margin, random);
    if (random.next() < flips) y[i] = -(y[i] as number);
  }
  for (let i = 0; i < contradictions; i++) {
    const copy = rows - 1 - i;
    data.copyWithin(copy * cols, i * cols, (i + 1) * cols);
    y[copy] = -(y[i] as number);
  }
  for (let i = 0; offset !== 0 && i < data.length; i++) data[i] = (data[i] as number) + offset;
  return { data, rows, cols, y };
}

/**
 * Fills rows of which exactly `wrong` (an even number) are mistakes in every pass of cyclic order that starts with weights `plane`:
 * they lie in the last column alone, all on one point, and their labels alternate. The other rows, 0 there, are never mistakes.
 */
export function fillWithMistakes(
  data: Float64Array,
  { rows, cols, wrong, seed }: { rows: number; cols: number; wrong: number; seed: number },
): { y: Int8Array; plane: Float64Array } {
  const random = new Random(seed);
  const margin = 8;
  const plane = new Float64Array(cols);
  for (let k = 0; k < cols - 1; k++) plane[k] = (random.next() < 0.5 ? -1 : 1) / Math.sqrt(cols - 1);
  const y = new Int8Array(rows);
  for (let left = wrong; left > 0; ) {
    const row = Math.floor(random.next() * rows);
    if (y[row] !== 0) continue;
    y[row] = 1; // for now: it is one of them
    left--;
  }
  let next = 1;
  for (let i = 0; i < rows; i++) {
    if (y[i] === 0) {
      y[i] = random.next() < 0.5 ? -1 : 1;
      const shift = margin * (y[i] as number);
      for (let k = 0; k < cols - 1; k++) {
        data[i * cols + k] = toGrid(random.next() * 2 - 1 + shift * (plane[k] as number));
      }
    } else {
      y[i] = next;
      next = -next;
      data[i * cols + cols - 1] = 1;
    }
  }
  return { y, plane };
}

/** One gaussian row, `margin` further away from the plane than it fell; returns its side. */
function fillRow(row: Float64Array, plane: Float64Array, margin: number, random: Random): number {
  let score = 0;
  for (let k = 0; k < row.length; k++) {
    row[k] = random.gaussian();
    score += (row[k] as number) * (plane[k] as number);
  }
  const side = score < 0 ? -1 : 1;
  for (let k = 0; k < row.length; k++) row[k] = toGrid((row[k] as number) + side * margin * (plane[k] as number));
  return side;
}
