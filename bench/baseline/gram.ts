// The Gram matrix as a JavaScript programmer writes it who knows typed arrays: flat arrays, row offsets, one
// accumulator, each pair once and mirrored. Nobody tunes this file for or against us: blocks of rows and
// several accumulators are what we sell.

/** G (n, n) = X·Xᵀ for X (n, d). */
export function gramMatrix(X: Float64Array, n: number, d: number): Float64Array {
  const G = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    const row = i * d;
    for (let j = 0; j <= i; j++) {
      const other = j * d;
      let sum = 0;
      for (let k = 0; k < d; k++) sum += (X[row + k] as number) * (X[other + k] as number);
      G[i * n + j] = sum;
      G[j * n + i] = sum;
    }
  }
  return G;
}
