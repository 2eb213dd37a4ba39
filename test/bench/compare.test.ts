// Two runs side by side: noise is not news, changes are, and a machine that is slower as a whole is neither.

import { describe, expect, it } from 'vitest';
import { compareResults } from '../../bench/harness/compare.js';
import { timingOf } from '../../bench/harness/measure.js';
import { type Answer, BEST_SIZE, FORMAT, type Results, type Timing } from '../../bench/harness/results.js';
import { comparisonText } from '../../bench/report/terminal.js';

const answer = (what: string, [low, ratio, high]: [number, number, number], more: Partial<Answer> = {}): Answer => ({
  what,
  against: 'idiomatic JS',
  low,
  ratio,
  high,
  rounds: 5,
  ...more,
});

const times = (name: string, rounds: number[]): Timing =>
  timingOf(
    { name },
    rounds.map((ms) => [ms]),
  );

function run(answers: Answer[], timings: Timing[] = [], more: Partial<Results> = {}): Results {
  const machine = { cpu: 'A', cores: 2, memoryGB: 8, node: 'v20', platform: 'linux x64', load: 0 };
  return {
    format: FORMAT,
    version: '0.1.0',
    date: '2026-11-16T10:20:30.000Z',
    command: 'npm run bench',
    mode: 'quick',
    complete: true,
    interrupted: false,
    seconds: 40,
    machine,
    questions: [{ name: 'scan', question: 'How fast?', seconds: 1, answers, timings }],
    ...more,
  };
}

