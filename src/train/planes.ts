// Planes as training leaves them: checked, and their mean where averaging is on (SPEC §9).

import { type ArenaRows, allFinite, firstBad } from '../data/arenarows.js';
import { type Linear, meanOf, type Plane } from '../model/state.js';
import { overflowed } from './learner.js';

/** The last update of a fit has no score after it that would show an overflow. @throws RangeError if there was one */
export function checked(plane: Plane, X: ArenaRows): Plane {
  if (allFinite(plane.weights) && Number.isFinite(plane.bias)) return plane;
  const k = plane.weights.findIndex((w) => !Number.isFinite(w));
  throw firstBad(X) ?? overflowed(k < 0 ? 'the bias' : `the weight of column ${k}`);
}

/** The last weights with their sums, and what predicts: the mean, or the last where there are no sums. */
export function linearOf(last: Plane, sums: Plane | undefined, seen: number, X: ArenaRows): Linear {
  checked(last, X);
  if (!sums) return { last, sums, plane: last };
  const mean = {
    weights: last.weights.map((w, k) => meanOf(w, sums.weights[k] as number, seen)),
    bias: meanOf(last.bias, sums.bias, seen),
  };
  return { last, sums, plane: checked(mean, X) };
}
