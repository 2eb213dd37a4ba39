// crossValidate: how good is a model on rows that it has not seen?

import { messageOf } from '../errors.js';
import type { Label, Labels } from '../index.js';
import { own } from '../own.js';
import { atOnce } from './atonce.js';
import type { Selectable } from './clone.js';
import { type Answers, evaluationOf, runJob, type Scores } from './jobs.js';
import { type Spreads, spreadsOf } from './means.js';
import type { Evaluation } from './metrics.js';
import { expectCallback, type FoldDone, type FoldOptions, type Plan, planOf } from './plan.js';
import type { PlannedJob } from './work.js';

/** Options of `crossValidate`. */
export interface CrossValidateOptions<L extends Label = Label> extends FoldOptions {
  /** Called when a fold has ended: in the order in which they end, which depends on the threads. */
  onFold?: ((done: FoldDone<L>) => void) | undefined;
}

/** What `crossValidate` found. */
export interface CrossValidation<L extends Label = Label> extends Spreads {
  /** One evaluation for each fold, of the rows that it held out. */
  readonly folds: readonly Evaluation<L>[];
  /** The class of each row, as the fold predicts it that held it out. */
  readonly predictions: L[];
  /** The score of each row, likewise; of more than two classes, and of a MulticlassPerceptron, one for each class. */
  readonly scores: Scores;
}

/**
 * Fits a copy of the model once for each fold, on all rows but those of the fold, and evaluates it on these. The steps of a
 * pipeline are fitted in the fold, too. Folds run at once on worker threads; results are bit-identical for any number of threads.
 * Do not change X and y until the promise settles. The model stays as it is.
 * @throws TypeError or RangeError naming what is wrong, before anything is fitted
 *
 * @example
 * import { crossValidate } from 'perceptron-wasm/select';
 * const X = [[-4], [-3], [-2], [-1], [1], [2], [3], [4]];
 * const { mean } = await crossValidate(new Perceptron(), X, [0, 0, 0, 0, 1, 1, 1, 1], { folds: 4 });
 * console.log(mean.accuracy); // → 1
 */
export async function crossValidate<In, const Y extends Labels>(
  model: Selectable<In>,
  X: NoInfer<In>,
  y: Y,
  options: CrossValidateOptions<Y[number]> = {},
): Promise<CrossValidation<Y[number]>> {
  const plan = planOf<Y[number]>(model, X, y, options, ['onFold'], 'crossValidate');
  const { jobs, limit, dispose } = plan.work([model]);
  try {
    const { onFold } = own(options);
    expectCallback(onFold, 'onFold');
    const done = await atOnce(jobs, limit, async (job) => {
      const answers = await answersOf(job, plan);
      const evaluation = evaluationOf(job, answers);
      onFold?.({ fold: job.fold, evaluation });
      return { answers, evaluation, test: job.test };
    });
    return crossValidationOf(done, plan.labels.length);
  } finally {
    dispose();
    plan.input.dispose();
  }
}

/** The answers of a fold. Errors say which fold it was. */
export async function answersOf<L extends Label>(job: PlannedJob<L>, plan: Plan<L>): Promise<Answers<L>> {
  const { threads, signal } = plan;
  signal?.throwIfAborted();
  try {
    return await runJob(job, { threads, signal });
  } catch (error) {
    if (error instanceof Error && error !== signal?.reason) error.message = `fold ${job.fold}: ${messageOf(error)}`;
    throw error;
  }
}

/** A fold that has ended. */
export interface FoldEnd<L extends Label = Label> {
  readonly answers: Answers<L>;
  readonly evaluation: Evaluation<L>;
  /** The rows that it held out. */
  readonly test: Uint32Array;
}

/** The result, of all folds of `rows` rows. */
export function crossValidationOf<L extends Label>(done: readonly FoldEnd<L>[], rows: number): CrossValidation<L> {
  const predictions = new Array<L>(rows);
  const first = done[0]?.answers.scores as Scores;
  const cols = first instanceof Float64Array ? 1 : first.cols;
  const all = new Float64Array(rows * cols);
  for (const { answers, test } of done) {
    const data = answers.scores instanceof Float64Array ? answers.scores : answers.scores.data;
    test.forEach((row, i) => {
      predictions[row] = answers.predictions[i] as L;
      all.set(data.subarray(i * cols, (i + 1) * cols), row * cols);
    });
  }
  const folds = done.map(({ evaluation }) => evaluation);
  const scores = first instanceof Float64Array ? all : { data: all, rows, cols };
  return { folds, ...spreadsOf(folds), predictions, scores };
}
