// One fitted model of every kind and shape of JSON, for tests of model files.

import {
  DenseMatrix,
  DualPerceptron,
  type Label,
  MulticlassPerceptron,
  Perceptron,
  Pipeline,
  PocketPerceptron,
  type Rows,
  Scaler,
  SparseMatrix,
} from '../../src/index.js';

/** 40 rows that no plane separates, with values that are not whole; some are 0, one is −0. */
export const X = Array.from({ length: 40 }, (_, i) => [
  Math.sin(i),
  i % 3 === 0 ? 0 : Math.cos(3 * i) / 3,
  ((i * 7) % 11) / 7,
]);
(X[1] as number[])[2] = -0;
export const y = X.map(([a, b, c], i) =>
  (a as number) + (b as number) > (c as number) / 2 !== (i % 9 === 0) ? 'yes' : 'no',
);
export const numbers = X.map((_, i) => (i * 3) % 5);
const kernels = [
  'linear',
  { type: 'rbf', gamma: 0.7 },
  { type: 'polynomial', degree: 3, gamma: 0.5, coef0: 1 },
] as const;

const storages = {
  lists: () => X,
  float32: () => DenseMatrix.from(X, { dtype: 'float32' }),
  sparse: () => SparseMatrix.fromDense(X),
} as const;

/** Every kind of model, by name. */
export const models: Readonly<Record<string, () => { toJSON(): object; predict(X: Rows): readonly Label[] }>> = {
  perceptron: () => new Perceptron({ maxEpochs: 5 }).fit(X, y),
  'perceptron, all options': () =>
    new Perceptron<string>({
      maxEpochs: 3,
      average: true,
      order: 'shuffle',
      initialWeights: [0.1, -0, 5e-324],
      initialBias: -0,
      featureNames: ['a"\n', '-0', '__proto__'],
      classWeight: { yes: 0.1, no: 3 },
      classes: ['yes', 'no'],
    }).fit(X, y),
  'perceptron of −0 alone': () =>
    new Perceptron<string>({
      maxEpochs: 1,
      fitIntercept: false,
      initialWeights: [-0],
      margin: 0,
      classes: ['-0', 'x'],
    }).fit([[-0], [0]], ['-0', 'x']),
  'perceptron of numeric classes': () =>
    new Perceptron({ maxEpochs: 2, classes: [3, 7] }).fit(
      X,
      y.map((l) => (l === 'yes' ? 7 : 3)),
    ),
  'perceptron of booleans': () =>
    new Perceptron({ maxEpochs: 2 }).fit(
      X,
      y.map((l) => l === 'yes'),
    ),
  pocket: () => new PocketPerceptron({ maxEpochs: 3, seed: 5 }).fit(X, y),
  ratchet: () => new PocketPerceptron({ maxEpochs: 3, ratchet: true }).fit(X, y),
  ...Object.fromEntries(
    kernels.flatMap((kernel) =>
      Object.entries(storages).map(([storage, rows]) => [
        `dual, ${typeof kernel === 'string' ? kernel : kernel.type}, ${storage}`,
        () => new DualPerceptron({ maxEpochs: 4, kernel }).fit(rows(), y),
      ]),
    ),
  ),
  'dual, averaged': () => new DualPerceptron({ maxEpochs: 4, kernel: kernels[1], average: true }).fit(X, y),
  'dual, in two blocks': () =>
    new DualPerceptron<string>({ kernel: kernels[1] })
      .partialFit(X.slice(0, 20), y.slice(0, 20), { classes: ['no', 'yes'] })
      .partialFit(X.slice(20), y.slice(20)),
  'multiclass, one-vs-rest': () => new MulticlassPerceptron({ maxEpochs: 3, average: true }).fit(X, numbers),
  'multiclass, multinomial': () => new MulticlassPerceptron({ maxEpochs: 3, strategy: 'multinomial' }).fit(X, numbers),
  'multiclass, one-vs-rest, rbf': () =>
    new MulticlassPerceptron({ maxEpochs: 3, kernel: kernels[1], average: true }).fit(X, numbers),
  'multiclass, multinomial, rbf, sparse': () =>
    new MulticlassPerceptron({ maxEpochs: 3, strategy: 'multinomial', kernel: kernels[1], average: true }).fit(
      SparseMatrix.fromDense(X),
      numbers,
    ),
  pipeline: () => new Pipeline(new Scaler({ kind: 'standardize' }), new Perceptron({ maxEpochs: 3 })).fit(X, y),
  'pipeline of a dual model': () =>
    new Pipeline(new Scaler({ kind: 'unit-ball' }), new DualPerceptron({ maxEpochs: 3, kernel: kernels[2] })).fit(X, y),
};
