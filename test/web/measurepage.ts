// Measure as a person uses it: what its tests have in common. The size is a hidden tiny one: what runs is the same, for a
// shorter time.

import type { Page } from 'playwright-core';
import type { OpenOptions, Site } from './site.js';

export const start = (page: Page) => page.getByRole('button', { name: 'Measure', exact: true });
export const headline = (page: Page) => page.locator('.measure-headline');
const numbers = (page: Page) => page.getByRole('region', { name: 'Medians of the rounds' });

export async function measured(site: Site, options: OpenOptions = {}): Promise<Page> {
  const page = await site.open('#/measure?size=tiny', options);
  await start(page).click();
  await page.locator('.measure-headline, .trouble').waitFor();
  return page;
}

export async function rowsOf(page: Page): Promise<string[][]> {
  const rows = await numbers(page).locator('tbody tr').all();
  return Promise.all(rows.map((row) => row.locator('th, td').allInnerTexts()));
}
