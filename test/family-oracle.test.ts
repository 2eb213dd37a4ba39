// The oracles of the family against the trainers they have in common with the rest of the house.

import { expect, test } from 'vitest';
import { DualPerceptron, gram, Perceptron } from '../src/index.js';
import { Random } from '../src/random.js';
import {
  alphas,
  dualMultinomial,
  meanOf,
  multinomial,
  oneVsRest,
  plane,
  pocket,
  ratchet,
  scoresOfAlphas,
  scoresOfCoefficients,
  signs,
  train,
} from './family-oracle.js';
import { clouds, linearGram, manyClasses, plain, SQUARE_KERNEL, squareGram, XOR } from './family-samples.js';
import { perceptron } from './oracle.js';
import { integers, orders } from './samples.js';

const seed = 11;
const walk = (order: (typeof orders)[number], epochs: number) => ({ order, epochs, random: Random.seeded(seed) });
const knobs = { eta: 0.5, mu: 4, B: 2 };
const options = { learningRate: 0.5, margin: 4, interceptScaling: 2, seed };

test('a plane in cyclic order is that of the first oracle', () => {
  const { X, y } = integers(40, 5, 1, 15);
  const run = train(plane(X, y, knobs), { epochs: 6 });
  const expected = perceptron(X, y, { ...knobs, epochs: 6 });
  expect(run.last).toEqual({ w: expected.w, b: expected.b });
  expect([run.trace, run.mistakesByEpoch, run.seen]).toEqual([expected.trace, expected.mistakesByEpoch, expected.seen]);
});

test.each(orders)('order %s: planes, α and their means are those of the trainers', (order) => {
  for (const noise of [0, 20]) {
    const { X, y } = integers(30, 4, 2, noise);
    const o = { ...options, order, maxEpochs: 6 };
    const c = (i: number) => ((y[i] as number) > 0 ? 2 : 0.25);
    const run = train(plane(X, y, { ...knobs, c }), walk(order, 6));
    const trace: number[] = [];
    const weighted = { ...o, classWeight: { '1': 2, '-1': 0.25 } };
    const model = new Perceptron<number>({ ...weighted, onUpdate: ({ index }) => trace.push(index) }).fit(X, y);
    expect([...model.weights, model.bias]).toEqual([...run.last.w, run.last.b]);
    expect(trace).toEqual(run.trace);
    expect(model.report.mistakesByEpoch).toEqual(run.mistakesByEpoch);
    expect(model.report.converged).toBe(run.separated);
    const mean = new Perceptron<number>({ ...weighted, average: true }).fit(X, y);
    expect([...mean.weights, mean.bias]).toEqual(meanOf(run.seen, ({ w, b }) => [...w, b]));
    for (const [kernel, K] of [
      ['linear', linearGram(X)],
      [SQUARE_KERNEL, squareGram(X)],
    ] as const) {
      const dual = new DualPerceptron<number>({ ...o, kernel }).fit(X, y);
      const textbook = train(alphas(K, y, knobs), walk(order, 6));
      expect([...dual.alphas]).toEqual(textbook.last.alphas);
      expect([...dual.updateCounts]).toEqual(textbook.last.counts);
      expect(plain(dual.decisionFunction(X))).toEqual(plain(scoresOfAlphas(K, y, textbook.last)));
    }
  }
});

test.each(orders)('order %s: one against the rest is K fits of two classes', (order) => {
  const { X, y } = manyClasses(40, 3, 4, 3, 10);
  const runs = oneVsRest(X, y, 4, () => walk(order, 5), knobs);
  runs.forEach((run, k) => {
    const model = new Perceptron<number>({ ...options, order, maxEpochs: 5 }).fit(X, signs(y, k));
    expect([...model.weights, model.bias]).toEqual([...run.last.w, run.last.b]);
  });
});

