// What a JavaScript programmer writes who knows typed arrays: flat Float64Arrays, row offsets, one accumulator. It is what
// ratios are against, so nobody tunes it for or against us.

export interface Fitted {
  readonly weights: Float64Array;
  readonly bias: number;
  readonly mistakes: number;
}

/** X[a …] · other[b …], d values each. */
function dot(X: Float64Array, a: number, other: Float64Array, b: number, d: number): number {
  let sum = 0;
  for (let k = 0; k < d; k++) sum += (X[a + k] as number) * (other[b + k] as number);
  return sum;
}

/** The perceptron: passes over X (n, d) with labels −1 and +1 until one is clean, `maxEpochs` at most. */
export function plainFit(X: Float64Array, y: Int8Array, d: number, maxEpochs: number): Fitted {
  const weights = new Float64Array(d);
  let bias = 0;
  let mistakes = 0;
  for (let epoch = 0; epoch < maxEpochs; epoch++) {
    const before = mistakes;
    for (let i = 0; i < y.length; i++) {
      const offset = i * d;
      const label = y[i] as number;
      if (label * (dot(X, offset, weights, 0, d) + bias) <= 0) {
        for (let k = 0; k < d; k++) weights[k] = (weights[k] as number) + label * (X[offset + k] as number);
        bias += label;
        mistakes++;
      }
    }
    if (mistakes === before) break;
  }
  return { weights, bias, mistakes };
}

/** G (n, n) = X·Xᵀ for X (n, d): each pair once, and mirrored. */
export function plainGram(X: Float64Array, n: number, d: number): Float64Array {
  const G = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      const sum = dot(X, i * d, X, j * d, d);
      G[i * n + j] = sum;
      G[j * n + i] = sum;
    }
  }
  return G;
}
