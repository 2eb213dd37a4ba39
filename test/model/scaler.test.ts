// Scaler against a naive one, and what it does to training.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type DenseMatrix, NotFittedError, Perceptron, Scaler, type ScalerKind } from '../../src/index.js';
import { anyData, real } from '../samples.js';

const kinds: readonly ScalerKind[] = ['standardize', 'centre', 'unit-ball'];
/** Rows that a plane separates, no sum of which is a tie. */
const rows = Array.from({ length: 60 }, (_, i) => [0, 1, 2, 3].map((k) => Math.sin(7 * i + 3 * k * k + 1)));
const labels = rows.map(([a, b, c, d]) =>
  (a as number) - 2 * (b as number) + (c as number) > (d as number) / 3 ? 1 : -1,
);

const column = (X: number[][], k: number) => X.map((x) => x[k] as number);
const mean = (v: number[]) => v.reduce((a, b) => a + b, 0) / v.length;
const deviation = (v: number[]) => Math.sqrt(mean(v.map((x) => (x - mean(v)) * (x - mean(v)))));

test('standardize gives mean 0 and variance 1, centre mean 0, unit-ball no row beyond 1', () => {
  fc.assert(
    fc.property(anyData(real.map((v) => (Math.abs(v) < 1e-3 ? 0 : v))), ({ X }) => {
      const cols = (X[0] as number[]).length;
      const standard = new Scaler({ kind: 'standardize' }).fitTransform(X);
      const centred = new Scaler({ kind: 'centre' }).fitTransform(X);
      const ball = new Scaler({ kind: 'unit-ball' }).fitTransform(X);
      const rowsOf = (m: DenseMatrix) => Array.from({ length: m.rows }, (_, i) => [...m.row(i)]);
      for (let k = 0; k < cols; k++) {
        const varies = deviation(column(X, k)) > 1e-9;
        if (varies) {
          expect(mean(column(rowsOf(standard), k))).toBeCloseTo(0, 5);
          expect(deviation(column(rowsOf(standard), k))).toBeCloseTo(1, 5);
        }
        expect(mean(column(rowsOf(centred), k))).toBeCloseTo(0, 10);
      }
      const lengths = rowsOf(ball).map((x) => Math.hypot(...x));
      expect(Math.max(...lengths)).toBeLessThanOrEqual(1 + 1e-12);
      for (const m of [standard, centred, ball]) m.dispose();
    }),
  );
});

test('new rows are scaled by what was learned from the old, and storage stays as it was', () => {
  const scaler = new Scaler({ kind: 'standardize' }).fit([
    [1, 100],
    [3, 300],
  ]);
  expect([...scaler.means, ...scaler.scales]).toEqual([2, 200, 1, 100]);
  expect([...scaler.transform([[2, 300]]).data]).toEqual([0, 1]);
  const small = scaler.transform({ data: Float32Array.of(5, 0), rows: 1, cols: 2 });
  expect([small.dtype, ...small.data]).toEqual(['float32', 3, -2]);
});

test('a column that does not vary is only centred, also where its mean rounds', () => {
  const X = Array.from({ length: 10 }, (_, i) => [0.1, i]);
  const scaler = new Scaler({ kind: 'standardize' }).fit(X);
  expect(scaler.scales[0]).toBe(1);
  expect(scaler.transform(X).data.every((v) => Math.abs(v) < 2)).toBe(true);
  expect([...new Scaler({ kind: 'unit-ball' }).fit([[0, 0]]).scales]).toEqual([1, 1]);
});

test('in the unit ball, with the constant feature that goes with it, training takes the same path (SPEC §4)', () => {
  const far = rows.map((x) => x.map((v) => 30 * v));
  const y = labels;
  const scaler = new Scaler({ kind: 'unit-ball' });
  const scaled = scaler.fitTransform(far);
  const plain = new Perceptron<number>().fit(far, y);
  const model = new Perceptron<number>({ interceptScaling: scaler.interceptScaling }).fit(scaled, y);
  expect(model.report.mistakesByEpoch).toEqual(plain.report.mistakesByEpoch);
  expect(model.diagnose(scaled, y).radius).toBeCloseTo(plain.diagnose(far, y).radius * scaler.interceptScaling, 10);
  expect(new Scaler({ kind: 'centre' }).fit(far).interceptScaling).toBe(1);
});

