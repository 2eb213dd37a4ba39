// A CSV file of 100 MB is read and trained on, and the page does not freeze: no long task, and its timers go on ticking.

import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser } from '../browser/chromium.js';
import { useSite } from './site.js';

const site = useSite();
const COLUMNS = 10;
const BYTES = 100e6;
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
  /** The longest task of the page's thread, and the longest time between two ticks of a timer, in ms. */
  longest: number;
  gap: number;
  ticks: number;
  readMs: number;
  allMs: number;
}

/** Reads and trains as a person would, with a clock that ticks every 10 ms beside it. */
async function watched(): Promise<Seen> {
  const page = await site.open('#/data?epochs=5');
  await page.evaluate(() => {
    const seen = { longest: 0, gap: 0, ticks: 0 };
    Object.assign(globalThis, { seen });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) seen.longest = Math.max(seen.longest, duration);
    }).observe({ entryTypes: ['longtask'] });
    let last = performance.now();
    setInterval(() => {
      const now = performance.now();
      seen.gap = Math.max(seen.gap, now - last);
      seen.ticks++;
      last = now;
    }, 10);
  });
  const started = performance.now();
  await page.locator('.data-choose input[type=file]').setInputFiles(join(folder, 'large.csv'));
  await page.locator('.data-summary').waitFor({ timeout: 40_000 });
  const readMs = performance.now() - started;
  expect(await page.locator('.data-shape').textContent()).toContain(`${rows.toLocaleString('en')} rows · 10 columns`);
  await page.getByRole('button', { name: 'Train' }).click();
  await page.locator('.data-results').waitFor({ timeout: 40_000 });
  const allMs = performance.now() - started;
  await page.waitForTimeout(300); // the pictures are drawn
  const seen = await page.evaluate(() => (globalThis as unknown as { seen: Seen }).seen);
  await page.close();
  return { ...seen, readMs, allMs };
}

const isSmooth = ({ longest, gap, ticks, allMs }: Seen): boolean => longest < 200 && gap < 200 && ticks > allMs / 50;

describe.runIf(hasBrowser)('100 MB', () => {
  test('can be left unread: cancelled, what was there before is there', async () => {
    const page = await site.open('#/data');
    await page.getByRole('button', { name: /Fruit/ }).click();
    await page.locator('.data-summary').waitFor();
    await page.locator('.data-choose input[type=file]').setInputFiles(join(folder, 'large.csv'));
    await page.getByText(/MB of 1\d\d MB · [\d,]+ rows/).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.locator('.data-progress').waitFor({ state: 'detached' });
    expect(await page.locator('.data-summary h2').textContent()).toBe('fruit.csv');
    await page.getByRole('button', { name: 'Train' }).click();
    await page.locator('.data-results').waitFor();
  });

  test('are trained on without freezing the page', async () => {
    // A busy machine makes anybody late: what the page can do, it does in one of three tries.
    const tries: Seen[] = [];
    while (tries.length < 3 && !tries.some(isSmooth)) tries.push(await watched());
    console.log(`100 MB: ${JSON.stringify(tries.at(-1))}`);
    expect(tries.some(isSmooth), JSON.stringify(tries)).toBe(true);
  });
});
