// The bracket of the best margin holds in floating point: compared with exact rational arithmetic.

import { expect, test } from 'vitest';
import { DualPerceptron, describe, MulticlassPerceptron, Perceptron } from '../../src/index.js';
import { Random } from '../../src/random.js';
import { exactly, isAtMost, isBracket, minus, over, plus, type Ratio, ratio, squaredMargin, times } from './exact.js';

const y = [1, -1];

/** Two rows of real numbers in [−1, 1), of 1 to 4 columns. */
function twoRows(seed: number): number[][] {
  const random = Random.seeded(seed);
  const cols = 1 + random.below(4);
  return [0, 1].map(() => Array.from({ length: cols }, () => random.next() / 2 ** 31 - 1));
}

/** A row and its opposite: one update finds the best plane, so that lower = γ* = upper but for rounding. */
function opposites(seed: number): number[][] {
  const [row] = twoRows(seed) as [number[]];
  return [row, row.map((v) => -v)];
}

const plain = { fitIntercept: false, maxEpochs: 300 };
const models = {
  'without an intercept, of opposite rows': () => new Perceptron<number>(plain),
  'dual, without an intercept, of opposite rows': () => new DualPerceptron<number>(plain),
  Perceptron: () => new Perceptron<number>({ maxEpochs: 300 }),
  'Perceptron, average': () => new Perceptron<number>({ maxEpochs: 300, average: true }),
  'Perceptron, batch, class weights': () =>
    new Perceptron<number>({ maxEpochs: 300, order: 'batch', classWeight: { '1': 0.3, '-1': 0.7 } }),
  DualPerceptron: () => new DualPerceptron<number>({ maxEpochs: 300 }),
};

test.each(Object.entries(models))('lower ≤ γ* ≤ upper on 2000 pairs of rows, exactly: %s', (name, make) => {
  const areOpposite = name.includes('opposite');
  const wrong: number[] = [];
  for (let seed = 0; seed < 2000; seed++) {
    const X = areOpposite ? opposites(seed) : twoRows(seed);
    const { margin } = make().fit(X, y).diagnose(X, y);
    const gamma = squaredMargin(X, areOpposite ? 0 : 1);
    if (margin.lower > margin.upper || !isBracket(margin, gamma)) wrong.push(seed);
  }
  expect(wrong).toEqual([]);
});

test('the mistake bound is at least R²/γ*² on 2000 pairs of rows, exactly', () => {
  let proven = 0;
  for (let seed = 0; seed < 2000; seed++) {
    const X = twoRows(seed);
    const { mistakeBound } = new Perceptron<number>({ maxEpochs: 300 }).fit(X, y).diagnose(X, y);
    if (mistakeBound === null) continue;
    proven++;
    const squares = X.map((row) => [...row, 1].map(exactly).reduce((sum, v) => plus(sum, times(v, v)), ratio(0n)));
    for (const square of squares) {
      expect(isAtMost(square, times(exactly(mistakeBound), squaredMargin(X, 1))), `seed ${seed}`).toBe(true);
    }
  }
  expect(proven).toBeGreaterThan(1500);
});

const X = [
  [3, 1],
  [1, 2],
];

test.each([1e-170, 1e-200, 1e-310, 2 ** -560, 2 ** 500])(
  'a learning rate of %s leaves the bracket as it is',
  (learningRate) => {
    const d = new Perceptron<number>({ learningRate }).fit(X, y).diagnose(X, y);
    expect(isBracket(d.margin, squaredMargin(X, 1))).toBe(true);
    expect(d.distance).toBe(0);
    // Other rates round the steps.
    if (Number.isInteger(Math.log2(learningRate))) {
      const one = new Perceptron<number>().fit(X, y).diagnose(X, y);
      expect(d.margin.lower).toBeCloseTo(one.margin.lower, 10);
      expect(d.margin.upper).toBeCloseTo(one.margin.upper, 10);
      expect(d.mistakeBound).toBeCloseTo(one.mistakeBound as number, 8);
    }
  },
);

test('the distance of wrong rows is a number with a learning rate of 1e-170', () => {
  const xor = [
    [0, 0],
    [1, 1],
    [0, 1],
    [1, 0],
  ];
  const labels = [-1, -1, 1, 1];
  const tiny = new Perceptron<number>({ learningRate: 2 ** -560, maxEpochs: 7 }).fit(xor, labels);
  const plain = new Perceptron<number>({ maxEpochs: 7 }).fit(xor, labels);
  expect(tiny.diagnose(xor, labels).distance).toBeCloseTo(plain.diagnose(xor, labels).distance, 10);
});

