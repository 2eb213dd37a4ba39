// verifyProof on proofs that are wrong, spoiled, or not proofs at all: never true, and never an error of its own making.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Labels, type Rows, verifyProof } from '../../src/index.js';
import { exact, isRight } from '../../src/proof/verify.js';
import { runs } from '../effort.js';
import { exactly, plus, type Ratio, ratio, times } from '../model/exact.js';

const X = [
  [0, 0],
  [1, 1],
  [0, 1],
  [1, 0],
  [5, 5],
];
const y = ['a', 'a', 'b', 'b', 'a'];
const no = {
  separable: 'no',
  positive: 'b',
  intercept: true,
  samples: [0, 1, 2, 3],
  multipliers: ['1', '1', '1', '1'],
};
const plane = { separable: 'yes', positive: 'b', intercept: true, weights: [1, 1], bias: -1.5 };
const rows = [
  [0, 1],
  [1, 1],
  [1, 0],
];
const labels = ['a', 'b', 'a'];

test('proofs that hold are true, of multiples of λ and of w too', () => {
  expect(verifyProof(X, y, no)).toBe(true);
  expect(verifyProof(X, y, { ...no, multipliers: ['7', '7', '7', '007'] })).toBe(true);
  expect(verifyProof(X, y, { ...no, samples: [0, 1, 2, 3, 4], multipliers: ['1', '1', '1', '1', '0'] })).toBe(true);
  expect(verifyProof(X, y, { ...no, positive: 'a' })).toBe(true);
  expect(verifyProof(rows, labels, plane)).toBe(true);
  expect(verifyProof(rows, labels, { ...plane, weights: [1e-300, 1e-300], bias: -1.5e-300 })).toBe(true);
});

const huge = '9'.repeat(100_000);
const spoiled: Record<string, unknown> = {
  'a λ changed': { ...no, multipliers: ['1', '1', '1', '2'] },
  'a negative λ': { ...no, multipliers: ['1', '1', '1', '-1'] },
  'all λ zero': { ...no, multipliers: ['0', '0', '0', '0'] },
  'no λ at all': { ...no, samples: [], multipliers: [] },
  'another row': { ...no, samples: [0, 4, 2, 3] },
  'a row twice': { ...no, samples: [0, 0, 2, 3] },
  'a row that is not there': { ...no, samples: [0, 1, 2, 5] },
  'row −1': { ...no, samples: [-1, 1, 2, 3] },
  'half a row': { ...no, samples: [0.5, 1, 2, 3] },
  'rows as text': { ...no, samples: ['0', '1', '2', '3'] },
  'a λ too few': { ...no, multipliers: ['1', '1', '1'] },
  'a row too few': { ...no, samples: [0, 1, 2] },
  'λ as numbers': { ...no, multipliers: [1, 1, 1, 1] },
  'λ as nothing': { ...no, multipliers: [undefined, null, '', ' '] },
  'λ with holes': { ...no, multipliers: Object.assign(new Array(4), { 0: '1' }) },
  'rows with holes': { ...no, samples: Object.assign(new Array(4), { 0: 1 }) },
  'λ in other notations': { ...no, multipliers: ['0x1', '1n', '1e0', '1.0'] },
  'λ with spaces': { ...no, multipliers: [' 1', '1 ', '1\n', '+1'] },
  'λ in other digits': { ...no, multipliers: ['١', '١', '١', '١'] },
  'huge λ': { ...no, multipliers: [huge, huge, huge, `${huge.slice(1)}8`] },
  'λ of too many digits': { ...no, multipliers: new Array(4).fill(`${huge}9`) },
  'lists that are objects': { ...no, samples: { length: 4 }, multipliers: { length: 4 } },
  'no lists': { separable: 'no', positive: 'b', intercept: true },
  'intercept as text': { ...no, intercept: 'true' },
  'another label': { ...no, positive: 'c' },
  'of the other kind': { ...no, separable: 'yes' },
  'of an unknown kind': { ...no, separable: 'unknown' },
  nothing: undefined,
  null: null,
  text: 'no',
  'a list': [no],
};
test.each(Object.entries(spoiled))('a proof with %s is false', (_, proof) => {
  expect(verifyProof(X, y, proof)).toBe(false);
});

const wrongPlanes: Record<string, unknown> = {
  'on the wrong side': { ...plane, weights: [-1, -1] },
  'through a row': { ...plane, bias: -1 },
  'of zeros': { ...plane, weights: [0, 0], bias: 0 },
  'of too few weights': { ...plane, weights: [1] },
  'of too many weights': { ...plane, weights: [1, 1, 0] },
  'with NaN': { ...plane, weights: [1, Number.NaN] },
  'with an infinity': { ...plane, weights: [1, Infinity] },
  'with text': { ...plane, weights: ['1', '1'] },
  'with holes': { ...plane, weights: Object.assign(new Array(2), { 0: 1 }) },
  'without a bias': { ...plane, bias: undefined },
  'with a bias where none may be': { ...plane, intercept: false },
  'about a class that no row has': { ...plane, positive: 'c', weights: [0, 0], bias: -1 },
  'without weights': { ...plane, weights: undefined },
  'of the other kind': { ...plane, separable: 'no' },
};
test.each(Object.entries(wrongPlanes))('a plane %s is no proof', (_, proof) => {
  expect(verifyProof(rows, labels, proof)).toBe(false);
});

test('any spoiled field of any kind is false or confirms a proof that holds, and never throws', () => {
  const fields = Object.keys({ ...no, ...plane });
  fc.assert(
    fc.property(fc.constantFrom(no, plane), fc.constantFrom(...fields), fc.anything(), (proof, field, value) => {
      expect(typeof verifyProof(X, y, { ...proof, [field]: value })).toBe('boolean');
    }),
    { numRuns: runs(1000) },
  );
});

