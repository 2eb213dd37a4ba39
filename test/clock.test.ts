// The watch that the limits in milliseconds rest on: it sees what holds the thread, and only that.

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { longestHold, now } from './clock.js';

/** Keeps the thread for so long. */
function hold(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}

test('work that holds the thread is seen, before there is a promise and after', async () => {
  const early = () => {
    hold(200);
    return sleep(5);
  };
  const late = async () => {
    await sleep(5);
    hold(200);
  };
  // The host may take a part of the 200 ms.
  for (const work of [early, late]) expect(await longestHold(work)).toBeGreaterThan(60);
});

test('waiting without holding the thread is not', async () => {
  expect(await longestHold(() => sleep(200))).toBeLessThan(60);
});

test('to wait for another thread is refused while watched, and allowed again afterwards', async () => {
  const cell = new Int32Array(new SharedArrayBuffer(4));
  const waits = () => Promise.resolve().then(() => Atomics.wait(cell, 0, 0, 1));
  await expect(longestHold(waits)).rejects.toThrow('made to wait');
  expect(Atomics.wait(cell, 0, 0, 1)).toBe('timed-out');
});

test('the watch runs while we do', () => {
  const started = now();
  hold(200);
  const took = now() - started;
  expect(took).toBeLessThan(260);
  expect(took).toBeGreaterThan(40);
});
