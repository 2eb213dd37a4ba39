// Learn without a page: every step, word and address of it.

import { describe, expect, test } from 'vitest';
import { shownPlaneAt } from '../../web/src/learn/dust.js';
import { asText, equationAt, lineText } from '../../web/src/learn/equation.js';
import { presetNamed, presetOf, presets, setupOf, windowOf } from '../../web/src/learn/presets.js';
import { seedLines } from '../../web/src/learn/seeds.js';
import { seedWords } from '../../web/src/learn/seedwords.js';
import { isSeparable } from '../../web/src/learn/separable.js';
import {
  epochsAt,
  mistakesAt,
  nextMistake,
  nextSample,
  planeAt,
  scoreOn,
  stepsAfter,
  traceOf,
} from '../../web/src/learn/trace.js';
import type { Point, PresetName, Setup, Trace } from '../../web/src/learn/types.js';
import { offerAt, sentenceAt, spokenAt, statusAt, totalsAt } from '../../web/src/learn/words.js';

const setupFor = (name: PresetName, changes: Partial<Setup> = {}): Setup => ({
  ...setupOf(presetNamed(name)),
  ...changes,
});
const at = (x: number, y: number, label: 1 | -1): Point => ({ x, y, label });

/** Every moment that a person comes by who asks for the next mistake. */
function mistakesOf(trace: Trace): number[] {
  const moments = [];
  for (let step = nextMistake(trace, 0); step !== undefined; step = nextMistake(trace, step)) moments.push(step);
  return moments;
}

