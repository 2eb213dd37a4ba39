// Bad input, of every kind, through every method: the error's class, its message, and that a model and the
// kernels' memory are afterwards as they were.

import { expect, test } from 'vitest';
import { defaultArena } from '../src/engine/engine.js';
import {
  compare,
  createEngine,
  DenseMatrix,
  NotFittedError,
  type Order,
  Perceptron,
  type PerceptronOptions,
} from '../src/index.js';
import { engines } from './engines.js';

type ErrorClass = new (...args: never[]) => Error;
// Bad values do not type-check, which is the point of them.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Any = any;

const X = [
  [3, 3],
  [4, 3],
  [1, 1],
];
const y = [1, 1, -1];
const orders: readonly Order[] = ['cyclic', 'shuffle', 'random', 'batch'];

/** The list without its item i. */
function holed<T>(list: T[], i: number): T[] {
  delete list[i];
  return list;
}

/** Runs `act`, which must throw exactly this class with this message, and leave no block in the default memory. */
function refuses(act: () => unknown, type: ErrorClass, message: string | RegExp): void {
  const before = defaultArena.usage;
  let error: Any;
  try {
    act();
  } catch (thrown) {
    error = thrown;
  }
  checkError(error, type, message);
  expect(defaultArena.usage).toMatchObject({ liveBytes: before.liveBytes, blocks: before.blocks });
}

function checkError(error: Any, type: ErrorClass, message: string | RegExp): void {
  expect(error, 'nothing was thrown').toBeDefined();
  expect(`${error.constructor.name}: ${error.message}`).toMatch(type.name);
  expect(error.constructor).toBe(type);
  if (typeof message === 'string') expect(error.message).toBe(message);
  else expect(error.message).toMatch(message);
}

/** As `refuses`, for an act on a fitted model, which must stay as it was. */
function refusesFitted(
  act: (model: Perceptron<Any>) => unknown,
  type: ErrorClass,
  message: string | RegExp,
  options: PerceptronOptions<Any> = {},
): void {
  const model = new Perceptron<Any>(options).fit(X, y);
  const before = JSON.stringify(model);
  const { report, weights } = model;
  const predicted = model.predict(X);
  refuses(() => act(model), type, message);
  expect(JSON.stringify(model)).toBe(before);
  expect(model.report).toBe(report);
  expect(model.weights).toBe(weights);
  expect(model.predict(X)).toEqual(predicted);
}

/** The methods that take rows, each given rows and labels. */
const methods: Record<string, (model: Perceptron<Any>, rows: Any, labels: Any) => unknown> = {
  fit: (m, rows, labels) => m.fit(rows, labels),
  partialFit: (m, rows, labels) => m.partialFit(rows, labels),
  predict: (m, rows) => m.predict(rows),
  decisionFunction: (m, rows) => m.decisionFunction(rows),
  score: (m, rows, labels) => m.score(rows, labels),
  loss: (m, rows, labels) => m.loss(rows, labels),
  diagnose: (m, rows, labels) => m.diagnose(rows, labels),
};
const labelled = ['fit', 'partialFit', 'score', 'loss', 'diagnose'];
const oneRow: Record<string, (model: Perceptron<Any>, x: Any) => unknown> = {
  predictOne: (m, x) => m.predictOne(x),
  explain: (m, x) => m.explain(x),
};

/** Every form that rows come in. */
const forms: Record<string, (rows: number[][]) => Any> = {
  'number[][]': (rows) => rows,
  'Float64Array[]': (rows) => rows.map((row) => Float64Array.from(row)),
  'an array-like of arrays': (rows) => ({ ...rows, length: rows.length }),
  '{ data: Float64Array }': (rows) => ({ data: Float64Array.from(rows.flat()), rows: rows.length, cols: 2 }),
  '{ data: Float32Array }': (rows) => ({ data: Float32Array.from(rows.flat()), rows: rows.length, cols: 2 }),
  'a longer { data }': (rows) => ({ data: Float64Array.from([...rows.flat(), NaN]), rows: rows.length, cols: 2 }),
};
const matrixForms = ['float64', 'float32'] as const;

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
  refusesFitted((m) => oneRow[method]?.(m, 3), TypeError, 'x must be an array of numbers, got 3');
  refusesFitted((m) => oneRow[method]?.(m, null), TypeError, 'x must be an array of numbers, got null');
  refusesFitted((m) => oneRow[method]?.(m, '12'), TypeError, 'x must be an array of numbers, got "12"');
  refusesFitted((m) => oneRow[method]?.(m, [1]), RangeError, 'x has 1 values, the model was fitted on 2 columns');
  refusesFitted((m) => oneRow[method]?.(m, [1, 2, 3]), RangeError, 'x has 3 values, the model was fitted on 2 columns');
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

