// Pipelines of any steps: texts, tables, scalers and steps of other people, fitted as one and never by half.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { defaultArena } from '../../src/engine/engine.js';
import {
  DenseMatrix,
  DualPerceptron,
  loadModel as loadOfCore,
  MulticlassPerceptron,
  NotFittedError,
  Perceptron,
  Pipeline,
  Scaler,
} from '../../src/index.js';
import { readModel, saveModel } from '../../src/io/index.js';
import { loadPredictor } from '../../src/predict/index.js';
import { loadModel, TableEncoder, TextVectorizer } from '../../src/prepare/index.js';
import { Random } from '../../src/random.js';
import { type Any, bits } from '../model/spoiled.js';

const random = Random.seeded(18);
const words = ['refund', 'invoice', 'crash', 'login', 'Größe', 'slow', 'paid', 'the', 'screen', '日本語'];
const texts = Array.from({ length: 60 }, () =>
  Array.from({ length: 1 + random.below(8) }, () => words[random.below(words.length)]!).join(' '),
);
const kinds = texts.map((text) => (/refund|paid/.test(text) ? 'money' : 'other'));
const three = texts.map((text) => (/refund|paid/.test(text) ? 'money' : /crash/.test(text) ? 'bug' : 'other'));
const table = texts.map((body, i) => ({
  body,
  size: i % 7 === 0 ? null : random.below(1000),
  plan: ['free', 'team', 'pro'][random.below(3)]!,
}));

let blocks = 0;
beforeEach(() => {
  blocks = defaultArena.usage.blocks;
});
afterEach(() => {
  expect(defaultArena.usage.blocks, 'blocks of the arena are left').toBe(blocks);
});

const scoresOf = (found: Float64Array | { data: Float64Array }) => bits('data' in found ? found.data : found);
const through = (model: object) => JSON.parse(JSON.stringify(model));

type AnyPipeline = Omit<Pipeline<string, Any, Any>, 'explain' | 'predictOne'> & {
  explain(x: unknown, options?: object): { name?: string }[];
  predictOne(x: unknown): string;
};
interface Case {
  readonly name: string;
  make(): AnyPipeline;
  readonly X: readonly Any[];
  readonly y: string[];
}

const encoder = () => new TableEncoder({ missing: 'median', indicator: true });
const cases: Case[] = [
  {
    name: 'hashed words',
    make: () => new Pipeline(new TextVectorizer({ features: 2 ** 12 }), new Perceptron<string>({ average: true })),
    X: texts,
    y: kinds,
  },
  {
    name: 'words by TF-IDF, three classes',
    make: () =>
      new Pipeline(
        new TextVectorizer({ method: 'vocabulary', weighting: 'tf-idf', ngrams: [1, 2] }),
        new MulticlassPerceptron<string>({ maxEpochs: 5 }),
      ),
    X: texts,
    y: three,
  },
  {
    name: 'words in the unit ball, rbf',
    make: () =>
      new Pipeline(
        new TextVectorizer({ method: 'vocabulary', norm: 'none' }),
        new Scaler({ kind: 'unit-ball' }),
        new DualPerceptron<string>({ kernel: 'rbf', maxEpochs: 5 }),
      ),
    X: texts,
    y: kinds,
  },
  {
    name: 'a table',
    make: () => new Pipeline(encoder(), new Perceptron<string>({ maxEpochs: 20 })),
    X: table,
    y: kinds,
  },
  {
    name: 'a table without text, scaled twice',
    make: () =>
      new Pipeline(
        new TableEncoder({ columns: { body: 'ignore' }, missing: 'mean' }),
        new Scaler({ kind: 'standardize' }),
        new Scaler({ kind: 'unit-ball' }),
        new MulticlassPerceptron<string>({ maxEpochs: 5, strategy: 'multinomial' }),
      ),
    X: table,
    y: three,
  },
];