describe('the worked example (SPEC §10)', () => {
  const trace = traceOf(setupFor('example'));
  const moments = mistakesOf(trace);

  test('is the one of the notes, update by update', () => {
    const table: [sample: number, w: [number, number], b: number, n: number[]][] = [
      [1, [3, 3], 1, [1, 0, 0]],
      [3, [2, 2], 0, [1, 0, 1]],
      [3, [1, 1], -1, [1, 0, 2]],
      [3, [0, 0], -2, [1, 0, 3]],
      [1, [3, 3], -1, [2, 0, 3]],
      [3, [2, 2], -2, [2, 0, 4]],
      [3, [1, 1], -3, [2, 0, 5]],
    ];
    expect(moments).toHaveLength(7);
    table.forEach(([sample, w, b, n], k) => {
      const step = trace.steps[moments[k]! - 1]!;
      expect([step.index + 1, step.after, step.bias, step.mistakes]).toEqual([sample, { w, b }, b, k + 1]);
      expect([...trace.counts(moments[k]!)]).toEqual(n);
      expect(stepsAfter(trace, k + 1)).toBe(moments[k]);
    });
  });

  test('counts mistakes by epoch as the library does', () => {
    expect(trace.epochs.map(({ mistakes }) => mistakes)).toEqual([2, 1, 1, 2, 1, 0]);
    expect(trace.epochs.map(({ totalMistakes }) => totalMistakes)).toEqual([2, 3, 4, 6, 7, 7]);
    expect(trace.epochs.map(({ steps }) => steps)).toEqual([3, 6, 9, 12, 15, 18]);
    expect([0, 2, 3, 17, 18, 99].map((steps) => epochsAt(trace, steps))).toEqual([0, 0, 1, 5, 6, 6]);
  });

  test('has every sample between the mistakes, with its score', () => {
    expect(trace.hasSamples).toBe(true);
    expect(trace.steps.map(({ index }) => index)).toEqual(Array.from({ length: 18 }, (_, k) => k % 3));
    expect(trace.steps.slice(0, 6).map(({ score }) => score)).toEqual([0, 22, 7, 12, 14, 4]);
    expect(trace.steps.filter(({ isMistake }) => isMistake)).toHaveLength(7);
    for (const step of trace.steps) {
      if (!step.isMistake) expect(step.after).toBe(step.before);
    }
  });

  test('opens with a question and ends with "Separated after 7 mistakes."', () => {
    expect(sentenceAt(trace, 0)).toBe('Can one line split these?');
    expect(statusAt(trace, 0)).toBe('ready');
    expect(sentenceAt(trace, 1)).toBe(
      'There is no line yet, so point 1 counts as a mistake. Its arrow is added to w, and a line appears.',
    );
    expect(sentenceAt(trace, 2)).toBe('Point 2 is on its side: nothing to do.');
    expect(sentenceAt(trace, 3)).toBe(
      'Point 3, an orange triangle, is on the blue side. The line gives way, but not far enough yet.',
    );
    expect(sentenceAt(trace, 9)).toContain('no line for a moment');
    expect(sentenceAt(trace, 10)).toContain('Without a line all is orange, and point 1 is blue.');
    expect(moments.slice(0, 6).map((moment) => statusAt(trace, moment))).toEqual(Array(6).fill('learning'));
    expect(sentenceAt(trace, moments[6]!)).toBe('Separated after 7 mistakes.');
    expect(sentenceAt(trace, trace.steps.length)).toBe('Separated after 7 mistakes.');
    expect(statusAt(trace, moments[6]!)).toBe('separated');
    expect(spokenAt(trace, moments[6]!)).toBe(
      'Separated after 7 mistakes. w is 1, 1; b is −3. The nearest point is 0.707 from the line.',
    );
    expect(totalsAt(trace, moments[2]!)).toBe('Epoch 2, 3 mistakes so far.');
  });

  test('offers XOR at its end, and nothing before', () => {
    for (let steps = 0; steps < 15; steps++) expect(offerAt(trace, steps)).toBeUndefined();
    expect(offerAt(trace, 15)).toEqual({ text: 'Try XOR', preset: 'xor' });
  });

  test('shows the update in numbers', () => {
    expect(equationAt(trace, 0).map(asText)).toEqual(['w = (0, 0)', 'b = 0']);
    expect(equationAt(trace, 3).map(asText)).toEqual([
      'y·s = y (w·x + b) = −1 · (3·1 + 3·1 + 1) = −7 ≤ 0',
      'w ← w + η y x = (3, 3) − 1·(1, 1) = (2, 2)',
      'b ← b + η y = 1 − 1 = 0',
    ]);
    expect(equationAt(trace, 2).map(asText)).toEqual(['y·s = y (w·x + b) = 1 · (3·4 + 3·3 + 1) = 22 > 0']);
    expect([1, 3, 6, 9, 15].map((steps) => lineText(planeAt(trace, steps)))).toEqual([
      '3x₁ + 3x₂ + 1 = 0',
      '2x₁ + 2x₂ = 0',
      'x₁ + x₂ − 1 = 0',
      'no line',
      'x₁ + x₂ − 3 = 0',
    ]);
    expect(lineText({ w: [-1, 2.5], b: 0.25 })).toBe('−x₁ + 2.5x₂ + 0.25 = 0');
  });

  test('what rounding leaves is shown as the 0 that it is on paper', () => {
    // 0.1·3 − 0.1 − 0.1 − 0.1 is 2.8e−17.
    const tenth = traceOf(setupFor('example', { learningRate: 0.1 }));
    expect(planeAt(tenth, 9)?.w[0]).not.toBe(0);
    expect(equationAt(tenth, 9).map(asText)).toEqual([
      'y·s = y (w·x + b) = −1 · (0.1·1 + 0.1·1 − 0.1) = −0.1 ≤ 0',
      'w ← w + η y x = (0.1, 0.1) − 0.1·(1, 1) = (0, 0)',
      'b ← b + η y = −0.1 − 0.1 = −0.2',
    ]);
    expect(sentenceAt(tenth, 9)).toContain('takes all of w away');
    expect(spokenAt(tenth, 9)).toContain('w is 0, 0; b is −0.2.');
    expect(lineText(shownPlaneAt(tenth, 9))).toBe('no line');
    for (let steps = 0; steps <= tenth.steps.length; steps++) {
      expect(equationAt(tenth, steps).map(asText).join()).not.toContain('e−');
    }
  });

  test('goes forward by mistake or by sample, and knows its end', () => {
    expect(nextMistake(trace, 1)).toBe(3);
    expect(nextMistake(trace, 15)).toBeUndefined();
    expect(nextSample(trace, 15)).toBe(16);
    expect(nextSample(trace, 18)).toBeUndefined();
    expect([0, 1, 2, 3, 18, 99].map((steps) => mistakesAt(trace, steps))).toEqual([0, 1, 1, 2, 7, 7]);
    expect(stepsAfter(trace, 0)).toBe(0);
    expect(stepsAfter(trace, 99)).toBe(18);
  });

  test('has the bracket of the margin close, and the bound of the end', () => {
    const { margin, mistakeBound } = trace.epochs.at(-1)!;
    expect(margin.lower).toBeCloseTo(1 / Math.sqrt(11), 12);
    expect(margin.upper).toBeCloseTo(Math.sqrt(11) / 7, 12);
    expect(mistakeBound).toBeCloseTo(286, 8);
    expect(trace.epochs.map((facts) => facts.mistakeBound === null)).toEqual([true, true, true, true, false, false]);
  });

  test('is not unique: other orders lead to other lines, all of which separate', () => {
    const lines = [...seedLines(trace.setup)];
    expect(lines).toHaveLength(30);
    for (const { plane, converged } of lines) {
      expect(converged).toBe(true);
      for (const { x, y, label } of trace.setup.points) expect(label * scoreOn(plane, x, y)).toBeGreaterThan(0);
    }
    expect(new Set(lines.map(({ plane: { w, b } }) => `${w} ${b}`)).size).toBeGreaterThan(1);
    expect(seedWords(trace.setup, lines)).toMatch(
      /^The same points in 30 shuffles: \d+ different lines, after \d+ to \d+ mistakes\. Each of them splits the points\.$/,
    );
    const xor = setupFor('xor');
    expect(seedWords(xor, [...seedLines(xor)])).toBe(
      'The same points in 30 shuffles: no line that splits them was found within 100 epochs.',
    );
    const hasty = { ...trace.setup, maxEpochs: 4 };
    expect(seedWords(hasty, [...seedLines(hasty)])).toMatch(
      /the points\. \d+ shuffles found none within 4 epochs, and are not drawn\.$/,
    );
    const easy = { ...trace.setup, points: [at(2, 0, 1), at(-2, 0, -1)] };
    expect(seedWords(easy, [...seedLines(easy)])).toBe(
      'The same points in 30 shuffles: 2 different lines, after 1 mistake. Each of them splits the points.',
    );
    expect([...seedLines({ ...trace.setup, points: [] })]).toEqual([]);
    expect(seedWords({ ...trace.setup, points: [] }, [])).toBe('Points of both classes are needed first.');
  });
});

