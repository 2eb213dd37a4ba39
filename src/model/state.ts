// What training leaves behind: plain data, nothing of it in the kernels' memory, all that is needed to
// predict, to prove (SPEC §4), to save, and to go on training as if it had never stopped.

import type { Classes, Label } from '../data/labels.js';
import type { History } from './report.js';

/** Weights and bias that belong together. */
export interface Plane {
  readonly weights: Float64Array;
  readonly bias: number;
}

export interface LinearState<L extends Label = Label> {
  readonly classes: Classes<L>;
  /** What predicts: the mean where averaging is on, else the last. */
  readonly plane: Plane;
  /** The last weights, which training goes on from. */
  readonly last: Plane;
  /** Σ (samples seen before)·step·x of SPEC §9, where averaging is on. */
  readonly sums: Plane | undefined;
  /** Samples seen (updates in order 'random', passes in order 'batch'): what the mean is over. */
  readonly seen: number;
  /** Σ |step| over all updates: σ of SPEC §4. */
  readonly sigma: number;
  /** The smallest and the largest class weight that was in force. */
  readonly classWeightRange: readonly [number, number];
  /** The generator, to go on drawing from. */
  readonly random: Uint32Array;
  readonly history: History;
}