describe.each(cases)('$name', ({ make, X, y }) => {
  test('does what its parts do one after the other, to the bit', async () => {
    const pipeline = make().fit(X, y);
    let rows: Any = X;
    for (const step of make().steps as unknown as Any[]) {
      const made = step.fit(rows).transform(rows);
      if (rows !== X) rows.dispose();
      rows = made;
    }
    expect(scoresOf(pipeline.decisionFunction(X))).toEqual(scoresOf(pipeline.model.decisionFunction(rows)));
    rows.dispose();
    expect(JSON.stringify(await make().fitAsync(X, y))).toBe(JSON.stringify(pipeline));
    expect(JSON.stringify(pipeline.fit(X, y))).toBe(JSON.stringify(make().fit(X, y)));
    expect(pipeline.predict([])).toEqual([]);
  });

  test('predicts one by one, loaded and served, as all at once', async () => {
    const pipeline = make().fit(X, y);
    const predicted = pipeline.predict(X);
    expect(X.map((x) => pipeline.predictOne(x))).toEqual(predicted);
    expect(pipeline.score(X, y)).toBeGreaterThan(0.4);
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const [read] = await Promise.all([readModel<string>(readable), saveModel(pipeline, writable)]);
    for (const loaded of [
      loadModel<string>(through(pipeline)),
      loadModel<string>(structuredClone(pipeline.toJSON())),
      read,
    ]) {
      expect(JSON.stringify(loaded)).toBe(JSON.stringify(pipeline));
      expect(scoresOf(loaded.decisionFunction(X))).toEqual(scoresOf(pipeline.decisionFunction(X)));
    }
    const served = loadPredictor<string>(through(pipeline));
    expect(scoresOf(served.decisionFunction(X))).toEqual(scoresOf(pipeline.decisionFunction(X)));
    expect(served.predict(X)).toEqual(predicted);
    expect(X.map((x) => served.predictOne(x))).toEqual(predicted);
    expect(served.predict([])).toEqual([]);
  });

  test('a fit that fails leaves every step and the model as they were, fitted or not', async () => {
    const fresh = make();
    const pipeline = make().fit(X, y);
    const before = JSON.stringify(pipeline);
    const bad = [...X.slice(0, 9), 7, ...X.slice(10)];
    for (const each of [fresh, pipeline]) {
      for (const [rows, labels] of [
        [X, y.slice(1)],
        [X, y.map(() => 'money')],
        [bad, y],
        [7, y],
        [[], []],
      ]) {
        expect(() => each.fit(rows, labels as string[])).toThrow();
        await expect(each.fitAsync(rows, labels as string[])).rejects.toThrow();
      }
      const control = new AbortController();
      const underWay = each.fitAsync(X, y, { signal: control.signal });
      control.abort();
      await expect(underWay).rejects.toThrow('abort');
    }
    expect(JSON.stringify(pipeline)).toBe(before);
    expect(() => fresh.toJSON()).toThrow(NotFittedError);
    for (const step of make().steps.filter(({ isReady }) => !isReady))
      expect(() => step.toJSON()).toThrow(NotFittedError);
  });

  test('the core names the entry that reads it', () => {
    const json = through(make().fit(X, y));
    const expected = new RegExp(
      `^model JSON: steps\\[0\\]\\.type must be .*perceptron-wasm/prepare.*, got "${json.steps[0].type}"$`,
    );
    expect(() => loadOfCore(json)).toThrow(expected);
    expect(() => Pipeline.fromJSON(json)).toThrow(expected);
  });
});

test('explains by words, columns and values', () => {
  const byWord = cases[0]!.make().fit(texts, kinds) as AnyPipeline;
  expect(
    byWord
      .explain('a refund was paid', { top: 2 })
      .map(({ name }) => name)
      .sort(),
  ).toEqual(['paid', 'refund']);
  const scaled = new Pipeline(
    new TextVectorizer({ method: 'vocabulary', norm: 'none' }),
    new Scaler({ kind: 'unit-ball' }),
    new Perceptron<string>(),
  ).fit(texts, kinds);
  expect(scaled.explain('refund', { top: 1 })[0]?.name).toBe('refund');
  const kernel = cases[2]!.make().fit(texts, kinds) as AnyPipeline;
  expect(kernel.explain('refund').every(({ name }) => name === undefined)).toBe(true);
  const byColumn = cases[3]!.make().fit(table, kinds) as AnyPipeline;
  const names = byColumn.explain(table[0], { top: Infinity }).map(({ name }) => name);
  expect(names.every((name) => /^(body:|size|plan=)/.test(String(name)))).toBe(true);
});

