// search: the same as cross-validating each point alone, for any number of threads.

import { afterAll, describe, expect, test } from 'vitest';
import {
  DualPerceptron,
  MulticlassPerceptron,
  Perceptron,
  Pipeline,
  type Rows,
  Scaler,
  stopThreads,
} from '../../src/index.js';
import { TableEncoder, TextVectorizer } from '../../src/prepare/index.js';
import { Random } from '../../src/random.js';
import { crossValidate, type Grid, type Metric, search } from '../../src/select/index.js';

afterAll(() => stopThreads());

const random = Random.seeded(3);
const noise = () => random.next() / 2 ** 31 - 1;
const y = Array.from({ length: 80 }, (_, i) => (i % 2 ? 'yes' : 'no'));
const X = y.map((label) => [noise() + (label === 'yes' ? 0.5 : 0), 10 * noise(), noise()]);

const withoutTimes = (results: readonly { seconds: number }[]) => results.map(({ seconds: _, ...result }) => result);

describe('search', () => {
  test('tries all combinations, the last key fastest, and fits the best on all rows', async () => {
    const grid = { average: [true, false], maxEpochs: [1, 5, 20] };
    const model = new Perceptron({ order: 'shuffle' });
    const found = await search(model, grid, X, y);
    const points = [true, false].flatMap((average) => [1, 5, 20].map((maxEpochs) => ({ average, maxEpochs })));
    expect(found.results.map(({ options }) => options)).toEqual(points);
    for (const { options, scores, mean, deviation } of found.results) {
      const alone = await crossValidate(new Perceptron({ order: 'shuffle', ...options }), X, y);
      expect({ scores, mean, deviation }).toEqual({
        scores: alone.folds.map(({ accuracy }) => accuracy),
        mean: alone.mean.accuracy,
        deviation: alone.deviation.accuracy,
      });
    }
    const best = found.results.find(({ mean }) => mean === Math.max(...found.results.map((each) => each.mean)));
    expect(found.best).toEqual({ options: best?.options, score: best?.mean });
    expect(found.model.toJSON()).toEqual(new Perceptron({ order: 'shuffle', ...best?.options }).fit(X, y).toJSON());
    expect(() => model.classes).toThrow(/not fitted/);
  });

  const kernels = [{ type: 'rbf', gamma: 0.1 }, 'linear', { type: 'rbf', gamma: 1 }, { type: 'polynomial', degree: 2 }];
  const cases: [string, () => DualPerceptron | MulticlassPerceptron, Grid][] = [
    [
      'kernels of a DualPerceptron',
      () => new DualPerceptron(),
      { average: [false, true], kernel: kernels, maxEpochs: [3, 9] },
    ],
    ['kernels of a MulticlassPerceptron', () => new MulticlassPerceptron(), { kernel: kernels, maxEpochs: [3] }],
  ];

  test.each(cases)('of %s is what each alone gives, on any number of threads', async (_, make, grid) => {
    const all = await Promise.all(
      [1, 2, 3].map((threads) => search(make(), grid, X, y, { threads, folds: 3, metric: 'rocAuc' })),
    );
    const [first] = all as [(typeof all)[0]];
    for (const other of all.slice(1)) expect(withoutTimes(other.results)).toEqual(withoutTimes(first.results));
    for (const { options, scores } of first.results) {
      const trainer = make().constructor as new (options: object) => DualPerceptron;
      const alone = await crossValidate(new trainer({ ...options, gram: 'rows' }), X, y, { folds: 3 });
      expect(scores).toEqual(alone.folds.map(({ rocAuc }) => rocAuc));
    }
  });

  test('of equal points the first is the best', async () => {
    const { best } = await search(new Perceptron({ maxEpochs: 3 }), { learningRate: [2, 1, 4] }, X, y);
    expect(best.options).toEqual({ learningRate: 2 });
  });

  test('takes paths into a pipeline', async () => {
    const pipeline = new Pipeline(new Scaler({ kind: 'centre' }), new Perceptron({ maxEpochs: 5 }));
    const grid = { 'steps.0.kind': ['centre', 'standardize'], 'model.average': [true, false] };
    const { results, model } = await search(pipeline, grid, X, y, { metric: 'macro.f1' });
    expect(results).toHaveLength(4);
    const scaled = new Pipeline(new Scaler({ kind: 'standardize' }), new Perceptron({ maxEpochs: 5 }));
    expect(results[3]?.mean).toBe((await crossValidate(scaled, X, y)).mean['macro.f1']);
    expect(model.predict(X)).toHaveLength(80);
    expect(pipeline.scaler.kind).toBe('centre');
  });

  test('changes the options of texts and tables', async () => {
    const texts = y.map((label, i) => `${label} ${i % 7} words`);
    const words = new Pipeline(new TextVectorizer({ stopWords: ['words'] }), new Perceptron());
    const found = await search(words, { 'steps.0.method': ['hashing', 'vocabulary'] }, texts, y);
    expect(found.best.score).toBe(1);
    const table = X.map(([a], i) => ({ a: a as number, b: i % 9 ? y[i] : null }));
    const encoder = new TableEncoder({ missing: 'mean', columns: { b: 'category' } });
    const rows = new Pipeline(encoder, new Perceptron({ maxEpochs: 50 }));
    const grid = { 'steps.0.missing': ['most-frequent', 'zero'], 'steps.0.indicator': [false, true] };
    expect((await search(rows, grid, table, y)).results).toHaveLength(4);
  });

  test('tells every fold with its options, and can be aborted', async () => {
    const told: unknown[] = [];
    const controller = new AbortController();
    await search(new Perceptron({ maxEpochs: 2 }), { average: [true, false] }, X, y, {
      threads: 1,
      folds: 2,
      onFold: ({ fold, options }) => told.push([fold, options.average]),
    });
    expect(told).toEqual([
      [0, true],
      [0, false],
      [1, true],
      [1, false],
    ]);
    const running = search(new DualPerceptron(), { kernel: ['linear', 'rbf'] }, X, y, {
      signal: controller.signal,
      onFold: () => controller.abort(),
    });
    await expect(running).rejects.toMatchObject({ name: 'AbortError' });
  });

  const pipeline = new Pipeline(new Scaler({ kind: 'centre' }), new Perceptron());
  const own = {
    fit() {},
    transform: (rows: Rows) => rows,
    toJSON: () => ({ type: 'mine' }),
    unfitted: () => ({ ...own }),
  };
  test.each<[Perceptron | Pipeline, unknown, object, RegExp]>([
    [new Perceptron(), {}, {}, /the grid is empty/],
    [new Perceptron(), { average: [] }, {}, /grid\["average"\] is empty: give one value at least/],
    [new Perceptron(), { average: true }, {}, /grid\["average"\] must be an array of values, got true/],
    [new Perceptron(), [], {}, /the grid must be an object/],
    [new Perceptron(), { averag: [true] }, {}, /Perceptron has no option "averag": do you mean "average"\?/],
    [new Perceptron(), { avergae: [true] }, {}, /Perceptron has no option "avergae": do you mean "average"\?; it has/],
    [pipeline, { 'model.maxEpoch5': [1] }, {}, /Perceptron has no option "maxEpoch5": do you mean "maxEpochs"\?/],
    [new Perceptron(), { average: [true, 'yes'] }, {}, /"average" must be true or false, got "yes"/],
    [new Perceptron(), { seed: new Array(400).fill(1), maxEpochs: new Array(400).fill(1) }, {}, /160,000 combinations/],
    [
      new Perceptron(),
      { average: [true] },
      { metric: 'acuracy' },
      /"metric" must be one of accuracy, .*, got "acuracy"/,
    ],
    [new Perceptron(), { average: [true] }, { metric: 'logLoss' }, /which needs probabilities/],
    [pipeline, { average: [true] }, {}, /the pipeline has no option "average": do you mean "model.average"\?/],
    [
      pipeline,
      { 'steps.1.kind': ['centre'] },
      {},
      /no option "steps.1.kind"; paths begin with 'model.…' or 'steps.0.…'/,
    ],
    [pipeline, { 'steps.0.kind': ['none'] }, {}, /"steps.0.kind" must be/],
    [pipeline, { 'model.maxEpochs': [0] }, {}, /"model.maxEpochs" must be an integer of at least 1, got 0/],
    [
      new Pipeline(own, new Perceptron()),
      { 'steps.0.x': [1] },
      {},
      /steps\[0\] \(Object\) has no options that can be changed/,
    ],
  ])('refuses before anything is fitted (%#)', async (model, grid, options, message) => {
    await expect(search(model as Perceptron, grid as Grid, X, y, options as { metric?: Metric })).rejects.toThrow(
      message,
    );
  });
});
