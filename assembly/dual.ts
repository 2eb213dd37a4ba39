// Dual training with cached scores (SPEC §7), resumable over the record of layout.ts.
//
//   s_i = Σ_j α_j y_j K(x_i, x_j) + b          kept for every row: a check is one read
//   mistake at j:  α_j ← α_j + |step|;  s_i ← s_i + step·K_ij for all i;  b ← b + step·B²
//
// SCORES holds s − b. A mistake changes all of it, but most of it is not looked at before the next mistakes have
// come: so updates are queued, and a block of BLOCK scores catches up when it is next looked at, with all it has missed
// in one go: its scores are in registers meanwhile, and are judged before they leave them. Every score still has its
// updates one by one in the order they happened: the results are those of adding whole rows.
// When a call ends, all blocks have caught up.
//
//   queue         step₀ step₁ step₂ step₃                                 total = 4
//   APPLIED       block 0: 4   block 1: 4   block 2: 1   block 3: 1       the cursor is in block 1
//
// The last block reaches beyond the last row: SCORES and SIGNS have room for it, Gram rows are followed by memory that
// may be read (the arena sees to that), and what is computed there is never looked at.

import {
  ALPHAS,
  ALPHA_SUMS,
  APPLIED,
  BIAS,
  BLOCK,
  CLEAN,
  CLOSED,
  COUNT,
  COUNTS,
  CURSOR,
  INDEX,
  LENGTH,
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
  STEP_NEGATIVE,
  STEP_POSITIVE,
  TICK,
  WANTS_ROW,
} from './layout';
import { book, closePass, isRight } from './pass';

/** step · row (2 elements); where steps are ±1, their sign alone: the same bits, and additions do not wait for products. */
@inline
function scaled<Unit>(step: v128, row: v128): v128 {
  return isInteger<Unit>() ? v128.xor(row, step) : f64x2.mul(step, row);
}

/** Of 12 comparisons, 6 × 2 lanes all ones or zeros, one bit each; the higher bits are any. */
@inline
function bitsOf(c0: v128, c1: v128, c2: v128, c3: v128, c4: v128, c5: v128): u32 {
  const low = i16x8.narrow_i32x4_s(v128.shuffle<i32>(c0, c1, 0, 2, 4, 6), v128.shuffle<i32>(c2, c3, 0, 2, 4, 6));
  const high = v128.shuffle<i32>(c4, c5, 0, 2, 4, 6);
  return i8x16.bitmask(i8x16.narrow_i16x8_s(low, i16x8.narrow_i32x4_s(high, high)));
}

/** y·s of a sample. */
@inline
function marginOf(scores: usize, signs: usize, sample: usize, b: f64): f64 {
  const s = load<f64>(scores + (sample << 3)) + b;
  return reinterpret<f64>(reinterpret<i64>(s) ^ load<i64>(signs + (sample << 3)));
}

/** Bit i: score i of the block at s is on the right side, and finite. */
function judge(s: usize, signs: usize, b: f64, mu: f64): u32 {
  let right: u32 = 0;
  for (let i: usize = 0; i < <usize>BLOCK; i++) {
    if (isRight(marginOf(s, signs, i, b), mu)) right |= 1 << <u32>i;
  }
  return right;
}

/** Adds queued updates from … to − 1 to the block at s, byte `at` of a Gram row on, and judges it. */
@inline
function refresh<Unit>(
  s: usize,
  signs: usize,
  rows: usize,
  steps: usize,
  from: usize,
  to: usize,
  at: usize,
  b: f64,
  mu: f64,
): u32 {
  if (!ASC_FEATURE_SIMD) {
    if (from != to) {
      for (let i: usize = 0; i < <usize>BLOCK << 3; i += 32) addFour(s + i, rows, steps, from, to, at + i);
    }
    return judge(s, signs, b, mu);
  }
  // Six registers of scores: V8 loads all of a row's values before it adds them, and with eight it runs out of registers.
  let s0 = v128.load(s);
  let s1 = v128.load(s, 16);
  let s2 = v128.load(s, 32);
  let s3 = v128.load(s, 48);
  let s4 = v128.load(s, 64);
  let s5 = v128.load(s, 80);
  if (from != to) {
    do {
      const row = <usize>load<u32>(rows + (from << 2)) + at;
      const t = v128.load_splat<f64>(steps + (from << 3));
      s0 = f64x2.add(s0, scaled<Unit>(t, v128.load(row)));
      s1 = f64x2.add(s1, scaled<Unit>(t, v128.load(row, 16)));
      s2 = f64x2.add(s2, scaled<Unit>(t, v128.load(row, 32)));
      s3 = f64x2.add(s3, scaled<Unit>(t, v128.load(row, 48)));
      s4 = f64x2.add(s4, scaled<Unit>(t, v128.load(row, 64)));
      s5 = f64x2.add(s5, scaled<Unit>(t, v128.load(row, 80)));
    } while (++from != to);
    v128.store(s, s0);
    v128.store(s, s1, 16);
    v128.store(s, s2, 32);
    v128.store(s, s3, 48);
    v128.store(s, s4, 64);
    v128.store(s, s5, 80);
  }
  // Right is μ < m < ∞. Doubles that are not negative are in the order of their bits, so that is one comparison of integers,
  // m's bits shifted to where all others (negative, ≤ μ, Infinity, NaN) wrap to the far side.
  const bb = f64x2.splat(b);
  const floor = reinterpret<i64>(mu) + 1;
  const shift = i64x2.splat(i64.MIN_VALUE - floor);
  const limit = i64x2.splat(i64.MIN_VALUE + (0x7ff0000000000000 - floor));
  return bitsOf(
    i64x2.gt_s(limit, i64x2.add(v128.xor(f64x2.add(s0, bb), v128.load(signs)), shift)),
    i64x2.gt_s(limit, i64x2.add(v128.xor(f64x2.add(s1, bb), v128.load(signs, 16)), shift)),
    i64x2.gt_s(limit, i64x2.add(v128.xor(f64x2.add(s2, bb), v128.load(signs, 32)), shift)),
    i64x2.gt_s(limit, i64x2.add(v128.xor(f64x2.add(s3, bb), v128.load(signs, 48)), shift)),
    i64x2.gt_s(limit, i64x2.add(v128.xor(f64x2.add(s4, bb), v128.load(signs, 64)), shift)),
    i64x2.gt_s(limit, i64x2.add(v128.xor(f64x2.add(s5, bb), v128.load(signs, 80)), shift)),
  );
}

