// Log loss and Brier score of probabilities, as scikit-learn defines them.

import { ln } from '../encode/log.js';
import type { Columns } from './coding.js';

/** scikit-learn clips probabilities to this and 1 − this. */
const CLIP = Number.EPSILON;

const clipped = (p: number): number => Math.min(Math.max(p, CLIP), 1 - CLIP);

/** Sums over rows: `of` row i times its weight, divided by all weights. */
function meanOver(weights: Float64Array, of: (i: number) => number): number {
  let [sum, all] = [0, 0];
  for (let i = 0; i < weights.length; i++) {
    const weight = weights[i] as number;
    all += weight;
    if (weight > 0) sum += weight * of(i);
  }
  return sum / all;
}

/** The mean of −ln of the true class's probability; the probabilities of a row are divided by their sum. */
export function logLossOf({ data, cols }: Columns, truth: Uint32Array, weights: Float64Array): number {
  return meanOver(weights, (i) => {
    if (cols === 1) {
      const p = clipped(data[i] as number);
      return -ln(truth[i] === 1 ? p : 1 - p);
    }
    let sum = 0;
    for (let k = 0; k < cols; k++) sum += clipped(data[i * cols + k] as number);
    return -ln(clipped(data[i * cols + (truth[i] as number)] as number) / sum);
  });
}

/** Two classes: the mean of (p − y)² of the second class; more: of that summed over the classes. */
export function brierOf({ data, cols }: Columns, truth: Uint32Array, weights: Float64Array): number {
  return meanOver(weights, (i) => {
    if (cols < 3) return ((data[i * cols + cols - 1] as number) - (truth[i] as number)) ** 2;
    let sum = 0;
    for (let k = 0; k < cols; k++) sum += ((data[i * cols + k] as number) - (truth[i] === k ? 1 : 0)) ** 2;
    return sum;
  });
}
