// One fold: fit on some rows, score others. Pure functions of a prototype, data and row numbers: whoever calls them, here or on
// another machine, gets bit-identical results.

import type { Label, ScoreTable } from '../index.js';
import { nextTurn } from '../turn.js';
import { cloneOf, type Selectable } from './clone.js';
import type { Copies } from './copies.js';
import type { FoldGram } from './grams.js';
import { type Evaluation, evaluate } from './metrics.js';
import { rankingOf } from './ranking.js';

/** The scores of rows: one each, or one for each class. */
export type Scores = Float64Array | ScoreTable;

export interface Job<L extends Label = Label> {
  /** The prototype: it is copied, and stays as it is. */
  readonly model: Selectable;
  /** Copies of rows, in a form that the model takes. */
  readonly data: Copies;
  /** What folds need of a Gram matrix, for a model with a kernel that takes it; bit-identical to what it would compute. */
  readonly grams?: Copies | undefined;
  readonly labels: readonly L[];
  readonly weights: Float64Array | undefined;
  /** Row numbers, ascending. */
  readonly train: Uint32Array;
  readonly test: Uint32Array;
}

export interface FitOptions {
  readonly threads?: number | 'auto' | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What a fold leaves: answers for its rows, in their order. */
export interface Answers<L extends Label = Label> {
  readonly predictions: readonly L[];
  readonly scores: Scores;
  /** The model's, in order: of the labels, or of its option. */
  readonly classes: readonly L[];
}

interface Fittable {
  fitAsync(X: unknown, y: readonly Label[], options: object): Promise<unknown>;
  decisionFunction(X: unknown): Scores;
  readonly classes: readonly Label[];
}

/** Fits a copy of the model on the rows `train`, and scores the rows `test`. */
export async function runJob<L extends Label>(job: Job<L>, options: FitOptions): Promise<Answers<L>> {
  const { data, grams, labels, weights, train, test } = job;
  const model = cloneOf(job.model) as unknown as Fittable;
  const y = Array.from(train, (i) => labels[i] as L);
  const sampleWeight = weights && Float64Array.from(train, (i) => weights[i] as number);
  const fit = (X: unknown, precomputed?: unknown) => {
    options.signal?.throwIfAborted();
    const more = { ...(sampleWeight && { sampleWeight }), ...(precomputed !== undefined && { precomputed }) };
    return model.fitAsync(X, y, { ...options, ...more });
  };
  const quick = await data.use(train, async (X) => {
    if (!grams) return void (await fit(X));
    return grams.use(train, async (cut) => {
      await fit(X, (cut as FoldGram).gram);
      return (cut as FoldGram).scores(model);
    });
  });
  const scores = quick ?? (await data.use(test, (X) => model.decisionFunction(X)));
  await nextTurn(); // scoring is not in slices: between two of them others have their turn
  const classes = model.classes as readonly L[]; // those of the labels
  return { scores, classes, predictions: predictionsOf(scores, classes) };
}

/** Fits a model on all rows. */
export async function fitWhole<M>(
  model: M,
  X: unknown,
  { labels, weights, threads, signal }: FitOptions & Pick<Job, 'labels' | 'weights'>,
): Promise<M> {
  const options = { threads, signal, ...(weights && { sampleWeight: weights }) };
  await (model as unknown as Fittable).fitAsync(X, labels, options);
  return model;
}

/** The class of each row, as `predict` gives it: of two the second if the score is ≥ 0, of many the first of the best (SPEC §1, §11). */
function predictionsOf<L extends Label>(scores: Scores, classes: readonly L[]): L[] {
  if (scores instanceof Float64Array) return Array.from(scores, (score) => classes[score >= 0 ? 1 : 0] as L);
  const { data, rows, cols } = scores;
  return Array.from({ length: rows }, (_, i) => {
    let best = 0;
    for (let k = 1; k < cols; k++) if ((data[i * cols + k] as number) > (data[i * cols + best] as number)) best = k;
    return classes[best] as L;
  });
}

/** How good the answers of a fold are. Its baseline is the class that most of its training rows have, the first of equal ones. */
export function evaluationOf<L extends Label>(
  job: Job<L>,
  { predictions, scores, classes }: Answers<L>,
): Evaluation<L> {
  const { labels, weights, train, test } = job;
  const sampleWeight = weights && Float64Array.from(test, (i) => weights[i] as number);
  return evaluate(
    Array.from(test, (i) => labels[i] as L),
    predictions,
    {
      classes,
      scores: rankingOf(job.model, scores),
      baseline: majorityOf(labels, classes, weights, train),
      ...(sampleWeight && { sampleWeight }),
    },
  );
}

function majorityOf<L extends Label>(
  labels: readonly L[],
  classes: readonly L[],
  weights: Float64Array | undefined,
  rows: Uint32Array,
): L {
  const sums = new Map<L, number>(classes.map((label) => [label, 0]));
  for (const i of rows) {
    const label = labels[i] as L;
    sums.set(label, (sums.get(label) as number) + (weights?.[i] ?? 1));
  }
  return classes.reduce((best, label) => ((sums.get(label) as number) > (sums.get(best) as number) ? label : best));
}
