// Early stopping: a share of the rows is held out, and training stops when accuracy on them no longer rises.

import type { NumericSettings } from './options.js';
import { Random } from './random.js';

export interface Validation {
  /** The rows that are left to train on, ascending. */
  readonly training: Uint32Array;
  /** Scores the rows held out; true once `patience` passes brought nothing better. */
  isOver(scoresAt: (rows: Uint32Array) => Float64Array): boolean;
}

/** Holds out ⌈share · rows⌉ of each class, drawn by the seeded generator. @throws RangeError if a side would be empty */
export function holdOut(settings: NumericSettings, labels: Int8Array): Validation {
  const { validationFraction, patience } = settings;
  // A generator of its own: the same rows are held out whenever training goes on with the same data.
  const random = Random.seeded(settings.seed);
  const training: number[] = [];
  const heldOut: number[] = [];
  for (const sign of [-1, 1]) {
    const rows: number[] = [];
    for (let i = 0; i < labels.length; i++) if (labels[i] === sign) rows.push(i);
    random.shuffle(rows);
    const held = Math.ceil(validationFraction * rows.length);
    if (held >= rows.length) {
      throw new RangeError(
        `"validationFraction" ${validationFraction} holds out all ${rows.length} rows of a class; nothing would be left to train on`,
      );
    }
    rows.forEach((row, i) => {
      (i < held ? heldOut : training).push(row);
    });
  }
  const ascending = (rows: number[]) => Uint32Array.from(rows).sort();
  const checked = ascending(heldOut);
  const arePositive = Array.from(checked, (row) => (labels[row] as number) > 0);
  let best = -1;
  let waited = 0;
  return {
    training: ascending(training),
    isOver(scoresAt) {
      let right = 0;
      scoresAt(checked).forEach((score, i) => {
        if (score >= 0 === arePositive[i]) right++;
      });
      waited = right > best ? 0 : waited + 1;
      best = Math.max(best, right);
      return waited >= patience;
    },
  };
}
