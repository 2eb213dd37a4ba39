// Dot products of pairs of rows, order P (SPEC §12, docs/adr/0003): A·Bᵀ and the Gram matrix G = X·Xᵀ block by block,
// and one row of it alone.
//
// Order P closes its lanes every PANEL elements, so the work is split into panels: a call of `pairPanel` adds one
// panel's part of every pair of a block of rows a with a block of rows b. Tiles of 2 × 4 pairs keep eight sums in
// registers and read six rows:
//
//              b0   b1   b2   b3         four rows b: 16 KB of a panel, in L1 while the loop visits all rows a
//        a0    ··   ··   ··   ··         each ·· one f64x2 (even, odd) of a pair
//        a1    ··   ··   ··   ··         two rows a at a time: the panels of a block, in L2
//
// Rows are read in place, with two exceptions that are copied into a buffer first: float32 rows (widened once a
// block, not once a pair), and rows a whole number of pages apart, which compete for a few cache sets.
// All block sizes give bit-identical results: each pair is summed in order P on its own.

import { dots } from './dot';
import { one, pair } from './lanes';
import { GROUP_SCORES, PANEL } from './layout';
import { fullGroup, listGroup } from './scores';

/** Bytes from row to row of the buffer: a panel, and a cache line so that rows use different cache sets. */
const BUFFER_STRIDE: usize = (PANEL << 3) + 64;

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
 * a₀·b₀ … a₀·b₃ to f64[4] at `to0`, a₁·b₀ … a₁·b₃ to `to1`, over `count` float64 elements of one panel: stored for the
 * first panel, else added.
 */
