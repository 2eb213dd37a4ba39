// Sparse rows as a JavaScript programmer handles them who knows typed arrays: CSR in three flat arrays, one
// accumulator, weights updated in place. The textbook's order (SPEC §2): a mistake is y·s ≤ 0, η = 1.
// Nobody tunes this file for or against us: several accumulators and rows side by side are what we sell.

import type { Plane } from './perceptron.js';

export interface Csr {
  values: Float64Array;
  indices: Uint32Array;
  /** Row i has entries indptr[i] … indptr[i + 1] − 1. */
  indptr: Uint32Array;
  cols: number;
}

/** Entries from … to − 1 · w (d). */
function dot(values: Float64Array, indices: Uint32Array, from: number, to: number, w: Float64Array): number {
  let sum = 0;
  for (let k = from; k < to; k++) sum += (values[k] as number) * (w[indices[k] as number] as number);
  return sum;
}

/** w ← w + step · entries from … to − 1. */
function add(
  w: Float64Array,
  values: Float64Array,
  indices: Uint32Array,
  from: number,
  to: number,
  step: number,
): void {
  for (let k = from; k < to; k++) {
    const column = indices[k] as number;
    w[column] = (w[column] as number) + step * (values[k] as number);
  }
}

/** w·x + b of each row. */
export function sparseScores({ values, indices, indptr }: Csr, { weights, bias }: Plane): Float64Array {
  const n = indptr.length - 1;
  const out = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    out[i] = dot(values, indices, indptr[i] as number, indptr[i + 1] as number, weights) + bias;
  }
  return out;
}

/** Passes over the rows with labels −1 and +1 until one is clean, `maxEpochs` at most. */
export function fitSparse(
  { values, indices, indptr, cols }: Csr,
  y: Int8Array,
  maxEpochs: number,
): Plane & { mistakes: number } {
  const weights = new Float64Array(cols);
  let bias = 0;
  let mistakes = 0;
  for (let epoch = 0; epoch < maxEpochs; epoch++) {
    const before = mistakes;
    for (let i = 0; i < y.length; i++) {
      const from = indptr[i] as number;
      const to = indptr[i + 1] as number;
      const label = y[i] as number;
      if (label * (dot(values, indices, from, to, weights) + bias) <= 0) {
        add(weights, values, indices, from, to, label);
        bias += label;
        mistakes++;
      }
    }
    if (mistakes === before) break;
  }
  return { weights, bias, mistakes };
}

/**
 * The same, and in the end the mean of the weights over every sample seen (SPEC §9), lazily: each update is added once more,
 * times the samples seen before it, which is how long the weights had to do without it (Daumé 2006).
 */
export function fitSparseAveraged(
  { values, indices, indptr, cols }: Csr,
  y: Int8Array,
  maxEpochs: number,
): Plane & { mistakes: number } {
  const weights = new Float64Array(cols);
  const sums = new Float64Array(cols);
  let bias = 0;
  let biasSum = 0;
  let mistakes = 0;
  let seen = 0;
  for (let epoch = 0; epoch < maxEpochs; epoch++) {
    const before = mistakes;
    for (let i = 0; i < y.length; i++) {
      const from = indptr[i] as number;
      const to = indptr[i + 1] as number;
      const label = y[i] as number;
      if (label * (dot(values, indices, from, to, weights) + bias) <= 0) {
        add(weights, values, indices, from, to, label);
        add(sums, values, indices, from, to, label * seen);
        bias += label;
        biasSum += label * seen;
        mistakes++;
      }
      seen++;
    }
    if (mistakes === before) break;
  }
  for (let k = 0; k < cols; k++) weights[k] = (seen * (weights[k] as number) - (sums[k] as number)) / seen;
  return { weights, bias: (seen * bias - biasSum) / seen, mistakes };
}

/** Entries from … to − 1 · entries other … end − 1: goes along both, columns ascending. */
function dotMerging(
  values: Float64Array,
  indices: Uint32Array,
  from: number,
  to: number,
  other: number,
  end: number,
): number {
  let sum = 0;
  let k = from;
  let l = other;
  while (k < to && l < end) {
    const one = indices[k] as number;
    const two = indices[l] as number;
    if (one === two) sum += (values[k++] as number) * (values[l++] as number);
    else if (one < two) k++;
    else l++;
  }
  return sum;
}

/** G (n, n) = X·Xᵀ, each pair once and mirrored: the obvious way, both rows of a pair gone along together. */
export function sparseGramMerging({ values, indices, indptr }: Csr): Float64Array {
  const n = indptr.length - 1;
  const G = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    const from = indptr[i] as number;
    const to = indptr[i + 1] as number;
    for (let j = 0; j <= i; j++) {
      const sum = dotMerging(values, indices, from, to, indptr[j] as number, indptr[j + 1] as number);
      G[i * n + j] = sum;
      G[j * n + i] = sum;
    }
  }
  return G;
}

/** The same as somebody writes it who has met it before: row i is spread out over d numbers, and every other row gathers from it. */
export function sparseGramSpread({ values, indices, indptr, cols }: Csr): Float64Array {
  const n = indptr.length - 1;
  const G = new Float64Array(n * n);
  const row = new Float64Array(cols);
  for (let i = 0; i < n; i++) {
    const from = indptr[i] as number;
    const to = indptr[i + 1] as number;
    for (let k = from; k < to; k++) row[indices[k] as number] = values[k] as number;
    for (let j = 0; j <= i; j++) {
      const sum = dot(values, indices, indptr[j] as number, indptr[j + 1] as number, row);
      G[i * n + j] = sum;
      G[j * n + i] = sum;
    }
    for (let k = from; k < to; k++) row[indices[k] as number] = 0;
  }
  return G;
}
