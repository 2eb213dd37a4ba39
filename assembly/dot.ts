// A row against w, order S: the sum of x_k·w_k in two lanes (lanes.ts).
//
// The latency of an addition bounds one row at a time. Several rows share each load of w and keep as
// many additions in flight: 4 rows fill the adders; 8 or 12 rows give the memory prefetcher 8 or 12
// streams. Measured in GB/s on one core (Ice Lake, Node 20), 480 KB / 8 MB / 800 MB of rows:
//   1 row 19 / 14 / 9      4 rows 39 / 32 / 14      8 rows 42 / 32 / 16      12 rows 27 / 24 / 18
// The sum of a row does not depend on how many rows are scored together.
//
// Preconditions: rows are u32 byte offsets, 8-aligned (f64) or 4-aligned (f32); w is f64[d].

import { integerDot, integerDots } from './integers';
import { close, closeLanes, one, pair } from './lanes';
import { sparseDot, sparseDots } from './sparse';

/** x (d) · w (d). */
@inline
export function dot<T>(x: usize, w: usize, d: usize): f64 {
  const end = w + ((d & ~1) << 3);
  if (ASC_FEATURE_SIMD) {
    let a = f64x2.splat(0);
    while (w < end) {
      a = f64x2.add(a, f64x2.mul(pair<T>(x), v128.load(w)));
      x += 2 * sizeof<T>();
      w += 16;
    }
    return closeLanes<T>(a, x, w, d);
  }
  let even: f64 = 0;
  let odd: f64 = 0;
  while (w < end) {
    even += one<T>(x) * load<f64>(w);
    odd += one<T>(x + sizeof<T>()) * load<f64>(w, 8);
    x += 2 * sizeof<T>();
    w += 16;
  }
  return close<T>(even, odd, x, w, d);
}

/** out[r] = row r · w for the four rows at the offsets u32[4]. */
@inline
function dots4<T>(rows: usize, w: usize, d: usize, out: usize): void {
  let x0: usize = load<u32>(rows);
  let x1: usize = load<u32>(rows, 4);
  let x2: usize = load<u32>(rows, 8);
  let x3: usize = load<u32>(rows, 12);
  const end = w + ((d & ~1) << 3);
  if (ASC_FEATURE_SIMD) {
    let a0 = f64x2.splat(0);
    let a1 = a0;
    let a2 = a0;
    let a3 = a0;
    while (w < end) {
      const p = v128.load(w);
      a0 = f64x2.add(a0, f64x2.mul(pair<T>(x0), p));
      a1 = f64x2.add(a1, f64x2.mul(pair<T>(x1), p));
      a2 = f64x2.add(a2, f64x2.mul(pair<T>(x2), p));
      a3 = f64x2.add(a3, f64x2.mul(pair<T>(x3), p));
      w += 16;
      x0 += 2 * sizeof<T>();
      x1 += 2 * sizeof<T>();
      x2 += 2 * sizeof<T>();
      x3 += 2 * sizeof<T>();
    }
    store<f64>(out, closeLanes<T>(a0, x0, w, d));
    store<f64>(out, closeLanes<T>(a1, x1, w, d), 8);
    store<f64>(out, closeLanes<T>(a2, x2, w, d), 16);
    store<f64>(out, closeLanes<T>(a3, x3, w, d), 24);
    return;
  }
  let e0: f64 = 0;
  let e1: f64 = 0;
  let e2: f64 = 0;
  let e3: f64 = 0;
  let o0: f64 = 0;
  let o1: f64 = 0;
  let o2: f64 = 0;
  let o3: f64 = 0;
  while (w < end) {
    const p = load<f64>(w);
    const q = load<f64>(w, 8);
    e0 += one<T>(x0) * p;
    o0 += one<T>(x0 + sizeof<T>()) * q;
    e1 += one<T>(x1) * p;
    o1 += one<T>(x1 + sizeof<T>()) * q;
    e2 += one<T>(x2) * p;
    o2 += one<T>(x2 + sizeof<T>()) * q;
    e3 += one<T>(x3) * p;
    o3 += one<T>(x3 + sizeof<T>()) * q;
    w += 16;
    x0 += 2 * sizeof<T>();
    x1 += 2 * sizeof<T>();
    x2 += 2 * sizeof<T>();
    x3 += 2 * sizeof<T>();
  }
  store<f64>(out, close<T>(e0, o0, x0, w, d));
  store<f64>(out, close<T>(e1, o1, x1, w, d), 8);
  store<f64>(out, close<T>(e2, o2, x2, w, d), 16);
  store<f64>(out, close<T>(e3, o3, x3, w, d), 24);
}

