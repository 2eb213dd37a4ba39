// ONNX files, run by onnxruntime-web: the same labels, and scores within 1e-12.

import * as ort from 'onnxruntime-web';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  type AnyModel,
  DenseMatrix,
  DualPerceptron,
  type Kernel,
  type Label,
  MulticlassPerceptron,
  Perceptron,
  Pipeline,
  PocketPerceptron,
  Scaler,
  SparseMatrix,
} from '../../src/index.js';
import { toOnnx } from '../../src/io/index.js';
import { TableEncoder, Pipeline as TextPipeline, TextVectorizer } from '../../src/prepare/index.js';
import { Random } from '../../src/random.js';
import { calibrate } from '../../src/select/index.js';
import { someOf } from '../effort.js';

/** Rows that a model of any kind is asked about: 10,000 in the long run. */
const [MANY] = someOf([10_000], [1_000]) as [number];

beforeAll(() => {
  ort.env.wasm.numThreads = 1;
});

/** What a runtime makes of rows. */
async function run<L extends Label>(model: AnyModel<L>, rows: readonly (readonly number[])[]) {
  const session = await ort.InferenceSession.create(toOnnx(model));
  const cols = rows[0]?.length ?? 0;
  const X = new ort.Tensor('float64', Float64Array.from(rows.flat()), [rows.length, cols]);
  const { label, scores } = await session.run({ X });
  if (!label || !scores) throw new Error('an output is missing');
  const labels = Array.from(label.data as ArrayLike<unknown>, (value) =>
    typeof value === 'bigint' ? Number(value) : label.type === 'bool' ? value === 1 : value,
  );
  return { labels, scores: scores.data as Float64Array, dims: scores.dims };
}

/** Rows around as many centres as there are labels, which overlap. */
function samples<L extends Label>(count: number, cols: number, labels: readonly L[], seed: number) {
  const random = Random.seeded(seed);
  const y = Array.from({ length: count }, (_, i) => labels[i % labels.length] as L);
  const X = y.map((_, i) =>
    Array.from(
      { length: cols },
      (_, k) => (3 * random.next()) / 2 ** 32 - 1 + (k % labels.length === i % labels.length ? 1 : 0),
    ),
  );
  return { X, y };
}

async function expectSame<L extends Label>(model: AnyModel<L>, rows: readonly (readonly number[])[]): Promise<void> {
  const { labels, scores, dims } = await run(model, rows);
  const ours = model.decisionFunction(rows);
  const [data, shape] = ours instanceof Float64Array ? [ours, [rows.length]] : [ours.data, [ours.rows, ours.cols]];
  expect(dims).toEqual(shape);
  expect(labels).toEqual(model.predict(rows));
  const largest = data.reduce((most, score) => Math.max(most, Math.abs(score)), 1);
  const difference = scores.reduce((most, score, k) => Math.max(most, Math.abs(score - (data[k] as number))), 0);
  expect(difference / largest).toBeLessThan(1e-12);
}

const LABELS: Record<string, readonly [Label, Label, ...Label[]]> = {
  integers: [-1, 1],
  'other numbers': [0.5, 2],
  texts: ['no', 'ja'],
  truth: [false, true],
  'large integers': [2 ** 40, 2 ** 53 - 1],
};
const KERNELS: readonly Kernel[] = [
  'linear',
  { type: 'polynomial', degree: 3, coef0: 1 },
  { type: 'polynomial' },
  { type: 'rbf', gamma: 0.7 },
  'rbf',
];

describe('models of two classes', () => {
  test.each(Object.keys(LABELS))('labels: %s', async (name) => {
    const labels = LABELS[name] as readonly [Label, Label];
    const { X, y } = samples<Label>(40, 5, labels, 1);
    await expectSame(new Perceptron({ maxEpochs: 20 }).fit(X, y), X);
  });

  test.each([{}, { average: true }, { fitIntercept: false }])('primal %o, on 10,000 rows', async (options) => {
    const { X, y } = samples(10_000, 7, ['a', 'b'], 2);
    await expectSame(new Perceptron({ ...options, maxEpochs: 3 }).fit(X.slice(0, 500), y.slice(0, 500)), X);
  });

  test('pocket', async () => {
    const { X, y } = samples(MANY, 4, ['a', 'b'], 3);
    await expectSame(new PocketPerceptron({ maxEpochs: 20 }).fit(X.slice(0, 300), y.slice(0, 300)), X);
  });

  test.each(
    KERNELS.flatMap((kernel) => [{}, { average: true }, { pocket: true }].map((options) => ({ kernel, ...options }))),
  )('dual %o', async (options) => {
    const { X, y } = samples(MANY, 4, ['a', 'b'], 4);
    await expectSame(new DualPerceptron({ ...options, maxEpochs: 10 }).fit(X.slice(0, 200), y.slice(0, 200)), X);
  });
});

