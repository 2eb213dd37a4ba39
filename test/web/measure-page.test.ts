// Measure as a person uses it, in Chromium.

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { Measurement } from '../../web/src/measure/results.js';
import { hasBrowser } from '../browser/chromium.js';
import { someOf } from '../effort.js';
import { headline, measured, rowsOf, start } from './measurepage.js';
import { accessibilityFaults, overflow, useSite } from './site.js';

const site = useSite();

const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

describe.runIf(hasBrowser)('Measure', () => {
  test('measures by keyboard, says the answer, and gives it away as Markdown and as JSON', async () => {
    const page = await site.open('#/measure', { permissions: ['clipboard-read', 'clipboard-write'] });
    // Threads are measured where there is more than one processor, which not every machine has.
    await page.addInitScript(() => Object.defineProperty(navigator, 'hardwareConcurrency', { get: () => 4 }));
    await page.goto(page.url().replace(/#.*/, '?two#/measure?size=tiny'));
    await start(page).focus();
    await page.keyboard.press('Enter');
    await headline(page).waitFor();
    expect(await headline(page).innerText()).toMatch(/^In this browser WebAssembly trains .*plain JavaScript/);
    expect(await page.locator('#spoken').textContent()).toContain(await headline(page).innerText());
    const rows = await rowsOf(page);
    expect(rows.map(([what]) => what)).toContain('Training: WebAssembly with SIMD');
    expect(rows.map(([what]) => what).join('\n')).toMatch(/Gram matrix, large: \d+ threads/);
    expect(rows.flat().join(' ')).not.toMatch(/NaN|Infinity|undefined/);

    await page.getByRole('button', { name: 'Copy as JSON' }).click();
    await page.getByText('Copied.', { exact: true }).first().waitFor();
    const found = JSON.parse(await clipboard(page)) as Measurement;
    expect(found.format).toBe('perceptron-wasm page measurement 1');
    expect(found.engines).toEqual(['wasm-simd', 'wasm-scalar', 'js']);
    expect(found.machine.isIsolated).toBe(true);
    const timings = found.findings.flatMap((finding) => finding.timings);
    expect(timings).toHaveLength(rows.length);
    for (const { ms, ratio } of timings) {
      expect(Number.isFinite(ms) && ms > 0).toBe(true);
      expect(ratio.low).toBeLessThanOrEqual(ratio.median);
      expect(ratio.median).toBeLessThanOrEqual(ratio.high);
      expect(ratio.low > 0 && Number.isFinite(ratio.high)).toBe(true);
    }

    await page.getByRole('button', { name: 'Copy as Markdown' }).click();
    await page.waitForFunction(async () => (await navigator.clipboard.readText()).includes('|---'));
    const lines = (await clipboard(page)).split('\n').filter((line) => line.startsWith('|'));
    expect(lines).toHaveLength(2 + rows.length);
    expect(lines[2]).toContain(rows[0]?.[0]);
    expect(await page.locator('#spoken').textContent()).toMatch(/^Copied/);
  });

  const looks = [
    { width: 'phone', colorScheme: 'dark' },
    { width: 'desktop', colorScheme: 'light' },
  ] as const;
  test.each(someOf(looks, looks.slice(0, 1)))(
    '$width, $colorScheme: anybody can read the results, as pictures and as tables',
    async ({ width, colorScheme }) => {
      const page = await measured(site, { width, colorScheme });
      await page.locator('.chart-bar').first().waitFor();
      for (const chart of await page.locator('figure.chart').all()) {
        await chart.getByText('As a table').click();
        const names = await chart.locator('.chart-value').count();
        expect(names).toBeGreaterThan(0);
        await expect.poll(() => chart.locator('tbody tr').count()).toBe(names);
      }
      expect(await accessibilityFaults(page)).toEqual([]);
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      expect(await page.locator('svg').evaluateAll((all) => all.map((one) => one.outerHTML).join())).not.toMatch(
        /NaN|Infinity/,
      );
    },
  );
});
