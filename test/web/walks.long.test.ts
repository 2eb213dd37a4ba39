// A walk through the three parts in Chromium, Firefox and WebKit, wide and as narrow as a phone.

import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { headers } from '../../web/vite.config.js';
import { hasBrowser } from '../browser/chromium.js';
import { driveChromium } from '../drivers/chromium.js';
import type { Driven } from '../drivers/driven.js';
import { hasFirefox, openFirefox } from '../drivers/firefox.js';
import { hasWebkit, openWebkit } from '../drivers/webkit.js';
import { axe, serve } from './site.js';

const browsers = [
  { name: 'Chromium', has: hasBrowser, open: driveChromium },
  { name: 'Firefox', has: hasFirefox, open: openFirefox },
  { name: 'WebKit', has: hasWebkit, open: openWebkit },
];

/** Run in the page, before each step: waits for what it names, and clicks by the words of a button. */
const HELPERS = `
  const until = async (what, found) => {
    for (let waited = 0; waited < 60000; waited += 50) {
      const value = found();
      if (value) return value;
      await new Promise((done) => setTimeout(done, 50));
    }
    throw new Error('there is no ' + what + ' in: ' + document.querySelector('main').innerText.slice(0, 400));
  };
  const find = (selector) => until(selector, () => document.querySelector(selector));
  const named = (text) => [...document.querySelectorAll('main button, main [role=button]')].find((one) => one.textContent.trim().startsWith(text) && one.getClientRects().length > 0);
  const click = async (text) => (await until('button ' + text, () => named(text))).click();
  const textOf = (selector) => document.querySelector(selector)?.textContent ?? '';
  const write = (field, value) => { field.value = value; field.dispatchEvent(new Event('input', { bubbles: true })); };
`;

const WIDTHS = [1280, 390] as const;

for (const { name, has, open } of browsers) {
  if (!has) console.warn(`No ${name}: its walks are skipped (CONTRIBUTING says what to install).`);
  describe.runIf(has).each(WIDTHS)(`${name}, %i px`, (width) => {
    let page: Driven;
    let server: Server;
    beforeAll(async () => {
      server = await serve(headers);
      page = await open();
      await page.resize(1300, 900);
      if (width === 1280) await page.resize(1280, 860);
    });
    afterAll(async () => {
      await page?.close();
      server?.close();
    });

    /** Opens an address of the page. */
    async function goto(address: string): Promise<void> {
      const { port } = server.address() as AddressInfo;
      const origin = `http://localhost:${port}`;
      await page.goto('about:blank'); // else another address after # is the same page
      if (width === 1280) await page.goto(`${origin}/some/folder/${address}`);
      else {
        await page.goto(`${origin}/phone?${encodeURIComponent(`/some/folder/${address}`)}`);
        await page.intoFrame();
      }
      await step('await until("part", () => document.querySelector("main[class]:not([aria-busy])"));');
      expect(await step<number>('return innerWidth;')).toBe(width);
    }
    const step = <T>(body: string): Promise<T> => page.evaluate<T>(`${HELPERS}${body}`);

    /** Nothing keeps people out, and nothing sticks out. */
    async function expectSound(): Promise<void> {
      const faults = await page.evaluate<string[]>(`${axe};
        await Promise.all(document.getAnimations().filter((one) => one instanceof CSSTransition).map(({ finished }) => finished.catch(() => undefined)));
        const { violations } = await axe.run();
        return violations.flatMap(({ id, help, nodes }) => nodes.map(({ target, failureSummary }) => id + ': ' + help + ': ' + target.join(' ') + ': ' + failureSummary));`);
      expect(faults).toEqual([]);
      const out = 'return document.documentElement.scrollWidth - document.documentElement.clientWidth;';
      expect(await page.evaluate<number>(out)).toBeLessThanOrEqual(0);
    }

    test('Learn: steps to the end, another preset, a stop of the tour', async () => {
      await goto('#/learn?play=0');
      await step(
        'await find(".plane"); for (let k = 0; k < 12; k++) { const one = named("Step"); if (one && !one.disabled) one.click(); }',
      );
      await step('await until("end", () => document.querySelector("main").textContent.includes("Separated"));');
      await expectSound();
      await goto('#/learn?tour=5&play=0');
      await step('await until("XOR", () => document.querySelector("main").textContent.includes("XOR"));');
      await expectSound();
    });

    test('Your data: an example with words, a row tried, probabilities, the picture', async () => {
      await goto('#/data');
      await step(
        'await click("Penguins"); await find(".data-summary"); await click("Train"); await find(".data-results");',
      );
      expect(await step<string>('return textOf("#data-outcome");')).toMatch(/^Right on [\d.]+ % of 69 rows/);
      expect(await step<string>('await until("answer", () => textOf(".data-answer").length > 1); return textOf(".data-answer");')).toBe('Adelie'); // biome-ignore format: one line
      await step(`const fields = [...document.querySelectorAll('.data-try label')];
        const field = (name) => fields.find((one) => one.textContent.startsWith(name)).querySelector('input');
        write(field('flipper_length_mm'), '230'); write(field('beak_depth_mm'), '13');
        await until('Gentoo', () => textOf('.data-answer') === 'Gentoo');`);
      await step(
        'await click("Add probabilities"); await until("sure", () => textOf(".data-try-answer").includes("% sure"));',
      );
      await step('await until("picture", () => document.querySelectorAll(".chart-region").length === 3);');
      await expectSound();
    });

    test('Your data: a bent border', async () => {
      await goto('#/data?trainer=dual&gamma=4');
      await step(
        'await click("Moons"); await find(".data-summary"); await click("Train"); await find(".data-results");',
      );
      await step(
        'await until("border", () => (document.querySelector(".chart-border")?.getAttribute("d") ?? "").length > 1000);',
      );
      await expectSound();
    });

    test('Measure: the answer in one sentence, and its pictures', async () => {
      await goto('#/measure?size=tiny');
      await step('await click("Measure"); await find(".measure-headline"); await find(".chart-bar");');
      expect(await step<string>('return textOf(".measure-headline");')).toMatch(/^In this browser WebAssembly trains .*plain JavaScript\.$/); // biome-ignore format: one line
      await expectSound();
    });
  });
}
