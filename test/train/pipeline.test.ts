// Pipeline against scaling by hand: the same bits, and never half of a fit.

import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { defaultArena } from '../../src/engine/engine.js';
import {
  DualPerceptron,
  loadModel,
  MulticlassPerceptron,
  NotFittedError,
  Perceptron,
  Pipeline,
  PocketPerceptron,
  type Rows,
  Scaler,
  type ScalerKind,
  SparseMatrix,
} from '../../src/index.js';
import { type Any, bits, type ErrorClass, refusesWith, saved, spoil, X, y } from '../model/spoiled.js';
import { anyData, real } from '../samples.js';

const kinds: readonly ScalerKind[] = ['standardize', 'centre', 'unit-ball'];
const makers: [string, (interceptScaling?: number) => Any][] = [
  ['Perceptron', (B = 1) => new Perceptron({ maxEpochs: 5, average: true, interceptScaling: B })],
  ['PocketPerceptron', (B = 1) => new PocketPerceptron({ maxEpochs: 2, interceptScaling: B })],
  ['DualPerceptron', (B = 1) => new DualPerceptron({ maxEpochs: 5, kernel: { type: 'rbf' }, interceptScaling: B })],
  ['MulticlassPerceptron', (B = 1) => new MulticlassPerceptron({ maxEpochs: 5, interceptScaling: B })],
];
const cases = makers.flatMap(([name, make]) =>
  kinds.map((kind): [string, ScalerKind, typeof make] => [name, kind, make]),
);
const far = X.map((x) => x.map((v) => 30 * v + 7));

// A pipeline makes matrices wherever rows go through it, and gives all of them back.
let live: { liveBytes: number; blocks: number };
beforeEach(() => {
  live = defaultArena.usage;
});
afterEach(() => {
  expect(defaultArena.usage).toMatchObject({ liveBytes: live.liveBytes, blocks: live.blocks });
});

/** Scores of either form. */
const scores = (found: Float64Array | { data: Float64Array }) => bits('data' in found ? found.data : found);

test.each(cases)('a %s after %s does what scaling by hand does, to the bit', async (_name, kind, make) => {
  const scaler = new Scaler({ kind }).fit(far);
  const rows = scaler.transform(far);
  const model = make(scaler.interceptScaling).fit(rows, y);
  for (const pipeline of [
    new Pipeline<string>(new Scaler({ kind }), make()).fit(far, y),
    await new Pipeline<string>(new Scaler({ kind }), make()).fitAsync(far, y),
    new Pipeline<string>(scaler, model),
  ]) {
    expect(pipeline.scaler.toJSON()).toEqual(scaler.toJSON());
    expect(JSON.stringify(pipeline.model)).toBe(JSON.stringify(model));
    expect(scores(pipeline.decisionFunction(far))).toEqual(scores(model.decisionFunction(rows)));
    expect(scores(pipeline.decisionFunction(far, { last: true }))).toEqual(
      scores(model.decisionFunction(rows, { last: true })),
    );
    expect(pipeline.predict(far)).toEqual(model.predict(rows));
    expect(far.map((x) => pipeline.predictOne(x))).toEqual(model.predict(rows));
    expect(pipeline.score(far, y)).toBe(model.score(rows, y));
    expect(pipeline.classes).toEqual(['no', 'yes']);
    expect(pipeline.report).toBe(pipeline.model.report);
    expect(pipeline.predict([])).toEqual([]);
    expect(pipeline.loss(far, y)).toBe(model.loss(rows, y));
    expect(pipeline.diagnose(far, y)).toEqual(model.diagnose(rows, y));
    expect(pipeline.explain(far[1] as number[])).toEqual(model.explain(rows.row(1)));
  }
  rows.dispose();
});

test.each(makers)(
  'a %s after a unit-ball scaler takes one sparse row, with what it says of the dense one',
  (_name, make) => {
    const pipeline = new Pipeline<string>(new Scaler({ kind: 'unit-ball' }), make()).fit(far, y);
    for (const x of [...far, X[0] as number[]]) {
      const indices = [...x.keys()].filter((k) => x[k] !== 0);
      const row = { indices, values: indices.map((k) => x[k] as number) };
      expect(pipeline.predictOne(row)).toBe(pipeline.predictOne(x));
      expect(pipeline.explain(row)).toEqual(pipeline.explain(x));
      expect(pipeline.explain(row, { top: 1 })).toEqual(pipeline.explain(x).slice(0, 1));
    }
  },
);

