// One suite for every estimator, as scikit-learn's check_estimator: what users may expect of each, whatever it computes.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { defaultArena } from '../../src/engine/engine.js';
import { DenseMatrix, loadModel, NotFittedError, type Rows, SparseMatrix } from '../../src/index.js';
import { loadPredictor } from '../../src/predict/index.js';
import { Random } from '../../src/random.js';
import { engines } from '../engines.js';
import { type Classifier, estimators } from './estimators.js';

const random = Random.seeded(17);
const integer = () => random.below(19) - 9;
/** 60 rows of small integers with noise, so that no plane separates them; a few zeros for sparse storage. */
const X = Array.from({ length: 60 }, () => Array.from({ length: 5 }, () => (random.below(4) === 0 ? 0 : integer())));
const plane = (x: readonly number[]) => 2 * x[0]! - x[1]! + x[4]! + 1;
const two = X.map((x, i) => (plane(x) > 0 !== (i % 11 === 0) ? 'yes' : 'no'));
const three = X.map((x, i) => (i % 13 === 0 ? 'b' : plane(x) > 4 ? 'c' : plane(x) < -4 ? 'a' : 'b'));
const options = { maxEpochs: 6, seed: 3 };

const bitsOf = (scores: ReturnType<Classifier['decisionFunction']>) => {
  const data = ArrayBuffer.isView(scores) ? scores : scores.data;
  return new BigUint64Array(data.slice().buffer);
};
const textOf = (model: Classifier) => JSON.stringify(model);
const frozen = <T extends object>(value: T): T => {
  for (const inner of Object.values(value)) if (typeof inner === 'object' && inner !== null) frozen(inner);
  return Object.freeze(value);
};
const errorOf = (call: () => unknown): Error => {
  try {
    call();
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was thrown');
};

let blocksBefore = 0;
beforeEach(() => {
  blocksBefore = defaultArena.usage.blocks;
});
afterEach(() => {
  expect(defaultArena.usage.blocks, 'blocks of the arena are left').toBe(blocksBefore);
});

describe.each(estimators)('$name', (estimator) => {
  const { make, fromJSON, isMulticlass, takesSparse, divides, scales } = estimator;
  const y = isMulticlass ? three : two;
  const fitted = () => make(options).fit(X, y);

  // ---- before fit -------------------------------------------------------------------------------------------

  test('works with no options at all', () => {
    expect(make().fit(X, y).predict(X)).toHaveLength(60);
  });

  test('predict before fit is a NotFittedError', () => {
    const calls = [
      (model: Classifier) => model.predict(X),
      (model: Classifier) => model.predictOne(X[0]!),
      (model: Classifier) => model.decisionFunction(X),
      (model: Classifier) => model.score(X, y),
      (model: Classifier) => model.classes,
      (model: Classifier) => model.report,
      (model: Classifier) => model.toJSON(),
    ];
    for (const call of calls) expect(errorOf(() => call(make(options)))).toBeInstanceOf(NotFittedError);
  });

  // ---- fit --------------------------------------------------------------------------------------------------

  test('fit returns the model itself', async () => {
    const model = make(options);
    expect(model.fit(X, y)).toBe(model);
    expect(await model.fitAsync(X, y)).toBe(model);
  });

  test('fit is idempotent: a second fit, and a fit after other data, give the same model', () => {
    const model = fitted();
    const once = textOf(model);
    expect(textOf(model.fit(X, y))).toBe(once);
    model.fit(
      X.slice(0, 20).map((x) => x.slice(0, 3)),
      y.slice(0, 20),
    );
    expect(textOf(model.fit(X, y))).toBe(once);
  });

  test('fit, fitAsync and every engine give one model', async () => {
    const texts = new Set([textOf(fitted())]);
    for (const engine of engines) texts.add(textOf(make({ ...options, engine }).fit(X, y)));
    texts.add(textOf(await make(options).fitAsync(X, y)));
    texts.add(textOf(await make(options).fitAsync(X, y, { threads: 2 })));
    expect(texts.size).toBe(1);
  });

  test('does not change what it is given, and takes frozen, typed and shared arrays', () => {
    const expected = textOf(fitted());
    const rows = structuredClone(X);
    const labels = [...y];
    expect(textOf(make(options).fit(frozen(rows), frozen(labels)))).toBe(expected);
    expect([rows, labels]).toEqual([X, y]);
    const shared = new Float64Array(new SharedArrayBuffer(8 * 300));
    shared.set(X.flat());
    const inputs: Rows[] = [
      X.map((x) => Float64Array.from(x)),
      ...(scales ? [] : [{ data: Float32Array.from(X.flat()), rows: 60, cols: 5 }, X.map((x) => Float32Array.from(x))]),
      X.map((x) => Int8Array.from(x)),
      { data: Float64Array.from(X.flat()), rows: 60, cols: 5 },
      { data: shared, rows: 60, cols: 5 },
      Object.assign(Object.create(null), { ...X, length: 60 }),
    ];
    for (const input of inputs) expect(textOf(make(options).fit(input, labels))).toBe(expected);
    expect(shared).toEqual(Float64Array.from(X.flat()));
  });

  test('takes rows in its own memory, and leaves them alive', () => {
    const expected = bitsOf(fitted().decisionFunction(X));
    const matrices = [
      DenseMatrix.from(X),
      ...(scales ? [] : [DenseMatrix.from(X, { dtype: 'float32' })]),
      ...(takesSparse && !divides ? [SparseMatrix.fromDense(X)] : []),
    ];
    for (const matrix of matrices) {
      const model = make(options).fit(matrix, y);
      expect(bitsOf(model.decisionFunction(X))).toEqual(expected);
      expect(model.predict(matrix)).toEqual(model.predict(X));
      matrix.dispose();
    }
  });

  test('takes sparse rows, or says that it cannot', () => {
    const matrix = SparseMatrix.fromDense(X);
    try {
      if (takesSparse) expect(make(options).fit(matrix, y).predict(matrix)).toHaveLength(60);
      else expect(() => make(options).fit(matrix, y)).toThrow(/sparse/);
    } finally {
      matrix.dispose();
    }
  });

  if (!divides) {
    test('columns of integers in another order give the same scores, to the bit', () => {
      const order = [3, 0, 4, 2, 1];
      const permuted = X.map((x) => order.map((k) => x[k]!));
      const model = make(options).fit(permuted, y);
      expect(bitsOf(model.decisionFunction(permuted))).toEqual(bitsOf(fitted().decisionFunction(X)));
    });
  }

  test.each<[string, (label: string) => string | number | boolean]>([
    ['strings', (label) => label],
    ['numbers', (label) => label.charCodeAt(0) - 100],
    ...(isMulticlass ? [] : [['booleans', (label: string) => label === 'yes'] as [string, (label: string) => boolean]]),
  ])('labels that are %s come back as they were, classes ascending', (_what, of) => {
    const labels = y.map(of);
    const model = make(options).fit(X, labels);
    const ascending = [...new Set(labels)].sort((a, b) => (a < b ? -1 : 1));
    expect(model.classes).toEqual(ascending);
    for (const label of model.predict(X)) expect(ascending).toContain(label);
    expect(bitsOf(model.decisionFunction(X))).toEqual(bitsOf(fitted().decisionFunction(X)));
  });

  // ---- predict ----------------------------------------------------------------------------------------------

  test('no rows, one row and many rows', () => {
    const model = fitted();
    expect(model.predict([])).toEqual([]);
    expect(model.predict([X[0]!])).toEqual([model.predictOne(X[0]!)]);
    const many = Array.from({ length: 3000 }, (_, i) => X[i % 60]!);
    const all = model.predict(many);
    expect(all.slice(0, 60)).toEqual(model.predict(X));
    expect(all.slice(2940)).toEqual(model.predict(X));
  });

  test('a row scores the same alone, in any subset and in any order', () => {
    const model = fitted();
    const whole = model.decisionFunction(X);
    const width = ArrayBuffer.isView(whole) ? 1 : whole.cols;
    const alone = X.flatMap((x) => [...bitsOf(model.decisionFunction([x]))]);
    expect(BigUint64Array.from(alone)).toEqual(bitsOf(whole));
    const backwards = [...bitsOf(model.decisionFunction([...X].reverse()))];
    const rows = Array.from({ length: 60 }, (_, i) => backwards.slice(i * width, (i + 1) * width)).reverse();
    expect(BigUint64Array.from(rows.flat())).toEqual(bitsOf(whole));
  });

  test('predict follows the scores, and score counts', () => {
    const model = fitted();
    const scores = model.decisionFunction(X);
    const { classes } = model;
    const best = (row: Float64Array) => classes[row.indexOf(Math.max(...row))]!;
    const expected = ArrayBuffer.isView(scores)
      ? Array.from(scores, (s) => classes[s >= 0 ? 1 : 0]!)
      : X.map((_, i) => best(scores.data.subarray(i * scores.cols, (i + 1) * scores.cols)));
    expect(model.predict(X)).toEqual(expected);
    expect(model.score(X, y)).toBe(expected.filter((label, i) => label === y[i]).length / 60);
    const plain = make({ maxEpochs: 200, seed: 1 }).fit(X, y);
    expect(plain.score(X, y)).toBeGreaterThan(0.6);
  });

  // ---- bad input --------------------------------------------------------------------------------------------

  test.each<[string, Rows, unknown, new () => Error, RegExp]>([
    ['no rows', [], [], RangeError, /row/],
    ['one class', X, y.map(() => 'yes'), RangeError, /y has one class only \("yes"\)/],
    ['a ragged row', X.map((x, i) => (i === 17 ? x.slice(1) : x)), y, RangeError, /X row 17 has 4 values, expected 5/],
    ['NaN', X.map((x, i) => (i === 3 ? [0, 0, NaN, 0, 0] : x)), y, RangeError, /X\[3\]\[2\] is NaN/],
    ['Infinity', X.map((x, i) => (i === 3 ? [0, 0, 0, 0, -Infinity] : x)), y, RangeError, /X\[3\]\[4\] is -Infinity/],
    ['too few labels', X, y.slice(1), RangeError, /59/],
    ['labels of two types', X, y.map((label, i) => (i === 5 ? 1 : label)), TypeError, /y/],
    ['text', X.map(() => ['a', 'b', 'c', 'd', 'e']) as unknown as Rows, y, TypeError, /X\[0\]\[0\]/],
  ])(
    '%s: fit and fitAsync are refused by name, and the model stays as it was',
    async (_what, rows, labels, type, message) => {
      const model = fitted();
      const before = textOf(model);
      const error = errorOf(() => model.fit(rows, labels as string[]));
      expect(error).toBeInstanceOf(type);
      expect(error.message).toMatch(message);
      await expect(model.fitAsync(rows, labels as string[])).rejects.toThrow(message);
      expect(textOf(model)).toBe(before);
    },
  );

  test('rows of another width are refused by predict, with both numbers', () => {
    expect(() => fitted().predict([[1, 2, 3]])).toThrow(/3 .*5|5 .*3/);
    expect(() => fitted().predictOne([1, 2, 3, 4, 5, 6])).toThrow(/6 .*5|5 .*6/);
  });

  test('an aborted fitAsync rejects with the reason and leaves the model as it was', async () => {
    const model = fitted();
    const before = textOf(model);
    const reason = new Error('enough');
    await expect(model.fitAsync(X, y, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const controller = new AbortController();
    const pending = model.fitAsync(X, y, { signal: controller.signal });
    controller.abort(reason);
    await expect(pending).rejects.toBe(reason);
    expect(textOf(model)).toBe(before);
  });

  // ---- what remains -----------------------------------------------------------------------------------------

  test('JSON, structured clone, loadModel and the predictor keep every bit', () => {
    const model = fitted();
    const scores = bitsOf(model.decisionFunction(X));
    const json = model.toJSON();
    const copies = [
      fromJSON(json),
      fromJSON(structuredClone(json)),
      fromJSON(JSON.parse(textOf(model))),
      loadModel(json),
    ];
    for (const copy of copies as Classifier[]) {
      expect(textOf(copy)).toBe(textOf(model));
      expect(bitsOf(copy.decisionFunction(X))).toEqual(scores);
    }
    expect(bitsOf(loadPredictor(json).decisionFunction(X))).toEqual(scores);
  });

  test('a model and its JSON do not share data: changing one leaves the other', () => {
    const model = fitted();
    const scores = bitsOf(model.decisionFunction(X));
    const text = textOf(model);
    const spoil = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      for (const [key, inner] of Object.entries(value)) {
        if (typeof inner === 'number') (value as Record<string, unknown>)[key] = 99;
        else spoil(inner);
      }
    };
    const json = JSON.parse(text);
    const loaded = fromJSON(json);
    spoil(model.toJSON());
    spoil(json);
    expect(textOf(model)).toBe(text);
    expect(textOf(loaded)).toBe(text);
    expect(bitsOf(loaded.decisionFunction(X))).toEqual(scores);
  });

  test('the report is plain data', () => {
    const { report } = fitted();
    expect(structuredClone(report)).toEqual(report);
    expect(JSON.parse(JSON.stringify(report))).toEqual(report);
  });

  test('equal seeds give equal models, in any process state', () => {
    const one = textOf(fitted());
    make({ maxEpochs: 3, seed: 99 }).fit(X, y);
    expect(textOf(fitted())).toBe(one);
  });

  test('can be subclassed: methods return the subclass', () => {
    const Base = make(options).constructor as new (...args: unknown[]) => Classifier;
    class Mine extends Base {
      extra() {
        return this.predict(X).length;
      }
    }
    const parts = make(options) as unknown as { steps?: readonly unknown[]; model?: unknown };
    const mine = parts.steps ? new Mine(...parts.steps, parts.model) : new Mine(options);
    expect(mine.fit(X, y)).toBe(mine);
    expect((mine.fit(X, y) as Mine).extra()).toBe(60);
    expect(textOf(mine)).toBe(textOf(parts.steps ? fitted() : (new Base(options) as Classifier).fit(X, y)));
  });

  test('partialFit goes on from the model, or says why it cannot', () => {
    const model = make(options);
    const error = errorOf(() => make(options).partialFit(X, y));
    if (estimator.type.name === 'Pipeline') {
      expect(error.message).toMatch(/^partialFit trains the model alone: fit steps\[0\] \(Scaler\) first/);
      model.fit(X, y);
      const copy = fromJSON(JSON.parse(textOf(model)));
      return expect(textOf(model.partialFit(X, y))).toBe(textOf(copy.partialFit(X, y)));
    }
    if (/"classes"/.test(error.message)) {
      model.partialFit(X.slice(0, 30), y.slice(0, 30), { classes: [...new Set(y)] });
      const copy = fromJSON(JSON.parse(textOf(model)));
      expect(textOf(model.partialFit(X.slice(30), y.slice(30)))).toBe(
        textOf(copy.partialFit(X.slice(30), y.slice(30))),
      );
    } else {
      expect(error).toBeInstanceOf(RangeError);
    }
    return undefined;
  });
});
