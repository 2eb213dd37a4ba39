// Dual training with cached scores (SPEC §7), resumable over the record of layout.ts.
//
//   s_i = Σ_j α_j y_j K(x_i, x_j) + b          kept for every row: a check is one read
//   mistake at j:  α_j ← α_j + |step|;  s_i ← s_i + step·K_ij for all i;  b ← b + step·B²
//
// SCORES holds s − b. A mistake changes all of it, but most of it is not looked at before the next mistakes have
// come: so an update is made at once for the block of scores at hand and queued for the others. A block catches up
// when it is next looked at, with all it has missed in one pass, its scores in registers meanwhile. Every
// score still has its updates one by one in the order they happened: the results are those of adding whole rows.
// When a call ends, all blocks have caught up.
//
//   queue         step₀ step₁ step₂ step₃          TOTAL = 4
//   APPLIED       block 0: 4   block 1: 4   block 2: 1   block 3: 1      the cursor is in block 1

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

/** step · row (2 elements); where steps are ±1, with their sign alone: the same bits, and additions are not held up by products. */
@inline
function scaled<Unit>(step: v128, row: v128): v128 {
  return isInteger<Unit>() ? v128.xor(row, step) : f64x2.mul(step, row);
}

@inline
function addAll<Unit>(s: usize, count: usize, rows: usize, steps: usize, from: usize, to: usize, at: usize): void {
  if (from == to) return;
  const end = s + (count << 3);
  if (ASC_FEATURE_SIMD) {
    const chunks = s + ((count & ~15) << 3);
    while (s < chunks) {
      let s0 = v128.load(s);
      let s1 = v128.load(s, 16);
      let s2 = v128.load(s, 32);
      let s3 = v128.load(s, 48);
      let s4 = v128.load(s, 64);
      let s5 = v128.load(s, 80);
      let s6 = v128.load(s, 96);
      let s7 = v128.load(s, 112);
      for (let q = from; q < to; q++) {
        const row = <usize>load<u32>(rows + (q << 2)) + at;
        let t = v128.load_splat<f64>(steps + (q << 3));
        if (isInteger<Unit>()) t = v128.and(t, f64x2.splat(-0.0));
        s0 = f64x2.add(s0, scaled<Unit>(t, v128.load(row)));
        s1 = f64x2.add(s1, scaled<Unit>(t, v128.load(row, 16)));
        s2 = f64x2.add(s2, scaled<Unit>(t, v128.load(row, 32)));
        s3 = f64x2.add(s3, scaled<Unit>(t, v128.load(row, 48)));
        s4 = f64x2.add(s4, scaled<Unit>(t, v128.load(row, 64)));
        s5 = f64x2.add(s5, scaled<Unit>(t, v128.load(row, 80)));
        s6 = f64x2.add(s6, scaled<Unit>(t, v128.load(row, 96)));
        s7 = f64x2.add(s7, scaled<Unit>(t, v128.load(row, 112)));
      }
      v128.store(s, s0);
      v128.store(s, s1, 16);
      v128.store(s, s2, 32);
      v128.store(s, s3, 48);
      v128.store(s, s4, 64);
      v128.store(s, s5, 80);
      v128.store(s, s6, 96);
      v128.store(s, s7, 112);
      s += 128;
      at += 128;
    }
  }
  while (s + 24 < end) {
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
    s += 32;
    at += 32;
  }
  for (; s < end; s += 8, at += 8) {
    let s0 = load<f64>(s);
    for (let q = from; q < to; q++) {
      s0 += load<f64>(steps + (q << 3)) * load<f64>(<usize>load<u32>(rows + (q << 2)) + at);
    }
    store<f64>(s, s0);
  }
}

/** s (count) ← s + step_q · row_q, for q = from … to − 1 in this order; rows are u32 offsets, read from byte `at` on. */
export function addRows(s: usize, count: usize, rows: usize, steps: usize, from: usize, to: usize, at: usize): void {
  addAll<f64>(s, count, rows, steps, from, to, at);
}

/** The same for steps that are all +1 or −1. */
export function addUnitRows(s: usize, count: usize, rows: usize, steps: usize, from: usize, to: usize, at: usize): void {
  addAll<i32>(s, count, rows, steps, from, to, at);
}

/** y·s of a sample. */
@inline
function marginOf(scores: usize, signs: usize, sample: usize, b: f64): f64 {
  const s = load<f64>(scores + (sample << 3)) + b;
  return load<i64>(signs + (sample << 3)) < 0 ? -s : s;
}