const FORMS = 'X must be an array of rows, { data, rows, cols } or a DenseMatrix, got ';
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

// ---- labels -----------------------------------------------------------------------------------------

const badLabels: [string, unknown, ErrorClass, string][] = [
  ['missing', undefined, TypeError, 'y must be an array of labels, got undefined'],
  ['null', null, TypeError, 'y must be an array of labels, got null'],
  ['a number', 1, TypeError, 'y must be an array of labels, got 1'],
  ['a string', 'abc', TypeError, 'y must be an array of labels, got "abc"'],
  ['a Set', new Set([1, -1]), TypeError, 'y must be an array of labels, got an object'],
  ['too short', [1, -1], RangeError, 'y has 2 labels, X has 3 rows'],
  ['too long', Int8Array.of(1, 1, -1, -1), RangeError, 'y has 4 labels, X has 3 rows'],
  ['empty', [], RangeError, 'y has 0 labels, X has 3 rows'],
  ['of numbers and strings', [1, '1', -1], TypeError, 'y[1] is "1", a string; the other labels are of type number'],
  ['of numbers and booleans', [1, -1, true], TypeError, 'y[2] is true, a boolean; the other labels are of type number'],
  ['NaN somewhere', [1, NaN, -1], RangeError, 'y[1] is NaN'],
  ['infinite somewhere', Float64Array.of(1, -1, -Infinity), RangeError, 'y[2] is -Infinity'],
  ['null somewhere', [1, null, -1], TypeError, 'y[1] must be a number, a string or a boolean, got null'],
  ['a hole somewhere', holed([1, 1, -1], 1), TypeError, 'y[1] must be a number, a string or a boolean, got undefined'],
  ['an object somewhere', [{}, 1, -1], TypeError, 'y[0] must be a number, a string or a boolean, got an object'],
  ['of bigints', BigInt64Array.of(1n, 1n, -1n), TypeError, 'y[0] must be a number, a string or a boolean, got 1n'],
];

test.each(badLabels)('y that is %s is refused by all methods that take it', (_what, labels, type, message) => {
  for (const method of labelled) refusesFitted((m) => methods[method]?.(m, X, labels), type, message);
  refuses(() => new Perceptron<Any>().fit(X, labels as Any), type, message);
});

test.each([
  [['spam', 'spam', 'spam'], 'y has one class only ("spam"); a classifier needs two'],
  [[0, -0, 0], 'y has one class only (0); a classifier needs two'],
  [[true, true, true], 'y has one class only (true); a classifier needs two'],
  [[1, 2, 3], 'y has 3 classes (1, 2, 3); for more than two use MulticlassPerceptron'],
  [['c', 'a', 'b'], 'y has 3 classes ("a", "b", "c"); for more than two use MulticlassPerceptron'],
])('fit refuses the labels %j', (labels, message) => {
  refusesFitted((m) => m.fit(X, labels), RangeError, message);
});

test('more classes than fit into a line are counted, not listed', () => {
  const many = Array.from({ length: 7 }, (_, i) => i);
  const rows = many.map((i) => [i]);
  refuses(
    () => new Perceptron().fit(rows, many),
    RangeError,
    'y has 7 classes (0, 1, 2, 3, 4, …); for more than two use MulticlassPerceptron',
  );
});

