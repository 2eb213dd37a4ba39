// Squared norms of rows, order P: any pair of rows, here a row and itself (SPEC §12, docs/adr/0003).

import { one, pair } from './lanes';

@inline
function norms<T>(x: usize, n: u32, d: usize, out: usize): void {
  for (let i: u32 = 0; i < n; i++) {
    const end = x + (d & ~1) * sizeof<T>();
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
    if (d & 1) {
      const p = one<T>(x);
      even += p * p;
      x += sizeof<T>();
    }
    store<f64>(out, even + odd);
    out += 8;
  }
}

/** out[i] = x_i · x_i for X (n, d) row-major, of `element` bytes a value. */
export function squaredNorms(element: usize, x: usize, n: u32, d: usize, out: usize): void {
  if (element == 8) norms<f64>(x, n, d, out);
  else norms<f32>(x, n, d, out);
}
