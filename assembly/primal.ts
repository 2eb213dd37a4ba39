// Primal training (Rosenblatt 1958; SPEC §2, §3), resumable over the record of layout.ts.
//
//   mistake:  not (y_i (w·x_i + b) > μ)
//   update:   step = (η·c)·y_i;   w ← w + step·x_i;   b ← b + step·B²
//
// `run` visits the samples in their order and updates at each mistake (cyclic, shuffle). It scores
// several rows ahead with the same w; the first mistake among them makes the later scores stale, and
// only those are computed again. Its update waits in `pending` and is fused with the next scores. How
// many rows it scores ahead depends on the recent mistakes and changes the speed only: results are
// bit-identical to those of one row after another, as it visits short and sparse rows (seekOne).
// `scan` and `apply` are the two halves on their own, for orders that score all samples first (random, batch).
//
// Averaging (SPEC §9) is lazy. With t samples seen before an update, SUMS gains t·step·x; after T samples
// the mean of w is (T·w − SUMS) / T.

import { dots } from './dot';
import { splitFor } from './halves';
import {
  BIAS,
  CALM,
  CLEAN,
  CLOSED,
  COUNT,
  CURSOR,
  D,
  ELEMENT,
  FLOAT64,
  GROUP,
  GROUP_SCORES,
  INDEX,
  LAST_CALM,
  LIST,
  MARGINS,
  MISTAKE,
  MU,
  N,
  NON_FINITE,
  NORMS,
  ORDER,
  PASSES,
  PAUSED,
  SEEN,
  SPARSE,
  SUMS,
  W,
  X,
  Y,
} from './layout';
import { addMistake, closeEpoch, isIdle, isRight } from './mistake';
import { fullGroup, listGroup, strideOf } from './scores';
import { seekOne, step, stepDots } from './step';

/** Rows visited in one call of seekOne: V8 optimises a function when it is called again. */
const SEEK: u32 = 512;

/**
 * Rows of at most so many values are scored one by one, and the processor overlaps them by itself: 1.3 to 1.5 times as fast at 4
 * values, as fast at 32 (Zen 4; up to 1.15 times as fast at 100 on Node 20, but slower from 50 on with Node 24).
 */
const SHORT: usize = 32;

/** Rows of at least this many bytes are expensive to score in vain: look ahead only some samples after a mistake. */
const LONG_ROW: usize = 128 << 10;

/** How many rows to score together now: up to 4 with an update, up to 12 without. Results do not depend on it. */
@inline
function lookAhead(stride: usize, full: u32, updating: bool, calm: u32, lastCalm: u32): u32 {
  if (updating) return stride < LONG_ROW || lastCalm >= 4 ? 4 : 1;
  return calm < 8 ? 4 : full;
}

/** Counts a mistake and updates the sums of the average, but not w; returns the step. */
export function addPrimalMistake(r: usize, sample: u32, m: f64, before: f64): f64 {
  const by = addMistake(r, sample, m, before);
  const sums: usize = load<u32>(r, SUMS);
  if (sums) {
    const d: usize = load<u32>(r, D);
    const element: usize = load<u32>(r, ELEMENT);
    step(element, sums, <usize>load<u32>(r, X) + <usize>sample * strideOf(element, d), before * by, d);
  }
  return by;
}

/**
 * Continues training until `rows` samples were visited, `mistakes` mistakes were made, `epochs` epochs
 * (at most PASS_CAPACITY) were closed, an epoch had no mistake, or a score was not finite.
 */
