// evaluate: scikit-learn's numbers, properties, and bad input.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { curvePoints, levelsOf, reliabilityOf } from '../../src/select/curves.js';
import { type EvaluateOptions, type Evaluation, evaluate } from '../../src/select/metrics.js';
import { runs } from '../effort.js';
import { perRow, type Sample, sklearnCases } from './sklearn.js';

const near = (got: number | undefined, wanted: number, what: string) =>
  expect(Math.abs((got ?? NaN) - wanted), what).toBeLessThan(1e-12);

function evaluated(sample: Sample): Evaluation<number> {
  const { truth, predicted, scores, probabilities, weights, classes } = sample;
  return evaluate<number>(truth, predicted, {
    scores: perRow(sample, scores),
    probabilities: perRow(sample, probabilities),
    classes: Array.from({ length: classes }, (_, k) => k),
    ...(weights && { sampleWeight: weights }),
  });
}

test.each(sklearnCases(19))('metrics are those of scikit-learn, %s', (_title, cases) => {
  for (const { sample, answers } of cases) {
    const found = evaluated(sample);
    for (const key of [
      'accuracy',
      'balancedAccuracy',
      'matthews',
      'rocAuc',
      'averagePrecision',
      'logLoss',
      'brier',
    ] as const) {
      near(found[key], answers[key], key);
    }
    for (const key of ['macro', 'weighted'] as const) {
      const { precision, recall, f1 } = found[key];
      [precision, recall, f1].forEach((value, k) => {
        near(value, answers[key][k]!, key);
      });
    }
    found.byClass.forEach(({ precision, recall, f1, support }, k) => {
      [precision, recall, f1, support].forEach((value, at) => {
        near(value, answers.byClass[k]![at]!, `class ${k}`);
      });
    });
    found.confusion.flat().forEach((value, k) => {
      near(value, answers.confusion.flat()[k]!, 'confusion');
    });
  }
});

const listsOf = fc.array(fc.record({ t: fc.nat(2), p: fc.nat(2), s: fc.integer({ min: -4, max: 4 }), w: fc.nat(3) }), {
  minLength: 2,
  maxLength: 30,
});

test('a weight of k counts as k equal rows, and 0 as none', () => {
  fc.assert(
    fc.property(listsOf, (rows) => {
      fc.pre(rows.some(({ w }) => w > 0));
      const options = { classes: [0, 1, 2], positive: 1 };
      const repeated = rows.flatMap((row) => Array.from({ length: row.w }, () => row));
      const list = (from: typeof rows, key: 't' | 'p' | 's' | 'w') => from.map((row) => row[key]);
      const once = evaluate<number>(list(rows, 't'), list(rows, 'p'), {
        ...options,
        scores: list(rows, 's'),
        sampleWeight: list(rows, 'w'),
      });
      const often = evaluate<number>(list(repeated, 't'), list(repeated, 'p'), {
        ...options,
        scores: list(repeated, 's'),
      });
      expect({ ...once, rows: 0 }).toEqual({ ...often, rows: 0 });
    }),
    { numRuns: runs(200) },
  );
});

test('ROC AUC is the share of pairs in the right order, ties as half', () => {
  fc.assert(
    fc.property(listsOf, (rows) => {
      const truth = rows.map(({ t }) => Math.min(t, 1));
      const scores = rows.map(({ s }) => s);
      const [plus, minus] = [1, 0].map((wanted) => scores.filter((_, i) => truth[i] === wanted)) as [
        number[],
        number[],
      ];
      const pairs = plus.flatMap((a) => minus.map((b): number => (a > b ? 1 : a === b ? 0.5 : 0)));
      const { rocAuc } = evaluate<number>(truth, truth, { classes: [0, 1], scores });
      if (pairs.length === 0) expect(rocAuc).toBeUndefined();
      else near(rocAuc, pairs.reduce((sum, pair) => sum + pair, 0) / pairs.length, 'rocAuc');
    }),
    { numRuns: runs(200) },
  );
});

