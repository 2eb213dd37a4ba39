// The report in a real browser: nothing fetched, nothing to complain of, nothing wider than the window.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { writeReport } from '../../bench/report/report.js';
import { hasBrowser, useBrowser } from '../browser/chromium.js';
import { fixture } from './fixture.js';

const folder = mkdtempSync(join(tmpdir(), 'perceptron-wasm-'));
const url = writeReport(fixture(), pathToFileURL(`${folder}/`));
afterAll(() => rmSync(folder, { recursive: true }));

describe.skipIf(!hasBrowser)('the report', () => {
  const browser = useBrowser();

  const schemes = ['light', 'dark'] as const;
  test.each(schemes.flatMap((scheme) => [360, 700, 1280].map((width) => [scheme, width] as const)))(
    'in a %s window of %i pixels',
    async (colorScheme, width) => {
      const page = await browser().newPage({ viewport: { width, height: 800 }, colorScheme });
      const complaints: string[] = [];
      const requests: string[] = [];
      page.on('console', (message) => complaints.push(message.text()));
      page.on('pageerror', (error) => complaints.push(String(error)));
      page.on('request', (request) => requests.push(request.url()));
      await page.goto(url.href);
      // All that can be opened, opened.
      const seen = await page.evaluate(() => {
        for (const details of document.querySelectorAll('details')) details.open = true;
        const isShown = (element: Element) => element.getClientRects().length > 0;
        const charts = [...document.querySelectorAll('svg')].filter(isShown);
        const texts = charts.flatMap((chart) => [...chart.querySelectorAll('text')]);
        const scale = (text: SVGTextElement) => text.getScreenCTM()!;
        return {
          overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
          charts: charts.length,
          smallest: Math.min(
            ...texts.map(
              (text) => Number.parseFloat(getComputedStyle(text).fontSize) * Math.hypot(scale(text).a, scale(text).b),
            ),
          ),
          cut: texts
            .filter((text) => {
              const { left, right } = text.getBoundingClientRect();
              return left < -1 || right > document.documentElement.clientWidth + 1;
            })
            .map((text) => text.textContent),
          background: getComputedStyle(document.body).backgroundColor,
        };
      });
      await page.close();
      expect(complaints).toEqual([]);
      expect(requests).toEqual([url.href]);
      expect(seen.overflow).toBeLessThanOrEqual(0);
      expect(seen.charts).toBe(3 + 1 + 3 + 1 + 3 + 1 + 1);
      expect(seen.cut).toEqual([]);
      expect(seen.smallest).toBeGreaterThanOrEqual(9.9);
      const isLight = Number(/\d+/.exec(seen.background)?.[0]) > 128;
      expect(isLight).toBe(colorScheme === 'light');
    },
  );
});
