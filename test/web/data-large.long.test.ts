// A CSV file of 100 MB is read and trained on, and the page does not freeze: no long task, and its timer goes on ticking.

import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser } from '../browser/chromium.js';
import { traced } from '../browser/tracing.js';
import { useSite } from './site.js';

const site = useSite();
const COLUMNS = 10;
const BYTES = 100e6;
/** More is felt. */
const LONGEST_MS = 100;
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

interface Seen {
  /** The longest task of the page's thread by the processor's time: what other programs do meanwhile does not count. */
  longestMs: number;
  tasks: number;
  /** Of a timer that is due every 10 ms. */
  ticks: number;
  readMs: number;
  allMs: number;
}

/** Reads and trains as a person would, with a clock that ticks beside it. */
async function watched(): Promise<Seen> {
  const page = await site.open('#/data?epochs=5');
  await page.evaluate(() => {
    const seen = { ticks: 0 };
    Object.assign(globalThis, { seen });
    setInterval(() => seen.ticks++, 10);
  });
  const { answer, busyMs } = await traced(page, async () => {
    const started = performance.now();
    await page.locator('.data-choose input[type=file]').setInputFiles(join(folder, 'large.csv'));
    await page.locator('.data-summary').waitFor({ timeout: PATIENCE_MS });
    const readMs = performance.now() - started;
    expect(await page.locator('.data-shape').textContent()).toContain(`${rows.toLocaleString('en')} rows · 10 columns`);
    await page.getByRole('button', { name: 'Train' }).click();
    await page.locator('.data-results').waitFor({ timeout: PATIENCE_MS });
    const allMs = performance.now() - started;
    await page.waitForTimeout(300); // the pictures are drawn
    const { ticks } = await page.evaluate(() => (globalThis as unknown as { seen: { ticks: number } }).seen);
    return { ticks, readMs, allMs };
  });
  await page.close();
  return { longestMs: busyMs.reduce((most, ms) => Math.max(most, ms), 0), tasks: busyMs.length, ...answer };
}

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

  test('are trained on without freezing the page', { timeout: 3 * PATIENCE_MS }, async () => {
    const seen = await watched();
    console.log(`100 MB: ${JSON.stringify(seen)}`);
    // A trace without tasks would show none that is long.
    expect(seen.tasks).toBeGreaterThan(seen.ticks);
    expect(seen.longestMs).toBeLessThan(LONGEST_MS);
    // The page had its turn all the time, also with all processors at work.
    expect(seen.ticks).toBeGreaterThan(seen.allMs / 50);
  });
});
