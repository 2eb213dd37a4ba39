// Counts mistakes in cached scores without listing them (random order, the pocket: SPEC §6).
// A margin is y·(s + b); SIGNS holds +0 where y is +1 and −0 where it is −1.

@inline
function marginAt(scores: usize, signs: usize, at: usize, b: f64): f64 {
  return reinterpret<f64>(reinterpret<i64>(load<f64>(scores + at) + b) ^ load<i64>(signs + at));
}

@inline
function margins(scores: usize, signs: usize, at: usize, b: v128): v128 {
  return v128.xor(f64x2.add(v128.load(scores + at), b), v128.load(signs + at));
}

/**
 * scores (n) ← scores + step · row (n), unless row is 0. Then counts margins above `high` and margins not above `low` into
 * u32[2] at `out`; the other margins lie between the two.
 */
export function tally(
  scores: usize,
  signs: usize,
  n: usize,
  row: usize,
  step: f64,
  b: f64,
  low: f64,
  high: f64,
  out: usize,
): void {
  let right: u32 = 0;
  let above: u32 = 0;
  let at: usize = 0;
  const end = n << 3;
  if (ASC_FEATURE_SIMD) {
    const t = f64x2.splat(step);
    const bb = f64x2.splat(b);
    const hh = f64x2.splat(high);
    const ll = f64x2.splat(low);
    // A comparison yields −1 if it is true.
    let rights = i64x2.splat(0);
    let aboves = rights;
    const quads = (n & ~3) << 3;
    if (row) {
      for (; at < quads; at += 32) {
        const s0 = f64x2.add(v128.load(scores + at), f64x2.mul(t, v128.load(row + at)));
        const s1 = f64x2.add(v128.load(scores + at, 16), f64x2.mul(t, v128.load(row + at, 16)));
        v128.store(scores + at, s0);
        v128.store(scores + at, s1, 16);
        const m0 = v128.xor(f64x2.add(s0, bb), v128.load(signs + at));
        const m1 = v128.xor(f64x2.add(s1, bb), v128.load(signs + at, 16));
        rights = i64x2.sub(rights, i64x2.add(f64x2.gt(m0, hh), f64x2.gt(m1, hh)));
        aboves = i64x2.sub(aboves, i64x2.add(f64x2.gt(m0, ll), f64x2.gt(m1, ll)));
      }
    } else {
      for (; at < quads; at += 16) {
        const m = margins(scores, signs, at, bb);
        rights = i64x2.sub(rights, f64x2.gt(m, hh));
        aboves = i64x2.sub(aboves, f64x2.gt(m, ll));
      }
    }
    right = <u32>(i64x2.extract_lane(rights, 0) + i64x2.extract_lane(rights, 1));
    above = <u32>(i64x2.extract_lane(aboves, 0) + i64x2.extract_lane(aboves, 1));
  }
  for (; at < end; at += 8) {
    if (row) store<f64>(scores + at, load<f64>(scores + at) + step * load<f64>(row + at));
    const m = marginAt(scores, signs, at, b);
    right += u32(m > high);
    above += u32(m > low);
  }
  store<u32>(out, right);
  store<u32>(out, <u32>n - above, 4);
}

/** The k-th row, from 0, whose margin is not above `high`. Precondition: there is one. */
export function nthWrong(scores: usize, signs: usize, b: f64, high: f64, k: u32): u32 {
  let at: usize = 0;
  if (ASC_FEATURE_SIMD) {
    const bb = f64x2.splat(b);
    const hh = f64x2.splat(high);
    while (true) {
      const wrong: u32 = 2 - <u32>popcnt(i64x2.bitmask(f64x2.gt(margins(scores, signs, at, bb), hh)));
      if (k < wrong) break;
      k -= wrong;
      at += 16;
    }
  }
  while (true) {
    if (!(marginAt(scores, signs, at, b) > high)) {
      if (k == 0) return <u32>(at >> 3);
      k--;
    }
    at += 8;
  }
}