test('fit with "classes" refuses one class only, and labels of other classes', () => {
  const options = { classes: ['ham', 'spam'] };
  for (const [labels, type, message] of [
    [['spam', 'spam', 'spam'], RangeError, 'y has one class only ("spam"); a classifier needs two'],
    [['ham', 'ham', 'ham'], RangeError, 'y has one class only ("ham"); a classifier needs two'],
    [['ham', 'egg', 'spam'], RangeError, 'y[1] is "egg", which is not one of the classes "ham" and "spam"'],
    [[1, 1, -1], TypeError, 'y[0] is 1, a number; the other labels are of type string'],
  ] as const) {
    refuses(() => new Perceptron<Any>(options).fit(X, labels), type, message);
  }
});

test.each(['partialFit', 'loss', 'diagnose'])('%s refuses a label the model does not know', (method) => {
  refusesFitted(
    (m) => methods[method]?.(m, X, [1, -1, 0]),
    RangeError,
    'y[2] is 0, which is not one of the classes -1 and 1',
  );
});

test('score counts a label the model does not know as wrong', () => {
  expect(new Perceptron().fit(X, y).score(X, [1, 5, -1])).toBe(2 / 3);
});

test('a warm start refuses other classes', () => {
  const message = 'y[0] is 2, which is not one of the classes -1 and 1';
  refusesFitted((m) => m.fit(X, [2, 2, 3]), RangeError, message, { warmStart: true });
});

test('partialFit wants "classes" the first time, and the same ones ever after', () => {
  refuses(() => new Perceptron<number>().partialFit(X, y), RangeError, 'partialFit needs "classes" the first time');
  refusesFitted(
    (m) => m.partialFit(X, y, { classes: [1, 2] }),
    RangeError,
    '"classes" must stay -1 and 1, got 1 and 2',
  );
  expect(
    new Perceptron<number>()
      .fit(X, y)
      .partialFit(X, y, { classes: [1, -1] })
      .predict(X),
  ).toEqual(y);
});

test("partialFit refuses classWeight 'balanced'", () => {
  const options = { classWeight: 'balanced', classes: [-1, 1] } as const;
  const message = 'partialFit cannot balance classes it has not seen; give classWeight as numbers';
  refuses(() => new Perceptron<number>(options).partialFit(X, y), RangeError, message);
  refusesFitted((m) => m.partialFit(X, y), RangeError, message, options);
});

// ---- options ----------------------------------------------------------------------------------------

const number = (
  name: string,
  expected: string,
  ranges: unknown[],
  types: unknown[] = ['1', null, true, [1], {}, 1n],
) => [
  ...ranges.map(
    (value) => [{ [name]: value }, RangeError, `"${name}" must be ${expected}, got ${String(value)}`] as const,
  ),
  ...types.map((value) => [{ [name]: value }, TypeError, new RegExp(`^"${name}" must be ${expected}, got `)] as const),
];
const ENGINE = "\"engine\" must be 'auto', 'wasm-simd', 'wasm-scalar', 'js' or an engine made by createEngine, got ";
const ORDER = "\"order\" must be 'cyclic', 'shuffle', 'random' or 'batch', got ";

