// Progress bars: what is said of the time left.

import { expect, test } from 'vitest';
import { remaining } from '../../src/cli/progress.js';

test('the time left is not said before it can be known: no progress, none for a second, or no total', () => {
  expect(remaining(0, 10, 5000, false)).toBe('');
  expect(remaining(1, 10, 999, false)).toBe('');
  expect(remaining(1, Infinity, 5000, false)).toBe('');
  expect(remaining(2, 8, 5000, false)).toBe(' | 20 s left');
  expect(remaining(2, 8, 5000, true)).toBe(' | at most 20 s left');
});
