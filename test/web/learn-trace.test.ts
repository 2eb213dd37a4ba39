// Learn's traces against the library: the same steps, scores, counts and pocket; and properties of any points.

import fc from 'fast-check';
import { DualPerceptron, gram, Perceptron, PocketPerceptron } from 'perceptron-wasm';
import { describe, expect, test } from 'vitest';
import { boundOf } from '../../web/src/learn/epochs.js';
import { asText, equationAt } from '../../web/src/learn/equation.js';
import { planeOf } from '../../web/src/learn/panels/dual.js';
import { defaults, presetNamed, presets, setupOf, windowOf } from '../../web/src/learn/presets.js';
import { isSeparable } from '../../web/src/learn/separable.js';
import { kernelOf, nextMistake, nextSample, planeAt, traceOf } from '../../web/src/learn/trace.js';
import type { Plane, Point, PresetName, Setup } from '../../web/src/learn/types.js';
import { offerAt, sentenceAt, statusAt } from '../../web/src/learn/words.js';
import { runs } from '../effort.js';

const setupFor = (name: PresetName, changes: Partial<Setup> = {}): Setup => ({
  ...setupOf(presetNamed(name)),
  ...changes,
});
const rowsOf = ({ points }: Setup) => points.map(({ x, y }) => [x, y]);
const labelsOf = ({ points }: Setup) => points.map(({ label }) => label as number);
const at = (x: number, y: number, label: 1 | -1): Point => ({ x, y, label });