/** Without SIMD: the same four scores at a time. */
function addFour(s: usize, rows: usize, steps: usize, from: usize, to: usize, at: usize): void {
  let s0 = load<f64>(s);
  let s1 = load<f64>(s, 8);
  let s2 = load<f64>(s, 16);
  let s3 = load<f64>(s, 24);
  for (let q = from; q < to; q++) {
    const row = <usize>load<u32>(rows + (q << 2)) + at;
    const t = load<f64>(steps + (q << 3));
    s0 += t * load<f64>(row);
    s1 += t * load<f64>(row, 8);
    s2 += t * load<f64>(row, 16);
    s3 += t * load<f64>(row, 24);
  }
  store<f64>(s, s0);
  store<f64>(s, s1, 8);
  store<f64>(s, s2, 16);
  store<f64>(s, s3, 24);
}

/** Goes through the blocks of rows from … to − 1, each brought up to date with `total` queued updates; stops at the first row that is not right. */
@inline
function seek<Unit>(r: usize, from: u32, to: u32, total: u32): u32 {
  const steps: usize = load<u32>(r, QUEUE);
  const rows = steps + ((<usize>load<u32>(r, QUEUE_CAPACITY)) << 3);
  const b = load<f64>(r, BIAS);
  const mu = load<f64>(r, MU);
  const block = from / BLOCK;
  let at = (<usize>(block * BLOCK)) << 3;
  let applied: usize = <usize>load<u32>(r, APPLIED) + ((<usize>block) << 2);
  const scores: usize = load<u32>(r, SCORES);
  const signs: usize = load<u32>(r, SIGNS);
  const end = (<usize>to) << 3;
  let skipped = (1 << (from - block * BLOCK)) - 1; // rows of the first block that come before `from`
  for (; at < end; at += BLOCK << 3, applied += 4) {
    const had: usize = load<u32>(applied);
    store<u32>(applied, total);
    const right = refresh<Unit>(scores + at, signs + at, rows, steps, had, total, at, b, mu);
    const wrong = ~(right | skipped) & ((1 << BLOCK) - 1);
    if (wrong) return min(to, <u32>(at >> 3) + ctz(wrong));
    skipped = 0;
  }
  return to;
}

export function seekAny(r: usize, from: u32, to: u32, total: u32): u32 {
  return seek<f64>(r, from, to, total);
}

/** The same for a queue of signs. */
export function seekUnit(r: usize, from: u32, to: u32, total: u32): u32 {
  return seek<i32>(r, from, to, total);
}

/** Whether all steps are +1 or −1, as they are by default. The queue then holds their signs, +0 or −0. */
@inline
function isUnit(r: usize): bool {
  return ASC_FEATURE_SIMD && load<f64>(r, STEP_POSITIVE) == 1 && load<f64>(r, STEP_NEGATIVE) == -1;
}

@inline
function firstWrong(r: usize, unit: bool, from: u32, to: u32, total: u32): u32 {
  return unit ? seekUnit(r, from, to, total) : seekAny(r, from, to, total);
}

/** Brings all blocks up to date and empties the queue. */
function settle(r: usize, total: u32): void {
  const length = load<u32>(r, LENGTH);
  const applied: usize = load<u32>(r, APPLIED);
  const unit = isUnit(r);
  for (let block: u32 = 0; block * BLOCK < length; block++) {
    const at = applied + ((<usize>block) << 2);
    if (load<u32>(at) != total) firstWrong(r, unit, block * BLOCK, block * BLOCK + 1, total);
    store<u32>(at, 0);
  }
}

/** Books a mistake and queues its update as entry `total`. */
@inline
function queueMistake(r: usize, unit: bool, sample: u32, m: f64, before: f64, row: u32, total: u32): void {
  const by = book(r, sample, m, before);
  const size = abs(by);
  const at = (<usize>sample) << 3;
  const alpha: usize = <usize>load<u32>(r, ALPHAS) + at;
  store<f64>(alpha, load<f64>(alpha) + size);
  const count: usize = <usize>load<u32>(r, COUNTS) + (at >> 1);
  store<u32>(count, load<u32>(count) + 1);
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

/** As `run` of primal.ts; and stops where a row of the Gram matrix is needed that is not at hand. */
export function runDual(r: usize, rows: u32, mistakes: u32, passes: u32): i32 {
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
      if (closePass(r)) {
        status = CLEAN;
        break;
      }
      if (load<u32>(r, PASSES) == passes) {
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
    if (!isRight(m, mu)) {
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
 * Makes the updates for `count` entries of LIST from `from` on; returns how many it made: fewer where it needs a row of
 * the Gram matrix, that of row INDEX, which is not at hand.
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
