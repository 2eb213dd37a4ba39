// Models and sparse rows: files to the bit, training that goes on after loading, and everything else that takes rows.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { oneRow } from '../../src/data/row.js';
import { defaultArena } from '../../src/engine/engine.js';
import {
  chooseForm,
  compare,
  createEngine,
  DenseMatrix,
  DualPerceptron,
  loadModel,
  MulticlassPerceptron,
  Perceptron,
  Scaler,
  SparseMatrix,
} from '../../src/index.js';
import { scoreOfOne } from '../../src/model/linear.js';
import { runs } from '../effort.js';
import { someEngines as engines } from '../engines.js';
import { orders } from '../samples.js';
import {
  type AnyModel,
  anyShape,
  bitsOf,
  densePartOf,
  expectSame,
  keepsSparse,
  kernelMakers,
  type Maker,
  type Parts,
  pairOf,
  partOf,
  partsBits,
  planeMakers,
  saidOf,
  someOptions,
} from '../sparse-samples.js';
import { type Any, type ErrorClass, refusesWith, saved, spoil } from './spoiled.js';

const usual = pairOf({ rows: 36, cols: 530, density: 0.06, seed: 11 });
const { sparse, dense, signs, codes } = usual;
/** Row i of CSR. */
const partRow = (parts: Parts, i: number) => {
  const { indices, values } = partOf(parts, i, i + 1);
  return { indices, values };
};
const makers = [...planeMakers, ...kernelMakers].map((maker): [string, Maker] => [maker.name, maker]);

describe('files', () => {
  test.each(makers)('%s: a model of sparse rows survives JSON and cloning to the bit', (_name, { make, labels }) => {
    const y = usual[labels];
    for (const average of [false, true]) {
      const model = make({ maxEpochs: 2, average, margin: 0.1 }).fit(sparse, y);
      for (const json of [saved(model), structuredClone(model.toJSON())]) {
        const copy = loadModel(json) as AnyModel;
        expect(JSON.stringify(copy)).toBe(JSON.stringify(model));
        expect(copy.constructor).toBe(model.constructor);
        expect(saidOf(copy, sparse, y)).toEqual(saidOf(model, sparse, y));
        expect(saidOf(copy, dense, y)).toEqual(saidOf(model, sparse, y));
        expect(keepsSparse(copy)).toBe(keepsSparse(model));
      }
    }
  });

  test('a value that is stored as −0, or 0, is in the file', () => {
    const parts = { values: [-0, 0, 2], indices: [1, 4, 3], indptr: [0, 2, 3], cols: 5 };
    const model = new DualPerceptron<number>({ kernel: { type: 'rbf' } }).fit(parts, [1, -1]);
    const { rows } = saved(model).supports;
    expect(rows).toEqual([
      { columns: [1, 4], values: ['-0', 0] },
      { columns: [3], values: [2] },
    ]);
    expect(JSON.stringify(loadModel(saved(model)))).toBe(JSON.stringify(model));
  });

  test('a file holds nothing that differs between engines, memories and forms of the same sparse rows', () => {
    for (const { make, labels } of [...planeMakers, ...kernelMakers]) {
      const y = usual[labels];
      const texts = new Set<string>();
      for (const kind of engines) {
        const engine = createEngine({ kind });
        using own = SparseMatrix.from(sparse, { engine });
        for (const X of [own, sparse]) texts.add(JSON.stringify(make({ engine, maxEpochs: 2 }).fit(X, y)));
      }
      expect(texts.size).toBe(1);
    }
  });

  for (const [name, { make, labels }] of makers) {
    test(`${name}: 5 epochs, JSON, 5 more are 10 epochs, with sparse rows and with rows in turn`, () => {
      const y = usual[labels];
      const ways = name.includes('ratchet') ? (['random'] as const) : orders;
      for (const [k, order] of ways.entries()) {
        const options = { engine: engines[k % 3] as (typeof engines)[number], order, average: true, seed: 5 };
        const whole = make({ ...options, maxEpochs: 10 }).fit(dense, y);
        if (whole.report.epochs < 10) continue; // separated: going on would only make another clean pass
        const first = make({ ...options, maxEpochs: 5, warmStart: true }).fit(sparse, y);
        const resumed = [sparse, dense].map((X) => (loadModel(saved(first)) as AnyModel).fit(X, y));
        for (const model of resumed) {
          expect(saidOf(model, sparse, y)).toEqual(saidOf(whole, dense, y));
          expect(model.report.mistakesByEpoch).toEqual(whole.report.mistakesByEpoch);
        }
      }
    });
  }

  test.each(makers.filter(([name]) => !name.includes('ocket')))(
    '%s: a loaded model goes on block by block with sparse and dense rows',
    (_name, { make, labels }) => {
      const y = usual[labels];
      const classes = [...new Set(y)].sort((a, b) => a - b);
      const expected = make({ classes, average: true });
      let model = make({ classes, average: true });
      for (let k = 0; k < 4; k++) {
        const [from, to] = [9 * k, 9 * k + 9];
        const labelsOfBlock = y.slice(from, to);
        expected.partialFit(densePartOf(dense, from, to), labelsOfBlock);
        model.partialFit(k === 2 ? densePartOf(dense, from, to) : partOf(sparse, from, to), labelsOfBlock);
        model = loadModel(saved(model)) as AnyModel;
      }
      expectSame(model, expected);
      expect(saidOf(model, sparse, y)).toEqual(saidOf(expected, dense, y));
    },
  );
});

