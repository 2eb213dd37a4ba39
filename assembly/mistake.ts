// What primal and dual training have in common: what counts as right, and the books of a mistake and a pass.

import {
  BIAS,
  BIAS_SCALE,
  BIAS_SUM,
  COUNTS,
  CURSOR,
  INDEX,
  LOSS,
  MISTAKES,
  N,
  PASSES,
  PASS_LOSS,
  PASS_MISTAKES,
  SEEN,
  SIGMA,
  STEP_POSITIVE,
  SUMS,
  Y,
} from './layout';

/** A margin that needs no second look: a sample on the right side, and a number. */
@inline
export function isRight(m: f64, mu: f64): bool {
  return m > mu && m <= f64.MAX_VALUE;
}

/** Books the mistake with margin m on `sample`, after `before` samples seen, and returns its step. */
export function addMistake(r: usize, sample: u32, m: f64, before: f64): f64 {
  // STEP_NEGATIVE lies behind STEP_POSITIVE: an offset by the sign, for which the processor need not guess.
  const isNegative: usize = <u32>load<i8>(load<u32>(r, Y) + sample) >>> 31;
  const by = load<f64>(r + (isNegative << 3), STEP_POSITIVE);
  const scale = load<f64>(r, BIAS_SCALE);
  if (load<u32>(r, SUMS)) store<f64>(r, load<f64>(r, BIAS_SUM) + before * by * scale, BIAS_SUM);
  store<f64>(r, load<f64>(r, BIAS) + by * scale, BIAS);
  store<f64>(r, load<f64>(r, SIGMA) + abs(by), SIGMA);
  store<f64>(r, load<f64>(r, LOSS) - m, LOSS);
  store<u32>(r, load<u32>(r, MISTAKES) + 1, MISTAKES);
  store<u32>(r, sample, INDEX);
  const count: usize = <usize>load<u32>(r, COUNTS) + ((<usize>sample) << 2);
  store<u32>(count, load<u32>(count) + 1);
  return by;
}

/** Closes a pass: its mistakes and loss into the list, counters to zero. Returns whether it was clean. */
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
