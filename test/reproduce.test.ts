// The kernel perceptron on MNIST (bench/reproduce.ts) with fewer digits: its errors, and the same mistakes as the
// obvious loop. How low the errors get with all digits is in the README; here one wants to know within seconds.

import { describe, expect, test } from 'vitest';
import {
  evaluationsOf,
  fitKernelPerceptron,
  type KernelModel,
  predictKernelPerceptron,
} from '../bench/baseline/kernel-perceptron.js';
import { type Digits, mnist } from '../bench/data/mnist.js';
import { reproduceArguments } from '../bench/reproducearguments.js';
import { type EngineKind, MulticlassPerceptron } from '../src/index.js';
import { Random } from '../src/random.js';
import { someOf } from './effort.js';
import { someEngines as engines } from './engines.js';

const K = 10;

const ours = (degree: number, engine: EngineKind | 'auto' = 'auto', seed = 0) =>
  new MulticlassPerceptron<number>({
    kernel: { type: 'polynomial', degree, gamma: 1, coef0: 1 },
    gram: 'blocks',
    fitIntercept: false,
    order: 'shuffle',
    seed,
    maxEpochs: 1,
    average: true,
    engine,
  });

function orderOf(rows: number, seed = 0): number[] {
  const order = Array.from({ length: rows }, (_, i) => i);
  Random.seeded(seed).shuffle(order);
  return order;
}

const obvious = ({ X, y }: Digits, degree: number, seed = 0): KernelModel =>
  fitKernelPerceptron(X.data, y, orderOf(X.rows, seed), { d: X.cols, K, degree });

/** Pixels as whole numbers from 0 to `top`. */
const coarse = ({ X, y }: Digits, top: number): Digits => ({
  X: { ...X, data: X.data.map((pixel) => Math.round(pixel * top)) },
  y,
});

const percentWrong = (predicted: readonly number[], y: readonly number[]): number =>
  (100 * predicted.filter((digit, i) => digit !== y[i]).length) / y.length;

test.each([
  { part: 'train' as const, rows: 60_000, labels: [5, 0, 4, 1, 9, 2, 1, 3, 1, 4], zeros: 5923 },
  { part: 'test' as const, rows: 10_000, labels: [7, 2, 1, 0, 4, 1, 4, 9, 5, 9], zeros: 980 },
])('MNIST has its $rows digits to $part', ({ part, rows, labels, zeros }) => {
  const { X, y } = mnist(part);
  expect([X.rows, X.cols, X.data.length, y.length]).toEqual([rows, 784, rows * 784, rows]);
  expect(y.slice(0, 10)).toEqual(labels);
  expect(y.filter((digit) => digit === 0)).toHaveLength(zeros);
  const few = mnist(part, 3);
  expect(few.y).toEqual(labels.slice(0, 3));
  expect(few.X).toEqual({ data: X.data.slice(0, 3 * 784), rows: 3, cols: 784 });
  expect([Math.min(...few.X.data), Math.max(...few.X.data)]).toEqual([0, 1]);
});

// Measured with the obvious loop on 2500 and 1000 digits, seeds 0 to 3: averaged 14.4 to 15.2 % at degree 1 and 8.7
// to 9.8 % at degree 3; last 14.5 to 25.6 % and 9.6 to 11.1 %.
const limits = [
  { degree: 1, averagedBelow: 17, lastBelow: 30 },
  { degree: 3, averagedBelow: 11, lastBelow: 13 },
];
describe.each(someOf(limits, []))('2500 digits, degree $degree', ({ degree, averagedBelow, lastBelow }) => {
  test('the averaged weights err less than the last ones, and both as little as they should', () => {
    const train = mnist('train', 2500);
    const { X, y } = mnist('test', 1000);
    const model = ours(degree).fit(train.X, train.y);
    const averaged = percentWrong(model.predict(X), y);
    const last = percentWrong(model.predict(X, { last: true }), y);
    expect(averaged).toBeLessThan(averagedBelow);
    expect(last).toBeLessThan(lastBelow);
    expect(averaged).toBeLessThan(last);
    expect(averaged).toBeCloseTo(100 * (1 - model.score(X, y)), 9);
  });
});

// Whole pixels up to 8 and degree 2: at most (1 + 784·64)² a kernel value, and so below 2⁵³ with 512 supports of
// weights up to 512. A power of two of rows: their means are exact as well.
describe.each(someOf([0, 7], [0]))('whole pixels, seed %i', (seed) => {
  const rows = 512;
  const train = coarse(mnist('train', rows), 8);
  const { X } = coarse(mnist('test', 200), 8);
  const expected = obvious(train, 2, seed);
  const classes = predictKernelPerceptron(expected, X.data, X.cols);

  test.each(engines)('the mistakes, supports and classes are those of the obvious loop, on %s', (engine) => {
    const model = ours(2, engine, seed).fit(train.X, train.y);
    expect(model.report).toMatchObject({ epochs: 1, mistakes: expected.mistakes });
    const supports = model.hardest(rows).map(({ index }) => index);
    expect(supports.sort((a, b) => a - b)).toEqual([...expected.supports].sort((a, b) => a - b));
    expect(evaluationsOf(orderOf(rows, seed), supports)).toBe(expected.evaluations);
    expect(model.predict(X)).toEqual(classes.averaged);
    expect(model.predict(X, { last: true })).toEqual(classes.last);
  });
});

test.each(someOf([1, 3], [3]))('pixels from 0 to 1, degree %i: the same but for close calls', (degree) => {
  const train = mnist('train', 600);
  const { X } = mnist('test', 300);
  const model = ours(degree).fit(train.X, train.y);
  const expected = obvious(train, degree);
  const classes = predictKernelPerceptron(expected, X.data, X.cols);
  // The two add in different orders.
  expect(Math.abs(model.report.mistakes - expected.mistakes)).toBeLessThanOrEqual(0.01 * expected.mistakes);
  expect(percentWrong(model.predict(X), classes.averaged)).toBeLessThanOrEqual(1);
  expect(percentWrong(model.predict(X, { last: true }), classes.last)).toBeLessThanOrEqual(1);
});

describe('npm run reproduce', () => {
  test('takes all digits and four degrees by default', () => {
    const defaults = { train: 60_000, test: 10_000, degrees: [1, 2, 3, 4], seed: 0, js: false };
    expect(reproduceArguments([])).toEqual(defaults);
    const args = ['--train', '2000', '--degrees=2,3', '--seed', '5', '--js'];
    expect(reproduceArguments(args)).toEqual({ ...defaults, train: 2000, degrees: [2, 3], seed: 5, js: true });
  });

  test.each([
    { args: ['--train', '60001'], message: "--train takes integers from 100 to 60000, got '60001'" },
    { args: ['--test', '1e3'], message: "--test takes integers from 1 to 10000, got '1e3'" },
    { args: ['--degrees', '1,,2'], message: "--degrees takes integers from 1 to 20, got ''" },
    { args: ['--seed=-1'], message: "--seed takes integers from 0 to 4294967295, got '-1'" },
    { args: ['--train'], message: "Option '--train <value>' argument missing" },
    { args: ['--tests', '5'], message: "Unknown option '--tests'" },
    { args: ['5'], message: "Unexpected argument '5'" },
  ])('refuses $args, saying what is wrong', ({ args, message }) => {
    expect(() => reproduceArguments(args)).toThrow(
      `${message}; usage: npm run reproduce -- [--train 60000] [--test 10000] [--degrees 1,2,3,4] [--seed 0] [--js]`,
    );
  });
});
