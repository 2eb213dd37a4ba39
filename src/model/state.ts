// What training leaves behind: plain data, nothing of it in the kernels' memory, all that is needed to
// predict, to prove (SPEC §4), to save, and to go on training as if it had never stopped.

import type { KeptRows } from '../data/kept.js';
import type { Classes, Label } from '../data/labels.js';
import type { History } from './report.js';

/** Weights and bias that belong together. */
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

/** Where training stands, whatever it learns. */
export interface Standing {
  /** Samples seen (updates in order 'random', passes in order 'batch'): what a mean is over. */
  readonly seen: number;
  /** Σ |step| over all updates: σ of SPEC §4. */
  readonly sigma: number;
}

/** Where one run of the training loop stands: a model has one, or one for each class. */
export interface RunState extends Standing {
  /** The smallest and the largest class weight that was in force. */
  readonly classWeightRange: readonly [number, number];
  /** The generator, to go on drawing from. */
  readonly random: Uint32Array;
  /** The ratchet's right answers in a row: of the last weights so far, and of the pocket's when they were put there. */
  readonly ratchet?: { readonly run: number; readonly pocketRun: number };
  readonly history: History;
}

export type TrainingState<L extends Label = Label> = ModelState<L> & RunState;

/** What primal training learns. */
export interface Linear {
  /** What predicts: the mean where averaging is on, the pocket where there is one, else the last. */
  readonly plane: Plane;
  /** The last weights, which training goes on from. */
  readonly last: Plane;
  /** Σ (samples seen before)·step·x of SPEC §9, where averaging is on. */
  readonly sums: Plane | undefined;
  /** How often each row of the latest call was the mistake; not saved. */
  readonly counts?: Uint32Array;
}

/** The samples that were ever a mistake, by number. */
export interface Supports {
  /** Their rows. */
  readonly data: KeptRows;
  readonly indices: Uint32Array;
  /** y. */
  readonly signs: Int8Array;
  /** α, the last. */
  readonly alphas: Float64Array;
  /** n: how often each was the mistake. */
  readonly counts: Uint32Array;
  /** Σ (samples seen before)·|step| of SPEC §9, where averaging is on. */
  readonly sums: Float64Array | undefined;
  /** α of the pocket, where there is one. */
  readonly pocket: Float64Array | undefined;
}

/** What dual training learns (SPEC §7). */
export interface Dual {
  readonly supports: Supports;
  readonly bias: number;
  readonly biasSum: number;
  readonly pocketBias: number;
  /** Rows trained on so far: samples are numbered 0 … samples − 1, block after block. */
  readonly samples: number;
  /** The number of the first row of the latest block. */
  readonly first: number;
  /** The cached s − b of the latest block; undefined where they are what α gives, recomputed. */
  readonly scores: Float64Array | undefined;
}

/** Planes of all classes, as the multinomial update learns them. */
export interface MultiLinear {
  readonly planes: readonly Linear[];
  /** How often each row of the latest call was the mistake; not saved. */
  readonly counts?: Uint32Array;
}

/** Rows of X that are supports of any class, by number. */
export interface SupportRows {
  readonly data: KeptRows;
  readonly indices: Uint32Array;
  /** The class number of each. */
  readonly codes: Uint32Array;
}

/** The samples that were ever a mistake of the multinomial update. */
export interface MultiSupports extends SupportRows {
  /** n: how often each was the mistake. */
  readonly counts: Uint32Array;
  /** The coefficient of each in the score of each class: raised for its own, lowered for its rivals. */
  readonly betas: readonly Float64Array[];
  /** Σ (samples seen before)·step of SPEC §9, where averaging is on. */
  readonly sums: readonly Float64Array[] | undefined;
}

/** What the multinomial update learns in dual form. */
export interface MultiDual {
  readonly supports: MultiSupports;
  readonly biases: Float64Array;
  readonly biasSums: Float64Array;
  readonly samples: number;
  readonly first: number;
  /** The cached s − b of the latest block, class by class; undefined where they are what the coefficients give. */
  readonly scores: readonly Float64Array[] | undefined;
}

/** What a model of many classes learned: one run for each class (one-vs-rest), or one for all (multinomial). */
export type MultiLearned =
  | { readonly kind: 'planes'; readonly runs: readonly (RunState & Linear)[] }
  | {
      readonly kind: 'supports';
      /** The supports of all classes; `supports.data` of a run is empty. */
      readonly rows: SupportRows;
      /** Whether no Gram matrix was kept: the bits depend on it. */
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
