// Kernel functions from dot products (SPEC §8): g = x·z becomes K(x, z), in place.
//
//   polynomial   (γ g + c)^p
//   RBF          exp(−γ max(0, (‖x‖² + ‖z‖²) − 2 g))

import { exps, power, powerPair } from './exp';
import { POLYNOMIAL, RBF } from './layout';

/** values (count) ← K, given dot products with one row x; RBF reads `norm`, ‖x‖², and `norms`, f64[count], those of the other rows. */
export function transform(
  kind: u32,
  gamma: f64,
  coef0: f64,
  degree: u32,
  values: usize,
  count: u32,
  norm: f64,
  norms: usize,
): void {
  if (kind == POLYNOMIAL) {
    let at = values;
    const end = values + ((<usize>count) << 3);
    if (ASC_FEATURE_SIMD) {
      for (; at + 8 < end; at += 16) {
        const x = f64x2.mul(f64x2.splat(gamma), v128.load(at));
        v128.store(at, powerPair(f64x2.add(x, f64x2.splat(coef0)), degree));
      }
    }
    for (; at < end; at += 8) store<f64>(at, power(gamma * load<f64>(at) + coef0, degree));
  } else if (kind == RBF) {
    for (let i: usize = 0; i < count; i++) {
      const at = values + (i << 3);
      const square = norm + load<f64>(norms + (i << 3)) - 2 * load<f64>(at);
      // Not max(): NaN must stay NaN, and a comparison is bit-identical on every engine.
      store<f64>(at, -gamma * (square < 0 ? 0 : square));
    }
    exps(values, count);
  }
}
