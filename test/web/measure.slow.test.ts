// Measure as a person uses it, in Chromium. The size is a hidden tiny one: what runs is the same, for a shorter time.

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { Measurement } from '../../web/src/measure/results.js';
import { hasBrowser } from '../browser/chromium.js';
import { accessibilityFaults, type OpenOptions, overflow, useSite } from './site.js';

const site = useSite();

const start = (page: Page) => page.getByRole('button', { name: 'Measure', exact: true });
const headline = (page: Page) => page.locator('.measure-headline');
const numbers = (page: Page) => page.getByRole('region', { name: 'Medians of the rounds' });

async function measured(options: OpenOptions = {}): Promise<Page> {
  const page = await site.open('#/measure?size=tiny', options);
  await start(page).click();
  await page.locator('.measure-headline, .trouble').waitFor();
  return page;
}

async function rowsOf(page: Page): Promise<string[][]> {
  const rows = await numbers(page).locator('tbody tr').all();
  return Promise.all(rows.map((row) => row.locator('th, td').allInnerTexts()));
}

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

  test.each([
    { width: 'phone', colorScheme: 'dark' },
    { width: 'desktop', colorScheme: 'light' },
  ] as const)(
    '$width, $colorScheme: anybody can read the results, as pictures and as tables',
    async ({ width, colorScheme }) => {
      const page = await measured({ width, colorScheme });
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

  test('shows the text where the clipboard is closed', async () => {
    const page = await measured({ width: 'phone' });
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'));
    });
    await page.getByRole('button', { name: 'Copy as JSON' }).click();
    const area = page.getByRole('textbox', { name: 'Copy as JSON: the text' });
    const { format } = JSON.parse(await area.inputValue()) as Measurement;
    expect(format).toBe('perceptron-wasm page measurement 1');
    expect(await area.evaluate((one: HTMLTextAreaElement) => one.selectionEnd - one.selectionStart)).toBeGreaterThan(
      100,
    );
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  test('can be cancelled, and begun again', async () => {
    const page = await site.open('#/measure?size=thorough');
    await start(page).click();
    await page.waitForFunction(() => (document.querySelector('progress')?.value ?? 0) > 0.05);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Cancelled. Nothing was kept.').waitFor();
    expect(await page.locator('#spoken').textContent()).toBe('Cancelled.');
    expect(await start(page).evaluate((button) => button === document.activeElement)).toBe(true);
    expect(await page.locator('progress').isVisible()).toBe(false);
    await page.evaluate(() => {
      location.hash = '#/measure?size=tiny';
    });
    await start(page).click();
    await headline(page).waitFor();
  });

  test('ends when another part is opened', async () => {
    const page = await site.open('#/measure?size=thorough');
    await start(page).click();
    await page.waitForFunction(() => (document.querySelector('progress')?.value ?? 0) > 0);
    const bar = await page.locator('progress').evaluateHandle((one: HTMLProgressElement) => one);
    await page.getByRole('link', { name: 'Your data' }).click();
    await page.locator('main.part-data').waitFor();
    // The sample under way is ended first; from then on nothing goes on.
    await expect.poll(() => bar.evaluate((one) => one.parentElement?.hidden)).toBe(true);
    const share = await bar.evaluate((one) => one.value);
    await page.waitForTimeout(500);
    expect(await bar.evaluate((one) => one.value)).toBe(share);
    expect(share).toBeLessThan(1);
    expect(await page.locator('#spoken').textContent()).not.toContain('Cancelled');
    expect(await page.locator('#spoken').textContent()).not.toContain('In this browser');
  });

  test('keeps the size in the address', async () => {
    const page = await site.open('#/measure');
    await page.getByRole('button', { name: 'Thorough' }).click();
    expect(page.url()).toMatch(/#\/measure\?size=thorough$/);
    await page.reload();
    expect(await page.getByRole('button', { name: 'Thorough' }).getAttribute('aria-pressed')).toBe('true');
    expect(await page.getByRole('button', { name: 'Quick' }).getAttribute('aria-pressed')).toBe('false');
  });

  test('without the headers says which ones threads need, and measures the rest', async () => {
    const page = await measured({ host: 'plain' });
    expect(await page.locator('.measure-remark').first().innerText()).toMatch(
      /Not measured: threads, .*Cross-Origin-Opener-Policy: same-origin.*Cross-Origin-Embedder-Policy: require-corp/,
    );
    const names = (await rowsOf(page)).map(([what]) => what).join('\n');
    expect(names).toContain('Training: WebAssembly with SIMD');
    expect(names).not.toContain('thread');
  });

  test('where WebAssembly is forbidden says so, and measures JavaScript', async () => {
    const page = await measured({ host: 'withoutWasm', width: 'phone' });
    expect(await headline(page).innerText()).toMatch(/^Without WebAssembly this library trains/);
    expect(await page.locator('.measure-remark').first().innerText()).toContain(
      'Not measured: WebAssembly, as this host forbids it',
    );
    const names = (await rowsOf(page)).map(([what]) => what);
    expect(names).toContain('Training: this library in JavaScript');
    expect(names.join('\n')).not.toContain('WebAssembly');
    expect(await overflow(page)).toBeLessThanOrEqual(0);
  });
});
