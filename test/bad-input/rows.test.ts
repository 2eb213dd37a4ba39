// Rows that are not rows of finite numbers, in every form and through every method.

import { expect, test } from 'vitest';
import { createEngine, DenseMatrix, Perceptron } from '../../src/index.js';
import { engines } from '../engines.js';
import {
  type Any,
  type ErrorClass,
  forms,
  holed,
  matrixForms,
  methods,
  oneRow,
  orders,
  refuses,
  refusesDual,
  refusesFitted,
  X,
  y,
} from './refusals.js';

// ---- NaN and infinity -------------------------------------------------------------------------------

const bad = [NaN, Infinity, -Infinity];

for (const [form, make] of Object.entries(forms)) {
  test.each(Object.keys(methods))(`%s names the place of NaN and infinities in ${form}`, (method) => {
    for (const value of bad) {
      for (const [i, j] of [
        [0, 0],
        [2, 1],
      ] as const) {
        const rows = X.map((row) => [...row]);
        (rows[i] as number[])[j] = value;
        refusesFitted((m) => methods[method]?.(m, make(rows), y), RangeError, `X[${i}][${j}] is ${value}`);
      }
    }
  });
}

for (const dtype of matrixForms) {
  test.each(engines)(`every method on %s names the place of NaN and infinities in a ${dtype} DenseMatrix`, (engine) => {
    using matrix = DenseMatrix.from(X, { dtype });
    for (const method of Object.keys(methods)) {
      for (const value of bad) {
        matrix.data[3] = value;
        refusesFitted((m) => methods[method]?.(m, matrix, y), RangeError, `X[1][1] is ${value}`, { engine });
        matrix.data[3] = 3;
      }
    }
  });
}

test.each(engines)('fit on %s finds NaN in every order and in rows that are far apart', (engine) => {
  const rows = 300;
  const cols = 37;
  const labels = Array.from({ length: rows }, (_, i) => i % 2);
  for (const order of orders) {
    for (const at of [0, 36, 5 * cols + 4, rows * cols - 1]) {
      const data = new Float64Array(rows * cols).fill(1);
      data[at] = NaN;
      const model = new Perceptron({ engine, order, maxEpochs: 1 });
      refuses(
        () => model.fit({ data, rows, cols }, labels),
        RangeError,
        `X[${Math.floor(at / cols)}][${at % cols}] is NaN`,
      );
    }
  }
});

test.each(orders)('order %s finds NaN in a row that is held out', (order) => {
  const labels = Array.from({ length: 20 }, (_, i) => i % 2);
  for (let at = 0; at < 20; at++) {
    const data = Float64Array.from(labels, (label) => label * 2 - 1);
    data[at] = NaN;
    const model = new Perceptron({ order, validationFraction: 0.3 });
    refuses(() => model.fit({ data, rows: 20, cols: 1 }, labels), RangeError, `X[${at}][0] is NaN`);
  }
});

test.each(Object.keys(oneRow))('%s names the place of what is not a finite number', (method) => {
  for (const value of bad) refusesFitted((m) => oneRow[method]?.(m, [1, value]), RangeError, `x[1] is ${value}`);
  refusesFitted((m) => oneRow[method]?.(m, Float32Array.of(NaN, 1)), RangeError, 'x[0] is NaN');
  refusesFitted((m) => oneRow[method]?.(m, [1, '2']), TypeError, 'x[1] must be a number, got "2"');
  refusesFitted((m) => oneRow[method]?.(m, [null, 2]), TypeError, 'x[0] must be a number, got null');
  refusesFitted((m) => oneRow[method]?.(m, holed([1, 2], 0)), TypeError, 'x[0] must be a number, got undefined');
  refusesFitted((m) => oneRow[method]?.(m, [1n, 2]), TypeError, 'x[0] must be a number, got 1n');
  refusesFitted(
    (m) => oneRow[method]?.(m, 3),
    TypeError,
    'x must be an array of numbers or { indices, values }, got 3',
  );
  refusesFitted(
    (m) => oneRow[method]?.(m, null),
    TypeError,
    'x must be an array of numbers or { indices, values }, got null',
  );
  refusesFitted(
    (m) => oneRow[method]?.(m, '12'),
    TypeError,
    'x must be an array of numbers or { indices, values }, got "12"',
  );
  refusesFitted((m) => oneRow[method]?.(m, [1]), RangeError, 'x has 1 values, the model was fitted on 2 columns');
  refusesFitted((m) => oneRow[method]?.(m, [1, 2, 3]), RangeError, 'x has 3 values, the model was fitted on 2 columns');
});