describe('the trace is the library’s', () => {
  const kernels: Record<Setup['kernel'], (setup: Setup) => Perceptron<number> | DualPerceptron<number>> = {
    linear: ({ order, seed, maxEpochs }) => new Perceptron<number>({ order, seed, maxEpochs }),
    rbf: ({ order, seed, maxEpochs, gamma }) =>
      new DualPerceptron<number>({ order, seed, maxEpochs, kernel: { type: 'rbf', gamma } }),
    polynomial: ({ order, seed, maxEpochs, gamma, degree }) =>
      new DualPerceptron<number>({ order, seed, maxEpochs, kernel: { type: 'polynomial', gamma, degree, coef0: 1 } }),
  };

  test.each(['cyclic', 'shuffle', 'random'] as const)(
    'scores of the end equal decisionFunction in order %s, for every kernel',
    (order) => {
      for (const { name } of presets) {
        for (const kernel of ['linear', 'rbf', 'polynomial'] as const) {
          const setup = setupFor(name, { kernel, order, seed: 5, gamma: 0.5, maxEpochs: 30 });
          const trace = traceOf(setup);
          const model = kernels[kernel](setup).fit(rowsOf(setup), labelsOf(setup));
          const grid = [...rowsOf(setup), [0, 0], [2.5, -1], [-3, 4]] as [number, number][];
          const scores = model.decisionFunction(grid);
          const size = scores.reduce((a, b) => Math.max(a, Math.abs(b)), 1);
          grid.forEach(([x, y], i) => {
            const own = trace.scoreAt(trace.steps.length, x, y);
            if (kernel === 'linear') expect(own).toBe(scores[i]);
            else expect(Math.abs(own - scores[i]!)).toBeLessThan(1e-9 * size);
          });
          expect(trace.report.mistakesByEpoch).toEqual(model.report.mistakesByEpoch);
          expect(trace.epochs.map(({ mistakes }) => mistakes)).toEqual(model.report.mistakesByEpoch);
          expect(trace.hasSamples).toBe(order === 'cyclic');
        }
      }
    },
  );

  test('counts are those of the dual form, and make the same w', () => {
    for (const { name } of presets) {
      const setup = setupFor(name, { maxEpochs: 20 });
      const trace = traceOf(setup);
      const dual = new DualPerceptron<number>({ maxEpochs: 20 }).fit(rowsOf(setup), labelsOf(setup));
      const counts = trace.counts(trace.steps.length);
      expect([...counts]).toEqual([...dual.updateCounts]);
      const { w, b } = planeAt(trace, trace.steps.length) as Plane;
      expect([...w, b]).toEqual([...dual.weights, dual.bias]);
    }
  });

  test.each(['cyclic', 'shuffle', 'random'] as const)(
    'the pocket holds what the library’s holds, in order %s',
    (order) => {
      for (const { name } of presets) {
        for (const margin of [0, 0.5]) {
          const setup = setupFor(name, { trainer: 'pocket', order, margin, maxEpochs: 25, seed: 3 });
          const trace = traceOf(setup);
          const model = new PocketPerceptron<number>({ order, margin, maxEpochs: 25, seed: 3 }).fit(
            rowsOf(setup),
            labelsOf(setup),
          );
          const { plane, errors } = trace.steps.at(-1)!.pocket!;
          expect([...plane.w, plane.b]).toEqual([...model.weights, model.bias]);
          expect(errors).toBe(model.report.pocket!.errors);
          expect(trace.steps.findIndex(({ mistakes }) => mistakes === model.report.pocket!.replacedAt)).toBe(
            trace.steps.map(({ pocket }) => pocket!.isNew).lastIndexOf(true),
          );
          // What predicts is what is in the pocket.
          expect(trace.scoreAt(trace.steps.length, 1, 2)).toBe(model.decisionFunction([[1, 2]])[0]);
        }
      }
    },
  );

  test('the kernels are the library’s', () => {
    for (const kernel of ['linear', 'rbf', 'polynomial'] as const) {
      const setup = setupFor('moons', { kernel, gamma: 0.7, degree: 3 });
      const choice = {
        linear: { type: 'linear' },
        rbf: { type: 'rbf', gamma: 0.7 },
        polynomial: { type: 'polynomial', gamma: 0.7, degree: 3, coef0: 1 },
      } as const;
      const { data, cols } = gram(rowsOf(setup), { kernel: choice[kernel] });
      const own = kernelOf(setup);
      setup.points.forEach((p, i) => {
        setup.points.forEach(({ x, y }, j) => {
          expect(own(p, x, y)).toBeCloseTo(data[i * cols + j]!, 9);
        });
      });
    }
  });

  test('a setup with fewer than two classes is no error: words say what is missing', () => {
    for (const [points, sentence] of [
      [[], 'No points yet. Click in the plane to place some, of both classes.'],
      [[at(1, 1, 1)], 'All points are blue. Place at least one orange triangle as well.'],
      [[at(1, 1, -1), at(2, 1, -1)], 'All points are orange. Place at least one blue circle as well.'],
    ] as const) {
      const trace = traceOf(setupFor('example', { points }));
      expect([trace.steps.length, trace.epochs.length]).toEqual([0, 0]);
      expect(statusAt(trace, 0)).toBe('nothing-to-learn');
      expect(sentenceAt(trace, 0)).toBe(sentence);
      expect(equationAt(trace, 0).map(asText)).toEqual(['w = (0, 0)', 'b = 0']);
      expect(offerAt(trace, 0)).toBeUndefined();
      expect(trace.scoreAt(0, 1, 1)).toBe(0);
      expect([nextMistake(trace, 0), nextSample(trace, 0)]).toEqual([undefined, undefined]);
    }
  });

  test('a long fit is stopped, and short of it a line that needs more time is given it', () => {
    const crowd = Array.from({ length: 200 }, (_, i) => at((i * 37) % 19, (i * 53) % 23, i % 2 ? 1 : -1));
    const long = traceOf(setupFor('example', { points: crowd, maxEpochs: 1000 }));
    expect(long.report.stopReason).toBe('stopped');
    expect(long.report.mistakes).toBeGreaterThanOrEqual(5000);
    expect(long.report.mistakes).toBeLessThan(5200);
    expect(long.steps.length).toBeLessThanOrEqual(20_000);
    // More time would not be given, and is not offered, where that has been watched already.
    const shelf = Array.from({ length: 200 }, (_, i) => at(i / 2, i % 2 ? 0.001 : 0, i % 2 ? 1 : -1));
    const watched = traceOf(setupFor('example', { points: shelf }));
    expect(sentenceAt(watched, watched.steps.length)).toContain('though a line can');
    expect(offerAt(watched, watched.steps.length)).toBeUndefined();

    const narrow = setupFor('example', { points: [at(10, 0, 1), at(9.9, 0, -1)], maxEpochs: 10 });
    const trace = traceOf(narrow);
    const end = trace.steps.length;
    expect(sentenceAt(trace, end)).toContain('though a line can');
    expect(offerAt(trace, end)).toEqual({ text: 'Give it more time', setup: { maxEpochs: 1000 } });
  });

  test('what separates has a bound, in orders without a clean epoch too', () => {
    const points = [at(3, 3, 1), at(3.2, 3, -1), at(1, 1, -1)];
    for (let seed = 0; seed < 10; seed++) {
      const trace = traceOf(setupFor('example', { points, order: 'random', seed, maxEpochs: 1000 }));
      expect(trace.report.converged).toBe(true);
      const { margin, mistakeBound } = trace.epochs.at(-1)!;
      expect(margin.lower).toBeGreaterThan(0);
      expect(mistakeBound).toBeGreaterThanOrEqual(trace.report.mistakes);
      // It is told where it is within 100 times the mistakes.
      const tells = mistakeBound! <= 100 * trace.report.mistakes;
      expect(boundOf(trace)).toBe(tells ? Math.floor(mistakeBound!) : undefined);
    }
  });

  test('a margin asks for more than the right side', () => {
    const trace = traceOf(setupFor('example', { margin: 2 }));
    const step = trace.steps.findIndex(
      ({ isMistake, score, index }) => isMistake && score * trace.setup.points[index]!.label > 0,
    );
    expect(sentenceAt(trace, step + 1)).toContain('on its side, but too near to the line');
    expect(asText(equationAt(trace, step + 1)[0]!)).toMatch(/≤ 2$/);
  });
});

