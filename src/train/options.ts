// What users may ask of a trainer, with its defaults; settings.ts makes checked settings of it.

import type { GramMode } from '../gram/gramrows.js';
import type { Kernel } from '../gram/kernel.js';

export type { GramMode };

import type { Label } from '../data/labels.js';
import type { Engine, EngineKind } from '../engine/contract.js';
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

export interface FitAsyncOptions<L extends Label = Label, M = Model<L>> {
  /** Ends the fit with the signal's reason; the model stays as it was, unless `keepPartial`. */
  signal?: AbortSignal | undefined;
  /** As the trainer's own onEpoch, which is called at every pass beside it; this one at most 20 times a second, and at the end. */
  onEpoch?: (epoch: Epoch<L, M>) => void | boolean;
  /** Called at most 20 times a second, and at the end, with the samples of the pass that were looked at so far. */
  onProgress?: (progress: Progress) => void;
  /**
   * How many threads may work. 1: the caller's, in slices; 2 or more: so many worker threads, and the caller's stays free;
   * 'auto' (the default): workers for work that is large or goes on, as many as there are processors. The bits are the same.
   */
  threads?: number | 'auto' | undefined;
  /** On abort, keep the model as far as it got (stopReason 'aborted') and resolve; rejects before a row was looked at. Default false. */
  keepPartial?: boolean;
  /** Where worker threads load their script from (a copy of perceptron-wasm/worker.js), on pages that forbid inlined ones. */
  workerUrl?: string | URL | undefined;
}

/** How far a pass is. */
export interface Progress {
  /** From 1. */
  epoch: number;
  done: number;
  total: number;
}

export const FIT_ASYNC_KEYS = ['signal', 'onEpoch', 'onProgress', 'threads', 'keepPartial', 'workerUrl'] as const;