test('the baseline answers the most frequent class, the first of equal ones, or what is given', () => {
  const y = ['b', 'a', 'b', 'a'];
  expect(evaluate(y, y).baseline).toEqual({ label: 'a', accuracy: 0.5 });
  expect(evaluate(y, y, { sampleWeight: [2, 1, 2, 1] }).baseline).toEqual({ label: 'b', accuracy: 4 / 6 });
  expect(evaluate<string>(y, y, { baseline: 'c' }).baseline).toEqual({ label: 'c', accuracy: 0 });
});

test('one class leaves ROC AUC out and throws nothing; ratios that are undefined are 0', () => {
  const alone = evaluate(['a', 'a'], ['a', 'a'], { scores: [1, 2] });
  expect(alone).toMatchObject({ accuracy: 1, balancedAccuracy: 1, matthews: 0, classes: ['a'], confusion: [[2]] });
  expect(alone).not.toHaveProperty('rocAuc');
  const wrong = evaluate<string>(['a', 'a'], ['b', 'b'], { scores: [1, 2] });
  expect(wrong).not.toHaveProperty('rocAuc');
  expect(wrong.byClass[0]).toEqual({ label: 'a', precision: 0, recall: 0, f1: 0, support: 2 });
  expect(wrong.balancedAccuracy).toBe(0);
});

test('classes are in the order of trainers, and labels of any type; nothing that was passed changes', () => {
  expect(evaluate<boolean>([true, false], [true, true]).classes).toEqual([false, true]);
  expect(evaluate<number>(Int8Array.of(10, 9, -1), [10, 9, 9]).classes).toEqual([-1, 9, 10]);
  expect(evaluate<string>(['b', 'B'], ['a', 'b']).classes).toEqual(['B', 'a', 'b']);
  expect(evaluate<number>([-0, 1], [0, 1]).accuracy).toBe(1);
  const scores = Float64Array.of(3, 1, 2);
  evaluate<number>([0, 1, 1], [0, 1, 1], { scores });
  expect([...scores]).toEqual([3, 1, 2]);
});

test('scores are those of the positive class', () => {
  const y = ['no', 'yes', 'no', 'yes'];
  const scores = [4, 1, 3, 2];
  expect(evaluate(y, y, { scores }).rocAuc).toBe(0);
  expect(evaluate(y, y, { scores, positive: 'no' }).rocAuc).toBe(1);
});

test('a million rows: the area under the curve is the share of pairs in order, counted by rank', () => {
  const [rows, prime] = [1_000_000, 1_000_003];
  const place = (i: number) => (i * 7919) % prime; // all different
  const isPositive = (i: number) => i % 3 === 0;
  const y = Array.from({ length: rows }, (_, i) => (isPositive(i) ? 'yes' : 'no'));
  const scores = Float64Array.from({ length: rows }, (_, i) => place(i) / prime);
  const byPlace = new Int8Array(prime);
  for (let i = 0; i < rows; i++) byPlace[place(i)] = isPositive(i) ? 1 : -1;
  let [below, positives, inOrder] = [0, 0, 0];
  for (const sign of byPlace) {
    if (sign < 0) below++;
    if (sign > 0) [positives, inOrder] = [positives + 1, inOrder + below];
  }
  const { accuracy, rocAuc } = evaluate(y, y, { scores, probabilities: scores });
  expect(accuracy).toBe(1);
  expect(rocAuc).toBeCloseTo(inOrder / (positives * below), 12);
});

test('curves begin with nothing and end with everything counted as positive; a limit keeps both ends', () => {
  const scores = Float64Array.from({ length: 100 }, (_, i) => i % 50);
  const levels = levelsOf(scores, (i) => i % 3 === 0, new Float64Array(100).fill(1));
  for (const most of [Infinity, 12, 3, 2]) {
    const points = curvePoints(levels, most);
    expect(points.length).toBeLessThanOrEqual(Math.min(51, most));
    expect(points[0]).toEqual({ threshold: Infinity, falsePositiveRate: 0, truePositiveRate: 0, precision: 1 });
    expect(points.at(-1)).toMatchObject({ threshold: 0, falsePositiveRate: 1, truePositiveRate: 1, precision: 0.34 });
  }
});

