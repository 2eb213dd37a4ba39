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
  const done = models.map(() => new Array<Timed>(plan.folds.length));
  try {
    await atOnce(work.jobs, work.limit, async (job) => {
      const { point, fold } = job;
      const began = performance.now();
      const evaluation = evaluationOf(job, await answersOf(job, plan));
      (done[point] as Timed[])[fold] = {
        score: metricIn(evaluation, metric),
        seconds: (performance.now() - began) / 1000,
      };
      onFold(point, { fold, evaluation });
    });
  } finally {
    work.dispose();
  }
  return done.map(scoredOf);
}

/** A fold of a model: its metric, and the time it took. */
export interface Timed {
  readonly score: number;
  readonly seconds: number;
}

/** The metric of a model on its folds. */
export function scoredOf(folds: readonly Timed[]): Scored {
  const scores = folds.map(({ score }) => score);
  return { scores, ...spreadOf(scores), seconds: folds.reduce((sum, { seconds }) => sum + seconds, 0) };
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

/** @throws RangeError if the fold does not have the metric */
export function metricIn(evaluation: Evaluation, metric: Metric): number {
  const value = metricsOf(evaluation).get(metric);
  if (value === undefined) throw new RangeError(`"metric" is '${metric}', which this fold does not have`);
  return value;
}
