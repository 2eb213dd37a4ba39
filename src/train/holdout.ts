// Early stopping: a share of the rows is held out, and training stops when accuracy on them no longer rises.

import * as at from '../../assembly/layout.js';
import type { ArenaRows } from '../data/rows.js';
import type { Kernels } from '../engine/contract.js';
import type { Arena } from '../memory/arena.js';
import type { NumericSettings } from './options.js';
import type { PrimalLearner } from './primal.js';
import { Random } from './random.js';

export interface Validation {
  /** The rows that are left to train on, ascending. */
  readonly training: Uint32Array;
  /** Scores the rows held out; true once `patience` passes brought nothing better. */
  isOver(kernels: Kernels, X: ArenaRows, learner: PrimalLearner, arena: Arena): boolean;
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
  let best = -1;
  let waited = 0;
  return {
    training: ascending(training),
    isOver(kernels, X, learner, arena) {
      const n = checked.length;
      const block = arena.allocate(8 * n + at.GROUP_BYTES + 4 * n, 'the rows held out');
      const [out, group, order] = [block.offset, block.offset + 8 * n, block.offset + 8 * n + at.GROUP_BYTES];
      try {
        arena.u32(order, n).set(checked);
        const bias = learner.record.f64(at.BIAS);
        kernels.scores(X.element, X.offset, n, X.cols, order, learner.weightsOffset, bias, out, group);
        const now = learner.labels;
        let right = 0;
        arena.f64(out, n).forEach((score, i) => {
          if (score >= 0 === (now[checked[i] as number] as number) > 0) right++;
        });
        waited = right > best ? 0 : waited + 1;
        best = Math.max(best, right);
        return waited >= patience;
      } finally {
        arena.release(block);
      }
    },
  };
}
