// exp and integer powers in plain JavaScript: the steps of assembly/exp.ts, which explains the method, with
// bit-identical results. Math.exp and Math.pow may differ between platforms.

import {
  C3,
  C4,
  C5,
  C6,
  C7,
  C8,
  C9,
  C10,
  C11,
  C12,
  INV_LN2,
  LIMIT,
  LN2_HI,
  LN2_LO,
  SHIFT,
} from '../../../assembly/exp-constants.js';

/** Scratch that makes a power of two from its exponent; a DataView is big-endian on every machine. */
const scratch = /* @__PURE__ */ new DataView(/* @__PURE__ */ new ArrayBuffer(8));

/** eˣ, for any x: within 0.6 ulp, and monotonic. */
export function exp(x: number): number {
  if (x < -LIMIT) x = -LIMIT;
  else if (x > LIMIT) x = LIMIT;
  const k = x * INV_LN2 + SHIFT - SHIFT;
  const hi = x - k * LN2_HI;
  const lo = k * LN2_LO;
  const r = hi - lo;
  const c = hi - r - lo;

  const h = 1 + r;
  const l = 1 - h + r;
  const r2 = r * r;
  const r4 = r2 * r2;
  const half = 0.5 * r2;
  const q = C3 + C4 * r + r2 * (C5 + C6 * r) + r4 * (C7 + C8 * r + r2 * (C9 + C10 * r) + r4 * (C11 + C12 * r));
  const y = h + (half + (r2 * r * q + (l + c * (h + half))));

  // The factor 2^⌊k/2⌋ is used twice, after an odd 2, so that memory is written and read once. Only the last product
  // can round, as in the kernels.
  const n = k | 0;
  scratch.setUint32(0, ((n >> 1) + 1023) << 20);
  const root = scratch.getFloat64(0);
  return y * (1 + (n & 1)) * root * root;
}

/** xᵖ for an integer p from 1 to 2³² − 1, multiplied in the order of assembly/exp.ts. */
export function power(x: number, p: number): number {
  let result = p & 1 ? x : 1;
  for (p >>>= 1; p !== 0; p >>>= 1) {
    x *= x;
    if (p & 1) result *= x;
  }
  return result;
}