const whole = fc.integer({ min: -8, max: 8 });
const anyPoint: fc.Arbitrary<Point> = fc.record({
  x: whole,
  y: whole,
  label: fc.constantFrom(1 as const, -1 as const),
});
const anySetup: fc.Arbitrary<Setup> = fc.record({
  points: fc.array(anyPoint, { maxLength: 25 }),
  trainer: fc.constantFrom('perceptron' as const, 'pocket' as const),
  kernel: fc.constantFrom('linear' as const, 'rbf' as const, 'polynomial' as const),
  gamma: fc.constantFrom(0.1, 1, 3),
  degree: fc.integer({ min: 1, max: 4 }),
  learningRate: fc.constantFrom(0.25, 1, 2),
  margin: fc.constantFrom(0, 1),
  order: fc.constantFrom('cyclic' as const, 'shuffle' as const, 'random' as const),
  seed: fc.integer({ min: 0, max: 1000 }),
  maxEpochs: fc.integer({ min: 1, max: 30 }),
});

/**
 * By another way, in whole numbers of any size: hulls meet exactly if a point of one class lies on a triangle of the other,
 * or two segments cross (Carathéodory in the plane).
 */
function isSplitByExactLine(points: readonly Point[]): boolean {
  type Exact = readonly [bigint, bigint];
  const of = (label: number): Exact[] =>
    points
      .filter((point) => point.label === label)
      .map(({ x, y }) => [BigInt(Math.round(1000 * x)), BigInt(Math.round(1000 * y))]);
  const side = (a: Exact, b: Exact, c: Exact): number => {
    const turn = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    return turn > 0n ? 1 : turn < 0n ? -1 : 0;
  };
  const isBetween = (a: Exact, b: Exact, c: Exact): boolean =>
    side(a, b, c) === 0 &&
    [0, 1].every((k) => (a[k]! <= c[k]! && c[k]! <= b[k]!) || (b[k]! <= c[k]! && c[k]! <= a[k]!));
  const cross = (a: Exact, b: Exact, c: Exact, d: Exact): boolean =>
    side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
  const isInside = (a: Exact, b: Exact, c: Exact, p: Exact): boolean => {
    const sides = [side(a, b, p), side(b, c, p), side(c, a, p)];
    return sides.every((each) => each > 0) || sides.every((each) => each < 0);
  };
  const pairs = (all: Exact[]) => all.flatMap((a) => all.map((b) => [a, b] as const));
  const [plus, minus] = [of(1), of(-1)];
  const reaches = (own: Exact[], others: Exact[]): boolean =>
    others.some((p) => pairs(own).some(([a, b]) => isBetween(a, b, p) || own.some((c) => isInside(a, b, c, p))));
  const doCross = pairs(plus).some(([a, b]) => pairs(minus).some(([c, d]) => cross(a, b, c, d)));
  return !(reaches(plus, minus) || reaches(minus, plus) || doCross);
}

