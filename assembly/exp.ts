// exp and integer powers, bit-identical on both builds and in src/engine/js/exp.ts (SPEC §12; docs/adr/0006
// proves the bounds). Only + − ·, comparisons and bit moves, none of them fused.
//
//   x   = k·ln 2 + (r + c)            k an integer, |r| ≤ ln 2 / 2, c the rounding error of r
//   eʳ  = h + (r²/2 + (r³·q + l))     h + l = 1 + r exactly; q a polynomial of degree 9
//   eˣ  = eʳ·(1 + c)·2ᵏ               within 0.6 ulp, and monotonic

import { C10, C11, C12, C3, C4, C5, C6, C7, C8, C9, INV_LN2, LIMIT, LN2_HI, LN2_LO, SHIFT } from './exp-constants';

/** eˣ, for any x. */
export function exp(x: f64): f64 {
  if (ASC_FEATURE_SIMD) return f64x2.extract_lane(expPair(f64x2.splat(x)), 0); // about as fast, and one function less
  x = x < -LIMIT ? -LIMIT : x; // NaN fails both comparisons
  x = x > LIMIT ? LIMIT : x;
  const t = x * INV_LN2 + SHIFT;
  const k = t - SHIFT;
  const hi = x - k * LN2_HI; // exact
  const lo = k * LN2_LO;
  const r = hi - lo;
  const c = hi - r - lo;

  const h = 1.0 + r;
  const l = 1.0 - h + r;
  const r2 = r * r;
  const r4 = r2 * r2;
  const half = 0.5 * r2;
  // Not Horner's rule: pairs of terms do not depend on each other.
  const q = C3 + C4 * r + r2 * (C5 + C6 * r) + r4 * (C7 + C8 * r + r2 * (C9 + C10 * r) + r4 * (C11 + C12 * r));
  const y = h + (half + (r2 * r * q + (l + c * (h + half))));

  // 2ᵏ as two factors, 2^⌊k/2⌋ and the rest: both are normal numbers, and only the last product can round.
  const bits = reinterpret<u64>(t);
  const first = bits >> 1;
  return y * reinterpret<f64>(first << 52) * reinterpret<f64>((bits - first) << 52);
}

/** a + b·r */
@inline
function line(a: f64, b: f64, r: v128): v128 {
  return f64x2.add(f64x2.splat(a), f64x2.mul(f64x2.splat(b), r));
}

/** The steps of `exp` on two lanes, for any x. Not exported: asc warns of v128 in an exported signature. */
function expPair(x: v128): v128 {
  x = f64x2.pmax(x, f64x2.splat(-LIMIT)); // NaN fails both comparisons
  x = f64x2.pmin(x, f64x2.splat(LIMIT));
  const t = line(SHIFT, INV_LN2, x);
  const k = f64x2.sub(t, f64x2.splat(SHIFT));
  const hi = f64x2.sub(x, f64x2.mul(k, f64x2.splat(LN2_HI)));
  const lo = f64x2.mul(k, f64x2.splat(LN2_LO));
  const r = f64x2.sub(hi, lo);
  const c = f64x2.sub(f64x2.sub(hi, r), lo);

  const h = f64x2.add(f64x2.splat(1), r);
  const l = f64x2.add(f64x2.sub(f64x2.splat(1), h), r);
  const r2 = f64x2.mul(r, r);
  const r4 = f64x2.mul(r2, r2);
  const half = f64x2.mul(f64x2.splat(0.5), r2);
  const low = f64x2.add(line(C3, C4, r), f64x2.mul(r2, line(C5, C6, r)));
  const mid = f64x2.add(line(C7, C8, r), f64x2.mul(r2, line(C9, C10, r)));
  const q = f64x2.add(low, f64x2.mul(r4, f64x2.add(mid, f64x2.mul(r4, line(C11, C12, r)))));
  const tail = f64x2.add(l, f64x2.mul(c, f64x2.add(h, half)));
  const y = f64x2.add(h, f64x2.add(half, f64x2.add(f64x2.mul(f64x2.mul(r2, r), q), tail)));

  const first = i64x2.shr_u(t, 1);
  return f64x2.mul(f64x2.mul(y, i64x2.shl(first, 52)), i64x2.shl(i64x2.sub(t, first), 52));
}

/** v ← eᵛ for each v of `values`, f64[count]. */
export function exps(values: usize, count: u32): void {
  const end = values + (<usize>count << 3);
  if (ASC_FEATURE_SIMD) {
    while (values + 8 < end) {
      v128.store(values, expPair(v128.load(values)));
      values += 16;
    }
  }
  while (values < end) {
    store<f64>(values, exp(load<f64>(values)));
    values += 8;
  }
}

/**
 * xᵖ for p ≥ 1: x, x², x⁴, … by squaring; the powers of p's bits are multiplied from the lowest up,
 * x¹³ = (x·x⁴)·x⁸. Each product rounds once and the result contains p − 1 roundings, so the relative
 * error is at most (1 + 2⁻⁵³)ᵖ⁻¹ − 1 unless the result is subnormal.
 */
export function power(x: f64, p: u32): f64 {
  let result: f64 = p & 1 ? x : 1;
  // No squaring after the highest bit: it could overflow.
  for (p >>= 1; p != 0; p >>= 1) {
    x *= x;
    if (p & 1) result *= x;
  }
  return result;
}

/** The same on two lanes. */
@inline
export function powerPair(x: v128, p: u32): v128 {
  let result = p & 1 ? x : f64x2.splat(1);
  for (p >>= 1; p != 0; p >>= 1) {
    x = f64x2.mul(x, x);
    if (p & 1) result = f64x2.mul(result, x);
  }
  return result;
}