const badOptions: (readonly [unknown, ErrorClass, string | RegExp])[] = [
  ...number('learningRate', 'a number > 0', [0, -1, NaN, Infinity, -Infinity]),
  ...number('maxEpochs', 'an integer of at least 1', [0, 1.5, -1, NaN, Infinity, 2 ** 53]),
  ...number('seed', 'an integer from 0 to 4294967295', [-1, 2 ** 32, 1.5, NaN]),
  ...number('interceptScaling', 'a number > 0', [0, -1, NaN, Infinity]),
  ...number('margin', 'a number ≥ 0', [-1, NaN, Infinity]),
  ...number('validationFraction', 'a number from 0 to less than 1', [1, -0.1, 2, NaN]),
  ...number('initialBias', 'a finite number', [NaN, Infinity, -Infinity]),
  [{ validationFraction: 0.1, patience: 0 }, RangeError, '"patience" must be an integer of at least 1, got 0'],
  [{ validationFraction: 0.1, patience: '3' }, TypeError, '"patience" must be an integer of at least 1, got "3"'],
  [{ patience: 3 }, RangeError, /^"patience" needs a "validationFraction"/],
  [{ order: 'up' }, RangeError, `${ORDER}"up"`],
  [{ order: null }, RangeError, `${ORDER}null`],
  ...['fitIntercept', 'average', 'warmStart'].flatMap((name) =>
    (
      [
        [1, '1'],
        ['yes', '"yes"'],
        [null, 'null'],
      ] as const
    ).map(([value, shown]) => [{ [name]: value }, TypeError, `"${name}" must be true or false, got ${shown}`] as const),
  ),
  ...['onUpdate', 'onEpoch'].map((name) => [{ [name]: 3 }, TypeError, `"${name}" must be a function, got 3`] as const),
  [{ classes: 'ab' }, TypeError, '"classes" must be an array of two labels, got "ab"'],
  [{ classes: [] }, RangeError, '"classes" must be two different labels, got none'],
  [{ classes: ['a'] }, RangeError, '"classes" must be two different labels, got "a"'],
  [{ classes: [0, -0] }, RangeError, '"classes" must be two different labels, got 0, 0'],
  [{ classes: [1, '1'] }, TypeError, 'classes[1] is "1", a string; the other labels are of type number'],
  [{ classes: [1, NaN] }, RangeError, 'classes[1] is NaN'],
  [{ classes: [null, 1] }, TypeError, 'classes[0] must be a number, a string or a boolean, got null'],
  [{ classes: [1, 2, 3] }, RangeError, '"classes" has 3 classes (1, 2, 3); for more than two use MulticlassPerceptron'],
  [
    { classWeight: 'even' },
    TypeError,
    '"classWeight" must be \'balanced\' or an object of weights by class, got "even"',
  ],
  [
    { classWeight: [1, 2] },
    TypeError,
    '"classWeight" must be \'balanced\' or an object of weights by class, got an array of 2',
  ],
  [{ classWeight: null }, TypeError, '"classWeight" must be \'balanced\' or an object of weights by class, got null'],
  [{ classWeight: { a: 0 } }, RangeError, /^"?classWeight\["a"\]"? must be a number > 0, got 0$/],
  [{ classWeight: { a: '1' } }, TypeError, /^"?classWeight\["a"\]"? must be a number > 0, got "1"$/],
  [{ featureNames: 'ab' }, TypeError, '"featureNames" must be an array of strings, got "ab"'],
  [{ featureNames: ['a', 1] }, TypeError, 'featureNames[1] must be a string, got 1'],
  [{ initialWeights: 3 }, TypeError, '"initialWeights" must be an array of numbers, got 3'],
  [{ initialWeights: [1, '2'] }, TypeError, 'initialWeights[1] must be a number, got "2"'],
  [{ initialWeights: [NaN, 1] }, RangeError, 'initialWeights[0] is NaN'],
  [
    { initialBias: 1, fitIntercept: false },
    RangeError,
    '"initialBias" must be 0 without an intercept (fitIntercept: false), got 1',
  ],
  [{ engine: 'gpu' }, RangeError, `${ENGINE}"gpu"`],
  [{ engine: {} }, RangeError, `${ENGINE}an object`],
  [{ engine: { kind: 'js' } }, RangeError, `${ENGINE}an object`],
  [null, TypeError, 'the options of Perceptron must be an object, got null'],
  [3, TypeError, 'the options of Perceptron must be an object, got 3'],
  [['cyclic'], TypeError, 'the options of Perceptron must be an object, got an array of 1'],
  [{ eta: 1 }, RangeError, /^Perceptron has no option "eta"; it has learningRate, maxEpochs, order, seed, /],
];

test.each(badOptions)('new Perceptron(%o) is refused', (options, type, message) => {
  refuses(() => new Perceptron<Any>(options as Any), type, message);
});

const badForData: [PerceptronOptions<Any>, string | RegExp][] = [
  [{ classWeight: { 1: 2, 7: 1 } }, 'classWeight has the class "7", but the classes are -1 and 1'],
  [{ featureNames: ['a'] }, '"featureNames" has 1 names, X has 2 columns'],
  [{ initialWeights: [1, 2, 3] }, '"initialWeights" has 3 values, X has 2 columns'],
  [{ initialWeights: [] }, '"initialWeights" has 0 values, X has 2 columns'],
  [
    { validationFraction: 0.5 },
    /^"validationFraction" 0.5 holds out all 1 rows of a class; nothing would be left to train on$/,
  ],
];

