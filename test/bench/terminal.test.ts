// What a person sees in the terminal, of an imagined run.

import { expect, test } from 'vitest';
import { opening, shares, story, table, targets, warnings } from '../../bench/report/terminal.js';
import { fixture } from './fixture.js';

const results = fixture();
const empty = { ...fixture(), questions: [] };
const lines = (text: string) => text.split('\n');

test('the sentence, and every loss below it', () => {
  const [sentence, ...losses] = lines(opening(results));
  expect(sentence).toMatch(
    /^On this machine WASM trains [\d.]+× faster than idiomatic JavaScript \(from 0\.\d+× to [\d.]+×, \d+ cases\); the dual overtakes the primal after about 0\.33·N epochs where about one sample in ten is a mistake; we lose in \d cases:$/,
  );
  expect(losses).toHaveLength(Number(/lose in (\d)/.exec(sentence ?? '')?.[1]));
  for (const loss of losses) expect(loss).toMatch(/^ {2}SLOWER {2}.+: 0\.\d+x .+ \(0\.\d+–[\d.]+\)$/);
  expect(opening(empty)).toBe('');
});

test('what is within noise is no loss', () => {
  const run = fixture();
  for (const { answers } of run.questions) for (const answer of answers) answer.high = Math.max(answer.high, 1.5);
  const [sentence, ...others] = lines(opening(run));
  expect(sentence).toMatch(/; we lose in 2 cases; 3 more are within noise:$/);
  expect(others.filter((line) => line.startsWith('  SLOWER  '))).toHaveLength(2); // peers
  expect(others.filter((line) => line.startsWith('  within noise  '))).toHaveLength(3);
});

test('one line for each answer about the engine that a user gets', () => {
  const answers = results.questions.flatMap((told) => told.answers).filter(({ engine }) => engine === undefined);
  expect(lines(table(results))).toHaveLength(answers.length);
  expect(table(results)).toMatch(/^ {2}scoring 1000 × 1000 +6\.\d\dx idiomatic JS \([\d.]+–[\d.]+\)$/m);
  expect(table(empty)).toBe('');
});

test('targets met, and those missed by name', () => {
  const [first, ...missed] = lines(targets(results));
  expect(first).toMatch(/^\d+ of 9 targets met\.$/);
  expect(missed.length).toBe(9 - Number.parseInt(first ?? '', 10));
  for (const line of missed) expect(line).toMatch(/^ {2}MISSED {2}.*target ≥ [\d.]+x: MISSED$/);
  expect(targets(empty)).toBe('');
});

test('ours as shares of what the machine can do', () => {
  expect(shares(results)).toMatch(/scan 1000 × 1000: auto +\d+\s% of (cache|memory), [\d.]+ GB\/s/);
  expect(shares(results)).toMatch(/gram 480 × 10,000: auto +\d+\s% of its peak, [\d.]+ GFLOP\/s/);
  expect(shares(results)).not.toMatch(/idiomatic|wasm-scalar|scikit/);
  expect(shares(empty)).toBe('');
});

test('everything about one question', () => {
  const [told] = results.questions.filter(({ name }) => name === 'scan');
  const text = story({ ...told!, notes: ['a note'] });
  expect(text).toContain(`${told!.question} (2.0 s)`);
  expect(text).toContain('    a note');
  for (const { name } of told!.timings!) expect(text).toContain(`    ${name}`);
  expect(text).toMatch(/idiomatic JS +1\.90 ms, mean [\d.]+ ± [\d.]+ % {2}\(5 rounds [\d.]+–[\d.]+, 5 samples\)/);
});

test('nothing to warn of is nothing', () => {
  expect(warnings(results)).toBe('');
  expect(lines(warnings({ ...results, mode: 'smoke', interrupted: true, dirty: true }))).toHaveLength(3);
});
