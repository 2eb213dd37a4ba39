// A CSV file of 100 MB is read, trained on and answered, and the page does not freeze: its timer ticks on meanwhile.

import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser } from '../browser/chromium.js';
import { useSite } from './site.js';

const site = useSite();
const COLUMNS = 10;
const BYTES = 100e6;
/** For either half on a slow machine, or one that has other work. */
const PATIENCE_MS = 60_000;
let folder = '';
let rows = 0;

/** Blocks of about a megabyte, the same over and over: what takes time is how many bytes there are, not which. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'your-data-large-'));
  let state = 12345;
  const random = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  };
  const lines = Array.from({ length: 10_000 }, () => {
    const values = Array.from({ length: COLUMNS }, random);
    const score = values.reduce((sum, value, k) => sum + (k % 2 === 0 ? value : -value), 0.2);
    return `${values.map((value) => value.toFixed(6)).join(',')},${score > 0 ? 'yes' : 'no'}\n`;
  });
  const block = Buffer.from(lines.join(''));
  const names = `${Array.from({ length: COLUMNS }, (_, k) => `x${k}`).join(',')},answer\n`;
  const file = openSync(join(folder, 'large.csv'), 'w');
  let size = writeSync(file, names);
  for (; size < BYTES; rows += lines.length) size += writeSync(file, block);
  closeSync(file);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.runIf(hasBrowser)('100 MB', () => {
  test('can be left unread: cancelled, what was there before is there', async () => {
    const page = await site.open('#/data');
    await page.getByRole('button', { name: /Fruit/ }).click();
    await page.locator('.data-summary').waitFor();
    // Clicked from inside, as soon as there is something to be seen of it: it may be read before anybody outside is told.
    await page.evaluate(() => {
      const slot = document.querySelector('main') as Element;
      const seen = new MutationObserver(() => {
        const bar = slot.querySelector('.data-progress');
        if (!bar || !/MB of 1\d\d MB · [\d,]+ rows/.test(bar.textContent ?? '')) return;
        seen.disconnect();
        const cancel = bar.querySelector('button');
        cancel?.focus();
        cancel?.click();
      });
      seen.observe(slot, { childList: true, subtree: true, characterData: true });
    });
    await page.locator('.data-choose input[type=file]').setInputFiles(join(folder, 'large.csv'));
    await expect.poll(() => page.locator('#spoken').textContent(), { timeout: PATIENCE_MS }).toBe('Cancelled.');
    await page.locator('.data-progress').waitFor({ state: 'detached' });
    // The button that had the focus is gone with what it ended.
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('data-read');
    expect(await page.locator('.data-summary h2').textContent()).toBe('fruit.csv');
    await page.getByRole('button', { name: 'Train' }).click();
    await page.locator('.data-results').waitFor();
  });

  test('are trained on, and answered, without freezing the page', { timeout: 4 * PATIENCE_MS }, async () => {
    const page = await site.open('#/data?epochs=5');
    await page.evaluate(() => {
      const seen = { ticks: 0 };
      Object.assign(globalThis, { seen });
      setInterval(() => seen.ticks++, 10);
    });
    /** How often the page's timer has ticked when an element is there, as the page itself sees it. */
    const ticksUntil = (selector: string) =>
      page.evaluate(
        (wanted) =>
          new Promise<number>((resolve) => {
            const { seen } = globalThis as unknown as { seen: { ticks: number } };
            seen.ticks = 0;
            const observer = new MutationObserver(() => {
              if (!document.querySelector(wanted)) return;
              observer.disconnect();
              resolve(seen.ticks);
            });
            observer.observe(document.body, { childList: true, subtree: true });
          }),
        selector,
      );
    const reading = ticksUntil('.data-summary');
    await page.locator('.data-choose input[type=file]').setInputFiles(join(folder, 'large.csv'));
    expect(await reading).toBeGreaterThan(10);
    expect(await page.locator('.data-shape').textContent()).toContain(`${rows.toLocaleString('en')} rows · 10 columns`);
    const training = ticksUntil('.data-results');
    await page.getByRole('button', { name: 'Train' }).click();
    expect(await training).toBeGreaterThan(10);
    // And answered, as a file of questions.
    const answering = ticksUntil('.data-answers');
    await page.locator('.data-another input[type=file]').setInputFiles(join(folder, 'large.csv'));
    expect(await answering).toBeGreaterThan(10);
    expect(await page.locator('.data-answers').innerText()).toContain(
      `${rows.toLocaleString('en')} answers for large.csv`,
    );
  });
});
