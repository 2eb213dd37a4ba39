// search: which options are best? Every point of a grid is cross-validated on the same folds.

import { show } from '../errors.js';
import type { Label, Labels } from '../index.js';
import { own } from '../own.js';
import { type Changes, cloneOf, type Selectable } from './clone.js';
import { type Scored, scoresOfAll } from './compare.js';
import { type Grid, pointsOf } from './grid.js';
import { fitWhole } from './jobs.js';
import { METRICS, type Metric } from './means.js';
import { expectCallback, type FoldDone, type FoldOptions, planOf } from './plan.js';

/** Options of `search`. */
export interface SearchOptions<L extends Label = Label> extends FoldOptions {
  /** The number of an evaluation whose mean over the folds is to be as large as possible. Default 'accuracy'. */
  metric?: Metric;
  /** Called when a fold of a point has ended: in the order in which they end, which depends on the threads. */
  onFold?: ((done: FoldDone<L> & { readonly options: Changes }) => void) | undefined;
}

/** A point of the grid. */
export interface SearchResult {
  readonly options: Changes;
  /** The metric of each fold. */
  readonly scores: readonly number[];
  readonly mean: number;
  /** The sample standard deviation (divisor K − 1). */
  readonly deviation: number;
  /** The time that its folds took, added up. */
  readonly seconds: number;
}

/** What `search` found. */
export interface Search<M> {
  /** The point with the largest mean; of equal ones, the first of the grid. */
  readonly best: { readonly options: Changes; readonly score: number };
  /** A new model with the best options, fitted on all rows. */
  readonly model: M;
  /** Every point, in the order of the grid: the last of its keys varies fastest. */
  readonly results: readonly SearchResult[];
}

/**
 * Cross-validates a model with each combination of the grid's values, and fits the best on all rows. Names are options of the
 * trainer, or paths into a pipeline: 'model.average', 'steps.0.kind'. Folds of all combinations run at once on worker threads;
 * models with the same kernel share one Gram matrix. Results but for `seconds` are bit-identical for any number of threads.
 * Do not change X and y until the promise settles. The model stays as it is.
 * @throws TypeError or RangeError naming what is wrong, before anything is fitted
 *
 * @example
 * import { search } from 'perceptron-wasm/select';
 * // Points inside and outside of a circle: no line separates them.
 * const X = Array.from({ length: 40 }, (_, i) => [Math.cos(i) * (1 + (i % 2)), Math.sin(i) * (1 + (i % 2))]);
 * const { best } = await search(new DualPerceptron(), { kernel: ['linear', 'rbf'] }, X, X.map((_, i) => i % 2));
 * console.log(best.options, best.score); // → { kernel: 'rbf' } 1
 */
export async function search<In, const Y extends Labels, M extends Selectable<In>>(
  model: M & Selectable<In>,
  grid: Grid,
  X: NoInfer<In>,
  y: Y,
  options: SearchOptions<Y[number]> = {},
): Promise<Search<M>> {
  const plan = planOf<Y[number]>(model, X, y, options, ['onFold', 'metric'], 'search');
  const { onFold, metric = 'accuracy' } = own(options);
  try {
    expectCallback(onFold, 'onFold');
    expectMetric(metric);
    return await searchWith(
      model,
      pointsOf(model, grid),
      (models, points) =>
        scoresOfAll(models, plan, metric, (point, done) => onFold?.({ ...done, options: points[point] as Changes })),
      (best) => fitWhole(best, plan.input.whole, plan),
    );
  } finally {
    plan.input.dispose();
  }
}

/** Scores a model with the options of each point, and fits the best: `score` and `fit` do it, wherever that is. */
export async function searchWith<M>(
  model: M,
  points: readonly Changes[],
  score: (models: readonly M[], points: readonly Changes[]) => Promise<Scored[]>,
  fit: (best: M) => Promise<M>,
): Promise<Search<M>> {
  const models = points.map((point) => cloneOf(model, point));
  const scored = await score(models, points);
  const results = points.map((point, k): SearchResult => ({ options: point, ...(scored[k] as Scored) }));
  const best = results.reduce((a, b) => (b.mean > a.mean ? b : a));
  const fitted = await fit(cloneOf(model, best.options));
  return { best: { options: best.options, score: best.mean }, model: fitted, results };
}

export function expectMetric(metric: unknown): void {
  if (METRICS.includes(metric as Metric)) return;
  const needs =
    metric === 'logLoss' || metric === 'brier' ? ', which needs probabilities: a model has none before calibrate' : '';
  throw new RangeError(`"metric" must be one of ${METRICS.join(', ')}, got ${show(metric)}${needs}`);
}
