// Whether somebody else had the processors: told by what the machine reads from its nearest cache around a question.

import { expect, test } from 'vitest';
import { disturbed, paceNow } from '../../bench/harness/pace.js';

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
