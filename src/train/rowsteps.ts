// Steps that differ by row: (η·c)·y with weights of rows (SPEC §14), and τ of passive-aggressive updates, which needs the squared length
// of each row (SPEC §15). Both are lists in the arena that the kernels read at each mistake.

import * as at from '../../assembly/layout.js';
import { type Pausing, runCalls } from '../async/pausing.js';
import { firstBad } from '../data/arenarows.js';
import { normCalls } from '../data/products.js';
import type { Learner } from './learner.js';
import type { Hooks } from './loop.js';

/** The largest number below 1: y·s > BELOW_ONE is y·s ≥ 1, what a passive-aggressive update asks for. */
export const BELOW_ONE = 1 - 2 ** -53;

/**
 * Fills the lists of a learner. Lengths do not depend on the class: one-vs-rest computes them for its `first` learner, the others share
 * its list. @throws RangeError at a step that is no finite number > 0, or a length that is not finite
 */
export function* listRowSteps(learner: Learner, first: Learner, { clock }: Hooks): Pausing<void> {
  const { record, settings, problem, engine, rows, labels } = learner;
  const { update, aggressiveness } = settings;
  const { X, rowWeights } = problem;
  const steps = rowWeights && engine.arena.f64(record.u32(at.STEPS), rows);
  for (let i = 0; steps && i < rows; i++) {
    const y = labels[i] as number;
    const weight = rowWeights[i] as number;
    const size = settings.learningRate * (learner.classWeightOf(i, y) * weight);
    if (weight > 0 && !(size > 0 && size < Infinity)) {
      throw new RangeError(
        `"learningRate" times the weights of row ${X.first + i} must be a finite number > 0, got ${size}`,
      );
    }
    steps[i] = size * y;
  }
  if (update === 'perceptron') return;
  const offset = first.record.u32(at.NORMS);
  record.setU32(at.NORMS, offset);
  record.setF64(at.CEILING, update === 'pa1' ? aggressiveness : Infinity);
  record.setF64(at.SOFTNESS, update === 'pa1' ? 0 : 1 / (2 * aggressiveness));
  if (learner === first) {
    yield* runCalls(engine, normCalls(X, offset), clock);
    learner.applyKernel?.(offset);
    const norms = engine.arena.f64(offset, rows);
    const scale = record.f64(at.BIAS_SCALE);
    for (let i = 0; i < rows; i++) {
      const q = (norms[i] as number) + scale;
      if (!(q < Infinity)) {
        throw firstBad(X) ?? new RangeError(`the squared length of row ${X.first + i} overflows; scale X down`);
      }
      norms[i] = q;
      learner.hasIdle ||= q === 0;
    }
  }
  learner.hasIdle = first.hasIdle;
}

/** The smallest and the largest weight c of a sample, with those of an earlier session. */
export function weightRange(learner: Learner, [least, most]: readonly [number, number]): [number, number] {
  const { labels, problem } = learner;
  for (const i of problem.samples ?? labels.keys()) {
    const weight = learner.classWeightOf(i, labels[i] as number) * ((problem.rowWeights as Float64Array)[i] as number);
    least = Math.min(least, weight);
    most = Math.max(most, weight);
  }
  return least <= most ? [least, most] : [1, 1]; // a block of a stream may have no sample
}
