// scikit-learn's Perceptron and PassiveAggressiveClassifier against ours: the committed cases of make.py, and where scikit-learn is
// installed other ones that it makes now.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DenseMatrix, DualPerceptron, MulticlassPerceptron, Perceptron, SparseMatrix } from '../../src/index.js';
import { toSklearn } from '../../src/io/sklearn.js';
import { python } from '../python.js';

interface Case {
  sample: {
    update: 'perceptron' | 'pa1' | 'pa2';
    /** Whether scikit-learn gets a csr_matrix. */
    sparse: boolean;
    /** Whether all sums are exact in float64. */
    exact: boolean;
    X: number[][];
    y: number[];
    epochs: number;
    C?: number;
    weights?: number[];
    classWeight?: Record<string, number>;
    average?: boolean;
    tol?: number;
    patience?: number;
  };
  answers: { coef: number[][]; epochs: number };
}

const folder = import.meta.dirname;
const committed = JSON.parse(readFileSync(join(folder, 'sklearn.json'), 'utf8')) as { cases: Case[] };
const SEED = 20;
let latest: Case[] | undefined;
function fromNow(): Case[] {
  latest ??= JSON.parse(
    execFileSync(python as string, ['-B', 'make.py', String(SEED)], { cwd: folder, encoding: 'utf8' }),
  ) as Case[];
  return latest;
}

/**
 * scikit-learn adds the products of a row in another order, so scores differ by rounding, and a row with y·s = 1 may be corrected in
 * one program only. That costs no more than rounding: a passive-aggressive step is a continuous function of the score (its size is 0 at
 * the border), and the map from weights to weights that it makes does not lengthen distances while the weight of the row is at most 2
 * (SPEC §15). So differences add up, at most one rounding a value and update: 50 rows · 8 columns · 8 epochs · 2⁻⁵³ ≈ 4e-13 of the
 * largest weight met. A perceptron's step is not continuous: rows of three random decimals are never that close to the plane, and on
 * halves of integers all sums are exact.
 */
const TOLERANCE = 1e-12;

function expectSame(found: readonly (readonly number[])[], { sample, answers }: Case, what: string): void {
  const size = Math.max(...answers.coef.flat().map(Math.abs), 1);
  answers.coef.forEach((row, k) => {
    row.forEach((value, j) => {
      const gap = Math.abs(value - (found[k]?.[j] as number));
      if (sample.exact && !sample.average) expect(gap, what).toBe(0);
      else expect(gap / size, what).toBeLessThan(TOLERANCE);
    });
  });
  expect(found.map((row) => row.length)).toEqual(answers.coef.map((row) => row.length));
}

describe.each([
  ['as it said when the fixtures were made', () => committed.cases],
  ...(python ? ([['as it says now', fromNow]] as const) : []),
] as const)('scikit-learn %s', (_when, cases) => {
  test.each(['dense', 'float32', 'sparse', 'dual'] as const)('has the weights of the same fit here: %s', (form) => {
    for (const [c, one] of cases().entries()) {
      const { update, X, y, epochs, C, weights, classWeight, average, tol, patience } = one.sample;
      // Most decimals are no float32 numbers.
      if (form === 'float32' && !one.sample.exact) continue;
      const options = {
        update,
        fitIntercept: false,
        maxEpochs: epochs,
        ...(C !== undefined && { aggressiveness: C }),
        ...(classWeight && { classWeight }),
        ...(average && { average }),
        ...(tol !== undefined && { tol, patience }),
      };
      const isTwo = new Set(y).size === 2;
      const rows =
        form === 'sparse'
          ? SparseMatrix.fromDense(X)
          : form === 'float32'
            ? DenseMatrix.from(X, { dtype: 'float32' })
            : X;
      const model = isTwo
        ? new (form === 'dual' ? DualPerceptron<number> : Perceptron<number>)(options)
        : new MulticlassPerceptron<number>({ ...options, ...(form === 'dual' && { kernel: 'linear' }) });
      model.fit(rows, y, weights ? { sampleWeight: weights } : {});
      expectSame(toSklearn(model).coef_, one, `case ${c}`);
      // An epoch without a mistake ends our training; scikit-learn goes on without changing anything.
      if (!model.report.converged) expect(model.report.epochs, `case ${c}`).toBe(one.answers.epochs);
    }
  });
});

test('the cases have two classes and more, dense and sparse rows, weights, means and the rule tol, of each update', () => {
  for (const update of ['perceptron', 'pa1', 'pa2']) {
    const own = committed.cases.map(({ sample }) => sample).filter((sample) => sample.update === update);
    for (const has of [
      (s: Case['sample']) => new Set(s.y).size === 2,
      (s: Case['sample']) => new Set(s.y).size > 2,
      (s: Case['sample']) => s.sparse,
      (s: Case['sample']) => !s.sparse,
      (s: Case['sample']) => s.weights?.includes(0),
      (s: Case['sample']) => s.average,
      (s: Case['sample']) => s.tol !== undefined,
    ]) {
      expect(own.some(has)).toBe(true);
    }
  }
});
