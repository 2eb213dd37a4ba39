// The guided tour says what is so: each number and each claim of its stops, as the library has them.

import { describe, expect, test } from 'vitest';
import { seedLines } from '../../web/src/learn/seeds.js';
import { setupOfStop, stops, stopWords } from '../../web/src/learn/tour.js';
import { traceOf } from '../../web/src/learn/trace.js';
import type { Point, Setup } from '../../web/src/learn/types.js';
import { statusAt } from '../../web/src/learn/words.js';

const [example, order, unique, noise, xor, kernels] = stops.map(setupOfStop) as [Setup, Setup, Setup, Setup, Setup, Setup]; // biome-ignore format: six
const after = (stop: number): Setup => ({ ...setupOfStop(stops[stop - 1]!), ...stops[stop - 1]!.act!.setup });
const moved = (setup: Setup, index: number, x: number, y: number): Setup => ({
  ...setup,
  points: setup.points.map((point, i): Point => (i === index ? { ...point, x, y } : point)),
});
const angleOf = ({ w }: { w: readonly [number, number] }) => (Math.atan2(w[1], w[0]) * 180) / Math.PI;

describe('the guided tour', () => {
  test('has six stops of two sentences and one thing to try', () => {
    expect(stops).toHaveLength(6);
    for (const { words, task } of stops) {
      expect(words.match(/[.](?= |$)/g)).toHaveLength(2);
      expect(task).toMatch(/[.]$/);
    }
    expect(stopWords(5)).toMatch(/^Stop 5 of 6: XOR\. Opposite corners .* Try this: Drag one blue circle/);
    expect(stopWords(7)).toBe('');
  });

  test('one line, seven mistakes; 27 with the triangle at (2, 2)', () => {
    expect(traceOf(example).report).toMatchObject({ converged: true, mistakes: 7 });
    expect(example.points[2]).toMatchObject({ label: -1 });
    expect(traceOf(moved(example, 2, 2, 2)).report).toMatchObject({ converged: true, mistakes: 27 });
  });

  test('19 mistakes in the order of the list, 14 and another line when shuffled', () => {
    const [listed, shuffled] = [traceOf(order), traceOf(after(2))];
    expect([listed.setup.order, listed.report.converged, listed.report.mistakes]).toEqual(['cyclic', true, 19]);
    expect([shuffled.setup.order, shuffled.report.converged, shuffled.report.mistakes]).toEqual(['shuffle', true, 14]);
    const [first, second] = [listed, shuffled].map(({ steps }) => angleOf(steps.at(-1)!.after!));
    expect(Math.abs(first! - second!)).toBeGreaterThan(1);
  });

  test('not unique: every shuffle ends with a line, and with a margin they draw together', () => {
    const spread = (setup: Setup) => {
      const lines = [...seedLines(setup)];
      expect(lines.every(({ converged }) => converged)).toBe(true);
      const angles = lines.map(({ plane }) => angleOf(plane));
      return Math.max(...angles) - Math.min(...angles);
    };
    expect(stops[2]!.panels).toEqual(['seeds']);
    expect(spread(unique)).toBeGreaterThan(10);
    expect(spread(after(3))).toBeLessThan(5);
  });

  test('noise: no end, and 3 mistakes in the pocket', () => {
    const trace = traceOf(noise);
    expect(trace.report.converged).toBe(false);
    expect(statusAt(trace, trace.steps.length)).toBe('stuck');
    expect(traceOf(after(4)).steps.at(-1)!.pocket!.errors).toBe(3);
  });

  test('XOR: no end, until a circle is over the diagonal', () => {
    expect(traceOf(xor).report.converged).toBe(false);
    expect(xor.points[1]).toEqual({ x: 1, y: -1, label: 1 });
    for (const place of [-0.25, -0.5, -0.75]) {
      expect(traceOf(moved(xor, 1, place, -place)).report.converged).toBe(true);
    }
    expect(traceOf(moved(xor, 1, 0.25, -0.25)).report.converged).toBe(false);
  });

  test('kernels: both of them separate the circles, which no line does', () => {
    expect([kernels.kernel, after(6).kernel]).toEqual(['polynomial', 'rbf']);
    for (const setup of [kernels, after(6)]) expect(traceOf(setup).report.converged).toBe(true);
    expect(traceOf({ ...kernels, kernel: 'linear' }).report.converged).toBe(false);
  });
});
