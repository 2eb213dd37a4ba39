// The textbook perceptron (SPEC §2, §3), twenty lines that nobody optimises. Sums are plain, left to right,
// so compare with it on integer data, where every order of addition gives the same bits.

export interface OracleRun {
  w: number[];
  b: number;
  /** Rows that were mistakes, in order. */
  trace: number[];
  mistakesByEpoch: number[];
  /** w and b after every sample seen. */
  seen: { w: number[]; b: number }[];
}

/** Cyclic, or in the orders given, one a pass. */
export function perceptron(
  X: readonly (readonly number[])[],
  y: readonly number[],
  {
    eta = 1,
    mu = 0,
    B = 1,
    c = (_y: number): number => 1,
    epochs = 1000,
    orders = undefined as number[][] | undefined,
    w0 = undefined as readonly number[] | undefined,
    b0 = 0,
  } = {},
): OracleRun {
  const w = [...(w0 ?? (X[0] as number[]).map(() => 0))];
  let b = b0;
  const run: OracleRun = { w, b, trace: [], mistakesByEpoch: [], seen: [] };
  for (let epoch = 0; epoch < epochs; epoch++) {
    let mistakes = 0;
    for (const i of orders?.[epoch] ?? X.keys()) {
      const x = X[i] as number[];
      const yi = y[i] as number;
      const s = x.reduce((sum, xk, k) => sum + xk * (w[k] as number), 0) + b;
      if (!(yi * s > mu)) {
        const step = eta * c(yi) * yi;
        for (let k = 0; k < w.length; k++) w[k] = (w[k] as number) + step * (x[k] as number);
        b += step * B * B;
        mistakes++;
        run.trace.push(i);
      }
      run.seen.push({ w: [...w], b });
    }
    run.mistakesByEpoch.push(mistakes);
    if (mistakes === 0) break;
  }
  run.b = b;
  return run;
}

export interface DualOracleRun {
  alphas: number[];
  counts: number[];
  b: number;
  trace: number[];
  mistakesByEpoch: number[];
  /** α and b after every sample seen. */
  seen: { alphas: number[]; b: number }[];
}

/** The textbook dual form (SPEC §7): every check sums all terms anew. */
export function dualPerceptron(
  K: readonly (readonly number[])[],
  y: readonly number[],
  {
    eta = 1,
    mu = 0,
    B = 1,
    c = (_y: number): number => 1,
    epochs = 1000,
    orders = undefined as number[][] | undefined,
  } = {},
): DualOracleRun {
  const alphas = y.map(() => 0);
  const run: DualOracleRun = { alphas, counts: y.map(() => 0), b: 0, trace: [], mistakesByEpoch: [], seen: [] };
  for (let epoch = 0; epoch < epochs; epoch++) {
    let mistakes = 0;
    for (const i of orders?.[epoch] ?? y.keys()) {
      const yi = y[i] as number;
      const s = alphas.reduce((sum, a, j) => sum + a * (y[j] as number) * ((K[i] as number[])[j] as number), 0) + run.b;
      if (!(yi * s > mu)) {
        alphas[i] = (alphas[i] as number) + eta * c(yi);
        run.counts[i] = (run.counts[i] as number) + 1;
        run.b += eta * c(yi) * yi * B * B;
        mistakes++;
        run.trace.push(i);
      }
      run.seen.push({ alphas: [...alphas], b: run.b });
    }
    run.mistakesByEpoch.push(mistakes);
    if (mistakes === 0) break;
  }
  return run;
}
