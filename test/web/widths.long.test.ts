// Your data and Measure at widths between a phone and a large screen, with everything open: nothing sticks out.

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { hasBrowser } from '../browser/chromium.js';
import { train, useScratch } from './datapage.js';
import { overflow, useSite } from './site.js';

const site = useSite();
const scratch = useScratch();

async function stickingOut(page: Page): Promise<number[]> {
  await page.locator('details').evaluateAll((all) => {
    for (const one of all as HTMLDetailsElement[]) one.open = true;
  });
  const found: number[] = [];
  for (const width of [360, 390, 480, 640, 768, 900, 1024, 1280, 1920]) {
    await page.setViewportSize({ width, height: 800 });
    // Pictures follow the width in the next frames.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    if ((await overflow(page)) > 0) found.push(width);
  }
  return found;
}

describe.runIf(hasBrowser)('nothing sticks out', () => {
  test.each(['?', '?trainer=dual', '?heldout=0.2'])('of Your data, trained (%s)', async (options) => {
    const page = await site.open(`#/data${options}`);
    await page.getByRole('button', { name: /Flowers/ }).click();
    await page.locator('.data-summary').waitFor();
    await train(page);
    await page.locator('.data-results').waitFor();
    expect(await stickingOut(page)).toEqual([]);
  });

  test('of Your data, with names that are too long for any screen', async () => {
    const page = await site.open('#/data');
    const long = (text: string) => text.repeat(40);
    const csv = `${long('first')},${long('second')},kind\n1,2,${long('yes')}\n3,1,${long('no')}\n2,2,${long('yes')}\n`;
    await page.locator('.data-choose input[type=file]').setInputFiles(scratch.file(`${'name'.repeat(40)}.csv`, csv));
    await page.locator('.data-summary').waitFor();
    await train(page);
    await page.locator('.data-results').waitFor();
    expect(await stickingOut(page)).toEqual([]);
  });

  test('of Measure, at rest and with its results', async () => {
    const page = await site.open('#/measure?size=tiny');
    expect(await stickingOut(page)).toEqual([]);
    await page.getByRole('button', { name: 'Measure', exact: true }).click();
    await page.locator('.measure-headline').waitFor();
    await page.locator('.chart-bar').first().waitFor();
    expect(await stickingOut(page)).toEqual([]);
  });
});
