// What goes wrong with rows and labels in dual form, through every method; before fit, and going on.

import { expect, test } from 'vitest';
import {
  chooseForm,
  compare,
  createEngine,
  DenseMatrix,
  DualPerceptron,
  gram,
  NotFittedError,
} from '../../src/index.js';
import { someEngines as engines } from '../engines.js';
import {
  type Any,
  bad,
  dualMethods,
  dualOneRow,
  type ErrorClass,
  forms,
  holed,
  kernels,
  labelled,
  matrixForms,
  modes,
  oneRow,
  orders,
  refuses,
  refusesDual,
  X,
  y,
} from './refusals.js';

// ---- rows and labels, through every method ----------------------------------------------------------

const FORMS = 'X must be an array of rows, { data, rows, cols }, a DenseMatrix or a SparseMatrix, got ';

function disposed(): DenseMatrix {
  const matrix = DenseMatrix.from(X);
  matrix.dispose();
  return matrix;
}

/** Whether a look at the shape is enough to tell. */
const shapeless = true;
const badRows: [string, () => Any, ErrorClass, string, boolean?][] = [
  ['undefined', () => undefined, TypeError, `${FORMS}undefined`, shapeless],
  ['null', () => null, TypeError, `${FORMS}null`, shapeless],
  ['a number', () => 3, TypeError, `${FORMS}3`, shapeless],
  ['a string', () => '1,2', TypeError, `${FORMS}"1,2"`, shapeless],
  ['an object without rows', () => ({}), TypeError, `${FORMS}an object`, shapeless],
  [
    'a flat Float64Array',
    () => new Float64Array(6),
    TypeError,
    'X is a flat Float64Array: pass { data: X, rows, cols } so that its shape is known',
    shapeless,
  ],
  ['a flat array', () => [1, 2, 3], TypeError, 'X row 0 must be an array of numbers, got 1', shapeless],
  ['no columns', () => [[], [], []], RangeError, 'X has no columns', shapeless],
  [
    'short data',
    () => ({ data: new Float64Array(5), rows: 3, cols: 2 }),
    RangeError,
    'X.data has 5 values, expected 6 (3 rows × 2 columns)',
    shapeless,
  ],
  [
    'a shape beyond all memory',
    () => ({ data: new Float64Array(6), rows: 2 ** 40, cols: 2 ** 40 }),
    RangeError,
    `X.data has 6 values, expected ${2 ** 80} (${2 ** 40} rows × ${2 ** 40} columns)`,
    shapeless,
  ],
  [
    'Int32Array data',
    () => ({ data: new Int32Array(6), rows: 3, cols: 2 }),
    TypeError,
    'X.data must be a Float64Array or a Float32Array, got a Int32Array of 6',
    shapeless,
  ],
  [
    'rows as a string',
    () => ({ data: new Float64Array(6), rows: '3', cols: 2 }),
    TypeError,
    'X.rows must be an integer of at least 0, got "3"',
    shapeless,
  ],
  ['a disposed matrix', disposed, Error, 'this DenseMatrix was disposed', shapeless],
  ['rows that shrink', () => [[1, 2], [1], [1, 2]], RangeError, 'X row 1 has 1 values, expected 2'],
  ['a row that is null', () => [[1, 2], [3, 4], null], TypeError, 'X row 2 must be an array of numbers, got null'],
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
  ['a hole', () => [[1, 2], [1, 2], holed([1, 2], 0)], TypeError, 'X[2][0] must be a number, got undefined'],
  ['a BigInt row', () => [[1, 2], BigInt64Array.of(1n, 2n), [1, 2]], TypeError, 'X[1][0] must be a number, got 1n'],
];

test.each(badRows)(
  'X that is %s is refused by every method, gram, compare and chooseForm',
  (_w, make, type, message, isShape) => {
    for (const method of Object.values(dualMethods)) {
      for (const [, kernel] of kernels) refusesDual((m) => method(m, make(), y), type, message, { kernel });
    }
    refusesDual((m) => m.fit(make(), y), type, message, { warmStart: true });
    for (const mode of modes) refuses(() => new DualPerceptron<Any>({ gram: mode }).fit(make(), y), type, message);
    for (const [, kernel] of kernels) refuses(() => gram(make(), { kernel }), type, message);
    refuses(() => compare(make(), y, { budgetMs: 0 }), type, message);
    if (isShape) refuses(() => chooseForm(make()), type, message);
  },
);

