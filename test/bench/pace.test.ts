// Whether the machine was as fast as it can be: told by what the machine reads from its nearest cache around a question.

import { expect, test } from 'vitest';
import { disturbed, paceNow, stolenSeconds } from '../../bench/harness/pace.js';

test('a machine has a pace', () => {
  expect(paceNow()).toBeGreaterThan(0.1);
});

test('questions at less than three quarters of the best were disturbed, before or after', () => {
  const questions = [
    { name: 'calm', pace: [98, 100] },
    { name: 'before', pace: [50, 100] },
    { name: 'after', pace: [99, 40] },
    { name: 'after', pace: [99, 40] },
    { name: 'a little', pace: [80, 90] },
    { name: 'unknown' },
  ];
  expect(disturbed(questions)).toEqual([
    { name: 'before', share: 0.5 },
    { name: 'after', share: 0.4 },
  ]);
  expect(disturbed([])).toEqual([]);
});

test('a moment in which the machine was faster than ever does not make all others disturbed', () => {
  const questions = Array.from({ length: 20 }, (_, i) => ({ name: `question ${i}`, pace: [100, i === 7 ? 150 : 99] }));
  expect(disturbed(questions)).toEqual([]);
});

test('the time that was stolen is the eighth number of the first line, in hundredths of a second', () => {
  expect(stolenSeconds(() => 'cpu  1 2 3 4 5 6 7 850 9 10\ncpu0 1 2 3 4 5 6 7 8 9 10\n')).toBe(8.5);
  expect(stolenSeconds(() => 'cpu  1 2 3\n')).toBeUndefined();
  expect(
    stolenSeconds(() => {
      throw new Error('no such file');
    }),
  ).toBeUndefined();
});
