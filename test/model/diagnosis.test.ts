import { expect, test } from 'vitest';
import { describe, MulticlassPerceptron, Perceptron, PocketPerceptron } from '../../src/index.js';
import { engines } from '../engines.js';

const X = [
  [3, 3],
  [4, 3],
  [1, 1],
];
const y = ['yes', 'yes', 'no'];

test.each(engines)('the worked example is diagnosed as SPEC §4 has it, on %s', (engine) => {
  const d = new Perceptron({ engine }).fit(X, y).diagnose(X, y, { reference: [1, 1], referenceBias: -4 });
  // w̃ = (1, 1, −3): scores 3, 4, −1; ‖w̃‖ = √11; R² = 16 + 9 + 1; σ = 7.
  expect(d).toMatchObject({ samples: 3, errors: 0, accuracy: 1, loss: 0, distance: 0, mistakes: 7 });
  expect(d.radius).toBe(Math.sqrt(26));
  // Rounded outward: a little below and above the exact values.
  expect(d.margin.lower).toBeCloseTo(1 / Math.sqrt(11), 13);
  expect(d.margin.lower).toBeLessThan(1 / Math.sqrt(11));
  expect(d.margin.upper).toBeCloseTo(Math.sqrt(11) / 7, 13);
  expect(d.margin.upper).toBeGreaterThan(Math.sqrt(11) / 7);
  expect(d.mistakeBound).toBeCloseTo(26 * 11, 9);
  // u = (1, 1, −4) / √18: scores 2, 3, −2.
  expect(d.reference?.margin).toBeCloseTo(2 / Math.sqrt(18), 12);
  expect(d.reference?.cosine).toBeCloseTo(14 / Math.sqrt(11 * 18), 12);
  expect(d.reference?.mistakeBound).toBeCloseTo(26 / (4 / 18), 9);
});

test('the bias feature B counts in radius and margins, and not at all without an intercept', () => {
  const scaled = new Perceptron({ interceptScaling: 10, maxEpochs: 3 }).fit(X, y).diagnose(X, y);
  expect(scaled.radius).toBe(Math.sqrt(125));
  const plain = new Perceptron({ fitIntercept: false, maxEpochs: 3 }).fit(
    [
      [3, 3],
      [4, 3],
      [-1, -1],
    ],
    y,
  );
  expect(
    plain.diagnose(
      [
        [3, 3],
        [4, 3],
        [-1, -1],
      ],
      y,
    ).radius,
  ).toBe(5);
});

test('wrong samples count with their loss and distance', () => {
  const model = new Perceptron({ initialWeights: [3, 4], initialBias: 0, maxEpochs: 1, margin: 0 }).fit(
    [
      [1, 1],
      [-1, -1],
    ],
    [1, -1],
  );
  expect([...model.weights]).toEqual([3, 4]); // nothing to correct
  const d = model.diagnose(
    [
      [1, 1],
      [2, 0],
      [-1, 0],
    ],
    [-1, 1, 1],
  );
  expect(d).toMatchObject({ samples: 3, errors: 2, loss: 10, distance: 2 });
  expect(d.accuracy).toBeCloseTo(1 / 3);
  expect(d.margin.lower).toBeLessThan(0);
  expect(d.margin.upper).toBe(Infinity); // no update was made
  expect(d.mistakeBound).toBeNull();
});

test('describe tells a separation with its proof', () => {
  const model = new Perceptron().fit(X, y);
  expect(describe(model.report, model.diagnose(X, y))).toBe(
    'separated after 6 epochs and 7 mistakes; margin between 0.302 and 0.474; ' +
      'no perceptron run with these options can make more than 286 mistakes here.',
  );
  expect(describe(model.report)).toBe('separated after 6 epochs and 7 mistakes.');
});