test('the reliability table counts every row once', () => {
  const p = Float64Array.of(0, 0.05, 0.1, 0.95, 1);
  const bins = reliabilityOf(p, (i) => i > 2, Float64Array.of(1, 3, 1, 1, 2));
  expect(bins.map(({ rows }) => rows)).toEqual([4, 1, 0, 0, 0, 0, 0, 0, 0, 3]);
  expect(bins[9]).toMatchObject({ from: 0.9, to: 1, sharePositive: 1 });
  near(bins[0]?.meanPredicted, 0.15 / 4, 'mean');
});

describe('bad input is refused by name', () => {
  const y = ['no', 'yes'];
  const bad =
    (options: unknown, labels: unknown = y, predicted: unknown = y) =>
    () =>
      evaluate(labels as string[], predicted as string[], options as EvaluateOptions<string>);
  test.each<[string, () => unknown, string]>([
    ['unequal lengths', bad({}, y, ['no']), 'yPredicted has 1 labels, yTrue has 2'],
    ['no rows', bad({}, [], []), 'yTrue has no labels'],
    ['no list', bad({}, null), 'yTrue must be an array of labels, got null'],
    ['mixed labels', bad({}, ['no', 1]), 'yTrue[1] is 1, a number; the other labels are of type string'],
    ['mixed lists', bad({}, y, [0, 1]), 'yPredicted[0] is 0, a number; the other labels are of type string'],
    ['no label', bad({}, [NaN, 1], [0, 1]), 'yTrue[0] is NaN'],
    [
      'unknown positive',
      bad({ positive: 'maybe' }),
      '"positive" must be one of the classes "no" and "yes", got "maybe"',
    ],
    [
      'a label beyond the classes',
      bad({ classes: ['no', 'maybe'] }),
      'yTrue[1] is "yes", which is not one of the classes',
    ],
    ['classes twice', bad({ classes: ['no', 'no'] }), '"classes" must be different labels, got "no", "no"'],
    ['short scores', bad({ scores: [1] }), 'scores has 1 values, expected 2'],
    ['scores of no kind', bad({ scores: 3 }), '"scores" must be an array of numbers or { data, rows, cols }, got 3'],
    ['NaN as a score', bad({ scores: [1, NaN] }), 'scores[1] must be a finite number, got NaN'],
    ['tables of other rows', bad({ scores: { data: [1, 2], rows: 1, cols: 2 } }), 'scores.rows is 1, expected 2'],
    [
      'tables of other classes',
      bad({ scores: { data: [1, 2], rows: 2, cols: 1 } }),
      'scores.cols is 1, expected one for each of 2',
    ],
    [
      'tables that are short',
      bad({ scores: { data: [1, 2], rows: 2, cols: 2 } }),
      'scores.data has 2 values, expected 4',
    ],
    [
      'a list for three classes',
      bad({ scores: [1, 2], classes: ['no', 'x', 'yes'] }),
      '"scores" must be { data, rows, cols } for 3',
    ],
    [
      'probabilities above 1',
      bad({ probabilities: [0, 1.5] }),
      'probabilities[1] must be a number from 0 to 1, got 1.5',
    ],
    [
      'probabilities below 0',
      bad({ probabilities: [-0.1, 1] }),
      'probabilities[0] must be a number from 0 to 1, got -0.1',
    ],
    [
      'NaN as a probability',
      bad({ probabilities: [0, NaN] }),
      'probabilities[1] must be a number from 0 to 1, got NaN',
    ],
    ['probabilities of one class', bad({ probabilities: [0, 1] }, ['no', 'no'], ['no', 'no']), 'all labels are "no"'],
    ['negative weights', bad({ sampleWeight: [1, -1] }), 'sampleWeight[1] must be a number ≥ 0, got -1'],
    ['weights of another length', bad({ sampleWeight: [1] }), 'sampleWeight has 1 values, expected 2'],
    ['weights that are all 0', bad({ sampleWeight: [0, 0] }), 'sampleWeight is 0 for every row'],
    ['unknown options', bad({ weights: [1, 1] }), 'evaluate has no option "weights"'],
    ['a baseline of another type', bad({ baseline: 1 }), 'baseline[0] is 1, a number'],
  ])('%s', (_title, call, message) => expect(call).toThrow(message));
});
