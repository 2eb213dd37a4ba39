// What Learn's panels say and draw, without a page.

import { describe, expect, test } from 'vitest';
import { boundWords, curvesAt } from '../../web/src/learn/panels/curve.js';
import { planeOf, sumText } from '../../web/src/learn/panels/dual.js';
import { gramOf } from '../../web/src/learn/panels/gram.js';
import { marginWords, novikoffWords } from '../../web/src/learn/panels/margin.js';
import { presetNamed, setupOf } from '../../web/src/learn/presets.js';
import { traceOf } from '../../web/src/learn/trace.js';

const example = traceOf(setupOf(presetNamed('example')));
const xor = traceOf(setupOf(presetNamed('xor')));

describe('curves', () => {
  test('show the epochs that are over, and the one under way', () => {
    expect(curvesAt(example, 0)).toEqual({ mistakes: [], total: [], loss: [] });
    expect(curvesAt(example, 1)).toEqual({ mistakes: [[1, 1]], total: [[1, 1]], loss: [] });
    const { mistakes, total, loss } = curvesAt(example, 10);
    expect(mistakes).toEqual([[1, 2], [2, 1], [3, 1], [4, 1]]); // biome-ignore format: one line a list
    expect(total).toEqual([[1, 2], [2, 3], [3, 4], [4, 5]]); // biome-ignore format: one line a list
    expect(loss).toEqual([[1, 7], [2, 4], [3, 1]]); // biome-ignore format: one line a list
    expect(curvesAt(example, 18).mistakes.map(([, value]) => value)).toEqual([2, 1, 1, 2, 1, 0]);
  });

  test('the bound is a number to beat', () => {
    expect(boundWords(example, 15)).toBe('A number to beat: at most 286 mistakes. So far 7.');
    expect(boundWords(xor, 8)).toBe('8 mistakes so far, and no bound: nothing found here splits the points.');
  });
});

describe('the margin', () => {
  test('is told in words from the first guess to the end', () => {
    expect(marginWords(example, 2)).toContain('After the first round');
    expect(marginWords(example, 3)).toBe('−1.41 ≤ γ* ≤ 1.41. Below 0 means: no split found yet.');
    expect(marginWords(example, 18)).toContain('0.302 ≤ γ* ≤ 0.474.');
    expect(marginWords(xor, 4)).toContain('closed at 0');
    expect(marginWords(traceOf({ ...xor.setup, kernel: 'rbf' }), 8)).toBe(
      'The bracket has closed: the best margin γ* is 0.491.',
    );
  });
});

describe('the bound', () => {
  test('names the formula in use, and nothing where there is nothing to learn', () => {
    expect(novikoffWords(example, 15)).toMatch(/^R²\/γ² bounds the mistakes\. A number to beat/);
    const asked = traceOf({ ...example.setup, margin: 2, learningRate: 0.5 });
    expect(novikoffWords(asked, 15)).toMatch(/^\(R² \+ 2μ\/η\)\/γ² bounds/);
    const { margin, mistakeBound } = asked.epochs.at(-1)!;
    expect(mistakeBound).toBeCloseTo((26 + (2 * 2) / 0.5) / margin.lower ** 2, 6);
    const empty = traceOf({ ...example.setup, points: [] });
    expect([novikoffWords(empty, 0), boundWords(empty, 0), marginWords(empty, 0)]).toEqual(['', '', '']);
  });
});

describe('the dual form', () => {
  test('adds up to w, in numbers', () => {
    expect(sumText(example.setup, example.counts(0))).toBe('(0, 0)');
    expect(sumText(example.setup, example.counts(15))).toBe('2·(3, 3) − 5·(1, 1)');
    expect(planeOf(example.setup, example.counts(15))).toEqual({ w: [1, 1], b: -3 });
    const many = traceOf(setupOf(presetNamed('separable')));
    expect(sumText(many.setup, many.counts(many.steps.length))).toMatch(/ \+ \d+ more$/);
  });

  test('has the Gram matrix of the worked example', () => {
    expect([...gramOf(example.setup)]).toEqual([18, 21, 6, 21, 25, 7, 6, 7, 2]);
  });
});
