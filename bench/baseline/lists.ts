// The same for rows as most programs have them: a list of numbers each, whatever was read or typed. Nothing is copied or checked.
// Nobody tunes this file for or against us.

import type { Plane } from './perceptron.js';

/** Row x · w. */
function dot(x: ArrayLike<number>, w: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < w.length; k++) sum += (x[k] as number) * (w[k] as number);
  return sum;
}

/** Passes over the rows with labels −1 and +1 until one is clean, `maxEpochs` at most. */
export function fitLists(
  X: readonly (readonly number[])[],
  y: readonly number[],
  maxEpochs: number,
): Plane & { mistakes: number } {
  const weights = new Float64Array(X[0]?.length ?? 0);
  let bias = 0;
  let mistakes = 0;
  for (let epoch = 0; epoch < maxEpochs; epoch++) {
    const before = mistakes;
    for (let i = 0; i < X.length; i++) {
      const x = X[i] as readonly number[];
      const label = y[i] as number;
      if (label * (dot(x, weights) + bias) <= 0) {
        for (let k = 0; k < weights.length; k++) weights[k] = (weights[k] as number) + label * (x[k] as number);
        bias += label;
        mistakes++;
      }
    }
    if (mistakes === before) break;
  }
  return { weights, bias, mistakes };
}

/** The side of one row. */
export const sideOf = (x: ArrayLike<number>, { weights, bias }: Plane): number =>
  dot(x, weights) + bias >= 0 ? 1 : -1;
