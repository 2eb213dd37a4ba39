import { describe, expect, it } from 'vitest';
import { crossingOf, factorBetween } from '../../bench/harness/crossing.js';

/** primal: a·E; dual: once + c·E. */
const model = (limits: readonly number[], a: number, once: number, c: number) =>
  limits.map((epochs) => ({ epochs, primalMs: a * epochs, dualMs: once + c * epochs }));

describe('crossingOf', () => {
  it('is exact where ratios are a power of the passes', () => {
    // primal / dual = (E / 30)^0.7
    const points = [10, 20, 40, 80].map((epochs) => ({ epochs, primalMs: (epochs / 30) ** 0.7, dualMs: 1 }));
    expect(crossingOf(points)).toBeCloseTo(30, 9);
  });

  it.each([12, 33, 66, 190])(
    'is near %d passes, where straight lines cross, between limits a factor of two apart',
    (at) => {
      const [a, c] = [0.25, 0.01];
      const points = model([10, 20, 40, 80, 160, 320], a, at * (a - c), c);
      expect(factorBetween(crossingOf(points), at)).toBeLessThan(1.03);
    },
  );

  it('is a limit where the forms are as fast as each other there', () => {
    expect(crossingOf(model([10, 20, 40], 1, 20, 0))).toBe(20);
  });

  it('is 0 where the dual form is always faster, and Infinity where it is not at the last limit', () => {
    expect(crossingOf(model([10, 20, 40], 1, 5, 0))).toBe(0);
    expect(crossingOf(model([10, 20, 40], 1, 100, 0))).toBe(Infinity);
    expect(crossingOf(model([10, 20, 40], 1, 1, 2))).toBe(Infinity);
    expect(crossingOf(model([10], 1, 5, 0))).toBe(0);
  });

  it('is from where on the dual form stays ahead, if noise has them cross more than once', () => {
    const points = [
      { epochs: 10, primalMs: 2, dualMs: 1 },
      { epochs: 20, primalMs: 1, dualMs: 2 },
      { epochs: 40, primalMs: 2, dualMs: 1 },
      { epochs: 80, primalMs: 4, dualMs: 1 },
    ];
    expect(crossingOf(points)).toBeCloseTo(20 * Math.SQRT2, 9);
  });

  it('takes points in any order', () => {
    const points = model([10, 20, 40, 80], 1, 30, 0);
    expect(crossingOf([...points].reverse())).toBe(crossingOf(points));
  });
});

it('factorBetween is 1 where two agree, and the same both ways', () => {
  expect(factorBetween(7, 7)).toBe(1);
  expect(factorBetween(10, 40)).toBe(4);
  expect(factorBetween(40, 10)).toBe(4);
});
