// Splits rows into K parts with about the same share of every class; seeded, so that results are reproducible.

import type { Label } from '../index.js';
import { Random } from '../random.js';
import { CommandError } from './errors.js';
import { label as shown } from './output.js';
import { classCounts } from './rows.js';

export interface Fold {
  /** Row numbers, ascending. */
  readonly train: Uint32Array;
  readonly test: Uint32Array;
}

/** @throws CommandError if a training part would lack a class */
export function stratifiedFolds(y: readonly Label[], k: number, seed: number): Fold[] {
  if (k > y.length) throw new CommandError(`--folds ${k} is more than there are rows (${y.length})`);
  const byClass = new Map<Label, number[]>();
  for (const { label, rows } of classCounts(y)) {
    if (rows < 2) throw new CommandError(`--folds needs two rows of each class at least; ${shown(label)} has one`);
    byClass.set(label, []);
  }
  y.forEach((label, i) => void byClass.get(label)?.push(i));
  const random = Random.seeded(seed);
  const foldOf = new Uint32Array(y.length);
  // Deals rows like cards; each class continues where the last one ended, so that parts differ by one row at most.
  let next = 0;
  for (const rows of byClass.values()) {
    random.shuffle(rows);
    for (const row of rows) foldOf[row] = next++ % k;
  }
  const all = Uint32Array.from(y, (_, i) => i);
  return Array.from({ length: k }, (_, fold) => ({
    train: all.filter((i) => foldOf[i] !== fold),
    test: all.filter((i) => foldOf[i] === fold),
  }));
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
