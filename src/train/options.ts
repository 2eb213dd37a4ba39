// Options: what a caller may say, checked once and resolved into a frozen full object.

import { checkKernel, type Kernel, type KernelChoice, LINEAR } from '../data/kernel.js';
import { type Classes, type ClassLimit, type Label, listed, orderClasses } from '../data/labels.js';
import type { Engine, EngineKind } from '../engine/contract.js';
import { resolveEngine } from '../engine/engine.js';
import { type Check, expectOptions, number, show, word } from '../errors.js';
import type { Model, MulticlassModel } from '../model/model.js';

export type Order = 'cyclic' | 'shuffle' | 'random' | 'batch';

/** What `onUpdate` sees, after the update. */
export interface Update {
  /** The row that was the mistake. */
  index: number;
  /** The epoch it happened in, from 1. */
  epoch: number;
  /** Mistakes so far, this one included; one-vs-rest: those of this class. */
  mistakes: number;
  /** With many classes: the one whose weights these are. Multinomial: the right one, which was raised. */
  label?: Label;
  /** The weights, where the trainer has them: valid during the call only, and not to be written to. */
  weights?: Float64Array;
  bias: number;
}

/** What `onEpoch` sees, after the pass. */
export interface Epoch<L extends Label = Label, M = Model<L>> {
  /** From 1. */
  epoch: number;
  /** Mistakes in this pass. */
  mistakes: number;
  /** −Σ y·s over this pass's mistakes, each as scored just before its update (SPEC §11). */
  loss: number;
  /** Since the start of the fit. */
  elapsedMs: number;
  /** The model as it is now, a copy of its own. */
  snapshot(): M;
}

export interface TrainerOptions<L extends Label = Label> {
  /** η > 0. Default 1. */
  learningRate?: number;
  /** The most passes over the samples; order 'random' counts N updates as one. Default 1000. */
  maxEpochs?: number;
  /**
   * Which mistake is corrected next (SPEC §3). 'cyclic': rows as they come; 'shuffle': in a fresh seeded order each
   * pass; 'random': drawn among all rows that are mistakes at the moment; 'batch': all mistakes of a pass at once, at
   * its end. Default 'cyclic'; PocketPerceptron: 'random'.
   */
  order?: Order;
  /** For the orders 'shuffle' and 'random', 0 … 2³² − 1: the same seed gives the same bits everywhere. Default 0. */
  seed?: number;
  /** Whether to learn a bias. Default true. */
  fitIntercept?: boolean;
  /** The constant feature B whose weight is the bias (SPEC §1). Default 1. */
  interceptScaling?: number;
  /** A sample is a mistake when y·score ≤ margin. Default 0. */
  margin?: number;
  /** Keep the mean of the weights over all samples seen (SPEC §9); not together with a pocket. Default false. */
  average?: boolean;
  /**
   * The classes, where they should not be taken from y; needed before the first partialFit and for streams. In any order:
   * numbers are sorted by value, strings by code unit, false comes before true; of two, the second is +1.
   */
  classes?: readonly L[];
  /**
   * Scales η for the samples of a class; 'balanced' is N / (classes · samples of the class). A class not named has 1.
   * One-vs-rest scales a class's own samples in its own perceptron, and the rest by 1, as scikit-learn does.
   */
  classWeight?: 'balanced' | Record<string, number>;
  /**
   * Share of the rows of each class to hold out, to stop when accuracy on them no longer rises: that of the pocket where there
   * is one, else of the last weights; one-vs-rest: of each class by itself. Not used by partialFit. Default 0: none.
   */
  validationFraction?: number;
  /** Epochs without a better accuracy on the rows held out before stopping; every fit waits anew. Default 5. */
  patience?: number;
  /** Names for the columns, used by `explain`. */
  featureNames?: readonly string[];
  /** Default 'auto': the fastest that works here. All give the same bits. */
  engine?: Engine | 'auto' | EngineKind;
  /** Called after every update. */
  onUpdate?: (update: Update) => void;
  /** Called after every pass; `false` stops the fit, which keeps what it has. */
  onEpoch?: (epoch: Epoch<L>) => void | boolean;
}

export interface PerceptronOptions<L extends Label = Label> extends TrainerOptions<L> {
  /** Where to start. Default: zeros. */
  initialWeights?: ArrayLike<number>;
  /** Default 0. */
  initialBias?: number;
  /** Whether `fit` goes on from the model it has. Default false: it starts afresh. */
  warmStart?: boolean;
}

/** Whether the whole Gram matrix is kept, or rows of it as they are needed. All give the same bits. */
export type GramMode = 'full' | 'rows' | 'auto';

export interface PocketPerceptronOptions<L extends Label = Label> extends PerceptronOptions<L> {
  /**
   * Gallant's ratchet (SPEC §6): draws samples among all of them and counts only after a longer run of right answers than
   * the pocket's; N draws are an epoch. Default false: draws among mistakes and counts after every update.
   */
  ratchet?: boolean;
}

