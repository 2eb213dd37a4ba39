import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NumberScanner } from '../../src/io/numbers.js';
import { bytesOf } from './helpers.js';

const scanner = new NumberScanner();
const read = (text: string) => ({ value: scanner.read(bytesOf(`${text}\n`), 0), end: scanner.end });
const sameAsNumber = (text: string) => expect(read(text), text).toEqual({ value: Number(text), end: text.length });

test('numbers of every shape are what Number() makes of them, to the bit', () => {
  for (const text of [
    ...[
      '0',
      '-0',
      '+0',
      '1',
      '-1',
      '+17',
      '007',
      '.5',
      '5.',
      '-.5',
      '0.1',
      '123.456',
      '1e3',
      '1E-3',
      '1e+3',
      '-2.5e-7',
    ],
    ...[
      '9007199254740991',
      '9007199254740992',
      '9007199254740993',
      '90071992547409930',
      '123456789012345678901234567890',
    ],
    ...[
      '0.30000000000000004',
      '0.1000000000000000055511151231257827',
      '2.2250738585072011e-308',
      '5e-324',
      '2e-324',
      '1e-400',
    ],
    ...[
      '1.7976931348623157e308',
      '1e22',
      '1e23',
      '8.5e22',
      '1e-22',
      '1e-23',
      '0.000000000000000000000001',
      '0e99999999',
    ],
    ...[
      '9.5367431640625e-7',
      '4503599627370496.5',
      '4503599627370497.5',
      '0.500000000000000166533453693773481063544750213623046875',
    ],
  ]) {
    sameAsNumber(text);
  }
});

test('float64 printed in full comes back as it was', () => {
  const anyDouble = fc.double({ noNaN: true, noDefaultInfinity: true });
  fc.assert(
    fc.property(anyDouble, fc.integer({ min: 1, max: 30 }), (value, digits) => {
      sameAsNumber(String(value));
      sameAsNumber(value.toPrecision(digits));
      if (Math.abs(value) < 1e21) sameAsNumber(value.toFixed(digits));
    }),
    { numRuns: 3000 },
  );
});

test('digits halfway between two float64, and next to halfway, are rounded as they should be', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 2n ** 52n, max: 2n ** 53n - 1n }),
      fc.nat(22),
      fc.integer({ min: -1, max: 1 }),
      (m, places, by) => {
        const digits = String((2n * m + 1n) * 10n + BigInt(by));
        sameAsNumber(digits);
        sameAsNumber(`${digits.slice(0, -places || undefined)}.${places ? digits.slice(-places) : ''}`);
      },
    ),
    { numRuns: 3000 },
  );
});

test('a number ends where it cannot go on', () => {
  expect(read('12,5')).toEqual({ value: 12, end: 2 });
  expect(read('1.5:3')).toEqual({ value: 1.5, end: 3 });
  expect(read('1e5x')).toEqual({ value: 1e5, end: 3 + 0 });
  expect(read('1-2')).toEqual({ value: 1, end: 1 });
});

test.each(['', '-', '+', '.', '-.', 'e5', 'x', 'nan', 'inf', 'Infinity', '1e', '1e+', '--1', '+-1', ' 1'])(
  'there is no number in %j',
  (text) => {
    expect(read(text)).toEqual({ value: NaN, end: 0 });
  },
);

test('what float64 cannot hold is infinite', () => {
  expect(read('1e309')).toEqual({ value: Infinity, end: 5 });
  expect(read(`-${'9'.repeat(400)}`)).toEqual({ value: -Infinity, end: 401 });
});
