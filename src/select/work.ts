// All folds of all models that are compared, in an order in which they share copies of rows and Gram matrices.

import type { Label, Rows } from '../index.js';
import { limitOf } from './atonce.js';
import { isPipeline } from './clone.js';
import { Copies } from './copies.js';
import type { Fold } from './folds.js';
import { gramKey, gramOf, hasKernel } from './grams.js';
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

/** Kernel by kernel, so that few Gram matrices are in memory; then fold by fold, so that one copy of its rows serves all models. */
export function workOf<L extends Label>(
  models: readonly object[],
  folds: readonly Fold[],
  input: Input,
  { labels, weights, threads, signal }: Base<L>,
): Work<L> {
  // Models that share: those of one kernel, those fitted on copies, all others.
  const groups = new Map<string, { readonly key: string | undefined; readonly isWeighed: boolean; points: number[] }>();
  models.forEach((model, point) => {
    const key = gramKey(model, input.rows);
    const isWeighed = fitsWhole(model, key);
    const name = key ?? `${isWeighed}`;
    const group = groups.get(name) ?? { key, isWeighed, points: [] };
    group.points.push(point);
    groups.set(name, group);
  });
  const shared: { dispose(): void }[] = [];
  const jobs = [...groups.values()].flatMap(({ key, isWeighed, points }) => {
    const copies = new Copies((rows) => input.take(rows), points.length);
    const uses = folds.length * points.length;
    const options = { threads, signal };
    const gram =
      key === undefined ? undefined : gramOf(models[points[0] as number] as object, input.whole as Rows, uses, options);
    shared.push(copies, ...(gram ? [gram] : []));
    return folds.flatMap((rows, fold) =>
      points.map((point) => {
        const model = models[point] as unknown as Job['model']; // a copy of a model that was checked
        const whole = isWeighed ? input.whole : undefined;
        return { model, data: { whole, copies, gram }, labels, weights, ...rows, point, fold };
      }),
    );
  });
  const copied = jobs.some(({ data }) => data.whole === undefined) ? input.bytes : 0;
  const grams = [...groups.values()].filter(({ key }) => key !== undefined).length;
  const bytes = copied + (grams > 1 ? 8 * input.rows * input.rows : 0);
  const dispose = () => {
    for (const each of shared) each.dispose();
  };
  return { jobs, limit: limitOf(threads ?? 'auto', bytes), dispose };
}

/**
 * Whether a fold is fitted on all rows with weights. Steps of a pipeline do not see weights. A kernel without a Gram matrix of all
 * rows would be computed for rows held out, too.
 */
const fitsWhole = (model: object, key: string | undefined): boolean =>
  !isPipeline(model) && (key !== undefined || !hasKernel(model));
