// Rows of 8- and 16-bit integers (docs/adr/0023). Values are widened to float64 as they are loaded; from there on the order of
// additions is that of float64 rows (lanes.ts), so results are bit-identical to those of the same values stored as float64.
//
// Preconditions: x is a row of `element` UINT8, INT8 or INT16, 8 bytes after its end are readable; w is f64[d].

import { halfDots2, SPLIT } from './halves';
import { INT16, UINT8 } from './layout';

/** One value. */
export function integerAt(element: usize, x: usize): f64 {
  if (element == UINT8) return <f64>load<u8>(x);
  return <f64>(element == INT16 ? <i32>load<i16>(x) : <i32>load<i8>(x));
}

/** Eight values as i16. */
@inline
export function eightAt(element: usize, x: usize): v128 {
  if (element == UINT8) return v128.load_ext<u8>(x);
  return element == INT16 ? v128.load(x) : v128.load_ext<i8>(x);
}

/** Values 2 and 3 of i32[4], as f64. */
@inline
export function highPair(v: v128): v128 {
  return f64x2.convert_low_i32x4_s(v128.shuffle<i32>(v, v, 2, 3, 2, 3));
}

@inline
function madd(sum: v128, x: v128, w: v128): v128 {
  return f64x2.add(sum, f64x2.mul(x, w));
}

/** Adds eight products, in order S. */
@inline
function addEight(sum: v128, v: v128, w0: v128, w1: v128, w2: v128, w3: v128): v128 {
  const low = i32x4.extend_low_i16x8_s(v);
  const high = i32x4.extend_high_i16x8_s(v);
  sum = madd(sum, f64x2.convert_low_i32x4_s(low), w0);
  sum = madd(sum, highPair(low), w1);
  sum = madd(sum, f64x2.convert_low_i32x4_s(high), w2);
  return madd(sum, highPair(high), w3);
}

/** Two values as f64x2. */
function pairAt(element: usize, x: usize): v128 {
  return f64x2.replace_lane(f64x2.splat(integerAt(element, x)), 1, integerAt(element, x + (element & 3)));
}

/** x (d) · w (d), order S. */
export function integerDot(element: usize, x: usize, w: usize, d: usize): f64 {
  let even: f64 = 0;
  let odd: f64 = 0;
  for (let k: usize = 0; k < d; k++) {
    const product = integerAt(element, x) * load<f64>(w + (k << 3));
    if (k & 1) odd += product;
    else even += product;
    x += element & 3;
  }
  return even + odd;
}

/** out[r] = row r · w for the four rows at the offsets u32[4], order S. */
export function integerDots4(element: usize, rows: usize, w: usize, d: usize, out: usize): void {
  const bytes = element & 3;
  if (!ASC_FEATURE_SIMD) {
    for (let r: usize = 0; r < 4; r++) store<f64>(out + (r << 3), integerDot(element, load<u32>(rows + (r << 2)), w, d));
    return;
  }
  let x0: usize = load<u32>(rows);
  let x1: usize = load<u32>(rows, 4);
  let x2: usize = load<u32>(rows, 8);
  let x3: usize = load<u32>(rows, 12);
  let a0 = f64x2.splat(0);
  let a1 = a0;
  let a2 = a0;
  let a3 = a0;
  const end = w + ((d & ~7) << 3);
  const eight = bytes << 3;
  while (w < end) {
    const w0 = v128.load(w);
    const w1 = v128.load(w, 16);
    const w2 = v128.load(w, 32);
    const w3 = v128.load(w, 48);
    a0 = addEight(a0, eightAt(element, x0), w0, w1, w2, w3);
    a1 = addEight(a1, eightAt(element, x1), w0, w1, w2, w3);
    a2 = addEight(a2, eightAt(element, x2), w0, w1, w2, w3);
    a3 = addEight(a3, eightAt(element, x3), w0, w1, w2, w3);
    w += 64;
    x0 += eight;
    x1 += eight;
    x2 += eight;
    x3 += eight;
  }
  for (let left: i32 = <i32>(d & 7); left > 0; left -= 2) {
    // The last element of an odd length: the odd lane adds ±0, which changes nothing, as the lane is never −0.
    const p = left == 1 ? v128.load64_zero(w) : v128.load(w);
    a0 = madd(a0, pairAt(element, x0), p);
    a1 = madd(a1, pairAt(element, x1), p);
    a2 = madd(a2, pairAt(element, x2), p);
    a3 = madd(a3, pairAt(element, x3), p);
    w += 16;
    x0 += bytes << 1;
    x1 += bytes << 1;
    x2 += bytes << 1;
    x3 += bytes << 1;
  }
  store<f64>(out, f64x2.extract_lane(a0, 0) + f64x2.extract_lane(a0, 1));
  store<f64>(out, f64x2.extract_lane(a1, 0) + f64x2.extract_lane(a1, 1), 8);
  store<f64>(out, f64x2.extract_lane(a2, 0) + f64x2.extract_lane(a2, 1), 16);
  store<f64>(out, f64x2.extract_lane(a3, 0) + f64x2.extract_lane(a3, 1), 24);
}

