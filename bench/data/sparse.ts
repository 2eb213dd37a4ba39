// Seeded sparse rows (CSR), on the grid of generate.ts: sums are exact, in whatever order they are added.

import { Random, toGrid } from './generate.js';

export interface SparseSet {
  /** Row i has entries indptr[i] … indptr[i + 1] − 1, columns ascending, none of the values 0. */
  values: Float64Array;
  indices: Uint32Array;
  indptr: Uint32Array;
  rows: number;
  cols: number;
  /** −1 or +1 a row. */
  y: Int8Array;
}

export interface SparseRecipe {
  rows: number;
  cols: number;
  /** The chance of each column of each row to be stored, above 0, at most 1. */
  density: number;
  seed: number;
  /** The share of labels that are turned round. Default 0. */
  flips?: number;
  /** How many of the rows are repeated, as the last rows, with the other label: no plane can please both. Default 0. */
  contradictions?: number;
}

/** Gaussian values in columns by chance, none favoured; labels by a hidden plane whose weights are −1 and +1 at random. */
export function generateSparse(recipe: SparseRecipe): SparseSet {
  const { rows, cols, density, seed, flips = 0, contradictions = 0 } = recipe;
  const random = new Random(seed);
  const plane = Int8Array.from({ length: cols }, () => (random.next() < 0.5 ? -1 : 1));
  const values: number[] = [];
  const indices: number[] = [];
  const indptr = new Uint32Array(rows + 1);
  const y = new Int8Array(rows);
  const fresh = rows - contradictions;
  for (let i = 0; i < rows; i++) {
    if (i < fresh) {
      const side = addRow(values, indices, plane, density, random);
      y[i] = random.next() < flips ? -side : side;
    } else {
      for (let k = indptr[i - fresh] as number; k < (indptr[i - fresh + 1] as number); k++) {
        values.push(values[k] as number);
        indices.push(indices[k] as number);
      }
      y[i] = -(y[i - fresh] as number);
    }
    indptr[i + 1] = values.length;
  }
  return { values: Float64Array.from(values), indices: Uint32Array.from(indices), indptr, rows, cols, y };
}

/** Adds one row; returns its side of the plane. */
function addRow(values: number[], indices: number[], plane: Int8Array, density: number, random: Random): number {
  let score = 0;
  // From one stored column to the next: as many as a coin that falls so with chance `density` would pass over.
  const gap = () => Math.floor(Math.log(1 - random.next()) / Math.log(1 - density));
  for (let column = gap(); column < plane.length; column += 1 + gap()) {
    const value = toGrid(random.gaussian()) || toGrid(1);
    values.push(value);
    indices.push(column);
    score += value * (plane[column] as number);
  }
  return score < 0 ? -1 : 1;
}
