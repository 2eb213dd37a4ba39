// What may be typed after npm run bench --, and what is said where it may not.

import { describe, expect, it } from 'vitest';
import { benchArguments, USAGE } from '../../bench/harness/arguments.js';
import { QUESTIONS } from '../../bench/harness/questions.js';

const names = (args: string[]): string[] => benchArguments(args).questions.map(({ name }) => name);

describe('the arguments of npm run bench', () => {
  it('are the short version by default, which asks for nothing special', () => {
    const { mode, all, json, compare, questions } = benchArguments([]);
    expect({ mode, all, json, compare }).toEqual({ mode: 'quick', all: true, json: false, compare: undefined });
    expect(questions.length).toBeGreaterThan(8);
  });

  it('choose a mode, of which the longer has every question of the shorter', () => {
    expect(benchArguments(['--full']).mode).toBe('full');
    expect(benchArguments(['--smoke']).mode).toBe('smoke');
    expect(names(['--full'])).toEqual(expect.arrayContaining(names([])));
    // To see that everything runs, full size or not.
    expect(names(['--smoke'])).toEqual(names(['--full']));
  });

  it('choose questions by a pattern, those on request too', () => {
    expect(names(['--only', 'scan|GRAM'])).toEqual(['limits', 'scan', 'gram']);
    expect(names(['--only', 'limits'])).toEqual(['limits']);
    expect(names(['--only', 'bigfile'])).toEqual(['limits', 'bigfile']);
    expect(names(['--full', '--only', '.'])).toEqual(names(['--full']));
    expect(names(['--full'])).not.toContain('bigfile');
    expect(benchArguments(['--only', 'scan']).all).toBe(false);
    expect(benchArguments(['--only', '.']).all).toBe(true);
  });

  it.each([
    [['--fast'], "Unknown option '--fast'; npm run bench -- --help tells what there is"],
    [['scan'], /Unexpected argument 'scan'.*--help/],
    [['--only'], /--only/],
    [['--only', 'nothing'], /fits no question; there are limits, /],
    [['--only', '('], /is no pattern/],
    [['--full', '--smoke'], /which of the two/],
    [['--results', 'old.json', '--full'], /measures nothing/],
  ])('%j is refused with a sentence', (args, message) => {
    expect(() => benchArguments(args)).toThrow(message);
  });

  it('are explained with the names of all questions', () => {
    for (const { name } of QUESTIONS) expect(USAGE).toContain(name);
  });
});