test.each(badForData)('fit refuses %j, which does not suit the data', (options, message) => {
  for (const order of orders) refuses(() => new Perceptron<Any>({ ...options, order }).fit(X, y), RangeError, message);
});

const fitted = new Perceptron<Any>().fit(X, y);
const calls: Record<string, (options: Any) => unknown> = {
  partialFit: (options) => fitted.partialFit(X, y, options),
  diagnose: (options) => fitted.diagnose(X, y, options),
  createEngine: (options) => createEngine(options),
  'DenseMatrix.allocate': (options) => DenseMatrix.allocate(1, 1, options),
  'DenseMatrix.from': (options) => DenseMatrix.from(X, options),
};

test.each(Object.entries(calls))('%s refuses options it does not know, and options that are none', (name, call) => {
  refuses(() => call({ colour: 1 }), RangeError, new RegExp(`^${name} has no option "colour"; it has `));
  refuses(() => call(null), TypeError, `the options of ${name} must be an object, got null`);
  refuses(() => call('fast'), TypeError, `the options of ${name} must be an object, got "fast"`);
});

const rejection = (promise: Promise<unknown>): Promise<Any> =>
  promise.then(
    () => undefined,
    (error) => error,
  );

test.each<[Any, ErrorClass, string | RegExp]>([
  [
    { colour: 1 },
    RangeError,
    'fitAsync has no option "colour"; it has signal, onEpoch, threads, keepPartial, workerUrl',
  ],
  [null, TypeError, 'the options of fitAsync must be an object, got null'],
  [{ threads: 0 }, RangeError, '"threads" must be \'auto\' or an integer of at least 1, got 0'],
  [{ threads: 1.5 }, RangeError, '"threads" must be \'auto\' or an integer of at least 1, got 1.5'],
])('fitAsync refuses the options %j', async (options, type, message) => {
  checkError(await rejection(new Perceptron().fitAsync(X, y, options)), type, message);
});

test.each<[Any, ErrorClass, RegExp]>([
  [{ signal: {} }, TypeError, /^"signal" must be /],
  [{ onEpoch: 3 }, TypeError, /^"onEpoch" must be a function, got 3$/],
  [{ keepPartial: 'yes' }, TypeError, /^"keepPartial" must be true or false, got "yes"$/],
])('fitAsync refuses the options %j by name', async (options, type, message) => {
  checkError(await rejection(new Perceptron().fitAsync(X, y, options)), type, message);
});

test.each<[Any, ErrorClass, string | RegExp]>([
  [{ reference: 3 }, TypeError, '"reference" must be an array of numbers, got 3'],
  [{ reference: [1] }, RangeError, '"reference" has 1 values, the model was fitted on 2 columns'],
  [{ reference: [1, NaN] }, RangeError, 'reference[1] is NaN'],
  [{ reference: [0, 0] }, RangeError, '"reference" must not be all zeros: it has no direction'],
  [{ reference: [1, 1], referenceBias: Infinity }, RangeError, '"referenceBias" must be a finite number, got Infinity'],
  [{ referenceBias: 1 }, RangeError, '"referenceBias" needs a "reference"'],
])('diagnose refuses the options %o', (options, type, message) => {
  refusesFitted((m) => m.diagnose(X, y, options), type, message);
});

test.each<[Any, ErrorClass, string | RegExp]>([
  [{ kind: 'gpu' }, RangeError, "\"kind\" must be 'auto', 'wasm-simd', 'wasm-scalar' or 'js', got \"gpu\""],
  [{ maxMemoryBytes: 1000 }, RangeError, '"maxMemoryBytes" must be an integer of at least 65536, got 1000'],
  [{ maxMemoryBytes: NaN }, RangeError, '"maxMemoryBytes" must be an integer of at least 65536, got NaN'],
  [{ module: {} }, TypeError, '"module" must be a WebAssembly.Module, got an object'],
  [{ kind: 'js', module: {} }, TypeError, '"module" must be a WebAssembly.Module, got an object'],
  [
    { module: new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)) },
    TypeError,
    '"module" is not a module of perceptron-wasm: it does not export "run"',
  ],
])('createEngine refuses the options %o', (options, type, message) => {
  refuses(() => createEngine(options), type, message);
});

