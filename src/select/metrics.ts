// evaluate: how good predictions are. Definitions, ties and zero-division rules are scikit-learn's.

import { type Classes, checked, type Label, type Labels, listed } from '../data/labels.js';
import { expectOptions, show } from '../errors.js';
import {
  Coder,
  type Columns,
  columnAt,
  columnsOf,
  expectClasses,
  expectList,
  type PerRow,
  weightsOrOnes,
} from './coding.js';
import { type Averages, type ClassScores, confusionOf, fromConfusion } from './confusion.js';
import { averagePrecisionOf, levelsOf, rocAucOf } from './curves.js';
import { brierOf, logLossOf } from './losses.js';

/** Options of `evaluate`. */
export interface EvaluateOptions<L extends Label = Label> {
  /**
   * How much each row looks like `positive`: what `decisionFunction` returns. With two classes one number a row, of the second class
   * unless `positive` is the first; else { data, rows, cols } with a column for each class.
   */
  scores?: PerRow;
  /** The probability of the second class, or { data, rows, cols } with a column for each class: what `predictProbability` returns. */
  probabilities?: PerRow;
  /** The class that `scores` are about. Default: the second of two; of more classes the mean over each against the rest. */
  positive?: L;
  /** How much each row counts, ≥ 0. Default: 1 each. */
  sampleWeight?: ArrayLike<number>;
  /** All classes, if some are in neither list. Default: those of both lists. */
  classes?: readonly L[];
  /** What the baseline always answers, such as the most frequent class of the training rows. Default: that of `yTrue`. */
  baseline?: L;
}

/** How good predictions are. */
export interface Evaluation<L extends Label = Label> {
  rows: number;
  /** The share of right predictions. */
  accuracy: number;
  /** Always answering the most frequent class. */
  baseline: { label: L; accuracy: number };
  /** The mean recall of the classes in `yTrue`. */
  balancedAccuracy: number;
  /** In order: numbers by value, strings by code unit, false before true. */
  classes: readonly L[];
  /** Rows of class i that were predicted as class j, as [i][j]; with weights the sums of theirs. */
  confusion: number[][];
  byClass: ClassScores<L>[];
  /** The plain means over classes. */
  macro: Averages;
  /** The means over classes, each by its support. */
  weighted: Averages;
  /** Matthews' correlation coefficient: from −1 to 1, and 0 for a constant answer. */
  matthews: number;
  /** The area under the ROC curve. Left out if a class has no rows in `yTrue`. */
  rocAuc?: number;
  /** With scores: the average precision, scikit-learn's summary of the precision-recall curve. */
  averagePrecision?: number;
  /** With probabilities: the mean of −ln p of the right class. Smaller is better. */
  logLoss?: number;
  /** With probabilities: the mean squared distance from the truth, as scikit-learn defines it. Smaller is better. */
  brier?: number;
}

const OPTIONS = ['scores', 'probabilities', 'positive', 'sampleWeight', 'classes', 'baseline'];

/**
 * Compares predictions with the truth: accuracy, confusion matrix, precision, recall and F1 by class, Matthews' correlation; with
 * scores ROC AUC and average precision, with probabilities log loss and Brier score. Numbers are those of scikit-learn.
 *
 * @throws TypeError or RangeError naming the list or the value that is wrong
 * @example
 * import { evaluate } from 'perceptron-wasm/select';
 * const { accuracy, baseline, confusion } = evaluate(['no', 'no', 'no', 'yes'], ['no', 'no', 'yes', 'yes']);
 * console.log(accuracy, baseline.accuracy, confusion); // → 0.75 0.75 [ [ 2, 1 ], [ 0, 1 ] ]
 */
