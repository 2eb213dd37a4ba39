// Cross-validation: one fit for each fold. Several folds run at once and share the threads; results, their order and errors do not
// depend on how many.

import { availableParallelism, freemem } from 'node:os';
import { atOnce, evaluate, type Scores } from '../select/index.js';
import type { Context } from './context.js';
import type { Data } from './data.js';
import { encodeTable } from './encoding.js';
import { fitModel } from './fitting.js';
import { type Fold, spreadOf } from './folds.js';
import { type Answers, answersOf, type Judgement, judge, majorityOf } from './judging.js';
import { counted } from './output.js';
import { NO_BAR, type Progress, progress } from './progress.js';
import { isSparse, type Matrix, takeRows } from './rows.js';
import { takeTable } from './tablerows.js';
import type { TrainerName, TrainValues } from './trainers.js';

/** The most memory that the running folds may use: half of the kernels' memory. */
const MOST_BYTES = 2 ** 31;
/** The library's default limit of a Gram matrix. */
const MOST_GRAM_BYTES = 2 ** 30;

/** What is trained on in every fold, and how. */
export interface Trial {
  readonly data: Pick<Data, 'X' | 'y' | 'raw'>;
  readonly name: TrainerName;
  readonly values: TrainValues;
}

/** Judges by all folds: the accuracy of each, and one evaluation of all rows, each answered by the fold that held it out. */
export async function crossValidate(trial: Trial, folds: readonly Fold[], context: Context): Promise<Judgement> {
  const { data, name, values } = trial;
  const bars = foldBars(folds.length, context);
  const limit = foldsAtOnce(bytesOfFold(data.X, name, values), values.threads);
  const all = await atOnce(folds, limit, (fold, k) => answersIn(trial, fold, bars.of(k), context)).finally(bars.end);
  const { classes } = all[0] as Answers;
  const joined = {
    labels: all.flatMap(({ labels }) => labels),
    predictions: all.flatMap(({ predictions }) => predictions),
    // Without a common order of classes scores of folds cannot be put below each other.
    ...(all.every((one) => one.classes.length === classes.length) && {
      scores: below(all.map(({ scores }) => scores)),
      ranking: below(all.map(({ ranking }) => ranking)),
    }),
  };
  const evaluation = evaluate(joined.labels, joined.predictions, {
    baseline: majorityOf(data.y),
    ...(joined.ranking && { classes, scores: joined.ranking }),
  });
  const spread = spreadOf(all.map((answers) => judge(answers).accuracy));
  return { kind: 'folds', evaluation, ...joined, spread };
}

/** Judges by the rows of one fold. */
export async function holdOut(trial: Trial, fold: Fold, context: Context): Promise<Judgement> {
  const bar = progress(context.voice, 'judging', { isUpTo: true });
  const answers = await answersIn(trial, fold, bar, context);
  const { labels, scores, ranking } = answers;
  return { kind: 'held-out', evaluation: judge(answers), labels, scores, ranking };
}

/** Trains on the rows `train` of a fold, and answers for its rows `test`. */
async function answersIn({ data, name, values }: Trial, fold: Fold, bar: Progress, context: Context): Promise<Answers> {
  const { X, y, raw } = data;
  const labelsOf = (rows: Uint32Array) => Array.from(rows, (i) => y[i] ?? 0);
  const known = labelsOf(fold.train);
  // The encoder of a table learns from the rows of its fold alone: values to fill in, words, categories.
  const seen = raw ? await encodeTable(raw, takeTable(raw.table, fold.train), context) : { X: takeRows(X, fold.train) };
  const request = { ...seen, y: known, name, values, bar, proves: false, keepsPartial: false };
  const { model } = await fitModel(request, context).finally(() => seen.X.dispose());
  const unseen = raw ? takeTable(raw.table, fold.test) : takeRows(X, fold.test);
  try {
    return await answersOf(model, unseen, labelsOf(fold.test), majorityOf(known), NO_BAR, context);
  } finally {
    if ('dispose' in unseen) unseen.dispose();
  }
}

/** The scores of all folds, one after the other. */
function below(all: readonly Scores[]): Scores {
  const [first] = all as readonly [Scores];
  const parts = all.map((scores) => (scores instanceof Float64Array ? scores : scores.data));
  const data = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    data.set(part, at);
    at += part.length;
  }
  if (first instanceof Float64Array) return data;
  const { cols } = first;
  return { data, rows: data.length / cols, cols };
}

/** The bytes that a fold needs: a copy of its rows, scaled rows and a Gram matrix if there are any. */
function bytesOfFold(X: Matrix, name: TrainerName, { kernel, order, scale }: TrainValues): number {
  const rowBytes = isSparse(X) ? 12 * X.nonZeros + 8 * X.rows : X.rows * X.cols * (X.dtype === 'float32' ? 4 : 8);
  const hasGram = name === 'dual' || name === 'pocket' || kernel !== undefined || order === 'random';
  const gramBytes = hasGram ? Math.min(8 * X.rows * X.rows, MOST_GRAM_BYTES) : 0;
  return rowBytes * (scale ? 2 : 1) + gramBytes;
}

/** How many folds run at once: limited by threads, processors and memory. */
export function foldsAtOnce(
  bytes: number,
  threads: number | 'auto' = 'auto',
  machine = { processors: availableParallelism(), freeBytes: freemem() },
): number {
  const fitting = Math.floor(Math.min(MOST_BYTES, machine.freeBytes / 2) / bytes);
  const working = threads === 'auto' ? machine.processors : Math.min(threads, machine.processors);
  return Math.max(1, Math.min(fitting, working));
}

/** One progress bar for all folds. */
function foldBars(k: number, { voice }: Context): { of(fold: number): Progress; end(): void } {
  const bar = progress(voice, 'cross-validation', { isUpTo: true });
  const shares = new Float64Array(k);
  let ended = 0;
  const show = () => {
    const done = shares.reduce((sum, share) => sum + share, 0);
    bar.update(done, k, `${ended} of ${counted(k, 'fold')}`);
  };
  return {
    of: (fold) => ({
      update(done, total) {
        shares[fold] = done / total;
        show();
      },
      end() {
        shares[fold] = 1;
        ended++;
        show();
      },
    }),
    end: () => bar.end(),
  };
}
