// The same folds for several models: the points of a grid, or models that differ in more than options.

import type { Label, Labels } from '../index.js';
import { atOnce } from './atonce.js';
import type { Selectable } from './clone.js';
import { answersOf } from './crossvalidate.js';
import { evaluationOf } from './jobs.js';
import { type Metric, metricsOf, spreadOf } from './means.js';
import type { Evaluation } from './metrics.js';
import { type FoldDone, type Plan, planOf } from './plan.js';
import type { SearchOptions, SearchResult } from './search.js';

/** The metric of a model on folds. */
export type Scored = Omit<SearchResult, 'options'>;

/** The metric of several models on the folds of a plan. */
export async function scoresOfAll<L extends Label>(
  models: readonly object[],
  plan: Plan<L>,
  metric: Metric,
  onFold: (model: number, done: FoldDone<L>) => void,
): Promise<Scored[]> {
  const work = plan.work(models);
  const done = models.map(() => new Array<{ value: number; ms: number }>(plan.folds.length));
  try {
    await atOnce(work.jobs, work.limit, async (job) => {
      const { point, fold } = job;
      const began = performance.now();
      const evaluation = evaluationOf(job, await answersOf(job, plan));
      const value = metricIn(evaluation, metric);
      (done[point] as { value: number; ms: number }[])[fold] = { value, ms: performance.now() - began };
      onFold(point, { fold, evaluation });
    });
  } finally {
    work.dispose();
  }
  return done.map((folds) => {
    const scores = folds.map(({ value }) => value);
    return { scores, ...spreadOf(scores), seconds: folds.reduce((sum, { ms }) => sum + ms, 0) / 1000 };
  });
}

/**
 * The metric of different models of the same rows, on the same folds: `search` for grids that change more than options. @internal
 * @throws TypeError or RangeError naming what is wrong, before anything is fitted
 */
export async function compareModels<const Y extends Labels>(
  models: readonly [Selectable, ...Selectable[]],
  X: unknown,
  y: Y,
  { metric = 'accuracy', onFold, ...options }: SearchOptions<Y[number]>,
): Promise<Scored[]> {
  const plan = planOf<Y[number]>(models[0], X, y, options, [], 'compareModels');
  try {
    return await scoresOfAll(models, plan, metric, (_, done) => onFold?.({ ...done, options: {} }));
  } finally {
    plan.input.dispose();
  }
}

function metricIn<L extends Label>(evaluation: Evaluation<L>, metric: Metric): number {
  const value = metricsOf(evaluation).get(metric);
  if (value === undefined) throw new RangeError(`"metric" is '${metric}', which this fold does not have`);
  return value;
}
