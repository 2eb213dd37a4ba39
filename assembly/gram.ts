// Dot products of pairs of rows, order P (SPEC §12, docs/adr/0003): A·Bᵀ and the Gram matrix G = X·Xᵀ block by block,
// and one row of it alone.
//
// Order P closes its lanes every PANEL elements, so the work is split into panels: a call of `pairPanel` adds one
// panel's part of every pair of a block of rows a with a block of rows b. Tiles of 2 × 4 pairs keep eight sums in
// registers. The panels are copied first, two rows interleaved, so that a tile reads six rows through three pointers
// (docs/adr/0022):
//
//   a   p₀p₁ q₀q₁ p₂p₃ q₂q₃ …              rows p and q: an f64x2 (even, odd) of each in turn
//
//              b0   b1   b2   b3         four rows b: 16 KB of a panel, in L1 while the loop visits all rows a
//        a0    ··   ··   ··   ··         each ·· one f64x2 (even, odd) of a pair
//        a1    ··   ··   ··   ··         two rows a at a time: the panels of a block, in L2
//
// 8-bit integers are copied as i16 and multiplied exactly (docs/adr/0023): eight values a register instead of two.
// All block sizes give bit-identical results: each pair is summed in order P on its own.

import { dots } from './dot';
import { highPair, integerAt, integerPanel } from './integers';
import { one, pair } from './lanes';
import { GRAM_BLOCK, GROUP_SCORES, PANEL } from './layout';
import { fullGroup, listGroup, strideOf } from './scores';

/** (p even + p odd, q even + q odd) */
@inline
function close2(p: v128, q: v128): v128 {
  return f64x2.add(v128.shuffle<f64>(p, q, 0, 2), v128.shuffle<f64>(p, q, 1, 3));
}

/** Stores the sums of a panel, or adds them. */
@inline
function put(to: usize, sums: v128, isFirst: bool): void {
  v128.store(to, isFirst ? sums : f64x2.add(v128.load(to), sums));
}

/** c + p·q: of (even, odd) as f64x2, or of eight i16 as four i32, each the sum of two products. */
@inline
function madd<T>(c: v128, p: v128, q: v128): v128 {
  return isInteger<T>() ? i32x4.add(c, i32x4.dot_i16x8_s(p, q)) : f64x2.add(c, f64x2.mul(p, q));
}

/** Puts the sums of the lanes of four pairs. */
@inline
function put4<T>(to: usize, p: v128, q: v128, r: v128, s: v128, isFirst: bool): void {
  if (isInteger<T>()) {
    const low = i32x4.add(v128.shuffle<i32>(p, q, 0, 2, 4, 6), v128.shuffle<i32>(p, q, 1, 3, 5, 7));
    const high = i32x4.add(v128.shuffle<i32>(r, s, 0, 2, 4, 6), v128.shuffle<i32>(r, s, 1, 3, 5, 7));
    const sums = i32x4.add(v128.shuffle<i32>(low, high, 0, 2, 4, 6), v128.shuffle<i32>(low, high, 1, 3, 5, 7));
    put(to, f64x2.convert_low_i32x4_s(sums), isFirst);
    put(to + 16, highPair(sums), isFirst);
  } else {
    put(to, close2(p, q), isFirst);
    put(to + 16, close2(r, s), isFirst);
  }
}

/**
 * The products of two rows a with four rows b, interleaved panels that end at `end` of a: to f64[4] at `to0` and at `to1`, stored for
 * the first panel, else added. T is f64, or i16 for 8-bit values: their sums in a panel are below 512·2¹⁶ = 2²⁵, so exact.
 */
@inline
function tileOf<T>(a: usize, end: usize, b: usize, b2: usize, to0: usize, to1: usize, isFirst: bool): void {
  let c00 = f64x2.splat(0);
  let c01 = c00;
  let c02 = c00;
  let c03 = c00;
  let c10 = c00;
  let c11 = c00;
  let c12 = c00;
  let c13 = c00;
  while (a < end) {
    const p = v128.load(a);
    const q = v128.load(a, 16);
    let z = v128.load(b);
    c00 = madd<T>(c00, p, z);
    c10 = madd<T>(c10, q, z);
    z = v128.load(b, 16);
    c01 = madd<T>(c01, p, z);
    c11 = madd<T>(c11, q, z);
    z = v128.load(b2);
    c02 = madd<T>(c02, p, z);
    c12 = madd<T>(c12, q, z);
    z = v128.load(b2, 16);
    c03 = madd<T>(c03, p, z);
    c13 = madd<T>(c13, q, z);
    a += 32;
    b += 32;
    b2 += 32;
  }
  put4<T>(to0, c00, c01, c02, c03, isFirst);
  put4<T>(to1, c10, c11, c12, c13, isFirst);
}

// Exported, so that V8 optimises them soon.
export function tile(a: usize, end: usize, b: usize, b2: usize, to0: usize, to1: usize, isFirst: bool): void {
  if (!ASC_FEATURE_SIMD) {
    tile2(a, end, b, to0, to1, isFirst);
    tile2(a, end, b2, to0 + 16, to1 + 16, isFirst);
    return;
  }
  tileOf<f64>(a, end, b, b2, to0, to1, isFirst);
}