describe('spoiled files', () => {
  const dual = saved(
    new DualPerceptron<number>({ kernel: { type: 'rbf', gamma: 0.1 } }).fit(
      { values: [3, 3, 4, 3, 1, 1], indices: [0, 4, 0, 4, 0, 4], indptr: [0, 2, 4, 6], cols: 5 },
      [1, 1, -1],
    ),
  );
  const many = saved(
    new MulticlassPerceptron<number>({ kernel: { type: 'rbf', gamma: 0.1 } }).fit(
      { values: [3, 3, 4, 3, 1, 1], indices: [0, 4, 0, 4, 0, 4], indptr: [0, 2, 4, 6], cols: 5 },
      [1, 2, 3],
    ),
  );
  const multinomial = saved(
    new MulticlassPerceptron<number>({ kernel: 'linear', strategy: 'multinomial' }).fit(
      { values: [3, 3, 4, 3, 1, 1], indices: [0, 4, 0, 4, 0, 4], indptr: [0, 2, 4, 6], cols: 5 },
      [1, 2, 3],
    ),
  );
  const refusesFile = refusesWith(loadModel);

  test('the files that are spoiled are good ones', () => {
    for (const file of [dual, many, multinomial]) {
      expect(saved(loadModel(file))).toEqual(file);
      expect(file.supports.rows[0]).toEqual({ columns: [0, 4], values: [3, 3] });
    }
  });

  test.each<[string, string, unknown, ErrorClass, string | RegExp]>([
    [
      'a column that is not below cols',
      '[0].columns[1]',
      5,
      RangeError,
      'model JSON: supports.rows[0].columns[1] must be an integer above 0 and below 5, got 5',
    ],
    [
      'a column twice',
      '[0].columns[1]',
      0,
      RangeError,
      'model JSON: supports.rows[0].columns[1] must be an integer above 0 and below 5, got 0',
    ],
    [
      'a column below 0',
      '[1].columns[0]',
      -1,
      RangeError,
      /^model JSON: supports\.rows\[1\]\.columns\[0\] must be an integer .*, got -1$/,
    ],
    [
      'half a column',
      '[1].columns[0]',
      0.5,
      RangeError,
      /^model JSON: supports\.rows\[1\]\.columns\[0\] must be an integer .*, got 0\.5$/,
    ],
    [
      'a column as text',
      '[0].columns[0]',
      '0',
      TypeError,
      /^model JSON: supports\.rows\[0\]\.columns\[0\] must be an integer .*, got "0"$/,
    ],
    [
      'a value that is null',
      '[0].values[1]',
      null,
      TypeError,
      /^model JSON: supports\.rows\[0\]\.values\[1\] must be .*number.*, got null$/,
    ],
    [
      'a value as text',
      '[0].values[1]',
      '3',
      TypeError,
      /^model JSON: supports\.rows\[0\]\.values\[1\] must be .*number.*, got "3"$/,
    ],
    ['a value too few', '[1].values', [3], RangeError, 'model JSON: supports.rows[1].values must have 2 values, got 1'],
    [
      'no values',
      '[1].values',
      undefined,
      TypeError,
      /^model JSON: supports\.rows\[1\]\.values must be an array.*, got undefined$/,
    ],
    [
      'no columns',
      '[1].columns',
      undefined,
      TypeError,
      /^model JSON: supports\.rows\[1\]\.columns must be an array.*, got undefined$/,
    ],
    [
      'columns that are text',
      '[1].columns',
      '04',
      TypeError,
      /^model JSON: supports\.rows\[1\]\.columns must be an array.*, got "04"$/,
    ],
    ['a dense row among sparse ones', '[1]', [4, 0, 0, 0, 3], TypeError, /^model JSON: supports\.rows\[1\]/],
    ['a first row that is dense', '[0]', [3, 0, 0, 0, 3], TypeError, /^model JSON: supports\.rows\[1\]/],
    ['a row that is null', '[0]', null, TypeError, /^model JSON: supports\.rows\[0\]/],
    ['a row that is a number', '[1]', 7, TypeError, /^model JSON: supports\.rows\[1\]/],
  ])('%s is refused by the name of the field', (_what, path, value, type, message) => {
    const { blocks } = defaultArena.usage;
    for (const file of [dual, many, multinomial]) {
      refusesFile(spoil(file, `supports.rows${path}`, value), type, message);
    }
    expect(defaultArena.usage.blocks).toBe(blocks);
  });

  test('rows that are too few or too many are refused', () => {
    for (const file of [dual, many, multinomial]) {
      const rows = file.supports.rows as Any[];
      const expected = rows.length;
      const message = (got: number) => `model JSON: supports.rows must have ${expected} values, got ${got}`;
      refusesFile(spoil(file, 'supports.rows', rows.slice(1)), RangeError, message(expected - 1));
      refusesFile(spoil(file, 'supports.rows', [...rows, rows[0]]), RangeError, message(expected + 1));
      refusesFile(spoil(file, 'supports.rows', []), RangeError, message(0));
    }
  });

  test('fewer columns than the rows have are refused', () => {
    for (const file of [dual, many, multinomial]) {
      const message = /^model JSON: supports\.rows\[0\]\.columns\[1\] must be an integer above 0 and below 4, got 4$/;
      refusesFile(spoil(file, 'cols', 4), RangeError, message);
    }
  });
});

