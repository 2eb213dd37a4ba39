// Sparse rows against the textbook, on whole numbers, where every order of addition gives the same bits; the worked example;
// and a real set.

import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  DenseMatrix,
  DualPerceptron,
  gram,
  MulticlassPerceptron,
  Perceptron,
  PocketPerceptron,
  SparseBuilder,
  SparseMatrix,
} from '../../src/index.js';
import { Random } from '../../src/random.js';
import { engines } from '../engines.js';
import {
  alphas,
  dualMultinomial,
  meanOf,
  multinomial,
  oneVsRest,
  type Plane,
  plane,
  pocket,
  ratchet,
  train,
} from '../family-oracle.js';
import { busy, linearGram, plain, SQUARE_KERNEL, squareGram } from '../family-samples.js';
import { dualPerceptron, perceptron } from '../oracle.js';
import { orders } from '../samples.js';
import { pairOf } from '../sparse-samples.js';

const { sparse, dense, signs, codes } = pairOf({ rows: 30, cols: 25, density: 0.2, seed: 6, whole: true });
const X = Array.from({ length: 30 }, (_, i) => [...dense.data.subarray(25 * i, 25 * (i + 1))]);
const each = engines.flatMap((engine) => orders.map((order) => ({ engine, order })));
const EPOCHS = 6;
const seeded = () => Random.seeded(3);
const walk = (order: (typeof orders)[number]) => ({ order, epochs: EPOCHS, random: seeded() });

test.each(engines)('%s makes the mistakes of the textbook, one after the other', (engine) => {
  for (const o of [
    {},
    { eta: 0.5, mu: 2, B: 4 },
    { w0: X[7] as number[], b0: 2 },
    { c: (y: number) => (y > 0 ? 2 : 0.5) },
  ]) {
    const expected = perceptron(X, signs, { epochs: EPOCHS, ...o });
    const trace: number[] = [];
    const model = new Perceptron<number>({
      engine,
      maxEpochs: EPOCHS,
      learningRate: 'eta' in o ? o.eta : 1,
      margin: 'mu' in o ? o.mu : 0,
      interceptScaling: 'B' in o ? o.B : 1,
      ...('w0' in o && { initialWeights: o.w0, initialBias: o.b0 }),
      ...('c' in o && { classWeight: { '1': 2, '-1': 0.5 } }),
      onUpdate: ({ index }) => trace.push(index),
    }).fit(sparse, signs);
    expect(trace).toEqual(expected.trace);
    expect(model.report.mistakesByEpoch).toEqual(expected.mistakesByEpoch);
    expect(plain([...model.weights, model.bias])).toEqual(plain([...expected.w, expected.b]));
  }
});

test.each(each)('$engine, order $order: the planes of the textbook, last and mean', ({ engine, order }) => {
  const expected = train(plane(X, signs), walk(order));
  for (const average of [false, true]) {
    const trace: number[] = [];
    const model = new Perceptron<number>({
      engine,
      order,
      average,
      seed: 3,
      maxEpochs: EPOCHS,
      onUpdate: ({ index }) => trace.push(index),
    }).fit(sparse, signs);
    expect(trace).toEqual(expected.trace);
    expect(busy(model.report.mistakesByEpoch)).toEqual(busy(expected.mistakesByEpoch));
    const last = [...expected.last.w, expected.last.b];
    if (!average) expect(plain([...model.weights, model.bias])).toEqual(plain(last));
    else {
      const mean = meanOf(expected.seen, ({ w, b }: Plane) => [...w, b]);
      [...model.weights, model.bias].forEach((v, k) => void expect(v).toBeCloseTo(mean[k] as number, 10));
    }
  }
});

test.each(each)('$engine, order $order: the pocket of the textbook', ({ engine, order }) => {
  const expected = pocket(plane(X, signs), walk(order));
  const model = new PocketPerceptron<number>({ engine, order, seed: 3, maxEpochs: EPOCHS }).fit(sparse, signs);
  expect(plain([...model.weights, model.bias])).toEqual(plain([...expected.pocket.w, expected.pocket.b]));
  expect(model.report.pocket).toMatchObject(expected.told);
});

