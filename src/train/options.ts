// The options of the trainers, with their defaults. settings.ts checks them.

import type { GramMode } from '../gram/gramrows.js';
import type { Kernel } from '../gram/kernel.js';

export type { GramMode };

import type { Label } from '../data/labels.js';
import type { Engine, EngineKind } from '../engine/contract.js';
import type { Model, MulticlassModel } from '../model/model.js';

/** The order of the rows in an epoch (SPEC §3). */
export type Order = 'cyclic' | 'shuffle' | 'random' | 'batch';

export type UpdateRule = 'perceptron' | 'pa1' | 'pa2';

/** The argument of `onUpdate`, after the update. */
export interface Update {
  /** The row that was the mistake. */
  index: number;
  /** The epoch it happened in, from 1. */
  epoch: number;
  /** Mistakes so far, including this one; one-vs-rest: those of this class. */
  mistakes: number;
  /** With many classes: the class of these weights. Multinomial: the right class, which was raised. */
  label?: Label;
  /** The weights, if the trainer has weights: valid during the call only; do not write to them. */
  weights?: Float64Array;
  bias: number;
}

/** The argument of `onEpoch`, after the epoch. */
export interface Epoch<L extends Label = Label, M = Model<L>> {
  /** From 1. */
  epoch: number;
  /** Mistakes in this epoch. */
  mistakes: number;
  /** −Σ y·s over the mistakes of this epoch, each as scored just before its update (SPEC §11). */
  loss: number;
  /** Milliseconds since the start of the fit. */
  elapsedMs: number;
  /** A copy of the model as it is now. */
  snapshot(): M;
}

/** Options that all trainers have. */
export interface TrainerOptions<L extends Label = Label> {
  /** η > 0. Default 1. */
  learningRate?: number;
  /** The most epochs. An epoch is one pass over the samples; with order 'random', N updates. Default 1000. */
  maxEpochs?: number;
  /**
   * Which mistake is corrected next (SPEC §3). 'cyclic': rows in their order; 'shuffle': in a new seeded order each epoch;
   * 'random': drawn among all rows that are mistakes at the moment; 'batch': all mistakes of an epoch at once, at its end.
   * Default 'cyclic'; PocketPerceptron: 'random'.
   */
  order?: Order;
  /** The seed of the orders 'shuffle' and 'random', 0 … 2³² − 1: equal seeds give bit-identical results everywhere. Default 0. */
  seed?: number;
  /** Whether to learn a bias. Default true. */
  fitIntercept?: boolean;
  /** The constant feature B whose weight is the bias (SPEC §1). Default 1. */
  interceptScaling?: number;
  /** A sample is a mistake when y·score ≤ margin. Default 0. */
  margin?: number;
  /** Whether to keep the mean of the weights over all samples seen (SPEC §9); not with a pocket. Default false. */
  average?: boolean;
  /**
   * The classes, if they should not be taken from y; needed before the first partialFit and for streams. In any order: numbers
   * are sorted by value, strings by code unit, false before true; of two, the second is +1.
   */
  classes?: readonly L[];
  /**
   * Scales η for the samples of a class; 'balanced' is N / (classes · samples of the class). A class without a weight has 1. It can
   * be used together with `sampleWeight`, which multiplies it.
   * One-vs-rest scales a class's own samples in its own perceptron, and the rest by 1, as scikit-learn does.
   */
  classWeight?: 'balanced' | Record<string, number>;
  /**
   * Share of the rows of each class to hold out. Training stops when the accuracy on them no longer rises: that of the pocket if
   * there is one, else of the last weights; one-vs-rest: of each class by itself. partialFit ignores it. Default 0: none.
   */
  validationFraction?: number;
  /** Epochs without a better accuracy on the rows held out, or with `tol` a lower loss, before training stops; every fit counts afresh. Default 5. */
  patience?: number;
  /**
   * The size of a step (SPEC §15). 'perceptron': η. 'pa1' and 'pa2': passive-aggressive, just far enough that y·score is 1, or as
   * far as `aggressiveness` allows; a row is corrected unless y·score ≥ 1. Not with margin, learningRate, order 'batch', a pocket or
   * strategy 'multinomial'. Default 'perceptron'.
   */
  update?: UpdateRule;
  /** C > 0 of 'pa1' and 'pa2': 'pa1' takes no longer step than C (Infinity: plain PA), 'pa2' smoothly shorter ones. Default 1. */
  aggressiveness?: number;
  /**
   * Also stop ('no-progress') when the loss of an epoch is not below the best so far by tol · samples, `patience` epochs in a row
   * (scikit-learn's rule). With `validationFraction` the rows held out decide instead. Not for fitStream or rows beyond the memory.
   * Default: off.
   */
  tol?: number;
  /** Names for the columns, used by `explain`. */
  featureNames?: readonly string[];
  /** Default 'auto': the fastest that works here. Results are bit-identical on all engines. */
  engine?: Engine | 'auto' | EngineKind;
  /** Called after every update. */
  onUpdate?: (update: Update) => void;
  /** Called after every epoch; `false` stops the fit, which keeps what it has learned. */
  onEpoch?: (epoch: Epoch<L>) => void | boolean;
}

