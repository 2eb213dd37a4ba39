// The documentation site, built and opened as a reader does: from the disk.

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, useBrowser } from '../browser/chromium.js';

const root = resolve(import.meta.dirname, '../..');

beforeAll(() => {
  if (!existsSync(resolve(root, 'web/dist/index.html'))) throw new Error('there is no web/dist: npm run build:web');
  // Fails where an export lacks its comment, or a link is broken.
  execFileSync('node', ['--import', 'tsx', 'scripts/docs.ts'], { cwd: root, stdio: 'pipe' });
});

describe.runIf(hasBrowser)('the site', () => {
  const browser = useBrowser();

  async function found(page: Page, words: string): Promise<string[]> {
    await page.goto(pathToFileURL(resolve(root, 'site/index.html')).href);
    await page.locator('#tsd-search-trigger').click();
    await page.locator('#tsd-search-input').fill(words);
    const results = page.locator('#tsd-search-results a');
    await results.first().waitFor();
    return results.evaluateAll((links) =>
      links.map((link) => (link as HTMLAnchorElement).href.replace(/.*\/site\//, '')),
    );
  }

  test.each([
    ['a name of the API', 'crossValidate', 'functions/perceptron-wasm_select.crossValidate.html'],
    ['a word of a guide', 'shuffle', 'documents/Real_data'],
    [
      'a sentence of a guide that no export mentions',
      'nginx',
      'documents/Long_work,_threads_and_responsive_pages.html',
    ],
    ['a decision', 'hexadecimal', 'documents/0002'],
    ['a question', 'how do I abort a fitAsync and keep the partial model?', 'perceptron-wasm.Perceptron.html#fitasync'],
    ['a question with numbers', 'what happens with a weight of 0?', 'documents/Options.html'],
    ['a question with short words', 'predict in a browser with 12 kB', 'documents/Serve_a_model.html'],
  ])('finds %s: %s', async (_, words, place) => {
    const page = await browser().newPage();
    expect(await found(page, words)).toEqual(expect.arrayContaining([expect.stringContaining(place)]));
    await page.close();
  });

  test('has what answers a question among the first results', async () => {
    const page = await browser().newPage();
    const [abort, together, small, redis] = [
      await found(page, 'how do I abort a fitAsync and keep the partial model?'),
      await found(page, 'class weights and sample weights together'),
      await found(page, 'predict in a browser with 12 kB'),
      await found(page, 'redis'),
    ];
    expect(abort.slice(0, 3).join()).toContain('Perceptron.html#fitasync');
    expect(together.slice(0, 3).join()).toContain('Options.html');
    expect(small[0]).toContain('Serve_a_model');
    expect(redis[0]).toMatch(/Beyond_one_machine|cluster/);
    await page.close();
  });

  test('has the playground, one click from each page', async () => {
    const page = await browser().newPage();
    await page.goto(pathToFileURL(resolve(root, 'site/documents/Options.html')).href);
    const link = page.getByRole('link', { name: 'Open the playground' });
    expect(await link.evaluate((a) => (a as HTMLAnchorElement).href)).toMatch(/site\/playground\/index\.html$/);
    await page.close();
  });
});
