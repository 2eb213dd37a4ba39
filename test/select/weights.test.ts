// crossValidate and search with weights of rows: in fits and in metrics.

import { afterAll, describe, expect, test } from 'vitest';
import { DenseMatrix, Perceptron, Pipeline, Scaler, stopThreads } from '../../src/index.js';
import { Random } from '../../src/random.js';
import { crossValidate, evaluate, search } from '../../src/select/index.js';
import { FIT_ASYNC_KEYS } from '../../src/train/options.js';
import { stratified } from './stratified.js';

afterAll(() => stopThreads());

const random = Random.seeded(9);
const y = Array.from({ length: 60 }, (_, i) => i % 2);
const X = DenseMatrix.from(y.map((label) => [random.next() / 2 ** 31 + label, random.next() / 2 ** 32]));
const sampleWeight = y.map((_, i) => (i % 7 === 0 ? 0 : 1 + (i % 3)));
const at = <T>(list: ArrayLike<T>, rows: Uint32Array) => Array.from(rows, (i) => list[i] as T);

// Trainers take weights from sampleWeight's commit on.
describe.runIf((FIT_ASYNC_KEYS as readonly string[]).includes('sampleWeight'))('weights', () => {
  test('count in the fit and in the metrics of a fold', async () => {
    const make = () => new Perceptron<number>({ maxEpochs: 9 });
    const expected = [];
    for (const { train, test: held } of stratified(y, 3, 0)) {
      const options = { sampleWeight: at(sampleWeight, train) };
      const model = await make().fitAsync(X.take(train), at(y, train), options as object);
      const predicted = model.predict(X.take(held));
      expected.push(evaluate(at(y, held), predicted, { sampleWeight: at(sampleWeight, held) }).accuracy);
    }
    const { folds } = await crossValidate(make(), X, y, { folds: 3, sampleWeight });
    expect(folds.map(({ accuracy }) => accuracy)).toEqual(expected);
  });

  test('reach the model of a pipeline, and the best model of a search', async () => {
    const pipeline = new Pipeline(new Scaler({ kind: 'centre' }), new Perceptron({ maxEpochs: 9 }));
    const { model, results } = await search(pipeline, { 'model.average': [true, false] }, X, y, { sampleWeight });
    expect(results).toHaveLength(2);
    expect(model.predict(X)).toHaveLength(60);
  });
});