describe('models of several classes', () => {
  test.each([2, 3, 5])('%i classes, planes', async (count) => {
    const labels = ['a', 'b', 'c', 'd', 'e'].slice(0, count);
    const { X, y } = samples(10_000, 6, labels, 5);
    for (const strategy of ['one-vs-rest', 'multinomial'] as const) {
      const model = new MulticlassPerceptron({ strategy, average: count === 5, maxEpochs: 5 });
      await expectSame(model.fit(X.slice(0, 400), y.slice(0, 400)), X);
    }
  });

  test.each(KERNELS.flatMap((kernel) => [false, true].map((average) => ({ kernel, average }))))(
    'kernels %o',
    async (options) => {
      const { X, y } = samples(MANY, 4, [3, 1, 2], 6);
      for (const strategy of ['one-vs-rest', 'multinomial'] as const) {
        const model = new MulticlassPerceptron({ ...options, strategy, maxEpochs: 5 });
        await expectSame(model.fit(X.slice(0, 150), y.slice(0, 150)), X);
      }
    },
  );

  test('sparse support vectors', async () => {
    const { X, y } = samples(60, 9, ['a', 'b', 'c'], 7);
    const rows = X.map((row) => row.map((value, k) => (k % 3 === 0 ? 0 : value)));
    const sparse = SparseMatrix.fromDense(rows);
    const model = new MulticlassPerceptron({ kernel: 'rbf' }).fit(sparse, y);
    await expectSame(model, rows);
  });
});

test.each(['standardize', 'centre', 'unit-ball'] as const)('a pipeline contains its scaler: %s', async (kind) => {
  const { X, y } = samples(MANY, 5, ['a', 'b', 'c'], 8);
  const wide = X.map((row) => row.map((value, k) => 1000 * k + value * 2 ** k));
  const [some, labels] = [wide.slice(0, 500), y.slice(0, 500)];
  await expectSame(
    new Pipeline(new Scaler({ kind }), new MulticlassPerceptron({ maxEpochs: 10 })).fit(some, labels),
    wide,
  );
  const [two, ys] = [some.filter((_, i) => i % 3 < 2), labels.filter((_, i) => i % 3 < 2)];
  const kernel = { type: 'polynomial', degree: 2, coef0: 1 } as const;
  await expectSame(
    new Pipeline(new Scaler({ kind }), new DualPerceptron({ kernel, maxEpochs: 10 })).fit(two, ys),
    wide,
  );
});

test('passive-aggressive steps, and float32 rows, change nothing', async () => {
  const { X, y } = samples(MANY, 4, ['a', 'b'], 9);
  const rows = DenseMatrix.from(X.slice(0, 300), { dtype: 'float32' });
  for (const model of [
    new Perceptron({ update: 'pa1', maxEpochs: 3 }),
    new DualPerceptron({ kernel: 'rbf', maxEpochs: 3 }),
  ]) {
    await expectSame(model.fit(rows, y.slice(0, 300)) as AnyModel<string>, X);
  }
});

test('one column, which onnxruntime would scale by a float32', async () => {
  const rows = Array.from({ length: 50 }, (_, i) => [i * 0.37 + (i % 5)]);
  const y = rows.map(([x]) => ((x as number) > 9 ? 'large' : 'small'));
  for (const model of [
    new Perceptron(),
    new DualPerceptron({ kernel: 'rbf' }),
    new DualPerceptron({ kernel: 'polynomial' }),
  ]) {
    await expectSame(new Pipeline(new Scaler({ kind: 'standardize' }), model).fit(rows, y) as AnyModel<string>, rows);
  }
});

describe('ties', () => {
  test('a score of 0 is the second class', async () => {
    const model = new Perceptron<string>().fit(
      [
        [3, 3],
        [4, 3],
        [1, 1],
      ],
      ['yes', 'yes', 'no'],
    );
    const { labels, scores } = await run(model, [
      [1, 2],
      [3, 0],
      [0, 0],
    ]);
    expect([...scores]).toEqual([0, 0, -3]);
    expect(labels).toEqual(['yes', 'yes', 'no']);
  });

  test('the first of equal scores', async () => {
    const model = new MulticlassPerceptron<string>().fit(
      [
        [1, 0],
        [0, 1],
        [-1, -1],
      ],
      ['b', 'c', 'a'],
    );
    const rows = [
      [0, 0],
      [1, 1],
      [2, 2],
      [-1, 0],
    ];
    const { labels } = await run(model, rows);
    expect(labels).toEqual(model.predict(rows));
  });
});

describe('refused', () => {
  test('a step that ONNX lacks, by name', () => {
    const model = new TextPipeline(new TextVectorizer(), new Perceptron<string>()).fit(
      ['a word', 'another'],
      ['x', 'y'],
    );
    expect(() => toOnnx(model as never)).toThrow(
      new RangeError(
        'the model has a step TextVectorizer, which ONNX does not have; give pipeline.model, which takes the rows that the step makes',
      ),
    );
  });

  test('a table step, and a calibrated model', async () => {
    const table = { columns: { city: ['Rome', 'Paris', 'Rome', 'Paris'] } };
    const pipeline = new TextPipeline(new TableEncoder(), new Perceptron<string>()).fit(table, ['x', 'y', 'x', 'y']);
    expect(() => toOnnx(pipeline as never)).toThrow(/a step TableEncoder, which ONNX does not have/);
    const { X, y } = samples(60, 3, ['a', 'b'], 1);
    const calibrated = await calibrate(new Perceptron({ maxEpochs: 5 }), X, y);
    expect(() => toOnnx(calibrated as never)).toThrow(
      new RangeError('toOnnx writes no probabilities; give calibrated.model'),
    );
  });

  test('what is not a fitted model', () => {
    expect(() => toOnnx({} as never)).toThrow('"model" must be a fitted model, got an object');
    expect(() => toOnnx(new Perceptron() as never)).toThrow(/fit/);
  });
});
