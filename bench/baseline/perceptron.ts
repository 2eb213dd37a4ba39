// What a JavaScript programmer writes who knows typed arrays: one flat Float64Array, a row offset, one
// accumulator, weights updated in place. The textbook's order (SPEC §2): a mistake is y·s ≤ 0, η = 1.
// Nobody tunes this file for or against us: two accumulators or four rows at a time are what we sell.

export interface Plane {
  weights: Float64Array;
  bias: number;
}

/** Row at `offset` (d) · w (d). */
function dot(X: Float64Array, offset: number, w: Float64Array, d: number): number {
  let sum = 0;
  for (let k = 0; k < d; k++) sum += (X[offset + k] as number) * (w[k] as number);
  return sum;
}

/** w·x + b of each row of X (n, d). */
export function scores(X: Float64Array, n: number, { weights, bias }: Plane): Float64Array {
  const d = weights.length;
  const out = new Float64Array(n);
  for (let i = 0; i < n; i++) out[i] = dot(X, i * d, weights, d) + bias;
  return out;
}

/** Passes over X (n, d) with labels −1 and +1 until one is clean, `maxEpochs` at most. */
export function fit(X: Float64Array, y: Int8Array, d: number, maxEpochs: number): Plane & { mistakes: number } {
  const weights = new Float64Array(d);
  let bias = 0;
  let mistakes = 0;
  for (let epoch = 0; epoch < maxEpochs; epoch++) {
    const before = mistakes;
    for (let i = 0; i < y.length; i++) {
      const offset = i * d;
      const label = y[i] as number;
      if (label * (dot(X, offset, weights, d) + bias) <= 0) {
        for (let k = 0; k < d; k++) weights[k] = (weights[k] as number) + label * (X[offset + k] as number);
        bias += label;
        mistakes++;
      }
    }
    if (mistakes === before) break;
  }
  return { weights, bias, mistakes };
}
