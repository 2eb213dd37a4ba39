// The interfaces of a fitted model, and what all models share.

import { type KeptRows, visitKept } from '../data/kept.js';
import type { Label, Labels } from '../data/labels.js';
import type { Row } from '../data/row.js';
import type { Rows } from '../data/rows.js';
import type { DiagnoseOptions, Diagnosis } from './diagnosis.js';
import { checkedScore } from './linear.js';
import type { FitReport } from './report.js';
import type { Plane } from './state.js';

/** One term of a score: that of a feature or, with a kernel that is not linear, of a support vector. */
export interface Contribution {
  /** The column, or the sample number of the support vector. */
  index: number;
  name?: string;
  /** x_k · w_k, or α_i y_i K(x_i, x); a positive term favours the second class. */
  contribution: number;
}

/** The `top` largest parts but zeros, the largest first. @throws RangeError if the parts do not add up to a number */
export function byWeight(parts: Contribution[], top: number): Contribution[] {
  checkedScore(parts.reduce((sum, { contribution }) => sum + contribution, 0));
  return parts
    .filter(({ contribution }) => contribution !== 0)
    .sort((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution) || a.index - b.index)
    .slice(0, top);
}

/** What each feature adds to the score of x: the `top` largest parts. */
export function contributionsOf(
  { weights }: Plane,
  x: KeptRows,
  top: number,
  names?: readonly string[],
): Contribution[] {
  const parts: Contribution[] = [];
  visitKept(x, 0, (index, value) => {
    const name = names && { name: names[index] as string };
    parts.push({ index, ...name, contribution: (weights[index] as number) * value });
  });
  return byWeight(parts, top);
}

/** A row that was often a mistake. */
export interface HardSample {
  /** Its number among the training rows. */
  index: number;
  /** n: how often it was a mistake. */
  updates: number;
}

/** The rows with the largest n; the first among equals. */
export function hardestOf(counts: Iterable<readonly [index: number, updates: number]>, most: number): HardSample[] {
  return Array.from(counts, ([index, updates]) => ({ index, updates }))
    .filter(({ updates }) => updates > 0)
    .sort((a, b) => b.updates - a.updates || a.index - b.index)
    .slice(0, most);
}

/** Options of `explain`. */
export interface ExplainOptions {
  /** How many contributions to list, the largest; Infinity: all. Zeros are left out. Default 20. */
  top?: number;
}

/** Options of `predict`, `predictOne`, `decisionFunction` and `score`. */
export interface PredictOptions {
  /** Whether to use the last weights instead of the mean or the pocket. Default false. */
  last?: boolean;
}

export const PREDICT_KEYS = ['last'] as const;

/** A fitted model of two classes. */
export interface Model<L extends Label = Label> {
  predict(X: Rows, options?: PredictOptions): L[];
  predictOne(x: Row, options?: PredictOptions): L;
  decisionFunction(X: Rows, options?: PredictOptions): Float64Array;
  score(X: Rows, y: Labels<L>, options?: PredictOptions): number;
  loss(X: Rows, y: Labels<L>): number;
  diagnose(X: Rows, y: Labels<L>, options?: DiagnoseOptions): Diagnosis;
  explain(x: Row, options?: ExplainOptions): Contribution[];
  hardest(count?: number): HardSample[];
  readonly weights: Float64Array;
  readonly bias: number;
  readonly classes: readonly L[];
  readonly report: FitReport;
  toJSON(): unknown;
}

/** Scores, row-major: a row for each row of X, a column for each class. */
export interface ScoreTable {
  data: Float64Array;
  rows: number;
  cols: number;
}

/** A diagnosis of several classes; with one-vs-rest it includes one for each class, with its proof. */
export interface MulticlassDiagnosis extends Diagnosis {
  /** One-vs-rest: the diagnosis of each class against the rest, in class order. */
  byClass?: Diagnosis[];
}

/** A fitted model of two or more classes. */
export interface MulticlassModel<L extends Label = Label>
  extends Omit<Model<L>, 'decisionFunction' | 'diagnose' | 'weights' | 'bias' | 'explain'> {
  decisionFunction(X: Rows, options?: PredictOptions): ScoreTable;
  diagnose(X: Rows, y: Labels<L>, options?: { prove?: boolean }): MulticlassDiagnosis;
  explain(x: Row, options?: ExplainOptions & { label?: L }): Contribution[];
  readonly weights: readonly Float64Array[];
  readonly biases: Float64Array;
}
