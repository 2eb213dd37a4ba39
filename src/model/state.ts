// The result of training: plain data outside the kernels' memory. It is enough to predict, to diagnose
// (SPEC §4), to save, and to continue training exactly.

import type { KeptRows } from '../data/kept.js';
import type { Classes, Label } from '../data/labels.js';
import type { History } from './report.js';

/** Weights and bias. */
export interface Plane {
  readonly weights: Float64Array;
  readonly bias: number;
}

/** What every model has. */
export interface ModelState<L extends Label = Label> {
  readonly classes: Classes<L>;
  /** Columns of X. */
  readonly cols: number;
  readonly history: History;
}

/** The state of training that all learners share. */
export interface Standing {
  /** Samples seen (updates in order 'random', epochs in order 'batch'): the length of an average. */
  readonly seen: number;
  /** Σ |step| over all updates: σ of SPEC §4. */
  readonly sigma: number;
}

/** The state of one training run: a model has one, or one for each class. */
export interface RunState extends Standing {
  /** The smallest and the largest class weight that training has used. */
  readonly classWeightRange: readonly [number, number];
  /** The state of the random generator. */
  readonly random: Uint32Array;
  /** The ratchet's right answers in a row: of the last weights so far, and of the pocket's weights when they were stored. */
  readonly ratchet?: { readonly run: number; readonly pocketRun: number };
  readonly history: History;
}

export type TrainingState<L extends Label = Label> = ModelState<L> & RunState;

/** The result of primal training. */
export interface Linear {
  /** The plane that predicts: the mean if averaging is on, the pocket if there is one, else the last weights. */
  readonly plane: Plane;
  /** The last weights, from which training continues. */
  readonly last: Plane;
  /** Σ (samples seen before)·step·x of SPEC §9; undefined without averaging. */
  readonly sums: Plane | undefined;
  /** How often each row of the latest call was a mistake; not saved. */
  readonly counts?: Uint32Array;
}

/** The support vectors: the samples that were ever a mistake, by number. */
export interface Supports {
  /** Their rows. */
  readonly data: KeptRows;
  readonly indices: Uint32Array;
  /** y. */
  readonly signs: Int8Array;
  /** α, the last. */
  readonly alphas: Float64Array;
  /** n: how often each was a mistake. */
  readonly counts: Uint32Array;
  /** Σ (samples seen before)·|step| of SPEC §9; undefined without averaging. */
  readonly sums: Float64Array | undefined;
  /** α of the pocket; undefined without a pocket. */
  readonly pocket: Float64Array | undefined;
}

/** The result of dual training (SPEC §7). */
export interface Dual {
  readonly supports: Supports;
  readonly bias: number;
  readonly biasSum: number;
  readonly pocketBias: number;
  /** How many rows were trained on: samples are numbered 0 … samples − 1, block after block. */
  readonly samples: number;
  /** The number of the first row of the latest block. */
  readonly first: number;
  /** The cached s − b of the latest block; undefined if they equal those recomputed from α. */
  readonly scores: Float64Array | undefined;
}

/** The result of the multinomial update in primal form: the planes of all classes. */
export interface MultiLinear {
  readonly planes: readonly Linear[];
  /** How often each row of the latest call was a mistake; not saved. */
  readonly counts?: Uint32Array;
}

/** The support vectors of all classes, by sample number. */
export interface SupportRows {
  readonly data: KeptRows;
  readonly indices: Uint32Array;
  /** The class number of each. */
  readonly codes: Uint32Array;
}

/** The support vectors of the multinomial update. */
export interface MultiSupports extends SupportRows {
  /** n: how often each was a mistake. */
  readonly counts: Uint32Array;
  /** The coefficient of each in the score of each class: positive for its own class, negative for its rivals. */
  readonly betas: readonly Float64Array[];
  /** Σ (samples seen before)·step of SPEC §9; undefined without averaging. */
  readonly sums: readonly Float64Array[] | undefined;
}

/** The result of the multinomial update in dual form. */
export interface MultiDual {
  readonly supports: MultiSupports;
  readonly biases: Float64Array;
  readonly biasSums: Float64Array;
  readonly samples: number;
  readonly first: number;
  /** The cached s − b of the latest block, class by class; undefined if they equal those recomputed from the coefficients. */
  readonly scores: readonly Float64Array[] | undefined;
}

/** The result of training several classes: one run for each class (one-vs-rest), or one for all (multinomial). */
export type MultiLearned =
  | { readonly kind: 'planes'; readonly runs: readonly (RunState & Linear)[] }
  | {
      readonly kind: 'supports';
      /** The support vectors of all classes; `supports.data` of a run is empty. */
      readonly rows: SupportRows;
      /** Whether training used no Gram matrix: the result depends on it in its last bits. */
      readonly isByBlocks: boolean;
      readonly runs: readonly (RunState & Dual)[];
    }
  | { readonly kind: 'multinomial planes'; readonly runs: readonly [RunState & MultiLinear] }
  | { readonly kind: 'multinomial supports'; readonly runs: readonly [RunState & MultiDual] };

export type MultiState<L extends Label = Label> = ModelState<L> & MultiLearned;
export type LinearState<L extends Label = Label> = TrainingState<L> & Linear;
export type DualState<L extends Label = Label> = TrainingState<L> & Dual;

/** (T·v − sum) / T: the mean of v over T samples, from lazy sums (SPEC §9). */
export const meanOf = (v: number, sum: number, seen: number): number => (seen === 0 ? v : (seen * v - sum) / seen);
