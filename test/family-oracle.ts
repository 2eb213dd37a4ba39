// The family in textbook form: pocket (SPEC §6), one class against the rest and multinomial (SPEC §11), primal and dual,
// in every order (SPEC §3). Nobody optimises it: every check sums anew, every count goes through all samples, every mean
// is the mean of copies. Sums are plain, left to right, so compare on integer data, with η, c and B powers of two.

import type { Order } from '../src/index.js';
import { Random } from '../src/random.js';

type Matrix = readonly (readonly number[])[];

/** Which sample next, and for how long. */
export interface Walk {
  order?: Order;
  epochs?: number;
  random?: Random;
}

/** What an update is: step = η·c_i, B = 0 for no intercept. */
export interface Knobs {
  eta?: number;
  mu?: number;
  B?: number;
  /** The weight of sample i. */
  c?: (i: number) => number;
}

/** Anything that learns by corrections. */
export interface Student<S> {
  samples: number;
  /** What would put sample i right, as things stand; undefined where it is no mistake. */
  correction(i: number): (() => void) | undefined;
  /** A copy of what it has learned. */
  copy(): S;
}

export interface Run<S> {
  last: S;
  /** Rows that were mistakes, in order. */
  trace: number[];
  mistakesByEpoch: number[];
  separated: boolean;
  /** After every sample seen; after every update in order random, every pass in order batch (SPEC §9). */
  seen: S[];
}

const dot = (x: readonly number[], z: readonly number[]) => x.reduce((sum, v, k) => sum + v * (z[k] as number), 0);

const mistakesOf = <S>(student: Student<S>): number[] =>
  Array.from({ length: student.samples }, (_, i) => i).filter((i) => student.correction(i));

/** Trains in any order; `changed` is told of all weights that stand: after an update, in batch order after a pass. */
export function train<S>(
  student: Student<S>,
  { order = 'cyclic', epochs = 1000, random = Random.seeded(0) }: Walk,
  changed: (updates: number) => void = () => {},
): Run<S> {
  const n = student.samples;
  const run: Run<S> = { last: student.copy(), trace: [], mistakesByEpoch: [], separated: false, seen: [] };
  const { trace, mistakesByEpoch, seen } = run;
  if (order === 'random') {
    for (;;) {
      const wrong = mistakesOf(student);
      run.separated = wrong.length === 0;
      if (run.separated || trace.length === epochs * n) break;
      const i = wrong[random.below(wrong.length)] as number;
      student.correction(i)?.();
      if (trace.length % n === 0) mistakesByEpoch.push(0);
      mistakesByEpoch.push((mistakesByEpoch.pop() as number) + 1);
      trace.push(i);
      seen.push(student.copy());
      changed(trace.length);
    }
  } else if (order === 'batch') {
    for (let epoch = 0; epoch < epochs && !run.separated; epoch++) {
      const wrong = mistakesOf(student);
      const corrections = wrong.map((i) => student.correction(i)); // all of them from one look
      for (const correct of corrections) correct?.();
      trace.push(...wrong);
      mistakesByEpoch.push(wrong.length);
      seen.push(student.copy());
      run.separated = wrong.length === 0;
      changed(trace.length);
    }
  } else {
    for (let epoch = 0; epoch < epochs && !run.separated; epoch++) {
      const rows = Array.from({ length: n }, (_, i) => i);
      if (order === 'shuffle') random.shuffle(rows);
      let mistakes = 0;
      for (const i of rows) {
        const correct = student.correction(i);
        if (correct) {
          correct();
          mistakes++;
          trace.push(i);
          changed(trace.length);
        }
        seen.push(student.copy());
      }
      mistakesByEpoch.push(mistakes);
      run.separated = mistakes === 0;
    }
  }
  run.last = student.copy();
  return run;
}

/** The mean of all that was seen, number by number (SPEC §9). */
export function meanOf<S>(seen: readonly S[], numbers: (at: S) => number[]): number[] {
  const sum = numbers(seen[0] as S).map(() => 0);
  for (const at of seen) {
    for (const [k, v] of numbers(at).entries()) sum[k] = (sum[k] as number) + v;
  }
  return sum.map((s) => s / seen.length);
}

// ---- two classes ------------------------------------------------------------------------------------

