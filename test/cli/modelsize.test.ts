// Before training a model that keeps rows, the command says how large its file may become.

import { expect, test } from 'vitest';
import { largeModel } from '../../src/cli/modelsize.js';
import { DenseMatrix, DualPerceptron, SparseMatrix } from '../../src/index.js';

const list = Array.from({ length: 300 }, (_, i) =>
  Array.from({ length: 20 }, (_, k) => (k % 3 === 0 ? 0 : Math.sin(i * 20 + k))),
);
const y = list.map((_, i) => (i % 2 === 0 ? 1 : -1));
const values = { output: 'm.json' };

test.each([
  ['dense', () => DenseMatrix.from(list)],
  ['sparse', () => SparseMatrix.fromDense(list)],
])('the size that it states is about that of the file: %s', (_, make) => {
  const X = make();
  // No score reaches the margin: every row is a mistake.
  const model = new DualPerceptron({ maxEpochs: 1, margin: 1e6 }).fit(X, y);
  expect(model.supportIndices.length).toBe(300);
  const file = JSON.stringify(model).length;
  expect(largeModel({ X, name: 'd.csv' }, 'dual', values, 0.8 * file)).toMatch(
    /^m\.json may take up to [\d.]+ kB: it keeps the rows of d\.csv that were ever a mistake\. This command and readModel can read it; JSON\.parse cannot read more than [\d.]+ kB$/,
  );
  expect(largeModel({ X, name: 'd.csv' }, 'dual', values, 1.1 * file)).toBeUndefined();
  X.dispose();
});

test('it says nothing of models without rows, or if nothing is saved', () => {
  const X = DenseMatrix.from(list);
  const warned = (...[trainer, given]: [Parameters<typeof largeModel>[1], object]) =>
    largeModel({ X, name: 'd' }, trainer, { ...values, ...given }, 100) !== undefined;
  expect(warned('dual', {})).toBe(true);
  expect(warned('multiclass', { kernel: 'rbf' })).toBe(true);
  expect(warned('multiclass', {})).toBe(false);
  expect(warned('primal', {})).toBe(false);
  expect(warned('pocket', {})).toBe(false);
  expect(warned('dual', { output: undefined })).toBe(false);
  expect(warned('dual', { as: 'liblinear' })).toBe(false);
  X.dispose();
});
