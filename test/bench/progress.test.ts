// How long it will take, as it is told where there is no terminal: a line for each question.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Progress } from '../../bench/harness/progress.js';
import { QUESTIONS } from '../../bench/harness/questions.js';
import type { Results } from '../../bench/harness/results.js';
import { fixture } from './fixture.js';

const questions = [
  { name: 'one', seconds: { quick: 10, full: 100 } },
  { name: 'two', seconds: { quick: 20, full: 100 } },
  { name: 'three', seconds: { full: 100 } },
];

describe('progress', () => {
  let said: string;
  beforeEach(() => {
    said = '';
    vi.useFakeTimers({ toFake: ['performance'] });
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      said += text;
      return true;
    });
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  /** Answers a question in so many seconds; what was said of it. */
  const answer = (progress: Progress, name: string, seconds: number): string => {
    said = '';
    progress.begin(name);
    vi.advanceTimersByTime(1000 * seconds);
    progress.done();
    return said;
  };

  it('tells what a question took, and what is left by what the others are known to take', () => {
    const progress = new Progress(questions.slice(0, 2), 'quick', undefined);
    expect(answer(progress, 'one', 12.34)).toBe('one: 12.3 s, 20 s left\n');
    expect(answer(progress, 'two', 1)).toBe('two: 1.0 s\n');
  });

  it('goes by the latest run of the same mode, all parts of a question together', () => {
    const told = (name: string, seconds: number) => ({ name, question: name, seconds, answers: [] });
    const latest: Results = { ...fixture(), mode: 'quick', questions: [told('two', 31), told('two', 11)] };
    expect(answer(new Progress(questions.slice(0, 2), 'quick', latest), 'one', 1)).toContain(', 42 s left');
    expect(answer(new Progress(questions.slice(0, 2), 'full', latest), 'one', 1)).toContain(', 1 min 40 s left');
  });

  it('takes the full time of a question that its mode does not put', () => {
    expect(answer(new Progress(questions, 'quick', undefined), 'two', 1)).toContain('1 min 50 s left');
  });

  it('is printed line by line where there is no bar', () => {
    const lines: string[] = [];
    new Progress(questions, 'quick', undefined).print('a story', (text) => lines.push(text));
    expect(lines).toEqual(['a story']);
    expect(said).toBe('');
  });
});

describe('the questions', () => {
  const sum = (mode: 'smoke' | 'quick') => QUESTIONS.reduce((total, { seconds }) => total + (seconds[mode] ?? 0), 0);

  it('of quick mode are answered in under a minute, with some to spare', () => {
    expect(sum('quick')).toBeLessThanOrEqual(55);
    expect(sum('quick')).toBeGreaterThan(30);
  });

  it('have a file each', async () => {
    const { existsSync } = await import('node:fs');
    for (const { name } of QUESTIONS) {
      expect(existsSync(new URL(`../../bench/questions/${name}.ts`, import.meta.url)), name).toBe(true);
    }
  });
});