test('hashing needs no fit: partialFit and fitStream in any blocks', async () => {
  const make = () =>
    new Pipeline(new TextVectorizer({ features: 2 ** 10 }), new Perceptron<string>({ classes: ['money', 'other'] }));
  const one = make();
  for (let i = 0; i < 60; i += 20) one.partialFit(texts.slice(i, i + 20), kinds.slice(i, i + 20));
  expect(one.score(texts, kinds)).toBeGreaterThan(0.7);
  const whole = new Pipeline(
    new TextVectorizer({ features: 2 ** 10 }),
    new Perceptron<string>({ maxEpochs: 1, classes: ['money', 'other'] }),
  ).fit(texts, kinds);
  for (const size of [60, 7, 1]) {
    const pipeline = make();
    await pipeline.fitStream(
      (function* () {
        for (let i = 0; i < 60; i += size) yield { X: texts.slice(i, i + size), y: kinds.slice(i, i + size) };
        yield { X: [], y: [] };
      })(),
    );
    expect([...pipeline.model.weights]).toEqual([...whole.model.weights]);
  }
  const fails = make();
  const stream = [
    { X: texts, y: kinds },
    { X: [3], y: ['money'] },
  ] as Any;
  await expect(fails.fitStream(stream)).rejects.toThrow(/^block 1: texts\[0\] must be a string, got 3$/);
  await expect(make().fitStream([null] as Any)).rejects.toThrow('block 0 must be { X, y }, got null');
  await expect(make().fitStream(7 as Any)).rejects.toThrow('"blocks" must be an iterable');
});

test('what must be fitted first is named', async () => {
  const pipeline = new Pipeline(
    new TextVectorizer({ method: 'vocabulary' }),
    new Scaler({ kind: 'unit-ball' }),
    new Perceptron<string>({ classes: ['money', 'other'] }),
  );
  const expected = 'trains the model alone: fit steps[0] (TextVectorizer) first, by itself or with fit of the pipeline';
  expect(() => pipeline.partialFit(texts, kinds)).toThrow(`partialFit ${expected}`);
  await expect(pipeline.fitStream([{ X: texts, y: kinds }])).rejects.toThrow(`fitStream ${expected}`);
  pipeline.fit(texts, kinds);
  const scaling = pipeline.scaler.interceptScaling;
  expect(pipeline.partialFit(texts, kinds).model.toJSON().options.interceptScaling).toBe(scaling);
});

test('texts that can be read only once', () => {
  const pipeline = new Pipeline(new TextVectorizer({ method: 'vocabulary' }), new Perceptron<string>());
  expect(pipeline.fit(texts.values(), kinds).predict(texts.values())).toEqual(pipeline.predict(texts));
});

/** What somebody else may write. */
class Doubled {
  factor = 0;
  fit(X: readonly (readonly number[])[]) {
    this.factor = X.length > 0 ? 2 : 1;
    return this;
  }
  transform(X: readonly (readonly number[])[]) {
    return DenseMatrix.from(X.map((x) => x.map((v) => this.factor * v)));
  }
  toJSON() {
    return { type: 'doubled', factor: this.factor };
  }
  static fromJSON(json: Any) {
    return Object.assign(new Doubled(), { factor: json.factor });
  }
}

test('steps of other people', async () => {
  const X = [
    [3, 3],
    [4, 3],
    [1, 1],
  ];
  const y = ['yes', 'yes', 'no'];
  const pipeline = new Pipeline(new Doubled(), new Scaler({ kind: 'centre' }), new Perceptron<string>()).fit(X, y);
  expect(pipeline.predict(X)).toEqual(y);
  expect(X.map((x) => pipeline.predictOne(x))).toEqual(y);
  expect(pipeline.explain([4, 3])).toHaveLength(2);
  const json = through(pipeline);
  expect(json.steps.map(({ type }: Any) => type)).toEqual(['doubled', 'scaler']);
  expect(loadModel(json, { steps: { doubled: Doubled.fromJSON } }).predict(X)).toEqual(y);
  expect(() => loadModel(json)).toThrow(
    /^model JSON: steps\[0\]\.type must be scaler or text-vectorizer, .*, got "doubled"$/,
  );
  expect(JSON.stringify(await pipeline.fitAsync(X, y))).toBe(JSON.stringify(json));
  const same = { fit() {}, transform: (rows: Any) => rows, toJSON: () => ({ type: 'same' }) };
  const matrix = DenseMatrix.from(X);
  const plain = new Pipeline(same, new Scaler({ kind: 'centre' }), { ...same } as Any, new Perceptron<string>()).fit(
    matrix,
    y,
  );
  expect(plain.predict(matrix)).toEqual(y);
  expect(matrix.rows).toBe(3);
  matrix.dispose();
  expect(() => plain.scaler.means).not.toThrow();
  expect(() => new Pipeline(same, new Perceptron()).scaler).toThrow(TypeError);
  expect(() => new (Pipeline as Any)(same, same, new Perceptron())).toThrow(/^Pipeline takes one or more steps/);
});

