// The obvious loop for the one-vs-rest kernel perceptron, one pass (Freund & Schapire 1999): each sample is scored
// against all supports so far, and where a class is wrong the sample becomes a support of that class. x·z and its
// power are computed once a support, for all classes. Kernel (1 + x·z)^p: the constant is inside, there is no bias.
//
//   s_c(x) = Σ_z α_zc (1 + x·z)^p,   α_zc = +1 or −1, or 0 where class c was right about z
//
// Averaged: a support that came t-th in the pass was there for n − t + 1 of its n samples, itself included (SPEC §9),
// so that is its weight; the division by n, which changes no decision, is left out.
// Nobody tunes this file for or against us: blocks of rows and kept scores are what we sell.

export interface KernelModel {
  /** Z (S, d): the supports, in the order of the pass. */
  rows: Float64Array;
  /** α (S, K) of the last weights. */
  last: Float64Array;
  /** n times α (S, K) of the averaged ones. */
  averaged: Float64Array;
  degree: number;
  /** Their rows in X. */
  supports: number[];
  /** Over all classes. */
  mistakes: number;
  /** How often (1 + x·z)^p was computed: what the time goes with. */
  evaluations: number;
}

/** One pass over X (n, d) in `order`, with classes 0 to K − 1. */
export function fitKernelPerceptron(
  X: Float64Array,
  y: readonly number[],
  order: ArrayLike<number>,
  { d, K, degree }: { d: number; K: number; degree: number },
): KernelModel {
  const n = order.length;
  const supports: number[] = [];
  const last: number[] = [];
  const averaged: number[] = [];
  const scores = new Float64Array(K);
  let mistakes = 0;
  let evaluations = 0;
  for (let t = 0; t < n; t++) {
    const i = order[t] as number;
    scores.fill(0);
    for (let s = 0; s < supports.length; s++) {
      const value = polynomial(X, i * d, X, (supports[s] as number) * d, d, degree);
      for (let c = 0; c < K; c++) scores[c] = (scores[c] as number) + (last[s * K + c] as number) * value;
    }
    evaluations += supports.length;

    const steps = Array.from(scores, (score, c) => {
      const label = y[i] === c ? 1 : -1;
      return label * score <= 0 ? label : 0;
    });
    const wrong = steps.filter((step) => step !== 0).length;
    if (wrong > 0) {
      supports.push(i);
      last.push(...steps);
      averaged.push(...steps.map((step) => step * (n - t)));
      mistakes += wrong;
    }
  }
  const rows = new Float64Array(supports.length * d);
  supports.forEach((i, s) => {
    rows.set(X.subarray(i * d, (i + 1) * d), s * d);
  });
  return {
    rows,
    last: Float64Array.from(last),
    averaged: Float64Array.from(averaged),
    degree,
    supports,
    mistakes,
    evaluations,
  };
}

/** The class of the largest score for each row of X (n, d), the lowest among equals: by the last and by the averaged weights. */
export function predictKernelPerceptron(
  { rows, last, averaged, degree, supports }: KernelModel,
  X: Float64Array,
  d: number,
): { last: number[]; averaged: number[] } {
  const K = last.length / supports.length;
  const n = X.length / d;
  const classes = { last: [] as number[], averaged: [] as number[] };
  const lastScores = new Float64Array(K);
  const averagedScores = new Float64Array(K);
  for (let i = 0; i < n; i++) {
    lastScores.fill(0);
    averagedScores.fill(0);
    for (let s = 0; s < supports.length; s++) {
      const value = polynomial(X, i * d, rows, s * d, d, degree);
      for (let c = 0; c < K; c++) {
        lastScores[c] = (lastScores[c] as number) + (last[s * K + c] as number) * value;
        averagedScores[c] = (averagedScores[c] as number) + (averaged[s * K + c] as number) * value;
      }
    }
    classes.last.push(largest(lastScores));
    classes.averaged.push(largest(averagedScores));
  }
  return classes;
}

/**
 * How often a pass computes the kernel, given its order and which rows became supports: once for each sample and
 * each support that came before it. With the time of one evaluation it tells how long the loop would take on a set
 * that is too large to run it on: an extrapolation, and a kind one, since more supports leave the caches.
 */
export function evaluationsOf(order: ArrayLike<number>, supports: Iterable<number>): number {
  const isSupport = new Set(supports);
  let evaluations = 0;
  let before = 0;
  for (let t = 0; t < order.length; t++) {
    evaluations += before;
    if (isSupport.has(order[t] as number)) before++;
  }
  return evaluations;
}

/** (1 + x·z)^p of the rows at the offsets x and z. */
function polynomial(X: Float64Array, x: number, Z: Float64Array, z: number, d: number, degree: number): number {
  let sum = 1;
  for (let k = 0; k < d; k++) sum += (X[x + k] as number) * (Z[z + k] as number);
  let power = sum;
  for (let p = 1; p < degree; p++) power *= sum;
  return power;
}

function largest(values: Float64Array): number {
  let best = 0;
  for (let c = 1; c < values.length; c++) if ((values[c] as number) > (values[best] as number)) best = c;
  return best;
}