test.each<[Any, ErrorClass, string | RegExp]>([
  [{ colour: 1 }, RangeError, /has no option "colour"; it has /],
  [{ engine: 'js' }, RangeError, /^compare has no option "engine"/],
  [{ onEpoch: () => false }, RangeError, /^compare has no option "onEpoch"/],
  [{ engines: ['gpu'] }, RangeError, `${ENGINE}"gpu"`],
  [{ budgetMs: -1 }, RangeError, '"budgetMs" must be a number ≥ 0, got -1'],
  [{ budgetMs: NaN }, RangeError, '"budgetMs" must be a number ≥ 0, got NaN'],
  [{ learningRate: 0 }, RangeError, '"learningRate" must be a number > 0, got 0'],
])('compare refuses the options %o', (options, type, message) => {
  refuses(() => compare(X, y, options), type, message);
});

test.each<[Any, ErrorClass, RegExp]>([
  [{ colour: 1 }, RangeError, /^compare has no option "colour"; it has /],
  [null, TypeError, /^the options of compare must be an object, got null$/],
  [{ budgetMs: '5' }, TypeError, /^"budgetMs" must be a number ≥ 0, got "5"$/],
  [{ engines: 3 }, TypeError, /^"engines" must be an array/],
])('compare refuses the options %o in its own name', (options, type, message) => {
  refuses(() => compare(X, y, options), type, message);
});

test.each([1e200, 1e-200])('an interceptScaling of %s has no square that counts', (interceptScaling) => {
  refuses(
    () => new Perceptron({ interceptScaling }),
    RangeError,
    `"interceptScaling" must be a number > 0, got ${interceptScaling}`,
  );
});

test('steps that vanish or overflow before they begin are refused', () => {
  for (const [weight, product] of [
    [1e-200, 0],
    [1e200, Infinity],
  ]) {
    refuses(
      () =>
        new Perceptron({ learningRate: weight as number, classWeight: { yes: weight as number } }).fit(X, [
          'yes',
          'yes',
          'no',
        ]),
      RangeError,
      `"learningRate" times a class weight must be a finite number > 0, got ${product}`,
    );
  }
});

test('a reference with a bias needs a model with an intercept', () => {
  const model = new Perceptron({ fitIntercept: false, maxEpochs: 5 }).fit([[1], [3]], [-1, 1]);
  refuses(
    () => model.diagnose([[1], [3]], [-1, 1], { reference: [1], referenceBias: -2 }),
    RangeError,
    '"referenceBias" must be 0 without an intercept (fitIntercept: false)',
  );
});

test('a row of a disposed matrix is refused in a list of rows too', () => {
  const matrix = DenseMatrix.from(X);
  const row = matrix.row(1);
  matrix.dispose();
  refusesFitted((m) => m.predict([row]), Error, 'X row 0 is a view into a DenseMatrix that was disposed');
});

// ---- overflow ---------------------------------------------------------------------------------------

for (const engine of engines) {
  test.each(orders)(`${engine}, order %s: training that overflows says so and publishes nothing`, (order) => {
    const OVERFLOW =
      /^training overflowed: .* is no longer a finite number; scale X down, or use a smaller "learningRate" or class weight$/;
    const huge = [
      [1e308, 1e308],
      [-1e308, 1e308],
      [1e308, -1e308],
    ];
    for (const average of [false, true]) {
      const options = { engine, order, average };
      refusesFitted((m) => m.fit(huge, y), RangeError, OVERFLOW, { ...options, warmStart: true });
      refuses(
        () => new Perceptron({ ...options, learningRate: 1e300 }).fit([[1e100], [1e99]], [0, 1]),
        RangeError,
        OVERFLOW,
      );
      refuses(
        () => new Perceptron({ ...options, classWeight: { 1: 1e308 } }).fit([[10], [20]], [0, 1]),
        RangeError,
        OVERFLOW,
      );
      // The last update of all, with no score after it.
      const last = new Perceptron({ ...options, maxEpochs: 1, learningRate: 8 });
      refuses(
        () =>
          last.fit(
            [
              [1e308, 0],
              [1e308, 0],
            ],
            [0, 1],
          ),
        RangeError,
        OVERFLOW,
      );
    }
    const message = /^training overflowed/;
    refusesFitted((m) => m.partialFit(huge, y), RangeError, message, { engine, order });
  });

  test(`${engine}: a score that overflows at prediction names the row`, () => {
    const model = new Perceptron({ engine }).fit([[1e10], [-1e10]], [1, 0]);
    const huge = [[1], [1e308]];
    const message = 'the score of X row 1 is Infinity: its values are too large';
    for (const method of ['predict', 'decisionFunction', 'score', 'loss', 'diagnose']) {
      refuses(() => methods[method]?.(model, huge, [1, 0]), RangeError, message);
    }
    refuses(() => model.predictOne([1e308]), RangeError, 'the score of x is Infinity: its values are too large');
  });
}

