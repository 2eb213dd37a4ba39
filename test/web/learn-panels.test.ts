// What Learn's panels say and draw, without a page.

import { describe, expect, test } from 'vitest';
import { boundOf, epochRows } from '../../web/src/learn/epochs.js';
import { planeOf, sumText } from '../../web/src/learn/panels/dual.js';
import { boundWords, epochWords } from '../../web/src/learn/panels/epochs.js';
import { gramOf } from '../../web/src/learn/panels/gram.js';
import { marginWords, novikoffWords } from '../../web/src/learn/panels/margin.js';
import { presetNamed, setupOf } from '../../web/src/learn/presets.js';
import { traceOf } from '../../web/src/learn/trace.js';
import type { Trace } from '../../web/src/learn/types.js';

const example = traceOf(setupOf(presetNamed('example')));
const xor = traceOf(setupOf(presetNamed('xor')));

describe('epochs', () => {
  const numbersAt = (trace: Trace, steps: number) =>
    epochRows(trace, steps).map(({ mistakes, total, loss, isUnderWay }) => [mistakes, total, loss, isUnderWay]);

  test('that are over, and the one under way', () => {
    expect(numbersAt(example, 0)).toEqual([]);
    expect(numbersAt(example, 1)).toEqual([[1, 1, 0, true]]);
    expect(numbersAt(example, 2)).toEqual([[1, 1, 0, true]]);
    expect(numbersAt(example, 3)).toEqual([[2, 2, 7, false]]);
    expect(numbersAt(example, 10)).toEqual([
      [2, 2, 7, false],
      [1, 3, 4, false],
      [1, 4, 1, false],
      [1, 5, 2, true],
    ]);
  });

  test('with the last mistake all is known: the clean epoch counts, as in the library', () => {
    expect(epochRows(example, 14).at(-1)).toMatchObject({ epoch: 5, isUnderWay: true });
    for (const moment of [15, 16, 18]) {
      const rows = epochRows(example, moment);
      expect(rows.map(({ mistakes }) => mistakes)).toEqual(example.report.mistakesByEpoch);
      expect(rows.some(({ isUnderWay }) => isUnderWay)).toBe(false);
    }
    const easy = traceOf({ ...example.setup, points: [{ x: 1, y: 1, label: 1 }, { x: -2, y: -1, label: -1 }] }); // biome-ignore format: two points
    expect(easy.report).toMatchObject({ epochs: 2, mistakes: 1 });
    expect(numbersAt(easy, 1)).toEqual([[1, 1, 0, false], [0, 1, 0, false]]); // biome-ignore format: one line a list
  });

  test('the loss of an epoch under way becomes that of the library at its end', () => {
    for (const setup of [
      setupOf(presetNamed('noisy')),
      { ...setupOf(presetNamed('separable')), margin: 2, learningRate: 0.5 },
      { ...setupOf(presetNamed('circles')), kernel: 'rbf' as const },
      { ...setupOf(presetNamed('separable')), order: 'shuffle' as const },
    ]) {
      const trace = traceOf({ ...setup, maxEpochs: 6 });
      let begin = 0;
      for (const { epoch, steps, loss } of trace.epochs) {
        const { isMistake, index, score } = trace.steps[steps - 1]!;
        const before = steps - 1 > begin ? epochRows(trace, steps - 1)[epoch - 1]!.loss : 0;
        expect(before - (isMistake ? setup.points[index]!.label * score : 0)).toBeCloseTo(loss, 9);
        begin = steps;
      }
    }
  });

  test('are told in words', () => {
    expect(epochWords(epochRows(example, 0))).toBe('No epoch has begun.');
    expect(epochWords(epochRows(example, 4))).toBe('Epoch 1: 2 mistakes; epoch 2, under way: 0 mistakes so far.');
    expect(epochWords(epochRows(example, 18))).toBe(
      'The last of 6 epochs: epoch 2: 1 mistake; epoch 3: 1 mistake; epoch 4: 2 mistakes; epoch 5: 1 mistake; epoch 6: 0 mistakes.',
    );
  });

  test('the bound is told where it says something', () => {
    expect(boundWords(example, 15)).toBe('At most 286 mistakes can happen here (R²/γ²), in any order. So far 7.');
    expect(boundWords(xor, 8)).toBe('');
    const bent = traceOf({ ...setupOf(presetNamed('circles')), kernel: 'rbf' });
    expect(bent.epochs.at(-1)!.mistakeBound).toBeGreaterThan(100 * bent.report.mistakes);
    expect([boundOf(bent), boundWords(bent, 5)]).toEqual([undefined, '']);
  });
});

describe('the margin', () => {
  test('is told in words from the first guess to the end', () => {
    expect(marginWords(example, 0)).toBe('The end of epoch 1 will give a first bracket of the best margin γ*.');
    expect(marginWords(example, 2)).toBe(
      'Epoch 1 is under way: its end will give a first bracket of the best margin γ*.',
    );
    expect(marginWords(example, 3)).toBe('−1.41 ≤ γ* ≤ 1.41. Below 0 means: no split found yet.');
    // With the last mistake, as nothing changes after it; in the first epoch too.
    for (const end of [15, 18]) expect(marginWords(example, end)).toContain('0.302 ≤ γ* ≤ 0.474.');
    const easy = traceOf({ ...example.setup, points: [{ x: 1, y: 1, label: 1 }, { x: -2, y: -1, label: -1 }] }); // biome-ignore format: two points
    expect(marginWords(easy, 1)).toBe(marginWords(easy, easy.steps.length));
    expect(marginWords(easy, 1)).toContain('room for a margin');
    expect(marginWords(xor, 4)).toContain('closed at 0');
    expect(marginWords(traceOf({ ...xor.setup, kernel: 'rbf' }), 8)).toBe(
      'The bracket has closed: the best margin γ* is 0.491.',
    );
  });
});

describe('the bound', () => {
  test('names the formula in use, and nothing where there is nothing to learn', () => {
    expect(novikoffWords(example, 15)).toContain('286 mistakes can happen here (R²/γ²)');
    expect(novikoffWords(xor, 8)).toBe('No bound on the mistakes is known: nothing found here splits the points.');
    expect(novikoffWords(traceOf({ ...setupOf(presetNamed('circles')), kernel: 'rbf' }), 5)).toMatch(
      /more than 100 times those made/,
    );
    const asked = traceOf({ ...example.setup, margin: 2, learningRate: 0.5 });
    expect(novikoffWords(asked, 15)).toContain('(R² + 2μ/η)/γ²');
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