describe('one row', () => {
  test.each(makers)(
    '%s: predictOne and explain say what they say of a model of dense rows',
    (_name, { make, labels }) => {
      const y = usual[labels];
      const [a, b] = [make({ maxEpochs: 3 }).fit(sparse, y), make({ maxEpochs: 3 }).fit(dense, y)];
      const predicted = a.predict(sparse);
      for (let i = 0; i < 36; i += 5) {
        const x = dense.data.subarray(i * dense.cols, (i + 1) * dense.cols);
        const { indices, values } = partRow(sparse, i);
        const parts = a.explain(x, { top: Infinity });
        for (const model of [a, b]) {
          for (const row of [x, { indices, values }, { indices: [...indices], values: [...values] }]) {
            expect(model.predictOne(row)).toBe(predicted[i]);
            expect(model.predictOne(row, { last: true })).toBe(model.predict([x], { last: true })[0]);
            expect(model.explain(row, { top: Infinity })).toEqual(parts);
            expect(model.explain(row)).toEqual(parts.slice(0, 20));
            expect(model.explain(row, { top: 3 })).toEqual(parts.slice(0, 3));
          }
        }
      }
    },
  );

  test.each(engines)('%s: the score of one sparse row has the bits of decisionFunction', (engine) => {
    fc.assert(
      fc.property(anyShape, (shape) => {
        const pair = pairOf(shape);
        const model = new Perceptron<number>({ engine, maxEpochs: 2 }).fit(pair.sparse, pair.signs);
        const scores = model.decisionFunction(pair.sparse);
        scores.forEach((score, i) => {
          const row = oneRow(partRow(pair.sparse, i), shape.cols);
          expect(Object.is(scoreOfOne(model, row), score)).toBe(true);
        });
      }),
      { numRuns: runs(25) },
    );
  });

  test('a sparse row may be empty, hold zeros, and be of a million columns', () => {
    const cols = 1_000_000;
    const parts = { values: [3, 1, 2], indices: [0, 999_999, 0], indptr: [0, 1, 2, 3], cols };
    const model = new Perceptron<number>().fit(parts, [1, -1, 1]);
    const [blank] = model.predict({ values: [], indices: [], indptr: [0, 0], cols });
    expect(model.predictOne({ indices: [], values: [] })).toBe(blank);
    expect(model.explain({ indices: [], values: [] })).toEqual([]);
    expect(model.predictOne({ indices: Uint32Array.of(5, 999_999), values: Float32Array.of(0, 1) })).toBe(-1);
    expect(model.explain({ indices: [5, 999_999], values: [0, 1] })).toEqual([{ index: 999_999, contribution: -1 }]);
  });

  test('parts of many rows and a matrix are refused as one row', () => {
    const model = new Perceptron<number>().fit(sparse, signs);
    using matrix = SparseMatrix.from(sparse);
    for (const x of [sparse, matrix] as Any[]) {
      for (const act of [() => model.predictOne(x), () => model.explain(x)]) {
        expect(act).toThrow(new TypeError('x must be an array of numbers or { indices, values }, got an object'));
      }
    }
  });

  test('explain names features of sparse rows', () => {
    const featureNames = Array.from({ length: 5 }, (_, k) => `f${k}`);
    const parts = { values: [3, 4, -1], indices: [0, 4, 4], indptr: [0, 1, 2, 3], cols: 5 };
    const model = new Perceptron<number>({ featureNames }).fit(parts, [1, 1, -1]);
    expect(model.explain([0, 0, 0, 0, 1])[0]).toMatchObject({ index: 4, name: 'f4' });
  });
});