test('initial weights of 1e17, which no step can move, prove no upper bound below γ*', () => {
  for (const initialWeights of [
    [-1e17, 1e17],
    [-1e17, 3],
    [1e8, -1e17],
  ]) {
    const model = new Perceptron<number>({ initialWeights, maxEpochs: 50 }).fit(X, y);
    const d = model.diagnose(X, y);
    expect(model.report.mistakes).toBeGreaterThan(0);
    expect(isBracket(d.margin, squaredMargin(X, 1))).toBe(true);
    expect(d.mistakeBound === null || d.mistakeBound >= d.mistakes).toBe(true);
  }
});

test.each([1e-162, 1e-170, 1e-308, 5e-324, 1e140])('values of %s give no NaN and no false proof', (size) => {
  const rows = X.map((row) => row.map((v) => v * size));
  for (const fitIntercept of [true, false]) {
    const model = new Perceptron<number>({ fitIntercept, maxEpochs: 50 }).fit(rows, y);
    const d = model.diagnose(rows, y, { reference: [1, -1] });
    expect(isBracket(d.margin, squaredMargin(rows, fitIntercept ? 1 : 0))).toBe(true);
    for (const value of [d.margin.lower, d.margin.upper, d.radius, d.distance, d.loss]) expect(value).not.toBeNaN();
    for (const bound of [d.mistakeBound, d.reference?.mistakeBound]) {
      expect(bound === null || (Number.isFinite(bound) && (bound as number) >= d.mistakes)).toBe(true);
    }
    expect(d.radius).toBeGreaterThan(0);
    expect(d.radius).toBeLessThan(Infinity);
  }
});

/** (1 − e^−t) / 2 to 40 terms of its series: γ*² of two rows of opposite classes with the RBF kernel, t = γ‖x − z‖². */
function squaredRbfMargin(t: Ratio): Ratio {
  let [term, sum] = [t, t];
  for (let n = 2n; n < 12n; n++) {
    term = times(term, over(minus(ratio(0n), t), ratio(n)));
    sum = plus(sum, term);
  }
  return over(sum, ratio(2n));
}

test.each([1e-6, 1e-9, 1e-12, 1e-13, 1e-15, 1e-18])('the RBF kernel with gamma %s has a true bracket', (gamma) => {
  for (let seed = 0; seed < 100; seed++) {
    const rows = twoRows(seed);
    const difference = (rows[0] as number[]).map((v, k) => minus(exactly(v), exactly(rows[1]?.[k] as number)));
    const distance = difference.reduce((sum, v) => plus(sum, times(v, v)), ratio(0n));
    const squared = squaredRbfMargin(times(exactly(gamma), distance));
    const kernel = { type: 'rbf', gamma } as const;
    for (const model of [
      new DualPerceptron<number>({ kernel, maxEpochs: 100 }),
      new DualPerceptron<number>({ kernel, maxEpochs: 100, average: true }),
    ]) {
      const { margin } = model.fit(rows, y).diagnose(rows, y);
      expect(isBracket(margin, squared), `seed ${seed}: ${margin.lower} to ${margin.upper}`).toBe(true);
    }
    const many = new MulticlassPerceptron<number>({ kernel, maxEpochs: 100 }).fit(rows, y).diagnose(rows, y);
    for (const { margin } of many.byClass ?? []) expect(isBracket(margin, squared), `seed ${seed}`).toBe(true);
  }
});

test('describe does not call the training rows other rows because of a rounding error', () => {
  for (let seed = 0; seed < 300; seed++) {
    const rows = opposites(seed);
    const model = new Perceptron<number>(plain).fit(rows, y);
    expect(describe(model.report, model.diagnose(rows, y))).not.toMatch(/not those it was trained on/);
  }
});

test.each([
  [0.01, 1e-318],
  [0.1, 1e-316],
  [3e-160, 1e-5],
])(
  "the bracket holds with a constant feature of %s and a learning rate of %s in a kernel's space",
  (B, learningRate) => {
    const rows = [[B], [-10 * B]];
    const kernel = { type: 'polynomial', degree: 1, gamma: 1, coef0: 0 } as const;
    const model = new DualPerceptron({ kernel, interceptScaling: B, learningRate }).fit(rows, [1, -1]);
    // Of (B, B) and −(−10B, B): the nearest point of their segment to the origin is (B, B), of length √2·B.
    expect(model.diagnose(rows, [1, -1]).margin.upper).toBeGreaterThanOrEqual(Math.SQRT2 * B * (1 - 1e-15));
  },
);

test.each([1e-160, 1.3e-161])('the bracket holds with a constant feature of %s, whose square is subnormal', (B) => {
  const rows = [[B], [-10 * B]];
  for (const Trainer of [Perceptron, DualPerceptron]) {
    const model = new Trainer({ interceptScaling: B, learningRate: 1e10 }).fit(rows, [1, -1]);
    const { lower, upper } = model.diagnose(rows, [1, -1]).margin;
    expect(upper).toBeGreaterThanOrEqual(Math.SQRT2 * B * (1 - 1e-15));
    expect(lower).toBeLessThanOrEqual(upper);
  }
});