// ---- before fit -------------------------------------------------------------------------------------

const unfitted: Record<string, (model: Perceptron<Any>) => unknown> = {
  predict: (m) => m.predict(X),
  predictOne: (m) => m.predictOne([1, 2]),
  decisionFunction: (m) => m.decisionFunction(X),
  score: (m) => m.score(X, y),
  loss: (m) => m.loss(X, y),
  diagnose: (m) => m.diagnose(X, y),
  explain: (m) => m.explain([1, 2]),
  weights: (m) => m.weights,
  bias: (m) => m.bias,
  classes: (m) => m.classes,
  report: (m) => m.report,
  toJSON: (m) => m.toJSON(),
};

test.each(Object.entries(unfitted))('%s before fit is a NotFittedError', (name, act) => {
  const model = new Perceptron();
  const what = name === 'score' ? '(score|predict)' : name;
  const message = new RegExp(`^this Perceptron is not fitted yet: call fit before ${what}$`);
  refuses(() => act(model), NotFittedError, message);
  expect(() => act(model)).toThrow(expect.objectContaining({ name: 'NotFittedError' }));
  // A fit that failed is no fit.
  expect(() => model.fit([[NaN]], [1])).toThrow(RangeError);
  refuses(() => act(model), NotFittedError, message);
});

test('predict of no rows before fit is a NotFittedError too', () => {
  refuses(() => new Perceptron().predict([]), NotFittedError, /^this Perceptron is not fitted yet/);
});

// ---- abort ------------------------------------------------------------------------------------------

const xor = [
  [0, 0],
  [1, 1],
  [0, 1],
  [1, 0],
];
const xorLabels = [-1, -1, 1, 1];

test.each(engines)(
  '%s: fitAsync with a signal already aborted rejects with its AbortError and changes nothing',
  async (engine) => {
    const model = new Perceptron<number>({ engine }).fit(X, y);
    const before = JSON.stringify(model);
    const usage = defaultArena.usage;
    for (const keepPartial of [false, true]) {
      const error = await rejection(model.fitAsync(xor, xorLabels, { signal: AbortSignal.abort(), keepPartial }));
      expect(error).toMatchObject({ name: 'AbortError' });
    }
    expect(JSON.stringify(model)).toBe(before);
    expect(defaultArena.usage).toEqual(usage);
  },
);

for (const engine of engines) {
  test.each(orders)(
    `${engine}, order %s: aborting during training rejects with an AbortError and changes nothing`,
    async (order) => {
      const model = new Perceptron<number>({ engine, order, maxEpochs: 1e9 }).fit(X, y);
      const before = JSON.stringify(model);
      const { blocks } = defaultArena.usage;
      const controller = new AbortController();
      const promise = model.fitAsync(xor, xorLabels, { signal: controller.signal });
      setTimeout(() => controller.abort(), 1);
      const error = await rejection(promise);
      expect(error).toMatchObject({ name: 'AbortError' });
      expect(error).toBe(controller.signal.reason);
      expect(JSON.stringify(model)).toBe(before);
      expect(defaultArena.usage.blocks).toBe(blocks);
    },
  );

  test.each(orders)(
    `${engine}, order %s: keepPartial keeps what an aborted fit has learned, ready to go on`,
    async (order) => {
      const model = new Perceptron<number>({ engine, order, maxEpochs: 1e9 });
      const { blocks } = defaultArena.usage;
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 1);
      expect(await model.fitAsync(xor, xorLabels, { signal: controller.signal, keepPartial: true })).toBe(model);
      const { converged, stopReason, mistakes, mistakesByEpoch } = model.report;
      expect({ converged, stopReason }).toEqual({ converged: false, stopReason: 'aborted' });
      expect(mistakes).toBeGreaterThan(0);
      if (model.report.epochs <= 100_000) expect(mistakesByEpoch.reduce((a, b) => a + b, 0)).toBe(mistakes);
      expect(Perceptron.fromJSON(JSON.parse(JSON.stringify(model))).toJSON()).toEqual(model.toJSON());
      expect(model.partialFit(xor, xorLabels).report.mistakes).toBeGreaterThanOrEqual(mistakes);
      expect(defaultArena.usage.blocks).toBe(blocks);
    },
  );
}

