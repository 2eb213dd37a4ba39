// crossValidate and search on workers: which folds there are, and what their answers make together. What is computed is that of
// perceptron-wasm/select.

import { expectCount, expectOptions, expectSignal, mustBe, number } from '../errors.js';
import type { Label } from '../index.js';
import { own } from '../own.js';
import {
  type CrossValidation,
  crossValidationOf,
  type Evaluation,
  expectMetric,
  type FoldDone,
  type Grid,
  loadModel,
  type Metric,
  metricIn,
  pointsOf,
  predictionsOf,
  type Scored,
  type Search,
  type Selectable,
  scoredOf,
  searchWith,
} from '../select/index.js';
import { type DataSource, expectReadHere, type ReadHere } from './datasets.js';
import type { Dealing, FoldJob, FoldResult, Looked } from './jobs.js';
import { expectRelative } from './root.js';
import { type Spec, specOf } from './spec.js';
import type { Progress, Tasks } from './tasks.js';

/** Which data, and how they are dealt. */
export interface OnCluster {
  /** The file, relative to the data root of the workers. Every worker must have it there. */
  data: string;
  /** .npy: the file with its labels, likewise. */
  labels?: string | undefined;
  /** How it is read: options of readData, or of readTable for a pipeline that begins with a TableEncoder or a TextVectorizer. */
  read?: ReadHere | undefined;
  /** As in crossValidate. Default 5. */
  folds?: number;
  /** As in crossValidate. Default true. */
  stratify?: boolean;
  /** As in crossValidate. Default 0. */
  seed?: number;
  /** Rejects with the signal's reason, and takes back what no worker has begun. */
  signal?: AbortSignal | undefined;
}

/** Options of `cluster.crossValidate`. */
export interface ClusterCrossValidateOptions extends OnCluster {
  /** Called when a fold has ended, in the order in which they end. */
  onFold?: ((done: FoldDone) => void) | undefined;
}

/** Options of `cluster.search`. */
export interface ClusterSearchOptions extends OnCluster {
  /** As in search. Default 'accuracy'. */
  metric?: Metric;
  onFold?: ((done: FoldDone & { readonly options: Readonly<Record<string, unknown>> }) => void) | undefined;
}

const KEYS = ['data', 'labels', 'read', 'folds', 'stratify', 'seed', 'signal', 'onFold', 'lenient'] as const;
/** More folds than this are a mistake. */
const MOST_FOLDS = 100_000;
const seedOf = number('an integer from 0 to 4294967295', (v) => Number.isInteger(v) && v >= 0 && v < 2 ** 32);

/** What the calls of a cluster share. */
export interface Caller {
  readonly tasks: Tasks;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: ((progress: Progress) => void) | undefined;
}

/** The data of a call, looked at by a worker. */
interface Setting {
  readonly source: DataSource;
  readonly dealing: Dealing;
  readonly looked: Looked;
  readonly signal: AbortSignal | undefined;
}

async function settingOf(
  caller: Caller,
  model: Spec,
  options: OnCluster,
  more: readonly string[],
  where: string,
): Promise<Setting> {
  const given = expectOptions(options, [...KEYS, ...more], where) as OnCluster & {
    lenient?: boolean;
    onFold?: unknown;
  };
  const { data, labels, read, folds = 5, stratify = true, seed = 0, lenient, onFold } = given;
  expectRelative(data, '"data"');
  if (labels !== undefined) expectRelative(labels, '"labels"');
  expectCount(folds, 2, '"folds"');
  if (folds > MOST_FOLDS) throw new RangeError(`"folds" must be at most ${MOST_FOLDS}, got ${folds}`);
  if (typeof stratify !== 'boolean') throw mustBe('"stratify"', 'true or false', stratify);
  if (onFold !== undefined && typeof onFold !== 'function') throw mustBe('"onFold"', 'a function', onFold);
  seedOf(seed, 'seed');
  if (read !== undefined) expectReadHere(read);
  expectSignal(given.signal);
  const signal = anyOf(caller.signal, given.signal);
  const source: DataSource = {
    data,
    as: formOf(model),
    ...(labels !== undefined && { labels }),
    ...(read && { read: own(read) }),
    ...(lenient && { lenient }),
  };
  const dealing = { folds, stratify, seed };
  const task = { name: `looking at ${data}`, job: { kind: 'look' as const, source, model, dealing } };
  const [looked] = (await caller.tasks.run([task], { signal })) as [Looked];
  return { source, dealing, looked, signal };
}