test('a pipeline that subtracts means refuses one sparse row as it refuses many', () => {
  const pipeline = new Pipeline(new Scaler({ kind: 'standardize' }), new Perceptron()).fit(far, y);
  const row = { indices: [0], values: [1] };
  for (const act of [() => pipeline.predictOne(row), () => pipeline.explain(row)]) {
    expect(act).toThrow(/^this Scaler subtracts means, which would fill every zero of sparse rows;/);
  }
});

test.each(cases)('a %s after %s survives JSON to the bit, in one file', (_name, kind, make) => {
  const pipeline = new Pipeline<string>(new Scaler({ kind }), make()).fit(far, y);
  for (const json of [saved(pipeline), { ...saved(pipeline), data: { label: 3 } }]) {
    for (const loaded of [loadModel<string>(json), Pipeline.fromJSON<string>(json)]) {
      expect(loaded).toBeInstanceOf(Pipeline);
      expect(JSON.stringify(loaded)).toBe(JSON.stringify(pipeline));
      expect(scores(loaded.decisionFunction(far))).toEqual(scores(pipeline.decisionFunction(far)));
    }
  }
  // Loaded, it is fitted anew as if it had never been saved.
  const other = far.slice(5).map((x) => x.map((v) => v / 3));
  const again = Pipeline.fromJSON<string>(saved(pipeline)).fit(other, y.slice(5));
  expect(JSON.stringify(again)).toBe(JSON.stringify(pipeline.fit(other, y.slice(5))));
});

test('in the unit ball training takes the path of unscaled rows, without a word about the bias (SPEC §4)', () => {
  const pipeline = new Pipeline(new Scaler({ kind: 'unit-ball' }), new Perceptron<string>({ maxEpochs: 300 }));
  pipeline.fit(far, y);
  const plain = new Perceptron<string>({ maxEpochs: 300 }).fit(far, y);
  expect(pipeline.report.mistakesByEpoch).toEqual(plain.report.mistakesByEpoch);
  expect(pipeline.model.toJSON().options.interceptScaling).toBe(pipeline.scaler.interceptScaling);
  // Larger rows, a smaller constant: the one before is not multiplied with.
  const larger = far.map((x) => x.map((v) => 4 * v));
  const before = pipeline.scaler.interceptScaling;
  expect(pipeline.fit(larger, y).model.toJSON().options.interceptScaling).toBe(before / 4);
});

test('sparse rows stay sparse in the unit ball, with the bits of dense ones; what would fill them is refused', () => {
  const sparse = SparseMatrix.fromDense(X);
  for (const [, make] of makers) {
    const whole = new Pipeline<string>(new Scaler({ kind: 'unit-ball' }), make()).fit(X, y);
    const pipeline = new Pipeline<string>(new Scaler({ kind: 'unit-ball' }), make()).fit(sparse, y);
    expect(scores(pipeline.decisionFunction(sparse))).toEqual(scores(whole.decisionFunction(X)));
    expect(pipeline.predict(sparse)).toEqual(X.map((x) => whole.predictOne(x)));
    const other = new Pipeline<string>(new Scaler({ kind: 'standardize' }), make());
    expect(() => other.fit(sparse, y)).toThrow(RangeError);
    expect(() => other.scaler.means).toThrow(NotFittedError);
  }
  sparse.dispose();
});

test.each<ScalerKind>(['standardize', 'centre'])('with %s the constant feature stays the one asked for', (kind) => {
  const pipeline = new Pipeline(new Scaler({ kind }), new Perceptron<string>({ interceptScaling: 3 })).fit(far, y);
  expect(pipeline.model.toJSON().options.interceptScaling).toBe(3);
});

test.each(kinds)('a fit that fails leaves %s and model as they were, fitted or not', async (kind) => {
  const fresh = new Pipeline<string>(new Scaler({ kind }), new Perceptron<string>({ interceptScaling: 2 }));
  const pipeline = new Pipeline<string>(new Scaler({ kind }), new Perceptron<string>()).fit(far, y);
  const before = JSON.stringify(pipeline);
  const wider = X.map((x) => [...x, 1]);
  const holed = X.map((x, i) => (i === 7 ? [0, Number.NaN, 0] : x));
  const acts: [Rows, string[], ErrorClass, RegExp][] = [
    [wider, y.map(() => 'yes'), RangeError, /^y has one class only/],
    [X, y.slice(1), RangeError, /^y has 39 labels, X has 40 rows$/],
    [holed, y, RangeError, /^X\[7\]\[1\] is NaN$/],
    [[], [], RangeError, /^X is empty/],
    [X.map((x) => x.map((v) => v * 1e308)), y, RangeError, /too large to scale/],
  ];
  for (const [rows, labels, type, message] of acts) {
    for (const p of [pipeline, fresh]) {
      expect(() => p.fit(rows, labels)).toThrow(expect.objectContaining({ constructor: type }));
      expect(() => p.fit(rows, labels)).toThrow(message);
      await expect(p.fitAsync(rows, labels)).rejects.toThrow(message);
    }
  }
  expect(JSON.stringify(pipeline)).toBe(before);
  for (const use of [() => fresh.scaler.means, () => fresh.model.weights]) expect(use).toThrow(NotFittedError);
  // The constant feature it was made with is still there: a fit by hand takes it.
  expect(fresh.model.fit(X, y).toJSON().options.interceptScaling).toBe(2);
});

