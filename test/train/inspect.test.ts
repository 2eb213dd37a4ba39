// What console.log shows of a trainer.

import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import {
  DualPerceptron,
  loadModel,
  MulticlassPerceptron,
  Perceptron,
  Pipeline,
  PocketPerceptron,
  Scaler,
} from '../../src/index.js';

const X = [[3, 3], [4, 3], [1, 1]]; // biome-ignore format: three points

test('a trainer that is not fitted says so', () => {
  for (const trainer of [new Perceptron(), new PocketPerceptron(), new DualPerceptron(), new MulticlassPerceptron()]) {
    expect(inspect(trainer)).toBe(`${trainer.constructor.name} (not fitted)`);
  }
});

test('a model tells its columns, its classes and how training ended', () => {
  const model = new Perceptron().fit(X, ['yes', 'yes', 'no']);
  const told = 'Perceptron { 2 columns, classes "no" and "yes", separated after 6 epochs and 7 mistakes }';
  expect(inspect(model)).toBe(told);
  expect(inspect(loadModel(JSON.parse(JSON.stringify(model))))).toBe(told);
  expect(inspect([model])).toBe(`[\n  ${told}\n]`);
  expect(inspect(new PocketPerceptron({ maxEpochs: 1 }).fit([[1], [1]], [1, 2]))).toBe(
    'PocketPerceptron { 1 column, classes 1 and 2, not separated after 1 epoch and 2 mistakes }',
  );
  expect(inspect(new MulticlassPerceptron().fit(X, ['a', 'b', 'c']))).toMatch(
    /^MulticlassPerceptron \{ 2 columns, classes "a", "b", "c", .*separated after \d+ epochs and \d+ mistakes \}$/,
  );
});

test('a Proxy of a model is shown as other objects are', () => {
  expect(inspect(new Proxy(new Perceptron(), {}))).toContain('Perceptron');
});

test('a pipeline shows its parts, and a subclass its own name or its own words', () => {
  class Mine extends Perceptron {}
  expect(inspect(new Mine())).toBe('Mine (not fitted)');
  class Wordy extends Perceptron {
    [inspect.custom]() {
      return 'hello';
    }
  }
  expect(inspect(new Wordy())).toBe('hello');
  expect(inspect(new Pipeline(new Scaler({ kind: 'centre' }), new Perceptron()))).toContain(
    'model: Perceptron (not fitted)',
  );
});
