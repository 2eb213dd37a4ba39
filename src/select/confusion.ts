// The confusion matrix and what follows from it, as scikit-learn defines it; 0 where a ratio is undefined.

import type { Classes, Label } from '../data/labels.js';

/** How well one class is found. */
export interface ClassScores<L extends Label = Label> {
  label: L;
  /** The share of the rows predicted as this class that are of it. */
  precision: number;
  /** The share of the rows of this class that are predicted as it. */
  recall: number;
  /** The harmonic mean of precision and recall. */
  f1: number;
  /** The rows of this class, or the sum of their weights. */
  support: number;
}

/** Means over classes. */
export interface Averages {
  precision: number;
  recall: number;
  f1: number;
}

/** The sum of the weights of the rows of class i that are predicted as class j, as [i][j]. */
export function confusionOf(
  truth: Uint32Array,
  predicted: Uint32Array,
  weights: Float64Array,
  classes: number,
): number[][] {
  const sums = new Float64Array(classes * classes);
  for (let i = 0; i < truth.length; i++) {
    const at = (truth[i] as number) * classes + (predicted[i] as number);
    sums[at] = (sums[at] as number) + (weights[i] as number);
  }
  return Array.from({ length: classes }, (_, k) => Array.from(sums.subarray(k * classes, (k + 1) * classes)));
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const ratio = (a: number, b: number): number => (b === 0 ? 0 : a / b);
const product = (a: readonly number[], b: readonly number[]): number =>
  sum(a.map((value, k) => value * (b[k] as number)));

export interface FromConfusion<L extends Label> {
  accuracy: number;
  balancedAccuracy: number;
  byClass: ClassScores<L>[];
  macro: Averages;
  weighted: Averages;
  matthews: number;
}

/** The metrics of a confusion matrix. */
export function fromConfusion<L extends Label>(confusion: number[][], classes: Classes<L>): FromConfusion<L> {
  const support = confusion.map(sum);
  const predicted = classes.map((_, j) => sum(confusion.map((row) => row[j] as number)));
  const hits = classes.map((_, k) => confusion[k]?.[k] as number);
  const total = sum(support);
  const byClass = classes.map((label, k) => {
    const precision = ratio(hits[k] as number, predicted[k] as number);
    const recall = ratio(hits[k] as number, support[k] as number);
    return {
      label,
      precision,
      recall,
      f1: ratio(2 * precision * recall, precision + recall),
      support: support[k] as number,
    };
  });
  const averages = (weights: readonly number[]): Averages => {
    const mean = (key: keyof Averages) =>
      ratio(
        product(
          byClass.map((scores) => scores[key]),
          weights,
        ),
        sum(weights),
      );
    return { precision: mean('precision'), recall: mean('recall'), f1: mean('f1') };
  };
  // scikit-learn leaves out classes that have no rows in yTrue.
  const present = byClass.filter((scores) => scores.support > 0);
  return {
    accuracy: sum(hits) / total,
    balancedAccuracy: sum(present.map(({ recall }) => recall)) / present.length,
    byClass,
    macro: averages(classes.map(() => 1)),
    weighted: averages(support),
    matthews: matthewsOf(sum(hits), support, predicted),
  };
}

/** Matthews' correlation for any number of classes (Gorodkin 2004). Shares, not sums: their squares do not overflow. */
function matthewsOf(hits: number, support: readonly number[], predicted: readonly number[]): number {
  const total = sum(support);
  const [p, t] = [predicted.map((value) => value / total), support.map((value) => value / total)];
  // One class holds everything: exactly 0 here, while 1 − Σ p² may be off by a rounding.
  if (isConstant(p) || isConstant(t)) return 0;
  const spread = Math.sqrt((1 - product(p, p)) * (1 - product(t, t)));
  return ratio(hits / total - product(t, p), spread);
}

const isConstant = (shares: readonly number[]): boolean => shares.filter((share) => share > 0).length < 2;
