// Squared norms of rows: the product of a row with itself in order P (SPEC §12, docs/adr/0003).
// P is S in panels: every PANEL elements the lanes are closed (even + odd) into a running sum and start
// again from +0. A Gram matrix costs the same in either order; in panels the rounding error of long rows
// is a tenth (measured at d = 50,000), and RBF kernel functions subtract such sums.

import { integerAt } from './integers';
import { one, pair } from './lanes';
import { ELEMENT_BYTES, PANEL } from './layout';
import { sparseNorms } from './sparse';

/** One panel of `count` elements: even + odd. */
@inline
function panelNorm<T>(x: usize, count: usize): f64 {
  const end = x + (count & ~1) * sizeof<T>();
  let even: f64 = 0;
  let odd: f64 = 0;
  if (ASC_FEATURE_SIMD) {
    let a = f64x2.splat(0);
    while (x < end) {
      const p = pair<T>(x);
      a = f64x2.add(a, f64x2.mul(p, p));
      x += 2 * sizeof<T>();
    }
    even = f64x2.extract_lane(a, 0);
    odd = f64x2.extract_lane(a, 1);
  } else {
    while (x < end) {
      const p = one<T>(x);
      const q = one<T>(x + sizeof<T>());
      even += p * p;
      odd += q * q;
      x += 2 * sizeof<T>();
    }
  }
  if (count & 1) {
    const p = one<T>(x);
    even += p * p;
  }
  return even + odd;
}

@inline
function norms<T>(x: usize, n: u32, d: usize, out: usize): void {
  for (let i: u32 = 0; i < n; i++) {
    let sum: f64 = 0;
    for (let k: usize = 0; k < d; k += PANEL) {
      const count = min<usize>(PANEL, d - k);
      sum += panelNorm<T>(x, count);
      x += count * sizeof<T>();
    }
    store<f64>(out, sum);
    out += 8;
  }
}

/** The same for integers, one by one. */
function integerNorms(element: usize, x: usize, n: u32, d: usize, out: usize): void {
  for (let i: u32 = 0; i < n; i++) {
    let sum: f64 = 0;
    for (let k: usize = 0; k < d; ) {
      const end = min(d, k + PANEL);
      let even: f64 = 0;
      let odd: f64 = 0;
      for (; k < end; k++) {
        const value = integerAt(element, x);
        if (k & 1) odd += value * value;
        else even += value * value;
        x += element & ELEMENT_BYTES;
      }
      sum += even + odd;
    }
    store<f64>(out, sum);
    out += 8;
  }
}

/** out[i] = x_i · x_i for X (n, d) row-major stored as `element`. */
export function squaredNorms(element: usize, x: usize, n: u32, d: usize, out: usize): void {
  if (element == 8) norms<f64>(x, n, d, out);
  else if (element == 0) sparseNorms(x, n, out);
  else if (element == 4) norms<f32>(x, n, d, out);
  else integerNorms(element, x, n, d, out);
}