test.each<[Any, ErrorClass, string]>([
  [{ most: 3 }, RangeError, 'explain has no option "most"; it has top'],
  [null, TypeError, 'the options of explain must be an object, got null'],
  [5, TypeError, 'the options of explain must be an object, got 5'],
  [{ top: 0 }, RangeError, '"top" must be an integer of at least 1, or Infinity, got 0'],
  [{ top: 2.5 }, RangeError, '"top" must be an integer of at least 1, or Infinity, got 2.5'],
  [{ top: NaN }, RangeError, '"top" must be an integer of at least 1, or Infinity, got NaN'],
  [{ top: '3' }, TypeError, '"top" must be an integer of at least 1, or Infinity, got "3"'],
  [{ top: null }, TypeError, '"top" must be an integer of at least 1, or Infinity, got null'],
])('explain refuses the options %j', (options, type, message) => {
  refusesFitted((m) => m.explain([1, 2], options), type, message);
  for (const kernel of ['linear', 'rbf'] as const) {
    refusesDual((m) => m.explain([1, 2], options), type, message, { kernel });
  }
});

// ---- X that is not rows -----------------------------------------------------------------------------

function detached(): Float64Array {
  const data = new Float64Array(6);
  structuredClone(data.buffer, { transfer: [data.buffer] });
  return data;
}

function disposed(): DenseMatrix {
  const matrix = DenseMatrix.from(X);
  matrix.dispose();
  return matrix;
}

const FORMS = 'X must be an array of rows, { data, rows, cols }, a DenseMatrix or a SparseMatrix, got ';
const badRows: [string, () => unknown, ErrorClass, string][] = [
  ['undefined', () => undefined, TypeError, `${FORMS}undefined`],
  ['null', () => null, TypeError, `${FORMS}null`],
  ['a number', () => 3, TypeError, `${FORMS}3`],
  ['a string', () => '1,2', TypeError, `${FORMS}"1,2"`],
  ['a function', () => () => X, TypeError, `${FORMS}a function`],
  ['an object without rows', () => ({}), TypeError, `${FORMS}an object`],
  ['a Map', () => new Map(), TypeError, `${FORMS}an object`],
  [
    'a flat Float64Array',
    () => new Float64Array(6),
    TypeError,
    'X is a flat Float64Array: pass { data: X, rows, cols } so that its shape is known',
  ],
  [
    'a flat Float32Array',
    () => new Float32Array(6),
    TypeError,
    'X is a flat Float32Array: pass { data: X, rows, cols } so that its shape is known',
  ],
  ['a flat array', () => [1, 2, 3], TypeError, 'X row 0 must be an array of numbers, got 1'],
  ['a row that is a string', () => [[1, 2], '34', [5, 6]], TypeError, 'X row 1 must be an array of numbers, got "34"'],
  ['a row that is null', () => [[1, 2], [3, 4], null], TypeError, 'X row 2 must be an array of numbers, got null'],
  [
    'a row that is a hole',
    () =>
      holed(
        [
          [1, 2],
          [1, 2],
          [3, 4],
        ],
        1,
      ),
    TypeError,
    'X row 1 must be an array of numbers, got undefined',
  ],
  [
    'rows that grow',
    () => [
      [1, 2],
      [1, 2],
      [1, 2, 3],
    ],
    RangeError,
    'X row 2 has 3 values, expected 2',
  ],
  ['rows that shrink', () => [[1, 2], [1], [1, 2]], RangeError, 'X row 1 has 1 values, expected 2'],
  ['a ragged typed row', () => [[1, 2], new Float32Array(5), [1, 2]], RangeError, 'X row 1 has 5 values, expected 2'],
  [
    'a string value',
    () => [
      [1, 2],
      [1, '2'],
      [1, 2],
    ],
    TypeError,
    'X[1][1] must be a number, got "2"',
  ],
  [
    'a null value',
    () => [
      [1, 2],
      [null, 2],
      [1, 2],
    ],
    TypeError,
    'X[1][0] must be a number, got null',
  ],
  [
    'an undefined value',
    () => [
      [1, undefined],
      [1, 2],
      [1, 2],
    ],
    TypeError,
    'X[0][1] must be a number, got undefined',
  ],
  ['a hole in a row', () => [[1, 2], [1, 2], holed([1, 2], 0)], TypeError, 'X[2][0] must be a number, got undefined'],
  [
    'a boolean value',
    () => [
      [1, 2],
      [true, 2],
      [1, 2],
    ],
    TypeError,
    'X[1][0] must be a number, got true',
  ],
  [
    'a nested array',
    () => [
      [[1], 2],
      [1, 2],
      [1, 2],
    ],
    TypeError,
    'X[0][0] must be a number, got an array of 1',
  ],
  ['a BigInt row', () => [[1, 2], BigInt64Array.of(1n, 2n), [1, 2]], TypeError, 'X[1][0] must be a number, got 1n'],
  ['no columns', () => [[], [], []], RangeError, 'X has no columns'],
  ['a flat X without columns', () => ({ data: new Float64Array(0), rows: 3, cols: 0 }), RangeError, 'X has no columns'],
  [
    'a short Float64Array',
    () => ({ data: new Float64Array(5), rows: 3, cols: 2 }),
    RangeError,
    'X.data has 5 values, expected 6 (3 rows × 2 columns)',
  ],
  [
    'a short Float32Array',
    () => ({ data: new Float32Array(2), rows: 3, cols: 2 }),
    RangeError,
    'X.data has 2 values, expected 6 (3 rows × 2 columns)',
  ],
  [
    'a shape beyond all memory',
    () => ({ data: new Float64Array(6), rows: 2 ** 40, cols: 2 ** 40 }),
    RangeError,
    `X.data has 6 values, expected ${2 ** 80} (${2 ** 40} rows × ${2 ** 40} columns)`,
  ],
  [
    'a detached buffer',
    () => ({ data: detached(), rows: 3, cols: 2 }),
    RangeError,
    'X.data has 0 values, expected 6 (3 rows × 2 columns); its buffer is empty or detached',
  ],
  ['a detached row', () => [[1, 2], detached(), [1, 2]], RangeError, 'X row 1 has 0 values, expected 2'],
  [
    'Int32Array data',
    () => ({ data: new Int32Array(6), rows: 3, cols: 2 }),
    TypeError,
    'X.data must be a Float64Array or a Float32Array, got a Int32Array of 6',
  ],
  [
    'array data',
    () => ({ data: [1, 2, 3, 4, 5, 6], rows: 3, cols: 2 }),
    TypeError,
    'X.data must be a Float64Array or a Float32Array, got an array of 6',
  ],
  [
    'an ArrayBuffer as data',
    () => ({ data: new ArrayBuffer(48), rows: 3, cols: 2 }),
    TypeError,
    'X.data must be a Float64Array or a Float32Array, got an object',
  ],
  [
    'no data',
    () => ({ data: undefined, rows: 3, cols: 2 }),
    TypeError,
    'X.data must be a Float64Array or a Float32Array, got undefined',
  ],
  [
    'negative rows',
    () => ({ data: new Float64Array(6), rows: -3, cols: 2 }),
    RangeError,
    'X.rows must be an integer of at least 0, got -3',
  ],
  [
    'half a column',
    () => ({ data: new Float64Array(6), rows: 3, cols: 1.5 }),
    RangeError,
    'X.cols must be an integer of at least 0, got 1.5',
  ],
  [
    'rows as a string',
    () => ({ data: new Float64Array(6), rows: '3', cols: 2 }),
    TypeError,
    'X.rows must be an integer of at least 0, got "3"',
  ],
  [
    'no cols',
    () => ({ data: new Float64Array(6), rows: 3 }),
    TypeError,
    'X.cols must be an integer of at least 0, got undefined',
  ],
  ['a disposed matrix', disposed, Error, 'this DenseMatrix was disposed'],
];

