// DenseMatrix of integers: what it takes and refuses, and that everything gives the results of the same values as float64.

import { expect, test } from 'vitest';
import { joinKept, type KeptRows, keepRows, takeKept } from '../../src/data/kept.js';
import { copyIn } from '../../src/data/rows.js';
import type { Floats } from '../../src/data/views.js';
import { resolveEngine } from '../../src/engine/engine.js';
import type { Dtype, PerceptronOptions, Rows } from '../../src/index.js';
import {
  DenseMatrix,
  DualPerceptron,
  gram,
  gramAsync,
  loadModel,
  MulticlassPerceptron,
  Perceptron,
  PocketPerceptron,
  Scaler,
} from '../../src/index.js';
import { toOnnx } from '../../src/io/index.js';
import { loadPredictor } from '../../src/predict/index.js';
import { Random } from '../../src/random.js';
import { crossValidate } from '../../src/select/index.js';
import '../../src/scalar.js';
import { engines } from '../engines.js';

const RANGES = { uint8: [0, 255], int8: [-128, 127], int16: [-32768, 32767] } as const;
type Name = keyof typeof RANGES;
const names = Object.keys(RANGES) as Name[];
const ARRAYS = { uint8: Uint8Array, int8: Int8Array, int16: Int16Array };

/** Rows of small integers of a type with some extreme ones, and labels of two classes that overlap a little. */
function sample(dtype: Name, rows = 90, cols = 13) {
  const random = Random.seeded(5);
  const [low, high] = RANGES[dtype];
  const list = Array.from({ length: rows }, () =>
    Array.from({ length: cols }, () => {
      const kind = random.next() % 20;
      return kind === 0 ? low : kind === 1 ? high : Math.max(low, (random.next() % 40) - 10);
    }),
  );
  const y = list.map((row) => ((row[0] as number) + (row[1] as number) > 20 + (random.next() % 9) ? 1 : -1));
  const codes = list.map((row) => (row[2] as number) % 3);
  return { list, y, codes };
}

test.each(names)('%s: allocate, from, take, slice and row keep the storage', (dtype) => {
  const [low, high] = RANGES[dtype];
  const list = [
    [low, 0, 1],
    [high, 2, 3],
  ];
  const matrix = DenseMatrix.from(list, { dtype });
  const empty = DenseMatrix.allocate(2, 3, { dtype });
  expect(matrix.dtype).toBe(dtype);
  expect(matrix.data).toBeInstanceOf(ARRAYS[dtype]);
  expect(Array.from(matrix.data)).toEqual(list.flat());
  expect(Array.from(empty.data)).toEqual([0, 0, 0, 0, 0, 0]);
  for (const part of [matrix.take([1, 0]), matrix.slice(0, 2)]) {
    expect(part.dtype).toBe(dtype);
    expect(part.data).toBeInstanceOf(ARRAYS[dtype]);
  }
  expect(Array.from(matrix.row(1))).toEqual(list[1]);
  expect(Array.from(DenseMatrix.from(matrix).data)).toEqual(list.flat());
  expect(Array.from(DenseMatrix.from(matrix, { dtype: 'int16' }).data)).toEqual(list.flat());
});

test.each(names)('%s: a value that does not fit is refused with its position, from any form', (dtype) => {
  const [low, high] = RANGES[dtype];
  for (const bad of [0.5, -0, low - 1, high + 1, 2 ** 31, 2 ** 32, 1e300, NaN, Infinity, -Infinity]) {
    const rows = [
      [0, 1],
      [2, 3],
      [1, bad],
    ];
    const shown = Object.is(bad, -0) ? '-0' : bad;
    const message = `X[2][1] is ${shown}${Number.isFinite(bad) ? `, which ${dtype} cannot hold; use dtype 'float64'` : ''}`;
    const flat = Float64Array.from(rows.flat());
    const sparse = { values: [bad], indices: [1], indptr: [0, 0, 0, 1], cols: 2 };
    for (const X of [rows, { data: flat, rows: 3, cols: 2 }, DenseMatrix.from(Number.isFinite(bad) ? rows : [[1]])]) {
      if ('rows' in X && X.rows === 1) continue;
      expect(() => DenseMatrix.from(X, { dtype })).toThrow(new RangeError(message));
    }
    if (Number.isFinite(bad) && bad !== 0) {
      expect(() => DenseMatrix.from(sparse, { dtype })).toThrow(new RangeError(message));
    }
  }
});

