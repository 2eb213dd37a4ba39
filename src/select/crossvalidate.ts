// crossValidate: how good is a model on rows that it has not seen?

import { messageOf } from '../errors.js';
import type { Label, Labels } from '../index.js';
import { own } from '../own.js';
import { atOnce } from './atonce.js';
import type { Selectable } from './clone.js';
import { type Answers, evaluationOf, type Job, runJob, type Scores } from './jobs.js';
import { type Spreads, spreadsOf } from './means.js';
import type { Evaluation } from './metrics.js';
import { expectCallback, type FoldDone, type FoldOptions, type Plan, planOf } from './plan.js';
import type { PlannedJob } from './work.js';

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
      return { answers, evaluation };
    });
    const folds = done.map(({ evaluation }) => evaluation);
    const answers = done.map((each) => each.answers);
    return { folds, ...spreadsOf(folds), ...joined(jobs, answers, plan.labels.length) };
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

/** The answers of all folds, by row. */
function joined<L extends Label>(
  jobs: readonly Job<L>[],
  answers: readonly Answers<L>[],
  rows: number,
): { predictions: L[]; scores: Scores } {
  const predictions = new Array<L>(rows);
  const first = answers[0]?.scores as Scores;
  const cols = first instanceof Float64Array ? 1 : first.cols;
  const all = new Float64Array(rows * cols);
  answers.forEach(({ predictions: own, scores }, k) => {
    const data = scores instanceof Float64Array ? scores : scores.data;
    (jobs[k] as Job<L>).test.forEach((row, i) => {
      predictions[row] = own[i] as L;
      all.set(data.subarray(i * cols, (i + 1) * cols), row * cols);
    });
  });
  return { predictions, scores: first instanceof Float64Array ? all : { data: all, rows, cols } };
}
