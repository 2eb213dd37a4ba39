import { expect, test } from 'vitest';
import { NumberQueue } from '../../src/prepare/numberqueue.js';

test('gives back what was pushed, in order, over many pieces', () => {
  const queue = new NumberQueue();
  const count = 3 * 2 ** 14 + 5;
  const numberAt = (k: number) => Math.imul(k, 0x9e3779b1) >>> 0;
  for (let k = 0; k < count; k++) queue.push(numberAt(k));
  let wrong = 0;
  for (let k = 0; k < count; k++) if (queue.take() !== numberAt(k)) wrong++;
  expect(wrong).toBe(0);
});

test('may be read while it is filled', () => {
  const queue = new NumberQueue();
  const taken: number[] = [];
  for (let k = 0; k < 2 ** 15; k++) {
    queue.push(k);
    if (k % 2 === 1) taken.push(queue.take(), queue.take());
  }
  expect(taken).toEqual(Array.from({ length: 2 ** 15 }, (_, k) => k));
});
