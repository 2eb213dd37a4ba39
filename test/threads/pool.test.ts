// The pool: how long workers last, and what is told of those at work.

import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, expect, test, vi } from 'vitest';
import { defaultArena } from '../../src/engine/engine.js';
import { MulticlassPerceptron, Perceptron, stopThreads } from '../../src/index.js';
import { poolsNow, threadsOf } from '../../src/worker/pool.js';
import type { Open, Task } from '../../src/worker/protocol.js';
import { version } from '../../src/worker/source.js';
import { forever, noisy } from './endless.js';
import { busy, flatRows, leavesNothing, outcomeOf, start, until, warmUp, xor, xorLabels } from './helpers.js';

leavesNothing();
afterAll(stopThreads);

test('workers end when they have been idle for two seconds, counted from the end of the latest call', async () => {
  await stopThreads();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    await warmUp();
    expect(poolsNow().threads).toBe(2);
    vi.advanceTimersByTime(1900);
    expect(poolsNow().threads).toBe(2);
    await warmUp();
    vi.advanceTimersByTime(1900);
    expect(poolsNow().threads).toBe(2);
    vi.advanceTimersByTime(200);
    await until(() => poolsNow().threads === 0);
  } finally {
    vi.useRealTimers();
  }
});

test('classes side by side: the report counts those at work, which are no more than were asked for', async () => {
  const { X } = flatRows({ rows: 3000, cols: 300 });
  const y = Array.from({ length: 3000 }, (_, i) => i % 9);
  const fit = (threads: number) =>
    new MulticlassPerceptron<number>({ order: 'batch', maxEpochs: 3 }).fitAsync(X, y, { threads });
  const jsons = new Set<string>();
  // The pool has four all the time.
  for (const threads of [4, 2, 3]) {
    const model = await fit(threads);
    jsons.add(JSON.stringify(model));
    expect(model.report.threads).toBeGreaterThan(1);
    expect(model.report.threads).toBeLessThanOrEqual(threads);
  }
  expect(jsons.size).toBe(1);
});

test('few rows, very many epochs: the history is that of fit', async () => {
  const make = () => new Perceptron<number>({ maxEpochs: 200_000 });
  const model = await make().fitAsync(xor, xorLabels, { threads: 2 });
  expect(model.report.epochs).toBe(200_000);
  expect(outcomeOf(model) === outcomeOf(make().fit(xor, xorLabels))).toBe(true);
});

/** A worker as pages have them, which are not told when it has ended. It starts, and is at its first order for ever. */
class PageWorker {
  onmessage: ((event: { data: { value: string } }) => void) | null = null;
  postMessage(message: Open | Task): void {
    if ('module' in message) queueMicrotask(() => this.onmessage?.({ data: { value: version } }));
  }
  terminate(): void {}
}

test('in a page, what a worker may still write to when it was ended at work is held for three seconds', async () => {
  await stopThreads();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.stubGlobal('Worker', PageWorker);
  try {
    const { blocks } = defaultArena.usage;
    const fit = start((options) =>
      new Perceptron<number>(forever).fitAsync(noisy.X, noisy.y, { ...options, threads: 2 }),
    );
    await busy();
    const held = defaultArena.usage.blocks;
    expect(held).toBeGreaterThan(blocks);
    const killed = Promise.all(threadsOf().map((thread) => thread.kill()));
    fit.abort(); // nobody is in so great a hurry
    await turn();
    vi.advanceTimersByTime(2900);
    for (let turns = 0; turns < 10; turns++) await turn();
    expect([fit.end, defaultArena.usage.blocks]).toEqual([undefined, held]);
    vi.advanceTimersByTime(200);
    await Promise.all([killed, fit.ended]);
    expect(fit.end).toHaveProperty('error');
    expect(defaultArena.usage.blocks).toBe(blocks);
  } finally {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  }
});
