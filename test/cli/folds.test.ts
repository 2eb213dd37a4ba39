// Cross-validation: parts that are even, stratified, seeded, and together all rows.

import { expect, test } from 'vitest';
import { spreadOf, stratifiedFolds } from '../../src/cli/folds.js';

const y = Array.from({ length: 103 }, (_, i) => (i % 10 < 7 ? 'often' : 'seldom'));

test('every row is tested once, and trains whenever it is not tested', () => {
  const folds = stratifiedFolds(y, 5, 0);
  expect(folds.flatMap(({ test }) => [...test]).sort((a, b) => a - b)).toEqual(y.map((_, i) => i));
  for (const { train, test } of folds) {
    expect([...train, ...test].sort((a, b) => a - b)).toEqual(y.map((_, i) => i));
    expect([...train]).toEqual([...train].sort((a, b) => a - b));
  }
});

test('parts are of one size, and have their share of each class', () => {
  const folds = stratifiedFolds(y, 5, 0);
  for (const { test } of folds) {
    expect([20, 21]).toContain(test.length);
    const seldom = [...test].filter((i) => y[i] === 'seldom').length;
    expect([6, 7]).toContain(seldom);
  }
});

test('a seed gives the same parts again, another seed others', () => {
  expect(stratifiedFolds(y, 5, 3)).toEqual(stratifiedFolds(y, 5, 3));
  expect(stratifiedFolds(y, 5, 3)).not.toEqual(stratifiedFolds(y, 5, 4));
});

test('a class of two rows is in every training part', () => {
  const few = ['a', 'a', 'a', 'a', 'a', 'b', 'b'];
  for (const { train } of stratifiedFolds(few, 7, 0)) expect(new Set([...train].map((i) => few[i])).size).toBe(2);
});

test('refuses what cannot be done, and says why', () => {
  expect(() => stratifiedFolds(['a', 'a', 'b'], 2, 0)).toThrow(
    '--folds needs two rows of each class at least; b has one',
  );
  expect(() => stratifiedFolds(['a', 'a', 'b', 'b'], 5, 0)).toThrow('--folds 5 is more than there are rows (4)');
});

test('the spread is the mean and the deviation of a sample', () => {
  expect(spreadOf([0.5, 0.7])).toEqual({ mean: 0.6, sd: expect.closeTo(Math.sqrt(0.02), 12), each: [0.5, 0.7] });
});
