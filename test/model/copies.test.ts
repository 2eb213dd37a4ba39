// What a model shows of itself are copies: a caller that writes into them changes neither the model nor what it shows next.

import { expect, test } from 'vitest';
import { DualPerceptron, MulticlassPerceptron, Perceptron, PocketPerceptron, Scaler } from '../../src/index.js';

const X = [[3, 3], [4, 3], [1, 1], [0, 2]]; // biome-ignore format: four points
const two = ['a', 'a', 'b', 'b'];
const three = ['a', 'a', 'b', 'c'];

const LISTS = ['weights', 'alphas', 'biases', 'updateCounts', 'supportIndices'] as const;
type Lists = Partial<Record<(typeof LISTS)[number], Float64Array | Uint32Array | readonly Float64Array[]>>;

const makers = {
  'the primal form': () => new Perceptron<string>({ maxEpochs: 3 }).fit(X, two),
  'an average': () => new Perceptron<string>({ maxEpochs: 3, average: true }).fit(X, two),
  'a pocket': () => new PocketPerceptron<string>({ maxEpochs: 3 }).fit(X, two),
  'the dual form': () => new DualPerceptron<string>({ maxEpochs: 3 }).fit(X, two),
  'many classes': () => new MulticlassPerceptron<string>({ maxEpochs: 3 }).fit(X, three),
  'many classes in dual form': () => new MulticlassPerceptron<string>({ maxEpochs: 3, kernel: 'linear' }).fit(X, three),
  'the multinomial rule': () =>
    new MulticlassPerceptron<string>({ maxEpochs: 3, strategy: 'multinomial' }).fit(X, three),
};

function overwrite(model: Lists): number {
  let written = 0;
  for (const name of LISTS) {
    const list = model[name];
    if (list === undefined) continue;
    for (const one of ArrayBuffer.isView(list) ? [list] : list) (one as Float64Array).fill(99);
    if (!ArrayBuffer.isView(list)) (list as Float64Array[]).length = 0;
    written++;
  }
  return written;
}

const shown = (model: Lists) => structuredClone(LISTS.map((name) => model[name]));

test.each(Object.entries(makers))('writing into what %s shows changes nothing', (_, make) => {
  const [model, untouched] = [make(), make()];
  model.predict(X);
  expect(overwrite(model as Lists)).toBeGreaterThan(0);
  expect(shown(model as Lists)).toEqual(shown(untouched as Lists));
  expect(model.predict(X)).toEqual(untouched.predict(X));
  expect(model.decisionFunction(X)).toEqual(untouched.decisionFunction(X));
  expect(JSON.stringify(model)).toBe(JSON.stringify(untouched));
  const y = model.classes.length === 2 ? two : three;
  expect(JSON.stringify(model.partialFit(X, y))).toBe(JSON.stringify(untouched.partialFit(X, y)));
});

test('writing into what a scaler shows changes nothing', () => {
  const [scaler, untouched] = [0, 1].map(() => new Scaler({ kind: 'standardize' }).fit(X)) as [Scaler, Scaler];
  (scaler.means as Float64Array).fill(99);
  using a = scaler.transform(X);
  using b = untouched.transform(X);
  expect(JSON.stringify(scaler)).toBe(JSON.stringify(untouched));
  expect(scaler.means).toEqual(untouched.means);
  expect('data' in a && a.data).toEqual('data' in b && b.data);
});