test('files whose parts do not fit one another are refused', () => {
  const json = through(cases[2]!.make().fit(texts, kinds));
  const [text, scaler] = json.steps;
  const narrow = through(new Scaler({ kind: 'unit-ball' }).fit([[1, 2]]));
  const refused: [object, RegExp][] = [
    [{ ...json, steps: [] }, /^model JSON: steps must be one or more steps, got an array of 0$/],
    [{ ...json, steps: {} }, /^model JSON: steps must be an array, got an object$/],
    [{ ...json, steps: [text, 3] }, /^model JSON: steps\[1\] must be an object, got 3$/],
    [{ ...json, steps: [text, narrow] }, /^model JSON: steps\[0\] makes 10 columns, but steps\[1\] takes 2$/],
    [{ ...json, steps: [narrow] }, /^model JSON: steps\[0\] makes 2 columns, but the model takes 10$/],
    [{ ...json, steps: [text, { ...scaler, kind: 'x' }] }, /^model JSON: steps\[1\]\.kind must be/],
    [{ ...json, steps: [{ ...text, digest: 1 }, scaler] }, /^model JSON: steps\[0\]\.options are not those/],
    [{ ...json, steps: [{ ...text, vocabulary: ['a', 'b'] }, scaler] }, /^model JSON: steps\[0\] makes 2 columns/],
  ];
  for (const [file, message] of refused) {
    expect(() => loadModel(file)).toThrow(message);
    expect(() => loadPredictor(file)).toThrow(message);
  }
  expect(() => loadModel({ ...json, steps: [scaler, text] })).toThrow(
    'model JSON: steps[1] takes text or a table, so it must be the first step',
  );
  expect(() => loadPredictor({ ...json, steps: [scaler, text] })).toThrow('model JSON: steps[1].type must be "scaler"');
  expect(() => loadModel(json, { allowPattern: true } as Any)).toThrow('do you mean "allowPatterns"?');
  expect(() => loadPredictor(json, { allowPattern: true } as Any)).toThrow(
    new RangeError('loadPredictor has no option "allowPattern"'),
  );
  expect(() => loadModel(json, { steps: { x: 3 } } as Any)).toThrow('"steps.x" must be a function, got 3');
});

test('patterns of a file are used only where they are allowed', async () => {
  const pipeline = new Pipeline(new TextVectorizer({ tokens: /[a-z]+/ }), new Perceptron<string>()).fit(texts, kinds);
  const json = through(pipeline);
  const loads: (typeof loadPredictor)[] = [loadModel, loadPredictor];
  for (const load of loads) {
    expect(() => load(json)).toThrow(/^model JSON: steps\[0\]\./);
    expect(load(json, { allowPatterns: true }).predict(texts)).toEqual(pipeline.predict(texts));
  }
  const bytes = new TextEncoder().encode(JSON.stringify(json));
  await expect(readModel(bytes)).rejects.toThrow(/allowPatterns/);
  expect((await readModel(bytes, { allowPatterns: true })).predict(texts)).toEqual(pipeline.predict(texts));
});

test('diagnose passes its options on', () => {
  const X = [
    [3, 3],
    [4, 3],
    [1, 1],
  ];
  const pipeline = new Pipeline(new Scaler({ kind: 'centre' }), new Perceptron()).fit(X, ['yes', 'yes', 'no']);
  expect(pipeline.diagnose(X, ['yes', 'yes', 'no'], { prove: true }).separable).toBe('yes');
});

test('columns without rows are no rows, as in loadPredictor', () => {
  const table = [{ a: 1 }, { a: 2 }];
  const pipeline = new Pipeline(new TableEncoder(), new Perceptron<string>()).fit(table, ['no', 'yes']);
  const { predict } = loadPredictor(JSON.parse(JSON.stringify(pipeline)));
  for (const nothing of [[], { columns: { a: [] } }]) {
    expect([pipeline.predict(nothing as never), predict(nothing as never)]).toEqual([[], []]);
  }
  for (const each of [(X: never) => pipeline.predict(X), (X: never) => predict(X)]) {
    expect(() => each({ columns: {} } as never)).toThrow(RangeError);
  }
});