test('no rows have no labels and no scores, and are refused by everything else', () => {
  const message = 'X is empty: it has no rows';
  for (const none of [[], { data: new Float64Array(), rows: 0, cols: 2 }]) {
    for (const [, kernel] of kernels) {
      const model = new DualPerceptron({ kernel }).fit(X, y);
      expect(model.predict(none)).toEqual([]);
      expect(model.decisionFunction(none)).toEqual(new Float64Array());
      for (const [name, method] of Object.entries(dualMethods)) {
        if (name === 'predict' || name === 'decisionFunction') continue;
        refusesDual((m) => method(m, none, []), RangeError, message, { kernel });
      }
      refuses(() => gram(none, { kernel }), RangeError, message);
    }
    refuses(() => chooseForm(none), RangeError, message);
    refuses(() => compare(none, [], { budgetMs: 0 }), RangeError, message);
  }
});

for (const engine of engines) {
  for (const [name, kernel] of kernels) {
    test(`${engine}, ${name} kernel: every method names the place of NaN, in every form of rows`, () => {
      for (const make of Object.values(forms)) {
        for (const [i, j] of [
          [0, 0],
          [2, 1],
        ] as const) {
          const rows = X.map((row) => [...row]);
          (rows[i] as number[])[j] = NaN;
          const message = `X[${i}][${j}] is NaN`;
          for (const mode of modes) {
            const options = { engine, kernel, gram: mode };
            for (const method of Object.values(dualMethods)) {
              refusesDual((m) => method(m, make(rows), y), RangeError, message, options);
            }
            refusesDual((m) => m.fit(make(rows), y), RangeError, message, { ...options, warmStart: true });
          }
          refuses(() => gram(make(rows), { engine, kernel }), RangeError, message);
        }
      }
      for (const dtype of matrixForms) {
        using matrix = DenseMatrix.from(X, { dtype });
        matrix.data[3] = NaN;
        for (const method of Object.values(dualMethods)) {
          refusesDual((m) => method(m, matrix, y), RangeError, 'X[1][1] is NaN', { engine, kernel });
        }
        refuses(() => gram(matrix, { engine, kernel }), RangeError, 'X[1][1] is NaN');
      }
    });

    test(`${engine}, ${name} kernel: every method names the place of an infinity`, () => {
      for (const value of [Infinity, -Infinity]) {
        for (const [i, j] of [
          [0, 0],
          [2, 1],
        ] as const) {
          const rows = X.map((row) => [...row]);
          (rows[i] as number[])[j] = value;
          const message = `X[${i}][${j}] is ${value}`;
          for (const form of ['number[][]', '{ data: Float64Array }', '{ data: Float32Array }']) {
            const given = forms[form]?.(rows);
            refuses(() => gram(given, { engine, kernel }), RangeError, message);
            for (const method of Object.values(dualMethods)) {
              refusesDual((m) => method(m, given, y), RangeError, message, { engine, kernel });
            }
          }
        }
      }
    });
  }

  test.each(orders)(`${engine}, order %s: NaN is found in rows that are far apart`, (order) => {
    const [n, cols] = [60, 37];
    const labels = Array.from({ length: n }, (_, i) => i % 2);
    for (const at of [0, 36, 5 * cols + 4, n * cols - 1]) {
      const data = new Float64Array(n * cols).fill(1);
      data[at] = NaN;
      for (const [, kernel] of kernels) {
        for (const mode of modes) {
          const model = new DualPerceptron({ engine, order, kernel, gram: mode, maxEpochs: 1 });
          const message = `X[${Math.floor(at / cols)}][${at % cols}] is NaN`;
          refuses(() => model.fit({ data, rows: n, cols }, labels), RangeError, message);
        }
      }
    }
  });

  test.each(modes)(`${engine}, gram '%s': an infinity that no kernel value shows is found all the same`, (mode) => {
    // exp(−∞) = 0: seen from afar the second row is merely far away, and it is never the mistake.
    const data = Float64Array.of(1, 1, 1, -Infinity, 9, 9);
    const model = new DualPerceptron({
      engine,
      gram: mode,
      kernel: { type: 'rbf', gamma: 1 },
      interceptScaling: 0.1,
      classWeight: { '-1': 0.5 },
    });
    refuses(() => model.fit({ data, rows: 3, cols: 2 }, [1, 1, -1]), RangeError, 'X[1][1] is -Infinity');
  });
}

