// The settings of the trainers: the options, checked once, with defaults for the others.

import { type Classes, type Label, listed, orderClasses } from '../data/labels.js';
import type { Engine, EngineKind } from '../engine/contract.js';
import { resolveEngine } from '../engine/engine.js';
import { type Check, expectOptions, show } from '../errors.js';
import { checkKernel, type KernelChoice, LINEAR } from '../gram/kernel.js';
import { get, own as ownOf } from '../own.js';
import {
  boolean,
  bytes,
  callback,
  ceiling,
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
  update,
  vector,
} from './checks.js';
import type {
  Epoch,
  GramMode,
  MulticlassPerceptronOptions,
  Order,
  Strategy,
  TrainerOptions,
  Update,
  UpdateRule,
} from './options.js';

/** The options that training uses, whatever the labels are. */
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
  readonly tol: number | undefined;
  readonly update: UpdateRule;
  readonly aggressiveness: number;
  /** Whether the best weights so far are kept (SPEC §6). */
  readonly pocket: boolean;
  readonly ratchet: boolean;
}

/** The options of all trainers: complete, checked, frozen. */
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

/** What a Gram matrix depends on. */
export type GramSettings = Pick<MulticlassSettings, 'kernel' | 'gram' | 'maxGramBytes' | 'engine'>;

/** The default of maxGramBytes. With a larger matrix the dual form is hardly ever faster. */
export const MAX_GRAM_BYTES = 2 ** 30;

/** The defaults that all trainers share. */
const DEFAULTS: Settings = {
  learningRate: 1,
  maxEpochs: 1000,
  order: 'cyclic',
  seed: 0,
  fitIntercept: true,
  interceptScaling: 1,
  margin: 0,
  average: false,
  classes: undefined,
  classWeight: undefined,
  validationFraction: 0,
  patience: 5,
  tol: undefined,
  update: 'perceptron',
  aggressiveness: 1,
  featureNames: undefined,
  engine: 'auto',
  onUpdate: undefined,
  onEpoch: undefined,
  warmStart: false,
  pocket: false,
  ratchet: false,
};

type Checks = Readonly<Record<string, Check<unknown>>>;

/** The options that all trainers share. */
const SHARED: Checks = {
  learningRate: positive,
  maxEpochs: count,
  order,
  seed,
  fitIntercept: boolean,
  interceptScaling: scaling,
  margin: notNegative,
  average: boolean,
  classes: (value, name) => orderClasses(value as readonly Label[], name, 'two'),
  classWeight,
  validationFraction: share,
  patience: count,
  tol: notNegative,
  update,
  aggressiveness: ceiling,
  featureNames: names,
  // 'auto' always works, and compiles nothing before it is used.
  engine: (value) => (value === 'auto' ? value : resolveEngine(value as Engine) && value),
  onUpdate: callback,
  onEpoch: callback,
  warmStart: boolean,
};

/** What the options of a trainer have beside those of all trainers. */
interface Kind<S extends NumericSettings> {
  /** The trainer's name, for messages. */
  readonly where: string;
  readonly defaults: Partial<S>;
  readonly checks: Checks;
  /** Options that do not go together. @throws RangeError */
  readonly expectPossible: ((settings: S, options: object) => void) | undefined;
  /** All defaults: made at first use, since a copy of one object is quick. */
  all: S | undefined;
}

export const PRIMAL: Kind<PrimalSettings> = {
  where: 'Perceptron',
  defaults: { initialWeights: undefined, initialBias: 0 },
  checks: { initialWeights: vector, initialBias: finite },
  expectPossible: undefined,
  all: undefined,
};

export const POCKET: Kind<PrimalSettings> = {
  where: 'PocketPerceptron',
  defaults: { order: 'random', pocket: true, initialWeights: undefined, initialBias: 0 },
  checks: { initialWeights: vector, initialBias: finite, ratchet: boolean },
  all: undefined,
  expectPossible(settings) {
    if (settings.ratchet && settings.order !== 'random') {
      throw new RangeError(
        `"ratchet" draws among all samples: it goes with order 'random' only, got ${show(settings.order)}`,
      );
    }
  },
};

export const DUAL: Kind<DualSettings> = {
  where: 'DualPerceptron',
  defaults: { kernel: LINEAR, gram: 'auto', maxGramBytes: MAX_GRAM_BYTES },
  checks: { kernel: checkKernel, gram: gramMode, maxGramBytes: bytes, pocket: boolean },
  expectPossible: undefined,
  all: undefined,
};

export const MULTICLASS: Kind<MulticlassSettings> = {
  where: 'MulticlassPerceptron',
  defaults: { strategy: 'one-vs-rest', kernel: undefined, gram: 'auto', maxGramBytes: MAX_GRAM_BYTES },
  checks: {
    strategy,
    kernel: checkKernel,
    gram: gramOrBlocks,
    maxGramBytes: bytes,
    classes: (value, name) => orderClasses(value as readonly Label[], name, 'many'),
  },
  all: undefined,
  expectPossible(settings, options) {
    const { gram, maxGramBytes } = ownOf(options) as MulticlassPerceptronOptions;
    if (!settings.kernel && (gram ?? maxGramBytes) !== undefined) {
      const key = gram === undefined ? 'maxGramBytes' : 'gram';
      throw new RangeError(`"${key}" is about the Gram matrix of a kernel: give a "kernel", which may be 'linear'`);
    }
    const problem = settings.gram === 'blocks' ? whyNotBlocks(settings) : undefined;
    if (problem) throw new RangeError(`gram: 'blocks' ${problem}`);
  },
};