export function run(r: usize, rows: u32, mistakes: u32, epochs: u32): i32 {
  const n = load<u32>(r, N);
  const d: usize = load<u32>(r, D);
  const x: usize = load<u32>(r, X);
  const y: usize = load<u32>(r, Y);
  const w: usize = load<u32>(r, W);
  const order: usize = load<u32>(r, ORDER);
  const mu = load<f64>(r, MU);
  let element = splitFor(load<u32>(r, ELEMENT), w, d, rows);
  const stride = strideOf(element, d);
  const full = fullGroup(n, stride);
  const group = r + GROUP;
  const isSingle = element == SPARSE || (element == FLOAT64 && d <= SHORT);

  let status = PAUSED;
  let cursor = load<u32>(r, CURSOR);
  let calm = load<u32>(r, CALM);
  let lastCalm = load<u32>(r, LAST_CALM);
  let pending: usize = 0; // the row of the update that w still lacks; pendingStep is its step
  let pendingStep: f64 = 0;
  store<u32>(r, 0, PASSES);

  while (true) {
    if (cursor == n) {
      cursor = 0;
      if (closeEpoch(r)) {
        status = CLEAN;
        break;
      }
      if (load<u32>(r, PASSES) == epochs) {
        status = CLOSED;
        break;
      }
    }
    if (rows == 0) break;

    const b = load<f64>(r, BIAS);
    let count = min(rows, n - cursor);
    let i: u32 = 0;
    let sample: u32 = 0;
    let m: f64 = 0;
    if (isSingle) {
      count = min(count, SEEK);
      const out = group + GROUP_SCORES;
      i = seekOne(element, pending, pendingStep, x, stride, d, order, y, w, b, mu, cursor, cursor + count, out) - cursor;
      m = load<f64>(out);
      if (i < count) sample = order ? load<u32>(order + ((<usize>(cursor + i)) << 2)) : cursor + i;
    } else {
      count = min(lookAhead(stride, full, pending != 0, calm, lastCalm), count);
      listGroup(x, stride, order, cursor, count, group);
      if (pending) element = stepDots(element, w, pending, pendingStep, d, count, group, group + GROUP_SCORES);
      else dots(element, count, group, w, d, group + GROUP_SCORES);
      for (; i < count; i++) {
        sample = order ? load<u32>(order + ((<usize>(cursor + i)) << 2)) : cursor + i;
        m = load<f64>(group + ((<usize>i) << 3), GROUP_SCORES) + b;
        if (load<i8>(y + sample) < 0) m = -m;
        if (!isRight(m, mu)) break;
      }
    }
    pending = 0;
    cursor += i;
    calm += i;
    rows -= i;
    if (i == count) continue;
    if (load<u32>(r, NORMS) && isIdle(r, sample)) {
      cursor++;
      rows--;
      continue;
    }

    if (m - m != 0) {
      store<u32>(r, sample, INDEX);
      status = NON_FINITE;
      break;
    }
    pendingStep = addPrimalMistake(r, sample, m, load<f64>(r, SEEN) + <f64>cursor);
    pending = x + <usize>sample * stride;
    cursor++;
    rows--;
    lastCalm = calm;
    calm = 0;
    if (--mistakes == 0) {
      status = MISTAKE;
      break;
    }
  }
  if (pending) step(element, w, pending, pendingStep, d);
  store<u32>(r, cursor, CURSOR);
  store<u32>(r, calm, CALM);
  store<u32>(r, lastCalm, LAST_CALM);
  return status;
}

/** Lists the mistakes of the current w: continues from CURSOR for at most `rows` samples. */
export function scan(r: usize, rows: u32): i32 {
  const n = load<u32>(r, N);
  const d: usize = load<u32>(r, D);
  const x: usize = load<u32>(r, X);
  const y: usize = load<u32>(r, Y);
  const w: usize = load<u32>(r, W);
  const order: usize = load<u32>(r, ORDER);
  const list: usize = load<u32>(r, LIST);
  const margins: usize = load<u32>(r, MARGINS);
  const mu = load<f64>(r, MU);
  const b = load<f64>(r, BIAS);
  const element = splitFor(load<u32>(r, ELEMENT), w, d, rows);
  const stride = strideOf(element, d);
  const full = fullGroup(n, stride);
  const group = r + GROUP;

  let cursor = load<u32>(r, CURSOR);
  let found: usize = load<u32>(r, COUNT);
  let status = PAUSED;
  while (rows != 0 && cursor < n) {
    const count = min(full, min(rows, n - cursor));
    listGroup(x, stride, order, cursor, count, group);
    dots(element, count, group, w, d, group + GROUP_SCORES);
    for (let i: u32 = 0; i < count; i++) {
      const sample = order ? load<u32>(order + ((<usize>(cursor + i)) << 2)) : cursor + i;
      let m = load<f64>(group + ((<usize>i) << 3), GROUP_SCORES) + b;
      if (load<i8>(y + sample) < 0) m = -m;
      if (isRight(m, mu) || isIdle(r, sample)) continue;
      if (m - m != 0) {
        store<u32>(r, sample, INDEX);
        return NON_FINITE;
      }
      store<u32>(list + (found << 2), sample);
      store<f64>(margins + (found << 3), m);
      found++;
    }
    cursor += count;
    rows -= count;
  }
  if (cursor == n) status = CLOSED;
  store<u32>(r, cursor, CURSOR);
  store<u32>(r, <u32>found, COUNT);
  return status;
}

/** Makes the updates for `count` entries of LIST from `from` on, each after SEEN samples; returns `count`. */
export function apply(r: usize, from: u32, count: u32): u32 {
  const d: usize = load<u32>(r, D);
  const x: usize = load<u32>(r, X);
  const w: usize = load<u32>(r, W);
  const list: usize = load<u32>(r, LIST);
  const margins: usize = load<u32>(r, MARGINS);
  const seen = load<f64>(r, SEEN);
  const element: usize = load<u32>(r, ELEMENT);
  const stride = strideOf(element, d);
  for (let k: usize = from, end: usize = from + count; k < end; k++) {
    const sample = load<u32>(list + (k << 2));
    const by = addPrimalMistake(r, sample, load<f64>(margins + (k << 3)), seen);
    step(element, w, x + <usize>sample * stride, by, d);
  }
  return count;
}
