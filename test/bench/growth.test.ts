import { afterEach, describe, expect, it, vi } from 'vitest';
import { Random } from '../../bench/data/generate.js';
import { powerLaw } from '../../bench/harness/powerlaw.js';
import { turnOf } from '../../bench/harness/turns.js';

const xs = [100, 200, 400, 800, 1600];

describe('powerLaw', () => {
  it.each([1, 2, 0, -0.5, 1.37])('finds the exponent %d of exact powers, without a margin', (exponent) => {
    const law = powerLaw(xs.map((x) => ({ x, y: 3e-4 * x ** exponent })));
    expect(law.exponent).toBeCloseTo(exponent, 12);
    expect(law.margin).toBeLessThan(1e-12);
  });

  it('knows a straight line through logarithms computed by hand', () => {
    // log₂ x = 0, 1, 2; log₂ y = 0, 2, 2: slope 1, residuals −1/3, 2/3, −1/3; t(1) = 12.706.
    const { exponent, margin } = powerLaw([
      { x: 1, y: 1 },
      { x: 2, y: 4 },
      { x: 4, y: 4 },
    ]);
    expect(exponent).toBeCloseTo(1, 12);
    expect(margin).toBeCloseTo(12.706 * Math.sqrt(2 / 3 / 2), 9);
  });

  it('has a margin that holds the true exponent in about 95 of 100 noisy series', () => {
    const random = new Random(1);
    const runs = 2000;
    let held = 0;
    for (let run = 0; run < runs; run++) {
      const { exponent, margin } = powerLaw(xs.map((x) => ({ x, y: x ** 2 * Math.exp(0.1 * random.gaussian()) })));
      if (Math.abs(exponent - 2) <= margin) held++;
    }
    expect(held / runs).toBeGreaterThan(0.93);
    expect(held / runs).toBeLessThan(0.97);
  });

  it('does not care about units or order', () => {
    const points = [3, 5, 13, 21].map((y, i) => ({ x: 2 ** i, y }));
    const one = powerLaw(points);
    const other = powerLaw([...points].reverse().map(({ x, y }) => ({ x: 1000 * x, y: y / 7 })));
    expect(other.exponent).toBeCloseTo(one.exponent, 12);
    expect(other.margin).toBeCloseTo(one.margin, 12);
  });

  it('refuses too few points, points without a logarithm, and points all at one x', () => {
    const [a, b, c] = [
      { x: 1, y: 1 },
      { x: 2, y: 2 },
      { x: 4, y: 4 },
    ] as const;
    expect(() => powerLaw([a, b])).toThrow(RangeError);
    expect(() => powerLaw([a, b, { x: 4, y: 0 }])).toThrow(RangeError);
    expect(() => powerLaw([a, b, { x: -4, y: 1 }])).toThrow(RangeError);
    expect(() => powerLaw([a, b, { x: 4, y: Number.NaN }])).toThrow(RangeError);
    expect(() => powerLaw([c, c, c])).toThrow(RangeError);
  });
});

describe('turnOf', () => {
  afterEach(() => vi.restoreAllMocks());

  it('is the median of what is measured until the time is over, of one call at least', () => {
    let clock = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => clock);
    const values = [5, 1, 100, 7, 3];
    let calls = 0;
    const measure = (): number => {
      clock += 10;
      return values[calls++] as number;
    };
    expect(turnOf(1, measure)()).toBe(5);
    expect(calls).toBe(1);
    calls = 0;
    expect(turnOf(41, measure)()).toBe(5);
    expect(calls).toBe(5);
    calls = 0;
    expect(turnOf(35, measure)()).toBe(6); // of 5, 1, 100 and 7
  });
});