export interface DualPerceptronOptions<L extends Label = Label> extends TrainerOptions<L> {
  /** K(x, z) in place of x·z (SPEC §8). Default 'linear'. */
  kernel?: Kernel;
  /**
   * 'full': the whole Gram matrix, N² · 8 bytes, before training; 'rows': a row when its sample is first a mistake, the
   * least recently used row making room for it where `maxGramBytes` are full. Default 'auto': 'full' where it fits.
   */
  gram?: GramMode;
  /** The most bytes for Gram rows. Default 1 GiB. */
  maxGramBytes?: number;
  /** Whether to keep the coefficients that made the fewest training mistakes, and predict with them (SPEC §6). Default false. */
  pocket?: boolean;
  /** Whether `fit` goes on from the model it has. Default false: it starts afresh. */
  warmStart?: boolean;
}

/** How more than two classes are told apart. */
export type Strategy = 'one-vs-rest' | 'multinomial';

export interface MulticlassPerceptronOptions<L extends Label = Label> extends Omit<TrainerOptions<L>, 'onEpoch'> {
  /**
   * 'one-vs-rest': a perceptron for each class, that class against the rest, each until it makes no mistake; 'multinomial':
   * a mistake raises the right class and lowers the best of the others, until no row is a mistake. Default 'one-vs-rest'.
   */
  strategy?: Strategy;
  /** Dual form with this kernel (SPEC §8), one Gram matrix for all classes. Default: none, each class has its weights. */
  kernel?: Kernel;
  /**
   * With a kernel: 'full' and 'rows' as in DualPerceptron; 'blocks' (one-vs-rest in order 'cyclic' or 'shuffle') keeps no
   * matrix: each pass multiplies blocks of rows with all supports, and its rounding differs from that of the others. Default
   * 'auto': 'full' where that fits `maxGramBytes`, else 'blocks' where it can be, else 'rows'.
   */
  gram?: GramMode | 'blocks';
  /** With a kernel: the most bytes for Gram rows. Default 1 GiB. */
  maxGramBytes?: number;
  /** Whether `fit` goes on from the model it has. Default false: it starts afresh. */
  warmStart?: boolean;
  /** Called after every pass of all classes. */
  onEpoch?: (epoch: Epoch<L, MulticlassModel<L>>) => void | boolean;
}

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

const positive = number('a number > 0', (v) => v > 0 && v < Infinity);
/** The kernels use B·B: it must be a number > 0 too. */
export const scaling = number('a number > 0', (v) => v > 0 && v * v > 0 && v * v < Infinity);
export const notNegative = number('a number ≥ 0', (v) => v >= 0 && v < Infinity);
export const finite = number('a finite number', Number.isFinite, true);
const bytes = number(
  'an integer of at least 1, or Infinity',
  (v) => v >= 1 && (Number.isSafeInteger(v) || v === Infinity),
);
export const count = number('an integer of at least 1', (v) => Number.isSafeInteger(v) && v >= 1);
const seed = number('an integer from 0 to 4294967295', (v) => Number.isInteger(v) && v >= 0 && v < 2 ** 32);
const share = number('a number from 0 to less than 1', (v) => v >= 0 && v < 1);

export const boolean: Check<boolean> = (value, name) => {
  if (typeof value !== 'boolean') throw new TypeError(`"${name}" must be true or false, got ${show(value)}`);
  return value;
};

export const callback: Check<(...args: never[]) => unknown> = (value, name) => {
  if (typeof value !== 'function') throw new TypeError(`"${name}" must be a function, got ${show(value)}`);
  return value as (...args: never[]) => unknown;
};

const order = /* @__PURE__ */ word('cyclic', 'shuffle', 'random', 'batch');
const gramMode = /* @__PURE__ */ word('full', 'rows', 'auto');
const gramOrBlocks = /* @__PURE__ */ word('full', 'rows', 'blocks', 'auto');
const strategy = /* @__PURE__ */ word('one-vs-rest', 'multinomial');

/** An array-like of finite numbers, copied. */
export const vector: Check<Float64Array> = (value, name) => {
  const list = value as ArrayLike<unknown>;
  if (typeof value !== 'object' || value === null || typeof list.length !== 'number') {
    throw new TypeError(`"${name}" must be an array of numbers, got ${show(value)}`);
  }
  const copy = new Float64Array(list.length);
  for (let i = 0; i < copy.length; i++) {
    const v = list[i];
    if (typeof v !== 'number') throw new TypeError(`${name}[${i}] must be a number, got ${show(v)}`);
    if (!Number.isFinite(v)) throw new RangeError(`${name}[${i}] is ${v}`);
    copy[i] = v;
  }
  return copy;
};

const names: Check<readonly string[]> = (value, name) => {
  if (!Array.isArray(value)) throw new TypeError(`"${name}" must be an array of strings, got ${show(value)}`);
  value.forEach((v, i) => {
    if (typeof v !== 'string') throw new TypeError(`${name}[${i}] must be a string, got ${show(v)}`);
  });
  return Object.freeze([...value]);
};

const classWeight: Check<'balanced' | Readonly<Record<string, number>>> = (value, name) => {
  if (value === 'balanced') return value;
  if (typeof value !== 'object' || value === null || Symbol.iterator in value) {
    throw new TypeError(`"${name}" must be 'balanced' or an object of weights by class, got ${show(value)}`);
  }
  const copy: Record<string, number> = Object.create(null);
  for (const [key, weight] of Object.entries(value)) copy[key] = positive(weight, `${name}[${JSON.stringify(key)}]`);
  return Object.freeze(copy);
};

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
