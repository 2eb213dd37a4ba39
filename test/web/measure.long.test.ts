// Measure, more of it: cancelled, left, without headers, without WebAssembly.

import { describe, expect, test } from 'vitest';
import type { Measurement } from '../../web/src/measure/results.js';
import { hasBrowser } from '../browser/chromium.js';
import { headline, measured, rowsOf, start } from './measurepage.js';
import { accessibilityFaults, overflow, useSite } from './site.js';

const site = useSite();

describe.runIf(hasBrowser)('Measure', () => {
  test('shows the text where the clipboard is closed', async () => {
    const page = await measured(site, { width: 'phone' });
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
    const page = await measured(site, { host: 'plain' });
    expect(await page.locator('.measure-remark').first().innerText()).toMatch(
      /Not measured: threads, .*Cross-Origin-Opener-Policy: same-origin.*Cross-Origin-Embedder-Policy: require-corp/,
    );
    const names = (await rowsOf(page)).map(([what]) => what).join('\n');
    expect(names).toContain('Training: WebAssembly with SIMD');
    expect(names).not.toContain('thread');
  });

  test('where WebAssembly is forbidden says so, and measures JavaScript', async () => {
    const page = await measured(site, { host: 'withoutWasm', width: 'phone' });
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
