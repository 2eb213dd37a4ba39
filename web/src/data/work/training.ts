// One fit, as the command line does it: same options, same encoder and scaler, same bits.

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
import { TableEncoder } from 'perceptron-wasm/prepare';
import { type Choice, constantOf, isMostlyZeros, orderOf, trainerOf } from '../choice.js';
import type { Summary, TrainProgress } from '../types.js';
import type { Data } from './reading.js';
import type { Input } from './rows.js';

export type Trained = Exclude<AnyModel, Pipeline>;

function kernelOf({ trainer, kernel, gamma, degree, coef0 }: Choice): Kernel | undefined {
  if (trainer !== 'dual') return undefined;
  if (kernel === 'linear') return 'linear';
  const own = gamma === undefined ? {} : { gamma };
  return kernel === 'rbf' ? { type: 'rbf', ...own } : { type: 'polynomial', ...own, degree, coef0 };
}

/** The model that was chosen, with what makes its rows, not yet trained. */
export function makeModel(choice: Choice, { summary, featureNames, kinds }: Data): AnyModel {
  const trained = makeTrainer(choice, summary, featureNames);
  const steps = [
    ...(kinds ? [new TableEncoder({ columns: kinds, missing: 'median' })] : []),
    ...(choice.scale === 'none' ? [] : [new Scaler({ kind: choice.scale })]),
  ];
  return steps.length === 0
    ? trained
    : new (Pipeline as unknown as new (...parts: unknown[]) => AnyModel)(...steps, trained);
}

function makeTrainer(choice: Choice, summary: Summary, featureNames: readonly string[] | undefined): Trained {
  const kernel = kernelOf(choice);
  const order = orderOf(choice);
  const constant = constantOf(choice, isMostlyZeros(summary));
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
  switch (trainerOf(choice, summary.classes.length)) {
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
  X: Input,
  y: readonly Label[],
  { signal, workerUrl, onProgress }: FitContext,
): Promise<void> {
  let mistakes: number | undefined;
  await model.fitAsync(X as never, y, {
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
