// How good a model is on rows that it has not seen: those of --test, those held out, those of each fold.

import { visible } from '../escape.js';
import type { AnyModel, Label } from '../index.js';
import { type Evaluation, evaluate, type Fold, predictionsOf, rankingOf, type Scores, split } from '../select/index.js';
import type { Context } from './context.js';
import type { Data } from './data.js';
import { count, percent, label as shown } from './output.js';
import type { Progress } from './progress.js';
import { classCounts, type Matrix } from './rows.js';
import { scoreAll } from './scoring.js';
import type { TableRows } from './tablerows.js';
import { table } from './tables.js';

/** A number of each fold. */
export interface Spread {
  readonly mean: number;
  /** The sample standard deviation (divisor K − 1). */
  readonly sd: number;
  readonly each: readonly number[];
}

/** An evaluation, and the rows that it is of. */
export interface Judgement {
  readonly kind: 'held-out' | 'test' | 'folds';
  readonly evaluation: Evaluation<Label>;
  readonly labels: readonly Label[];
  /** As decisionFunction gives them, class by class in the order of the evaluation; absent where folds have no common order. */
  readonly scores?: Scores;
  /** What ranks the rows for each class: the scores, or, where these say nothing alone, leads over the best other class. */
  readonly ranking?: Scores;
  /** --test: the file. */
  readonly file?: string;
  /** --folds: the accuracy of each. */
  readonly spread?: Spread;
}

/** What a model says of some rows. */
export interface Answers {
  readonly labels: readonly Label[];
  readonly predictions: readonly Label[];
  readonly scores: Scores;
  readonly ranking: Scores;
  /** The classes of the model, in order. */
  readonly classes: readonly Label[];
  /** The class that most training rows have. */
  readonly baseline: Label;
}

/** The answers of a model for some rows. */
export async function answersOf(
  model: AnyModel,
  rows: Matrix | TableRows,
  labels: readonly Label[],
  baseline: Label,
  bar: Progress,
  context: Context,
): Promise<Answers> {
  const scores = await scoreAll(model as never, rows, bar, context);
  const { classes } = model;
  const ranking = rankingOf(model, scores);
  return { labels, scores, ranking, predictions: predictionsOf(scores, classes), classes, baseline };
}

/** Evaluates answers. Labels that the model does not know are classes of their own, and have no scores. */
export function judge({ labels, predictions, ranking, classes, baseline }: Answers): Evaluation<Label> {
  const isKnown = labels.every((label) => classes.includes(label));
  return evaluate(labels, predictions, {
    baseline,
    ...(isKnown && { classes, scores: ranking }),
  });
}

/** The class with the most rows, the first of equal ones. */
export const majorityOf = (y: readonly Label[]): Label =>
  classCounts(y).reduce((best, one) => (one.rows > best.rows ? one : best)).label;

/** The share of the rows that train holds out unless it is told otherwise. */
const HELD_OUT = 0.2;

/** With fewer rows, those held out by default would tell next to nothing. */
const LEAST_ROWS = 20;

/** The rows to train on and to hold out; a reason if there are too few rows, or of a class, for that. */
export function heldOutOf({ y }: Pick<Data, 'y'>, share: number | undefined, seed: number): Fold | string {
  if (share === undefined && y.length < LEAST_ROWS) return `there are ${y.length} rows only`;
  try {
    const { train, test } = split(
      Array.from(y, (_, i) => i),
      y,
      { test: share ?? HELD_OUT, seed },
    );
    return { train: train.indices, test: test.indices };
  } catch (error) {
    if (error instanceof RangeError) return error.message;
    throw error;
  }
}

const NAMES = { 'held-out': 'held out', test: 'test', folds: 'unseen' };

/** The accuracy in a line, beside that of always answering the same. */
export function judgementLine({ kind, evaluation, file, spread }: Judgement): string {
  const { accuracy, rows, baseline, balancedAccuracy } = evaluation;
  const right = spread
    ? `${percent(spread.mean)} ± ${(spread.sd * 100).toFixed(2)} in ${spread.each.length} folds`
    : `${percent(accuracy)} (${count(Math.round(accuracy * rows))} of ${count(rows)})`;
  const where = file === undefined ? '' : `  ${visible(file)}`;
  const beside = `balanced ${percent(balancedAccuracy)}; always ${shown(baseline.label)}: ${percent(baseline.accuracy)}`;
  return `${NAMES[kind].padEnd(8)} ${right}; ${beside}${where}`;
}

const MOST_CLASSES = 12;

/** Precision, recall and F1 of each class, and who was taken for whom. */
export function judgementTables({ evaluation }: Judgement): string {
  const { classes, confusion, byClass } = evaluation;
  const percents = (values: readonly number[]) => values.map((value) => percent(value, 1));
  const few = byClass.slice(0, MOST_CLASSES);
  const rows = few.map(({ label, precision, recall, f1, support }, k) => [
    shown(label),
    count(support),
    ...percents([precision, recall, f1]),
    ...(classes.length <= MOST_CLASSES ? (confusion[k] ?? []).map(count) : []),
  ]);
  const answers = classes.length <= MOST_CLASSES ? classes.map((label) => `as ${shown(label)}`) : [];
  const more = byClass.length - few.length;
  const rest = more > 0 ? [`  and ${count(more)} more classes (--json has them all)`] : [];
  return [table(['class', 'rows', 'precision', 'recall', 'F1', ...answers], rows), ...rest].join('\n');
}
