// Splits rows into K parts with about the same share of every class: by the rule of perceptron-wasm/select.

import type { Label } from '../index.js';
import { type Fold, stratified } from '../select/index.js';
import { CommandError } from './errors.js';
import { label as shown } from './output.js';
import { classCounts } from './rows.js';

export type { Fold };

/** @throws CommandError if a training part would lack a class */
export function stratifiedFolds(y: readonly Label[], k: number, seed: number): Fold[] {
  if (k > y.length) throw new CommandError(`--folds ${k} is more than there are rows (${y.length})`);
  for (const { label, rows } of classCounts(y)) {
    if (rows < 2) throw new CommandError(`--folds needs two rows of each class at least; ${shown(label)} has one`);
  }
  return stratified(y, k, seed);
}

export interface Spread {
  readonly mean: number;
  /** The sample standard deviation (divisor K − 1). */
  readonly sd: number;
  readonly each: readonly number[];
}

export function spreadOf(each: readonly number[]): Spread {
  const mean = each.reduce((sum, value) => sum + value, 0) / each.length;
  const squares = each.reduce((sum, value) => sum + (value - mean) * (value - mean), 0);
  return { mean, sd: Math.sqrt(squares / (each.length - 1)), each };
}