/** out[r] = row r · w for `count` ≤ 12 rows; a list of one row has room for four. */
export function integerDots(element: usize, count: u32, rows: usize, w: usize, d: usize, out: usize): void {
  if (count == 1) {
    const row = load<u32>(rows);
    store<u32>(rows, row, 4);
    store<u32>(rows, row, 8);
    store<u32>(rows, row, 12);
  }
  if (element & SPLIT) {
    for (let r: usize = 0; r < <usize>count; r += 2) {
      const two = rows + (r << 2);
      halfDots2(element ^ SPLIT, load<u32>(two), load<u32>(two, 4), w, w, d, out + (r << 3));
    }
    return;
  }
  for (let r: usize = 0; r < <usize>count; r += 4) integerDots4(element, rows + (r << 2), w, d, out + (r << 3));
}

/** w (d) ← step · x (d), plus w unless `isFresh`. */
@inline
function scaleTo(element: usize, w: usize, x: usize, step: f64, d: usize, isFresh: bool): void {
  const bytes = element & 3;
  let end = w;
  if (ASC_FEATURE_SIMD) {
    end = w + ((d & ~7) << 3);
    const t = f64x2.splat(step);
    while (w < end) {
      const v = eightAt(element, x);
      const low = i32x4.extend_low_i16x8_s(v);
      const high = i32x4.extend_high_i16x8_s(v);
      const p0 = f64x2.convert_low_i32x4_s(low);
      const p1 = highPair(low);
      const p2 = f64x2.convert_low_i32x4_s(high);
      const p3 = highPair(high);
      v128.store(w, isFresh ? p0 : madd(v128.load(w), t, p0));
      v128.store(w, isFresh ? p1 : madd(v128.load(w, 16), t, p1), 16);
      v128.store(w, isFresh ? p2 : madd(v128.load(w, 32), t, p2), 32);
      v128.store(w, isFresh ? p3 : madd(v128.load(w, 48), t, p3), 48);
      x += bytes << 3;
      w += 64;
    }
    d &= 7;
  }
  for (end += d << 3; w < end; w += 8) {
    const value = integerAt(element, x);
    store<f64>(w, isFresh ? value : load<f64>(w) + step * value);
    x += bytes;
  }
}

/** w (d) ← w + step · x (d). */
export function integerAxpy(element: usize, w: usize, x: usize, step: f64, d: usize): void {
  scaleTo(element, w, x, step, d, false);
}

/** Copies x (d) as float64 to `to`. */
export function integerWiden(element: usize, x: usize, d: usize, to: usize): void {
  scaleTo(element, to, x, 1, d, true);
}

/** Interleaves rows as `interleave` of gram.ts does, as i16: eight values of a row, eight of the next one; zeros after the last. */
export function integerPanel(element: usize, x: usize, stride: usize, rows: usize, count: usize, to: usize): void {
  if (!ASC_FEATURE_SIMD) return;
  const bytes = ((count + 7) >> 3) << 4;
  const step = (element & 3) << 3;
  for (let r: usize = 0; r < rows; r++) {
    let from = x + r * stride;
    let place = to + (r >> 1) * (bytes << 1) + ((r & 1) << 4);
    const end = from + (count >> 3) * step;
    while (from < end) {
      v128.store(place, eightAt(element, from));
      from += step;
      place += 32;
    }
    if (count & 7) {
      const isThere = i16x8.lt_s(i16x8(0, 1, 2, 3, 4, 5, 6, 7), i16x8.splat(<i16>(count & 7)));
      v128.store(place, v128.and(eightAt(element, from), isThere));
    }
  }
}
