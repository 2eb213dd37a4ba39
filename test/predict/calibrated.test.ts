// perceptron-wasm/predict serves calibrated models: the probabilities of the library to the bit, and what is wrong in a file.

import { describe, expect, test } from 'vitest';
import {
  DualPerceptron,
  type Label,
  MulticlassPerceptron,
  Perceptron,
  Pipeline,
  Scaler,
  type ScoreTable,
} from '../../src/index.js';
import { loadPredictor } from '../../src/predict/index.js';
import { TableEncoder, TextVectorizer } from '../../src/prepare/index.js';
import { calibrate } from '../../src/select/index.js';
import { refusesWith, saved, spoil } from '../model/spoiled.js';
import { pairOf } from '../sparse-samples.js';

const train = pairOf({ rows: 60, cols: 9, density: 0.6, seed: 4 });
const rest = pairOf({ rows: 13, cols: 9, density: 0.6, seed: 5 });
const few = { maxEpochs: 4, average: true };
const { signs, codes } = train;

const shapeOf = (scores: Float64Array | ScoreTable) =>
  scores instanceof Float64Array ? { data: scores } : { data: scores.data, rows: scores.rows, cols: scores.cols };

/** Two classes by one score, two and four by a score for each; of rows, texts and records. */
const models = {
  Perceptron: () => [new Perceptron<Label>(few), train.dense, signs, [rest.dense, rest.sparse]],
  'DualPerceptron, rbf': () => [
    new DualPerceptron<Label>({ maxEpochs: 4, kernel: { type: 'rbf', gamma: 0.1 } }),
    train.sparse,
    signs,
    [rest.dense, rest.sparse],
  ],
  'MulticlassPerceptron of two classes': () => [
    new MulticlassPerceptron<Label>(few),
    train.dense,
    signs.map((sign) => sign > 0),
    [rest.dense, rest.sparse],
  ],
  'MulticlassPerceptron of four classes': () => [
    new MulticlassPerceptron<Label>(few),
    train.dense,
    codes.map((code) => `class ${code}`),
    [rest.dense, rest.sparse],
  ],
  'Pipeline with a Scaler': () => [
    new Pipeline(
      new Scaler({ kind: 'standardize' }),
      new MulticlassPerceptron<Label>({ ...few, kernel: 'polynomial' }),
    ),
    train.dense,
    codes,
    [rest.dense],
  ],
  'Pipeline of texts': () => {
    const texts = signs.map((sign, i) => `${sign > 0 ? 'good' : 'bad'} word${i % 7} ${i % 4 === 0 ? 'bad' : 'fine'}`);
    return [
      new Pipeline(new TextVectorizer({ features: 64 }), new Perceptron<Label>(few)),
      texts,
      signs,
      [texts.slice(0, 9)],
    ];
  },
  'Pipeline of tables': () => {
    const table = codes.map((code, i) => ({ size: code + (i % 3), colour: ['red', 'blue', 'grey'][(code + i) % 3] }));
    const pipeline = new Pipeline(new TableEncoder(), new MulticlassPerceptron<Label>(few));
    return [pipeline, table, codes, [table.slice(0, 9)]];
  },
} satisfies Record<string, () => [model: unknown, X: unknown, y: readonly Label[], tests: unknown[]]>;

describe.each(['sigmoid', 'isotonic'] as const)('method %s', (method) => {
  test.each(Object.entries(models))('a calibrated %s gives the same bits', async (_, make) => {
    const [model, X, y, tests] = make();
    const made = await calibrate(model as never, X as never, y, { method, folds: 3, threads: 1 });
    const predictor = loadPredictor(JSON.parse(JSON.stringify(made)));
    expect(predictor.classes).toEqual(made.classes);
    for (const rows of tests as never[]) {
      const probabilities = predictor.predictProbability?.(rows);
      expect(shapeOf(probabilities as ScoreTable)).toEqual(shapeOf(made.predictProbability(rows)));
      expect(shapeOf(predictor.decisionFunction(rows))).toEqual(shapeOf(made.decisionFunction(rows)));
      expect(predictor.predict(rows)).toEqual(made.predict(rows));
    }
    const [first] = tests as [{ data?: Float64Array; cols?: number } & unknown[]];
    const one = first.data ? first.data.slice(0, first.cols) : first[0];
    expect(predictor.predictOne(one as never)).toBe(made.predictOne(one as never));
  });
});

test('models that are not calibrated have no predictProbability', () => {
  expect(loadPredictor(new Perceptron().fit(train.dense, signs).toJSON())).not.toHaveProperty('predictProbability');
});

describe('a file that is wrong is refused by field', async () => {
  const options = { method: 'isotonic', folds: 2, threads: 1 } as const;
  const made = saved(await calibrate(new Perceptron<Label>(few), train.dense, signs, options));
  const sigmoid = saved(
    await calibrate(new Perceptron<Label>(few), train.dense, signs, { ...options, method: 'sigmoid' }),
  );
  const refuses = refusesWith(loadPredictor);

  test.each([
    ['method', 'magic', RangeError, 'model JSON: method must be "sigmoid" or "isotonic", got "magic"'],
    ['maps', [], RangeError, 'model JSON: maps must have 1 values, got 0'],
    ['maps', undefined, TypeError, 'model JSON: maps must be an array, got undefined'],
    ['maps[0]', 7, TypeError, 'model JSON: maps[0] must be an object, got 7'],
    ['maps[0].scores', [], RangeError, 'model JSON: maps[0].scores must be one or more numbers, got an array of 0'],
    [
      'maps[0].scores[1]',
      -1e300,
      RangeError,
      /^model JSON: maps\[0\].scores\[1\] must be a number above .*, got -1e\+300$/,
    ],
    [
      'maps[0].probabilities[0]',
      -1,
      RangeError,
      'model JSON: maps[0].probabilities[0] must be a number from 0 to 1, got -1',
    ],
    ['maps[0].probabilities', [1], RangeError, /^model JSON: maps\[0\].probabilities must have \d+ values, got 1$/],
    ['model', 3, TypeError, 'model JSON: model must be an object, got 3'],
    [
      'model.type',
      'calibrated',
      RangeError,
      /^model JSON: model.type must be "perceptron" or .* or "pipeline", got "calibrated"$/,
    ],
    ['model.weights[0]', null, TypeError, 'model JSON: model.weights[0] must be a finite number, got null'],
  ] as const)('%s: %j', (path, value, type, message) => {
    refuses(spoil(made, path, value), type, message);
  });

  test('a sigmoid needs both numbers', () => {
    refuses(spoil(sigmoid, 'maps[0].b', 'x'), TypeError, 'model JSON: maps[0].b must be a finite number, got "x"');
  });

  test('reliability is not needed to predict', () => {
    const { reliability: _, ...smaller } = made;
    expect(loadPredictor(smaller).predict(rest.dense)).toEqual(loadPredictor(made).predict(rest.dense));
  });
});