export function tile(
  a0: usize,
  a1: usize,
  b0: usize,
  b1: usize,
  b2: usize,
  b3: usize,
  count: usize,
  to0: usize,
  to1: usize,
  isFirst: bool,
): void {
  if (!ASC_FEATURE_SIMD) {
    tile2(a0, a1, b0, b1, count, to0, to1, isFirst);
    tile2(a0, a1, b2, b3, count, to0 + 16, to1 + 16, isFirst);
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
  const end = a0 + ((count & ~1) << 3);
  while (a0 < end) {
    const p = v128.load(a0);
    const q = v128.load(a1);
    let z = v128.load(b0);
    c00 = f64x2.add(c00, f64x2.mul(p, z));
    c10 = f64x2.add(c10, f64x2.mul(q, z));
    z = v128.load(b1);
    c01 = f64x2.add(c01, f64x2.mul(p, z));
    c11 = f64x2.add(c11, f64x2.mul(q, z));
    z = v128.load(b2);
    c02 = f64x2.add(c02, f64x2.mul(p, z));
    c12 = f64x2.add(c12, f64x2.mul(q, z));
    z = v128.load(b3);
    c03 = f64x2.add(c03, f64x2.mul(p, z));
    c13 = f64x2.add(c13, f64x2.mul(q, z));
    a0 += 16;
    a1 += 16;
    b0 += 16;
    b1 += 16;
    b2 += 16;
    b3 += 16;
  }
  if (count & 1) {
    // One step of the even lane. The odd lane adds 0·0, which changes nothing: the lane is never −0.
    const p = v128.load64_zero(a0);
    const q = v128.load64_zero(a1);
    let z = v128.load64_zero(b0);
    c00 = f64x2.add(c00, f64x2.mul(p, z));
    c10 = f64x2.add(c10, f64x2.mul(q, z));
    z = v128.load64_zero(b1);
    c01 = f64x2.add(c01, f64x2.mul(p, z));
    c11 = f64x2.add(c11, f64x2.mul(q, z));
    z = v128.load64_zero(b2);
    c02 = f64x2.add(c02, f64x2.mul(p, z));
    c12 = f64x2.add(c12, f64x2.mul(q, z));
    z = v128.load64_zero(b3);
    c03 = f64x2.add(c03, f64x2.mul(p, z));
    c13 = f64x2.add(c13, f64x2.mul(q, z));
  }
  put(to0, close2(c00, c01), isFirst);
  put(to0 + 16, close2(c02, c03), isFirst);
  put(to1, close2(c10, c11), isFirst);
  put(to1 + 16, close2(c12, c13), isFirst);
}

/** Without SIMD: 2 × 2 pairs, so that eight sums stay in registers. */
function tile2(
  a0: usize,
  a1: usize,
  b0: usize,
  b1: usize,
  count: usize,
  to0: usize,
  to1: usize,
  isFirst: bool,
): void {
  let e00: f64 = 0;
  let e01: f64 = 0;
  let e10: f64 = 0;
  let e11: f64 = 0;
  let o00: f64 = 0;
  let o01: f64 = 0;
  let o10: f64 = 0;
  let o11: f64 = 0;
  const end = a0 + ((count & ~1) << 3);
  while (a0 < end) {
    let p = load<f64>(a0);
    let q = load<f64>(a1);
    let y = load<f64>(b0);
    let z = load<f64>(b1);
    e00 += p * y;
    e01 += p * z;
    e10 += q * y;
    e11 += q * z;
    p = load<f64>(a0, 8);
    q = load<f64>(a1, 8);
    y = load<f64>(b0, 8);
    z = load<f64>(b1, 8);
    o00 += p * y;
    o01 += p * z;
    o10 += q * y;
    o11 += q * z;
    a0 += 16;
    a1 += 16;
    b0 += 16;
    b1 += 16;
  }
  if (count & 1) {
    e00 += load<f64>(a0) * load<f64>(b0);
    e01 += load<f64>(a0) * load<f64>(b1);
    e10 += load<f64>(a1) * load<f64>(b0);
    e11 += load<f64>(a1) * load<f64>(b1);
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

/** Copies `count` elements of each of `rows` rows into a buffer, as float64. */
@inline
function gather<T>(x: usize, stride: usize, rows: usize, count: usize, buffer: usize): void {
  for (let i: usize = 0; i < rows; i++) {
    let from = x + i * stride;
    let to = buffer + i * BUFFER_STRIDE;
    const end = to + ((count & ~1) << 3);
    while (to < end) {
      if (ASC_FEATURE_SIMD) {
        v128.store(to, pair<T>(from));
      } else {
        store<f64>(to, one<T>(from));
        store<f64>(to, one<T>(from + sizeof<T>()), 8);
      }
      from += 2 * sizeof<T>();
      to += 16;
    }
    if (count & 1) store<f64>(to, one<T>(from));
  }
}

function gatherRows(element: usize, x: usize, stride: usize, rows: usize, count: usize, buffer: usize): void {
  if (element == 8) gather<f64>(x, stride, rows, count, buffer);
  else gather<f32>(x, stride, rows, count, buffer);
}

/**
 * The part of elements k … k + PANEL − 1 in the products of rows A (ni, d) and rows B (nj, d), both row-major, to
 * `out`, ni rows of nj numbers with `ld` numbers from row to row. The first panel (k = 0) stores, the others add;
 * they must follow in ascending order. A triangle is a block of rows with itself (A is B): only pairs with
 * column ≤ row. Blocks have at most `GRAM_BLOCK` rows. `scratch` holds the sums of a tile and then the copied
 * blocks: 64 + (ni + nj)·BUFFER_STRIDE bytes are enough.
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
  let buffer = scratch + 64;
  let strideA = d * elementA;
  let strideB = d * elementB;
  a += k * elementA;
  b += k * elementB;
  if (elementB == 4 || (strideB & 4095) == 0) {
    gatherRows(elementB, b, strideB, nj, count, buffer);
    b = buffer;
    strideB = BUFFER_STRIDE;
    buffer += nj * BUFFER_STRIDE;
  }
  if (isTriangle) {
    a = b;
    strideA = strideB;
  } else if (elementA == 4 || (strideA & 4095) == 0) {
    gatherRows(elementA, a, strideA, ni, count, buffer);
    a = buffer;
    strideA = BUFFER_STRIDE;
  }
  for (let q: usize = 0; q < nj; q += 4) {
    // Beyond the edge the last row is repeated; its sums are not copied out.
    const b0 = b + q * strideB;
    const b1 = b + min(q + 1, nj - 1) * strideB;
    const b2 = b + min(q + 2, nj - 1) * strideB;
    const b3 = b + min(q + 3, nj - 1) * strideB;
    for (let p: usize = isTriangle ? q : 0; p < ni; p += 2) {
      const a0 = a + p * strideA;
      const to = out + ((p * ld + q) << 3);
      if (p + 2 <= ni && q + 4 <= nj) {
        tile(a0, a0 + strideA, b0, b1, b2, b3, count, to, to + (ld << 3), isFirst);
      } else {
        tile(a0, a + min(p + 1, ni - 1) * strideA, b0, b1, b2, b3, count, scratch, scratch + 32, true);
        collect(scratch, to, ld, min<usize>(2, ni - p), min<usize>(4, nj - q), isFirst);
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
