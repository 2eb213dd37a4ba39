// What primal and dual training share: the definition of a mistake, and the counters of mistakes and epochs.

import {
  BIAS,
  BIAS_SCALE,
  BIAS_SUM,
  CEILING,
  COUNTS,
  CURSOR,
  INDEX,
  LOSS,
  MISTAKES,
  N,
  NORMS,
  PASSES,
  PASS_LOSS,
  PASS_MISTAKES,
  SEEN,
  SIGMA,
  SOFTNESS,
  STEP,
  STEPS,
  STEP_POSITIVE,
  SUMS,
  Y,
} from './layout';

/** Whether a sample with margin m is right: m is above μ and finite. */
@inline
export function isRight(m: f64, mu: f64): bool {
  return m > mu && m <= f64.MAX_VALUE;
}

/** Whether no passive-aggressive step can change the score of a sample, since ‖x̃‖² is 0: it counts as right (SPEC §15). */
export function isIdle(r: usize, sample: u32): bool {
  const norms: usize = load<u32>(r, NORMS);
  return norms != 0 && load<f64>(norms + ((<usize>sample) << 3)) == 0;
}

/** Counts the mistake with margin m on `sample`, after `before` samples, updates the bias and returns the step. */
export function addMistake(r: usize, sample: u32, m: f64, before: f64): f64 {
  const at = (<usize>sample) << 3;
  const steps: usize = load<u32>(r, STEPS);
  // STEP_NEGATIVE follows STEP_POSITIVE: an offset by the sign instead of a branch.
  const isNegative: usize = <u32>load<i8>(load<u32>(r, Y) + sample) >>> 31;
  let by = steps ? load<f64>(steps + at) : load<f64>(r + (isNegative << 3), STEP_POSITIVE);
  let loss = -m;
  const norms: usize = load<u32>(r, NORMS);
  if (norms) {
    loss = 1 - m;
    by *= min(load<f64>(r, CEILING), loss / (load<f64>(norms + at) + load<f64>(r, SOFTNESS)));
  }
  const scale = load<f64>(r, BIAS_SCALE);
  if (load<u32>(r, SUMS)) store<f64>(r, load<f64>(r, BIAS_SUM) + before * by * scale, BIAS_SUM);
  store<f64>(r, load<f64>(r, BIAS) + by * scale, BIAS);
  store<f64>(r, load<f64>(r, SIGMA) + abs(by), SIGMA);
  store<f64>(r, load<f64>(r, LOSS) + loss, LOSS);
  store<f64>(r, by, STEP);
  store<u32>(r, load<u32>(r, MISTAKES) + 1, MISTAKES);
  store<u32>(r, sample, INDEX);
  const count: usize = <usize>load<u32>(r, COUNTS) + ((<usize>sample) << 2);
  store<u32>(count, load<u32>(count) + 1);
  return by;
}

/** Closes an epoch: lists its mistakes and loss and resets the counters. Returns whether it had no mistake. */
export function closeEpoch(r: usize): bool {
  const mistakes = load<u32>(r, MISTAKES);
  const k: usize = load<u32>(r, PASSES);
  store<u32>(r + (k << 2), mistakes, PASS_MISTAKES);
  store<f64>(r + (k << 3), load<f64>(r, LOSS), PASS_LOSS);
  store<u32>(r, <u32>k + 1, PASSES);
  store<f64>(r, load<f64>(r, SEEN) + <f64>load<u32>(r, N), SEEN);
  store<f64>(r, 0, LOSS);
  store<u32>(r, 0, MISTAKES);
  store<u32>(r, 0, CURSOR);
  return mistakes == 0;
}
