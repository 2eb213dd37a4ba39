// Weights that are integers, split into halves of 15 bits: 8-bit rows are multiplied with them in integer arithmetic, exactly
// (docs/adr/0026).
//
//   w = 2¹⁵·high + low,  0 ≤ low < 2¹⁵       x·w = 2¹⁵·(x·high) + x·low       eight products an instruction (i32x4.dot_i16x8_s)
//
//   halves   low₀ … low₇  high₀ … high₇  low₈ … low₁₅  …                        i16, 32 bytes for eight weights, zeros at the end
//
// Every partial sum of order S is an integer not above d·max|x|·max|w|. Below 2⁵³ float64 holds all of them exactly: then any order,
// and integer arithmetic, give the bits of order S. A sum of zero is +0 in both: lanes begin at +0, and x + −x and +0 + −0 are +0 (so
// weights of −0 are no exception).
// Weights that could break this are not split, and rows are then multiplied as ever: the path changes the speed only.
//
// Preconditions: w is f64[d], with room up to a multiple of eight weights and for the halves behind that: 12 bytes a weight. Rows are
// as in integers.ts.

import { INT8, UINT8 } from './layout';
import { eightAt, highPair } from './integers';

/** Added to UINT8 or INT8 by a kernel: the halves of w are those of w. No record has it. */
export const SPLIT: usize = 32;

/** Bytes of halves after which sums are converted: 128 steps, each of two products below 255·2¹⁵ for each of four i32, so below 2³¹. */
const PART: usize = 128 << 5;

/** With so few rows splitting costs more than it saves. */
const FEW: u32 = 8;

@inline
function halvesOf(w: usize, d: usize): usize {
  return w + (((d + 7) & ~7) << 3);
}

/** All bits set unless w is an integer and |w| ≤ most; sum is w + magic. */
@inline
function isWrong(w: v128, sum: v128, magic: v128, most: v128): v128 {
  return v128.or(f64x2.ne(f64x2.sub(sum, magic), w), f64x2.gt(f64x2.abs(w), most));
}

/** Splits w, if all its weights are integers and small enough for exact sums with 8-bit rows; returns whether they are. */
export function split(w: usize, d: usize): bool {
  if (!ASC_FEATURE_SIMD) return false;
  // 2⁵³ / 255 / d: with |x| ≤ 255 no sum is above 2⁵³. Below 2³⁰ the halves fit.
  const most = f64x2.splat(min<f64>(1073741823.0, 35322350018592.0 / <f64>d));
  const magic = f64x2.splat(6755399441055744.0); // 1.5·2⁵²: added to an integer, it leaves the integer in the lower bits
  const low15 = i32x4.splat(0x7fff);
  let bad = f64x2.splat(0);
  let to = halvesOf(w, d);
  for (let at = w + (d << 3); at < to; at += 8) store<f64>(at, 0);
  for (let end = w + (d << 3); w < end; w += 64) {
    let w0 = v128.load(w);
    let w1 = v128.load(w, 16);
    let w2 = v128.load(w, 32);
    let w3 = v128.load(w, 48);
    const s0 = f64x2.add(w0, magic);
    const s1 = f64x2.add(w1, magic);
    const s2 = f64x2.add(w2, magic);
    const s3 = f64x2.add(w3, magic);
    bad = v128.or(bad, isWrong(w0, s0, magic, most));
    bad = v128.or(bad, isWrong(w1, s1, magic, most));
    bad = v128.or(bad, isWrong(w2, s2, magic, most));
    bad = v128.or(bad, isWrong(w3, s3, magic, most));
    if (v128.any_true(bad)) return false;
    const p = v128.shuffle<i32>(s0, s1, 0, 2, 4, 6);
    const q = v128.shuffle<i32>(s2, s3, 0, 2, 4, 6);
    v128.store(to, i16x8.narrow_i32x4_s(v128.and(p, low15), v128.and(q, low15)));
    v128.store(to, i16x8.narrow_i32x4_s(i32x4.shr_s(p, 15), i32x4.shr_s(q, 15)), 16);
    to += 32;
  }
  return true;
}

/** element + SPLIT if rows are 8-bit, w could be split, and at least `rows` rows are worth it; else element. */
export function splitFor(element: usize, w: usize, d: usize, rows: u32): usize {
  return rows > FEW && (element == UINT8 || element == INT8) && split(w, d) ? element | SPLIT : element;
}

/** sum + 2¹⁵·high + low: four i32 of each as two f64. */
@inline
function add(sum: v128, low: v128, high: v128): v128 {
  const l = f64x2.add(f64x2.convert_low_i32x4_s(low), highPair(low));
  const h = f64x2.add(f64x2.convert_low_i32x4_s(high), highPair(high));
  return f64x2.add(sum, f64x2.add(l, f64x2.mul(h, f64x2.splat(32768))));
}

@inline
function madd(sum: v128, x: v128, half: v128): v128 {
  return i32x4.add(sum, i32x4.dot_i16x8_s(x, half));
}

/** out[0] = x0 · w0 and out[1] = x1 · w1, for weights that are split. */
export function halfDots2(element: usize, x0: usize, x1: usize, w0: usize, w1: usize, d: usize, out: usize): void {
  if (!ASC_FEATURE_SIMD) return;
  let p0 = halvesOf(w0, d);
  let p1 = halvesOf(w1, d);
  const end = p0 + (((d + 7) >> 3) << 5);
  const zero = f64x2.splat(0);
  let s0 = zero;
  let s1 = zero;
  while (p0 < end) {
    let l0 = zero;
    let l1 = zero;
    let h0 = zero;
    let h1 = zero;
    const stop = min(end, p0 + PART);
    while (p0 < stop) {
      let x = eightAt(element, x0);
      l0 = madd(l0, x, v128.load(p0));
      h0 = madd(h0, x, v128.load(p0, 16));
      x = eightAt(element, x1);
      l1 = madd(l1, x, v128.load(p1));
      h1 = madd(h1, x, v128.load(p1, 16));
      x0 += 8;
      x1 += 8;
      p0 += 32;
      p1 += 32;
    }
    s0 = add(s0, l0, h0);
    s1 = add(s1, l1, h1);
  }
  store<f64>(out, f64x2.extract_lane(s0, 0) + f64x2.extract_lane(s0, 1));
  store<f64>(out, f64x2.extract_lane(s1, 0) + f64x2.extract_lane(s1, 1), 8);
}