test('centring data that lies far from the origin cuts the passes', () => {
  const far = rows.map((x) => x.map((v) => v + 50));
  const y = labels;
  const before = new Perceptron<number>({ maxEpochs: 50_000 }).fit(far, y).report.epochs;
  const centred = new Scaler({ kind: 'centre' }).fitTransform(far);
  expect(new Perceptron<number>({ maxEpochs: 50_000 }).fit(centred, y).report.epochs * 10).toBeLessThan(before);
});

test.each(kinds)('%s survives JSON to the bit, and the rows it was given are left alone', (kind) => {
  const X = [
    [0.1, -0, 5],
    [0.2, 7, 1e-3],
  ];
  const copy = structuredClone(X);
  const scaler = new Scaler({ kind }).fit(X);
  const loaded = Scaler.fromJSON(JSON.parse(JSON.stringify(scaler)));
  expect(loaded.toJSON()).toEqual(scaler.toJSON());
  expect([...loaded.transform(X).data]).toEqual([...scaler.transform(X).data]);
  expect(X).toEqual(copy);
});

test('what is not rows at all is refused by its kind', () => {
  const scaler = new Scaler({ kind: 'centre' }).fit([[1]]);
  expect(() => scaler.transform(3 as never)).toThrow(/^X must be an array of rows.*, got 3$/);
  expect(() => scaler.transform(null as never)).toThrow(/^X must be an array of rows.*, got null$/);
});

test.each<[string, () => unknown, new (...args: never[]) => Error, string]>([
  [
    'no kind',
    () => new Scaler({} as never),
    RangeError,
    `"kind" must be 'standardize', 'centre' or 'unit-ball', got undefined`,
  ],
  [
    'another kind',
    () => new Scaler({ kind: 'minmax' as never }),
    RangeError,
    `"kind" must be 'standardize', 'centre' or 'unit-ball', got "minmax"`,
  ],
  [
    'an unknown option',
    () => new Scaler({ kind: 'centre', by: 1 } as never),
    RangeError,
    'Scaler has no option "by"; it has kind',
  ],
  [
    'transform before fit',
    () => new Scaler({ kind: 'centre' }).transform([[1]]),
    NotFittedError,
    'this Scaler is not fitted yet: call fit before transform',
  ],
  [
    'NaN',
    () => new Scaler({ kind: 'centre' }).fit({ data: Float64Array.of(1, NaN), rows: 2, cols: 1 }),
    RangeError,
    'X[1][0] is NaN',
  ],
  [
    'values too large',
    () => new Scaler({ kind: 'centre' }).fit([[1e308], [1e308]]),
    RangeError,
    'column 0 of X has values too large to scale: their sum is Infinity',
  ],
  [
    'rows too long',
    () =>
      new Scaler({ kind: 'unit-ball' }).fit([
        [1, 1],
        [1e200, 0],
      ]),
    RangeError,
    'row 1 of X has values too large to scale: its length is Infinity',
  ],
  [
    'other columns',
    () => new Scaler({ kind: 'centre' }).fit([[1, 2]]).transform([[1]]),
    RangeError,
    'X has 1 columns, the scaler was fitted on 2',
  ],
  [
    'a scale of 0 in a file',
    () => Scaler.fromJSON({ ...new Scaler({ kind: 'centre' }).fit([[1]]).toJSON(), scales: [0] }),
    RangeError,
    'model JSON: scales[0] must be a number > 0, got 0',
  ],
  [
    'too few means in a file',
    () => Scaler.fromJSON({ ...new Scaler({ kind: 'centre' }).fit([[1]]).toJSON(), means: [] }),
    RangeError,
    'model JSON: means must have 1 values, got 0',
  ],
])('%s is refused', (_what, act, type, message) => {
  let error: unknown;
  try {
    act();
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(type);
  expect((error as Error).message).toBe(message);
});