describe('comparing two runs', () => {
  it('finds nothing where the rounds of both overlap', () => {
    const { ratios } = compareResults(run([answer('a', [4, 5, 6])]), run([answer('a', [5.9, 7, 8])]));
    expect(ratios).toEqual({ faster: [], slower: [], judged: 1, unmatched: 0, unjudged: 0, byChance: 1 / 126 });
  });

  it('finds what is apart by more than a tenth, and which way', () => {
    const older = run([answer('a', [4, 5, 6]), answer('b', [4, 5, 6]), answer('c', [4.9, 5, 5.1])]);
    const newer = run([answer('a', [7, 8, 9]), answer('b', [2, 2.5, 3]), answer('c', [5.2, 5.3, 5.4])]);
    const { ratios } = compareResults(older, newer);
    expect(ratios.faster.map(({ what, better }) => [what, better])).toEqual([['a, to idiomatic JS', 1.6]]);
    expect(ratios.slower.map(({ what, better }) => [what, better])).toEqual([['b, to idiomatic JS', 0.5]]);
    expect(ratios.judged).toBe(3);
  });

  it('knows where less is better', () => {
    const start = (range: [number, number, number]) => run([answer('start-up', range, { lowerIsBetter: true })]);
    const { ratios } = compareResults(start([1, 1.1, 1.2]), start([2, 2.2, 2.4]));
    expect(ratios.slower).toHaveLength(1);
    expect(ratios.faster).toHaveLength(0);
  });

  it('does not judge what was measured too few times, and counts what is in one run only', () => {
    const older = run([answer('a', [1, 1, 1], { rounds: 1 }), answer('gone', [1, 1, 1])]);
    const newer = run([answer('a', [9, 9, 9], { rounds: 1 }), answer('new', [1, 1, 1])]);
    expect(compareResults(older, newer).ratios).toEqual({
      faster: [],
      slower: [],
      judged: 0,
      unmatched: 2,
      unjudged: 1,
      byChance: 0,
    });
  });

  it('takes out of the times how much slower the machine was, by code that is not ours', () => {
    const before = [10, 10.1, 9.9, 10, 10.2];
    const older = run(
      [],
      ['idiomatic JS', 'a', 'b'].map((name) => times(name, before)),
    );
    const newer = run([], [
      times('idiomatic JS', before.map((ms) => 2 * ms)),
      times('a', before.map((ms) => 2 * ms)),
      times('b', before.map((ms) => 4 * ms)),
    ]); // biome-ignore format: one line each
    const comparison = compareResults(older, newer);
    expect(comparison.times?.drift).toBeCloseTo(2, 5);
    expect(comparison.times?.slower.map(({ what }) => what)).toEqual(['b: How fast?']);
    expect(comparison.times?.faster).toEqual([]);
    const text = comparisonText(comparison, older);
    expect(text).toContain('SLOWER 2.00 times  b: How fast?: 10.0 ms → 20.0 ms');
    expect(text).toContain('2.00 times slower this time, which is taken out');
  });

  it('calls it ours when all of ours got faster, and nobody else', () => {
    const before = [10, 10.1, 9.9, 10, 10.2];
    const named = (factor: number) =>
      run(
        [],
        [
          times('idiomatic JS', before),
          ...['a', 'b', 'c'].map((name) =>
            times(
              name,
              before.map((ms) => ms / factor),
            ),
          ),
        ],
      );
    const { times: judged } = compareResults(named(1), named(1.5));
    expect(judged?.drift).toBe(1);
    expect(judged?.faster).toHaveLength(3);
  });

  it('compares cells, peers and growth too', () => {
    const cell = (ms: number) => {
      const timing = (name: string) => times(name, [ms, ms, ms, ms, ms]);
      const base = { rows: 4, cols: 2, epochs: 3, mistakes: 1, chosen: 2, data: 'endless' as const };
      const results = run([]);
      const contenders = [{ name: 'x', kind: 'ours' as const, otherAlgorithm: false, timing: timing('x') }];
      results.questions[0] = {
        ...(results.questions[0] as Results['questions'][number]),
        cells: [{ ...base, primal: timing('primal'), dual: timing('dual') }],
        tasks: [{ what: 'task', rule: 'rule', contenders, skipped: [] }],
        growth: [
          {
            what: 'fit',
            of: 'N',
            at: 'd = 1',
            points: [{ x: 1, timing: timing('fit') }],
            exponent: 1,
            margin: 0,
            expected: 1,
          },
        ],
      };
      return results;
    };
    expect(compareResults(cell(1), cell(2)).times?.slower).toHaveLength(4);
  });

  it('does not judge what was measured while somebody else had the processors', () => {
    const results = (ratio: number, pace: number[]) => {
      const one = run([answer('a', [ratio, ratio, ratio])]);
      one.questions.push({ name: 'other', question: 'Calm?', seconds: 1, answers: [], pace: [100, 100] });
      (one.questions[0] as Results['questions'][number]).pace = pace;
      return one;
    };
    expect(compareResults(results(1, [100, 99]), results(3, [100, 99])).ratios.faster).toHaveLength(1);
    const { ratios } = compareResults(results(1, [100, 99]), results(3, [100, 40]));
    expect([ratios.faster.length, ratios.unjudged]).toEqual([0, 1]);
  });

  const before = [10, 10.1, 9.9, 10, 10.2];
  const scaled = (name: string, factor: number) =>
    times(
      name,
      before.map((ms) => factor * ms),
    );

  it('asks no disturbed question how fast the machine was', () => {
    const results = (calm: number, slowed: number, pace: number[]) => {
      const one = run([], [scaled('idiomatic JS', calm), scaled('a', 1)]);
      const [calmest] = one.questions as [Results['questions'][number]];
      calmest.pace = [100, 100];
      const timings = ['x', 'y', 'z'].map((name) => scaled(`idiomatic JS, ${name}`, slowed));
      one.questions.push({ name: 'slowed', question: 'Slow?', seconds: 1, answers: [], timings, pace });
      return one;
    };
    // Three times of the disturbed question say three, the one of the other says one.
    const { times: judged } = compareResults(results(1, 1, [100, 100]), results(1, 3, [100, 40]));
    expect(judged?.drift).toBe(1);
    expect([judged?.faster, judged?.slower]).toEqual([[], []]);
    expect(compareResults(results(1, 3, [100, 40]), results(1, 1, [100, 100])).times?.drift).toBe(1);
  });

  it('does not say how fast the machine was where nobody else was timed', () => {
    const older = run([], [scaled('a', 1)]);
    const comparison = compareResults(older, run([], [scaled('a', 2)]));
    expect(comparison.times).not.toHaveProperty('drift');
    expect(comparison.times?.slower).toHaveLength(1);
    const text = comparisonText(comparison, older);
    expect(text).toContain('How fast the machine itself was cannot be told');
    expect(text).not.toContain('as fast as before');
  });

  it('takes every baseline for code that is not ours', () => {
    const named = (factor: number) => run([], [scaled('idiomatic JS, averaged', factor), scaled('a', 1)]);
    const { times: judged } = compareResults(named(1), named(2));
    expect(judged?.drift).toBeCloseTo(2, 9);
    expect(judged?.judged).toBe(1);
  });

  it('compares no ratio to the best of several sizes, which may be another one', () => {
    const best = (ratio: number) => run([answer('Gram', [ratio, ratio, ratio], { against: BEST_SIZE })]);
    expect(compareResults(best(1), best(0.5)).ratios).toMatchObject({ judged: 0, slower: [] });
  });

  it('does not divide by nothing', () => {
    const cost = (ratio: number) => run([answer('a call', [0, ratio, 9], { lowerIsBetter: true })]);
    expect(compareResults(cost(0), cost(5)).ratios).toMatchObject({ judged: 0, unjudged: 1, slower: [] });
    expect(compareResults(cost(5), cost(0)).ratios).toMatchObject({ judged: 0, unjudged: 1, faster: [] });
  });

  it('tells how many would differ by chance, and that a second run is needed', () => {
    const many = (ratio: number) =>
      run(Array.from({ length: 63 }, (_, i) => answer(`case ${i}`, [ratio, ratio, ratio])));
    const text = comparisonText(compareResults(many(1), many(2)), many(1));
    expect(text).toContain('63 of 63 ratios better beyond noise, 0 worse. By chance alone about 0.5 would differ.');
    expect(text).toContain('A second run tells chance from change');
    expect(comparisonText(compareResults(many(1), many(1)), many(1))).not.toContain('A second run');
  });

  it('compares no times of different machines or modes, and says why', () => {
    const older = run([], [times('a', [1, 1])]);
    const other = { ...older, machine: { ...older.machine, cpu: 'B' } };
    expect(compareResults(older, other)).toMatchObject({ apart: 'cpu was A and is B' });
    expect(comparisonText(compareResults(older, { ...older, mode: 'full' }), older)).toContain(
      'Times are not compared: the old run was quick, the new one full.',
    );
  });
});
