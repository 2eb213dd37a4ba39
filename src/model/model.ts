// What any fitted model can do, whichever trainer made it.

import type { Label, Labels } from '../data/labels.js';
import type { Rows } from '../data/rows.js';
import type { DiagnoseOptions, Diagnosis } from './diagnosis.js';
import type { FitReport } from './report.js';

/** One feature's part in a score. */
export interface Contribution {
  index: number;
  name?: string;
  /** x_k · w_k: positive speaks for the second class. */
  contribution: number;
}

export interface Model<L extends Label = Label> {
  predict(X: Rows): L[];
  predictOne(x: ArrayLike<number>): L;
  decisionFunction(X: Rows): Float64Array;
  score(X: Rows, y: Labels<L>): number;
  loss(X: Rows, y: Labels<L>): number;
  diagnose(X: Rows, y: Labels<L>, options?: DiagnoseOptions): Diagnosis;
  explain(x: ArrayLike<number>): Contribution[];
  readonly weights: Float64Array;
  readonly bias: number;
  readonly classes: readonly L[];
  readonly report: FitReport;
  toJSON(): unknown;
}