test('a fit that is aborted leaves both as they were; kept partly, both are new', async () => {
  const options = { maxEpochs: 1_000_000, onEpoch: () => control.abort() };
  let control = new AbortController();
  const pipeline = new Pipeline<string>(new Scaler({ kind: 'unit-ball' }), new Perceptron<string>(options));
  await expect(pipeline.fitAsync(far, y, { signal: control.signal })).rejects.toThrow('abort');
  expect(() => pipeline.scaler.means).toThrow(NotFittedError);
  control = new AbortController();
  await pipeline.fitAsync(far, y, { signal: control.signal, keepPartial: true });
  expect(pipeline.report.stopReason).toBe('aborted');
  expect(pipeline.scaler.toJSON()).toEqual(new Scaler({ kind: 'unit-ball' }).fit(far).toJSON());
});

test('a fit during a fitAsync that is aborted later keeps its own constant feature', async () => {
  const control = new AbortController();
  const pipeline = new Pipeline<string>(new Scaler({ kind: 'unit-ball' }), new Perceptron<string>({ maxEpochs: 1e9 }));
  const never = [[1], [1], [2], [2]]; // no plane separates equal rows
  let long: Promise<unknown> = Promise.resolve();
  await new Promise<void>((resolve) => {
    const options = { signal: control.signal, onEpoch: () => resolve() };
    long = pipeline.fitAsync(never, ['yes', 'no', 'yes', 'no'], options);
  });
  pipeline.fit([[8], [-8]], ['yes', 'no']);
  control.abort();
  await expect(long).rejects.toThrow('abort');
  expect(pipeline.scaler.interceptScaling).toBe(1 / 8);
  expect(pipeline.model.packed().options.interceptScaling).toBe(1 / 8);
});

test('while fitAsync is at work, the pipeline predicts as before', async () => {
  const pipeline = new Pipeline<string>(new Scaler({ kind: 'standardize' }), new Perceptron<string>({ maxEpochs: 3 }));
  const before = pipeline.fit(X, y).predict(X);
  const flipped = y.map((label) => (label === 'yes' ? 'no' : 'yes'));
  const done = pipeline.fitAsync(far, flipped);
  expect(pipeline.predict(X)).toEqual(before);
  await done;
  expect(pipeline.predict(X)).not.toEqual(before);
});

test('one by one, rows are predicted as they are all at once', () => {
  fc.assert(
    fc.property(anyData(real), fc.constantFrom(...kinds), ({ X: rows, y: labels }, kind) => {
      const pipeline = new Pipeline<number>(new Scaler({ kind }), new Perceptron<number>({ maxEpochs: 3 }));
      fc.pre(kind !== 'unit-ball' || rows.some((x) => Math.hypot(...x) > 1e-150) || rows.flat().every((v) => v === 0));
      pipeline.fit(rows, labels);
      expect(rows.map((x) => pipeline.predictOne(x))).toEqual(pipeline.predict(rows));
    }),
    { numRuns: 50 },
  );
});

test('values too small for the unit ball are refused, and the pipeline stays as it was', () => {
  const pipeline = new Pipeline<number>(new Scaler({ kind: 'unit-ball' }), new Perceptron<number>());
  expect(() => pipeline.fit([[0], [-2e-162]], [1, -1])).toThrow(
    /^X is too small for kind 'unit-ball': its longest row has length 2\.[0-9]+e-162; scale X up$/,
  );
  expect(() => pipeline.predict([[1]])).toThrow('not fitted');
  expect(pipeline.fit([[3], [-1]], [1, -1]).predict([[2]])).toEqual([1]);
});

