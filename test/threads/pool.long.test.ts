// Workers that start while their caller is busy.

import { afterAll, expect, test } from 'vitest';
import { createEngine, Perceptron, stopThreads } from '../../src/index.js';
import { leavesNothing, xor, xorLabels } from './helpers.js';

leavesNothing();
afterAll(stopThreads);

test('a worker that has answered is not given up because its caller was busy', async () => {
  const fit = new Perceptron<number>({ engine: createEngine(), maxEpochs: 9 }).fitAsync(xor, xorLabels, { threads: 2 });
  // Longer than a worker may take: what it says meanwhile waits in the queue.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 12_000);
  const { report } = await fit;
  expect(report.threadsReason).toBe(undefined);
});
