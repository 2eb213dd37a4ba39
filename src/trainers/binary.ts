// What trainers for two classes have in common: scores with a sign.

import type { ArenaRows } from '../data/arenarows.js';
import type { Label, Labels } from '../data/labels.js';
import { isEmpty, type Rows, shapeOf } from '../data/rows.js';
import type { BoundEngine } from '../engine/contract.js';
import { resolveEngine } from '../engine/engine.js';
import { expectOptions } from '../errors.js';
import type { Proof } from '../model/diagnosis.js';
import { labelOf, lossOf, scoresInParts, signsOf } from '../model/linear.js';
import { type ExplainOptions, PREDICT_KEYS, type PredictOptions } from '../model/model.js';
import type { RunState, TrainingState } from '../model/state.js';
import { bytes as atLeastOneOrAll, boolean } from '../train/checks.js';
import type { NumericSettings } from '../train/settings.js';
import { Trainer } from './trainer.js';

/** @typeParam Learned what it learns, beside what every state has */
export abstract class BinaryTrainer<L extends Label, Learned> extends Trainer<L, TrainingState<L> & Learned> {
  /** The score of each row; of the last weights, if that is asked for. @internal */
  protected abstract scoresOf(
    state: TrainingState<L> & Learned,
    rows: ArenaRows,
    engine: BoundEngine,
    last: boolean,
  ): Float64Array;

  /** The class of each row: the second class where the score is ≥ 0 (SPEC §1); none for no rows. */
  override predict(X: Rows, options: PredictOptions = {}): L[] {
    const { classes } = this.fitted('predict');
    return Array.from(this.decisionFunction(X, options), (score) => labelOf(score, classes));
  }

  /** The score of each row: w·x + b, or Σ α_i y_i K(x_i, x) + b. */
  decisionFunction(X: Rows, options: PredictOptions = {}): Float64Array {
    const state = this.fitted('decisionFunction');
    const last = wantsLast(options);
    if (isEmpty(X)) return new Float64Array();
    const engine = resolveEngine(this.settings.engine);
    return scoresInParts(X, state.cols, engine, (rows) => this.scoresOf(state, rows, engine, last));
  }

  /** L of SPEC §2: −Σ y·s over the rows on the wrong side. */
  loss(X: Rows, y: Labels<L>): number {
    const { classes } = this.fitted('loss');
    shapeOf(X, 'X');
    const scores = this.decisionFunction(X);
    return lossOf(scores, signsOf(y, scores.length, classes));
  }

  /** What a proof needs to know of how this model came about. @internal */
  protected proofOf(state: TrainingState<L>): Proof {
    return proofOf(this.settings, state);
  }
}

/** What a proof needs to know of how a model, or one class of it, came about. */
export function proofOf(settings: NumericSettings, { sigma, classWeightRange, history }: RunState): Proof {
  return {
    scaling: settings.fitIntercept ? settings.interceptScaling : 0,
    learningRate: settings.learningRate,
    mu: settings.margin,
    sigma,
    classWeightRange,
    mistakes: history.mistakes,
    isBatch: settings.order === 'batch',
  };
}

/** How many contributions are asked for; `more`: options that `explain` has beside `top`. */
export function wantsTop(options: ExplainOptions, ...more: string[]): number {
  expectOptions(options, ['top', ...more], 'explain');
  return options.top === undefined ? 20 : atLeastOneOrAll(options.top, 'top');
}

/** Whether the last weights are asked for. */
export function wantsLast(options: PredictOptions): boolean {
  expectOptions(options, PREDICT_KEYS, 'predict');
  return options.last !== undefined && boolean(options.last, 'last');
}