test.each(engines)('%s: the ratchet of the textbook', (engine) => {
  const expected = ratchet(plane(X, signs), walk('random'));
  const options = { engine, ratchet: true, seed: 3, maxEpochs: EPOCHS };
  const model = new PocketPerceptron<number>(options).fit(sparse, signs);
  expect(plain([...model.weights, model.bias])).toEqual(plain([...expected.pocket.w, expected.pocket.b]));
  expect(model.report.pocket).toMatchObject(expected.told);
});

test.each(engines)('%s: the dual form makes the mistakes of the textbook and of the primal form', (engine) => {
  const expected = dualPerceptron(linearGram(X), signs, { epochs: EPOCHS });
  const primal = new Perceptron<number>({ engine, maxEpochs: EPOCHS }).fit(sparse, signs);
  for (const mode of ['full', 'rows'] as const) {
    const trace: number[] = [];
    const model = new DualPerceptron<number>({
      engine,
      gram: mode,
      maxEpochs: EPOCHS,
      onUpdate: ({ index }) => trace.push(index),
    }).fit(sparse, signs);
    expect(trace).toEqual(expected.trace);
    expect([...model.alphas]).toEqual(expected.alphas);
    expect([...model.updateCounts]).toEqual(expected.counts);
    expect(model.report.mistakesByEpoch).toEqual(expected.mistakesByEpoch);
    expect(plain([...model.weights, model.bias])).toEqual(plain([...primal.weights, primal.bias]));
  }
});

test.each(each)('$engine, order $order: a kernel as in the textbook', ({ engine, order }) => {
  const expected = train(alphas(squareGram(X), signs), walk(order));
  for (const mode of ['full', 'rows'] as const) {
    const options = { engine, order, seed: 3, maxEpochs: EPOCHS, kernel: SQUARE_KERNEL, gram: mode };
    const model = new DualPerceptron<number>(options).fit(sparse, signs);
    expect([...model.alphas]).toEqual(expected.last.alphas);
    expect(model.bias + 0).toBe(expected.last.b + 0);
    expect(busy(model.report.mistakesByEpoch)).toEqual(busy(expected.mistakesByEpoch));
  }
});

test.each(engines)('%s: many classes as in the textbook', (engine) => {
  const options = { engine, maxEpochs: EPOCHS };
  const ovr = new MulticlassPerceptron<number>(options).fit(sparse, codes);
  const planes = oneVsRest(X, codes, 4, () => walk('cyclic'));
  planes.forEach(({ last }, k) => {
    expect(plain([...(ovr.weights[k] as Float64Array), ovr.biases[k] as number])).toEqual(plain([...last.w, last.b]));
  });
  const one = new MulticlassPerceptron<number>({ ...options, strategy: 'multinomial' }).fit(sparse, codes);
  const run = train(multinomial(X, codes, 4), walk('cyclic'));
  run.last.W.forEach((w, k) => {
    const own = [...(one.weights[k] as Float64Array), one.biases[k] as number];
    expect(plain(own)).toEqual(plain([...w, run.last.b[k] as number]));
  });
  expect(one.report.mistakesByEpoch).toEqual(run.mistakesByEpoch);
  const dual = train(dualMultinomial(squareGram(X), codes, 4), walk('cyclic'));
  const kernel = { ...options, strategy: 'multinomial', kernel: SQUARE_KERNEL } as const;
  const model = new MulticlassPerceptron<number>(kernel).fit(sparse, codes);
  expect(plain(model.biases)).toEqual(plain(dual.last.b));
  expect(model.report.mistakesByEpoch).toEqual(dual.mistakesByEpoch);
});

// ---- the worked example (SPEC §10) ------------------------------------------------------------------

const worked = { values: [3, 3, 4, 3, 1, 1], indices: [0, 1, 0, 1, 0, 1], indptr: [0, 2, 4, 6], cols: 2 };
const trace = [[1, 0, 1], [2, 2, 1], [3, 2, 2], [4, 2, 3], [5, 0, 4], [6, 2, 4], [7, 2, 5]]; // biome-ignore format: seven updates
const weightsAfter = [[3, 3, 1], [2, 2, 0], [1, 1, -1], [0, 0, -2], [3, 3, -1], [2, 2, -2], [1, 1, -3]]; // biome-ignore format: seven updates