/** out[r] = row r · w for eight rows. Without SIMD, and for float32 (widening is the bottleneck): twice four rows. */
@inline
function dots8<T>(rows: usize, w: usize, d: usize, out: usize): void {
  if (!ASC_FEATURE_SIMD || sizeof<T>() == 4) {
    callDots4<T>(rows, w, d, out);
    callDots4<T>(rows + 16, w, d, out + 32);
    return;
  }
  let x0: usize = load<u32>(rows);
  let x1: usize = load<u32>(rows, 4);
  let x2: usize = load<u32>(rows, 8);
  let x3: usize = load<u32>(rows, 12);
  let x4: usize = load<u32>(rows, 16);
  let x5: usize = load<u32>(rows, 20);
  let x6: usize = load<u32>(rows, 24);
  let x7: usize = load<u32>(rows, 28);
  const end = w + ((d & ~1) << 3);
  let a0 = f64x2.splat(0);
  let a1 = a0;
  let a2 = a0;
  let a3 = a0;
  let a4 = a0;
  let a5 = a0;
  let a6 = a0;
  let a7 = a0;
  while (w < end) {
    const p = v128.load(w);
    a0 = f64x2.add(a0, f64x2.mul(pair<T>(x0), p));
    a1 = f64x2.add(a1, f64x2.mul(pair<T>(x1), p));
    a2 = f64x2.add(a2, f64x2.mul(pair<T>(x2), p));
    a3 = f64x2.add(a3, f64x2.mul(pair<T>(x3), p));
    a4 = f64x2.add(a4, f64x2.mul(pair<T>(x4), p));
    a5 = f64x2.add(a5, f64x2.mul(pair<T>(x5), p));
    a6 = f64x2.add(a6, f64x2.mul(pair<T>(x6), p));
    a7 = f64x2.add(a7, f64x2.mul(pair<T>(x7), p));
    w += 16;
    x0 += 2 * sizeof<T>();
    x1 += 2 * sizeof<T>();
    x2 += 2 * sizeof<T>();
    x3 += 2 * sizeof<T>();
    x4 += 2 * sizeof<T>();
    x5 += 2 * sizeof<T>();
    x6 += 2 * sizeof<T>();
    x7 += 2 * sizeof<T>();
  }
  store<f64>(out, closeLanes<T>(a0, x0, w, d));
  store<f64>(out, closeLanes<T>(a1, x1, w, d), 8);
  store<f64>(out, closeLanes<T>(a2, x2, w, d), 16);
  store<f64>(out, closeLanes<T>(a3, x3, w, d), 24);
  store<f64>(out, closeLanes<T>(a4, x4, w, d), 32);
  store<f64>(out, closeLanes<T>(a5, x5, w, d), 40);
  store<f64>(out, closeLanes<T>(a6, x6, w, d), 48);
  store<f64>(out, closeLanes<T>(a7, x7, w, d), 56);
}

/** out[r] = row r · w for twelve rows: for data larger than the caches. Without SIMD: three times four rows. */
@inline
function dots12<T>(rows: usize, w: usize, d: usize, out: usize): void {
  if (!ASC_FEATURE_SIMD) {
    callDots4<T>(rows, w, d, out);
    callDots4<T>(rows + 16, w, d, out + 32);
    callDots4<T>(rows + 32, w, d, out + 64);
    return;
  }
  let x0: usize = load<u32>(rows);
  let x1: usize = load<u32>(rows, 4);
  let x2: usize = load<u32>(rows, 8);
  let x3: usize = load<u32>(rows, 12);
  let x4: usize = load<u32>(rows, 16);
  let x5: usize = load<u32>(rows, 20);
  let x6: usize = load<u32>(rows, 24);
  let x7: usize = load<u32>(rows, 28);
  let x8: usize = load<u32>(rows, 32);
  let x9: usize = load<u32>(rows, 36);
  let x10: usize = load<u32>(rows, 40);
  let x11: usize = load<u32>(rows, 44);
  const end = w + ((d & ~1) << 3);
  let a0 = f64x2.splat(0);
  let a1 = a0;
  let a2 = a0;
  let a3 = a0;
  let a4 = a0;
  let a5 = a0;
  let a6 = a0;
  let a7 = a0;
  let a8 = a0;
  let a9 = a0;
  let a10 = a0;
  let a11 = a0;
  while (w < end) {
    const p = v128.load(w);
    a0 = f64x2.add(a0, f64x2.mul(pair<T>(x0), p));
    a1 = f64x2.add(a1, f64x2.mul(pair<T>(x1), p));
    a2 = f64x2.add(a2, f64x2.mul(pair<T>(x2), p));
    a3 = f64x2.add(a3, f64x2.mul(pair<T>(x3), p));
    a4 = f64x2.add(a4, f64x2.mul(pair<T>(x4), p));
    a5 = f64x2.add(a5, f64x2.mul(pair<T>(x5), p));
    a6 = f64x2.add(a6, f64x2.mul(pair<T>(x6), p));
    a7 = f64x2.add(a7, f64x2.mul(pair<T>(x7), p));
    a8 = f64x2.add(a8, f64x2.mul(pair<T>(x8), p));
    a9 = f64x2.add(a9, f64x2.mul(pair<T>(x9), p));
    a10 = f64x2.add(a10, f64x2.mul(pair<T>(x10), p));
    a11 = f64x2.add(a11, f64x2.mul(pair<T>(x11), p));
    w += 16;
    x0 += 2 * sizeof<T>();
    x1 += 2 * sizeof<T>();
    x2 += 2 * sizeof<T>();
    x3 += 2 * sizeof<T>();
    x4 += 2 * sizeof<T>();
    x5 += 2 * sizeof<T>();
    x6 += 2 * sizeof<T>();
    x7 += 2 * sizeof<T>();
    x8 += 2 * sizeof<T>();
    x9 += 2 * sizeof<T>();
    x10 += 2 * sizeof<T>();
    x11 += 2 * sizeof<T>();
  }
  store<f64>(out, closeLanes<T>(a0, x0, w, d));
  store<f64>(out, closeLanes<T>(a1, x1, w, d), 8);
  store<f64>(out, closeLanes<T>(a2, x2, w, d), 16);
  store<f64>(out, closeLanes<T>(a3, x3, w, d), 24);
  store<f64>(out, closeLanes<T>(a4, x4, w, d), 32);
  store<f64>(out, closeLanes<T>(a5, x5, w, d), 40);
  store<f64>(out, closeLanes<T>(a6, x6, w, d), 48);
  store<f64>(out, closeLanes<T>(a7, x7, w, d), 56);
  store<f64>(out, closeLanes<T>(a8, x8, w, d), 64);
  store<f64>(out, closeLanes<T>(a9, x9, w, d), 72);
  store<f64>(out, closeLanes<T>(a10, x10, w, d), 80);
  store<f64>(out, closeLanes<T>(a11, x11, w, d), 88);
}