describe('XOR', () => {
  const trace = traceOf(setupFor('xor'));
  const stuck = Array.from({ length: trace.steps.length + 1 }, (_, steps) => steps).find(
    (s) => statusAt(trace, s) === 'stuck',
  )!;

  test('is never separated by a line, which is said after some useless epochs', () => {
    expect(trace.report.converged).toBe(false);
    expect(trace.epochs.every(({ mistakes }) => mistakes > 0)).toBe(true);
    expect(epochsAt(trace, stuck)).toBe(3);
    expect(sentenceAt(trace, stuck)).toBe('Epoch 3 ended where epoch 1 did: it goes in circles. No line can.');
    expect(offerAt(trace, stuck - 1)).toBeUndefined();
    // Whoever goes on still reads it, and is still offered the way out.
    expect(sentenceAt(trace, stuck + 5)).toContain('No line can.');
  });

  test('"Bend it" separates it', () => {
    const offer = offerAt(trace, stuck)!;
    expect(offer).toEqual({ text: 'Bend it', setup: { kernel: 'rbf', trainer: 'perceptron' } });
    const bent = traceOf({ ...trace.setup, ...offer.setup });
    expect(bent.report.converged).toBe(true);
    const end = bent.steps.length;
    expect(sentenceAt(bent, end)).toBe('Separated after 4 mistakes: a line that bends can do it.');
    for (const { x, y, label } of bent.setup.points) expect(label * bent.scoreAt(end, x, y)).toBeGreaterThan(0);
    expect(planeAt(bent, end)).toBeUndefined();
    expect(equationAt(bent, 1).map(asText)).toEqual([
      'y·s = y (Σ α y K + b) = −1 · 0 = 0 ≤ 0',
      'α₁ ← α₁ + η = 0 + 1 = 1',
      'b ← b + η y = 0 − 1 = −1',
    ]);
  });
});

