// Options, checked once and complete: what the trainers work with.

import { type Classes, type ClassLimit, type Label, listed, orderClasses } from '../data/labels.js';
import type { Engine, EngineKind } from '../engine/contract.js';
import { resolveEngine } from '../engine/engine.js';
import { type Check, expectOptions, show } from '../errors.js';
import { checkKernel, type KernelChoice, LINEAR } from '../gram/kernel.js';
import {
  boolean,
  bytes,
  callback,
  classWeight,
  count,
  finite,
  gramMode,
  gramOrBlocks,
  names,
  notNegative,
  order,
  positive,
  scaling,
  seed,
  share,
  strategy,
  vector,
} from './checks.js';
import type {
  DualPerceptronOptions,
  Epoch,
  GramMode,
  MulticlassPerceptronOptions,
  Order,
  PerceptronOptions,
  PocketPerceptronOptions,
  Strategy,
  TrainerOptions,
  Update,
} from './options.js';

/** Options as the kernels' side of training uses them: numbers and choices, whatever the labels are. */
export interface NumericSettings {
  readonly learningRate: number;
  readonly maxEpochs: number;
  readonly order: Order;
  readonly seed: number;
  readonly fitIntercept: boolean;
  readonly interceptScaling: number;
  readonly margin: number;
  readonly average: boolean;
  readonly validationFraction: number;
  readonly patience: number;
  /** Whether the best weights so far are kept (SPEC §6). */
  readonly pocket: boolean;
  readonly ratchet: boolean;
}

/** The options all trainers have: complete, checked, frozen. */
export interface Settings<L extends Label = Label> extends NumericSettings {
  readonly classes: Classes<L> | undefined;
  readonly classWeight: 'balanced' | Readonly<Record<string, number>> | undefined;
  readonly featureNames: readonly string[] | undefined;
  readonly engine: Engine | 'auto' | EngineKind;
  readonly onUpdate: ((update: Update) => void) | undefined;
  readonly onEpoch: ((epoch: Epoch<L>) => void | boolean) | undefined;
  readonly warmStart: boolean;
}

export interface PrimalSettings<L extends Label = Label> extends Settings<L> {
  readonly initialWeights: Float64Array | undefined;
  readonly initialBias: number;
}

export interface DualSettings<L extends Label = Label> extends Settings<L> {
  readonly kernel: KernelChoice;
  readonly gram: GramMode;
  readonly maxGramBytes: number;
}

export interface MulticlassSettings<L extends Label = Label> extends Settings<L> {
  readonly strategy: Strategy;
  readonly kernel: KernelChoice | undefined;
  readonly gram: GramMode | 'blocks';
  readonly maxGramBytes: number;
}

const KEYS = [
  'learningRate',
  'maxEpochs',
  'order',
  'seed',
  'fitIntercept',
  'interceptScaling',
  'margin',
  'average',
  'classes',
  'classWeight',
  'validationFraction',
  'patience',
  'featureNames',
  'engine',
  'onUpdate',
  'onEpoch',
  'warmStart',
] as const;
// Functions: a spread at the top level would stay in every bundle.
export const primalKeys = (): string[] => [...KEYS, 'initialWeights', 'initialBias'];
/** What a Gram matrix may take unless somebody says otherwise; beyond it the dual form has little chance. */
export const MAX_GRAM_BYTES = 2 ** 30;

const dualKeys = (): string[] => [...KEYS, 'kernel', 'gram', 'maxGramBytes', 'pocket'];

/** What scikit-learn calls things, where another spelling is not enough. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  maxiter: 'maxEpochs',
  niter: 'maxEpochs',
  epochs: 'maxEpochs',
  eta0: 'learningRate',
  eta: 'learningRate',
  alpha: 'learningRate',
  randomstate: 'seed',
  shuffle: 'order',
  niternochange: 'patience',
  earlystopping: 'validationFraction',
  multiclass: 'strategy',
  gamma: 'kernel',
  degree: 'kernel',
  coef0: 'kernel',
};

/** How options are read: by name, with a check and a default. */
type Get<O> = <T, D>(key: keyof O & string, check: Check<T>, fallback: D) => T | D;

const reader =
  <O extends object>(options: O): Get<O> =>
  (key, check, fallback) =>
    options[key] === undefined ? fallback : check(options[key], key);

interface SharedOptions<L extends Label> extends TrainerOptions<L> {
  warmStart?: boolean;
  pocket?: boolean;
  ratchet?: boolean;
}

function resolveShared<L extends Label>(
  options: SharedOptions<L>,
  limit: ClassLimit = 'two',
  usual: Order = 'cyclic',
): Settings<L> {
  const get = reader(options);
  const settings: Settings<L> = {
    learningRate: get('learningRate', positive, 1),
    maxEpochs: get('maxEpochs', count, 1000),
    order: get('order', order, usual),
    seed: get('seed', seed, 0),
    fitIntercept: get('fitIntercept', boolean, true),
    interceptScaling: get('interceptScaling', scaling, 1),
    margin: get('margin', notNegative, 0),
    average: get('average', boolean, false),
    classes: get('classes', (value, name) => orderClasses(value as readonly L[], name, limit), undefined),
    classWeight: get('classWeight', classWeight, undefined),
    validationFraction: get('validationFraction', share, 0),
    patience: get('patience', count, 5),
    featureNames: get('featureNames', names, undefined),
    engine: options.engine === undefined ? 'auto' : options.engine,
    onUpdate: get('onUpdate', callback, undefined) as Settings<L>['onUpdate'],
    onEpoch: get('onEpoch', callback, undefined) as Settings<L>['onEpoch'],
    warmStart: get('warmStart', boolean, false),
    pocket: get('pocket', boolean, false),
    ratchet: get('ratchet', boolean, false),
  };
  // 'auto' always works, and nothing is compiled before it is used.
  if (settings.engine !== 'auto') resolveEngine(settings.engine);
  if (options.patience !== undefined && settings.validationFraction === 0) {
    throw new RangeError('"patience" needs a "validationFraction": without rows held out there is nothing to wait for');
  }
  if (settings.pocket && settings.average) {
    throw new RangeError(
      '"average" does not go with the pocket: one keeps the mean of all weights, the other the best',
    );
  }
  return settings;
}

