// The pictures of the playground for README and docs (docs/playground-*.png): npm run build && npm run build:web, then npm run pictures.

import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { preview } from 'vite';
import { openChromium } from '../test/drivers/chromium.js';

const root = resolve(import.meta.dirname, '..');

const pictures: Record<string, { address: string; height: number; act(page: Page): Promise<unknown> }> = {
  'playground-learn.png': {
    address: '#/learn?play=0',
    height: 790, // the shades of a higher plane make more than 300 kB
    async act(page) {
      const end = page.locator('main', { hasText: 'Separated after 7 mistakes' });
      while ((await end.count()) === 0) await page.getByRole('button', { name: /^Step/ }).click();
    },
  },
  'playground-data.png': {
    address: '#/data',
    height: 1318,
    async act(page) {
      await page.getByRole('button', { name: /Penguins/ }).click();
      await page.locator('.data-summary').waitFor();
      await page.getByRole('button', { name: 'Train' }).click();
      await page.locator('.data-answer', { hasText: 'Adelie' }).waitFor();
      await page.getByRole('button', { name: 'Add probabilities' }).click();
      await page.locator('.data-try-answer', { hasText: '% sure' }).waitFor();
      // The answer, the row that is tried, and the picture: what lies between is left out of the picture alone.
      await page.addStyleTag({ content: '.data-another, .data-story p { display: none }' });
      await page.locator('.data-results').evaluate((element) => element.scrollIntoView());
    },
  },
};

const server = await preview({ root: join(root, 'web'), preview: { port: 0, host: 'localhost' }, logLevel: 'warn' });
const [origin = ''] = server.resolvedUrls?.local ?? [];
const browser = await openChromium();
try {
  for (const [name, { address, height, act }] of Object.entries(pictures)) {
    // The page's policy allows no style but its own; a picture may.
    const page = await browser.newPage({
      viewport: { width: 1280, height },
      colorScheme: 'light',
      reducedMotion: 'reduce',
      bypassCSP: true,
    });
    await page.goto(`${origin}${address}`);
    await page.locator('main[class]:not([aria-busy])').waitFor();
    await act(page);
    await page.waitForTimeout(500); // charts follow the width in the next frames
    await page.screenshot({ path: join(root, 'docs', name) });
    await page.close();
  }
} finally {
  await browser.close();
  await server.close();
}