describe('what else takes rows', () => {
  test('diagnose against a reference is the same, and so are rows one at a time', () => {
    fc.assert(
      fc.property(anyShape, someOptions, fc.constantFrom(...engines), (shape, { onEpoch: _, ...o }, engine) => {
        const pair = pairOf(shape);
        const reference = Array.from({ length: shape.cols }, (_, k) => Math.cos(k));
        const model = new Perceptron<number>({ ...o, engine }).fit(pair.sparse, pair.signs);
        const linear = new DualPerceptron<number>({ ...o, engine }).fit(pair.sparse, pair.signs);
        for (const m of [model, linear]) {
          expect(m.diagnose(pair.sparse, pair.signs, { reference })).toEqual(
            m.diagnose(pair.dense, pair.signs, { reference }),
          );
        }
        const scores = model.decisionFunction(pair.dense);
        for (let i = 0; i < shape.rows; i += 9) {
          const [score] = model.decisionFunction(partOf(pair.sparse, i, i + 1));
          expect(Object.is(score, scores[i])).toBe(true);
        }
      }),
      { numRuns: runs(25) },
    );
  });

  test('compare runs both forms on all engines on sparse rows, with the answers of dense ones', () => {
    const small = pairOf({ rows: 30, cols: 600, density: 0.05, seed: 2, whole: true });
    const { blocks } = defaultArena.usage;
    const answers = (X: typeof small.sparse | typeof small.dense | SparseMatrix) => {
      const { rows, cols, results, absent, formsAgree } = compare(X, small.signs, { budgetMs: 0, maxEpochs: 50 });
      const told = results.map(({ fitMs, gramMs, speedup, ...row }) => row);
      return { rows, cols, absent, formsAgree, told };
    };
    const expected = answers(small.dense);
    expect(expected.told).toHaveLength(6);
    expect(answers(small.sparse)).toEqual(expected);
    using X = SparseMatrix.from(small.sparse);
    expect(answers(X)).toEqual(expected);
    expect(answers(X)).toEqual(expected); // it is still there
    X.dispose();
    expect(defaultArena.usage.blocks).toBe(blocks);
  });

  test('chooseForm counts the values that are stored', () => {
    // A plane for many rows of few values, whatever the number of columns; the same rows stored densely are another matter.
    const few = pairOf({ rows: 200, cols: 3000, density: 0.002, seed: 3 });
    const choice = chooseForm(few.sparse, { epochs: 100 });
    expect(choice.reason).toMatch(/^200 rows × 3,000 columns/);
    expect(choice.reason).toContain(few.sparse.values.length.toLocaleString('en'));
    expect(chooseForm(SparseMatrix.from(few.sparse), { epochs: 100 })).toEqual(choice);
    expect(chooseForm(few.sparse, { epochs: 100 })).toEqual(choice); // the same answer every time
    const wide = { ...few.sparse, cols: 2 ** 30 };
    expect(chooseForm({ ...few.sparse, cols: 4000 }).crossover).toBe(choice.crossover);
    expect(wide.cols).toBe(2 ** 30);
  });
});