/** The names of a trainer's options. */
export const keysOf = ({ checks }: { readonly checks: Checks }): string[] => Object.keys({ ...SHARED, ...checks });

/** Names of options in other libraries, mostly scikit-learn, that are more than another spelling. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
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

/**
 * The caller's options, each checked, in place of the defaults.
 * @throws TypeError or RangeError naming the option, what it must be and what it was
 */
export function resolve<S extends NumericSettings, L extends Label>(kind: Kind<S>, options: object): S & Settings<L> {
  const { where, checks } = kind;
  if (typeof options !== 'object' || options === null || Array.isArray(options)) expectOptions(options, [], where);
  // Frozen, too: Node 20 takes a quarter of the time to freeze a copy of it.
  kind.all ??= Object.freeze({ ...DEFAULTS, ...kind.defaults }) as unknown as S;
  const settings = { ...kind.all };
  for (const key of Object.keys(options)) {
    const value = (options as Record<string, unknown>)[key];
    const check = Object.hasOwn(checks, key) ? checks[key] : Object.hasOwn(SHARED, key) ? SHARED[key] : undefined;
    if (!check) return expectOptions(options, keysOf(kind), where, OTHER_NAMES) as never; // it throws
    if (value !== undefined) (settings as Record<string, unknown>)[key] = check(value, key);
  }
  const hasPatience = Object.hasOwn(options, 'patience') && (options as TrainerOptions).patience !== undefined;
  if (hasPatience && settings.validationFraction === 0 && settings.tol === undefined) {
    throw new RangeError(
      '"patience" needs a "validationFraction" or a "tol": without rows held out or a least progress there is nothing to wait for',
    );
  }
  if (settings.update !== 'perceptron') expectPassiveAggressive(settings);
  else if (settings.aggressiveness !== 1) {
    throw new RangeError(`"aggressiveness" goes with update 'pa1' or 'pa2', got update 'perceptron'`);
  }
  const initialBias = settings.fitIntercept ? 0 : get(settings as unknown as Partial<PrimalSettings>, 'initialBias');
  if (initialBias) {
    throw new RangeError(
      `"initialBias" must be 0 without an intercept (fitIntercept: false), got ${show(initialBias)}`,
    );
  }
  if (settings.pocket && settings.average) {
    throw new RangeError(
      '"average" does not go with the pocket: one keeps the mean of all weights, the other the best',
    );
  }
  kind.expectPossible?.(settings, options);
  return Object.freeze(settings) as S & Settings<L>;
}

/** Options that do not go with passive-aggressive steps (SPEC §15). @throws RangeError */
function expectPassiveAggressive(settings: NumericSettings & { readonly strategy?: Strategy }): void {
  const { update: rule, learningRate, margin, order: by, pocket, aggressiveness } = settings;
  const refused = [
    learningRate !== 1 && '"learningRate": the step is as long as the row needs it',
    margin !== 0 && '"margin": the margin is 1',
    by === 'batch' && "order 'batch'",
    pocket && 'a pocket',
    get(settings, 'strategy') === 'multinomial' && "strategy 'multinomial': use 'one-vs-rest'",
  ].find((reason) => reason !== false);
  if (refused) throw new RangeError(`update '${rule}' does not go with ${refused}`);
  if (rule === 'pa2' && aggressiveness === Infinity) {
    throw new RangeError(`"aggressiveness" must be a finite number with update 'pa2', got Infinity: use 'pa1'`);
  }
}

/** Why training with these settings needs a Gram matrix; undefined if it does not. */
export function whyNotBlocks<L extends Label>(settings: MulticlassSettings<L>): string | undefined {
  if (settings.strategy !== 'one-vs-rest') return "goes with strategy: 'one-vs-rest' only";
  if (settings.order !== 'cyclic' && settings.order !== 'shuffle') return "goes with order 'cyclic' or 'shuffle' only";
  return settings.validationFraction > 0 ? 'does not go with rows held out (validationFraction)' : undefined;
}

/** The weight of each class, given its number of samples. @throws RangeError if a step η·c is no finite number > 0 */
export function classWeights<L extends Label>(
  { classWeight: given, learningRate }: Settings<L>,
  classes: Classes<L>,
  counts: ArrayLike<number>,
): number[] {
  if (given === undefined) return new Array(classes.length).fill(1);
  const weights = given === 'balanced' ? balanced(counts) : classes.map((label) => given[String(label)] ?? 1);
  if (given !== 'balanced') {
    const keys = classes.map(String);
    const unknown = Object.keys(given).find((key) => !keys.includes(key));
    if (unknown !== undefined) {
      throw new RangeError(`classWeight has the class ${show(unknown)}, but the classes are ${listed(classes)}`);
    }
  }
  const bad = weights.map((weight) => learningRate * weight).find((step) => !(step > 0 && step < Infinity));
  if (bad === undefined) return weights;
  throw new RangeError(`"learningRate" times a class weight must be a finite number > 0, got ${bad}`);
}

/** N / (classes · samples of the class). */
function balanced(counts: ArrayLike<number>): number[] {
  const list = Array.from(counts);
  const total = list.reduce((a, b) => a + b, 0);
  return list.map((count) => (count ? total / (list.length * count) : 1));
}