export function integerTile(a: usize, end: usize, b: usize, b2: usize, to0: usize, to1: usize, isFirst: bool): void {
  if (ASC_FEATURE_SIMD) tileOf<i16>(a, end, b, b2, to0, to1, isFirst);
}

/** Without SIMD: 2 × 2 pairs, so that eight sums stay in registers. */
function tile2(a: usize, end: usize, b: usize, to0: usize, to1: usize, isFirst: bool): void {
  let e00: f64 = 0;
  let e01: f64 = 0;
  let e10: f64 = 0;
  let e11: f64 = 0;
  let o00: f64 = 0;
  let o01: f64 = 0;
  let o10: f64 = 0;
  let o11: f64 = 0;
  while (a < end) {
    let p = load<f64>(a);
    let q = load<f64>(a, 16);
    let y = load<f64>(b);
    let z = load<f64>(b, 16);
    e00 += p * y;
    e01 += p * z;
    e10 += q * y;
    e11 += q * z;
    p = load<f64>(a, 8);
    q = load<f64>(a, 24);
    y = load<f64>(b, 8);
    z = load<f64>(b, 24);
    o00 += p * y;
    o01 += p * z;
    o10 += q * y;
    o11 += q * z;
    a += 32;
    b += 32;
  }
  store<f64>(to0, isFirst ? e00 + o00 : load<f64>(to0) + (e00 + o00));
  store<f64>(to0, isFirst ? e01 + o01 : load<f64>(to0, 8) + (e01 + o01), 8);
  store<f64>(to1, isFirst ? e10 + o10 : load<f64>(to1) + (e10 + o10));
  store<f64>(to1, isFirst ? e11 + o11 : load<f64>(to1, 8) + (e11 + o11), 8);
}

/** Copies `rows` ≤ 2 by `cols` ≤ 4 of the sums f64[8] of a tile at the edge to `out`. */
@inline
function collect(sums: usize, out: usize, ld: usize, rows: usize, cols: usize, isFirst: bool): void {
  for (let i: usize = 0; i < rows; i++) {
    for (let j: usize = 0; j < cols; j++) {
      const at = out + ((i * ld + j) << 3);
      const sum = load<f64>(sums + (((i << 2) + j) << 3));
      store<f64>(at, isFirst ? sum : load<f64>(at) + sum);
    }
  }
}

/** Elements k and k + 1 of a row to `to`, as float64. */
@inline
function copyPair<T>(x: usize, to: usize): void {
  if (ASC_FEATURE_SIMD) {
    v128.store(to, pair<T>(x));
    return;
  }
  store<f64>(to, one<T>(x));
  store<f64>(to, one<T>(x + sizeof<T>()), 8);
}

/** Interleaves `count` elements of each of `rows` rows two by two, as float64; the last row is repeated up to a whole tile. */
@inline
function interleave<T>(x: usize, stride: usize, rows: usize, count: usize, to: usize): void {
  const bytes = ((count + 1) >> 1) << 5;
  const last = x + (rows - 1) * stride;
  // Four rows at a time: two are slower to read from memory.
  for (; x <= last; x += 4 * stride) {
    let x0 = x;
    let x1 = min(x0 + stride, last);
    let x2 = min(x1 + stride, last);
    let x3 = min(x2 + stride, last);
    const end = to + ((count >> 1) << 5);
    for (; to < end; to += 32) {
      copyPair<T>(x0, to);
      copyPair<T>(x1, to + 16);
      copyPair<T>(x2, to + bytes);
      copyPair<T>(x3, to + bytes + 16);
      x0 += 2 * sizeof<T>();
      x1 += 2 * sizeof<T>();
      x2 += 2 * sizeof<T>();
      x3 += 2 * sizeof<T>();
    }
    if (count & 1) {
      // The odd lane adds 0·0, which changes nothing: the lane is never −0.
      for (let r: usize = 0; r < 4; r++) {
        const place = to + (r >> 1) * bytes + ((r & 1) << 4);
        store<f64>(place, one<T>(min(x + r * stride, last) + (count - 1) * sizeof<T>()));
        store<f64>(place, 0, 8);
      }
      to += 32;
    }
    to += bytes;
  }
}

// Exported, so that V8 optimises them soon.
export function interleave_f64(x: usize, stride: usize, rows: usize, count: usize, to: usize): void {
  interleave<f64>(x, stride, rows, count, to);
}
export function interleave_f32(x: usize, stride: usize, rows: usize, count: usize, to: usize): void {
  interleave<f32>(x, stride, rows, count, to);
}