export interface Plane {
  w: number[];
  b: number;
}

/** SPEC §2, y = −1 or +1. */
export function plane(
  X: Matrix,
  y: readonly number[],
  { eta = 1, mu = 0, B = 1, c = () => 1 }: Knobs = {},
  w0: readonly number[] = (X[0] as number[]).map(() => 0),
  b0 = 0,
): Student<Plane> {
  const w = [...w0];
  let b = b0;
  return {
    samples: X.length,
    correction(i) {
      const x = X[i] as number[];
      const yi = y[i] as number;
      if (yi * (dot(x, w) + b) > mu) return undefined;
      return () => {
        const step = eta * c(i) * yi;
        for (let k = 0; k < w.length; k++) w[k] = (w[k] as number) + step * (x[k] as number);
        b += step * B * B;
      };
    },
    copy: () => ({ w: [...w], b }),
  };
}

export interface Alphas {
  alphas: number[];
  counts: number[];
  b: number;
}

/** SPEC §7: K (n, n) is the Gram matrix of any kernel. */
export function alphas(K: Matrix, y: readonly number[], { eta = 1, mu = 0, B = 1, c = () => 1 }: Knobs = {}) {
  const a = y.map(() => 0);
  const n = y.map(() => 0);
  let b = 0;
  const student: Student<Alphas> = {
    samples: y.length,
    correction(i) {
      const yi = y[i] as number;
      const s =
        dot(
          a.map((v, j) => v * (y[j] as number)),
          K[i] as number[],
        ) + b;
      if (yi * s > mu) return undefined;
      return () => {
        a[i] = (a[i] as number) + eta * c(i);
        n[i] = (n[i] as number) + 1;
        b += eta * c(i) * yi * B * B;
      };
    },
    copy: () => ({ alphas: [...a], counts: [...n], b }),
  };
  return student;
}

/** The scores of these α on the rows that K was made of. */
export const scoresOfAlphas = (K: Matrix, y: readonly number[], { alphas: a, b }: Alphas): number[] =>
  K.map(
    (row) =>
      dot(
        a.map((v, j) => v * (y[j] as number)),
        row,
      ) + b,
  );

// ---- the pocket -------------------------------------------------------------------------------------

export interface PocketRun<S> extends Run<S> {
  pocket: S;
  /** What `report.pocket` says. */
  told: { errors: number; lastErrors: number; replacedAt: number };
}

/** SPEC §6: the best of all weights that ever stood, counted on all samples every time. */
export function pocket<S>(student: Student<S>, walk: Walk): PocketRun<S> {
  const count = () => mistakesOf(student).length;
  let [best, errors, replacedAt] = [student.copy(), count(), 0];
  const run = train(student, walk, (updates) => {
    const mistakes = count();
    if (mistakes < errors) [best, errors, replacedAt] = [student.copy(), mistakes, updates];
  });
  return { ...run, pocket: best, told: { errors, lastErrors: count(), replacedAt } };
}

/** Gallant's ratchet: draws over all samples, and counts only when a run of right answers is longer than the pocket's. */
export function ratchet<S>(student: Student<S>, { epochs = 1000, random = Random.seeded(0) }: Walk): PocketRun<S> {
  const n = student.samples;
  const count = () => mistakesOf(student).length;
  let [best, errors, replacedAt] = [student.copy(), count(), 0];
  let [run, pocketRun, isCounted, separated] = [0, 0, false, false];
  const trace: number[] = [];
  const mistakesByEpoch: number[] = [];
  for (let draws = 0; draws < epochs * n && !separated; draws++) {
    if (draws % n === 0) mistakesByEpoch.push(0);
    const i = random.below(n);
    const correct = student.correction(i);
    if (correct) {
      correct();
      trace.push(i);
      mistakesByEpoch.push((mistakesByEpoch.pop() as number) + 1);
      run = 0;
      isCounted = false;
      continue;
    }
    run++;
    if (run <= pocketRun || isCounted) continue;
    isCounted = true;
    const mistakes = count();
    if (mistakes < errors) {
      [best, errors, replacedAt] = [student.copy(), mistakes, trace.length];
      pocketRun = run;
    }
    separated = mistakes === 0;
  }
  const told = { errors, lastErrors: count(), replacedAt };
  return { last: student.copy(), trace, mistakesByEpoch, separated, seen: [], pocket: best, told };
}