test.each(engines)('%s makes the seven updates of the worked example on sparse rows, in both forms', (engine) => {
  using matrix = SparseMatrix.from(worked);
  const unseen = { values: [4, 4, 5, 2], indices: [0, 1, 0, 1], indptr: [0, 2, 4, 4], cols: 2 };
  const seen: number[][] = [];
  const after: number[][] = [];
  const model = new Perceptron<number>({
    engine,
    onUpdate({ mistakes, index, epoch, weights, bias }) {
      seen.push([mistakes, index, epoch]);
      after.push([...(weights ?? []), bias]);
    },
  }).fit(matrix, [1, 1, -1]);
  expect(seen).toEqual(trace);
  expect(after).toEqual(weightsAfter);
  const dual = new DualPerceptron<number>({ engine }).fit(worked, [1, 1, -1]);
  expect([...dual.alphas]).toEqual([2, 0, 5]);
  for (const m of [model, dual]) {
    expect([...m.weights, m.bias]).toEqual([1, 1, -3]);
    expect(m.report).toMatchObject({ converged: true, epochs: 6, mistakes: 7, mistakesByEpoch: [2, 1, 1, 2, 1, 0] });
    expect(m.predict(unseen)).toEqual([1, 1, -1]);
    expect(m.score(matrix, [1, 1, -1])).toBe(1);
    expect(m.loss(matrix, [1, 1, -1])).toBe(0);
    expect(m.hardest()).toEqual([{ index: 2, updates: 5 }, { index: 0, updates: 2 }]); // biome-ignore format: two rows
  }
  using G = gram(matrix, { engine });
  expect([...G.data]).toEqual([18, 21, 6, 21, 25, 7, 6, 7, 2]);
});

test.each(engines)('%s: a kernel separates XOR of sparse rows, one of them empty', (engine) => {
  const xor = { values: [1, 1, 1, 1], indices: [0, 1, 1, 0], indptr: [0, 0, 2, 3, 4], cols: 2 };
  for (const kernel of [{ type: 'rbf', gamma: 1 }, SQUARE_KERNEL] as const) {
    const model = new DualPerceptron<number>({ engine, kernel }).fit(xor, [-1, -1, 1, 1]);
    expect(model.report.converged).toBe(true);
    expect(model.predict(xor)).toEqual([-1, -1, 1, 1]);
  }
});

// ---- a real set ---------------------------------------------------------------------------------------

const folder = new URL('../../../shared/data/', import.meta.url);

/** LIBSVM text, columns from 1. */
function libsvm(file: string, cols: number): { X: SparseMatrix; y: number[] } {
  const builder = new SparseBuilder({ cols });
  const y = readFileSync(new URL(file, folder), 'utf8').trim().split('\n').map((line) => {
    const [label, ...pairs] = line.trim().split(/\s+/).map((part) => part.split(':').map(Number));
    builder.add(pairs.map(([column]) => (column as number) - 1), pairs.map(([, value]) => value as number));
    return (label as number[])[0] as number;
  }); // biome-ignore format: a few lines
  return { X: builder.finish(), y };
}

test.skipIf(!existsSync(new URL('agaricus.txt.train', folder))).each(engines)(
  '%s: agaricus as sparse rows takes 15 epochs and 139 mistakes, in both forms, and knows the test set',
  (engine) => {
    const { X, y } = libsvm('agaricus.txt.train', 126);
    expect([X.rows, X.cols, X.nonZeros]).toEqual([6513, 126, 22 * 6513]);
    const known = { converged: true, epochs: 15, mistakes: 139 };
    const model = new Perceptron<number>({ engine }).fit(X, y);
    const dual = new DualPerceptron<number>({ engine, gram: 'rows' }).fit(X, y);
    const test = libsvm('agaricus.txt.test', 126);
    for (const m of [model, dual]) {
      expect(m.report).toMatchObject(known);
      expect(m.score(X, y)).toBe(1);
      expect(m.score(test.X, test.y)).toBe(1);
    }
    expect([...dual.weights, dual.bias]).toEqual([...model.weights, model.bias]);
    using stored = DenseMatrix.from(X);
    expect(JSON.stringify(model)).toBe(JSON.stringify(new Perceptron<number>({ engine }).fit(stored, y)));
    X.dispose();
    test.X.dispose();
  },
);
