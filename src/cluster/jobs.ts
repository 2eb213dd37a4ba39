// What a worker does for a job: pure functions of the job and the files that it names. A fold is that of perceptron-wasm/select.

import { createHash } from 'node:crypto';
import type { Label } from '../index.js';
import { get } from '../own.js';
import { evaluationOf, type Plan, planOf, runJob, type Scores } from '../select/index.js';
import { type DataSource, type Datasets, expectReadHere, type Loaded } from './datasets.js';
import { type Pass, passOver } from './pass.js';
import { expectRelative, FileError } from './root.js';
import { modelFrom, type Spec } from './spec.js';

/** How rows are dealt to folds. */
export interface Dealing {
  readonly folds: number;
  readonly stratify: boolean;
  readonly seed: number;
}

interface OnData {
  readonly source: DataSource;
  /** What the file must be; undefined: whatever it is. */
  readonly hash?: string;
}

/** Says what a file is, and whether it can be dealt. */
interface Look extends OnData {
  readonly kind: 'look';
  readonly model: Spec;
  readonly dealing?: Dealing;
  /** For mixing. */
  readonly classes?: readonly Label[];
  readonly cols?: number;
}

export interface Looked {
  readonly size: number;
  readonly hash: string;
  readonly rows: number;
}

/** Fits on all rows but those of a fold, and evaluates on these. */
export interface FoldJob extends OnData {
  readonly kind: 'fold';
  readonly model: Spec;
  readonly dealing: Dealing;
  readonly fold: number;
  /** Whether the scores of the rows come back, too. */
  readonly scores: boolean;
}

export interface FoldResult {
  readonly evaluation: object;
  readonly seconds: number;
  readonly classes: readonly Label[];
  readonly test?: Uint32Array;
  readonly scores?: Scores;
}

/** Fits on all rows: what comes back is the model's JSON. */
interface FitJob extends OnData {
  readonly kind: 'fit';
  readonly model: Spec;
}

/** One pass over a shard, from common weights. */
export interface PassJob extends OnData {
  readonly kind: 'pass';
  readonly model: Spec;
  readonly classes: readonly Label[];
  readonly cols: number;
  /** SHA-256 of the common weights, under which they are kept. */
  readonly weights: string;
}

/** Nothing, for measuring what a job costs. */
interface NoJob {
  readonly kind: 'nothing';
}

export type Job = Look | FoldJob | FitJob | PassJob | NoJob;

/** Whether the answer is kept for the next who asks. Others are about what is on a disk now, or are too large. */
export const isKept = (job: Job | undefined): boolean => job?.kind === 'fold' || job?.kind === 'fit';

/** What jobs need of their worker. */
export interface Workplace {
  readonly datasets: Datasets;
  readonly threads: number | 'auto';
  readonly signal: AbortSignal;
  /** Common weights by their hash; undefined if they are gone. */
  weights(hash: string): Promise<Float64Array | undefined>;
}

/** Runs a job; undefined if the weights that it names are gone. @throws what is wrong with it */
export async function perform(job: Job, place: Workplace): Promise<unknown> {
  const { kind } = job;
  if (kind === 'nothing') return null;
  const source = checkedSource(job.source);
  const prototype = modelFrom(job.model); // its options are checked before a file is read
  return place.datasets.use(source, async (loaded): Promise<unknown> => {
    if (job.hash !== undefined && job.hash !== loaded.hash) {
      throw new FileError(
        `${source.data} is not what it was, or not the same everywhere: here its SHA-256 begins with ${loaded.hash.slice(0, 12)}, elsewhere with ${job.hash.slice(0, 12)}`,
      );
    }
    switch (kind) {
      case 'look':
        if (job.dealing) planFor(prototype, job.dealing, loaded);
        return { size: loaded.size, hash: loaded.hash, rows: loaded.rows } satisfies Looked;
      case 'fold':
        return discreetly(source, () => runFold(prototype, job, loaded, place));
      case 'fit':
        return discreetly(source, () => runFit(prototype, loaded, place));
      case 'pass':
        return runPass(job, loaded, place);
    }
    throw new RangeError('this job is of no kind that this version has');
  });
}