test('a reason of the caller’s own is what fitAsync rejects with', async () => {
  const reason = new Error('the user left');
  const controller = new AbortController();
  setTimeout(() => controller.abort(reason), 1);
  const promise = new Perceptron({ maxEpochs: 1e9 }).fitAsync(xor, xorLabels, { signal: controller.signal });
  expect(await rejection(promise)).toBe(reason);
});

test('fitAsync rejects with the errors that fit throws, and changes nothing', async () => {
  const model = new Perceptron<Any>().fit(X, y);
  const before = JSON.stringify(model);
  const { blocks } = defaultArena.usage;
  checkError(
    await rejection(
      model.fitAsync(
        [
          [1, NaN],
          [1, 2],
        ],
        [0, 1],
      ),
    ),
    RangeError,
    'X[0][1] is NaN',
  );
  checkError(
    await rejection(model.fitAsync({ data: Float64Array.of(1, 2, 3, Infinity), rows: 2, cols: 2 }, [0, 1])),
    RangeError,
    'X[1][1] is Infinity',
  );
  checkError(await rejection(model.fitAsync(X, [1, 1])), RangeError, 'y has 2 labels, X has 3 rows');
  checkError(await rejection(model.fitAsync([[1e308], [1e307]], [0, 1])), RangeError, /^training overflowed/);
  expect(JSON.stringify(model)).toBe(before);
  expect(defaultArena.usage.blocks).toBe(blocks);
});

// ---- callbacks that throw ---------------------------------------------------------------------------

for (const engine of engines) {
  test.each(orders)(
    `${engine}, order %s: a callback that throws ends the fit with its error and changes nothing`,
    async (order) => {
      const boom = new Error('boom');
      let armed = false;
      let calls = 0;
      const thrower = () => {
        if (armed && ++calls === 3) throw boom;
      };
      for (const callback of ['onUpdate', 'onEpoch']) {
        armed = false;
        const model = new Perceptron<number>({ engine, order, [callback]: thrower }).fit(X, y);
        const before = JSON.stringify(model);
        const usage = defaultArena.usage;
        const failing = [() => model.fit(xor, xorLabels), () => model.fitAsync(xor, xorLabels)];
        for (const fit of callback === 'onUpdate' ? failing : failing.slice(0, 1)) {
          armed = true;
          calls = 0;
          let error: unknown;
          try {
            await fit();
          } catch (thrown) {
            error = thrown;
          }
          expect(error).toBe(boom);
          expect(JSON.stringify(model)).toBe(before);
          expect(defaultArena.usage).toEqual(usage);
        }
        armed = false;
        expect(JSON.stringify(model.fit(X, y))).toBe(before);
      }
    },
  );

  test(`${engine}: fitAsync’s own onEpoch that throws changes nothing`, async () => {
    const boom = new Error('boom');
    const model = new Perceptron<number>({ engine }).fit(X, y);
    const before = JSON.stringify(model);
    const usage = defaultArena.usage;
    const onEpoch = () => {
      throw boom;
    };
    expect(await rejection(model.fitAsync(xor, xorLabels, { onEpoch }))).toBe(boom);
    expect(JSON.stringify(model)).toBe(before);
    expect(defaultArena.usage).toEqual(usage);
  });
}