describe('Scaler', () => {
  test("'unit-ball' keeps rows sparse, with the bits of dense rows", () => {
    fc.assert(
      fc.property(anyShape, (shape) => {
        const pair = pairOf(shape);
        const [a, b] = [new Scaler({ kind: 'unit-ball' }), new Scaler({ kind: 'unit-ball' })];
        a.fit(pair.sparse);
        b.fit(pair.dense);
        expect(JSON.stringify(a)).toBe(JSON.stringify(b));
        expect(a.interceptScaling).toBe(b.interceptScaling);
        using X = SparseMatrix.from(pair.sparse);
        using expected = b.transform(pair.dense) as DenseMatrix;
        const bits = bitsOf(Float64Array.from(expected.data, (v) => v + 0));
        for (const rows of [X, pair.sparse]) {
          using scaled = a.transform(rows) as SparseMatrix;
          expect(scaled).toBeInstanceOf(SparseMatrix);
          expect([scaled.rows, scaled.cols]).toEqual([shape.rows, shape.cols]);
          expect(scaled.nonZeros).toBeLessThanOrEqual(X.nonZeros);
          using back = DenseMatrix.from(scaled);
          expect(bitsOf(Float64Array.from(back.data, (v) => v + 0))).toBe(bits);
        }
        expect(partsBits(X.toParts())).toEqual(partsBits(pair.sparse)); // what was given is left alone
      }),
      { numRuns: runs(25) },
    );
  });

  test('in the unit ball training takes the same path with sparse rows as with dense ones', () => {
    const scaler = new Scaler({ kind: 'unit-ball' });
    using scaled = scaler.fitTransform(sparse) as SparseMatrix;
    using expected = new Scaler({ kind: 'unit-ball' }).fitTransform(dense) as DenseMatrix;
    const make = () => new Perceptron<number>({ interceptScaling: scaler.interceptScaling, maxEpochs: 5 });
    expectSame(make().fit(scaled, signs), make().fit(expected, signs));
    const loaded = Scaler.fromJSON(JSON.parse(JSON.stringify(scaler)));
    using again = loaded.transform(sparse) as SparseMatrix;
    expect(partsBits(again.toParts())).toEqual(partsBits(scaled.toParts()));
  });

  test('gives its memory back', () => {
    const { blocks, liveBytes } = defaultArena.usage;
    const scaled = new Scaler({ kind: 'unit-ball' }).fitTransform(sparse);
    scaled.dispose();
    expect(defaultArena.usage).toMatchObject({ blocks, liveBytes });
  });

  test('rows that are all empty are left as they are', () => {
    using scaled = new Scaler({ kind: 'unit-ball' }).fitTransform({
      values: [],
      indices: [],
      indptr: [0, 0, 0],
      cols: 4,
    }) as SparseMatrix;
    expect([scaled.rows, scaled.cols, scaled.nonZeros]).toEqual([2, 4, 0]);
  });
});

test('many classes: a table of scores of sparse rows has a row for each and a column for each class', () => {
  const model = new MulticlassPerceptron<number>({ maxEpochs: 2 }).fit(sparse, codes);
  const table = model.decisionFunction(sparse);
  expect([table.rows, table.cols, table.data.length]).toEqual([36, 4, 144]);
});