/** The first of the rows from … to − 1 that is not right (and finite); `to` if all are. */
export function firstWrong(scores: usize, signs: usize, from: u32, to: u32, b: f64, mu: f64): u32 {
  if (ASC_FEATURE_SIMD) {
    const bb = f64x2.splat(b);
    const least = f64x2.splat(mu);
    const most = f64x2.splat(f64.MAX_VALUE);
    for (; from + 8 <= to; from += 8) {
      const s = scores + ((<usize>from) << 3);
      const y = signs + ((<usize>from) << 3);
      const m0 = v128.xor(f64x2.add(v128.load(s), bb), v128.load(y));
      const m1 = v128.xor(f64x2.add(v128.load(s, 16), bb), v128.load(y, 16));
      const m2 = v128.xor(f64x2.add(v128.load(s, 32), bb), v128.load(y, 32));
      const m3 = v128.xor(f64x2.add(v128.load(s, 48), bb), v128.load(y, 48));
      const above = v128.and(
        v128.and(f64x2.gt(m0, least), f64x2.gt(m1, least)),
        v128.and(f64x2.gt(m2, least), f64x2.gt(m3, least)),
      );
      // The largest of the four: an Infinity among them, all else being numbers by now or failing `above`.
      const top = f64x2.pmax(f64x2.pmax(m0, m1), f64x2.pmax(m2, m3));
      if (!i64x2.all_true(v128.and(above, f64x2.le(top, most)))) break;
    }
  }
  while (from < to && isRight(marginOf(scores, signs, from, b), mu)) from++;
  return from;
}

/** Brings a block of scores up to date with `total` queued updates. */
@inline
function catchUp(r: usize, block: usize, total: u32): void {
  const applied: usize = <usize>load<u32>(r, APPLIED) + (block << 2);
  const had = load<u32>(applied);
  if (had == total) return;
  const steps: usize = load<u32>(r, QUEUE);
  const rows = steps + ((<usize>load<u32>(r, QUEUE_CAPACITY)) << 3);
  const at = (block * BLOCK) << 3;
  const count = min<usize>(BLOCK, <usize>load<u32>(r, LENGTH) - block * BLOCK);
  const scores = <usize>load<u32>(r, SCORES) + at;
  if (ASC_FEATURE_SIMD && load<f64>(r, STEP_POSITIVE) == 1 && load<f64>(r, STEP_NEGATIVE) == -1) {
    addUnitRows(scores, count, rows, steps, had, total, at);
  } else {
    addRows(scores, count, rows, steps, had, total, at);
  }
  store<u32>(applied, total);
}

/** Brings all blocks up to date and empties the queue. */
function settle(r: usize, total: u32): void {
  const blocks = (<usize>load<u32>(r, LENGTH) + BLOCK - 1) / BLOCK;
  const applied: usize = load<u32>(r, APPLIED);
  for (let block: usize = 0; block < blocks; block++) {
    catchUp(r, block, total);
    store<u32>(applied + (block << 2), 0);
  }
}

/** Books a mistake and queues its update as entry `total`. */
@inline
function queueMistake(r: usize, sample: u32, m: f64, before: f64, row: u32, total: u32): void {
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
  store<f64>(steps + ((<usize>total) << 3), by);
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
  const mu = load<f64>(r, MU);

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

    const b = load<f64>(r, BIAS);
    let sample: u32 = 0;
    let block: u32 = 0;
    if (order) {
      sample = load<u32>(order + ((<usize>cursor) << 2));
      block = sample / BLOCK;
      catchUp(r, block, total);
    } else {
      block = cursor / BLOCK;
      const end = cursor + min(rows, min((block + 1) * BLOCK, n) - cursor);
      catchUp(r, block, total);
      sample = firstWrong(scores, signs, cursor, end, b, mu);
      rows -= sample - cursor;
      cursor = sample;
      if (sample == end) continue;
    }
    const m = marginOf(scores, signs, sample, b);
    if (isRight(m, mu)) {
      cursor++;
      rows--;
      continue;
    }
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
    queueMistake(r, sample, m, load<f64>(r, SEEN) + <f64>cursor, row, total);
    total++;
    catchUp(r, block, total);
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
    if (!order) {
      cursor = firstWrong(scores, signs, cursor, end, b, mu);
      if (cursor == end) break;
    }
    const sample = order ? load<u32>(order + ((<usize>cursor) << 2)) : cursor;
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
    queueMistake(r, sample, load<f64>(margins + (k << 3)), seen, row, total);
    total++;
  }
  settle(r, total);
  return done;
}
