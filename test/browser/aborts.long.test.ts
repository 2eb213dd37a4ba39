// What is stopped in a page ends, with the signal's reason or with what it has.

import { beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser } from './chromium.js';
import { inEachPage, usePages } from './page.js';

const pages = usePages();

inEachPage(pages, (opened, threads) => {
  test('an abort ends a fit with the signal’s reason, whenever it comes', async () => {
    const { run } = opened();
    for (const ticks of [0, 1, 5, 30])
      expect(await run('abort', { threads }, ticks)).toEqual({ error: 'Error: enough' });
    for (const job of ['dual', 'gram'] as const) {
      for (const ticks of [0, 3]) {
        const { error = 'Error: enough' } = await run('abort', { threads }, ticks, job); // or it was done before
        expect(error).toBe('Error: enough');
      }
    }
  });

  test('with keepPartial an abort ends a fit with what it has', async () => {
    const kept = await opened().run('abort', { threads, keepPartial: true }, 0);
    expect(kept).toMatchObject({ stopReason: 'aborted' });
    expect(kept.epochs).toBeGreaterThan(0);
  });
});

describe.runIf(hasBrowser)('a worker that never starts', () => {
  beforeAll(() => {
    pages.files.set('/silent.js', 'self.onmessage = () => {};');
  });

  test.each(['/silent.js', '/dist/worker.js?wait=3000'])(
    'does not keep an abort from ending the fit: %s',
    async (workerUrl) => {
      const { page, run } = await pages.open('isolated');
      expect(await run('abort', { threads: 2, workerUrl }, 30)).toEqual({ error: 'Error: enough' });
      await page.close();
    },
  );
});
