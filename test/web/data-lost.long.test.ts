// Your data when something fails that is nobody's fault: the worker dies, a file of the page is gone.

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { hasBrowser } from '../browser/chromium.js';
import { choose, download, example, spoken, train } from './datapage.js';
import { accessibilityFaults, useSite } from './site.js';

const site = useSite();

/** The page's worker: the first, as threads are started by it. */
const workerOf = (page: Page) => {
  const [first] = page.workers();
  if (!first) throw new Error('the page has no worker');
  return first;
};

describe.runIf(hasBrowser)('a worker that is gone', () => {
  test.each<[how: string, end: string]>([
    ['ended without a word', 'setTimeout(() => self.close())'],
    ['ended by an error', 'setTimeout(() => { throw new Error("out of luck") })'],
  ])('%s: the file is read again, and the model is to be trained again', async (_, end) => {
    const page = await site.open('#/data', { acceptDownloads: true });
    await choose(page, example('moons.csv'));
    await page.locator('.data-summary').waitFor();
    await train(page);
    await page.locator('.data-results').waitFor();
    const model = await download(page);
    await workerOf(page).evaluate(end);
    const box = page.locator('.trouble');
    await box.waitFor();
    expect(await box.innerText()).toContain('moons.csv is read again. The model is lost');
    expect(await box.innerText()).not.toContain('still here');
    await page.locator('.data-summary', { hasText: '400 rows' }).waitFor();
    expect(await page.locator('.data-results').count()).toBe(0);
    expect(await accessibilityFaults(page)).toEqual([]);
    await train(page);
    await page.locator('.data-results').waitFor();
    expect(await page.locator('.trouble').count()).toBe(0);
    expect(await download(page)).toBe(model);
  });

  test('while it trains: said so, and it can be trained again', async () => {
    const page = await site.open('#/data?epochs=900000000');
    await choose(page, example('moons.csv'));
    await page.locator('.data-summary').waitFor();
    await train(page);
    await page.getByText(/Epoch [\d,]+ of/).waitFor();
    await workerOf(page).evaluate('setTimeout(() => { throw new Error("out of luck") })');
    await page.locator('.trouble', { hasText: 'out of luck' }).waitFor();
    await page.locator('.data-summary').waitFor();
    expect(await page.locator('.data-progress').count()).toBe(0);
    await page.getByRole('button', { name: 'Train' }).waitFor();
  });
});

describe.runIf(hasBrowser)('a file of the page that is gone', () => {
  test('what draws the results: said so, with what to do', async () => {
    const page = await site.open('#/data', { expected: ['404', 'Failed to load resource'] });
    await choose(page, example('moons.csv'));
    await page.locator('.data-summary').waitFor();
    await page.route(/\.js$/, (route) => route.fulfill({ status: 404, body: 'gone' }));
    await train(page);
    const box = page.locator('.trouble');
    await box.waitFor();
    expect(await box.innerText()).toMatch(/could not be loaded[\s\S]*Load it again/);
    expect(await spoken(page)).toContain('could not be loaded');
  });

  test('the worker itself: said so', async () => {
    const page = await site.open('#/data', { expected: ['404', 'Failed to load resource'] });
    await page.route(/worker[^/]*\.js$/, (route) => route.fulfill({ status: 404, body: 'gone' }));
    await choose(page, example('moons.csv'));
    await page.locator('.trouble', { hasText: 'could not be started' }).waitFor();
    expect(await page.locator('.trouble').innerText()).not.toContain('still here');
  });
});

test.runIf(hasBrowser)('a download that fails says so beside its button', async () => {
  const page = await site.open('#/data');
  await choose(page, example('moons.csv'));
  await page.locator('.data-summary').waitFor();
  await train(page);
  await page.locator('.data-results').waitFor();
  await page.evaluate(() => {
    URL.createObjectURL = () => {
      throw new Error('no room for files');
    };
  });
  await page.getByRole('button', { name: 'Download the model' }).click();
  await page.locator('.data-keep .trouble', { hasText: 'no room for files' }).waitFor();
  expect(await spoken(page)).toContain('Try again');
});
