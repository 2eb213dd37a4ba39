// What goes wrong with a Gram matrix that the caller brings.

import { expect, test } from 'vitest';
import { defaultArena } from '../../src/engine/engine.js';
import { DenseMatrix, DualPerceptron, gram } from '../../src/index.js';
import { engines } from '../engines.js';
import {
  bad,
  CUBIC,
  checkError,
  curved,
  type ErrorClass,
  kernels,
  matrixForms,
  modes,
  orders,
  refuses,
  refusesDual,
  rejection,
  SQUARE,
  X,
  y,
} from './refusals.js';

// ---- precomputed ------------------------------------------------------------------------------------

const G = () => gram(X);
const changedAt = (i: number, j: number, value: number, both = true): DenseMatrix => {
  const matrix = G();
  matrix.data[3 * i + j] = value;
  if (both) matrix.data[3 * j + i] = value;
  return matrix;
};

const badMatrices: [string, () => unknown, ErrorClass, string | RegExp][] = [
  ['null', () => null, TypeError, '"precomputed" must be a DenseMatrix, got null'],
  ['a number', () => 3, TypeError, '"precomputed" must be a DenseMatrix, got 3'],
  ['a string', () => 'gram', TypeError, '"precomputed" must be a DenseMatrix, got "gram"'],
  ['a function', () => gram, TypeError, '"precomputed" must be a DenseMatrix, got a function'],
  ['an object', () => ({}), TypeError, '"precomputed" must be a DenseMatrix, got an object'],
  ['an array of rows', () => [[18], [21], [6]], TypeError, '"precomputed" must be a DenseMatrix, got an array of 3'],
  [
    'a typed array',
    () => new Float64Array(9),
    TypeError,
    '"precomputed" must be a DenseMatrix, got a Float64Array of 9',
  ],
  ['its data an array', () => ({ data: new Array(9), rows: 3, cols: 3 }), TypeError, /^"precomputed" must be a Dense/],
  ['the rows themselves', () => DenseMatrix.from(X), RangeError, `"precomputed" is 3 × 2, ${SQUARE}`],
  ['of fewer rows', () => gram(X.slice(1)), RangeError, `"precomputed" is 2 × 2, ${SQUARE}`],
  ['of more rows', () => gram([...X, [1, 2]]), RangeError, `"precomputed" is 4 × 4, ${SQUARE}`],
  ['transposed oddly', () => DenseMatrix.allocate(9, 1), RangeError, `"precomputed" is 9 × 1, ${SQUARE}`],
  [
    'of float32',
    () => {
      using matrix = G();
      return DenseMatrix.from(matrix, { dtype: 'float32' });
    },
    RangeError,
    '"precomputed" must be of dtype \'float64\'',
  ],
  [
    'not symmetric',
    () => changedAt(2, 0, 7, false),
    RangeError,
    '"precomputed" is not symmetric: [2][0] is 7, [0][2] is 6; a Gram matrix is, see gram()',
  ],
  ['NaN on the diagonal', () => changedAt(1, 1, NaN), RangeError, 'precomputed[1][1] is NaN'],
  ['NaN on both sides', () => changedAt(2, 1, NaN), RangeError, /^precomputed\[(2\]\[1|1\]\[2)\] is NaN$/],
  ['NaN below the diagonal', () => changedAt(2, 1, NaN, false), RangeError, 'precomputed[2][1] is NaN'],
  ['NaN above the diagonal', () => changedAt(1, 2, NaN, false), RangeError, 'precomputed[1][2] is NaN'],
  ['infinite', () => changedAt(2, 0, Infinity), RangeError, /^precomputed\[(2\]\[0|0\]\[2)\] is Infinity$/],
  ['infinite at last', () => changedAt(2, 2, -Infinity), RangeError, 'precomputed[2][2] is -Infinity'],
  [
    'of another kernel',
    () => gram(X, { kernel: CUBIC }),
    RangeError,
    'precomputed[0][0] is 1000, but this kernel gives 18 for row 0 of X; was it made from other rows, or with another kernel?',
  ],
  [
    'of other rows',
    () => gram([[3, 3], [4, 3.001], X[2] as number[]]),
    RangeError,
    /^precomputed\[1\]\[1\] is 25\.00600.*, but this kernel gives 25 for row 1 of X; was it made from other rows, or with another kernel\?$/,
  ],
  [
    'zero on the diagonal',
    () => changedAt(2, 2, 0),
    RangeError,
    /^precomputed\[2\]\[2\] is 0, but this kernel gives 2 for row 2 of X/,
  ],
  [
    'disposed',
    () => {
      const matrix = G();
      matrix.dispose();
      return matrix;
    },
    Error,
    'this DenseMatrix was disposed',
  ],
];

