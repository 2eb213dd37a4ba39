// Rows that are not rows: a predictor refuses what the full library refuses, in the same words or in fewer, and names the same value.

import { describe, expect, test } from 'vitest';
import { DualPerceptron, MulticlassPerceptron, Perceptron, Pipeline, Scaler, SparseMatrix } from '../../src/index.js';
import { type FullModel, predictorOf } from './same.js';

// Bad rows do not type-check, which is the point of them.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Any = any;

const X = [
  [3, 3],
  [4, 3],
  [1, 1],
];
const y = ['yes', 'yes', 'no'];
const models: Record<string, FullModel> = {
  Perceptron: new Perceptron().fit(X, y),
  DualPerceptron: new DualPerceptron({ kernel: 'rbf' }).fit(X, y),
  MulticlassPerceptron: new MulticlassPerceptron().fit(X, y),
};

/** The error that `act` throws, as text. */
function errorOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`;
  }
  return 'nothing was thrown';
}

const flat = (values: number[], rows: number, cols: number) => ({ data: Float64Array.from(values), rows, cols });
const parts = { values: [1, 2], indices: [0, 1], indptr: [0, 1, 2], cols: 2 };

/** Rows, what the library says, and what the predictor says if that differs. */
const badRows: [rows: Any, message: string, own?: string][] = [
  [
    [
      [1, 2],
      [NaN, 3],
    ],
    'RangeError: X[1][0] is NaN',
    'RangeError: X[1][0] must be a finite number, got NaN',
  ],
  [
    [
      [1, 2],
      [1, -Infinity],
    ],
    'RangeError: X[1][1] is -Infinity',
    'RangeError: X[1][1] must be a finite number, got -Infinity',
  ],
  [
    [
      [1, 2],
      [1, '2'],
    ],
    'TypeError: X[1][1] must be a number, got "2"',
    'TypeError: X[1][1] must be a finite number, got "2"',
  ],
  [
    [
      [1, 2],
      [1, null],
    ],
    'TypeError: X[1][1] must be a number, got null',
    'TypeError: X[1][1] must be a finite number, got null',
  ],
  [
    [[1, 2], new Array(2)],
    'TypeError: X[1][0] must be a number, got undefined',
    'TypeError: X[1][0] must be a finite number, got undefined',
  ],
  [
    [[1, 2], [1]],
    'RangeError: X row 1 has 1 values, expected 2',
    'RangeError: X row 1 has 1 values, the model was fitted on 2 columns',
  ],
  [
    [
      [1, 2],
      [1, 2, 3],
    ],
    'RangeError: X row 1 has 3 values, expected 2',
    'RangeError: X row 1 has 3 values, the model was fitted on 2 columns',
  ],
  [[[1, 2], null], 'TypeError: X row 1 must be an array of numbers, got null'],
  [[1, 2], 'TypeError: X row 0 must be an array of numbers, got 1'],
  [[[], []], 'RangeError: X has no columns', 'RangeError: X row 0 has 0 values, the model was fitted on 2 columns'],
  [
    [[1, 2, 3]],
    'RangeError: X has 3 columns, the model was fitted on 2',
    'RangeError: X row 0 has 3 values, the model was fitted on 2 columns',
  ],
  [
    flat([1, 2, 3], 1, 3),
    'RangeError: X has 3 columns, the model was fitted on 2',
    'RangeError: X.cols must be 2, as the model was fitted on, got 3',
  ],
  [flat([1, 2, NaN, 3], 2, 2), 'RangeError: X[1][0] is NaN', 'RangeError: X[1][0] must be a finite number, got NaN'],
  [
    { ...flat([], 2, 2), data: Float32Array.of(1, Infinity, 2, 3) },
    'RangeError: X[0][1] is Infinity',
    'RangeError: X[0][1] must be a finite number, got Infinity',
  ],
  [flat([1, 2, 3], 2, 2), 'RangeError: X.data has 3 values, expected 4 (2 rows × 2 columns)'],
  [
    flat([1, 2], 1.5, 2),
    'RangeError: X.rows must be an integer of at least 0, got 1.5',
    'RangeError: X.rows must be an integer ≥ 0, got 1.5',
  ],
  [
    flat([1, 2], 1, -2),
    'RangeError: X.cols must be an integer of at least 0, got -2',
    'RangeError: X.cols must be 2, as the model was fitted on, got -2',
  ],
  [
    { data: new Float64Array(2), rows: 1 },
    'TypeError: X.cols must be an integer of at least 0, got undefined',
    'TypeError: X.cols must be 2, as the model was fitted on, got undefined',
  ],
  [
    { data: new Float64Array(2), rows: 1, cols: 0 },
    'RangeError: X has no columns',
    'RangeError: X.cols must be 2, as the model was fitted on, got 0',
  ],
  [{ data: [1, 2], rows: 1, cols: 2 }, 'TypeError: X.data must be a Float64Array or a Float32Array, got an array of 2'],
  [
    { data: Int16Array.of(1, 2), rows: 1, cols: 2 },
    'TypeError: X.data must be a Float64Array or a Float32Array, got a Int16Array of 2',
  ],
  [
    Float64Array.of(1, 2),
    'TypeError: X is a flat Float64Array: pass { data: X, rows, cols } so that its shape is known',
    'TypeError: X is a flat Float64Array: pass { data: X, rows, cols }',
  ],
  [
    { ...parts, cols: 3 },
    'RangeError: X has 3 columns, the model was fitted on 2',
    'RangeError: X.cols must be 2, as the model was fitted on, got 3',
  ],
  [
    { ...parts, cols: 0 },
    'RangeError: X.cols must be an integer of at least 1, got 0',
    'RangeError: X.cols must be 2, as the model was fitted on, got 0',
  ],
  [
    { ...parts, cols: 2 ** 31 },
    'RangeError: X.cols must be at most 2147483647, got 2147483648',
    'RangeError: X.cols must be 2, as the model was fitted on, got 2147483648',
  ],
  [{ ...parts, values: [1] }, 'RangeError: X.values has 1 entries, X.indices 2: one each'],
  [
    { ...parts, values: [1, NaN] },
    'RangeError: X.values[1] is NaN',
    'RangeError: X.values[1] must be a finite number, got NaN',
  ],
  [
    { ...parts, values: [1, '2'] },
    'TypeError: X.values[1] must be a number, got "2"',
    'TypeError: X.values[1] must be a finite number, got "2"',
  ],
  [
    { ...parts, indices: [0, 2] },
    'RangeError: X.indices[1] must be an integer from 0 to 1, got 2',
    'RangeError: X.indices[1] must be an integer above -1 and below 2 (columns ascend), got 2',
  ],
  [
    { ...parts, indices: [0, -1] },
    'RangeError: X.indices[1] must be an integer from 0 to 1, got -1',
    'RangeError: X.indices[1] must be an integer above -1 and below 2 (columns ascend), got -1',
  ],
  [{ ...parts, indices: 7 }, 'TypeError: X.indices must be an array of numbers, got 7'],
  [
    { ...parts, indices: [1, 0], indptr: [0, 2, 2] },
    'RangeError: X.indices[1] is 0, after 1: the columns of a row (here row 0) must ascend',
    'RangeError: X.indices[1] must be an integer above 1 and below 2 (columns ascend), got 0',
  ],
  [
    { ...parts, indptr: [] },
    'RangeError: X.indptr is empty: it has one entry more than there are rows',
    'RangeError: X.indptr must end with 2, the number of values',
  ],
  [
    { ...parts, indptr: [1, 2] },
    'RangeError: X.indptr[0] must be 0, got 1',
    'RangeError: X.indptr[0] must be an integer from 0 to 0, got 1',
  ],
  [
    { ...parts, indptr: [0, 2, 1] },
    'RangeError: X.indptr[2] must be an integer of at least 2, got 1',
    'RangeError: X.indptr[2] must be an integer from 2 to 2, got 1',
  ],
  [
    { ...parts, indptr: [0, '2'] },
    'TypeError: X.indptr[1] must be an integer of at least 0, got "2"',
    'TypeError: X.indptr[1] must be an integer from 0 to 2, got "2"',
  ],
  [
    { ...parts, indptr: [0, 1] },
    'RangeError: X.indptr ends with 1, expected 2: as many as there are values',
    'RangeError: X.indptr must end with 2, the number of values',
  ],
  [
    { data: [1, 2], indices: [0, 1], indptr: [0, 1, 2] },
    'TypeError: X.values is missing; what SciPy calls "data" is "values" here, and shape[1] is "cols"',
    'TypeError: X.cols must be 2, as the model was fitted on, got undefined',
  ],
];

test.each(badRows)('%j is refused, as in the library', (rows, message, own = message) => {
  for (const model of Object.values(models)) {
    const predictor = predictorOf(model);
    expect(errorOf(() => predictor.predict(rows))).toBe(own);
    expect(errorOf(() => predictor.decisionFunction(rows))).toBe(own);
    expect(errorOf(() => model.predict(rows as never))).toBe(message);
  }
});

test.each([undefined, null, 7, 'rows', () => {}, {}, { rows: 1 }])(
  'X = %j is refused with the forms that rows have',
  (rows) => {
    const error = errorOf(() => predictorOf(models.Perceptron!).predict(rows as Any));
    expect(error).toMatch(/^TypeError: X must be an array of rows, \{ data, rows, cols \}, .* or a SparseMatrix, got /);
  },
);

const badRow: [x: Any, message: string, own?: string][] = [
  [[1], 'RangeError: x has 1 values, the model was fitted on 2 columns'],
  [[1, NaN], 'RangeError: x[1] is NaN', 'RangeError: x[1] must be a finite number, got NaN'],
  [[1, '2'], 'TypeError: x[1] must be a number, got "2"', 'TypeError: x[1] must be a finite number, got "2"'],
  [
    new Array(2),
    'TypeError: x[0] must be a number, got undefined',
    'TypeError: x[0] must be a finite number, got undefined',
  ],
  [
    [[1, 2]],
    'TypeError: x must be one row of numbers, got an array of rows',
    'RangeError: x has 1 values, the model was fitted on 2 columns',
  ],
];

test.each(badRow)('predictOne refuses %j as the library does', (x, message, own = message) => {
  for (const model of Object.values(models)) {
    expect(errorOf(() => predictorOf(model).predictOne(x))).toBe(own);
    expect(errorOf(() => model.predictOne(x))).toBe(message);
  }
});

const badSparseRow: [x: Any, message: string, own?: string][] = [
  [
    { indices: [0, 2], values: [1, 1] },
    'RangeError: x.indices[1] must be an integer from 0 to 1, got 2',
    'RangeError: x.indices[1] must be an integer above 0 and below 2 (columns ascend), got 2',
  ],
  [
    { indices: [1, 0], values: [1, 1] },
    'RangeError: x.indices[1] is 0, after 1: the columns of a row must ascend',
    'RangeError: x.indices[1] must be an integer above 1 and below 2 (columns ascend), got 0',
  ],
  [{ indices: [0], values: [1, 1] }, 'RangeError: x.values has 2 entries, x.indices 1: one each'],
  [
    { indices: [0], values: [NaN] },
    'RangeError: x.values[0] is NaN',
    'RangeError: x.values[0] must be a finite number, got NaN',
  ],
  [
    { indices: [0], values: ['1'] },
    'TypeError: x.values[0] must be a number, got "1"',
    'TypeError: x.values[0] must be a finite number, got "1"',
  ],
  [{ indices: [0] }, 'TypeError: x must be an array of numbers or { indices, values }, got an object'],
  [{}, 'TypeError: x must be an array of numbers or { indices, values }, got an object'],
  [null, 'TypeError: x must be an array of numbers or { indices, values }, got null'],
  ['12', 'TypeError: x must be an array of numbers or { indices, values }, got "12"'],
  [undefined, 'TypeError: x must be an array of numbers or { indices, values }, got undefined'],
];

test.each(badSparseRow)(
  'predictOne refuses %j as the library does, and so does explain',
  (x, message, own = message) => {
    for (const model of Object.values(models)) {
      expect(errorOf(() => predictorOf(model).predictOne(x))).toBe(own);
      expect(errorOf(() => model.predictOne(x))).toBe(message);
      expect(errorOf(() => (model as Any).explain(x))).toBe(message);
    }
  },
);

describe('values that are too large', () => {
  const huge = [
    [1, 1],
    [1e308, 1e308],
  ];
  const large = new Perceptron({ initialWeights: [1e10, 1e10], maxEpochs: 1 }).fit(X, y);

  test('for a score are refused with the row', () => {
    const message = 'RangeError: the score of X row 1 is Infinity: its values are too large';
    expect(errorOf(() => large.predict(huge))).toBe(message);
    expect(errorOf(() => predictorOf(large).predict(huge))).toBe(message);
    expect(errorOf(() => predictorOf(large).predictOne(huge[1]!))).toBe(
      'RangeError: the score of x is Infinity: its values are too large',
    );
  });

  test('for a score of a class are refused class by class, as in the library', () => {
    const many = new MulticlassPerceptron<string>().fit(X, y);
    const json = {
      ...many.toJSON(),
      planes: [
        { weights: [0, 1e10], bias: 0 },
        { weights: [1e10, 0], bias: 0 },
      ],
    };
    const model = MulticlassPerceptron.fromJSON(json);
    const rows = [
      [1e308, 0],
      [0, -1e308],
    ];
    const message = 'RangeError: the score of X row 1 is -Infinity: its values are too large';
    expect(errorOf(() => model.predict(rows))).toBe(message);
    expect(errorOf(() => predictorOf(model).predict(rows))).toBe(message);
  });

  test('for the rbf kernel are refused with the row, dense and sparse', () => {
    const predictor = predictorOf(models.DualPerceptron!);
    const message = (what: string) =>
      `RangeError: the rbf kernel of ${what} with itself overflows to NaN: scale its values down`;
    using sparse = SparseMatrix.fromDense(huge);
    expect(errorOf(() => predictor.predict(huge))).toBe(message('X row 1'));
    expect(errorOf(() => predictor.predict(sparse))).toBe(message('X row 1'));
    expect(errorOf(() => predictor.predictOne(huge[1]!))).toBe(message('x'));
  });

  test('to be scaled are refused with their place, dense, float32 and sparse', () => {
    const small = [
      [1e-100, 0],
      [0, 1e-100],
      [-1e-100, 0],
    ];
    const pipeline = new Pipeline(new Scaler({ kind: 'unit-ball' }), new Perceptron()).fit(small, y);
    const predictor = predictorOf(pipeline);
    const message = 'RangeError: X[1][0] is too large: scaled it is Infinity';
    using sparse = SparseMatrix.fromDense(huge);
    for (const rows of [huge, { data: Float32Array.of(0, 0, 1, 0), rows: 2, cols: 2 }, sparse]) {
      expect(errorOf(() => predictor.predict(rows))).toBe(message);
      expect(errorOf(() => pipeline.predict(rows))).toBe(message);
    }
    expect(errorOf(() => predictor.predictOne([0, 1e300]))).toBe(
      'RangeError: x[1] is too large: scaled it is Infinity',
    );
    expect(errorOf(() => predictor.predictOne({ indices: [1], values: [1e300] }))).toBe(
      'RangeError: x[1] is too large: scaled it is Infinity',
    );
  });
});

test('sparse rows are refused where means are subtracted', () => {
  const predictor = predictorOf(new Pipeline(new Scaler({ kind: 'centre' }), new Perceptron()).fit(X, y));
  const message =
    /^RangeError: this model subtracts means, which would fill every zero of sparse rows: pass dense rows/;
  expect(errorOf(() => predictor.predict(parts))).toMatch(message);
  expect(errorOf(() => predictor.predictOne({ indices: [0], values: [1] }))).toMatch(message);
  expect(predictor.predict([])).toEqual([]);
});
