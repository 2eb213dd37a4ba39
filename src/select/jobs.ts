// One fold: fit on some rows, score others. Pure functions of a prototype, data, row numbers and weights: whoever calls them, here
// or on another machine, gets bit-identical results.
//
// A trainer is fitted on all rows, with a weight of 0 for those held out: they are not there (SPEC §14), and nothing is copied. A
// pipeline is fitted on copies of its rows, because its steps are fitted on all rows that they are given.

import type { DenseMatrix, Label, ScoreTable } from '../index.js';
import { nextTurn } from '../turn.js';
import { cloneOf, type Selectable } from './clone.js';
import type { Copies, Shared } from './copies.js';
import { scoresFrom } from './grams.js';
import { type Evaluation, evaluate } from './metrics.js';
import { rankingOf } from './ranking.js';

/** The scores of rows: one each, or one for each class. */
export type Scores = Float64Array | ScoreTable;

/** The rows, in a form that the model takes. */
interface Data {
  /** All of them, for a model that is fitted on them with weights; undefined: it is fitted on copies of rows. */
  readonly whole: unknown;
  readonly copies: Copies;
  /** The Gram matrix of all rows, for a model with a kernel that takes it; bit-identical to what it would compute. */
  readonly gram: Shared<DenseMatrix> | undefined;
}

export interface Job<L extends Label = Label> {
  /** The prototype: it is copied, and stays as it is. */
  readonly model: Selectable;
  readonly data: Data;
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
  const { data, test } = job;
  const model = cloneOf(job.model) as unknown as Fittable;
  const scores =
    (await fitFold(model, job, options)) ?? (await data.copies.use(test, (X) => model.decisionFunction(X)));
  await nextTurn(); // scoring is not in slices: between two of them others have their turn
  const classes = model.classes as readonly L[]; // those of the labels
  return { scores, classes, predictions: predictionsOf(scores, classes) };
}

/** Fits the model on the rows `train`; returns the scores of the rows `test` if the Gram matrix has what they need. */
async function fitFold(model: Fittable, job: Job, options: FitOptions): Promise<Scores | undefined> {
  const { data, labels, weights, train, test } = job;
  const { whole, copies, gram } = data;
  const fit = (X: unknown, y: readonly Label[], more: object) => {
    options.signal?.throwIfAborted();
    return model.fitAsync(X, y, { ...options, ...more });
  };
  if (whole === undefined) {
    const y = Array.from(train, (i) => labels[i] as Label);
    const sampleWeight = weights && Float64Array.from(train, (i) => weights[i] as number);
    await copies.use(train, (X) => fit(X, y, sampleWeight ? { sampleWeight } : {}));
    return undefined;
  }
  const sampleWeight = new Float64Array(labels.length);
  for (const i of train) sampleWeight[i] = weights ? (weights[i] as number) : 1;
  if (!gram) {
    await fit(whole, labels, { sampleWeight });
    return undefined;
  }
  return gram.use(async (precomputed) => {
    await fit(whole, labels, { sampleWeight, precomputed });
    return scoresFrom(precomputed, model, test);
  });
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
export function predictionsOf<L extends Label>(scores: Scores, classes: readonly L[]): L[] {
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