test('what is not a scaler or not a model is refused', () => {
  const scaler = new Scaler({ kind: 'centre' });
  const model = new Perceptron();
  for (const [a, b] of [
    [model, scaler],
    [undefined, model],
    [scaler, new Pipeline(scaler, model)],
    [scaler, { predict() {} }],
    [scaler, null],
  ] as Any[]) {
    expect(() => new Pipeline(a, b)).toThrow(/^Pipeline takes one or more steps, .* then a perceptron; got .*, .*$/);
  }
  expect(() => new (Pipeline as Any)([scaler, model])).toThrow(/; got \[Scaler,Perceptron\]$/);
  expect(() => new (Pipeline as Any)(model, scaler)).toThrow(/; got Perceptron, Scaler$/);
});

test('before fit, and for other columns, an error says so', () => {
  const pipeline = new Pipeline(new Scaler({ kind: 'centre' }), new Perceptron<string>());
  for (const use of [() => pipeline.predict(X), () => pipeline.predictOne([1]), () => pipeline.toJSON()]) {
    expect(use).toThrow(NotFittedError);
  }
  pipeline.fit(X, y);
  expect(() => pipeline.predict([[1, 2]])).toThrow('X has 2 columns, the scaler was fitted on 3');
  expect(() => pipeline.predictOne([1, 2])).toThrow('x has 2 values, the model was fitted on 3 columns');
  expect(() => pipeline.predict(X, { latest: true } as Any)).toThrow(/has no option "latest"/);
  expect(() => (pipeline as Any).fit(X, y, { sampleWeight: [] })).toThrow(
    /^"sampleWeight" has 0 weights, X has \d+ rows$/,
  );
});

const good = saved(new Pipeline<string>(new Scaler({ kind: 'standardize' }), new Perceptron<string>()).fit(X, y));
const dual = saved(
  new Pipeline<string>(new Scaler({ kind: 'centre' }), new DualPerceptron<string>({ maxEpochs: 2 })).fit(X, y),
);

test.each<[string, unknown, ErrorClass, string | RegExp]>([
  ['version', 2, RangeError, 'model JSON: version 2 is not known here; this release reads version 1'],
  ['scaler', undefined, TypeError, 'model JSON: scaler must be an object, got undefined'],
  ['scaler', '{}', TypeError, 'model JSON: scaler must be an object, got "{}"'],
  ['scaler.type', 'perceptron', RangeError, 'model JSON: scaler.type must be "scaler", got "perceptron"'],
  ['scaler.version', 3, RangeError, 'model JSON: scaler.version 3 is not known here; this release reads version 1'],
  ['scaler.kind', 'minmax', RangeError, /^model JSON: scaler\.kind must be one of .*, got "minmax"$/],
  ['scaler.means[1]', null, TypeError, 'model JSON: scaler.means[1] must be a finite number, got null'],
  ['scaler.scales[0]', 0, RangeError, 'model JSON: scaler.scales[0] must be a number > 0, got 0'],
  ['model', undefined, TypeError, 'model JSON: model must be an object, got undefined'],
  ['model', [], TypeError, 'model JSON: model must be an object, got an array of 0'],
  ['model.type', 'pipeline', RangeError, /^model JSON: model\.type must be "perceptron" or .*, got "pipeline"$/],
  ['model.weights[2]', 'x', TypeError, 'model JSON: model.weights[2] must be a finite number, got "x"'],
  ['model.weights', [1, 2], RangeError, 'model JSON: scaler.means must have 2 values, got 3'],
  ['model.training.seen', -1, RangeError, 'model JSON: model.training.seen must be an integer ≥ 0, got -1'],
  ['model.options.engine', 'js', RangeError, 'model JSON: model.options.engine cannot come from a file'],
  ['model.options.margin', -1, RangeError, 'model JSON: model: "margin" must be a number ≥ 0, got -1'],
])('a file whose %s is %j is refused', (path, value, type, message) => {
  refusesWith(loadModel, Pipeline.fromJSON)(spoil(good, path, value), type, message);
});

test('parts that do not belong together are refused', () => {
  const refuses = refusesWith(loadModel, Pipeline.fromJSON);
  const narrow = new Scaler({ kind: 'centre' }).fit([[1, 2]]).toJSON();
  refuses({ ...dual, scaler: narrow }, RangeError, 'model JSON: scaler.means must have 3 values, got 2');
  refuses({ ...good, scaler: narrow }, RangeError, 'model JSON: scaler.means must have 3 values, got 2');
  // A field that means nothing to this type of model does not count.
  const stray = { ...good, scaler: narrow, model: { ...good.model, cols: 2 } };
  refuses(stray, RangeError, 'model JSON: scaler.means must have 3 values, got 2');
});
