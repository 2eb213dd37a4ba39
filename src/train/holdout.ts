// Early stopping: holds out a share of the rows, and stops training when the accuracy on them no longer rises.

import { Random } from '../random.js';
import type { NumericSettings } from './settings.js';

export interface HeldOut {
  /** The rows to train on, ascending. */
  readonly training: Uint32Array;
  /** The rows held out, ascending. */
  readonly judging: Uint32Array;
}

/** Holds out ⌈share · rows⌉ of each class, without rows of weight 0, drawn by the seeded generator. @throws RangeError if a side would be empty */
export function holdOut(
  { validationFraction, seed }: NumericSettings,
  codes: Uint32Array,
  counts: readonly number[],
  weights: Float64Array | undefined,
): HeldOut {
  // A generator of its own: with the same data, every session holds out the same rows.
  const random = Random.seeded(seed);
  // The rows of all classes, class by class.
  const total = counts.reduce((a, b) => a + b, 0);
  const rows = new Uint32Array(total);
  const ends = new Uint32Array(counts.length);
  for (let code = 1; code < counts.length; code++)
    ends[code] = (ends[code - 1] as number) + (counts[code - 1] as number);
  for (let i = 0; i < codes.length; i++) {
    if (weights && weights[i] === 0) continue;
    const code = codes[i] as number;
    const place = ends[code] as number;
    rows[place] = i;
    ends[code] = place + 1;
  }
  const isHeld = new Uint8Array(codes.length);
  let judged = 0;
  for (let code = 0, from = 0; code < counts.length; from = ends[code++] as number) {
    const own = rows.subarray(from, ends[code]);
    if (own.length === 0) continue; // a class of the option `classes` without rows
    random.shuffle(own);
    const held = Math.ceil(validationFraction * own.length);
    if (held >= own.length) {
      throw new RangeError(
        `"validationFraction" ${validationFraction} holds out all ${own.length} rows of a class; nothing would be left to train on`,
      );
    }
    judged += held;
    for (let k = 0; k < held; k++) isHeld[own[k] as number] = 1;
  }
  const heldOut = { training: new Uint32Array(total - judged), judging: new Uint32Array(judged) };
  for (let i = 0, k = 0, t = 0; i < codes.length; i++) {
    if (isHeld[i]) heldOut.judging[k++] = i;
    else if (weights?.[i] !== 0) heldOut.training[t++] = i;
  }
  return heldOut;
}

/** Counts epochs whose loss is not lower than the best by at least `least`: scikit-learn's n_iter_no_change (SPEC §15). */
export class Progress {
  #best = Infinity;
  #waited = 0;
  readonly #least: number;
  readonly #limit: number;

  constructor(least: number, limit: number) {
    this.#least = least;
    this.#limit = limit;
  }

  /** Whether to stop, given the loss of an epoch. */
  isOver(loss: number): boolean {
    this.#waited = loss > this.#best - this.#least ? this.#waited + 1 : 0;
    this.#best = Math.min(this.#best, loss);
    return this.#waited >= this.#limit;
  }
}

/** Counts epochs without a better accuracy. */
export class Patience {
  #best = -1;
  #waited = 0;
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Whether to stop, given how many of the rows held out are predicted correctly now. */
  isOver(right: number): boolean {
    this.#waited = right > this.#best ? 0 : this.#waited + 1;
    this.#best = Math.max(this.#best, right);
    return this.#waited >= this.#limit;
  }
}
