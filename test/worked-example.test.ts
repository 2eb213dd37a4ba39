// SPEC §10, update by update, on every engine.

import { expect, test } from 'vitest';
import { DualPerceptron, gram, Perceptron } from '../src/index.js';
import { engines } from './engines.js';

const X = [
  [3, 3],
  [4, 3],
  [1, 1],
];
const y = [1, 1, -1];

test.each(engines)('%s makes the seven updates of the worked example', (engine) => {
  const trace: unknown[] = [];
  const model = new Perceptron({
    engine,
    onUpdate: ({ index, epoch, mistakes, weights, bias }) =>
      trace.push([mistakes, index, epoch, Array.from(weights ?? []), bias]),
  }).fit(X, y);
  expect(trace).toEqual([
    [1, 0, 1, [3, 3], 1],
    [2, 2, 1, [2, 2], 0],
    [3, 2, 2, [1, 1], -1],
    [4, 2, 3, [0, 0], -2],
    [5, 0, 4, [3, 3], -1],
    [6, 2, 4, [2, 2], -2],
    [7, 2, 5, [1, 1], -3],
  ]);
  expect([...model.weights, model.bias]).toEqual([1, 1, -3]);
  expect(model.report).toMatchObject({
    converged: true,
    stopReason: 'separated',
    epochs: 6,
    mistakes: 7,
    mistakesByEpoch: [2, 1, 1, 2, 1, 0],
    engine,
    threads: 1,
    advice: [],
  });
  expect(
    model.predict([
      [4, 4],
      [5, 2],
      [0, 0],
    ]),
  ).toEqual([1, 1, -1]);
  expect(model.score(X, y)).toBe(1);
  expect(model.loss(X, y)).toBe(0);
});

test.each(engines.flatMap((engine) => (['full', 'rows'] as const).map((mode) => ({ engine, mode }))))(
  "$engine makes the same seven updates in dual form, gram: '$mode'",
  ({ engine, mode }) => {
    const trace: unknown[] = [];
    const model = new DualPerceptron<number>({
      engine,
      gram: mode,
      onUpdate: (update) => trace.push([update.mistakes, update.index, update.epoch, update.bias, 'weights' in update]),
      onEpoch: ({ snapshot }) => {
        const { updateCounts, weights } = snapshot() as DualPerceptron<number>;
        trace.push([...updateCounts, ...weights]);
      },
    }).fit(X, y);
    expect(trace).toEqual([
      [1, 0, 1, 1, false],
      [2, 2, 1, 0, false],
      [1, 0, 1, 2, 2],
      [3, 2, 2, -1, false],
      [1, 0, 2, 1, 1],
      [4, 2, 3, -2, false],
      [1, 0, 3, 0, 0],
      [5, 0, 4, -1, false],
      [6, 2, 4, -2, false],
      [2, 0, 4, 2, 2],
      [7, 2, 5, -3, false],
      [2, 0, 5, 1, 1],
      [2, 0, 5, 1, 1],
    ]);
    expect([...model.alphas]).toEqual([2, 0, 5]);
    expect([...model.supportIndices]).toEqual([0, 2]);
    expect([...model.weights, model.bias]).toEqual([1, 1, -3]);
    expect(model.report).toMatchObject({
      converged: true,
      epochs: 6,
      mistakes: 7,
      mistakesByEpoch: [2, 1, 1, 2, 1, 0],
    });
    const unseen = [[4, 4], [5, 2], [0, 0]]; // biome-ignore format: three points
    expect(model.predict(unseen)).toEqual([1, 1, -1]);
    expect(model.score(X, y)).toBe(1);
    expect(model.diagnose(X, y)).toEqual(new Perceptron<number>({ engine }).fit(X, y).diagnose(X, y));
  },
);

test.each(engines)('%s computes the Gram matrix of the worked example', (engine) => {
  expect([...gram(X, { engine }).data]).toEqual([18, 21, 6, 21, 25, 7, 6, 7, 2]);
});
