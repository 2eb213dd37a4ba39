// Your data with files that are larger or stranger than one thinks of: very many classes and columns, very long names, markup.

import { describe, expect, test } from 'vitest';
import { hasBrowser } from '../browser/chromium.js';
import { choose, shape, shownCommand, train, useScratch } from './datapage.js';
import { accessibilityFaults, overflow, useSite } from './site.js';

const site = useSite();
const scratch = useScratch();

describe.runIf(hasBrowser)('odd files', () => {
  test('a measurement as the label, 200,000 classes: said so before anything is trained', async () => {
    const page = await site.open('#/data');
    const lines = Array.from({ length: 200_000 }, (_, i) => `${i % 7},${i + 0.5}`);
    await choose(page, scratch.file('many.csv', `kind,weight\n${lines.join('\n')}`));
    await page.locator('.data-summary').waitFor();
    expect(await shape(page)).toBe('200,000 rows · 1 column · 200,000 classes');
    expect(await page.locator('.data-doubt').allInnerTexts()).toEqual([
      expect.stringMatching(/^“weight” has 200,000 different values\. Is it a measurement, or an ID\?/),
    ]);
    expect(await page.getByRole('button', { name: 'Train' }).isVisible()).toBe(false);
    await page.getByLabel('Label column').selectOption('kind');
    await page.getByText('200,000 rows · 1 column · 7 classes').waitFor();
    expect(await page.getByRole('button', { name: 'Train' }).isVisible()).toBe(true);
  });

  test('600 columns: the label is written, by name or number', async () => {
    const page = await site.open('#/data');
    const names = Array.from({ length: 600 }, (_, i) => `x${i}`);
    const rows = Array.from({ length: 6 }, (_, i) => names.map((_, k) => (k === 599 ? i % 2 : (i * k) % 3)));
    await choose(page, scratch.file('wide.csv', [names, ...rows].map((row) => row.join(',')).join('\n')));
    await page.locator('.data-summary').waitFor();
    const field = page.getByRole('textbox', { name: /Label column/ });
    expect(await field.inputValue()).toBe('x599');
    await field.fill('nobody');
    await field.press('Tab');
    await page.getByText('There is no such column').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await field.fill('550');
    await field.press('Tab');
    await page.getByText('The label is “x550”').waitFor();
    expect(await field.inputValue()).toBe('x550');
  });

  test('names of 100 KB, and names with markup, are shown as text, cut', async () => {
    const page = await site.open('#/data', { width: 'phone' });
    const long = 'long'.repeat(12_500);
    const markup = '<img src=x onerror=alert(1)>';
    const rows = [`1,2,${long}`, `2,0,${markup}`, `0,3,${long}`, `3,1,${markup}`, `1,1,${markup}`];
    await choose(page, scratch.file('<b>names.csv', `${long}1,${markup},kind\n${rows.join('\n')}`));
    await page.locator('.data-summary').waitFor();
    expect(await page.locator('.data-class-name').allInnerTexts()).toEqual([
      markup,
      expect.stringMatching(/^(long)+.?.?.?…$/),
    ]);
    expect(await page.locator('.data-summary h2').innerText()).toBe('<b>names.csv');
    await page.getByText('Columns to learn from').click();
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    await train(page);
    await page.locator('.data-results').waitFor();
    expect(await page.locator('main img, main b').count()).toBe(0);
    expect(((await page.locator('main').textContent()) ?? '').length).toBeLessThan(20_000);
    expect(await page.locator('.data-confusion').innerText()).toContain(markup);
    expect((await shownCommand(page))?.length).toBeLessThan(300);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    expect(await accessibilityFaults(page)).toEqual([]);
  });
});
