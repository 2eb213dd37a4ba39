// How times become numbers: medians, margins, ratios, and who is when.

import { describe, expect, it } from 'vitest';
import {
  contestUntil,
  marginPercent,
  mean,
  median,
  once,
  quantile,
  ratioOf,
  spreadOf,
  timingOf,
  turnsOf,
} from '../../bench/harness/measure.js';
import { relativeFit } from '../../bench/harness/relative.js';
import type { Timing } from '../../bench/harness/results.js';

const times = (...rounds: number[]): Timing =>
  timingOf(
    { name: 'a' },
    rounds.map((ms) => [ms]),
  );

describe('median', () => {
  it('is the middle one, or the mean of the two in the middle', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(median([7])).toBe(7);
  });

  it('compares numbers, not their digits, and leaves the list alone', () => {
    const values = [10, 9, 100];
    expect(median(values)).toBe(10);
    expect(values).toEqual([10, 9, 100]);
  });
});

it('quantile is a value, or lies between two of them', () => {
  expect(quantile([5, 1, 4, 2, 3], 0.25)).toBe(2);
  expect(quantile([5, 1, 4, 2, 3], 0.5)).toBe(3);
  expect(quantile([10, 20], 0.25)).toBe(12.5);
  expect(quantile([7], 0.25)).toBe(7);
  expect([0, 1].map((share) => quantile([3, 1, 2], share))).toEqual([1, 3]);
});

describe('marginPercent', () => {
  it('is that of a mean, by Student’s t', () => {
    // Mean 10, standard deviation 1, t(4) = 2.776.
    const values = [10 - Math.SQRT2, 10, 10, 10, 10 + Math.SQRT2];
    expect(marginPercent(values)).toBeCloseTo((10 * 2.776 * 1) / Math.sqrt(5), 9);
  });

  it('is 0 of one value, or of equal ones', () => {
    expect(marginPercent([3])).toBe(0);
    expect(marginPercent([3, 3, 3])).toBe(0);
  });
});

describe('timingOf', () => {
  it('has the mean of each round, and the median of those', () => {
    const timing = timingOf({ name: 'a' }, [[1, 3], [10], [4, 4, 4]]);
    expect(timing).toMatchObject({ rounds: [2, 10, 4], ms: 4, samples: 6 });
    expect(timing.meanMs).toBeCloseTo(mean([1, 3, 10, 4, 4, 4]), 12);
  });

  it('takes the margin of the rounds, or of the samples of the only one', () => {
    expect(timingOf({ name: 'a' }, [[1, 3], [4]]).marginPercent).toBe(marginPercent([2, 4]));
    expect(timingOf({ name: 'a' }, [[1, 3]]).marginPercent).toBe(marginPercent([1, 3]));
  });
});

describe('ratioOf', () => {
  it('is the median of the ratios of each round, not the ratio of the medians', () => {
    const ratio = ratioOf(times(10, 40, 30), times(1, 2, 10));
    expect(ratio).toEqual({ ratio: 10, low: 3, high: 20, rounds: 3, byRound: [10, 20, 3] });
  });

  it('takes out what slows a whole round down', () => {
    expect(ratioOf(times(10, 100, 20), times(2, 20, 4))).toMatchObject({ ratio: 5, low: 5, high: 5 });
  });
});

it('a ratio that was measured once has no spread', () => {
  expect(once(3)).toEqual(spreadOf([3]));
  expect(once(3)).toMatchObject({ low: 3, high: 3, rounds: 1 });
});

describe('turnsOf', () => {
  it('has everybody once a round', () => {
    for (const contestants of [1, 2, 3, 7]) {
      for (let round = 0; round < 20; round++) {
        expect(turnsOf(contestants, round).sort()).toEqual(Array.from({ length: contestants }, (_, i) => i));
      }
    }
  });

  it('has everybody first and last as often as anybody', () => {
    for (const contestants of [2, 3, 5]) {
      const rounds = Array.from({ length: 2 * contestants }, (_, round) => turnsOf(contestants, round));
      for (let i = 0; i < contestants; i++) {
        expect(rounds.filter((turns) => turns[0] === i)).toHaveLength(2);
        expect(rounds.filter((turns) => turns.at(-1) === i)).toHaveLength(2);
      }
    }
  });

  it('has nobody always after the same one', () => {
    for (const contestants of [3, 4, 5]) {
      for (let i = 0; i < contestants; i++) {
        const before = Array.from({ length: 4 }, (_, round) => {
          const turns = turnsOf(contestants, round);
          return turns[turns.indexOf(i) - 1];
        });
        expect(new Set(before.filter((one) => one !== undefined)).size).toBeGreaterThan(1);
      }
    }
  });
});

describe('contestUntil', () => {
  const counting = (values: number[]) => {
    let calls = 0;
    return { name: 'a', measure: () => values[calls++ % values.length] as number, calls: () => calls };
  };

  it('stops when the times have settled, or when it has had enough rounds', () => {
    const contestant = counting([9, 1, 2, 3, 4]);
    const settled = contestUntil([contestant], { rounds: 2, most: 6, isSettled: ([one]) => one?.rounds.length === 4 });
    expect(settled[0]?.rounds).toEqual([1, 2, 3, 4]);
    const never = contestUntil([counting([1])], { rounds: 2, most: 7, isSettled: () => false });
    expect(never[0]?.rounds).toHaveLength(6);
  });

  it('does not count the first turn of each, which warms up', () => {
    const contestant = counting([1000, 1, 1, 1]);
    const [timing] = contestUntil([contestant], { rounds: 3, most: 3, isSettled: () => true });
    expect([timing?.rounds, contestant.calls()]).toEqual([[1, 1, 1], 4]);
  });

  it('takes the lower quartile: whoever else is there only ever adds time', () => {
    const [timing] = contestUntil([counting([0, 10, 90, 11, 80, 70])], { rounds: 5, most: 5, isSettled: () => true });
    expect(timing).toMatchObject({ ms: 11, rounds: [10, 90, 11, 80, 70] });
  });
});

describe('relativeFit', () => {
  it('finds both parts of a sum', () => {
    const points = [1, 2, 50].map((v) => ({ u: 3, v, y: 2 * 3 + 5 * v }));
    const { a, b } = relativeFit(points);
    expect(a).toBeCloseTo(2, 9);
    expect(b).toBeCloseTo(5, 9);
  });

  it('counts errors as shares, so that short times have their say', () => {
    // The last is 10 % off; plain least squares would have the first pay for it.
    const points = [1, 2, 4, 1000].map((v) => ({ u: 1, v, y: (1 + v) * (v === 1000 ? 1.1 : 1) }));
    const { a, b } = relativeFit(points);
    expect(a + b).toBeCloseTo(2, 0);
    expect(a + b * 2).toBeGreaterThan(2.7);
  });

  it('does not decide by one point, or by many at the same place', () => {
    expect(relativeFit([{ u: 1, v: 2, y: 3 }]).a).toBeNaN();
    expect(relativeFit(Array.from({ length: 3 }, () => ({ u: 1, v: 2, y: 3 }))).b).toBeNaN();
  });
});