test('a row held out is looked at too', () => {
  const labels = Array.from({ length: 20 }, (_, i) => i % 2);
  for (const [, kernel] of kernels) {
    for (let at = 0; at < 20; at += 3) {
      const data = Float64Array.from(labels, (label) => label * 2 - 1);
      data[at] = NaN;
      const model = new DualPerceptron({ kernel, validationFraction: 0.3 });
      refuses(() => model.fit({ data, rows: 20, cols: 1 }, labels), RangeError, `X[${at}][0] is NaN`);
    }
  }
});

for (const [name, kernel] of kernels) {
  test.each(Object.keys(oneRow))(`%s with the ${name} kernel refuses what is not a row of finite numbers`, (method) => {
    const act = (x: Any) => (m: Any) => dualOneRow[method]?.(m, x);
    for (const engine of engines) {
      const options = { kernel, engine };
      for (const value of bad) refusesDual(act([1, value]), RangeError, `x[1] is ${value}`, options);
      refusesDual(act(Float32Array.of(NaN, 1)), RangeError, 'x[0] is NaN', options);
      refusesDual(act([1, '2']), TypeError, 'x[1] must be a number, got "2"', options);
      refusesDual(act(holed([1, 2], 0)), TypeError, 'x[0] must be a number, got undefined', options);
      refusesDual(act(null), TypeError, 'x must be an array of numbers or { indices, values }, got null', options);
      refusesDual(act('12'), TypeError, 'x must be an array of numbers or { indices, values }, got "12"', options);
      refusesDual(act([1]), RangeError, 'x has 1 values, the model was fitted on 2 columns', options);
      refusesDual(act([1, 2, 3]), RangeError, 'x has 3 values, the model was fitted on 2 columns', options);
    }
  });

  test.each(['partialFit', 'predict', 'decisionFunction', 'score', 'loss', 'diagnose'])(
    `%s with the ${name} kernel refuses rows of another width`,
    (method) => {
      for (const width of [1, 3]) {
        const rows = X.map(() => new Array(width).fill(1));
        const message = `X has ${width} columns, the model was fitted on 2`;
        refusesDual((m) => dualMethods[method]?.(m, rows, y), RangeError, message, { kernel });
        using matrix = DenseMatrix.from(rows, { engine: createEngine() });
        refusesDual((m) => dualMethods[method]?.(m, matrix, y), RangeError, message, { kernel });
      }
    },
  );
}

test.each<[string, unknown, ErrorClass, string]>([
  ['missing', undefined, TypeError, 'y must be an array of labels, got undefined'],
  ['a string', 'abc', TypeError, 'y must be an array of labels, got "abc"'],
  ['too short', [1, -1], RangeError, 'y has 2 labels, X has 3 rows'],
  ['too long', Int8Array.of(1, 1, -1, -1), RangeError, 'y has 4 labels, X has 3 rows'],
  ['of numbers and strings', [1, '1', -1], TypeError, 'y[1] is "1", a string; the other labels are of type number'],
  ['NaN somewhere', [1, NaN, -1], RangeError, 'y[1] is NaN'],
  ['null somewhere', [1, null, -1], TypeError, 'y[1] must be a number, a string or a boolean, got null'],
])('y that is %s is refused by all methods that take it', (_what, labels, type, message) => {
  for (const [, kernel] of kernels) {
    for (const method of labelled) refusesDual((m) => dualMethods[method]?.(m, X, labels), type, message, { kernel });
  }
  refuses(() => new DualPerceptron<Any>({ gram: 'rows' }).fit(X, labels as Any), type, message);
  refuses(() => compare<Any>(X, labels as Any, { budgetMs: 0 }), type, message);
});