/** Options of `Perceptron`. */
export interface PerceptronOptions<L extends Label = Label> extends TrainerOptions<L> {
  /** The start weights. Default: zeros. */
  initialWeights?: ArrayLike<number>;
  /** The start bias. Default 0. */
  initialBias?: number;
  /** Whether `fit` continues from its present model. Default false: it starts afresh. */
  warmStart?: boolean;
}

/** Options of `PocketPerceptron`. */
export interface PocketPerceptronOptions<L extends Label = Label> extends PerceptronOptions<L> {
  /**
   * Gallant's ratchet (SPEC §6): draws among all samples, N draws an epoch, and counts only after a longer run of right samples
   * than the pocket's. Default false: draws among mistakes and counts after every update.
   */
  ratchet?: boolean;
}

/** Options of `DualPerceptron`. */
export interface DualPerceptronOptions<L extends Label = Label> extends TrainerOptions<L> {
  /** The kernel function K(x, z) in place of x·z (SPEC §8). Default 'linear'. */
  kernel?: Kernel;
  /**
   * 'full': the whole Gram matrix, N² · 8 bytes, before training; 'rows': a row when its sample is first a mistake; when
   * `maxGramBytes` are full it replaces the least recently used row. Default 'auto': 'full' if it fits.
   */
  gram?: GramMode;
  /** The most bytes for Gram rows. Default 1 GiB. */
  maxGramBytes?: number;
  /** Whether to keep the coefficients with the fewest training mistakes, and predict with them (SPEC §6). Default false. */
  pocket?: boolean;
  /** Whether `fit` continues from its present model. Default false: it starts afresh. */
  warmStart?: boolean;
}

/** How to separate more than two classes. */
export type Strategy = 'one-vs-rest' | 'multinomial';

/** Options of `MulticlassPerceptron`. */
export interface MulticlassPerceptronOptions<L extends Label = Label> extends Omit<TrainerOptions<L>, 'onEpoch'> {
  /**
   * 'one-vs-rest': a perceptron for each class against the rest, each until it makes no mistake; 'multinomial': a mistake raises
   * the right class and lowers the best of the others, until no row is a mistake. Default 'one-vs-rest'.
   */
  strategy?: Strategy;
  /** Trains in dual form with this kernel (SPEC §8) and one Gram matrix for all classes. Default: none, each class has weights. */
  kernel?: Kernel;
  /**
   * With a kernel: 'full' and 'rows' as in DualPerceptron; 'blocks' (one-vs-rest in order 'cyclic' or 'shuffle') keeps no
   * matrix: each epoch multiplies blocks of rows with all support vectors, and rounds differently from the others. Default
   * 'auto': 'full' if it fits `maxGramBytes`, else 'blocks' if possible, else 'rows'.
   */
  gram?: GramMode | 'blocks';
  /** With a kernel: the most bytes for Gram rows. Default 1 GiB. */
  maxGramBytes?: number;
  /** Whether `fit` continues from its present model. Default false: it starts afresh. */
  warmStart?: boolean;
  /** Called after every epoch of all classes. */
  onEpoch?: (epoch: Epoch<L, MulticlassModel<L>>) => void | boolean;
}

/** Options of `fit`. */
export interface FitOptions {
  /**
   * The weight c ≥ 0 of each row. The step of a row is η times the weight of its class times its own. Weight 0: as if the row were
   * not in X (SPEC §14). Default: 1 each.
   */
  sampleWeight?: ArrayLike<number> | undefined;
}

/** Options of `partialFit`. */
export interface PartialFitOptions<L extends Label = Label> extends FitOptions {
  /** All classes: needed the first time, unless the trainer has the option. */
  classes?: readonly L[];
}

/** Options of `fitAsync`. */
export interface FitAsyncOptions<L extends Label = Label, M = Model<L>> extends FitOptions {
  /** Rejects with the signal's reason; the model stays as it was, unless `keepPartial`. */
  signal?: AbortSignal | undefined;
  /** Called at most 20 times a second and at the end; the trainer's own onEpoch is called every epoch. `false` stops the fit. */
  onEpoch?: (epoch: Epoch<L, M>) => void | boolean;
  /** Called at most 20 times a second and at the end, with the samples of the epoch seen so far. */
  onProgress?: (progress: Progress) => void;
  /**
   * How many threads may work. 1: the calling thread, in slices; 2 or more: so many worker threads, and the calling thread stays
   * free; 'auto' (the default): workers for large or long work, as many as there are processors. Results are bit-identical.
   */
  threads?: number | 'auto' | undefined;
  /** On abort, keep what was learned so far (stopReason 'aborted') and resolve; rejects if no row was seen yet. Default false. */
  keepPartial?: boolean;
  /** The URL of the workers' script (a copy of perceptron-wasm/worker.js), for pages whose policy forbids blob: workers. */
  workerUrl?: string | URL | undefined;
}

/** The progress within an epoch. */
export interface Progress {
  /** From 1. */
  epoch: number;
  /** Samples seen in this epoch. */
  done: number;
  /** Samples of an epoch. */
  total: number;
}

export const FIT_ASYNC_KEYS = [
  'signal',
  'onEpoch',
  'onProgress',
  'threads',
  'keepPartial',
  'workerUrl',
  'sampleWeight',
] as const;
