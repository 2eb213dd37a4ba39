// The questions limits, growth and crossover, put once with tiny sizes: all of them in one file, as they share build/bench.

import { beforeAll, describe, expect, it } from 'vitest';
import { runPlain, stripTypes } from '../../bench/harness/plain.js';
import type { Message } from '../../bench/harness/question.js';
import type { Findings, Timing } from '../../bench/harness/results.js';

beforeAll(stripTypes);

async function ask(name: string): Promise<Findings[]> {
  const messages: Message[] = [];
  await runPlain(name, { mode: 'smoke', onMessage: (message) => messages.push(message) });
  return messages.flatMap((message) => (message.kind === 'told' ? [message.told] : []));
}

function expectTiming({ ms, rounds, meanMs, marginPercent, samples, work }: Timing): void {
  for (const value of [ms, meanMs, samples, ...rounds]) expect(value).toBeGreaterThan(0);
  expect(marginPercent).toBeGreaterThanOrEqual(0);
  for (const value of Object.values(work ?? {})) expect(value).toBeGreaterThan(0);
}

it('limits: how fast it can read, and calculate', async () => {
  const [{ limits, notes } = {}] = await ask('limits');
  expect(limits?.read.map(({ bytes }) => bytes)).toEqual([16_384, 2 ** 21]);
  for (const { gigabytesPerSecond, low } of limits?.read ?? []) {
    expect(low).toBeGreaterThan(0);
    expect(gigabytesPerSecond).toBeGreaterThanOrEqual(low);
    expect(gigabytesPerSecond).toBeLessThan(10_000);
  }
  const { gigaflops = 0, low = 0 } = limits?.peak ?? {};
  expect(low).toBeGreaterThan(0);
  expect(gigaflops).toBeGreaterThanOrEqual(low);
  expect(notes?.[0]).toMatch(/^reads [\d.]+ GB\/s from memory, .* GFLOP\/s at most$/);
});

it('growth: an exponent for everything that grows', async () => {
  const growth = (await ask('growth')).flatMap((told) => told.growth ?? []);
  expect(growth.map(({ of, expected }) => [of, expected])).toEqual([
    ['N', 1],
    ['d', 1],
    ['N', 2],
    ['d', 1],
    ['non-zeros', 1],
    ['non-zeros', 1],
    ['N', 1],
    ['N', 2],
  ]);
  for (const { points, exponent, margin } of growth) {
    expect(points.length).toBeGreaterThanOrEqual(3);
    for (const { x, timing } of points) {
      expect(x).toBeGreaterThan(0);
      expectTiming(timing);
    }
    expect(Number.isFinite(exponent)).toBe(true);
    expect(margin).toBeGreaterThanOrEqual(0);
  }
});

describe('crossover', () => {
  let told: Findings[] = [];
  beforeAll(async () => {
    told = await ask('crossover');
  });

  it('has both forms at every place of the grid', () => {
    const cells = told.flatMap(({ cells = [] }) => cells);
    expect(cells.filter(({ data }) => data === 'endless').length).toBe(12);
    expect(cells.filter(({ data }) => data === 'separable').map(({ margin }) => margin)).toEqual([4, 2, 1]);
    for (const { primal, dual, epochs, mistakes, chosen } of cells) {
      expectTiming(primal);
      expectTiming(dual);
      expect(primal.rounds.length).toBe(dual.rounds.length);
      expect(epochs).toBeGreaterThanOrEqual(1);
      expect(mistakes).toBeGreaterThanOrEqual(1);
      if (chosen !== null) expect(chosen).toBeGreaterThan(0);
    }
  });

  it('tells how far chooseForm is off where they cross, and needs more passes for a narrower margin', () => {
    for (const { ratio, low, against, what } of told.flatMap(({ answers }) => answers)) {
      expect(low).toBeGreaterThanOrEqual(1);
      expect(ratio).toBeGreaterThanOrEqual(low);
      expect(against).toBe("chooseForm's");
      expect(what).toMatch(/^crossover of primal and dual, 20 × \d+$/);
    }
    const passes = (told[1]?.cells ?? []).map(({ epochs }) => epochs);
    expect(passes).toEqual([...passes].sort((a, b) => a - b));
    for (const { notes = [] } of told) expect(notes.join()).not.toMatch(/NaN|undefined/);
  });
});
