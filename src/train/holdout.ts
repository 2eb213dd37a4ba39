// Early stopping: a share of the rows is held out, and training stops when accuracy on them no longer rises.

import type { Encoded } from '../data/labels.js';
import { Random } from './random.js';
import type { NumericSettings } from './settings.js';

export interface HeldOut {
  /** The rows that are left to train on, ascending. */
  readonly training: Uint32Array;
  /** The rows to judge by, ascending. */
  readonly judging: Uint32Array;
}

/** Holds out ⌈share · rows⌉ of each class, drawn by the seeded generator. @throws RangeError if a side would be empty */
export function holdOut({ validationFraction, seed }: NumericSettings, { codes, counts }: Encoded): HeldOut {
  // A generator of its own: the same rows are held out whenever training goes on with the same data.
  const random = Random.seeded(seed);
  const training: number[] = [];
  const judging: number[] = [];
  counts.forEach((_, code) => {
    const rows: number[] = [];
    for (let i = 0; i < codes.length; i++) if (codes[i] === code) rows.push(i);
    if (rows.length === 0) return; // a class that was named and has no rows here
    random.shuffle(rows);
    const held = Math.ceil(validationFraction * rows.length);
    if (held >= rows.length) {
      throw new RangeError(
        `"validationFraction" ${validationFraction} holds out all ${rows.length} rows of a class; nothing would be left to train on`,
      );
    }
    rows.forEach((row, i) => {
      (i < held ? judging : training).push(row);
    });
  });
  const ascending = (rows: number[]) => Uint32Array.from(rows).sort();
  return { training: ascending(training), judging: ascending(judging) };
}

/** Waits for better weights, but not for ever. */
export class Patience {
  #best = -1;
  #waited = 0;
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Whether it is over, given how many of the rows held out are right now. */
  isOver(right: number): boolean {
    this.#waited = right > this.#best ? 0 : this.#waited + 1;
    this.#best = Math.max(this.#best, right);
    return this.#waited >= this.#limit;
  }
}