// Each loop is an exported function for each storage type: V8 tiers it up on its own (a loop inlined
// into a long-running caller would stay in baseline code), and tests can call it.
export function dot_f64(x: usize, w: usize, d: usize): f64 {
  return dot<f64>(x, w, d);
}
export function dot_f32(x: usize, w: usize, d: usize): f64 {
  return dot<f32>(x, w, d);
}
export function dots4_f64(rows: usize, w: usize, d: usize, out: usize): void {
  dots4<f64>(rows, w, d, out);
}
export function dots4_f32(rows: usize, w: usize, d: usize, out: usize): void {
  dots4<f32>(rows, w, d, out);
}
export function dots8_f64(rows: usize, w: usize, d: usize, out: usize): void {
  dots8<f64>(rows, w, d, out);
}
export function dots8_f32(rows: usize, w: usize, d: usize, out: usize): void {
  dots8<f32>(rows, w, d, out);
}
export function dots12_f64(rows: usize, w: usize, d: usize, out: usize): void {
  dots12<f64>(rows, w, d, out);
}
export function dots12_f32(rows: usize, w: usize, d: usize, out: usize): void {
  dots12<f32>(rows, w, d, out);
}

/** `dots4` for either storage. */
@inline
export function callDots4<T>(rows: usize, w: usize, d: usize, out: usize): void {
  if (sizeof<T>() == 8) dots4_f64(rows, w, d, out);
  else dots4_f32(rows, w, d, out);
}

/** x · w for any storage. */
export function rowDot(element: usize, x: usize, w: usize, d: usize): f64 {
  if (element == 8) return dot_f64(x, w, d);
  if (element == 4) return dot_f32(x, w, d);
  return element == 0 ? sparseDot(x, w) : integerDot(element, x, w, d);
}

/** out[r] = row r · w for `count` ≤ 12 rows. The list of rows must have 1, 4, 8 or 12 entries, the last row repeated. */
export function dots(element: usize, count: u32, rows: usize, w: usize, d: usize, out: usize): void {
  if (element == 8) {
    if (count == 1) store<f64>(out, dot_f64(load<u32>(rows), w, d));
    else if (count <= 4) dots4_f64(rows, w, d, out);
    else if (count <= 8) dots8_f64(rows, w, d, out);
    else dots12_f64(rows, w, d, out);
  } else if (element == 0) {
    sparseDots(count, rows, w, out);
  } else if (element != 4) {
    integerDots(element, count, rows, w, d, out);
  } else {
    if (count == 1) store<f64>(out, dot_f32(load<u32>(rows), w, d));
    else if (count <= 4) dots4_f32(rows, w, d, out);
    else if (count <= 8) dots8_f32(rows, w, d, out);
    else dots12_f32(rows, w, d, out);
  }
}