/** @throws TypeError or RangeError naming the option, what it must be and what it was */
export function resolvePrimal<L extends Label>(options: PerceptronOptions<L>): PrimalSettings<L> {
  expectOptions(options, primalKeys(), 'Perceptron', ELSEWHERE);
  return withStart(options, resolveShared(options));
}

/** @throws TypeError or RangeError naming the option, what it must be and what it was */
export function resolvePocket<L extends Label>(options: PocketPerceptronOptions<L>): PrimalSettings<L> {
  expectOptions(options, [...primalKeys(), 'ratchet'], 'PocketPerceptron', ELSEWHERE);
  const shared = resolveShared({ ...options, pocket: true }, 'two', 'random');
  if (shared.ratchet && shared.order !== 'random') {
    throw new RangeError(
      `"ratchet" draws among all samples: it goes with order 'random' only, got ${show(shared.order)}`,
    );
  }
  return withStart(options, shared);
}

/** The start weights of primal trainers. */
function withStart<L extends Label>(options: PerceptronOptions<L>, shared: Settings<L>): PrimalSettings<L> {
  const get = reader(options);
  const settings: PrimalSettings<L> = {
    ...shared,
    initialWeights: get('initialWeights', vector, undefined),
    initialBias: get('initialBias', finite, 0),
  };
  if (!settings.fitIntercept && settings.initialBias !== 0) {
    throw new RangeError(
      `"initialBias" must be 0 without an intercept (fitIntercept: false), got ${show(settings.initialBias)}`,
    );
  }
  return Object.freeze(settings);
}

/** @throws TypeError or RangeError naming the option, what it must be and what it was */
export function resolveDual<L extends Label>(options: DualPerceptronOptions<L>): DualSettings<L> {
  expectOptions(options, dualKeys(), 'DualPerceptron', ELSEWHERE);
  const get = reader(options);
  return Object.freeze({
    ...resolveShared(options),
    kernel: get('kernel', checkKernel, LINEAR),
    gram: get('gram', gramMode, 'auto'),
    maxGramBytes: get('maxGramBytes', bytes, MAX_GRAM_BYTES),
  });
}

/** @throws TypeError or RangeError naming the option, what it must be and what it was */
export function resolveMulticlass<L extends Label>(options: MulticlassPerceptronOptions<L>): MulticlassSettings<L> {
  expectOptions(options, [...KEYS, 'strategy', 'kernel', 'gram', 'maxGramBytes'], 'MulticlassPerceptron', ELSEWHERE);
  const get = reader(options);
  for (const key of ['gram', 'maxGramBytes'] as const) {
    if (options[key] !== undefined && options.kernel === undefined) {
      throw new RangeError(`"${key}" is about the Gram matrix of a kernel: give a "kernel", which may be 'linear'`);
    }
  }
  const settings: MulticlassSettings<L> = {
    ...resolveShared(options as unknown as TrainerOptions<L>, 'many'),
    strategy: get('strategy', strategy, 'one-vs-rest'),
    kernel: get('kernel', checkKernel, undefined),
    gram: get('gram', gramOrBlocks, 'auto'),
    maxGramBytes: get('maxGramBytes', bytes, MAX_GRAM_BYTES),
  };
  const problem = settings.gram === 'blocks' ? whyNotBlocks(settings) : undefined;
  if (problem) throw new RangeError(`gram: 'blocks' ${problem}`);
  return Object.freeze(settings);
}

/** Why training with these settings cannot do without a Gram matrix. */
export function whyNotBlocks<L extends Label>(settings: MulticlassSettings<L>): string | undefined {
  if (settings.strategy !== 'one-vs-rest') return "goes with strategy: 'one-vs-rest' only";
  if (settings.order !== 'cyclic' && settings.order !== 'shuffle') return "goes with order 'cyclic' or 'shuffle' only";
  return settings.validationFraction > 0 ? 'does not go with rows held out (validationFraction)' : undefined;
}

/** The weight of each class, given how many samples it has. */
export function classWeights<L extends Label>(
  { classWeight: given }: Settings<L>,
  classes: Classes<L>,
  counts: ArrayLike<number>,
): number[] {
  if (given === undefined) return classes.map(() => 1);
  if (given === 'balanced') {
    const total = Array.from(counts).reduce((a, b) => a + b, 0);
    return classes.map((_, k) => (counts[k] ? total / (classes.length * (counts[k] as number)) : 1));
  }
  const keys = classes.map(String);
  for (const key of Object.keys(given)) {
    if (!keys.includes(key)) {
      throw new RangeError(`classWeight has the class ${show(key)}, but the classes are ${listed(classes)}`);
    }
  }
  return keys.map((key) => given[key] ?? 1);
}
