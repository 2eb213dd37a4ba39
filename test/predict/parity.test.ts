// perceptron-wasm/predict answers as the full library does: every kind of model, option, storage and label, to the bit.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  DenseMatrix,
  DualPerceptron,
  type DualPerceptronOptions,
  type Kernel,
  type Label,
  loadModel,
  MulticlassPerceptron,
  type MulticlassPerceptronOptions,
  Perceptron,
  type PerceptronOptions,
  Pipeline,
  PocketPerceptron,
  type PocketPerceptronOptions,
  type Rows,
  Scaler,
  type ScalerKind,
  SparseMatrix,
} from '../../src/index.js';
import { loadPredictor } from '../../src/predict/index.js';
import { anyShape, type Pair, pairOf } from '../sparse-samples.js';
import { expectSameAnswers, type FullModel, predictorOf } from './same.js';

type AnyTrainer = Pipeline<number>['model'];

/** Rows to train on, and other rows to predict. */
interface Data {
  train: Pair;
  test: Pair;
}

const dataOf = (cols: number, density: number): Data => ({
  train: pairOf({ rows: 40, cols, density, seed: cols }),
  test: pairOf({ rows: 11, cols, density, seed: cols + 1 }),
});

const few = dataOf(7, 0.7);
const odd = dataOf(37, 0.4);
/** Three panels of 512, the last one not full. */
const wide = dataOf(1101, 0.05);

const storages = {
  dense: ({ dense }: Pair): Rows => dense,
  float32: ({ dense }: Pair): Rows => ({ ...dense, data: Float32Array.from(dense.data) }),
  sparse: ({ sparse }: Pair): Rows => sparse,
};

const trained: [string, Data, (pair: Pair) => Rows][] = [
  ['37 columns of dense rows', odd, storages.dense],
  ['37 columns of float32 rows', odd, storages.float32],
  ['1101 columns of dense rows', wide, storages.dense],
  ['1101 columns of sparse rows', wide, storages.sparse],
];

const RBF: Kernel = { type: 'rbf', gamma: 0.01 };
const CUBIC: Kernel = { type: 'polynomial', degree: 3, gamma: 0.02, coef0: 1 };
const kernels: Record<string, Kernel> = { linear: 'linear', rbf: RBF, polynomial: CUBIC };

const primal: Record<string, PerceptronOptions<number>> = {
  'the defaults': {},
  average: { average: true, order: 'shuffle' },
  'no intercept': { fitIntercept: false },
  'average, no intercept': { average: true, fitIntercept: false, learningRate: 0.3 },
  'initial weights': { initialBias: -0.7, order: 'random', classWeight: { '1': 0.3 } },
};

const pockets: Record<string, PocketPerceptronOptions<number>> = {
  'the defaults': {},
  ratchet: { ratchet: true },
  'cyclic, no intercept': { order: 'cyclic', fitIntercept: false },
};

const duals: Record<string, DualPerceptronOptions<number>> = {
  'the defaults': {},
  average: { average: true },
  pocket: { pocket: true, order: 'random', maxEpochs: 3 },
  'no intercept': { fitIntercept: false, learningRate: 0.3 },
};

const multis: Record<string, MulticlassPerceptronOptions<number>> = {
  'one-vs-rest': {},
  'one-vs-rest, average': { average: true },
  multinomial: { strategy: 'multinomial', fitIntercept: false },
  'multinomial, average': { strategy: 'multinomial', average: true, order: 'shuffle' },
};

describe.each(trained)('trained on %s', (_, { train, test: rest }, stored) => {
  const X = stored(train);
  const shared = { maxEpochs: 5, seed: 3 };

  test.each(Object.entries(primal))('a Perceptron with %s gives the same bits', (_, options) => {
    expectSameAnswers(new Perceptron<number>({ ...shared, ...options }).fit(X, train.signs), rest);
  });

  test.each(Object.entries(pockets))('a PocketPerceptron with %s gives the same bits', (_, options) => {
    expectSameAnswers(new PocketPerceptron<number>({ ...shared, ...options }).fit(X, train.signs), rest);
  });

  test.each(Object.entries(multis))('a MulticlassPerceptron with %s gives the same bits', (_, options) => {
    expectSameAnswers(new MulticlassPerceptron<number>({ ...shared, ...options }).fit(X, train.codes), rest);
  });

  describe.each(Object.entries(kernels))('with the kernel %s', (_, kernel) => {
    test.each(Object.entries(duals))('a DualPerceptron with %s gives the same bits', (_, options) => {
      expectSameAnswers(new DualPerceptron<number>({ ...shared, ...options, kernel }).fit(X, train.signs), rest);
    });

    test.each(Object.entries(multis))('a MulticlassPerceptron with %s gives the same bits', (_, options) => {
      const model = new MulticlassPerceptron<number>({ ...shared, ...options, kernel });
      expectSameAnswers(model.fit(X, train.codes), rest);
    });
  });
});

