// What is stopped in a page ends soon.

import { beforeAll, describe, expect, test } from 'vitest';
import { stolen } from '../clock.js';
import { hasBrowser } from './chromium.js';
import type { abort } from './inside.js';
import { inEachPage, type Opened, usePages } from './page.js';

const pages = usePages();
const deadline = { timeout: 20_000 };

/** How long it took, less what the machine's host took meanwhile; once more where it took long. */
async function aborted(run: Opened['run'], ...how: Parameters<typeof abort> extends [unknown, ...infer A] ? A : never) {
  const measured = async () => {
    const before = stolen();
    const outcome = await run('abort', ...how);
    return { ...outcome, ms: outcome.ms - (stolen() - before) };
  };
  const first = await measured();
  return first.ms < 100 ? first : measured();
}

inEachPage(pages, deadline.timeout, (opened, threads) => {
  test('a fit ends within 100 ms of an abort, with the signal’s reason or with what it has', async () => {
    const { run } = opened();
    for (const afterMs of [0, 20, 100, 300]) {
      const { ms, error } = await aborted(run, { threads }, afterMs);
      expect(error).toBe('Error: enough');
      expect(ms).toBeLessThan(100);
    }
    for (const job of ['dual', 'gram'] as const) {
      for (const afterMs of [0, 20]) {
        const { ms, error = 'Error: enough' } = await aborted(run, { threads }, afterMs, job); // or it was done before
        expect(error).toBe('Error: enough');
        expect(ms, job).toBeLessThan(100);
      }
    }
    const kept = await aborted(run, { threads, keepPartial: true }, 200);
    expect(kept).toMatchObject({ stopReason: 'aborted' });
    expect(kept.epochs).toBeGreaterThan(0);
    expect(kept.ms).toBeLessThan(100);
  });
});

describe.runIf(hasBrowser)('a worker that fails', deadline, () => {
  beforeAll(() => {
    pages.files.set('/silent.js', 'self.onmessage = () => {};');
  });

  test('to start can be aborted within 100 ms', async () => {
    const { page, run } = await pages.open('isolated');
    for (const workerUrl of ['/silent.js', '/dist/worker.js?wait=3000']) {
      const { ms, error } = await aborted(run, { threads: 2, workerUrl }, 200);
      expect(error).toBe('Error: enough');
      expect(ms, workerUrl).toBeLessThan(100);
    }
    await page.close();
  });
});