test('a dtype that does not exist is refused, and integers that are no matrix', () => {
  expect(() => DenseMatrix.allocate(1, 1, { dtype: 'uint16' as 'uint8' })).toThrow(
    new RangeError(`"dtype" must be one of 'float64', 'float32', 'uint8', 'int8', 'int16', got "uint16"`),
  );
  const data = new Uint8Array(4) as unknown as Float64Array;
  expect(() => gram({ data, rows: 2, cols: 2 })).toThrow(TypeError);
  const other = { data: Uint8Array.of(1, 2, 3, 4) as unknown as Float64Array, dtype: 'uint8', rows: 2, cols: 2 };
  expect(Array.from(gram(other).data)).toEqual([5, 11, 11, 25]); // a matrix of another copy of the library
});

for (const engine of engines) {
  test.each(names)(`${engine}, %s: training, scores and explanations are those of float64`, (dtype) => {
    const { list, y, codes } = sample(dtype);
    const narrow = DenseMatrix.from(list, { dtype, engine });
    const wide = DenseMatrix.from(list, { engine });
    const common = { engine, maxEpochs: 5, learningRate: 0.3 } as const;
    const kernel = { type: 'polynomial', degree: 3, gamma: 1e-4, coef0: 1 } as const;
    const rbf = { type: 'rbf', gamma: 1e-4 } as const;
    const models: (() =>
      | Perceptron<number>
      | PocketPerceptron<number>
      | DualPerceptron<number>
      | MulticlassPerceptron<number>)[] = [
      () => new Perceptron({ ...common, average: true }),
      () => new Perceptron({ ...common, order: 'shuffle', seed: 3, margin: 2 }),
      () => new PocketPerceptron({ ...common, seed: 3 }),
      () => new DualPerceptron({ ...common, kernel }),
      () => new DualPerceptron({ ...common, kernel: rbf, gram: 'rows' }),
    ];
    const judge = (X: DenseMatrix | typeof narrow, make: (typeof models)[number], labels: number[]) => {
      const model = make().fit(X, labels);
      const json = JSON.stringify(model);
      return [json, Array.from(model.decisionFunction(X) as Float64Array), model.predict(X)];
    };
    for (const make of models) expect(judge(narrow, make, y)).toEqual(judge(wide, make, y));
    for (const strategy of ['one-vs-rest', 'multinomial'] as const) {
      for (const order of ['cyclic', 'random'] as const) {
        const make = () => new MulticlassPerceptron<number>({ ...common, strategy, order, seed: 4 });
        const [a, b] = [narrow, wide].map((X) => make().fit(X, codes));
        expect(JSON.stringify(a)).toBe(JSON.stringify(b));
        expect(a?.predict(narrow)).toEqual(b?.predict(wide));
      }
    }
    for (const k of [undefined, kernel, rbf]) {
      const options = k ? { kernel: k, engine } : { engine };
      expect(Array.from(gram(narrow, options).data)).toEqual(Array.from(gram(wide, options).data));
    }
    narrow.dispose();
    wide.dispose();
  });
}