test('sparse rows that have no column in whole panels give the same bits', () => {
  /** The columns from 20 on, three panels further. */
  const moved = ({ sparse, dense, ...labels }: Pair): Pair => {
    const cols = dense.cols + 3 * 512;
    const indices = sparse.indices.map((column) => (column < 20 ? column : column + 3 * 512));
    const data = new Float64Array(dense.rows * cols);
    for (let i = 0; i < dense.rows; i++) {
      for (let k = sparse.indptr[i]!; k < sparse.indptr[i + 1]!; k++) data[i * cols + indices[k]!] = sparse.values[k]!;
    }
    return { ...labels, sparse: { ...sparse, indices, cols }, dense: { ...dense, data, cols } };
  };
  const [train, rest] = [moved(odd.train), moved(odd.test)];
  for (const X of [train.dense, train.sparse]) {
    for (const kernel of [RBF, CUBIC]) {
      expectSameAnswers(new DualPerceptron<number>({ kernel, maxEpochs: 5 }).fit(X, train.signs), rest);
    }
  }
});

test("the numbers of a kernel are the library's where the model names none", () => {
  for (const kernel of ['rbf', 'polynomial', { type: 'polynomial', coef0: 2 }] as const) {
    expectSameAnswers(
      new DualPerceptron<number>({ kernel, maxEpochs: 5 }).fit(odd.train.dense, odd.train.signs),
      odd.test,
    );
  }
});

test('a MulticlassPerceptron that kept no Gram matrix gives the same bits', () => {
  for (const average of [false, true]) {
    const model = new MulticlassPerceptron<number>({ kernel: RBF, gram: 'blocks', average, maxEpochs: 5 });
    expectSameAnswers(model.fit(odd.train.dense, odd.train.codes), odd.test);
  }
});

test('support rows of a dense and of a sparse block give the same bits', () => {
  const model = new DualPerceptron<number>({ kernel: CUBIC, average: true, classes: [-1, 1] });
  model.partialFit(odd.train.dense, odd.train.signs).partialFit(odd.train.sparse, odd.train.signs);
  expectSameAnswers(model, odd.test);
});

describe.each<ScalerKind>(['standardize', 'centre', 'unit-ball'])('a pipeline with the scaler %s', (kind) => {
  const { train, test: rest } = odd;
  const takesSparse = kind === 'unit-ball';
  const trainers: Record<string, [make: () => AnyTrainer, y: number[]]> = {
    Perceptron: [() => new Perceptron<number>({ average: true, maxEpochs: 5 }), train.signs],
    PocketPerceptron: [() => new PocketPerceptron<number>({ maxEpochs: 5 }), train.signs],
    'DualPerceptron, rbf': [() => new DualPerceptron<number>({ kernel: 'rbf', maxEpochs: 5 }), train.signs],
    MulticlassPerceptron: [() => new MulticlassPerceptron<number>({ maxEpochs: 5 }), train.codes],
    'MulticlassPerceptron, polynomial': [
      () => new MulticlassPerceptron<number>({ kernel: CUBIC, strategy: 'multinomial', maxEpochs: 5 }),
      train.codes,
    ],
  };

  test.each(Object.entries(trainers))('and a %s gives the same bits', (_, [make, y]) => {
    for (const stored of [storages.dense, storages.float32, ...(takesSparse ? [storages.sparse] : [])]) {
      expectSameAnswers(new Pipeline<number>(new Scaler({ kind }), make()).fit(stored(train), y), rest, takesSparse);
    }
  });
});

describe('labels', () => {
  const { train, test: rest } = few;
  const kinds: Record<string, [of: (code: number) => Label, many: boolean]> = {
    strings: [(code) => ['b', 'a', 'A', 'é'][code] as string, true],
    numbers: [(code) => [10, -2, 9, 0.5][code] as number, true],
    'two strings': [(code) => (code > 1 ? 'yes' : 'no'), false],
    booleans: [(code) => code > 1, false],
    'two numbers': [(code) => (code > 1 ? -3 : 7), false],
  };

  test.each(Object.entries(kinds))('that are %s come back as they were, in the same order', (_, [labelOf, many]) => {
    const y = train.codes.map(labelOf);
    expectSameAnswers(new MulticlassPerceptron({ maxEpochs: 5 }).fit(train.dense, y), rest);
    if (many) return;
    expectSameAnswers(new Perceptron({ maxEpochs: 5 }).fit(train.dense, y), rest);
    expectSameAnswers(new DualPerceptron({ maxEpochs: 5, kernel: 'rbf' }).fit(train.sparse, y), rest);
  });
});

describe('ties', () => {
  test('a score of 0 is the second class', () => {
    const model = new Perceptron({ classes: ['a', 'b'], maxEpochs: 1 }).fit([[1], [-1]], ['a', 'b']);
    const json = { ...model.toJSON(), weights: [1], bias: '-0' };
    for (const one of [loadPredictor(json), Perceptron.fromJSON(json)]) {
      expect(one.predict([[0], [-0], [-5e-324]])).toEqual(['b', 'b', 'a']);
      expect(one.predictOne([0])).toBe('b');
    }
  });

  test('of equal scores the first class wins', () => {
    const model = new MulticlassPerceptron<string>().fit(
      [
        [0, 0],
        [5, 0],
        [0, 5],
      ],
      ['low', 'right', 'up'],
    );
    expect(predictorOf(model).decisionFunction([[2, 1]])).toEqual(model.decisionFunction([[2, 1]]));
    expect(predictorOf(model).predict([[2, 1]])).toEqual(['right']);
    expect(predictorOf(model).predictOne([2, 1])).toBe('right');
  });
});

