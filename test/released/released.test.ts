// Models of every released version (README.md beside this file): the present code reads them, gives the same bits, writes the
// same text, and continues their training.

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { loadModel, Perceptron, Scaler } from '../../src/index.js';
import { loadPredictor } from '../../src/predict/index.js';
import { engines } from '../engines.js';
import { refusesWith } from '../model/spoiled.js';

interface ReleasedModel {
  X: number[][];
  y: (string | number | boolean)[];
  model: { type: string };
  scores: (number | '-0')[];
  predictions: (string | number | boolean)[];
  afterPartialFit?: object;
}

const here = new URL('./', import.meta.url);
const releases = readdirSync(here, { withFileTypes: true }).filter((entry) => entry.isDirectory());
const read = (path: string) => JSON.parse(readFileSync(new URL(path, here), 'utf8'));

/** The bits of scores, from a model or from a file. */
const bitsOf = (scores: ArrayLike<number | '-0'>) => new BigUint64Array(Float64Array.from(scores, Number).buffer);
const listOf = (scores: Float64Array | { data: Float64Array }) => (ArrayBuffer.isView(scores) ? scores : scores.data);

test('there are files of at least one release', () => {
  expect(releases.map(({ name }) => name)).toContain('0.1.0');
});

describe.each(releases.map(({ name }) => name))('%s', (release) => {
  const names = readdirSync(new URL(`${release}/`, here)).map((file) => file.replace('.json', ''));
  const models = names.filter((name) => !name.startsWith('scaler-'));
  const scalers = names.filter((name) => name.startsWith('scaler-'));

  test('every kind of model is there', () => {
    const kinds = new Set(models.map((name) => (read(`${release}/${name}.json`) as ReleasedModel).model.type));
    expect([...kinds].sort()).toEqual([
      'dual-perceptron',
      'multiclass-perceptron',
      'perceptron',
      'pipeline',
      'pocket-perceptron',
    ]);
    expect(scalers).toHaveLength(3);
  });

  test.each(models)('%s: loadModel and loadPredictor give the scores and predictions of that release', (name) => {
    const { X, model, scores, predictions } = read(`${release}/${name}.json`) as ReleasedModel;
    for (const loaded of [loadModel(model), loadPredictor(model)]) {
      expect(bitsOf(listOf(loaded.decisionFunction(X)))).toEqual(bitsOf(scores));
      expect(loaded.predict(X)).toEqual(predictions);
    }
  });

  test.each(models)('%s: is written again as the same text', (name) => {
    const { model } = read(`${release}/${name}.json`) as ReleasedModel;
    expect(JSON.stringify(loadModel(model))).toBe(JSON.stringify(model));
  });

  test.each(models)('%s: partialFit continues it as that release did', (name) => {
    const { X, y, model, afterPartialFit } = read(`${release}/${name}.json`) as ReleasedModel;
    const loaded = loadModel(model);
    if (!('partialFit' in loaded) || !afterPartialFit) return expect(name).toMatch(/^(pipeline|dual-pocket)-/);
    expect(JSON.stringify(loaded.partialFit(X.slice(3, 11), y.slice(3, 11)))).toBe(JSON.stringify(afterPartialFit));
  });

  test.each(scalers)('%s: transforms to the bits of that release', (name) => {
    const { X, scaler, rows } = read(`${release}/${name}.json`);
    const loaded = Scaler.fromJSON(scaler);
    const scaled = loaded.transform(X as number[][]);
    expect(bitsOf(scaled.data as Float64Array)).toEqual(bitsOf(rows));
    expect(JSON.stringify(loaded)).toBe(JSON.stringify(scaler));
    scaled.dispose();
  });
});

// ---- newer files ------------------------------------------------------------------------------------------

const model = read('0.1.0/perceptron-defaults.json').model;
const refused = refusesWith(loadModel, loadPredictor, Perceptron.fromJSON);

test('a file that needs something this version lacks is refused by naming it', () => {
  const message =
    'model JSON: this model needs "text hashing", which this version of perceptron-wasm does not have; read it with the version that saved it, or a newer one';
  refused({ ...model, needs: ['text hashing'] }, RangeError, message);
  refused({ ...model, needs: 'text' }, TypeError, 'model JSON: needs must be an array, got "text"');
  refused({ ...model, needs: [7] }, TypeError, 'model JSON: needs[0] must be a string, got 7');
});

test('a file with an empty list of needs, or with fields that a later version added for information, is read', () => {
  const later = { ...model, needs: [], savedBy: 'perceptron-wasm 0.9.0' };
  expect(JSON.stringify(loadModel(later))).toBe(JSON.stringify(model));
  expect(loadPredictor(later).classes).toEqual(['no', 'yes']);
});

test('a file of another format version is refused by its number', () => {
  refused(
    { ...model, version: 2 },
    RangeError,
    'model JSON: version 2 is not known here; this release reads version 1',
  );
});

test.each([...engines])('a released model trains on with %s to the same bits', (engine) => {
  const { X, y, afterPartialFit } = read('0.1.0/perceptron-shuffle-average.json');
  const fresh = new Perceptron({
    maxEpochs: 4,
    seed: 11,
    order: 'shuffle',
    average: true,
    learningRate: 0.3,
    engine,
  });
  fresh.fit(X, y).partialFit(X.slice(3, 11), y.slice(3, 11));
  expect(JSON.stringify(fresh)).toBe(JSON.stringify(afterPartialFit));
});