// ---- many classes -----------------------------------------------------------------------------------

/** One plane for each class against all others; labels are 0 … K − 1, and `walkFor` gives each class a walk of its own. */
export function oneVsRest(
  X: Matrix,
  labels: readonly number[],
  classes: number,
  walkFor: () => Walk,
  { c = () => 1, ...knobs }: Omit<Knobs, 'c'> & { c?: (sample: number, k: number) => number } = {},
): Run<Plane>[] {
  return Array.from({ length: classes }, (_, k) =>
    train(plane(X, signs(labels, k), { ...knobs, c: (i) => c(i, k) }), walkFor()),
  );
}

/** +1 for class k, −1 for all others. */
export const signs = (labels: readonly number[], k: number): number[] => labels.map((label) => (label === k ? 1 : -1));

/** The class with the largest score but for `own`, the first among equals. */
function bestOther(scores: readonly number[], own: number): number {
  let best = own === 0 ? 1 : 0;
  for (const [k, s] of scores.entries()) if (k !== own && s > (scores[best] as number)) best = k;
  return best;
}

export interface Planes {
  /** (K, d) */
  W: number[][];
  b: number[];
}

/** SPEC §11: raise the right class, lower the best other one. */
export function multinomial(
  X: Matrix,
  labels: readonly number[],
  classes: number,
  { eta = 1, mu = 0, B = 1, c = () => 1 }: Knobs = {},
): Student<Planes> {
  const W = Array.from({ length: classes }, () => (X[0] as number[]).map(() => 0));
  const b = W.map(() => 0);
  return {
    samples: X.length,
    correction(i) {
      const x = X[i] as number[];
      const own = labels[i] as number;
      const s = W.map((w, k) => dot(w, x) + (b[k] as number));
      const other = bestOther(s, own);
      if ((s[own] as number) - (s[other] as number) > mu) return undefined;
      return () => {
        for (const [k, sign] of [
          [own, 1],
          [other, -1],
        ] as const) {
          const step = eta * c(i) * sign;
          const w = W[k] as number[];
          for (let j = 0; j < w.length; j++) w[j] = (w[j] as number) + step * (x[j] as number);
          b[k] = (b[k] as number) + step * B * B;
        }
      };
    },
    copy: () => ({ W: W.map((w) => [...w]), b: [...b] }),
  };
}

export interface Coefficients {
  /** (n, K): what each sample adds to the score of each class, times its kernel. */
  A: number[][];
  b: number[];
}

/** The same in dual form: K (n, n) is the Gram matrix of any kernel. */
export function dualMultinomial(
  K: Matrix,
  labels: readonly number[],
  classes: number,
  { eta = 1, mu = 0, B = 1, c = () => 1 }: Knobs = {},
): Student<Coefficients> {
  const A = labels.map(() => Array.from({ length: classes }, () => 0));
  const b = Array.from({ length: classes }, () => 0);
  return {
    samples: labels.length,
    correction(i) {
      const own = labels[i] as number;
      const s = scoresOfCoefficients([K[i] as number[]], { A, b })[0] as number[];
      const other = bestOther(s, own);
      if ((s[own] as number) - (s[other] as number) > mu) return undefined;
      return () => {
        const row = A[i] as number[];
        for (const [k, sign] of [
          [own, 1],
          [other, -1],
        ] as const) {
          row[k] = (row[k] as number) + eta * c(i) * sign;
          b[k] = (b[k] as number) + eta * c(i) * sign * B * B;
        }
      };
    },
    copy: () => ({ A: A.map((row) => [...row]), b: [...b] }),
  };
}

/** The scores of every class, for rows whose kernels with all samples are K (m, n). */
export const scoresOfCoefficients = (K: Matrix, { A, b }: Coefficients): number[][] =>
  K.map((row) =>
    b.map(
      (bias, k) =>
        dot(
          row,
          A.map((a) => a[k] as number),
        ) + bias,
    ),
  );

/** The scores of every class. */
export const scoresOfPlanes = (X: Matrix, planes: readonly Plane[]): number[][] =>
  X.map((x) => planes.map(({ w, b }) => dot(w, x) + b));