test.each(badRows)('every method refuses X that is %s', (_what, make, type, message) => {
  for (const method of Object.values(methods)) refusesFitted((m) => method(m, make(), y), type, message);
  refuses(() => DenseMatrix.from(make() as Any), type, message);
  refuses(() => new Perceptron<Any>().fit(make() as Any, y), type, message);
});

test('no rows have no labels and no scores, and are refused by everything else', () => {
  const model = new Perceptron().fit(X, y);
  for (const none of [[], { data: new Float64Array(), rows: 0, cols: 2 }]) {
    expect(model.predict(none)).toEqual([]);
    expect(model.decisionFunction(none)).toEqual(new Float64Array());
    for (const [name, method] of Object.entries(methods)) {
      if (name === 'predict' || name === 'decisionFunction') continue;
      refusesFitted((m) => method(m, none, []), RangeError, 'X is empty: it has no rows');
    }
  }
});

test('a view into a disposed matrix is refused', () => {
  const matrix = DenseMatrix.from(X);
  const { data } = matrix;
  const row = matrix.row(1);
  matrix.dispose();
  const message = 'X.data is a view into a DenseMatrix that was disposed';
  for (const method of Object.values(methods)) {
    refusesFitted((m) => method(m, { data, rows: 3, cols: 2 }, y), Error, message);
    refusesFitted((m) => method(m, { data: row, rows: 1, cols: 2 }, [1]), Error, message);
  }
});

test.each(['partialFit', 'predict', 'decisionFunction', 'score', 'loss', 'diagnose'])(
  '%s refuses rows of another width than the model has',
  (method) => {
    for (const width of [1, 3]) {
      const rows = X.map(() => new Array(width).fill(1));
      const message = `X has ${width} columns, the model was fitted on 2`;
      refusesFitted((m) => methods[method]?.(m, rows, y), RangeError, message);
      refusesFitted(
        (m) => methods[method]?.(m, DenseMatrix.from(rows, { engine: createEngine() }), y),
        RangeError,
        message,
      );
    }
  },
);

test('a warm start refuses rows of another width, a fresh fit takes them', () => {
  const wide = X.map((row) => [...row, 1]);
  refusesFitted((m) => m.fit(wide, y), RangeError, 'X has 3 columns, the model was fitted on 2', { warmStart: true });
  expect(new Perceptron().fit(X, y).fit(wide, y).weights).toHaveLength(3);
});
