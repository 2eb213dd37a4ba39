// The common checks for what transforms rows instead of classifying them: the Scaler, of every kind.

import { describe, expect, test } from 'vitest';
import { defaultArena } from '../../src/engine/engine.js';
import { DenseMatrix, NotFittedError, type Rows, Scaler, SparseMatrix } from '../../src/index.js';

const X = Array.from({ length: 30 }, (_, i) => [Math.sin(i), 100 + ((i * 7) % 11), i % 5 === 0 ? 0 : -i / 7]);
const bitsOf = (rows: Rows, scaler: Scaler) => {
  const scaled = scaler.transform(rows as number[][]);
  const bits = new BigUint64Array((scaled.data as Float64Array).slice().buffer);
  scaled.dispose();
  return bits;
};

describe.each(['standardize', 'centre', 'unit-ball'] as const)('Scaler, %s', (kind) => {
  const fitted = () => new Scaler({ kind }).fit(X);

  test('transform and toJSON before fit are a NotFittedError', () => {
    expect(() => new Scaler({ kind }).transform(X)).toThrow(NotFittedError);
    expect(() => new Scaler({ kind }).toJSON()).toThrow(NotFittedError);
  });

  test('fit is idempotent, and returns the scaler itself', () => {
    const scaler = fitted();
    const once = JSON.stringify(scaler);
    expect(scaler.fit([[1], [2]]).fit(X)).toBe(scaler);
    expect(JSON.stringify(scaler)).toBe(once);
  });

  test('does not change its input, and takes rows of every kind', () => {
    const { blocks } = defaultArena.usage;
    const rows = X.map((x) => Object.freeze([...x]));
    const expected = bitsOf(X, fitted());
    const matrix = DenseMatrix.from(X);
    const inputs: Rows[] = [
      rows,
      X.map((x) => Float64Array.from(x)),
      { data: Float64Array.from(X.flat()), rows: 30, cols: 3 },
      matrix,
    ];
    for (const input of inputs) expect(bitsOf(input, new Scaler({ kind }).fit(input))).toEqual(expected);
    expect(rows).toEqual(X);
    expect(Array.from(matrix.data)).toEqual(X.flat());
    matrix.dispose();
    expect(defaultArena.usage.blocks).toBe(blocks);
  });

  test('a row is transformed the same alone and among others', () => {
    const scaler = fitted();
    const alone = X.flatMap((x) => [...bitsOf([x], scaler)]);
    expect(BigUint64Array.from(alone)).toEqual(bitsOf(X, scaler));
  });

  test('JSON, structured clone and a subclass keep every bit', () => {
    class Mine extends Scaler {}
    const scaler = fitted();
    const json = scaler.toJSON();
    const copies = [Scaler.fromJSON(json), Scaler.fromJSON(structuredClone(json)), new Mine({ kind }).fit(X)];
    for (const copy of copies) {
      expect(JSON.stringify(copy)).toBe(JSON.stringify(scaler));
      expect(bitsOf(X, copy)).toEqual(bitsOf(X, scaler));
    }
  });

  test.each<[string, Rows, RegExp]>([
    ['no rows', [], /row/],
    ['a ragged row', [[1, 2], [3]], /X row 1 has 1 value, expected 2|X row 1 has 1 values, expected 2/],
    [
      'NaN',
      [
        [1, 2],
        [3, NaN],
      ],
      /X\[1\]\[1\] is NaN/,
    ],
  ])('%s: refused by name, and the scaler stays as it was', (_what, rows, message) => {
    const scaler = fitted();
    const before = JSON.stringify(scaler);
    expect(() => scaler.fit(rows)).toThrow(message);
    expect(JSON.stringify(scaler)).toBe(before);
  });

  test('takes sparse rows, or says that it cannot', () => {
    const { blocks } = defaultArena.usage;
    const matrix = SparseMatrix.fromDense(X);
    if (kind === 'unit-ball') new Scaler({ kind }).fit(matrix).transform(matrix).dispose();
    else expect(() => new Scaler({ kind }).fit(matrix)).toThrow(/sparse/);
    matrix.dispose();
    expect(defaultArena.usage.blocks).toBe(blocks);
  });
});