/** What a model takes. */
function formOf({ steps }: Spec): DataSource['as'] {
  const first = steps?.[0]?.type;
  return first === 'table-encoder' ? 'table' : first === 'text-vectorizer' ? 'texts' : 'rows';
}

/** A signal that aborts with the first of two. */
export const anyOf = (a: AbortSignal | undefined, b: AbortSignal | undefined): AbortSignal | undefined =>
  a && b ? AbortSignal.any([a, b]) : (a ?? b);

/** All folds of all models, model by model: a worker keeps what the folds of its latest model share, such as a Gram matrix. */
async function foldsOf(
  { tasks, onProgress }: Caller,
  models: readonly Spec[],
  { source, dealing, looked, signal }: Setting,
  scores: boolean,
  onFold: (point: number, done: FoldDone) => void,
): Promise<FoldResult[][]> {
  const places = models.flatMap((_, point) => Array.from({ length: dealing.folds }, (_, fold) => ({ fold, point })));
  const base = { kind: 'fold' as const, source, hash: looked.hash, dealing, scores };
  const began = performance.now();
  let done = 0;
  const tell = () =>
    onProgress?.({
      what: 'folds',
      done,
      total: places.length,
      workers: tasks.workers,
      elapsedMs: performance.now() - began,
    });
  const found = (await tasks.run(
    places.map(({ fold, point }) => {
      const job: FoldJob = { ...base, model: models[point] as Spec, fold };
      return { job, name: `fold ${fold}` };
    }),
    {
      signal,
      onCheck: tell,
      onDone: (value, index) => {
        const { fold, point } = places[index] as { fold: number; point: number };
        done++;
        onFold(point, { fold, evaluation: (value as FoldResult).evaluation as Evaluation });
        tell();
      },
    },
  )) as FoldResult[];
  return models.map((_, point) => found.filter((_, index) => places[index]?.point === point));
}

export async function crossValidateOn(
  caller: Caller,
  model: Selectable,
  options: ClusterCrossValidateOptions,
): Promise<CrossValidation> {
  const spec = specOf(model);
  const setting = await settingOf(caller, spec, options, [], 'crossValidate');
  const { onFold } = own(options);
  const [folds] = await foldsOf(caller, [spec], setting, true, (_, done) => onFold?.(done));
  const ends = (folds as FoldResult[]).map(({ evaluation, classes, scores, test }) => {
    if (!scores || !test) throw new Error('a worker sent no scores');
    return {
      evaluation: evaluation as Evaluation,
      test,
      answers: { scores, classes, predictions: predictionsOf(scores, classes) },
    };
  });
  return crossValidationOf<Label>(ends, setting.looked.rows);
}

export async function searchOn<M extends Selectable>(
  caller: Caller,
  model: M,
  grid: Grid,
  options: ClusterSearchOptions,
): Promise<Search<M>> {
  const { metric = 'accuracy', onFold } = own(options);
  expectMetric(metric);
  const points = pointsOf(model, grid);
  const setting = await settingOf(caller, specOf(model), options, ['metric'], 'search');
  return searchWith(
    model,
    points,
    (models) =>
      scoresOn(caller, models, setting, metric, (point, done) => onFold?.({ ...done, options: points[point] ?? {} })),
    async (best) => {
      const { source, looked, signal } = setting;
      const job = { kind: 'fit' as const, source, hash: looked.hash, model: specOf(best) };
      const [json] = await caller.tasks.run([{ job, name: 'the fit of the best' }], { signal });
      return loadModel(json) as unknown as M;
    },
  );
}

async function scoresOn(
  caller: Caller,
  models: readonly unknown[],
  setting: Setting,
  metric: Metric,
  onFold: (point: number, done: FoldDone) => void,
): Promise<Scored[]> {
  const found = await foldsOf(caller, models.map(specOf), setting, false, onFold);
  return found.map((folds) =>
    scoredOf(folds.map(({ evaluation, seconds }) => ({ score: metricIn(evaluation as Evaluation, metric), seconds }))),
  );
}

/** The metric of different models on the same folds: for the command line, whose grids change more than options. @internal */
export async function compareOn(
  caller: Caller,
  models: readonly [Selectable, ...Selectable[]],
  { metric = 'accuracy', onFold, ...options }: ClusterSearchOptions & { lenient?: boolean },
): Promise<Scored[]> {
  const setting = await settingOf(caller, specOf(models[0]), options, [], 'compareModels');
  return scoresOn(caller, models, setting, metric, (_, done) => onFold?.({ ...done, options: {} }));
}
