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
// All block sizes give bit-identical results: each pair is summed in order P on its own.

import { dots } from './dot';
import { one, pair } from './lanes';
import { GRAM_BLOCK, GROUP_SCORES, PANEL } from './layout';
import { fullGroup, listGroup } from './scores';

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

/**
 * The products of two rows a with four rows b, interleaved panels that end at `end` of a: to f64[4] at `to0` and at `to1`, stored for
 * the first panel, else added.
 */
export function tile(a: usize, end: usize, b: usize, b2: usize, to0: usize, to1: usize, isFirst: bool): void {
  if (!ASC_FEATURE_SIMD) {
    tile2(a, end, b, to0, to1, isFirst);
    tile2(a, end, b2, to0 + 16, to1 + 16, isFirst);
    return;
  }
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
    c00 = f64x2.add(c00, f64x2.mul(p, z));
    c10 = f64x2.add(c10, f64x2.mul(q, z));
    z = v128.load(b, 16);
    c01 = f64x2.add(c01, f64x2.mul(p, z));
    c11 = f64x2.add(c11, f64x2.mul(q, z));
    z = v128.load(b2);
    c02 = f64x2.add(c02, f64x2.mul(p, z));
    c12 = f64x2.add(c12, f64x2.mul(q, z));
    z = v128.load(b2, 16);
    c03 = f64x2.add(c03, f64x2.mul(p, z));
    c13 = f64x2.add(c13, f64x2.mul(q, z));
    a += 32;
    b += 32;
    b2 += 32;
  }
  put(to0, close2(c00, c01), isFirst);
  put(to0 + 16, close2(c02, c03), isFirst);
  put(to1, close2(c10, c11), isFirst);
  put(to1 + 16, close2(c12, c13), isFirst);
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

@inline
function interleaveRows(element: usize, x: usize, d: usize, rows: usize, count: usize, to: usize): void {
  if (element == 8) interleave_f64(x, d << 3, rows, count, to);
  else interleave_f32(x, d << 2, rows, count, to);
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
  const bytes = ((count + 1) >> 1) << 4; // of a row
  const packedB = scratch + 64;
  interleaveRows(elementB, b + k * elementB, d, nj, count, packedB);
  const packedA = isTriangle ? packedB : packedB + ((nj + 3) & ~3) * bytes;
  for (let top: usize = 0; top < ni; top += GRAM_BLOCK) {
    const rows = min<usize>(GRAM_BLOCK, ni - top);
    if (!isTriangle) interleaveRows(elementA, a + (top * d + k) * elementA, d, rows, count, packedA);
    for (let q: usize = 0; q < nj; q += 4) {
      const b0 = packedB + q * bytes;
      const b2 = b0 + 2 * bytes;
      for (let p: usize = isTriangle ? q : 0; p < rows; p += 2) {
        const a0 = packedA + p * bytes;
        const end = a0 + 2 * bytes;
        const to = out + (((top + p) * ld + q) << 3);
        if (p + 2 <= rows && q + 4 <= nj) {
          tile(a0, end, b0, b2, to, to + (ld << 3), isFirst);
        } else {
          tile(a0, end, b0, b2, scratch, scratch + 32, true);
          collect(scratch, to, ld, min<usize>(2, rows - p), min<usize>(4, nj - q), isFirst);
        }
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
  const stride = d * element;
  const most = fullGroup(n, stride);
  for (let at: u32 = 0; at < n; ) {
    const count = min(most, n - at);
    for (let k: usize = 0; k < d; k += PANEL) {
      listGroup(x + k * element, stride, 0, at, count, group);
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
