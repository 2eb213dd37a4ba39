// Labels of any two values: which is which, and that the answers come back as they were given.

import { expect, test } from 'vitest';
import { type Label, Perceptron } from '../../src/index.js';

const X = [
  [3, 3],
  [4, 3],
  [1, 1],
];

test.each<[string, ArrayLike<Label>, readonly Label[]]>([
  ['−1 and 1', [1, 1, -1], [-1, 1]],
  ['0 and 1', [1, 1, 0], [0, 1]],
  ['numbers by value, 10 after 9', [10, 10, 9], [9, 10]],
  ['fractions and negative numbers', [-0.5, -0.5, -20], [-20, -0.5]],
  ['numbers too far apart to subtract', [1.7e308, 1.7e308, -1.7e308], [-1.7e308, 1.7e308]],
  ['strings', ['spam', 'spam', 'ham'], ['ham', 'spam']],
  ['strings by code unit: capitals first', ['a', 'a', 'B'], ['B', 'a']],
  ['strings by code unit: "10" before "9"', ['9', '9', '10'], ['10', '9']],
  ['strings by code unit, whatever the locale', ['ä', 'ä', 'z'], ['z', 'ä']],
  ['strings by code unit: surrogates before U+FF5A', ['\uff5a', '\uff5a', '😀'], ['😀', '\uff5a']],
  ['the empty string', ['x', 'x', ''], ['', 'x']],
  ['names of Object.prototype', ['constructor', 'constructor', '__proto__'], ['__proto__', 'constructor']],
  ['booleans, false first', [true, true, false], [false, true]],
  ['an Int8Array', Int8Array.of(1, 1, -1), [-1, 1]],
  ['a Uint8Array', Uint8Array.of(9, 9, 3), [3, 9]],
  ['a Float64Array', Float64Array.of(0.5, 0.5, 0.25), [0.25, 0.5]],
  ['a Float32Array', Float32Array.of(2, 2, 1), [1, 2]],
  ['an array-like object', { length: 3, 0: 'b', 1: 'b', 2: 'a' }, ['a', 'b']],
])('%s are put in order, and predicted as given', (_what, y, classes) => {
  for (const labels of [y, Array.from(y)]) {
    const model = new Perceptron().fit(X, labels);
    expect(model.classes).toEqual(classes);
    expect([...model.weights, model.bias]).toEqual([1, 1, -3]);
    expect(model.predict(X)).toEqual(Array.from(y));
    expect(model.predictOne([4, 4])).toBe(classes[1]);
    expect(model.predictOne([0, 0])).toBe(classes[0]);
    expect(model.score(X, y)).toBe(1);
    expect(model.loss(X, y)).toBe(0);
  }
});

test('the order of classes does not depend on which comes first', () => {
  for (const first of [0, 1]) {
    const y = first === 0 ? ['a', 'b', 'b'] : ['b', 'a', 'a'];
    expect(new Perceptron().fit(X, y).classes).toEqual(['a', 'b']);
  }
});

test('−0 and 0 are one class, and what is predicted is 0', () => {
  const model = new Perceptron().fit([...X, [0, 0]], [1, 1, -0, 0]);
  expect(model.classes).toEqual([0, 1]);
  expect(Object.is(model.classes[0], 0)).toBe(true);
  expect(Object.is(model.predictOne([0, 0]), 0)).toBe(true);
  expect(model.score(X, [1, 1, -0])).toBe(1);
  expect(model.loss(X, [1, 1, -0])).toBe(0);
  expect(new Perceptron({ classes: [-0, 1] }).fit(X, [1, 1, 0]).classes).toEqual([0, 1]);
});

test('a point on the plane is of the second class', () => {
  const model = new Perceptron({ initialWeights: [1, 0] }).fit(
    [
      [1, 0],
      [-1, 0],
    ],
    ['b', 'a'],
  );
  expect(model.report.mistakes).toBe(0);
  expect(model.predictOne([0, 7])).toBe('b');
});

test('"classes" are put in order and copied', () => {
  const classes = ['spam', 'ham'];
  const model = new Perceptron<string>({ classes }).partialFit(X, ['spam', 'spam', 'spam']);
  classes[0] = 'egg';
  expect(model.classes).toEqual(['ham', 'spam']);
  expect(Object.isFrozen(model.classes)).toBe(true);
  expect(model.partialFit(X, ['spam', 'spam', 'ham']).classes).toEqual(['ham', 'spam']);
  expect(new Perceptron<string>().partialFit(X, ['a', 'a', 'a'], { classes: ['b', 'a'] }).classes).toEqual(['a', 'b']);
});

test('y is not changed', () => {
  const y = Object.freeze(['b', 'b', 'a']);
  const typed = Float64Array.of(1, 1, -0);
  new Perceptron().fit(X, y).partialFit(X, y).diagnose(X, y);
  new Perceptron().fit(X, typed);
  expect(Object.is(typed[2], -0)).toBe(true);
});
