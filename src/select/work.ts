// All folds of all models that are compared, in an order in which they share copies of rows and Gram matrices.

import type { Label, Rows } from '../index.js';
import { limitOf } from './atonce.js';
import { Copies } from './copies.js';
import type { Fold } from './folds.js';
import { gramKey, gramsOf } from './grams.js';
import type { FitOptions, Job } from './jobs.js';
import type { Input } from './rows.js';

/** A fold of a model. */
export interface PlannedJob<L extends Label> extends Job<L> {
  /** The number of the model among those that are compared. */
  readonly point: number;
  readonly fold: number;
}

export interface Work<L extends Label> {
  readonly jobs: readonly PlannedJob<L>[];
  /** How many of them run at once. */
  readonly limit: number;
  /** Disposes of copies that are left. */
  dispose(): void;
}

type Base<L extends Label> = FitOptions & Pick<Job<L>, 'labels' | 'weights'>;

/** Kernel by kernel, so that one Gram matrix is in memory; then fold by fold, so that one copy of its rows serves all models. */
export function workOf<L extends Label>(
  models: readonly object[],
  folds: readonly Fold[],
  input: Input,
  { labels, weights, threads, signal }: Base<L>,
): Work<L> {
  const byKernel = new Map<string | undefined, number[]>();
  models.forEach((model, point) => {
    const key = gramKey(model, input.rows);
    byKernel.set(key, [...(byKernel.get(key) ?? []), point]);
  });
  const copies: Copies[] = [];
  const jobs = [...byKernel].flatMap(([key, points]) => {
    const first = models[points[0] as number] as object;
    const options = { threads, signal };
    const data = new Copies((rows) => input.take(rows), points.length);
    const grams =
      key === undefined ? undefined : gramsOf(first, input.whole as Rows, folds.length, points.length, options);
    copies.push(data, ...(grams ? [grams] : []));
    return folds.flatMap((rows, fold) =>
      points.map((point) => {
        const model = models[point] as unknown as Job['model']; // a copy of a model that was checked
        return { model, data, grams, labels, weights, ...rows, point, fold };
      }),
    );
  });
  const hasGram = [...byKernel.keys()].some((key) => key !== undefined);
  const bytes = input.bytes + (hasGram ? 8 * input.rows * input.rows : 0);
  const dispose = () => {
    for (const each of copies) each.dispose();
  };
  return { jobs, limit: limitOf(threads ?? 'auto', bytes), dispose };
}
