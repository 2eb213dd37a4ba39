// Two lanes: the way in which all kernels add (SPEC §12, docs/adr/0003).
//
//   k      0   1   2   3   4   5   6          d = 7
//   even   x₀w₀    + x₂w₂  + x₄w₄  + x₆w₆     in ascending k, from +0
//   odd        x₁w₁    + x₃w₃  + x₅w₅
//   sum    even + odd
//
// An f64x2 register holds (even, odd), so a step of the SIMD build is one multiply and one add. The
// last element of an odd length is one more step of the even lane.
// Elements are f64 or f32 in memory (T); arithmetic is always f64.

/** Elements k and k+1 of a row, as (even, odd). */
@inline
export function pair<T>(x: usize): v128 {
  if (sizeof<T>() == 8) return v128.load(x);
  return f64x2.promote_low_f32x4(v128.load64_zero(x));
}

/** Element k alone, as f64. */
@inline
export function one<T>(x: usize): f64 {
  if (sizeof<T>() == 8) return load<f64>(x);
  return <f64>load<f32>(x);
}

/** Closes a sum: adds the last element of an odd length, then even + odd. */
export function close<T>(even: f64, odd: f64, x: usize, w: usize, d: usize): f64 {
  if (d & 1) even += one<T>(x) * load<f64>(w);
  return even + odd;
}

/** The same from a register. */
@inline
export function closeLanes<T>(lanes: v128, x: usize, w: usize, d: usize): f64 {
  return close<T>(f64x2.extract_lane(lanes, 0), f64x2.extract_lane(lanes, 1), x, w, d);
}
