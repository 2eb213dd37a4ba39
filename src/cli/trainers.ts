// Chooses the trainer and its options from the command line.

import { DualPerceptron, type Kernel, MulticlassPerceptron, Perceptron, PocketPerceptron } from '../index.js';
import type { ValuesOf } from './arguments.js';
import { CommandError, inOneLine, UsageError } from './errors.js';
import type { Trained } from './models.js';
import type { TRAIN, TRAINERS } from './options.js';

export type TrainValues = ValuesOf<typeof TRAIN.options>;
export type TrainerName = (typeof TRAINERS)[number];

export interface Choice {
  readonly name: TrainerName;
  /** Why this trainer, if it is not the default. */
  readonly reason?: string;
}

/** The trainer of --trainer, or the one that the other options and the number of classes need. */
export function chooseTrainer(values: TrainValues, classes: number): Choice {
  const { trainer, kernel, strategy, ratchet } = values;
  if (trainer) return { name: trainer };
  if (strategy) return { name: 'multiclass', reason: '--strategy is about many classes' };
  if (classes > 2) return { name: 'multiclass', reason: `there are ${classes} classes` };
  if (ratchet) return { name: 'pocket', reason: '--ratchet needs the pocket' };
  if (kernel) return { name: 'dual', reason: '--kernel needs the dual form' };
  return { name: 'primal' };
}

/** Options that depend on the data. */
export interface Given {
  /** The factor for --intercept-scaling: the constant feature shrinks with the rows. */
  readonly interceptScaling?: number;
  readonly featureNames?: readonly string[] | undefined;
}

const defined = <T extends object>(options: T) =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

/** The options that all trainers, and the comparison, share. */
export function sharedOptions(values: Partial<TrainValues>, given: Given = {}) {
  const scaling = values['intercept-scaling'] ?? 1;
  return defined({
    learningRate: values.eta,
    maxEpochs: values.epochs,
    order: values.order,
    seed: values.seed,
    average: values.average,
    margin: values.margin,
    fitIntercept: values['no-intercept'] ? false : undefined,
    interceptScaling: scaling * (given.interceptScaling ?? 1),
    classWeight: values['class-weight'],
    update: values.update,
    aggressiveness: values.aggressiveness,
    tol: values.tol,
    validationFraction: values.validation,
    patience: values.patience,
    featureNames: given.featureNames,
  });
}

export function makeTrainer(name: TrainerName, values: TrainValues, given: Given = {}): Trained {
  const { engine, ratchet, strategy } = values;
  const shared = { ...sharedOptions(values, given), ...(engine && { engine }) };
  const kernel = kernelOf(values);
  switch (name) {
    case 'primal':
      return new Perceptron(shared);
    case 'pocket':
      return new PocketPerceptron({ ...shared, ...(ratchet && { ratchet }) });
    case 'dual':
      return new DualPerceptron({ ...shared, ...(kernel && { kernel }) });
    case 'multiclass':
      return new MulticlassPerceptron({ ...shared, ...(kernel && { kernel }), ...(strategy && { strategy }) });
  }
}

function kernelOf({ kernel, gamma, degree, coef0 }: TrainValues): Kernel | undefined {
  switch (kernel) {
    case undefined:
    case 'linear':
      return kernel;
    case 'rbf':
      return { type: kernel, ...defined({ gamma }) };
    case 'polynomial':
      return { type: kernel, ...defined({ gamma, degree, coef0 }) };
  }
}

/** Checks before reading data that options do not contradict each other. @throws UsageError */
export function checkOptions(values: TrainValues): void {
  const { trainer, kernel, degree, coef0, gamma, as, output } = values;
  const name = chooseTrainer(values, 2).name;
  const needs = (isGiven: unknown, option: string, ok: boolean, what: string) => {
    if (isGiven !== undefined && !ok) throw new UsageError(`${option} needs ${what}`);
  };
  needs(kernel, '--kernel', name === 'dual' || name === 'multiclass', '--trainer dual or multiclass');
  needs(gamma, '--gamma', kernel === 'rbf' || kernel === 'polynomial', '--kernel rbf or polynomial');
  needs(degree, '--degree', kernel === 'polynomial', '--kernel polynomial');
  needs(coef0, '--coef0', kernel === 'polynomial', '--kernel polynomial');
  needs(values.ratchet, '--ratchet', name === 'pocket', '--trainer pocket');
  needs(values.strategy, '--strategy', name === 'multiclass', '--trainer multiclass');
  const stops = (values.validation ?? 0) > 0 || values.tol !== undefined;
  needs(values.patience, '--patience', stops, '--validation SHARE or --tol X');
  const { update = 'perceptron' } = values;
  needs(values.aggressiveness, '--aggressiveness', update !== 'perceptron', '--update pa1 or pa2');
  needs(values['test-labels'], '--test-labels', values.test !== undefined, '--test DATA');
  needs(as, '--as', output !== undefined, '-o MODEL');
  if (values['no-intercept']) needs(values['intercept-scaling'], '--intercept-scaling', false, 'an intercept');
  if (as !== undefined && as !== 'json' && kernel !== undefined && kernel !== 'linear') {
    throw new UsageError(`--as ${as} is for linear models, not for --kernel ${kernel}`);
  }
  const judges = [
    ...(values.test === undefined ? [] : ['--test']),
    ...(values.folds === undefined ? [] : ['--folds']),
    ...(values.holdout ? ['--holdout'] : []),
  ];
  if (judges.length > 1) throw new UsageError(`${judges.slice(0, 2).join(' and ')} cannot be combined: choose one`);
  if (values.average && values['no-average']) {
    throw new UsageError('--average and --no-average cannot be combined: choose one');
  }
  if (trainer === 'multiclass' || name !== 'multiclass') tryMaking(name, values);
}

/** Makes a trainer to run the library's own checks. @throws UsageError */
function tryMaking(name: TrainerName, values: TrainValues): void {
  try {
    makeTrainer(name, values);
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError)
      throw new UsageError(inOneLine(error), { cause: error });
    throw new CommandError(inOneLine(error), { cause: error });
  }
}
