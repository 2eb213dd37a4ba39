// The list of estimators is whole: whatever the package exports with `fit` is checked.

import { expect, test } from 'vitest';
import * as core from '../../src/index.js';
import { estimators } from './estimators.js';

test('every exported class with `fit` is an estimator of the common checks', () => {
  const exported = Object.entries(core)
    .filter(([, value]) => typeof value === 'function' && typeof value.prototype?.fit === 'function')
    .map(([name]) => name);
  const checked = new Set([...estimators.map(({ type }) => type.name), 'Scaler']); // scaler.test.ts
  expect(exported.sort()).toEqual([...checked].sort());
});

test('names are different', () => {
  expect(new Set(estimators.map(({ name }) => name)).size).toBe(estimators.length);
});
