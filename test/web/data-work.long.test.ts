// The model at work on the page: words and categories, one row, a second file, probabilities.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { hasBrowser } from '../browser/chromium.js';
import { choose, download, example, headline, shape, shownCommand, spoken, train, useScratch } from './datapage.js';
import { accessibilityFaults, overflow, useSite, type Width, widths } from './site.js';

const site = useSite();
const scratch = useScratch();

describe.runIf(hasBrowser).each(Object.keys(widths) as Width[])('the model at work: %s', (width) => {
  test('on penguins: another row, a second file, probabilities', async () => {
    const page = await site.open('#/data', { width, acceptDownloads: true });
    await page.getByRole('button', { name: /Penguins/ }).click();
    await page.locator('.data-summary').waitFor();
    expect(await shape(page)).toBe('344 rows · 6 columns · 3 classes');
    expect(await page.locator('.data-summary').innerText()).toContain(
      'Columns: 4 numbers, 2 categories. Numbers are standardised. Each value of a category becomes a column. 19 empty fields are filled with the median of the column or its most frequent value.',
    );
    await train(page);
    await page.locator('.data-results').waitFor();
    expect(await headline(page)).toMatch(/^Right on (9\d\.?\d?|100) % of 69 rows it had not seen\.$/);
    const tried = page.locator('.data-try');
    const answer = tried.locator('.data-answer');
    await expect.poll(() => answer.textContent()).toBe('Adelie');
    await tried.getByText('This is row 1 of penguins.csv, which is Adelie.').waitFor();
    await tried.getByLabel('flipper_length_mm', { exact: true }).fill('230');
    await tried.getByLabel('beak_depth_mm', { exact: true }).fill('13');
    await expect.poll(() => answer.textContent()).toBe('Gentoo');
    expect(await spoken(page)).toMatch(/^Gentoo\. Score/);
    await tried.getByLabel('beak_depth_mm', { exact: true }).fill('deep');
    await tried.getByText('Write a number in every field').waitFor();
    await tried.getByRole('button', { name: 'Another row' }).click();
    await tried.getByText(/This is row \d+ of penguins.csv/).waitFor();

    const text = readFileSync(example('penguins.csv'), 'utf8').split('\n').slice(0, 30).join('\n');
    await page.locator('.data-another input').setInputFiles(scratch.file('new.csv', `${text}\n`));
    await page.getByText('29 answers for new.csv').first().waitFor();
    await page.getByRole('button', { name: 'Add probabilities' }).click();
    await page.locator('.data-answers').getByText('probability_Gentoo').waitFor();
    await tried.getByText(/% sure/).waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the answers' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('new.answers.csv');
    const lines = readFileSync((await file.path()) as string, 'utf8')
      .trim()
      .split('\n');
    expect([lines.length, lines[0]]).toEqual([
      30,
      'prediction,probability_Adelie,probability_Chinstrap,probability_Gentoo',
    ]);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await accessibilityFaults(page)).toEqual([]);

    await page.locator('.data-another input').setInputFiles(scratch.file('other.csv', 'a,b\n1,2\n'));
    await page.locator('.data-another .trouble', { hasText: 'there is no column "island"' }).waitFor();
  });

  test('on messages: words decide', async () => {
    const page = await site.open('#/data', { width, acceptDownloads: true });
    await page.getByRole('button', { name: /Messages/ }).click();
    await page.locator('.data-summary').waitFor();
    await train(page);
    await page.locator('.data-results').waitFor();
    const text = page.locator('.data-try textarea');
    await text.fill('Free prize! Call now to claim your cash');
    await expect.poll(() => page.locator('.data-answer').textContent()).toBe('spam');
    await text.fill('Shall we have lunch tomorrow? I am at home');
    await expect.poll(() => page.locator('.data-answer').textContent()).toBe('ham');
    await page.locator('.data-try').getByText('As a table').click();
    expect(await page.locator('.data-try table').innerText()).toMatch(/text:\w+/);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    expect(await shownCommand(page)).toContain('train messages.csv --plain --trainer primal --average');
    scratch.file('messages.csv', readFileSync(example('messages.csv')));
    expect(await download(page)).toBe(await scratch.trainedThere(page));
  });
});

describe.runIf(hasBrowser)('a file with words', () => {
  test('whose label nobody knows: a button for each likely one', async () => {
    const page = await site.open('#/data');
    await choose(page, example('penguins.csv'));
    await page.locator('.data-summary', { hasText: 'Which column of “penguins.csv” has the answers?' }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'The label is “sex”' }).click();
    await page.getByRole('button', { name: 'Take it as missing, and go on' }).click();
    await page.getByText('333 rows · 6 columns · 2 classes').waitFor();
    const summary = await page.locator('.data-summary').innerText();
    expect(summary).toContain('11 rows without a label are left out');
    expect(summary).toContain('The label is “sex”, as you said.');
  });
});
