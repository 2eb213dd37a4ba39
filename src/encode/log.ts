// The natural logarithm of +, −, × and ÷ alone, so that it has the same bits everywhere: Math.log may differ between runtimes.
//
// x = 2^k (1 + f) with √2/2 < 1 + f < √2. With s = f / (2 + f), log(1 + f) = 2 artanh s = f − s (f − R), where R is s² times a
// polynomial in s². k ln 2 is added in two parts. The coefficients are those of FreeBSD's e_log.c (Sun Microsystems, 1993);
// the error is below 1 ulp.

const LN2_HIGH = 0.6931471803691238; // 33 bits: times k it is exact
const LN2_LOW = 1.9082149292705877e-10;
const R = [
  0.14798198605116586, 0.15313837699209373, 0.1818357216161805, 0.22222198432149784, 0.2857142874366239,
  0.3999999999940942, 0.6666666666666735,
];

const view = new DataView(new ArrayBuffer(8));

/** ln x of a normal number x > 0. */
export function ln(x: number): number {
  view.setFloat64(0, x);
  const high = view.getUint32(0);
  // 0x95f64 raises mantissas from √2 on to the next exponent, so that 1 + f is below √2.
  const carry = ((high & 0xfffff) + 0x95f64) & 0x100000;
  const k = (high >>> 20) - 1023 + (carry >> 20);
  view.setUint32(0, (high & 0xfffff) | (carry ^ 0x3ff00000));
  const f = view.getFloat64(0) - 1;
  const s = f / (2 + f);
  const z = s * s;
  const half = 0.5 * f * f;
  const r = z * R.reduce((sum, coefficient) => sum * z + coefficient, 0);
  return k * LN2_HIGH - (half - (s * (half + r) + k * LN2_LOW) - f);
}
