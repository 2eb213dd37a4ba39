import { describe, expect, it } from 'vitest';
import { backwards, crossingOf, factorBetween } from '../../bench/harness/crossing.js';

/** primal: a·E; dual: once + c·E. */
const model = (limits: readonly number[], a: number, once: number, c: number) =>
  limits.map((epochs) => ({ epochs, primalMs: a * epochs, dualMs: once + c * epochs }));

describe('crossingOf', () => {
  it.each([12, 33, 66, 190])('is exactly where straight lines cross, at %d passes', (at) => {
    const [a, c] = [0.25, 0.01];
    expect(crossingOf(model([10, 20, 40, 80, 160, 320], a, at * (a - c), c))).toBeCloseTo(at, 9);
  });

  it('is a limit where the forms are as fast as each other there', () => {
    expect(crossingOf(model([10, 20, 40], 1, 20, 0))).toBeCloseTo(20, 9);
  });

  it('is 0 where the dual form is always faster, and Infinity where it is not at the last limit', () => {
    expect(crossingOf(model([10, 20, 40], 1, 5, 0))).toBe(0);
    expect(crossingOf(model([10, 20, 40], 1, 100, 0))).toBe(Infinity);
    expect(crossingOf(model([10, 20, 40], 1, 1, 2))).toBe(Infinity);
    expect(crossingOf(model([10], 1, 5, 0))).toBe(0);
  });

  it('is hardly moved by one time that noise doubled, or halved', () => {
    const exact = model([10, 20, 40, 80, 160, 320], 1, 60, 0.05);
    const at = 60 / 0.95;
    expect(crossingOf(exact)).toBeCloseTo(at, 9);
    for (let i = 0; i < exact.length; i++) {
      for (const factor of [1.5, 0.75]) {
        const noisy = exact.map((point, k) => (k === i ? { ...point, dualMs: factor * point.dualMs } : point));
        expect(factorBetween(crossingOf(noisy), at)).toBeLessThan(1.35);
      }
    }
  });

  it('goes by the neighbours where no line can be: passes that cost nothing, or two points at most', () => {
    const flat = [
      { epochs: 10, primalMs: 2, dualMs: 1 },
      { epochs: 20, primalMs: 1, dualMs: 2 },
      { epochs: 40, primalMs: 2, dualMs: 1 },
      { epochs: 80, primalMs: 1, dualMs: 0.25 },
    ];
    expect(crossingOf(flat)).toBeCloseTo(20 * Math.SQRT2, 9);
    expect(crossingOf([{ epochs: 10, primalMs: 2, dualMs: 1 }])).toBe(0);
    expect(crossingOf([{ epochs: 10, primalMs: 1, dualMs: 2 }])).toBe(Infinity);
  });

  it('takes points in any order', () => {
    const points = model([10, 20, 40, 80], 1, 30, 0);
    expect(crossingOf([...points].reverse())).toBe(crossingOf(points));
  });
});

describe('backwards', () => {
  const times = (...ms: number[]) => ms.map((ms, i) => ({ epochs: 10 * (i + 1), ms }));

  it('finds more passes that took less than nine tenths of fewer', () => {
    expect(backwards(times(10, 20, 40))).toEqual([]);
    expect(backwards(times(10, 9.1, 9.05, 12))).toEqual([]);
    expect(backwards(times(98, 52, 89, 80, 62, 80, 181))).toEqual([
      [10, 20],
      [10, 40],
      [10, 50],
      [10, 60],
    ]);
    expect(backwards(times(1, 3, 2).reverse())).toEqual([[20, 30]]);
    expect(backwards([])).toEqual([]);
  });
});

it('factorBetween is 1 where two agree, and the same both ways', () => {
  expect(factorBetween(7, 7)).toBe(1);
  expect(factorBetween(10, 40)).toBe(4);
  expect(factorBetween(40, 10)).toBe(4);
});
