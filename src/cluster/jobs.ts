// What a worker does for a job: pure functions of the job and the files that it names. A fold is that of perceptron-wasm/select.

import { createHash } from 'node:crypto';
import { expectCount, mustBe } from '../errors.js';
import type { Label } from '../index.js';
import { get, own } from '../own.js';
import { evaluationOf, type Plan, planOf, runJob, type Scores } from '../select/index.js';
import { type DataSource, type Datasets, expectReadHere, type Loaded, type Made, MOST_COLS } from './datasets.js';
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
export async function perform(given: Job, place: Workplace): Promise<unknown> {
  const job = own(Object(given) as Job);
  if (job.kind === 'nothing') return null;
  if (!['look', 'fold', 'fit', 'pass'].includes(job.kind))
    throw new RangeError('this job is of no kind that this version has');
  const source = checkedSource(job.source);
  const prototype = modelFrom(job.model); // its options are checked before a file is read
  if (job.kind === 'fold') expectCount(job.fold, 0, 'the fold');
  if (job.kind === 'pass') expectShape(job);
  return place.datasets.use(source, async (loaded): Promise<unknown> => {
    if (job.hash !== undefined && job.hash !== loaded.hash) {
      throw new FileError(
        `${source.data} is not what it was, or not the same everywhere: here its SHA-256 begins with ${loaded.hash.slice(0, 12)}, elsewhere with ${String(job.hash).slice(0, 12)}`,
      );
    }
    switch (job.kind) {
      case 'look':
        if (job.dealing) dealt(prototype, job.dealing, loaded);
        return { size: loaded.size, hash: loaded.hash, rows: loaded.rows } satisfies Looked;
      case 'fold':
        return discreetly(source, () => runFold(prototype, job, loaded, place));
      case 'fit':
        return discreetly(source, () => runFit(prototype, loaded, place));
      case 'pass':
        return runPass(job, loaded, place);
    }
  });
}

/** @throws TypeError or RangeError for a pass that the options of a call could not have made */
function expectShape({ model, classes, cols }: PassJob): void {
  expectCount(cols, 1, '"cols"');
  if (cols > MOST_COLS) throw new RangeError(`"cols" must be at most ${MOST_COLS}, got ${cols}`);
  if (!Array.isArray(classes)) throw mustBe('"classes"', 'an array', classes);
  const isMixable = model.type === 'perceptron' || model.type === 'multiclass-perceptron';
  if (!isMixable)
    throw mustBe('the type of a mixed model', 'a perceptron or a multiclass-perceptron', model.type, 'string');
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

const FORMS = ['rows', 'table', 'texts', 'blocks'] as const;

/** A source of known fields alone, in one order, so that one file is kept once. @throws TypeError or RangeError; readers check the options */
function checkedSource(given: unknown): DataSource {
  const { data, labels, read, as, lenient } = own(Object(given) as DataSource);
  expectRelative(data);
  if (labels !== undefined) expectRelative(labels, 'the path of the labels');
  if (!FORMS.includes(as)) throw mustBe('how data are taken', `one of ${FORMS.join(', ')}`, as, 'string');
  return {
    data,
    as,
    ...(labels !== undefined && { labels }),
    ...(read !== undefined && { read: expectReadHere(read) }),
    ...(lenient === true && { lenient }),
  };
}

/** Rows that were dealt to folds, and what the folds of models share. */
interface Dealt extends Made {
  readonly plan: Plan<Label>;
  readonly works: Map<string, FoldWork>;
}

/** The folds of one model, which share what is made of the rows, such as a Gram matrix. */
interface FoldWork extends Made {
  readonly jobs: readonly Parameters<typeof runJob>[0][];
}

/** What `of` stands for: it is kept, and the others that nobody uses are disposed of. */
function latest<T extends Made>(all: Map<string, T>, of: unknown, make: () => T): T {
  const key = createHash('sha256').update(JSON.stringify(of)).digest('hex');
  const kept = all.get(key);
  if (kept) return kept;
  for (const [name, other] of all) {
    if (other.uses > 0) continue;
    all.delete(name);
    other.dispose();
  }
  const made = make();
  all.set(key, made);
  return made;
}

/** The folds of data, for a model or for a pipeline. @throws RangeError if they cannot be dealt so */
function dealt(prototype: object, { folds, stratify, seed }: Dealing, loaded: Loaded): Dealt {
  const isWhole = get(prototype as { steps?: unknown }, 'steps') === undefined;
  return latest(loaded.made as Map<string, Dealt>, [isWhole, folds, stratify, seed], () => {
    const plan = planOf(prototype, loaded.X, loaded.y, { folds, stratify, seed }, [], 'crossValidate');
    const works = new Map<string, FoldWork>();
    const dispose = () => {
      for (const work of works.values()) work.dispose();
      plan.input.dispose();
    };
    return { plan, works, uses: 0, dispose };
  });
}

async function runFold(
  prototype: object,
  job: FoldJob,
  loaded: Loaded,
  { threads, signal }: Workplace,
): Promise<FoldResult> {
  const rows = dealt(prototype, job.dealing, loaded);
  const work = latest(rows.works, job.model, () => {
    const { jobs, dispose } = rows.plan.work([prototype]);
    return { jobs: [...jobs], uses: 0, dispose };
  });
  const fold = work.jobs[job.fold];
  if (!fold) throw new RangeError(`there is no fold ${job.fold}`);
  rows.uses++;
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
    rows.uses--;
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
