// The scores of dual training (SPEC §7): updated block by block, and compared with the margin.
//
// SCORES holds s − b. A mistake changes all scores, but most of them are not read before the next mistakes happen. So
// updates are queued, and a block of BLOCK scores gets all updates that it lacks when it is next read: its scores stay in
// registers for all of them and for the comparison. Every score still gets its updates one by one in their order, so results
// are bit-identical to adding whole rows. When a call ends, all blocks are up to date.
//
//   queue         step₀ step₁ step₂ step₃                                 total = 4
//   APPLIED       block 0: 4   block 1: 4   block 2: 1   block 3: 1       the cursor is in block 1
//
// The last block may extend beyond the last row: SCORES and SIGNS have room for it, the arena guarantees readable memory
// after a Gram row, and the values computed there are never used.

import {
  APPLIED,
  BIAS,
  BLOCK,
  LENGTH,
  MU,
  NORMS,
  QUEUE,
  QUEUE_CAPACITY,
  SCORES,
  SIGNS,
  STEPS,
  STEP_NEGATIVE,
  STEP_POSITIVE,
} from './layout';
import { isRight } from './mistake';

/** step · row (2 elements). If steps are ±1, the sign is applied instead: bit-identical, and additions do not wait for products. */
@inline
function scaled<Unit>(step: v128, row: v128): v128 {
  return isInteger<Unit>() ? v128.xor(row, step) : f64x2.mul(step, row);
}

/** One bit for each of 12 comparisons (6 × 2 lanes of all ones or all zeros); the higher bits are undefined. */
@inline
function bitsOf(c0: v128, c1: v128, c2: v128, c3: v128, c4: v128, c5: v128): u32 {
  const low = i16x8.narrow_i32x4_s(v128.shuffle<i32>(c0, c1, 0, 2, 4, 6), v128.shuffle<i32>(c2, c3, 0, 2, 4, 6));
  const high = v128.shuffle<i32>(c4, c5, 0, 2, 4, 6);
  return i8x16.bitmask(i8x16.narrow_i16x8_s(low, i16x8.narrow_i32x4_s(high, high)));
}

/** y·s of a sample. */
@inline
export function marginOf(scores: usize, signs: usize, sample: usize, b: f64): f64 {
  const s = load<f64>(scores + (sample << 3)) + b;
  return reinterpret<f64>(reinterpret<i64>(s) ^ load<i64>(signs + (sample << 3)));
}

/** Bit i is set if score i of the block at s is right (mistake.ts). */
function judge(s: usize, signs: usize, b: f64, mu: f64): u32 {
  let right: u32 = 0;
  for (let i: usize = 0; i < <usize>BLOCK; i++) {
    if (isRight(marginOf(s, signs, i, b), mu)) right |= 1 << <u32>i;
  }
  return right;
}

/** Adds queued updates from … to − 1 to the block at s, from byte `at` of each Gram row on, and judges it. */
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
  // Six registers of scores: V8 loads all values of a row before it adds them, and with eight it runs out of registers.
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
  // Right means μ < m < ∞. Non-negative doubles compare like their bits as integers, so one integer comparison is enough: the
  // bits of m are shifted so that all other values (negative, ≤ μ, Infinity, NaN) wrap around.
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

/** Without SIMD: adds the updates to four scores at a time. */
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

/** Updates the blocks of rows from … to − 1 with `total` queued updates; returns the first row that is not right, or `to`. */
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

/** As `seekAny`, for a queue of signs. */
export function seekUnit(r: usize, from: u32, to: u32, total: u32): u32 {
  return seek<i32>(r, from, to, total);
}

/** Whether all steps are +1 or −1, which is the default. The queue then holds their signs, +0 or −0. */
@inline
export function isUnit(r: usize): bool {
  if (load<u32>(r, STEPS) | load<u32>(r, NORMS)) return false;
  return ASC_FEATURE_SIMD && load<f64>(r, STEP_POSITIVE) == 1 && load<f64>(r, STEP_NEGATIVE) == -1;
}

@inline
export function firstWrong(r: usize, unit: bool, from: u32, to: u32, total: u32): u32 {
  return unit ? seekUnit(r, from, to, total) : seekAny(r, from, to, total);
}

/** Applies the queued updates to all blocks and empties the queue. */
export function settle(r: usize, total: u32): void {
  const length = load<u32>(r, LENGTH);
  const applied: usize = load<u32>(r, APPLIED);
  const unit = isUnit(r);
  for (let block: u32 = 0; block * BLOCK < length; block++) {
    const at = applied + ((<usize>block) << 2);
    if (load<u32>(at) != total) firstWrong(r, unit, block * BLOCK, block * BLOCK + 1, total);
    store<u32>(at, 0);
  }
}