describe('presets', () => {
  test('one line splits the example and the two clouds, and no other', () => {
    expect(presets.filter(({ points }) => isSeparable(points)).map(({ name }) => name)).toEqual([
      'example',
      'separable',
    ]);
  });

  test.each(presets)('$name: points lie apart, inside their window, in numbers that addresses keep', (preset) => {
    const { window, points } = preset;
    for (const [i, point] of points.entries()) {
      expect(point.x > window.left && point.x < window.right && point.y > window.bottom && point.y < window.top).toBe(
        true,
      );
      for (const other of points.slice(i + 1))
        expect(Math.hypot(point.x - other.x, point.y - other.y)).toBeGreaterThan(0.25);
      expect(Number.isInteger(point.x * 16) && Number.isInteger(point.y * 16)).toBe(true);
    }
    expect(window.right - window.left).toBe(window.top - window.bottom);
    expect(presetOf(points.map((point) => ({ ...point })))).toBe(preset);
  });

  test('every preset ends somewhere worth seeing, whatever is chosen for it', () => {
    for (const { name } of presets) {
      for (const kernel of ['linear', 'rbf', 'polynomial'] as const) {
        for (const order of ['cyclic', 'shuffle', 'random'] as const) {
          const trace = traceOf(setupFor(name, { kernel, order }));
          expect(trace.steps.length).toBeLessThanOrEqual(20_000);
          expect(['separated', 'stuck']).toContain(statusAt(trace, trace.steps.length));
        }
      }
    }
  });

  test('moons and circles give in to the bend that is offered', () => {
    for (const name of ['moons', 'circles'] as const) {
      const trace = traceOf(setupFor(name));
      const offer = offerAt(trace, trace.steps.length)!;
      expect(offer.text).toBe('Bend it');
      expect(traceOf({ ...trace.setup, ...offer.setup }).report.converged).toBe(true);
    }
  });

  test('noise asks for the pocket, which keeps the best line', () => {
    const trace = traceOf(setupFor('noisy'));
    const end = trace.steps.length;
    expect(sentenceAt(trace, end)).toContain('no line gets all of them');
    expect(offerAt(trace, end)).toEqual({ text: 'Keep the best line', setup: { trainer: 'pocket' } });
    const kept = traceOf(setupFor('noisy', { trainer: 'pocket' }));
    expect(sentenceAt(kept, end)).toBe('No line gets all of them: the pocket keeps the best one, with 3 mistakes.');
    const news = kept.steps.filter(({ pocket }) => pocket?.isNew);
    expect(news.length).toBeGreaterThan(1);
    expect(news.map(({ pocket }) => pocket!.errors)).toEqual(
      news.map(({ pocket }) => pocket!.errors).sort((a, b) => b - a),
    );
  });

  test('any points have a square window of round numbers around them', () => {
    for (const points of [[], [at(2, 3, 1)], [at(0, 0, 1), at(0, 0.01, -1)], [at(-1000, 5, 1), at(1000, 5, -1)]]) {
      const { left, right, bottom, top } = windowOf(points);
      expect(right - left).toBeGreaterThan(0);
      expect(right - left).toBeCloseTo(top - bottom, 9);
      for (const { x, y } of points) expect(x > left && x < right && y > bottom && y < top).toBe(true);
    }
  });
});