describe('no rows', () => {
  test('give no predictions and no scores', () => {
    const two = predictorOf(new Perceptron().fit([[1], [2]], [0, 1]));
    const many = predictorOf(new MulticlassPerceptron().fit([[1], [2], [3]], [0, 1, 2]));
    for (const X of [
      [],
      { data: new Float64Array(), rows: 0, cols: 0 },
      { values: [], indices: [], indptr: [0], cols: 9 },
    ]) {
      expect(two.predict(X)).toEqual([]);
      expect(two.decisionFunction(X)).toEqual(new Float64Array());
      expect(many.predict(X)).toEqual([]);
      expect(many.decisionFunction(X)).toEqual({ data: new Float64Array(), rows: 0, cols: 3 });
    }
  });
});

test('a model without supports predicts by its bias', () => {
  const model = new DualPerceptron<number>({ kernel: 'rbf', maxEpochs: 1 }).fit([[1], [2]], [0, 1]);
  const { supports, ...rest } = model.toJSON();
  const none = { indices: [], signs: [], alphas: [], counts: [], rows: [] };
  const json = { ...rest, supports: none, bias: -2 };
  expect(loadPredictor(json).decisionFunction([[1], [5]])).toEqual(Float64Array.of(-2, -2));
  expect(supports.rows.length).toBeGreaterThan(0);
});

test('methods need no this, and one predictor is the same from an object and from a copy', () => {
  const model = new Perceptron<string>().fit(
    [
      [3, 3],
      [4, 3],
      [1, 1],
    ],
    ['yes', 'yes', 'no'],
  );
  const { predict, predictOne, decisionFunction, classes } = loadPredictor<'yes' | 'no'>(model.toJSON());
  expect(
    predict([
      [4, 4],
      [0, 0],
    ]),
  ).toEqual(['yes', 'no']);
  expect(predictOne([4, 4])).toBe('yes');
  expect(decisionFunction([[4, 4]])).toEqual(Float64Array.of(5));
  expect(classes).toEqual(['no', 'yes']);
  expect(Object.keys(loadPredictor(model.toJSON()))).not.toContain('predictProbability');
});

test('predictions change neither the rows nor the model', () => {
  const { train } = odd;
  const json = new Pipeline(new Scaler({ kind: 'standardize' }), new Perceptron())
    .fit(train.dense, train.signs)
    .toJSON();
  const [before, data] = [JSON.stringify(json), train.dense.data.slice()];
  loadPredictor(json).predict(train.dense);
  expect(train.dense.data).toEqual(data);
  expect(JSON.stringify(json)).toBe(before);
});

test('any rows, kernel and options give the same bits', () => {
  const anyKernel = fc.constantFrom<(Kernel | undefined)[]>(undefined, 'linear', RBF, 'rbf', CUBIC, 'polynomial');
  const anyModel = fc.record({
    kernel: anyKernel,
    average: fc.boolean(),
    fitIntercept: fc.boolean(),
    strategy: fc.constantFrom(undefined, 'one-vs-rest' as const, 'multinomial' as const),
    isSparse: fc.boolean(),
  });
  fc.assert(
    fc.property(anyShape, anyModel, (shape, { kernel, strategy, isSparse, ...options }) => {
      const pair = pairOf(shape);
      const X = isSparse ? pair.sparse : pair.dense;
      const shared = { ...options, maxEpochs: 3, ...(kernel !== undefined && { kernel }) };
      let model: FullModel;
      try {
        model = strategy
          ? new MulticlassPerceptron<number>({ ...shared, strategy }).fit(X, pair.codes)
          : kernel
            ? new DualPerceptron<number>(shared).fit(X, pair.signs)
            : new Perceptron<number>({ ...options, maxEpochs: 3 }).fit(X, pair.signs);
      } catch {
        return; // kernels of large values overflow
      }
      expectSameAnswers(model, pairOf({ ...shape, rows: 5, seed: shape.seed + 1 }));
    }),
    { numRuns: 40 },
  );
});

test('matrices of the library and models of loadModel go with it', () => {
  const { train } = few;
  const model = loadModel(new Perceptron().fit(train.dense, train.signs).toJSON());
  const [dense, sparse] = [DenseMatrix.from(train.dense), SparseMatrix.from(train.sparse)];
  const predictor = loadPredictor(model.toJSON());
  expect(predictor.predict(dense)).toEqual(predictor.predict(sparse));
  expect(predictor.predictOne(dense.row(1))).toEqual(predictor.predictOne(sparse.row(1)));
  dense.dispose();
  sparse.dispose();
});
