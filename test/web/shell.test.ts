// The page around the parts: addresses, keyboard, policy.

import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { headers } from '../../web/vite.config.js';
import { hasBrowser } from '../browser/chromium.js';
import { someOf } from '../effort.js';
import { accessibilityFaults, overflow, useSite, type Width, widths } from './site.js';

const site = useSite();
const parts = ['learn', 'data', 'measure'] as const;
const folder = resolve(import.meta.dirname, '../../web/dist');

describe.runIf(hasBrowser)('the page', () => {
  test('opens Learn first; links and the history lead from part to part', async () => {
    const page = await site.open();
    const current = page.locator('nav a[aria-current=page]');
    expect(await current.textContent()).toBe('Learn');
    await page.getByRole('link', { name: 'Your data' }).click();
    await page.locator('main.part-data').waitFor();
    expect(await current.textContent()).toBe('Your data');
    expect(await page.title()).toContain('Your data');
    await page.goBack();
    await page.locator('main.part-learn').waitFor();
    expect(await current.textContent()).toBe('Learn');
  });

  test('an address that nobody knows is Learn', async () => {
    const page = await site.open('#/nothing?of=this');
    expect(await page.locator('main').getAttribute('class')).toBe('part-learn');
  });

  test('the keyboard skips what is the same on every part', async () => {
    const page = await site.open('#/measure');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
    expect(page.url()).toContain('#/measure');
  });

  test('embedded, it is the part alone', async () => {
    const page = await site.open('?embed=1#/learn');
    expect(await page.locator('header').isVisible()).toBe(false);
  });

  test('of two links clicked one after the other the last one counts, however long a part takes to come', async () => {
    const page = await site.open('#/measure');
    let release: () => void = () => {};
    const held = new Promise<void>((done) => {
      release = done;
    });
    await page.route(/\/data-.*\.js$/, async (route) => {
      await held;
      await route.continue();
    });
    const asked = page.waitForRequest(/\/data-.*\.js$/);
    await page.getByRole('link', { name: 'Your data' }).click();
    await asked;
    await page.getByRole('link', { name: 'Measure' }).click();
    await page.locator('main.part-measure:not([aria-busy])').waitFor();
    const come = page.waitForResponse(/\/data-.*\.js$/);
    release();
    // When the page's own import of it is done, and what it does then.
    const url = (await come).url();
    await page.evaluate(`import(${JSON.stringify(url)}).then(() => new Promise((done) => setTimeout(done, 50)))`);
    expect(await page.locator('main').getAttribute('aria-busy')).toBe(null);
    expect(await page.locator('main').getAttribute('class')).toBe('part-measure');
    expect(await page.locator('nav a[aria-current=page]').textContent()).toBe('Measure');
    expect(await page.title()).toContain('Measure');
  });

  test('a part that does not come says so, and can be tried again', async () => {
    const page = await site.open('#/measure', { expected: ['Failed to load resource', 'net::ERR'] });
    await page.route(/\/data-.*\.js$/, (route) => route.abort());
    await page.getByRole('link', { name: 'Your data' }).click();
    expect(await page.getByRole('alert').innerText()).toContain('“Your data” could not be loaded');
    await page.unroute(/\/data-.*\.js$/);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.data-choose').waitFor();
  });

  test('who comes back to Learn finds it as it was', async () => {
    const page = await site.open('#/learn?preset=xor');
    await page.getByRole('button', { name: 'Step', exact: true }).click();
    await expect.poll(() => page.url()).toContain('step=');
    const address = page.url();
    await page.getByRole('link', { name: 'Learn', exact: true }).click();
    expect(page.url()).toBe(address);
    await page.getByRole('link', { name: 'Measure' }).click();
    await page.locator('main.part-measure').waitFor();
    await page.getByRole('link', { name: 'Learn', exact: true }).click();
    await page.locator('main.part-learn').waitFor();
    expect(page.url()).toBe(address);
  });

  test.each(someOf(parts, []))(
    '%s: anybody can use it, and nothing sticks out, on a phone and a desk, light and dark',
    async (part) => {
      for (const width of Object.keys(widths) as Width[]) {
        const page = await site.open(`#/${part}`, { width });
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          expect(await accessibilityFaults(page), `${width}, ${colorScheme}`).toEqual([]);
        }
        expect(await overflow(page)).toBeLessThanOrEqual(0);
      }
    },
  );

  test('no script runs but its own, on a host that sends nothing', async () => {
    const page = await site.open('#/measure', { host: 'plain', expected: ['Content Security Policy'] });
    const refused = await page.evaluate(async () => {
      const refusal = new Promise<string>((done) =>
        document.addEventListener('securitypolicyviolation', (event) => done(event.effectiveDirective)),
      );
      const script = document.createElement('script');
      script.textContent = 'globalThis.hasRun = true';
      document.head.append(script);
      return [await refusal, 'hasRun' in globalThis];
    });
    expect(refused).toEqual(['script-src-elem', false]);
  });
});

test('the page says what it may load, and has nothing inline', () => {
  const html = readFileSync(resolve(folder, 'index.html'), 'utf8');
  const [, policy] = /<meta http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html) ?? [];
  expect(policy).toBe(
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; object-src 'none'; base-uri 'none'; form-action 'none'",
  );
  expect(headers['Content-Security-Policy']).toBe(policy);
  expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*src=)/);
  expect(html).not.toMatch(/(src|href)="\//); // any sub-path will do
  expect(readdirSync(resolve(folder, 'assets')).length).toBeGreaterThan(4);
});
