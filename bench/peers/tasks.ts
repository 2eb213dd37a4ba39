// What the tasks for peers have in common. All values are on the grid of data/generate.ts: whoever follows the same rule
// ends with the same bits, and that is checked before anybody is timed.

import type { Perceptron } from 'perceptron-wasm';
import type { Plane } from '../baseline/perceptron.js';
import type { Task } from './turns.js';

export const OURS = 'perceptron-wasm';
export { BASELINE } from '../harness/results.js';

/** A task, and what gives its memory back when it is over. */
export interface Prepared extends Task {
  dispose?: () => void | Promise<void>;
}

export interface Size {
  rows: number;
  cols: number;
  passes: number;
}

/** Weights, the bias last. */
export function planeOf({ weights, bias }: Plane): Float64Array {
  const plane = new Float64Array(weights.length + 1);
  plane.set(weights);
  plane[weights.length] = bias;
  return plane;
}

/** Throws unless a set kept the model busy for all passes. */
export function expectPasses({ report }: Perceptron<number>, passes: number): void {
  if (report.epochs === passes) return;
  throw new Error(`this set was to keep everybody busy for ${passes} passes, not ${report.epochs}`);
}
