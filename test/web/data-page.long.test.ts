// Your data, as a person uses it: more of what data.test.ts begins with.

import { rmSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { hasBrowser } from '../browser/chromium.js';
import { choose, drop, example, headline, shape, shownCommand, train, useScratch } from './datapage.js';
import { accessibilityFaults, overflow, useSite } from './site.js';

const site = useSite();
const scratch = useScratch();

describe.runIf(hasBrowser)('Your data', () => {
  test('a dropped file; of several, one is used and named', async () => {
    const page = await site.open('#/data');
    await drop(page, [
      { name: 'one.tsv', text: 'a\tb\tkind\n1\t2\tx\n3\t1\ty\n0\t2\tx\n' },
      { name: 'two.csv', text: 'a,b\n1,2\n' },
    ]);
    await page.locator('.data-summary').waitFor();
    expect(await shape(page)).toBe('3 rows · 2 columns · 2 classes');
    expect(await page.locator('.data-said:visible').textContent()).toContain('“one.tsv” is used');
    await train(page);
    await page.locator('.data-results').waitFor();
    expect(await headline(page)).toBe('Separated. A straight border splits all 3 rows.');
  });

  test('rows pasted from a spreadsheet', async () => {
    const page = await site.open('#/data');
    await page.evaluate(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', 'a\tb\tkind\n1\t2\tx\n3\t1\ty\n');
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
    });
    await page.locator('.data-summary').waitFor();
    expect(await page.locator('.data-summary h2').textContent()).toBe('pasted.tsv');
    await train(page);
    await page.getByText('The pasted rows are in no file yet').waitFor();
    await page.getByRole('button', { name: 'Save pasted.tsv' }).waitFor();
  });

  test('advice is a button: columns scaled, and the fruit is separated', async () => {
    const page = await site.open('#/data');
    await page.getByRole('button', { name: /Fruit/ }).click();
    await page.locator('.data-summary').waitFor();
    await page.getByRole('button', { name: 'Plain textbook' }).click();
    expect(page.url()).toContain('trainer=primal');
    await train(page);
    expect(await shownCommand(page)).toContain('--plain --trainer primal -o');
    await page.getByRole('button', { name: 'Scale the columns' }).click();
    await page.locator('.data-story', { hasText: 'Separated after' }).waitFor();
    expect(page.url()).not.toContain('scale='); // standardised is recommended
    expect(await shownCommand(page)).toContain('--scale standardize');
    const recommended = page.getByRole('button', { name: 'Recommended' });
    expect(await recommended.getAttribute('aria-pressed')).toBe('false');
    await recommended.click();
    expect(page.url()).not.toContain('trainer=');
    expect(await recommended.getAttribute('aria-pressed')).toBe('true');
  });

  test('no line for the moons; bent, the border fits', async () => {
    const page = await site.open('#/data');
    await page.getByRole('button', { name: /Moons/ }).click();
    await page.locator('.data-summary').waitFor();
    await train(page);
    await page.getByRole('button', { name: 'Bend the border' }).click();
    await page.locator('#data-outcome', { hasText: /^Right on (99|100)/ }).waitFor();
    expect(await page.getByText('What decides').count()).toBe(0);
    expect(await page.locator('.data-story').innerText()).toContain('Separated after');
    expect(await page.locator('.data-keep').innerText()).toContain('holds rows of your data');
  });

  test('options stand in the address, and come from it', async () => {
    const page = await site.open('#/data?trainer=dual&kernel=polynomial&degree=2&epochs=50&heldout=0.3');
    await choose(page, example('moons.csv'));
    await page.locator('.data-summary').waitFor();
    expect(await page.getByRole('radio', { name: /^Kernel/ }).isChecked()).toBe(true);
    expect(await page.getByLabel('Degree').inputValue()).toBe('2');
    await page.getByText('More options (2 changed)').click();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByLabel('Epochs at most').fill('20');
    await page.getByLabel('Epochs at most').blur();
    expect(page.url()).toContain('epochs=20');
    await train(page);
    await page.locator('.data-results').waitFor();
    expect(await page.locator('.data-facts').innerText()).toContain('right on 120 rows held out');
    expect(await page.locator('.data-story').innerText()).toContain('learned from all 400 rows');
    expect(await headline(page)).toMatch(/^Right on [\d.]+ % of 120 rows it had not seen\.$/);
    expect(await shownCommand(page)).toContain('--holdout 0.3');
  });

  test('a field with nonsense says so, and nothing is trained', async () => {
    const page = await site.open('#/data');
    await page.getByRole('button', { name: /Moons/ }).click();
    await page.locator('.data-summary').waitFor();
    await page.getByText('More options').click();
    await page.getByLabel('Epochs at most').fill('many');
    await page.getByText('More options').click();
    await train(page);
    expect(await page.locator('.data-wrong:visible').textContent()).toBe('Write a whole number, 1 or more.');
    const field = page.getByLabel('Epochs at most');
    expect(await field.evaluate((input) => input === document.activeElement)).toBe(true);
    // Who hears the page hears that first.
    const [described] = ((await field.getAttribute('aria-describedby')) ?? '').split(' ');
    expect(await page.locator(`#${described}`).textContent()).toBe('Write a whole number, 1 or more.');
    expect(await page.locator('.data-results').count()).toBe(0);
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  test('nonsense in a field that means nothing any more keeps nobody from training', async () => {
    const page = await site.open('#/data?gamma=2');
    await page.getByRole('button', { name: /Moons/ }).click();
    await page.locator('.data-summary').waitFor();
    await page.getByRole('radio', { name: /^Kernel/ }).check();
    await page.getByLabel('Gamma').fill('abc');
    await page.getByRole('radio', { name: /^Perceptron/ }).check();
    await train(page);
    await page.locator('.data-results').waitFor();
    // And what it was before still holds.
    expect(page.url()).toContain('gamma=2');
  });

  test('the keyboard stays where it is while the file is taken another way', async () => {
    const page = await site.open('#/data');
    const text = `label,a,b,c\n${Array.from({ length: 12 }, (_, i) => `${i % 2},${i % 3},${i % 4 > 1 ? 1 : 0},${i}`).join('\n')}`;
    await choose(page, scratch.file('columns.csv', `${text}\n`));
    await page.locator('.data-summary').waitFor();
    const focused = () =>
      page.evaluate(() => document.activeElement?.getAttribute('name') ?? document.activeElement?.id);
    const label = page.getByLabel('Label column');
    await label.focus();
    await page.keyboard.press('ArrowDown');
    await page.getByText('The label is “a”').waitFor();
    await expect.poll(focused).toBe('label-column');
    await page.keyboard.press('ArrowDown');
    await page.getByText('The label is “b”').waitFor();
    await expect.poll(focused).toBe('label-column');
    expect(await label.locator(':checked').textContent()).toBe('b');

    await page.getByText('Columns to learn from').click();
    await page.locator('select[name=column-3]').selectOption('Leave out');
    await page.getByRole('button', { name: 'Use these columns' }).press('Enter');
    await page.getByText('12 rows · 2 columns').waitFor();
    await expect.poll(focused).toBe('use-columns');

    // Names as data are words like others.
    await page.getByLabel('First line').focus();
    await page.keyboard.press('ArrowDown');
    await page.getByText('13 rows').first().waitFor();
    await expect.poll(focused).toBe('first-line');
  });

  test('another label column, and columns left out', async () => {
    const page = await site.open('#/data');
    await choose(page, example('flowers.csv'));
    await page.locator('.data-summary').waitFor();
    await page.getByText('Columns to learn from').click();
    await page.locator('select[name=column-3]').selectOption('Leave out');
    await page.getByRole('button', { name: 'Use these columns' }).click();
    await page.getByText('150 rows · 3 columns').waitFor();
    // The species are words, and a category then.
    await page.getByLabel('Label column').selectOption('petal_width');
    await page.getByText('Columns: 2 numbers, 1 category.').waitFor();
    expect(await page.locator('.data-summary').innerText()).toContain('The label is “petal_width”');
  });
});

describe.runIf(hasBrowser)('a broken file', () => {
  test('a file that changed on the disk: what was read is still there to train on', async () => {
    const page = await site.open('#/data');
    const path = scratch.file('changing.csv', 'a,b,kind\n1,2,x\n3,1,y\n2,2,x\n');
    await choose(page, path);
    await page.locator('.data-summary').waitFor();
    rmSync(path);
    await page.getByLabel('First line').selectOption('Data');
    await page.locator('.trouble').waitFor();
    expect(await page.locator('.trouble').innerText()).toContain('moved or changed');
    await train(page);
    await page.locator('.data-results').waitFor();
    expect(await page.locator('.data-hard thead').innerText()).not.toContain('line');
  });

  test.each<[name: string, bytes: string | Uint8Array, said: string]>([
    ['empty.csv', '', 'there is nothing in it'],
    ['sheet.xlsx', Buffer.from('PK\x03\x04\x14\0\x06\0', 'latin1'), 'save the sheet as CSV'],
    ['cut.csv.gz', gzipSync('a,b,c\n1,2,x\n'.repeat(99)).subarray(0, 40), 'not complete'],
    ['one.csv', 'a,label\n1,x\n2,x\n', 'one class'],
  ])('%s', async (name, bytes, said) => {
    const page = await site.open('#/data', { width: 'phone' });
    await choose(page, scratch.file(name, bytes));
    await page.locator('.trouble, .data-doubt').first().waitFor();
    expect(await page.locator('main').innerText()).toContain(said);
    expect(await page.getByRole('button', { name: 'Train' }).isVisible()).toBe(false);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
  });
});
