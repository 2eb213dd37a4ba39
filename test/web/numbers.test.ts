import fc from 'fast-check';
import { expect, test } from 'vitest';
import { number } from '../../web/src/ui/numbers.js';

test('numbers are written as Intl writes them, with a real minus sign', () => {
  const intl = (value: number, digits: number): string => {
    const options = { maximumSignificantDigits: Number.isInteger(value) ? 21 : digits };
    const text = new Intl.NumberFormat('en', options).format(value);
    return text === '-0' ? '0' : text.replace('-', '−');
  };
  const values = fc.oneof(
    fc.integer({ min: -2000, max: 2000 }),
    fc.integer({ min: -200_000, max: 200_000 }).map((value) => value / 100),
    fc.double({ min: 1e-4, max: 1e9, maxExcluded: true, noNaN: true }),
    fc.constantFrom(0, -0, 0.1, 999.5, 999.9999, 1000, -1000, 1e-4, 123456.7),
  );
  fc.assert(
    fc.property(values, fc.integer({ min: 1, max: 15 }), (value, digits) => {
      fc.pre(value === 0 || Math.abs(value) >= 1e-4);
      expect(number(value, digits)).toBe(intl(value, digits));
    }),
  );
});
