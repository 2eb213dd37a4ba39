// What a report is made from. Plain data: `train` fills it, and whatever a run does not have is left out. No times and no folders:
// equal runs give identical pages.

import type { Diagnosis, FitReport, Label } from '../../index.js';

/** The fields of an `Evaluation` that the page shows. */
export interface ReportEvaluation {
  readonly rows: number;
  readonly accuracy: number;
  readonly baseline: { readonly label: Label; readonly accuracy: number };
  readonly balancedAccuracy: number;
  readonly classes: readonly Label[];
  /** A row for each true class, a column for each predicted one. */
  readonly confusion: readonly (readonly number[])[];
  readonly byClass: readonly (ReportAverages & { readonly label: Label; readonly support: number })[];
  readonly macro: ReportAverages;
  readonly weighted: ReportAverages;
  readonly matthews: number;
  readonly rocAuc?: number;
  readonly averagePrecision?: number;
  readonly logLoss?: number;
  readonly brier?: number;
}

export interface ReportAverages {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

/** Two classes: one number for each row, of the second class. More: a row for each row, a column for each class. */
export type ReportScores = Float64Array | { readonly data: Float64Array; readonly rows: number; readonly cols: number };

/** The rows that the model was judged on. */
export interface Judged {
  /** `folds`: each row was predicted by the model of the fold that held it out. */
  readonly kind: 'held-out' | 'test' | 'folds' | 'training';
  /** The file of test rows; its folder is not shown. */
  readonly file?: string;
  readonly evaluation: ReportEvaluation;
  /** The true label of each row; needed for the charts of scores and probabilities. */
  readonly labels?: ArrayLike<Label>;
  /** As `decisionFunction` gives them, in the order of `evaluation.classes`. */
  readonly scores?: ReportScores;
  /** What ranks the rows for each class in ROC curves, if that is not the scores. */
  readonly ranking?: ReportScores;
  /** ‖w‖, two classes: margins become distances to the plane. Leave it out if the scores are of several models (folds). */
  readonly weightLength?: number;
  /** As `predictProbability` gives them. */
  readonly probabilities?: ReportScores;
}

/** The weights of one linear function; positive ones speak for `label`. */
export interface ReportPlane {
  readonly label: Label;
  readonly weights: ArrayLike<number>;
}

/** A row that was often a mistake. */
export interface HardRow {
  /** As `hardest()` gives it: the first row is 0. */
  readonly index: number;
  readonly updates: number;
  readonly label?: Label;
  readonly predicted?: Label;
  /** Two classes: the score; more: the score of the row's own class minus the best other score. */
  readonly score?: number;
}

export interface ReportData {
  /** The data file; its folder is not shown. */
  readonly file: string;
  readonly rows: number;
  /** Columns of the file, without the label. */
  readonly columns: number;
  /** Features made of the columns, if they are others. */
  readonly features?: number;
  /** In class order. */
  readonly classes: readonly { readonly label: Label; readonly rows: number }[];
  /** The trainer and its options in words, without engine and threads. */
  readonly trainer: string;
  readonly judged?: Judged;
  readonly report?: Pick<FitReport, 'converged' | 'epochs' | 'mistakes' | 'mistakesByEpoch'>;
  /** Of the training rows. */
  readonly diagnosis?: Pick<Diagnosis, 'samples' | 'errors' | 'accuracy'>;
  /** The outcome of training in words. */
  readonly outcome?: string;
  /** What to try next, one sentence each. */
  readonly advice?: readonly string[];
  /** One plane for two classes, one for each class for more; none with a kernel. */
  readonly planes?: readonly ReportPlane[];
  /** The name of a feature. Default: `column 3`. */
  readonly nameOf?: (index: number) => string;
  /** Whether features were standardised, so that their weights compare; `'numbers'`: those of a table that are no words. */
  readonly isScaled?: boolean | 'numbers';
  /** The hardest first. */
  readonly hardest?: readonly HardRow[];
}
