// How much each part loads, to open and to be used.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { hasBrowser } from '../browser/chromium.js';
import { useSite } from './site.js';

const site = useSite();
const folder = resolve(import.meta.dirname, '../../web/dist');

describe.runIf(hasBrowser)('the page', () => {
  /** What was loaded so far, packed as hosts do it; the example's data, which are the user's choice, apart. */
  function loaded(): { total: number; each: string } {
    const files = [...site.asked].filter((file) => !file.startsWith('examples/'));
    const sizes = files.map((file) => [file, gzipSync(readFileSync(resolve(folder, file))).length] as const);
    const total = sizes.reduce((sum, [, bytes]) => sum + bytes, 0);
    return { total, each: sizes.map(([file, bytes]) => `${file}: ${bytes}`).join('\n') };
  }

  test.each(['learn', 'data', 'measure'])('%s opens with under 100 KB, from its own files', async (part) => {
    const page = await site.open(`#/${part}`);
    await page.waitForLoadState('networkidle');
    const { total, each } = loaded();
    expect(total, each).toBeLessThan(100_000);
    expect(total).toBeGreaterThan(10_000);
  });

  // The numbers of docs/playground.md. What reads and trains comes with the first file, workers and threads included.
  test.each([
    ['learn', 110_000],
    ['data', 180_000],
    ['measure', 95_000],
  ] as const)('%s, opened and used once, has loaded less than %i bytes', async (part, limit) => {
    const page = await site.open(part === 'measure' ? '#/measure?size=tiny' : `#/${part}`);
    if (part === 'learn') {
      await page.getByRole('button', { name: 'Step', exact: true }).click();
      await page.locator('.drawer > summary').click();
      await page.getByLabel('Border').waitFor();
    } else if (part === 'data') {
      await page.getByRole('button', { name: /Flowers/ }).click();
      await page.locator('.data-summary').waitFor();
      await page.getByRole('button', { name: 'Train' }).click();
      await page.locator('.data-results').waitFor();
    } else {
      await page.getByRole('button', { name: 'Measure', exact: true }).click();
      await page.locator('.measure-headline').waitFor();
    }
    await page.waitForLoadState('networkidle');
    const { total, each } = loaded();
    expect(total, each).toBeLessThan(limit);
  });
});