describe('any points', () => {
  test('every moment has a sentence and an equation; counts, mistakes and epochs add up', () => {
    fc.assert(
      fc.property(anySetup, fc.nat(), (setup, number) => {
        const trace = traceOf(setup);
        const steps = number % (trace.steps.length + 1);
        expect(sentenceAt(trace, steps)).toMatch(/^[A-Z0-9].*[.?]$/);
        expect(sentenceAt(trace, steps)).not.toMatch(/NaN|undefined/);
        expect(equationAt(trace, steps).map(asText).join()).not.toMatch(/NaN|undefined|-/);
        const counts = trace.counts(steps);
        expect(counts.reduce((a, b) => a + b, 0)).toBe(trace.steps[steps - 1]?.mistakes ?? 0);
        expect(trace.steps.at(-1)?.mistakes ?? 0).toBe(trace.report.mistakes);
        expect(trace.epochs.map(({ mistakes }) => mistakes)).toEqual(trace.report.mistakesByEpoch);
        expect(trace.epochs.at(-1)?.steps ?? 0).toBe(trace.steps.length);
        expect(Number.isFinite(trace.scoreAt(steps, 0.5, -0.5))).toBe(true);
      }),
      { numRuns: runs(150) },
    );
  });

  test('a mistake is a mistake, and what was filled in was right', () => {
    fc.assert(
      fc.property(anySetup, (setup) => {
        for (const { index, score, isMistake } of traceOf({ ...setup, kernel: 'linear' }).steps) {
          expect(setup.points[index]!.label * score > setup.margin).toBe(!isMistake);
        }
      }),
      { numRuns: runs(100) },
    );
  });

  test('the bracket only closes, and holds; mistakes stay within the bound', () => {
    fc.assert(
      fc.property(anySetup, (setup) => {
        const { epochs, report } = traceOf(setup);
        epochs.forEach(({ margin, mistakeBound }, k) => {
          const before = epochs[k - 1]?.margin ?? { lower: -Infinity, upper: Infinity };
          expect(margin.lower).toBeGreaterThanOrEqual(before.lower);
          expect(margin.upper).toBeLessThanOrEqual(before.upper);
          expect(margin.lower).toBeLessThanOrEqual(margin.upper + 1e-9);
          if (mistakeBound !== null) expect(report.mistakes).toBeLessThanOrEqual(mistakeBound * (1 + 1e-9));
        });
      }),
      { numRuns: runs(100) },
    );
  });

  test('primal and dual have the same w at every moment', () => {
    fc.assert(
      fc.property(anySetup, fc.nat(), (setup, number) => {
        const trace = traceOf({ ...setup, kernel: 'linear' });
        const steps = number % (trace.steps.length + 1);
        expect(planeOf(setup, trace.counts(steps))).toEqual(planeAt(trace, steps));
      }),
      { numRuns: runs(100) },
    );
  });

  test('what training separates is separable, and "No line can" is said only where none can', () => {
    fc.assert(
      fc.property(anySetup, (setup) => {
        const trace = traceOf({ ...setup, kernel: 'linear', trainer: 'perceptron' });
        if (statusAt(trace, trace.steps.length) === 'nothing-to-learn') return;
        if (trace.report.converged) expect(isSeparable(setup.points)).toBe(true);
        // Whole numbers up to 8 leave room enough for training to end, given time.
        const patient = new Perceptron({ maxEpochs: 100_000 }).fit(rowsOf(setup), labelsOf(setup));
        expect(isSeparable(setup.points)).toBe(patient.report.converged);
        if (/No line/.test(sentenceAt(trace, trace.steps.length))) expect(patient.report.converged).toBe(false);
      }),
      { numRuns: runs(60) },
    );
  });

  test('hulls that touch have no line between them, to the last thousandth', () => {
    const touching = [at(0.4, 2, 1), at(2.8, -0.1, 1), at(1.2, 1.3, -1)];
    expect(isSeparable(touching)).toBe(false);
    expect(isSeparable([...touching.slice(0, 2), at(1.2, 1.299, -1)])).toBe(true);
    expect(isSeparable([...touching.slice(0, 2), at(1.2, 1.301, -1)])).toBe(true);
  });

  test('separable is what exact arithmetic says', () => {
    const thousandths = fc.oneof(
      fc.integer({ min: -3, max: 3 }).map((k) => k / 10),
      fc.integer({ min: -1_000_000, max: 1_000_000 }).map((k) => k / 1000),
    );
    const point = fc.record({ x: thousandths, y: thousandths, label: fc.constantFrom(1 as const, -1 as const) });
    fc.assert(
      fc.property(fc.array(point, { maxLength: 9 }), (points) => {
        expect(isSeparable(points)).toBe(isSplitByExactLine(points));
      }),
      { numRuns: runs(2000) },
    );
  });

  test('windows hold their points', () => {
    fc.assert(
      fc.property(
        fc.array(anyPoint, { minLength: 1, maxLength: 10 }),
        fc.constantFrom(0.01, 1, 100),
        (points, scale) => {
          const scaled = points.map(({ x, y, label }) => ({ x: x * scale, y: y * scale, label }));
          const { left, right, bottom, top } = windowOf(scaled);
          expect(right - left).toBeCloseTo(top - bottom, 9);
          for (const { x, y } of scaled) expect(x > left && x < right && y > bottom && y < top).toBe(true);
        },
      ),
    );
  });

  test('a fit is never more work than a person waits for', () => {
    // 200 points that no line splits, to the end: what is counted takes a tenth of a second or two.
    const points = Array.from({ length: 200 }, (_, i) => at((i * 37) % 19, (i * 53) % 23, i % 2 ? 1 : -1));
    for (const order of ['cyclic', 'shuffle', 'random'] as const) {
      for (const changes of [{}, { trainer: 'pocket' }, { kernel: 'polynomial' }] as const) {
        const { report } = traceOf({ ...defaults, points, order, maxEpochs: 1000, ...changes });
        expect(report.epochs * points.length).toBeLessThanOrEqual(20_000);
        expect(report.mistakes).toBeLessThanOrEqual(5000 + points.length);
      }
    }
  });
});
