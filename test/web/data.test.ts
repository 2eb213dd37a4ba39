// Your data, as a person uses it: drop a file, see what was read, choose what learns, train, look, keep the model.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { hasBrowser } from '../browser/chromium.js';
import { someOf } from '../effort.js';
import { choose, download, example, headline, shape, spoken, train, useScratch } from './datapage.js';
import { accessibilityFaults, overflow, useSite, type Width, widths } from './site.js';

const site = useSite();
const scratch = useScratch();

describe.runIf(hasBrowser)('Your data', () => {
  test.each(someOf(Object.keys(widths) as Width[], ['desktop']))(
    'an example, from the button to the model: %s',
    async (width) => {
      const page = await site.open('#/data', { width, acceptDownloads: true });
      expect(await page.locator('main').innerText()).toContain('Nothing leaves your machine');
      // What reads and trains comes with the first file.
      expect([...site.asked].filter((file) => /worker|results/.test(file))).toEqual([]);
      await page.getByRole('button', { name: /Flowers/ }).click();
      await page.locator('.data-summary').waitFor();
      expect(await shape(page)).toBe('150 rows · 4 columns · 3 classes');
      expect(await page.locator('.data-summary').innerText()).toContain('The label is “species”');
      expect(await spoken(page)).toContain('Ready to train');
      expect(await accessibilityFaults(page)).toEqual([]);
      expect(await overflow(page)).toBeLessThanOrEqual(0);

      await train(page);
      await page.locator('.data-results').waitFor();
      expect(await headline(page)).toBe('Right on 100 % of 30 rows it had not seen.');
      expect(await spoken(page)).toContain('Training is done');
      expect(await page.locator('.data-confusion td.number').count()).toBe(9);
      const pictures = await page
        .getByRole('img')
        .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')?.split('.')[0] ?? ''));
      expect(pictures).toEqual([
        'What decided',
        'Rows and border',
        'Mistakes in each epoch',
        'Margins',
        'Weights of aster',
      ]);
      expect(await page.locator('.data-hard tbody tr').count()).toBe(10);
      // The model answers at once.
      await page.locator('.data-try').getByLabel('petal_length', { exact: true }).fill('9');
      await expect.poll(() => page.locator('.data-answer').textContent()).toBe('crocus');
      expect(await accessibilityFaults(page)).toEqual([]);
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await accessibilityFaults(page)).toEqual([]);
      expect(JSON.parse(await download(page))).toMatchObject({
        type: 'pipeline',
        model: { type: 'multiclass-perceptron' },
      });
      // The command names a file that nobody has yet.
      const [saved] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Save flowers.csv' }).click(),
      ]);
      expect(readFileSync((await saved.path()) as string)).toEqual(readFileSync(example('flowers.csv')));
    },
  );

  test('the keyboard alone', async () => {
    const page = await site.open('#/data');
    await page.getByRole('button', { name: 'Choose a file' }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.locator('.data-summary').waitFor();
    expect(await page.locator('.data-summary h2').textContent()).toBe('fruit.csv');
    await page.getByRole('radio', { name: /^Perceptron/ }).focus();
    await page.keyboard.press('ArrowDown');
    expect(await page.getByRole('radio', { name: /^Averaged/ }).isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Train' }).focus();
    await page.keyboard.press('Enter');
    await page.locator('.data-results').waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('data-outcome');
  });
});

describe.runIf(hasBrowser)('a broken file', () => {
  test('gets a message, and costs nobody their data and model', async () => {
    const page = await site.open('#/data', { acceptDownloads: true });
    await choose(page, example('messages.txt'));
    await page.locator('.data-summary').waitFor();
    await train(page);
    await page.locator('.data-results').waitFor();
    await choose(page, scratch.file('ragged.csv', 'a,b,label\n1,2,x\n3,4\n'));
    const box = page.locator('.trouble');
    await box.waitFor();
    expect(await box.innerText()).toContain('Line 3 of “ragged.csv” cannot be read');
    expect(await box.innerText()).toContain('What you had is still here: messages.txt');
    expect(await spoken(page)).toContain('Line 3');
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(JSON.parse(await download(page)).type).toBe('perceptron');
    await train(page);
    await page.locator('.trouble').waitFor({ state: 'detached' });
  });
});
