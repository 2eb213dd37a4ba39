// What tests in Firefox and WebKit count on.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Driven } from './driven.js';
import { hasFirefox, openFirefox } from './firefox.js';
import { hasWebkit, openWebkit } from './webkit.js';

const browsers = [
  { name: 'Firefox', has: hasFirefox, open: () => openFirefox({ 'ui.systemUsesDarkTheme': 1 }) },
  { name: 'WebKit', has: hasWebkit, open: () => openWebkit({ GTK_THEME: 'Adwaita:dark' }) },
];

for (const { name, has, open } of browsers) {
  if (!has) console.warn(`No ${name}: its tests are skipped (CONTRIBUTING says what to install).`);
  describe.runIf(has)(name, () => {
    let page: Driven;
    beforeAll(async () => {
      page = await open();
    });
    afterAll(() => page?.close());

    test('runs a script, waits for it, and hands on what it answers or throws', async () => {
      await page.goto('about:blank');
      const answer = await page.evaluate<unknown>('return { seven: await Promise.resolve(7), list: [1, "–"] };');
      expect(answer).toEqual({ seven: 7, list: [1, '–'] });
      expect(await page.evaluate('void 0')).toBeNull();
      await expect(page.evaluate('throw new RangeError("too far")')).rejects.toThrow('RangeError: too far');
    });

    test('has the width that was asked for, dark colours, and a picture of it', async () => {
      await page.resize(900, 700);
      const seen = await page.evaluate(
        'return [innerWidth, innerHeight, matchMedia("(prefers-color-scheme: dark)").matches];',
      );
      expect(seen).toEqual([900, 700, true]);
      const picture = await page.screenshot();
      expect(picture.subarray(1, 4).toString()).toBe('PNG');
      expect(picture.readUInt32BE(16)).toBe(900);
    });

    test('runs in a frame that is as narrow as a phone', async () => {
      await page.goto('about:blank');
      await page.evaluate(
        'document.body.innerHTML = \'<iframe width="390" height="700" srcdoc="inside"></iframe>\'; await new Promise((done) => { document.querySelector("iframe").onload = done; });',
      );
      await page.intoFrame();
      expect(await page.evaluate('return [innerWidth, document.body.textContent];')).toEqual([390, 'inside']);
    });
  });
}