// Weights stay integers with these steps, and 8-bit rows are scored in integer arithmetic while they are below 2³⁰.
test.each(engines)('%s: integer weights: small, beyond 2³⁰ in the middle of an epoch, and never integers', (engine) => {
  for (const dtype of ['uint8', 'int8'] as const) {
    const { list, y, codes } = sample(dtype, 60, 19);
    const [narrow, wide] = [DenseMatrix.from(list, { dtype, engine }), DenseMatrix.from(list, { engine })];
    const outcome = (X: Rows, learningRate: number, own: PerceptronOptions<number>) => {
      const seen: unknown[] = [];
      const common = { engine, learningRate, maxEpochs: 2, seed: 2 };
      const one = new Perceptron<number>({ ...common, ...own }).fit(X, y);
      const watched = new Perceptron<number>({
        ...common,
        ...own,
        onUpdate: ({ index, bias }) => seen.push(index, bias),
      });
      const { order = 'cyclic', average = false } = own;
      const many = new MulticlassPerceptron<number>({ ...common, order, average }).fit(X, codes);
      watched.fit(X, y);
      const scores = [one.decisionFunction(X), many.decisionFunction(X).data].map((values) => Array.from(values));
      return [JSON.stringify([one, watched, many, seen]), ...scores];
    };
    for (const learningRate of [1, 2 ** 22, 2 ** 40]) {
      for (const own of [{}, { average: true, order: 'shuffle' }, { order: 'random' }] as const) {
        expect(outcome(narrow, learningRate, own)).toEqual(outcome(wide, learningRate, own));
      }
    }
    for (const start of [-0, 0.25, 2 ** 30 - 200, -(2 ** 53)]) {
      const own = { initialWeights: new Array(19).fill(start), initialBias: -0 };
      expect(outcome(narrow, 1, own)).toEqual(outcome(wide, 1, own));
    }
  }
});

test.each(names)('%s: threads, blocks, the scaler, diagnose, predictors and cross-validation', async (dtype) => {
  const { list, y } = sample(dtype, 120, 21);
  const [narrow, wide] = [DenseMatrix.from(list, { dtype }), DenseMatrix.from(list)];
  expect(Array.from((await gramAsync(narrow, { threads: 2 })).data)).toEqual(Array.from(gram(wide).data));
  const fitted = (X: typeof narrow | DenseMatrix) => new Perceptron({ maxEpochs: 4 }).fit(X, y);
  const model = fitted(wide);
  expect(JSON.stringify(await new Perceptron({ maxEpochs: 4 }).fitAsync(narrow, y))).toBe(JSON.stringify(model));
  const predictor = loadPredictor(JSON.parse(JSON.stringify(model)));
  expect(predictor.decisionFunction(narrow)).toEqual(model.decisionFunction(wide));
  expect(model.diagnose(narrow, y)).toEqual(model.diagnose(wide, y));
  const scalerOf = (X: Rows) => new Scaler({ kind: 'standardize' }).fit(X);
  const scaled = scalerOf(narrow).transform(narrow) as DenseMatrix;
  expect(scaled.dtype).toBe('float64');
  expect(scaled.data).toEqual((scalerOf(wide).transform(wide) as DenseMatrix).data);
  const judged = (X: Rows) => crossValidate(new Perceptron<number>({ maxEpochs: 3 }), X, y, { folds: 3, seed: 1 });
  expect((await judged(narrow)).folds).toEqual((await judged(wide)).folds);
});

test.each(names)('%s: partialFit over blocks of any storage, primal and dual', (dtype) => {
  const { list, y } = sample(dtype, 60);
  const blocks = [0, 20, 40].map((from) => [list.slice(from, from + 20), y.slice(from, from + 20)] as const);
  const kernel = { type: 'polynomial', degree: 2, gamma: 0.01, coef0: 1 } as const;
  for (const make of [() => new Perceptron<number>(), () => new DualPerceptron<number>({ kernel })]) {
    const all = (stored: (i: number) => 'float64' | 'float32' | Name) => {
      const model = make();
      blocks.forEach(([rows, labels], i) => {
        model.partialFit(DenseMatrix.from(rows, { dtype: stored(i) }), labels, { classes: [-1, 1] });
      });
      return JSON.stringify(model);
    };
    const expected = all(() => 'float64');
    expect(all(() => dtype)).toBe(expected);
    expect(all((i) => (i === 1 ? 'float64' : dtype))).toBe(expected);
  }
});

