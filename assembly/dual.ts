// Dual training with cached scores (SPEC §7), resumable over the record of layout.ts.
//
//   s_i = Σ_j α_j y_j K(x_i, x_j) + b          cached for every row: a check is one read (seek.ts)
//   mistake at j:  α_j ← α_j + |step|;  s_i ← s_i + step·K_ij for all i;  b ← b + step·B²

import {
  ALPHAS,
  ALPHA_SUMS,
  APPLIED,
  BIAS,
  BLOCK,
  CLEAN,
  CLOSED,
  COUNT,
  CURSOR,
  INDEX,
  LIST,
  MARGINS,
  MISTAKE,
  MU,
  N,
  NON_FINITE,
  ORDER,
  PASSES,
  PAUSED,
  QUEUE,
  QUEUE_CAPACITY,
  ROWS,
  SCORES,
  SEEN,
  SIGNS,
  STAMPS,
  TICK,
  WANTS_ROW,
} from './layout';
import { addMistake, closeEpoch, isIdle, isRight } from './mistake';
import { firstWrong, isUnit, marginOf, settle } from './seek';

/** Counts a mistake and queues its update as entry `total`. */
@inline
function queueMistake(r: usize, unit: bool, sample: u32, m: f64, before: f64, row: u32, total: u32): void {
  const by = addMistake(r, sample, m, before);
  const size = abs(by);
  const at = (<usize>sample) << 3;
  const alpha: usize = <usize>load<u32>(r, ALPHAS) + at;
  store<f64>(alpha, load<f64>(alpha) + size);
  const sums: usize = load<u32>(r, ALPHA_SUMS);
  if (sums) store<f64>(sums + at, load<f64>(sums + at) + before * size);
  const stamps: usize = load<u32>(r, STAMPS);
  if (stamps) {
    const tick = load<f64>(r, TICK) + 1;
    store<f64>(r, tick, TICK);
    store<f64>(stamps + at, tick);
  }
  const steps: usize = load<u32>(r, QUEUE);
  store<f64>(steps + ((<usize>total) << 3), unit ? copysign<f64>(0, by) : by);
  store<u32>(steps + ((<usize>load<u32>(r, QUEUE_CAPACITY)) << 3) + ((<usize>total) << 2), row);
}

/** As `run` of primal.ts; also stops with WANTS_ROW if a mistake needs a row of the Gram matrix that is not in memory. */
export function runDual(r: usize, rows: u32, mistakes: u32, epochs: u32): i32 {
  const n = load<u32>(r, N);
  const scores: usize = load<u32>(r, SCORES);
  const signs: usize = load<u32>(r, SIGNS);
  const order: usize = load<u32>(r, ORDER);
  const table: usize = load<u32>(r, ROWS);
  const capacity = load<u32>(r, QUEUE_CAPACITY);
  const applied: usize = load<u32>(r, APPLIED);
  const mu = load<f64>(r, MU);
  const unit = isUnit(r);

  let status = PAUSED;
  let cursor = load<u32>(r, CURSOR);
  let total: u32 = 0;
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

    let sample: u32 = 0;
    if (order) {
      sample = load<u32>(order + ((<usize>cursor) << 2));
      const isCurrent = load<u32>(applied + ((<usize>(sample / BLOCK)) << 2)) == total;
      if (
        isCurrent
          ? isRight(marginOf(scores, signs, sample, load<f64>(r, BIAS)), mu)
          : firstWrong(r, unit, sample, sample + 1, total) != sample
      ) {
        cursor++;
        rows--;
        continue;
      }
    } else {
      const end = cursor + min(rows, n - cursor);
      sample = firstWrong(r, unit, cursor, end, total);
      rows -= sample - cursor;
      cursor = sample;
      if (sample == end) continue;
    }
    if (isIdle(r, sample)) {
      cursor++;
      rows--;
      continue;
    }
    const m = marginOf(scores, signs, sample, load<f64>(r, BIAS));
    if (m - m != 0) {
      store<u32>(r, sample, INDEX);
      status = NON_FINITE;
      break;
    }
    const row = load<u32>(table + ((<usize>sample) << 2));
    if (row == 0) {
      store<u32>(r, sample, INDEX);
      status = WANTS_ROW;
      break;
    }
    if (total == capacity) {
      settle(r, total);
      total = 0;
    }
    queueMistake(r, unit, sample, m, load<f64>(r, SEEN) + <f64>cursor, row, total);
    total++;
    cursor++;
    rows--;
    if (--mistakes == 0) {
      status = MISTAKE;
      break;
    }
  }
  settle(r, total);
  store<u32>(r, cursor, CURSOR);
  return status;
}

/** As `scan` of primal.ts. */
export function scanDual(r: usize, rows: u32): i32 {
  const n = load<u32>(r, N);
  const scores: usize = load<u32>(r, SCORES);
  const signs: usize = load<u32>(r, SIGNS);
  const order: usize = load<u32>(r, ORDER);
  const list: usize = load<u32>(r, LIST);
  const margins: usize = load<u32>(r, MARGINS);
  const mu = load<f64>(r, MU);
  const b = load<f64>(r, BIAS);
  let cursor = load<u32>(r, CURSOR);
  let found: usize = load<u32>(r, COUNT);
  const end = cursor + min(rows, n - cursor);
  while (cursor < end) {
    let sample = cursor;
    if (order) {
      sample = load<u32>(order + ((<usize>cursor) << 2));
    } else {
      sample = cursor = firstWrong(r, false, cursor, end, 0);
      if (cursor == end) break;
    }
    const m = marginOf(scores, signs, sample, b);
    if (!isRight(m, mu) && !isIdle(r, sample)) {
      if (m - m != 0) {
        store<u32>(r, sample, INDEX);
        return NON_FINITE;
      }
      store<u32>(list + (found << 2), sample);
      store<f64>(margins + (found << 3), m);
      found++;
    }
    cursor++;
  }
  store<u32>(r, cursor, CURSOR);
  store<u32>(r, <u32>found, COUNT);
  return cursor == n ? CLOSED : PAUSED;
}

/**
 * Makes the updates for `count` entries of LIST from `from` on; returns how many it made. It stops early at row INDEX if that
 * row of the Gram matrix is not in memory.
 */
export function applyDual(r: usize, from: u32, count: u32): u32 {
  const list: usize = load<u32>(r, LIST);
  const margins: usize = load<u32>(r, MARGINS);
  const table: usize = load<u32>(r, ROWS);
  const capacity = load<u32>(r, QUEUE_CAPACITY);
  const seen = load<f64>(r, SEEN);
  const unit = isUnit(r);
  let total: u32 = 0;
  let done: u32 = 0;
  for (; done < count; done++) {
    const k = <usize>(from + done);
    const sample = load<u32>(list + (k << 2));
    const row = load<u32>(table + ((<usize>sample) << 2));
    if (row == 0) {
      store<u32>(r, sample, INDEX);
      break;
    }
    if (total == capacity) {
      settle(r, total);
      total = 0;
    }
    queueMistake(r, unit, sample, load<f64>(margins + (k << 3)), seen, row, total);
    total++;
  }
  settle(r, total);
  return done;
}
