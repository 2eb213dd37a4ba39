// The story at the end of train: what it says depends on how the fit went.

import { expect, test } from 'vitest';
import { type Outcome, story } from '../../src/cli/story.js';
import { DenseMatrix, Perceptron } from '../../src/index.js';

const X = DenseMatrix.from([[3, 3], [4, 3], [1, 1]]); // biome-ignore format: three points
const y = [1, 1, -1];
const trained = new Perceptron();
trained.fit(X, y);

const told = (threads: number): string => {
  const outcome: Outcome = {
    data: { X, y, name: 'three.csv', format: 'csv', readMs: 1 },
    classes: [],
    trainer: 'primal',
    values: {},
    fitted: { model: trained, trained, report: { ...trained.report, threads }, diagnosis: undefined, fitMs: 1 },
  };
  return story(outcome, 'not saved');
};

test('says how many threads worked where they were more than one', () => {
  expect(told(1)).toMatch(/, on wasm-simd$/m);
  expect(told(2)).toMatch(/, on wasm-simd with 2 threads$/m);
  expect(told(16)).toMatch(/, on wasm-simd with 16 threads$/m);
});