test('X and y that are no rows and labels are errors that say so', () => {
  expect(() => verifyProof(undefined as unknown as Rows, y, no)).toThrow(
    new TypeError('verifyProof needs X, the rows of the proof'),
  );
  expect(() => verifyProof(X, undefined as unknown as Labels, no)).toThrow(
    new TypeError('verifyProof needs y, a label for each row of X'),
  );
  expect(() => verifyProof(X, y.slice(1), no)).toThrow(new RangeError('y has 4 labels, X has 5 rows'));
  const bad = [[0, Number.NaN], ...X.slice(1)];
  expect(() => verifyProof(bad, y, no)).toThrow(new RangeError('a proof is about finite numbers, got NaN'));
  const missing = [...X.slice(0, 3), undefined] as unknown as number[][];
  expect(() => verifyProof([...missing, [1, 1]], y, no)).toThrow(new TypeError('X row 3 must be an array of numbers'));
});

test('a double is exact as an integer times 2⁻¹⁰⁷⁴', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (x) => {
      const { top, bottom } = exactly(x);
      expect(exact(x)).toBe((top << 1074n) / bottom);
    }),
    { numRuns: runs(1000) },
  );
  expect([exact(0), exact(-0), exact(5e-324), exact(-5e-324)]).toEqual([0n, 0n, 1n, -1n]);
});

test('the side of a row is exact, where doubles are in doubt too', () => {
  const value = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer().map((v) => v / 10),
  );
  let doubtful = 0;
  fc.assert(
    fc.property(fc.array(fc.tuple(value, value), { minLength: 1, maxLength: 5 }), fc.boolean(), (pairs, cancels) => {
      const both = cancels ? [...pairs, ...pairs.map(([x, w]) => [x, -w] as const)] : pairs;
      const [x, w] = [both.map(([v]) => v), both.map(([, v]) => v)];
      const sum = both.reduce((s: Ratio, [a, b]) => plus(s, times(exactly(a), exactly(b))), ratio(0n));
      doubtful += sum.top === 0n ? 1 : 0;
      expect(isRight(x, w, 0, 1)).toBe(sum.top > 0n);
      expect(isRight(x, w, 0, -1)).toBe(sum.top < 0n);
    }),
    { numRuns: runs(600) },
  );
  expect(doubtful).toBeGreaterThan(20);
});

const revoked = () => {
  const { proxy, revoke } = Proxy.revocable([], {});
  revoke();
  return proxy;
};
const throwing = () => {
  throw new Error('not readable');
};
test.each<[string, () => unknown]>([
  ['a getter that throws', () => Object.defineProperty({ ...no }, 'separable', { get: throwing, enumerable: true })],
  ['a Proxy that throws', () => new Proxy({ ...no }, { get: throwing, ownKeys: throwing })],
  ['a revoked Proxy', revoked],
  ['a revoked Proxy as samples', () => ({ ...no, samples: revoked() })],
  ['an element that throws', () => ({ ...no, samples: Object.defineProperty([0, 1, 2, 3], 1, { get: throwing }) })],
  ['far too many samples', () => ({ ...no, samples: new Array(2 ** 32 - 1) })],
  ['far too many weights', () => ({ ...plane, weights: new Array(2 ** 32 - 1) })],
])('%s is no proof', (_, make) => {
  expect(verifyProof(X, y, make())).toBe(false);
});

test('an iterator of a list is not used: it could be endless', () => {
  const samples = Object.assign([0, 1, 2, 3], { [Symbol.iterator]: throwing });
  expect(verifyProof(X, y, { ...no, samples })).toBe(true);
});

test('digits are limited in all', () => {
  const many = Array.from({ length: 20 }, () => [1]);
  const labels20 = many.map((_, i) => (i % 2 ? 'a' : 'b'));
  const proof = (digits: number) => ({
    ...no,
    samples: many.map((_, i) => i),
    multipliers: many.map(() => '1'.repeat(digits)),
  });
  expect(verifyProof(many, labels20, proof(1000))).toBe(true);
  expect(verifyProof(many, labels20, proof(60_000))).toBe(false);
});

test.each<[string, unknown, RegExp]>([
  ['flat rows with too few values', { data: new Float64Array(2), rows: 5, cols: 2 }, /X.data has 2 values/],
  [
    'CSR parts without entries',
    { indptr: [0, 1, 2, 3, 4, 5], indices: [], values: [], cols: 1 },
    /X row 0 goes from 0 to 1/,
  ],
  ['ragged rows', [[1], [1, 0], [1], [1], [1]], /X row 1 has 2 values, expected 1/],
  ['rows of text', [['1'], ['1'], ['1'], ['1'], ['1']], /X row 0 must be an array of numbers/],
  ['a missing row', [[1], null, [1], [1], [1]], /X row 1 must be an array of numbers/],
  [
    'a column that is not there',
    { indptr: [0, 1, 1, 1, 1, 1], indices: [7], values: [1], cols: 1 },
    /X row 0: columns must be integers below 1/,
  ],
])('%s are an error, not a proof', (_, odd, message) => {
  expect(() => verifyProof(odd as Rows, y, no)).toThrow(message);
});

test('NaN is not a label', () => {
  const proof = { separable: 'yes', positive: NaN, intercept: true, weights: [0], bias: -1 };
  expect(verifyProof([[1], [2]], [NaN, 3], proof)).toBe(false);
});