test.each(orders)('order %s: with two classes multinomial steps are those of one plane, half and half', (order) => {
  // W_1 − W_0 = 2w, so that a margin of 2μ is μ.
  const { X, y } = manyClasses(30, 3, 2, 4, 10);
  const two = train(multinomial(X, y, 2, { ...knobs, mu: 8 }), walk(order, 5));
  const one = train(plane(X, signs(y, 1), knobs), walk(order, 5));
  expect(two.trace).toEqual(one.trace);
  expect(two.last.W[1]).toEqual(one.last.w);
  expect(plain(two.last.W[0] as number[])).toEqual(plain(one.last.w.map((v) => -v)));
  expect(plain(two.last.b)).toEqual(plain([-one.last.b, one.last.b]));
});

test.each(orders)('order %s: multinomial makes the same mistakes in primal and dual form', (order) => {
  const { X, y } = manyClasses(25, 3, 4, 5, 10);
  const primal = train(multinomial(X, y, 4, knobs), walk(order, 5));
  const dual = train(dualMultinomial(linearGram(X), y, 4, knobs), walk(order, 5));
  expect(dual.trace).toEqual(primal.trace);
  expect(dual.last.b).toEqual(primal.last.b);
  const scores = scoresOfCoefficients(linearGram(X), dual.last);
  X.forEach((x, i) => {
    primal.last.W.forEach((w, k) => {
      const s = x.reduce((sum, v, j) => sum + v * (w[j] as number), 0) + (primal.last.b[k] as number);
      expect(scores[i]?.[k]).toBe(s);
    });
  });
});

test('multinomial and one against the rest separate clouds', () => {
  const { X, y } = clouds(8, 6);
  expect(train(multinomial(X, y, 3), { epochs: 50 }).separated).toBe(true);
  expect(oneVsRest(X, y, 3, () => ({ epochs: 50 })).every((run) => run.separated)).toBe(true);
});

test.each(orders)('order %s: a pocket does not change the path, and separated rows end in it', (order) => {
  for (const noise of [0, 20]) {
    const { X, y } = integers(30, 3, 15, noise);
    const run = pocket(plane(X, y), walk(order, 60));
    const plainRun = train(plane(X, y), walk(order, 60));
    expect(run.trace).toEqual(plainRun.trace);
    expect(run.told.errors).toBeLessThanOrEqual(run.told.lastErrors);
    const wrong = X.filter(
      (x, i) =>
        !((y[i] as number) * (x.reduce((s, v, k) => s + v * (run.pocket.w[k] as number), 0) + run.pocket.b) > 0),
    );
    expect(run.told.errors).toBe(wrong.length);
    if (run.separated) expect(run.told).toMatchObject({ errors: 0, lastErrors: 0 });
  }
});

test('the ratchet ends by itself on rows that a plane separates, with nothing wrong', () => {
  const { X, y } = integers(30, 3, 4);
  const run = ratchet(plane(X, y), { epochs: 1000, random: Random.seeded(3) });
  expect(run.separated).toBe(true);
  expect(run.told).toEqual({ errors: 0, lastErrors: 0, replacedAt: run.trace.length });
});

test('XOR: the best plane has one row on the wrong side, and drawing at random comes by it', () => {
  const { X, y } = XOR;
  for (const random of [0, 1, 2].map(Random.seeded)) {
    expect(pocket(plane(X, y), { order: 'random', epochs: 50, random }).told.errors).toBe(1);
    expect(ratchet(plane(X, y), { epochs: 200, random }).told.errors).toBe(1);
  }
  // A sweep goes round in a circle that passes no such plane; the steps of a batch cancel out, and it never leaves zero.
  expect(pocket(plane(X, y), walk('cyclic', 50)).told).toEqual({ errors: 2, lastErrors: 2, replacedAt: 1 });
  expect(pocket(plane(X, y), walk('batch', 50)).told).toEqual({ errors: 4, lastErrors: 4, replacedAt: 0 });
});

test('the Gram matrices of the samples are those of gram()', () => {
  const { X } = integers(9, 3, 9);
  using linear = gram(X);
  using square = gram(X, { kernel: SQUARE_KERNEL });
  expect([...linear.data]).toEqual(linearGram(X).flat());
  expect([...square.data]).toEqual(squareGram(X).flat());
});