for (const engine of engines) {
  test.each(badMatrices)(
    `${engine}: a precomputed matrix that is %s is refused`,
    async (_what, make, type, message) => {
      const precomputed = make() as DenseMatrix;
      try {
        for (const mode of modes) {
          refusesDual((m) => m.fit(X, y, { precomputed }), type, message, { engine, gram: mode });
          refusesDual((m) => m.fit(X, y, { precomputed }), type, message, { engine, gram: mode, warmStart: true });
        }
        const { blocks } = defaultArena.usage;
        checkError(await rejection(new DualPerceptron({ engine }).fitAsync(X, y, { precomputed })), type, message);
        expect(defaultArena.usage.blocks).toBe(blocks);
      } finally {
        precomputed?.dispose?.();
      }
    },
  );
}

test.each(curved)('a linear matrix is refused for the %s kernel', (_name, kernel) => {
  using precomputed = G();
  refusesDual((m) => m.fit(X, y, { precomputed }), RangeError, /^precomputed\[0\]\[0\] is 18, but this kernel gives /, {
    kernel,
  });
});

test('a matrix made with another gamma is refused, though the diagonal of every RBF matrix is 1', () => {
  using precomputed = gram(X, { kernel: { type: 'rbf', gamma: 0.5 } });
  refusesDual(
    (m) => m.fit(X, y, { precomputed }),
    RangeError,
    /was it made from other rows, or with another kernel\?$/,
    {
      kernel: { type: 'rbf', gamma: 0.05 },
    },
  );
});

test('a matrix made from rows in another order is refused, though their norms are the same', () => {
  const turned = [
    [1, 0],
    [0, 1],
    [-1, 0],
  ];
  using precomputed = gram(turned);
  const other = [turned[1], turned[2], turned[2]] as number[][];
  const message = /was it made from other rows, or with another kernel\?$/;
  refuses(() => new DualPerceptron().fit(other, y, { precomputed }), RangeError, message);
});

for (const engine of engines) {
  test.each(kernels)(
    `${engine}, %s kernel: NaN and infinities in X are found beside a precomputed matrix`,
    (_n, kernel) => {
      using precomputed = gram(X, { kernel });
      for (const value of bad) {
        for (const dtype of matrixForms) {
          using rows = DenseMatrix.from(X, { dtype });
          rows.data[5] = value;
          refusesDual((m) => m.fit(rows, y, { precomputed }), RangeError, `X[2][1] is ${value}`, { engine, kernel });
        }
      }
    },
  );
}

test('a precomputed matrix needs none of maxGramBytes', () => {
  using precomputed = G();
  const usual = new DualPerceptron().fit(X, y);
  for (const mode of ['auto', ...modes] as const) {
    const model = new DualPerceptron({ gram: mode, maxGramBytes: 1 });
    expect([...model.fit(X, y, { precomputed }).alphas]).toEqual([...usual.alphas]);
  }
});

test('a precomputed matrix is left as it was', () => {
  using precomputed = G();
  const before = [...precomputed.data];
  for (const order of orders) new DualPerceptron({ order }).fit(X, y, { precomputed });
  expect([...precomputed.data]).toEqual(before);
});
