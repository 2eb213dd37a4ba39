// npm run bench as a person runs it, with tiny sizes: every question answers, the numbers hold together, Ctrl-C keeps
// what there is. Whether anything is fast is not asked here.

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { QUESTIONS } from '../../bench/harness/questions.js';
import { FORMAT, type Results, type Timing } from '../../bench/harness/results.js';
import { bench, folder, reportIn, resultsIn } from './command.js';

const SMOKE = QUESTIONS.filter(({ seconds }) => seconds.smoke !== undefined).map(({ name }) => name);

describe('npm run bench -- --smoke --json', () => {
  let out: string;
  let told: Awaited<ReturnType<typeof bench>>;
  let results: Results;

  beforeAll(async () => {
    out = folder();
    told = await bench(['--smoke', '--json', '--out', out]);
    results = JSON.parse(told.stdout) as Results;
  });

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
    expect(told.stdout).not.toMatch(/null(?!,?\n? *"|\b.*chosen)/);
    for (const { question, answers, timings = [] } of results.questions) {
      for (const { what, ratio, low, high, rounds } of answers) {
        expect([low <= ratio, ratio <= high, low >= 0, rounds >= 1], `${question}: ${what}`).not.toContain(false);
      }
      for (const timing of timings) expect(isSound(timing), `${question}: ${timing.name}`).toBe(true);
    }
  });

  it('has what every part of the report is drawn from', () => {
    for (const section of ['cells', 'tasks', 'limits', 'growth', 'starts', 'memory'] as const) {
      expect(results.questions.find((told) => told[section] !== undefined)?.[section], section).toBeTruthy();
    }
  });

  it('compares itself with an earlier run, without measuring again', async () => {
    const old = join(out, 'latest.json');
    const { stdout, status } = await bench(['--results', old, '--compare', old, '--out', folder()]);
    expect(status).toBe(0);
    expect(stdout).toMatch(/0 of \d+ ratios better beyond noise, 0 worse\./);
    expect(stdout).toMatch(/0 of \d+ times better beyond noise, 0 worse\./);
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
      during: (child) => {
        child.stderr?.on('data', (chunk) => {
          // The first question is answered: Ctrl-C reaches all processes of a terminal.
          if (/limits: .* s left/.test(String(chunk))) process.kill(-(child.pid as number), 'SIGINT');
        });
      },
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
      during: (child) => {
        child.stdout?.on('data', (chunk) => {
          if (/Node \d/.test(String(chunk))) process.kill(-(child.pid as number), 'SIGINT');
        });
      },
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
