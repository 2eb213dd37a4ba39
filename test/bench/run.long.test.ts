// npm run bench as a person runs it, with tiny sizes: every question answers, the numbers hold together, Ctrl-C keeps
// what there is. Whether anything is fast is not asked here.

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { ratioOf } from '../../bench/harness/measure.js';
import { QUESTIONS } from '../../bench/harness/questions.js';
import { BASELINE, FORMAT, type Results, type Timing } from '../../bench/harness/results.js';
import { consistencyOf } from '../../bench/report/derive.js';
import { bench, folder, interrupt, reportIn, resultsIn } from './command.js';

const SMOKE = QUESTIONS.filter(({ seconds }) => seconds.smoke !== undefined).map(({ name }) => name);

/** Half a minute on two processors, beside other tests. */
const WHOLE_RUN_MS = 180_000;

describe('npm run bench -- --smoke --json', () => {
  let out: string;
  let told: Awaited<ReturnType<typeof bench>>;
  let results: Results;

  beforeAll(async () => {
    out = folder();
    told = await bench(['--smoke', '--json', '--out', out]);
    results = JSON.parse(told.stdout) as Results;
  }, WHOLE_RUN_MS);

  const asked = (name: string) => results.questions.filter((answered) => answered.name === name);

  it('answers every question, in order, and says where the picture is', () => {
    expect(told.stderr).toContain(`The picture: ${join(out, 'report.html')}`);
    expect(told.status).toBe(0);
    expect([...new Set(results.questions.map(({ name }) => name))]).toEqual(SMOKE);
    expect(results).toMatchObject({ format: FORMAT, mode: 'smoke', complete: true, interrupted: false });
  });

  it('writes what it prints, twice, and the report', () => {
    expect(resultsIn(out)).toEqual(results);
    const [past, ...others] = readdirSync(join(out, 'history'));
    expect(others).toEqual([]);
    expect(JSON.parse(readFileSync(join(out, 'history', past as string), 'utf8'))).toEqual(results);
    expect(reportIn(out)).toContain('</html>');
  });

  it('measures numbers that hold together', () => {
    for (const { question, answers, timings = [] } of results.questions) {
      for (const { what, ratio, low, high, rounds } of answers) {
        expect([low <= ratio, ratio <= high, low >= 0, rounds >= 1], `${question}: ${what}`).not.toContain(false);
      }
      for (const timing of timings) expect(isSound(timing), `${question}: ${timing.name}`).toBe(true);
    }
  });

  it('says ratios and times that follow from their rounds', () => {
    const { checked, odd } = consistencyOf(results, ['ratios', 'times']);
    expect(odd).toEqual([]);
    expect(checked).toBeGreaterThan(200);
  });

  it('compares with idiomatic JS by times that are there, round by round', () => {
    const answered = results.questions.flatMap((told) =>
      told.answers.filter(({ against }) => against === BASELINE).map((answer) => ({ answer, told })),
    );
    expect(answered.length).toBeGreaterThan(20);
    for (const { answer, told } of answered) {
      const timings = [
        ...(told.timings ?? []),
        ...(told.tasks ?? []).flatMap(({ contenders }) => contenders.map(({ timing }) => timing)),
      ];
      const theirs = timings.filter(({ name }) => name.startsWith(BASELINE));
      const ratios = theirs.flatMap((one) => timings.map((other) => ratioOf(one, other).byRound));
      expect(ratios, `${told.question}: ${answer.what}`).toContainEqual(answer.byRound);
    }
  });

  it('has one name for each thing it timed, and for each ratio', () => {
    for (const { name, answers } of results.questions) {
      const names = answers.map(({ what, against }) => `${what}, to ${against}`);
      expect(names, name).toEqual([...new Set(names)]);
    }
    const questions = results.questions.map(({ question }) => question);
    expect(questions).toEqual([...new Set(questions)]);
  });

  it('knows how fast the machine can read, and calculate', () => {
    const [{ limits, notes } = {}] = asked('limits');
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

  it('has an exponent for everything that grows', () => {
    const growth = asked('growth').flatMap((answered) => answered.growth ?? []);
    const kinds = growth.map(({ of, expected }) => `${of} ${expected}`);
    expect(kinds.join()).toBe('N 1,d 1,N 2,d 1,non-zeros 1,non-zeros 1,N 1,N 2');
    for (const { points, exponent, margin } of growth) {
      expect(points.length).toBeGreaterThanOrEqual(3);
      for (const { x, timing } of points) expect(x > 0 && isSound(timing)).toBe(true);
      expect(Number.isFinite(exponent)).toBe(true);
      expect(margin).toBeGreaterThanOrEqual(0);
    }
  });

  it('has both forms at every place of the grid', () => {
    const cells = asked('crossover').flatMap((answered) => answered.cells ?? []);
    expect(cells.filter(({ data }) => data === 'endless').length).toBe(12);
    const separable = cells.filter(({ data }) => data === 'separable');
    expect(separable.map(({ margin }) => margin)).toEqual([4, 2, 1]);
    expect(separable.map(({ epochs }) => epochs)).toEqual(separable.map(({ epochs }) => epochs).sort((a, b) => a - b));
    for (const { primal, dual, epochs, mistakes, chosen } of cells) {
      expect(isSound(primal) && isSound(dual)).toBe(true);
      expect(primal.rounds.length).toBe(dual.rounds.length);
      expect(epochs).toBeGreaterThanOrEqual(1);
      expect(mistakes).toBeGreaterThanOrEqual(1);
      if (chosen !== null) expect(chosen).toBeGreaterThan(0);
    }
  });

  it('tells how far chooseForm is off where the forms cross', () => {
    const [grid, , single] = asked('crossover');
    const answers = grid?.answers ?? [];
    // Only shapes that cross within the passes tried have one; tiny ones may not.
    const lines = (grid?.notes ?? []).filter((note) => /: the dual form is/.test(note));
    expect(lines).toHaveLength(2);
    expect(answers).toHaveLength(lines.filter((line) => / passes on \(/.test(line)).length);
    expect(single?.answers).toHaveLength(1);
    for (const { ratio, low, against, what } of [...answers, ...(single?.answers ?? [])]) {
      expect(low).toBeGreaterThanOrEqual(1);
      expect(ratio).toBeGreaterThanOrEqual(low);
      expect(against).toBe('off');
      expect(what).toMatch(/^chooseForm's crossover, 20 × \d+$/);
    }
  });

  it('knows what a start costs, and the memory of every way to hand rows over', () => {
    const starts = asked('startup').flatMap((told) => told.starts ?? []);
    expect(starts.map(({ engine }) => engine)).toEqual(['auto', 'js', 'auto', 'js']);
    for (const { importMs, compileMs, copyMs, trainMs, processMs } of starts) {
      const phases = [importMs, compileMs, copyMs, trainMs];
      expect(phases.every((ms) => ms >= 0)).toBe(true);
      expect(phases.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(processMs);
    }
    const [{ memory = [] } = {}] = asked('memory');
    expect(memory.length).toBe(7);
    for (const { rows, dataBytes, bytesPerSample, peakBytes } of memory) {
      expect(dataBytes).toBeGreaterThan(0);
      expect(bytesPerSample).toBeCloseTo(peakBytes / rows, 6);
    }
  });

  it('has ours in every task of the peers, and says why others are missing', () => {
    const tasks = asked('peers').flatMap((answered) => answered.tasks ?? []);
    expect(tasks.length).toBeGreaterThanOrEqual(4);
    for (const { contenders, skipped } of tasks) {
      expect(contenders.some(({ kind, timing }) => kind === 'ours' && isSound(timing))).toBe(true);
      for (const { name, why } of skipped) expect([name, why]).not.toContain('');
    }
  });

  it('says nothing that is no number', () => {
    for (const text of [told.stderr, reportIn(out)]) expect(text).not.toMatch(/\b(NaN|undefined|Infinity)\b/);
  });

  it('is compared with an earlier run, without measuring again', async () => {
    const old = folder();
    const path = join(old, 'latest.json');
    // As if scoring had been ten times as fast before, in as many rounds as it takes.
    const faster = structuredClone(results);
    const [scan] = faster.questions.filter(({ name }) => name === 'scan');
    for (const answer of scan?.answers ?? []) {
      for (const key of ['ratio', 'low', 'high'] as const) answer[key] *= 10_000;
      answer.rounds = 5;
    }
    const newer = structuredClone(results);
    for (const { answers } of newer.questions) for (const answer of answers) answer.rounds = 5;
    for (const told of [...newer.questions, ...faster.questions]) delete told.pace;
    writeFileSync(path, JSON.stringify(faster));
    writeFileSync(join(old, 'newer.json'), JSON.stringify(newer));
    const { stdout, status } = await bench(['--results', join(old, 'newer.json'), '--compare', path, '--out', old]);
    expect(status).toBe(0);
    expect(stdout).toMatch(/0 of \d+ ratios better beyond noise, [1-9]\d* worse/);
    expect(stdout).toMatch(/SLOWER .* scoring 40 × 50/);
  });
});

const isSound = ({ ms, meanMs, marginPercent, rounds, samples }: Timing): boolean =>
  [ms, meanMs, ...rounds].every((time) => time > 0 && Number.isFinite(time)) &&
  Math.min(...rounds) <= ms &&
  ms <= Math.max(...rounds) &&
  marginPercent >= 0 &&
  samples >= rounds.length;

describe('npm run bench, interrupted', () => {
  it('writes the results and the report of what is done', async () => {
    const out = folder();
    const { status, stdout } = await bench(['--smoke', '--out', out], {
      // The first question is answered, and there are many to come.
      until: { stream: 'stderr', text: /^limits: .* s left$/m },
      act: interrupt,
    });
    expect(status).toBe(130);
    expect(stdout).toContain('This run was interrupted');
    const results = resultsIn(out);
    expect(results).toMatchObject({ interrupted: true, complete: false });
    expect(results.questions.map(({ name }) => name)).toContain('limits');
    expect(reportIn(out)).toContain('nterrupted');
  });

  it('writes nothing where nothing was answered yet', async () => {
    const out = folder();
    const { status, stdout } = await bench(['--smoke', '--out', out], {
      // The machine is named before anything is asked.
      until: { stream: 'stdout', text: /, Node \d/ },
      act: interrupt,
    });
    expect(status).toBe(130);
    expect(stdout).toContain('Nothing was measured');
    expect(existsSync(join(out, 'latest.json'))).toBe(false);
  });
});

describe('npm run bench, typed wrongly', () => {
  it.each([
    [['--fast'], /^Unknown option '--fast'; npm run bench -- --help tells what there is\n$/],
    [['--compare', 'nowhere.json'], /^cannot read nowhere\.json: .*\n$/],
    [['--compare', 'package.json'], /^package\.json holds no results of this benchmark/],
  ])('%j gets a sentence before anything is measured', async (args, sentence) => {
    const { status, stdout, stderr } = await bench(args);
    expect(stderr).toMatch(sentence);
    expect([status, stdout]).toEqual([1, '']);
  });

  it('explains itself', async () => {
    const { status, stdout } = await bench(['--help']);
    expect(status).toBe(0);
    expect(stdout).toContain('--compare OLD.json');
  });

  it('refuses a file that is no JSON', async () => {
    const path = join(folder(), 'half.json');
    writeFileSync(path, '{"format": ');
    expect((await bench(['--results', path])).stderr).toMatch(/^cannot read .*half\.json: /);
  });
});