test.each([
  [['spam', 'spam', 'spam'], 'y has one class only ("spam"); a classifier needs two'],
  [[1, 2, 3], 'y has 3 classes (1, 2, 3); this trainer tells two apart: use MulticlassPerceptron'],
])('fit refuses the labels %j', (labels, message) => {
  for (const mode of modes) refusesDual((m) => m.fit(X, labels), RangeError, message, { gram: mode });
});

// ---- before fit -------------------------------------------------------------------------------------

const unfitted: Record<string, (model: DualPerceptron<Any>) => unknown> = {
  predict: (m) => m.predict(X),
  predictOne: (m) => m.predictOne([1, 2]),
  decisionFunction: (m) => m.decisionFunction(X),
  score: (m) => m.score(X, y),
  loss: (m) => m.loss(X, y),
  diagnose: (m) => m.diagnose(X, y),
  explain: (m) => m.explain([1, 2]),
  alphas: (m) => m.alphas,
  updateCounts: (m) => m.updateCounts,
  supportIndices: (m) => m.supportIndices,
  weights: (m) => m.weights,
  bias: (m) => m.bias,
  classes: (m) => m.classes,
  report: (m) => m.report,
  toJSON: (m) => m.toJSON(),
};

test.each(Object.entries(unfitted))('%s before fit is a NotFittedError that names DualPerceptron', (name, act) => {
  const what = name === 'score' ? '(score|predict)' : name;
  const message = new RegExp(`^this DualPerceptron is not fitted yet: call fit before ${what}$`);
  for (const [, kernel] of kernels) {
    const model = new DualPerceptron<Any>({ kernel });
    refuses(() => act(model), NotFittedError, message);
    // A fit that failed is no fit.
    expect(() => model.fit([[NaN]], [1])).toThrow(RangeError);
    expect(() => model.fit([[1e308], [1e307]], [0, 1])).toThrow(RangeError);
    refuses(() => act(model), NotFittedError, message);
  }
});

// ---- going on ---------------------------------------------------------------------------------------

test('a warm start refuses other columns and other classes, a fresh fit takes them', () => {
  const wide = X.map((row) => [...row, 1]);
  for (const [, kernel] of kernels) {
    for (const mode of modes) {
      const options = { kernel, gram: mode, warmStart: true };
      refusesDual((m) => m.fit(wide, y), RangeError, 'X has 3 columns, the model was fitted on 2', options);
      refusesDual(
        (m) => m.fit(X, [2, 2, 3]),
        RangeError,
        'y[0] is 2, which is not one of the classes -1 and 1',
        options,
      );
      refusesDual(
        (m) => m.fit(X, ['a', 'b', 'b']),
        TypeError,
        'y[0] is "a", a string; the other labels are of type number',
        options,
      );
      const fresh = new DualPerceptron({ kernel, gram: mode });
      fresh.fit(X, y);
      fresh.fit(wide, ['a', 'a', 'b']);
      expect(fresh.classes).toEqual(['a', 'b']);
    }
  }
});

test.each(['partialFit', 'loss', 'diagnose'])('%s refuses a label the model does not know', (method) => {
  const message = 'y[2] is 0, which is not one of the classes -1 and 1';
  for (const [, kernel] of kernels) {
    refusesDual((m) => dualMethods[method]?.(m, X, [1, -1, 0]), RangeError, message, { kernel });
  }
});

test('partialFit wants "classes" the first time, and the same ones ever after', () => {
  refuses(() => new DualPerceptron<number>().partialFit(X, y), RangeError, 'partialFit needs "classes" the first time');
  refusesDual((m) => m.partialFit(X, y, { classes: [1, 2] }), RangeError, '"classes" must stay -1 and 1, got 1 and 2');
  refusesDual(
    (m) => m.partialFit(X, y, { precomputed: null }),
    RangeError,
    'partialFit has no option "precomputed"; it has classes, sampleWeight',
  );
  refusesDual((m) => m.partialFit(X, y, null), TypeError, 'the options of partialFit must be an object, got null');
});

test("partialFit refuses classWeight 'balanced'", () => {
  const options = { classWeight: 'balanced', classes: [-1, 1] } as const;
  const message = 'partialFit cannot balance classes it has not seen; give classWeight as numbers';
  refuses(() => new DualPerceptron<number>(options).partialFit(X, y), RangeError, message);
  refusesDual((m) => m.partialFit(X, y), RangeError, message, options);
});
