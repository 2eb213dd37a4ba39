// Judging by rows that are held out: once, or by cross-validation, which is that of perceptron-wasm/select.

import { crossValidate, evaluate, type Fold, rankingOf } from '../select/index.js';
import type { Context } from './context.js';
import { encodeTable } from './encoding.js';
import { CommandError } from './errors.js';
import { fitModel } from './fitting.js';
import { answersOf, type Judgement, judge, majorityOf } from './judging.js';
import { counted, label as shown } from './output.js';
import { NO_BAR, progress } from './progress.js';
import { inputOf, prototypeOf, type Trial } from './prototype.js';
import { type ClassCount, takeRows } from './rows.js';
import { takeTable } from './tablerows.js';

/** Checks that every class has a row for each fold. @throws CommandError */
export function expectFolds(count: number, classes: readonly ClassCount[]): void {
  const few = classes.find(({ rows }) => rows < count);
  if (!few) return;
  const { label, rows } = few;
  throw new CommandError(
    `--folds ${count} needs ${count} rows of each class, one for each fold; ${shown(label)} has ${rows}`,
  );
}

/** Judges by all folds: the accuracy of each, and one evaluation of all rows, each answered by the fold that held it out. */
export async function judgeByFolds(trial: Trial, count: number, context: Context): Promise<Judgement> {
  const { data, values } = trial;
  const { y } = data;
  const done = foldBar(count, context);
  const prototype = prototypeOf(trial);
  const { folds, mean, deviation, predictions, scores } = await crossValidate(prototype, inputOf(data) as never, y, {
    folds: count,
    seed: values.seed ?? 0,
    threads: values.threads,
    signal: context.interrupt.signal,
    onFold: done.fold,
  }).finally(done.end);
  const spread = {
    mean: mean.accuracy as number,
    sd: deviation.accuracy as number,
    each: folds.map(({ accuracy }) => accuracy),
  };
  const ranking = rankingOf(prototype, scores);
  return {
    kind: 'folds',
    evaluation: evaluate(y, predictions, { scores: ranking }),
    labels: y,
    scores,
    ranking,
    spread,
  };
}

/** A progress bar that counts folds. */
export function foldBar(count: number, { voice }: Context): { fold(): void; end(): void } {
  const bar = progress(voice, 'cross-validation', { isUpTo: true });
  let ended = 0;
  const show = () => bar.update(ended, count, () => `${ended} of ${counted(count, 'fold')}`);
  return {
    fold() {
      ended++;
      show();
    },
    end: () => bar.end(),
  };
}

/** Judges by the rows `test` of a fold: trains on the others as train does. */
export async function holdOut({ data, name, values }: Trial, fold: Fold, context: Context): Promise<Judgement> {
  const { X, y, raw } = data;
  const bar = progress(context.voice, 'judging', { isUpTo: true });
  const labelsOf = (rows: Uint32Array) => Array.from(rows, (i) => y[i] ?? 0);
  const [known, labels] = [labelsOf(fold.train), labelsOf(fold.test)];
  // The encoder of a table learns from the rows of its fold alone: values to fill in, words, categories.
  const seen = raw ? await encodeTable(raw, takeTable(raw.table, fold.train), context) : { X: takeRows(X, fold.train) };
  const request = { ...seen, y: known, name, values, bar, proves: false, keepsPartial: false };
  const { model } = await fitModel(request, context).finally(() => seen.X.dispose());
  const unseen = raw ? takeTable(raw.table, fold.test) : takeRows(X, fold.test);
  try {
    const answers = await answersOf(model, unseen, labels, majorityOf(known), NO_BAR, context);
    const { scores, ranking } = answers;
    return { kind: 'held-out', evaluation: judge(answers), labels, scores, ranking };
  } finally {
    if ('dispose' in unseen) unseen.dispose();
  }
}
