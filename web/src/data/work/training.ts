// One fit, as the command line does it: same options, same scaler, same bits.

import {
  type AnyModel,
  DualPerceptron,
  type Kernel,
  type Label,
  MulticlassPerceptron,
  Perceptron,
  Pipeline,
  PocketPerceptron,
  Scaler,
} from 'perceptron-wasm';
import { type Choice, constantOf, orderOf, trainerOf } from '../choice.js';
import type { TrainProgress } from '../types.js';
import type { Matrix } from './rows.js';

export type Trained = Exclude<AnyModel, Pipeline>;

function kernelOf({ trainer, kernel, gamma, degree, coef0 }: Choice): Kernel | undefined {
  if (trainer !== 'dual') return undefined;
  if (kernel === 'linear') return 'linear';
  const own = gamma === undefined ? {} : { gamma };
  return kernel === 'rbf' ? { type: 'rbf', ...own } : { type: 'polynomial', ...own, degree, coef0 };
}

/** The model that was chosen, with its scaler, not yet trained. */
export function makeModel(
  choice: Choice,
  classes: number,
  featureNames: readonly string[] | undefined,
  isSparse: boolean,
): AnyModel {
  const trained = makeTrainer(choice, classes, featureNames, isSparse);
  return choice.scale === 'none' ? trained : new Pipeline(new Scaler({ kind: choice.scale }), trained);
}

function makeTrainer(
  choice: Choice,
  classes: number,
  featureNames: readonly string[] | undefined,
  isSparse: boolean,
): Trained {
  const kernel = kernelOf(choice);
  const order = orderOf(choice);
  const constant = constantOf(choice, isSparse);
  const shared = {
    learningRate: choice.eta,
    maxEpochs: choice.epochs,
    seed: choice.seed,
    margin: choice.margin,
    average: choice.trainer === 'averaged',
    fitIntercept: choice.intercept,
    ...(constant !== undefined && { interceptScaling: constant }),
    ...(order !== undefined && { order }),
    ...(choice.balanced && { classWeight: 'balanced' as const }),
    ...(featureNames && { featureNames }),
  };
  switch (trainerOf(choice, classes)) {
    case 'primal':
      return new Perceptron(shared);
    case 'pocket':
      return new PocketPerceptron({ ...shared, ratchet: choice.ratchet });
    case 'dual':
      return new DualPerceptron({ ...shared, ...(kernel && { kernel }) });
    case 'multiclass':
      return new MulticlassPerceptron({ ...shared, ...(kernel && { kernel }), strategy: choice.strategy });
  }
}

/** The model without what scales its rows. */
export const innerOf = (model: AnyModel): Trained => (model instanceof Pipeline ? model.model : model);

/** Trains; a cancelled fit that has seen a row ends as far as it got. */
export async function fit(
  model: AnyModel,
  X: Matrix,
  y: Label[],
  { signal, workerUrl, onProgress }: FitContext,
): Promise<void> {
  let mistakes: number | undefined;
  await model.fitAsync(X, y, {
    signal,
    keepPartial: true,
    ...(workerUrl !== undefined && { workerUrl }),
    onEpoch(epoch: { mistakes: number }) {
      mistakes = epoch.mistakes;
    },
    onProgress({ epoch, done, total }: { epoch: number; done: number; total: number }) {
      onProgress?.({ kind: 'training', epoch, share: done / total, mistakes });
    },
  });
}

export interface FitContext {
  readonly signal?: AbortSignal;
  /** Where worker threads load their script from. */
  readonly workerUrl?: string | undefined;
  readonly onProgress?: (progress: TrainProgress) => void;
}