test('describe tells a failure with the margin it leaves room for, and the advice', () => {
  const xor = [
    [0, 0],
    [1, 1],
    [0, 1],
    [1, 0],
  ];
  const labels = [-1, -1, 1, 1];
  const model = new Perceptron({ maxEpochs: 1000 }).fit(xor, labels);
  const lines = describe(model.report, model.diagnose(xor, labels)).split('\n');
  expect(lines[0]).toMatch(
    /^not separated in 1,000 epochs, with [\d,]+ mistakes; [1-4] of 4 samples on the wrong side; the best margin, if any, is below 0\.000\d+\.$/,
  );
  expect(lines).toHaveLength(1 + model.report.advice.length);
});

test('describe tells why other fits ended', () => {
  const stopped = new Perceptron({ onEpoch: ({ epoch }) => epoch < 1 }).fit(X, y);
  expect(describe(stopped.report)).toBe('stopped by the caller after 1 epoch and 2 mistakes.');
});

test('describe tells when the last weights separate and their mean does not', () => {
  const rows = [
    [7, 0.6, 120],
    [5, 0.4, 80],
    [9, 0.7, 300],
    [0, 0.05, 900],
    [1, 0.02, 400],
    [2, 0.1, 1500],
  ];
  const labels = ['spam', 'spam', 'spam', 'ham', 'ham', 'ham'];
  const model = new Perceptron({ average: true }).fit(rows, labels);
  expect(model.report.converged).toBe(true);
  expect(describe(model.report, model.diagnose(rows, labels))).toMatch(
    /^separated after .*; but here 3 of 6 samples on the wrong side: these are other rows, or it predicts with the mean of the weights\./,
  );
});

test('the bound is rounded outward: three mistakes are never said to be impossible', () => {
  const rows = [
    [1, 0, 0],
    [0, -1, 0],
    [0, 0, 1],
  ];
  const labels = [1, -1, 1];
  const model = new Perceptron({ fitIntercept: false }).fit(rows, labels);
  const d = model.diagnose(rows, labels);
  expect(d.mistakes).toBe(3);
  expect(d.mistakeBound).toBeGreaterThanOrEqual(3);
  expect(describe(model.report, d)).toMatch(/more than 3 mistakes here/);
});

test('describe tells of the pocket, and many classes of their smallest margin', () => {
  const xor = [
    [0, 0],
    [1, 1],
    [0, 1],
    [1, 0],
  ];
  const labels = [-1, -1, 1, 1];
  const pocket = new PocketPerceptron<number>({ maxEpochs: 20 }).fit(xor, labels);
  expect(describe(pocket.report, pocket.diagnose(xor, labels)).split('\n')[0]).toBe(
    'not separated in 20 epochs, with 80 mistakes; the weights in the pocket, since update 53, make 1 mistake on the ' +
      'training rows, the last weights 2; 1 of 4 samples on the wrong side; the best margin, if any, is below 0.0177.',
  );
  const rows = [
    [0, 0],
    [5, 0],
    [0, 5],
  ];
  const many = new MulticlassPerceptron<string>().fit(rows, ['low', 'right', 'up']);
  const diagnosis = many.diagnose(rows, ['low', 'right', 'up']);
  expect(diagnosis.byClass?.map(({ margin }) => margin.lower)).toContain(diagnosis.margin.lower);
  expect(describe(many.report, diagnosis)).toMatch(
    /^separated after 4 epochs and 11 mistakes; margin between [\d.]+ and [\d.]+; no perceptron run with these options/,
  );
});

test('describe leaves out bounds that say nothing: above 10⁹ mistakes', () => {
  const model = new Perceptron().fit([[3], [1]], [1, 0]);
  const diagnosis = model.diagnose([[3], [1]], [1, 0]);
  expect(describe(model.report, { ...diagnosis, mistakeBound: 1e9 })).toMatch(
    /more than 1,000,000,000 mistakes here\.$/,
  );
  expect(describe(model.report, { ...diagnosis, mistakeBound: 1e9 + 1 })).not.toMatch(/can make/);
});
