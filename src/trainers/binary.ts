// BinaryTrainer: what all trainers for two classes share. The sign of a row's score is its class.

import type { ArenaRows } from '../data/arenarows.js';
import type { Label, Labels } from '../data/labels.js';
import { isEmpty, type Rows, sourceOf } from '../data/rows.js';
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

/** @typeParam Learned what a trainer's state has beside TrainingState */
export abstract class BinaryTrainer<L extends Label, Learned> extends Trainer<L, TrainingState<L> & Learned> {
  /** The score of each row; `last`: with the last weights. @internal */
  protected abstract scoresOf(
    state: TrainingState<L> & Learned,
    rows: ArenaRows,
    engine: BoundEngine,
    last: boolean,
  ): Float64Array;

  /** The class of each row: the second class if the score is ≥ 0 (SPEC §1). No rows: an empty array. */
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
    sourceOf(X, 'X');
    const scores = this.decisionFunction(X);
    return lossOf(scores, signsOf(y, scores.length, classes));
  }
}

/** The facts about the training of a model, or of one class, that its diagnosis needs. */
export function proofOf(settings: NumericSettings, { sigma, classWeightRange, history }: RunState): Proof {
  return {
    scaling: settings.fitIntercept ? settings.interceptScaling : 0,
    learningRate: settings.learningRate,
    mu: settings.margin,
    sigma,
    classWeightRange,
    mistakes: history.mistakes,
    isBounded: settings.order !== 'batch' && settings.update === 'perceptron',
  };
}

/** The checked option `top` of `explain`; `more`: other options that the call has. */
export function wantsTop(options: ExplainOptions, ...more: string[]): number {
  options = expectOptions(options, ['top', ...more], 'explain');
  return options.top === undefined ? 20 : atLeastOneOrAll(options.top, 'top');
}

/** Whether the options ask for the last weights. */
export function wantsLast(options: PredictOptions): boolean {
  options = expectOptions(options, PREDICT_KEYS, 'predict');
  return options.last !== undefined && boolean(options.last, 'last');
}