/** Encoders quote what they refuse; an error that travels must not. */
async function discreetly<T>({ as }: DataSource, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const mayQuote = error instanceof Error && (as === 'table' || as === 'texts');
    if (mayQuote) error.message = error.message.replace(/"(?:[^"\\]|\\.)*"/g, '"…"');
    throw error;
  }
}

/** @throws TypeError or RangeError for a path that leads elsewhere; readers check the options */
function checkedSource(given: unknown): DataSource {
  const source = Object(given) as DataSource;
  expectRelative(source.data);
  if (source.labels !== undefined) expectRelative(source.labels, 'the path of the labels');
  if (source.read !== undefined) expectReadHere(source.read);
  return source;
}

/** The folds of a model on data; kept with the data. */
function planFor(prototype: object, { folds, stratify, seed }: Dealing, loaded: Loaded): Plan<Label> {
  const isWhole = get(prototype as { steps?: unknown }, 'steps') === undefined;
  const key = JSON.stringify(['plan', isWhole, folds, stratify, seed]);
  const kept = loaded.made.get(key) as { plan: Plan<Label> } | undefined;
  if (kept) return kept.plan;
  const plan = planOf(prototype, loaded.X, loaded.y, { folds, stratify, seed }, [], 'crossValidate');
  const made = { plan, dispose: () => plan.input.dispose() };
  loaded.made.set(key, made);
  return plan;
}

/** The folds of one model, which share what is made of the rows, such as a Gram matrix; those of the latest model are kept. */
function workFor(
  prototype: object,
  job: FoldJob,
  loaded: Loaded,
): { jobs: Parameters<typeof runJob>[0][]; uses: number; dispose(): void } {
  const id = createHash('sha256')
    .update(JSON.stringify([job.model, job.dealing]))
    .digest('hex');
  const key = `work ${id}`;
  type Kept = ReturnType<typeof workFor>;
  const kept = loaded.made.get(key) as Kept | undefined;
  if (kept) return kept;
  for (const [name, other] of loaded.made) {
    if (!name.startsWith('work ') || (other as Kept).uses > 0) continue;
    other.dispose();
    loaded.made.delete(name);
  }
  const work = planFor(prototype, job.dealing, loaded).work([prototype]);
  const made = { jobs: [...work.jobs], uses: 0, dispose: work.dispose };
  loaded.made.set(key, made);
  return made;
}

async function runFold(
  prototype: object,
  job: FoldJob,
  loaded: Loaded,
  { threads, signal }: Workplace,
): Promise<FoldResult> {
  const work = workFor(prototype, job, loaded);
  const fold = work.jobs[job.fold];
  if (!fold) throw new RangeError(`there is no fold ${job.fold}`);
  work.uses++;
  try {
    const began = performance.now();
    const answers = await runJob(fold, { threads, signal });
    const evaluation = evaluationOf(fold, answers);
    const { classes, scores } = answers;
    const seconds = (performance.now() - began) / 1000;
    return { evaluation, seconds, classes, ...(job.scores && { scores, test: fold.test }) };
  } finally {
    work.uses--;
  }
}

async function runFit(prototype: object, { X, y }: Loaded, { threads, signal }: Workplace): Promise<object> {
  const model = prototype as { fitAsync(X: unknown, y: unknown, options: object): Promise<unknown>; toJSON(): object };
  await model.fitAsync(X, y, { threads, signal });
  return model.toJSON();
}

async function runPass(job: PassJob, { blocks, rows }: Loaded, place: Workplace): Promise<Pass | undefined> {
  const weights = await place.weights(job.weights);
  return weights && passOver(job, weights, blocks, rows, place.signal);
}
