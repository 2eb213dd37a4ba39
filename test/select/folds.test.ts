// Folds: parts that are even, stratified, seeded, and together all rows.

import { expect, test } from 'vitest';
import { stratified } from './stratified.js';

const y = Array.from({ length: 103 }, (_, i) => (i % 10 < 7 ? 'often' : 'seldom'));

test('every row is tested once, and trains whenever it is not tested', () => {
  const folds = stratified(y, 5, 0);
  expect(folds.flatMap(({ test }) => [...test]).sort((a, b) => a - b)).toEqual(y.map((_, i) => i));
  for (const { train, test } of folds) {
    expect([...train, ...test].sort((a, b) => a - b)).toEqual(y.map((_, i) => i));
    expect([...train]).toEqual([...train].sort((a, b) => a - b));
  }
});

test('parts are of one size, and have their share of each class', () => {
  const folds = stratified(y, 5, 0);
  for (const { test } of folds) {
    expect([20, 21]).toContain(test.length);
    const seldom = [...test].filter((i) => y[i] === 'seldom').length;
    expect([6, 7]).toContain(seldom);
  }
});

test('a seed gives the same parts again, another seed others', () => {
  expect(stratified(y, 5, 3)).toEqual(stratified(y, 5, 3));
  expect(stratified(y, 5, 3)).not.toEqual(stratified(y, 5, 4));
});
