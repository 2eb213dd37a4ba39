// The multinomial perceptron (SPEC §11) in idiomatic JavaScript: one row of weights a class, typed arrays, one
// accumulator. Cyclic, η = 1, zero start, a constant feature of 1. Nobody tunes this file for or against us.

export interface Multinomial {
  /** W (K, d). */
  weights: Float64Array;
  /** b (K). */
  biases: Float64Array;
  mistakes: number;
}

/** Passes over X (n, d) with classes 0 to K − 1 until one is clean, `maxEpochs` at most. */
export function fitMultinomial(
  X: Float64Array,
  y: readonly number[],
  d: number,
  K: number,
  maxEpochs: number,
): Multinomial {
  const weights = new Float64Array(K * d);
  const biases = new Float64Array(K);
  const scores = new Float64Array(K);
  let mistakes = 0;
  for (let epoch = 0; epoch < maxEpochs; epoch++) {
    const before = mistakes;
    for (let i = 0; i < y.length; i++) {
      const row = i * d;
      for (let c = 0; c < K; c++) {
        let sum = 0;
        for (let k = 0; k < d; k++) sum += (X[row + k] as number) * (weights[c * d + k] as number);
        scores[c] = sum + (biases[c] as number);
      }
      const right = y[i] as number;
      const other = bestOther(scores, right);
      if ((scores[right] as number) <= (scores[other] as number)) {
        for (let k = 0; k < d; k++) {
          const x = X[row + k] as number;
          weights[right * d + k] = (weights[right * d + k] as number) + x;
          weights[other * d + k] = (weights[other * d + k] as number) - x;
        }
        biases[right] = (biases[right] as number) + 1;
        biases[other] = (biases[other] as number) - 1;
        mistakes++;
      }
    }
    if (mistakes === before) break;
  }
  return { weights, biases, mistakes };
}

/** The class of the largest score but `right`, the lowest among equals. */
function bestOther(scores: Float64Array, right: number): number {
  let best = right === 0 ? 1 : 0;
  for (let c = best + 1; c < scores.length; c++) {
    if (c !== right && (scores[c] as number) > (scores[best] as number)) best = c;
  }
  return best;
}
