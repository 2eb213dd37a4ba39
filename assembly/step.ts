// The update w_k ← w_k + step·x_k (SPEC §2, §12), alone or fused with the scores it makes stale.
//
// The fused form reads and writes w once for the update and the next rows' dot products. The latency of
// its additions bounds a single dot, so scoring four rows ahead costs hardly more than scoring one; a
// mistake among them discards only the scores after it.
// Results are bit-identical to `axpy` followed by `dot`: each w_k is rounded before it is used. Without SIMD the two
// run one after the other.

import { callDots4, dot, dots } from './dot';
import { SPLIT, split } from './halves';
import { integerAxpy } from './integers';
import { closeLanes, one, pair } from './lanes';
import { isRight } from './mistake';
import { sparseAxpy, sparseDot } from './sparse';

/** w (d) ← w + step · x (d). */
@inline
function axpy<T>(w: usize, x: usize, step: f64, d: usize): void {
  const end = w + ((d & ~1) << 3);
  if (ASC_FEATURE_SIMD) {
    const t = f64x2.splat(step);
    while (w < end) {
      v128.store(w, f64x2.add(v128.load(w), f64x2.mul(t, pair<T>(x))));
      x += 2 * sizeof<T>();
      w += 16;
    }
  } else {
    while (w < end) {
      store<f64>(w, load<f64>(w) + step * one<T>(x));
      store<f64>(w, load<f64>(w, 8) + step * one<T>(x + sizeof<T>()), 8);
      x += 2 * sizeof<T>();
      w += 16;
    }
  }
  if (d & 1) store<f64>(w, load<f64>(w) + step * one<T>(x));
}

/** w ← w + step · x, then out[r] = row r · w for the four rows at the offsets u32[4]. */
@inline
function stepDots4<T>(w: usize, x: usize, step: f64, d: usize, rows: usize, out: usize): void {
  if (!ASC_FEATURE_SIMD) {
    callAxpy<T>(w, x, step, d);
    callDots4<T>(rows, w, d, out);
    return;
  }
  let x0: usize = load<u32>(rows);
  let x1: usize = load<u32>(rows, 4);
  let x2: usize = load<u32>(rows, 8);
  let x3: usize = load<u32>(rows, 12);
  const end = w + ((d & ~1) << 3);
  const t = f64x2.splat(step);
  let a0 = f64x2.splat(0);
  let a1 = a0;
  let a2 = a0;
  let a3 = a0;
  while (w < end) {
    const p = f64x2.add(v128.load(w), f64x2.mul(t, pair<T>(x)));
    v128.store(w, p);
    a0 = f64x2.add(a0, f64x2.mul(pair<T>(x0), p));
    a1 = f64x2.add(a1, f64x2.mul(pair<T>(x1), p));
    a2 = f64x2.add(a2, f64x2.mul(pair<T>(x2), p));
    a3 = f64x2.add(a3, f64x2.mul(pair<T>(x3), p));
    w += 16;
    x += 2 * sizeof<T>();
    x0 += 2 * sizeof<T>();
    x1 += 2 * sizeof<T>();
    x2 += 2 * sizeof<T>();
    x3 += 2 * sizeof<T>();
  }
  if (d & 1) store<f64>(w, load<f64>(w) + step * one<T>(x));
  store<f64>(out, closeLanes<T>(a0, x0, w, d));
  store<f64>(out, closeLanes<T>(a1, x1, w, d), 8);
  store<f64>(out, closeLanes<T>(a2, x2, w, d), 16);
  store<f64>(out, closeLanes<T>(a3, x3, w, d), 24);
}

@inline
function callAxpy<T>(w: usize, x: usize, step: f64, d: usize): void {
  if (sizeof<T>() == 8) axpy_f64(w, x, step, d);
  else axpy_f32(w, x, step, d);
}

export function axpy_f64(w: usize, x: usize, step: f64, d: usize): void {
  axpy<f64>(w, x, step, d);
}
export function axpy_f32(w: usize, x: usize, step: f64, d: usize): void {
  axpy<f32>(w, x, step, d);
}
export function stepDots4_f64(w: usize, x: usize, step: f64, d: usize, rows: usize, out: usize): void {
  stepDots4<f64>(w, x, step, d, rows, out);
}
export function stepDots4_f32(w: usize, x: usize, step: f64, d: usize, rows: usize, out: usize): void {
  stepDots4<f32>(w, x, step, d, rows, out);
}

/**
 * The update by row `pending`, unless that is 0. Then the first place from `from` to `to` − 1 whose sample is not right (mistake.ts), or
 * `to`; stores its margin at `out`. For float64 and sparse rows. One loop for all rows: the loads of the next row start before the
 * sum of this row is known.
 */
export function seekOne(
  element: usize,
  pending: usize,
  step: f64,
  x: usize,
  stride: usize,
  d: usize,
  order: usize,
  y: usize,
  w: usize,
  b: f64,
  mu: f64,
  from: u32,
  to: u32,
  out: usize,
): u32 {
  if (pending) {
    if (element) axpy<f64>(w, pending, step, d);
    else sparseAxpy(w, pending, step);
  }
  for (; from < to; from++) {
    const sample: usize = order ? load<u32>(order + ((<usize>from) << 2)) : from;
    const row = x + sample * stride;
    const s = (element ? dot<f64>(row, w, d) : sparseDot(row, w)) + b;
    const m = load<i8>(y + sample) < 0 ? -s : s;
    if (isRight(m, mu)) continue;
    store<f64>(out, m);
    break;
  }
  return from;
}

/** `axpy` for any storage. */
export function step(element: usize, w: usize, x: usize, by: f64, d: usize): void {
  if (element == 8) axpy_f64(w, x, by, d);
  else if (element == 4) axpy_f32(w, x, by, d);
  else if (element == 0) sparseAxpy(w, x, by);
  else integerAxpy(element & ~SPLIT, w, x, by, d);
}

/**
 * The update, then the scores of `count` ≤ 4 dense rows. The list of rows must have 1 or 4 entries, the last row repeated. Returns
 * element, without SPLIT if w cannot be split any more.
 */
export function stepDots(element: usize, w: usize, x: usize, by: f64, d: usize, count: u32, rows: usize, out: usize): usize {
  if (count > 1 && element == 8) {
    stepDots4_f64(w, x, by, d, rows, out);
  } else if (count > 1 && element == 4) {
    stepDots4_f32(w, x, by, d, rows, out);
  } else {
    // One row, which is rare, and integers, whose widening is the bottleneck: not fused.
    step(element, w, x, by, d);
    if (element & SPLIT && !split(w, d)) element ^= SPLIT;
    dots(element, count, rows, w, d, out);
  }
  return element;
}
