// Our logarithm against one of 200 bits.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ln } from '../../src/encode/log.js';

const BITS = 200n;
const ONE = 1n << BITS;

/** 2 artanh(a / b) = ln((b + a) / (b − a)), in units of 2^−200. */
function twoArtanh(a: bigint, b: bigint): bigint {
  const y = (a << BITS) / b;
  const square = (y * y) >> BITS;
  let sum = 0n;
  for (let power = y, k = 1n; power !== 0n; power = (power * square) >> BITS, k += 2n) sum += power / k;
  return 2n * sum;
}

const LN2 = twoArtanh(1n, 3n);

/** ln x in units of 2^−200, from the bits of x. */
function exactLn(x: number): bigint {
  const bits = new BigUint64Array(Float64Array.of(x).buffer)[0]!;
  const exponent = (bits >> 52n) - 1023n;
  const mantissa = (bits & ((1n << 52n) - 1n)) | (1n << 52n);
  return exponent * LN2 + twoArtanh(mantissa - (1n << 52n), mantissa + (1n << 52n));
}

/** A double in units of 2^−200; exact for those that are not tiny. */
function fixed(x: number): bigint {
  let [value, shift] = [x, 0n];
  while (!Number.isInteger(value)) [value, shift] = [2 * value, shift + 1n];
  return (BigInt(value) << BITS) >> shift;
}

function ulp(x: number): number {
  const bits = new BigInt64Array(Float64Array.of(Math.abs(x)).buffer);
  bits[0] = bits[0]! + 1n;
  return new Float64Array(bits.buffer)[0]! - Math.abs(x);
}

/** The error in units of the last place. */
const errorOf = (x: number): number => {
  const found = ln(x);
  const wrong = Number(fixed(found) - exactLn(x)) / Number(ONE);
  return Math.abs(wrong) / ulp(found);
};

test('the logarithm of 1 is 0, and powers of two are exact to the last place', () => {
  expect(ln(1)).toBe(0);
  expect(ln(2)).toBe(Math.LN2);
  expect(ln(10)).toBe(Math.LN10);
});

test('the logarithm of counts and of shares of texts is within one unit of the last place', () => {
  for (let count = 2; count < 500; count++) expect(errorOf(count), `ln ${count}`).toBeLessThan(1);
  const size = fc.integer({ min: 1, max: 1e9 });
  fc.assert(
    fc.property(size, size, (a, b) => {
      const x = (1 + Math.max(a, b)) / (1 + Math.min(a, b));
      if (x !== 1) expect(errorOf(x)).toBeLessThan(1);
    }),
    { numRuns: 1000 },
  );
});

test('the logarithm of any normal number from 2⁻⁴⁰ to 2⁶⁰ is within one unit of the last place', () => {
  fc.assert(
    fc.property(fc.double({ min: 2 ** -40, max: 2 ** 60, noNaN: true }), (x) => {
      if (x !== 1) expect(errorOf(x)).toBeLessThan(1);
    }),
    { numRuns: 1000 },
  );
});
