// The textbook's dual perceptron (SPEC §7) in idiomatic JavaScript, with the scores kept: the check is one
// read, a mistake adds a row of G to all scores. Cyclic, η = 1, a constant feature of 1. Not the slower textbook
// that sums N terms at each check: that one would flatter us. Nobody tunes this file for or against us.

export interface Dual {
  /** n_i: how often sample i was the mistake; α_i too, as η = 1. */
  counts: Float64Array;
  bias: number;
  epochs: number;
  mistakes: number;
  /** A whole pass without a mistake, by the kept scores. */
  converged: boolean;
}

/** Passes over G (n, n) with labels −1 and +1 until one is clean, `maxEpochs` at most. */
export function fitDual(G: Float64Array, y: Int8Array, maxEpochs: number): Dual {
  const n = y.length;
  const counts = new Float64Array(n);
  const scores = new Float64Array(n);
  let bias = 0;
  let mistakes = 0;
  let epochs = 0;
  let converged = false;
  while (!converged && epochs < maxEpochs) {
    const before = mistakes;
    for (let i = 0; i < n; i++) {
      const label = y[i] as number;
      if (label * (scores[i] as number) <= 0) {
        const row = i * n;
        for (let j = 0; j < n; j++) scores[j] = (scores[j] as number) + label * ((G[row + j] as number) + 1);
        counts[i] = (counts[i] as number) + 1;
        bias += label;
        mistakes++;
      }
    }
    epochs++;
    converged = mistakes === before;
  }
  return { counts, bias, epochs, mistakes, converged };
}
