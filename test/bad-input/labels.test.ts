// Labels that are not two classes of one type, one for each row.

import { expect, test } from 'vitest';
import { Perceptron } from '../../src/index.js';
import { type Any, type ErrorClass, holed, labelled, methods, refuses, refusesFitted, X, y } from './refusals.js';

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
  [[1, 2, 3], 'y has 3 classes (1, 2, 3); this trainer tells two apart: use MulticlassPerceptron'],
  [['c', 'a', 'b'], 'y has 3 classes ("a", "b", "c"); this trainer tells two apart: use MulticlassPerceptron'],
])('fit refuses the labels %j', (labels, message) => {
  refusesFitted((m) => m.fit(X, labels), RangeError, message);
});

test('more classes than fit into a line are counted, not listed', () => {
  const many = Array.from({ length: 7 }, (_, i) => i);
  const rows = many.map((i) => [i]);
  refuses(
    () => new Perceptron().fit(rows, many),
    RangeError,
    'y has 7 classes (0, 1, 2, 3, 4, …); this trainer tells two apart: use MulticlassPerceptron',
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