export function evaluate<const L extends Label>(
  yTrue: Labels<L>,
  yPredicted: Labels<NoInfer<L>>,
  options: EvaluateOptions<NoInfer<L>> = {},
): Evaluation<L> {
  const given = expectOptions(options, OPTIONS, 'evaluate');
  expectList(yTrue, 'yTrue', 'labels');
  expectList(yPredicted, 'yPredicted', 'labels');
  const rows = yTrue.length;
  if (yPredicted.length !== rows) {
    throw new RangeError(`yPredicted has ${yPredicted.length} labels, yTrue has ${rows}`);
  }
  if (rows === 0) throw new RangeError('yTrue has no labels');
  const coder = new Coder<L>(given.classes && expectClasses(given.classes));
  const truth = coder.codes(yTrue, 'yTrue');
  const predicted = coder.codes(yPredicted, 'yPredicted');
  const classes = coder.finish(truth, predicted);
  const weights = weightsOrOnes(given.sampleWeight, rows);
  const confusion = confusionOf(truth, predicted, weights, classes.length);
  const { accuracy, balancedAccuracy, byClass, macro, weighted, matthews } = fromConfusion(confusion, classes);
  return {
    rows,
    accuracy,
    baseline: baselineOf(byClass, given.baseline),
    balancedAccuracy,
    classes,
    confusion,
    byClass,
    macro,
    weighted,
    matthews,
    ...scoreMetrics(given, classes, truth, weights),
    ...probabilityMetrics(given, classes, truth, weights),
  };
}

/** The most frequent class, or the one that is given; the first among equals. */
function baselineOf<L extends Label>(
  byClass: readonly ClassScores<L>[],
  given: L | undefined,
): { label: L; accuracy: number } {
  const total = byClass.reduce((sum, { support }) => sum + support, 0);
  if (given !== undefined) {
    const label = checked(given, 'baseline', 0, typeof byClass[0]?.label) as L;
    return { label, accuracy: (byClass.find((scores) => scores.label === label)?.support ?? 0) / total };
  }
  const { label, support } = byClass.reduce((best, next) => (next.support > best.support ? next : best));
  return { label, accuracy: support / total };
}

type Given<L extends Label> = EvaluateOptions<L>;

/** ROC AUC and average precision: of one class, or the mean over all classes, each against the rest. */
function scoreMetrics<L extends Label>(
  { scores, positive }: Given<L>,
  classes: Classes<L>,
  truth: Uint32Array,
  weights: Float64Array,
): Pick<Evaluation, 'rocAuc' | 'averagePrecision'> {
  const wanted = positive === undefined ? undefined : classes.indexOf((positive === 0 ? 0 : positive) as L);
  if (wanted === -1) {
    throw new RangeError(`"positive" must be one of the classes ${listed(classes)}, got ${show(positive)}`);
  }
  if (scores === undefined || classes.length === 1) return {};
  const columns = columnsOf(scores, truth.length, classes.length, 'scores', 'a finite number', Number.isFinite);
  if (columns.cols === 1 && classes.length > 2 && wanted === undefined) {
    throw new RangeError(`"scores" must be { data, rows, cols } for ${classes.length} classes, or those of "positive"`);
  }
  const about = wanted ?? (classes.length === 2 ? 1 : undefined);
  const each = (about === undefined ? classes.map((_, k) => k) : [about]).map((k) =>
    levelsOf(columnAt(columns, k), (i) => truth[i] === k, weights),
  );
  const areas = each.map(rocAucOf);
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    ...(areas.every((area) => area !== undefined) && { rocAuc: mean(areas) }),
    averagePrecision: mean(each.map(averagePrecisionOf)),
  };
}

/** Log loss and Brier score. */
function probabilityMetrics<L extends Label>(
  { probabilities }: Given<L>,
  classes: Classes<L>,
  truth: Uint32Array,
  weights: Float64Array,
): Pick<Evaluation, 'logLoss' | 'brier'> {
  if (probabilities === undefined) return {};
  const many = classes.length;
  if (many === 1) {
    throw new RangeError(`all labels are ${show(classes[0])}: "probabilities" need all "classes" as an option, too`);
  }
  const isShare = (p: number) => p >= 0 && p <= 1;
  const columns: Columns = columnsOf(
    probabilities,
    truth.length,
    many,
    'probabilities',
    'a number from 0 to 1',
    isShare,
  );
  if (columns.cols === 1 && many > 2) {
    throw new RangeError(`"probabilities" must be { data, rows, cols } for ${many} classes`);
  }
  return { logLoss: logLossOf(columns, truth, weights), brier: brierOf(columns, truth, weights) };
}