// Models keep their support vectors as the rows were stored (docs/adr/0031).
test.each(engines)('%s: models with support vectors are those of float64 rows in all that they do', (engine) => {
  const wide = sample('uint8', 60, 17);
  const [first, last] = [wide.list.slice(0, 40), wide.list.slice(40)];
  const rbf = { type: 'rbf', gamma: 1e-4 } as const;
  const cubic = { type: 'polynomial', degree: 3, gamma: 1e-3, coef0: 1 } as const;
  const common = { engine, maxEpochs: 3, seed: 8, warmStart: true };
  type Model = DualPerceptron<number> | MulticlassPerceptron<number>;
  const makers: Record<string, () => Model> = {
    linear: () => new DualPerceptron<number>({ ...common, average: true }),
    rbf: () => new DualPerceptron<number>({ ...common, kernel: rbf, gram: 'rows' }),
    pocket: () => new DualPerceptron<number>({ ...common, kernel: cubic, pocket: true }),
    'one-vs-rest': () => new MulticlassPerceptron<number>({ ...common, kernel: cubic }),
    multinomial: () => new MulticlassPerceptron<number>({ ...common, kernel: rbf, strategy: 'multinomial' }),
    blocks: () => new MulticlassPerceptron<number>({ ...common, kernel: cubic, gram: 'blocks', average: true }),
    'blocks, rbf': () => new MulticlassPerceptron<number>({ ...common, kernel: rbf, gram: 'blocks', order: 'shuffle' }),
  };
  for (const [name, make] of Object.entries(makers)) {
    const labels = make() instanceof DualPerceptron ? wide.y : wide.codes;
    const one = wide.list[5] as number[];
    const told = (model: Model, X: Rows) => {
      const predictor = loadPredictor(JSON.parse(JSON.stringify(model)));
      const scores = model.decisionFunction(X);
      return [
        JSON.stringify(model),
        name === 'multinomial' ? undefined : toOnnx(model),
        model.predict(X),
        ArrayBuffer.isView(scores) ? scores : scores.data,
        predictor.decisionFunction(wide.list),
        model.predictOne(one),
        model.explain(one),
        model.hardest(10),
        model.diagnose(X, labels),
      ];
    };
    /** Fits, fits again from there, passes over other rows, and goes on from a file with the first ones. */
    const all = (...dtypes: Dtype[]) => {
      const [a, b, c] = dtypes.map((dtype, k) => DenseMatrix.from(k === 1 ? last : first, { dtype, engine })) as [
        DenseMatrix,
        DenseMatrix,
        DenseMatrix,
      ];
      const whole = DenseMatrix.from(wide.list, { dtype: dtypes[0] as Dtype, engine });
      const model = make();
      const found: unknown[] = [];
      model.fit(a, labels.slice(0, 40));
      model.fit(a, labels.slice(0, 40)); // the rows of the session before, recognised
      if (name !== 'pocket') model.partialFit(b, labels.slice(40));
      found.push(told(model, whole));
      const loaded = loadModel<number>(JSON.parse(JSON.stringify(model))) as Model;
      if (name !== 'pocket') found.push(told(loaded.partialFit(c, labels.slice(0, 40)) as Model, whole));
      for (const X of [a, b, c, whole]) X.dispose();
      return found;
    };
    const expected = all('float64', 'float64', 'float64');
    expect(all('uint8', 'uint8', 'uint8')).toEqual(expected);
    expect(all('int16', 'uint8', 'float32')).toEqual(expected);
  }
});

test.each(names)('%s: a model with support vectors takes their bytes, not those of float64', (dtype) => {
  const { list } = sample(dtype, 50, 7);
  const kept = (stored: Dtype) => {
    const X = copyIn(DenseMatrix.from(list, { dtype: stored }), resolveEngine().arena, 'X');
    const rows = keepRows(X, [4, 2, 9]);
    X.release();
    return rows;
  };
  const [own, floats] = [kept(dtype), kept('float64')] as [KeptRows & { data: Floats }, KeptRows & { data: Floats }];
  expect(own.data).toBeInstanceOf(ARRAYS[dtype]);
  expect(Array.from(own.data)).toEqual([4, 2, 9].flatMap((i) => list[i]));
  const joined = (a: KeptRows, b: KeptRows) => (joinKept(a, b) as { data: Floats }).data;
  expect(joined(own, own)).toBeInstanceOf(ARRAYS[dtype]);
  expect(joined(own, floats)).toEqual(joined(floats, floats));
  expect(takeKept(own, [1]).cols).toBe(7);
  expect((takeKept(own, [1]) as { data: Floats }).data).toBeInstanceOf(ARRAYS[dtype]);
});
