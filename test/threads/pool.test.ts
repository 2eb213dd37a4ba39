// The pool: workers that start while their caller is busy, that are lost in the middle of a call, and what is told of those at work.

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test, vi } from 'vitest';
import { createEngine, MulticlassPerceptron, Perceptron, stopThreads } from '../../src/index.js';
import { poolsNow, Thread, threadsOf } from '../../src/worker/pool.js';
import type { Sweep, Swept } from '../../src/worker/protocol.js';
import { forever, noisy } from './endless.js';
import { DEADLINE, flatRows, leavesNothing, rejection, stopper, until, xor, xorLabels } from './helpers.js';

vi.setConfig({ testTimeout: DEADLINE });

leavesNothing();
afterAll(stopThreads);

test('a worker that has answered is not given up because its caller was busy', async () => {
  const fit = new Perceptron<number>({ engine: createEngine(), maxEpochs: 9 }).fitAsync(xor, xorLabels, { threads: 2 });
  for (const end = performance.now() + 3500; performance.now() < end; ); // longer than a worker may take
  const { report } = await fit;
  expect(report.threadsReason).toBe(undefined);
});

test('a thread that is lost while a call is under way is replaced for that call', async () => {
  await stopThreads();
  const control = stopper();
  const { signal } = control;
  const fit = rejection(new Perceptron<number>(forever).fitAsync(noisy.X, noisy.y, { threads: 3, signal }));
  await until(() => poolsNow().threads === 3 && poolsNow().busy > 0);
  await threadsOf().at(-1)!.kill(); // an idle one: mistakes are many, and one goes alone
  await until(() => poolsNow().threads === 3);
  control.abort();
  expect(await fit).toBe(signal.reason);
});

test('classes side by side: the report counts all that were at work, which are no more than were asked for', async () => {
  const { X } = flatRows({ rows: 3000, cols: 300 });
  const y = Array.from({ length: 3000 }, (_, i) => i % 9);
  const fit = (threads: number) =>
    new MulticlassPerceptron<number>({ order: 'batch', maxEpochs: 3 }).fitAsync(X, y, { threads });
  const models = [];
  for (const threads of [4, 2, 3]) models.push(await fit(threads)); // the pool has four all the time
  expect(models.map(({ report }) => report.threads)).toEqual([4, 2, 3]);
  expect(new Set(models.map((model) => JSON.stringify(model))).size).toBe(1);
});

test('few rows, very many passes: an order tells of so many that the books are soon kept', async () => {
  const ask = vi.spyOn(Thread.prototype, 'ask');
  const model = await new Perceptron<number>({ maxEpochs: 200_000 }).fitAsync(xor, xorLabels, { threads: 2 });
  const swept = await Promise.all(ask.mock.results.map(({ value }) => value as Promise<Swept | undefined>));
  const asked = ask.mock.calls.map(([message]) => message as Sweep).filter(({ form }) => form);
  ask.mockRestore();
  expect(model.report.epochs).toBe(200_000);
  expect(asked.length).toBeGreaterThan(10);
  expect(Math.max(...swept.map((one) => one?.mistakes?.length ?? 0))).toBeLessThanOrEqual(2 ** 14);
  await sleep(0);
});

test('a page’s worker that ends may write on for a while: its call is told when that is over', async () => {
  let own: { onerror?(event: { message: string }): void; terminated?: number } = {};
  vi.stubGlobal(
    'Worker',
    class {
      constructor() {
        own = this as typeof own;
      }
      postMessage() {}
      terminate() {
        own.terminated ??= performance.now();
      }
    },
  );
  try {
    const thread = new Thread({} as never, '/worker.js', () => {});
    const asked = rejection(thread.ask({ calls: [] }));
    own.onerror?.({ message: 'gone' });
    expect(thread.isEnded).toBe(true);
    expect(String(await asked)).toBe('Error: a worker thread ended: gone');
    expect(performance.now() - own.terminated!).toBeGreaterThan(90);
  } finally {
    vi.unstubAllGlobals();
  }
});