/** The same for integers, one by one: a small part of the time. */
function interleaveIntegers(element: usize, x: usize, stride: usize, rows: usize, count: usize, to: usize): void {
  const bytes = ((count + 1) >> 1) << 5;
  for (let r: usize = 0; r < ((rows + 3) & ~3); r++) {
    let from = x + min(r, rows - 1) * stride;
    const place = to + (r >> 1) * bytes + ((r & 1) << 4);
    for (let k: usize = 0; k < ((count + 1) & ~1); k++) {
      store<f64>(place + ((k >> 1) << 5) + ((k & 1) << 3), k < count ? integerAt(element, from) : 0);
      from += element & 3;
    }
  }
}

@inline
function interleaveRows(element: usize, x: usize, stride: usize, rows: usize, count: usize, to: usize, isExact: bool): void {
  if (isExact) integerPanel(element, x, stride, rows, count, to);
  else if (element == 8) interleave_f64(x, stride, rows, count, to);
  else if (element == 4) interleave_f32(x, stride, rows, count, to);
  else interleaveIntegers(element, x, stride, rows, count, to);
}

/**
 * The part of elements k … k + PANEL − 1 in the products of rows A (ni, d) and rows B (nj, d), both row-major, to
 * `out`, ni rows of nj numbers with `ld` numbers from row to row. The first panel (k = 0) stores, the others add;
 * they must follow in ascending order. A triangle is a block of rows with itself (A is B): only pairs with
 * column ≤ row. B and a triangle have at most GRAM_BLOCK rows; A is copied so many rows at a time. `scratch` holds the
 * sums of a tile, 64 bytes, and the copies of the rows of B and of up to GRAM_BLOCK rows of A, in fours.
 */
export function pairPanel(
  elementA: usize,
  a: usize,
  ni: usize,
  elementB: usize,
  b: usize,
  nj: usize,
  d: usize,
  k: usize,
  isTriangle: bool,
  out: usize,
  ld: usize,
  scratch: usize,
): void {
  const count = min<usize>(PANEL, d - k);
  const isFirst = k == 0;
  const isExact = ASC_FEATURE_SIMD && (elementA & elementB & 1) != 0;
  const bytes = (isExact ? (count + 7) >> 3 : (count + 1) >> 1) << 4; // of a row
  const packedB = scratch + 64;
  const strideA = strideOf(elementA, d);
  const strideB = strideOf(elementB, d);
  interleaveRows(elementB, b + strideOf(elementB, k), strideB, nj, count, packedB, isExact);
  const packedA = isTriangle ? packedB : packedB + ((nj + 3) & ~3) * bytes;
  for (let top: usize = 0; top < ni; top += GRAM_BLOCK) {
    const rows = min<usize>(GRAM_BLOCK, ni - top);
    if (!isTriangle) {
      interleaveRows(elementA, a + top * strideA + strideOf(elementA, k), strideA, rows, count, packedA, isExact);
    }
    for (let q: usize = 0; q < nj; q += 4) {
      const b0 = packedB + q * bytes;
      const b2 = b0 + 2 * bytes;
      for (let p: usize = isTriangle ? q : 0; p < rows; p += 2) {
        const a0 = packedA + p * bytes;
        const end = a0 + 2 * bytes;
        const to = out + (((top + p) * ld + q) << 3);
        const isWhole = p + 2 <= rows && q + 4 <= nj;
        const to0 = isWhole ? to : scratch;
        const to1 = isWhole ? to + (ld << 3) : scratch + 32;
        const stores = isFirst || !isWhole;
        if (isExact) integerTile(a0, end, b0, b2, to0, to1, stores);
        else tile(a0, end, b0, b2, to0, to1, stores);
        if (!isWhole) collect(scratch, to, ld, min<usize>(2, rows - p), min<usize>(4, nj - q), isFirst);
      }
    }
  }
}

/** Copies the block of rows i …, columns j … of G (n, n) to the other side of the diagonal. */
export function mirror(g: usize, n: usize, i: usize, ni: usize, j: usize, nj: usize): void {
  for (let p = i; p < i + ni; p++) {
    const end = min(j + nj, p);
    for (let q = j; q < end; q++) store<f64>(g + ((q * n + p) << 3), load<f64>(g + ((p * n + q) << 3)));
  }
}

/** out[i] = x_i · z for the n rows of X (n, d); z is f64[d], `group` scratch of GROUP_BYTES. */
export function pairRow(element: usize, x: usize, n: u32, d: usize, z: usize, out: usize, group: usize): void {
  const stride = strideOf(element, d);
  const most = fullGroup(n, stride);
  for (let at: u32 = 0; at < n; ) {
    const count = min(most, n - at);
    for (let k: usize = 0; k < d; k += PANEL) {
      listGroup(x + strideOf(element, k), stride, 0, at, count, group);
      dots(element, count, group, z + (k << 3), min<usize>(PANEL, d - k), group + GROUP_SCORES);
      for (let i: usize = 0; i < count; i++) {
        const to = out + ((<usize>at + i) << 3);
        const sum = load<f64>(group + (i << 3), GROUP_SCORES);
        store<f64>(to, k == 0 ? sum : load<f64>(to) + sum);
      }
    }
    at += count;
  }
}
