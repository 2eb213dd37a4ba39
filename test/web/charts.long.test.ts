// The charts that all parts share, in a page of their own: at several widths nothing overlaps, sticks out or is too small, and
// numbers that are none draw nothing wrong.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { build, type Rolldown } from 'vite';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type * as chartModule from '../../web/src/ui/chart.js';
import { hasBrowser, useBrowser } from '../browser/chromium.js';

declare const charts: typeof chartModule;

const source = resolve(import.meta.dirname, '../../web/src');
const browser = useBrowser();
let script = '';
let css = '';
const pages: Page[] = [];

beforeAll(async () => {
  const entry = resolve(source, 'ui/chart.ts');
  const built = (await build({
    configFile: false,
    logLevel: 'error',
    build: { write: false, lib: { entry, formats: ['iife'], name: 'charts', fileName: 'charts' } },
  })) as Rolldown.RolldownOutput[];
  for (const file of built.flatMap(({ output }) => output)) {
    if (file.type === 'chunk') script += file.code;
    else css += file.source;
  }
  css += readFileSync(resolve(source, 'style/base.css'), 'utf8');
});

afterEach(async () => {
  for (const page of pages.splice(0)) await page.context().close();
});

/** An empty page with the charts at hand, of so many px for them. */
async function open(width: number): Promise<Page> {
  const page = await browser().newPage({ viewport: { width: width + 32, height: 800 } });
  pages.push(page);
  page.on('pageerror', (error) => expect.soft(error).toBeUndefined());
  await page.setContent('<!doctype html><html lang="en"><title>Charts</title><main></main></html>');
  await page.addStyleTag({ content: `${css} main { padding: 16px !important }` });
  await page.addScriptTag({ content: script });
  return page;
}

const drawn = (page: Page) =>
  page.waitForFunction(() =>
    [...document.querySelectorAll('.chart-picture')].every((one) => one.childElementCount > 0),
  );

/** One of each, as parts use them. */
const showAll = (page: Page) =>
  page.evaluate(() => {
    const main = document.querySelector('main') as HTMLElement;
    const epochs = Array.from({ length: 40 }, (_, k) => [k + 1, Math.round(12345 * Math.exp(-k / 3))] as const);
    const normal = (scale: number) =>
      Array.from({ length: 500 }, (_, k) => scale * Math.sin(k) * Math.cos(k / 7) + scale / 3);
    main.append(
      charts.lineChart({
        label: 'Mistakes and loss by epoch',
        x: 'epoch',
        y: 'mistakes in the epoch',
        right: 'loss of the whole set',
        xIsWhole: true,
        mark: 7,
        lines: [
          { name: 'mistakes', points: epochs },
          { name: 'loss', axis: 'right', points: epochs.map(([x, y]) => [x, y / 1e6]) },
          { name: 'the bound', isDashed: true, points: [[1, 20000], [40, 20000]] }, // biome-ignore format: two points
        ],
      }).element,
      charts.barChart({
        label: 'Ratios',
        value: 'times as fast, logarithmic',
        isLog: true,
        bars: [0.0123, 0.5, 1, 3.4, 1234].map((value) => ({
          name: `A name of some length ${value}`,
          value,
          text: `${value}×`,
        })),
      }).element,
      charts.barChart({
        label: 'Weights',
        value: 'weight',
        bars: [-3.25, 0, 12.5, -0.001].map((value, k) => ({ name: `x${k}`, value })),
      }).element,
      charts.histogram({
        label: 'Margins',
        x: 'distance from the plane',
        mark: 0,
        groups: [
          { name: 'yes', values: Float64Array.from(normal(3)) },
          { name: 'no', values: normal(-1) },
        ],
      }).element,
      charts.planeChart({
        label: 'Rows and border',
        x: { name: 'petal_length', low: 0.5, high: 7 },
        y: { name: 'A name that is longer than most: petal_width', low: -1234.5, high: 1234.5 },
        classes: ['aster', 'bellflower', 'crocus'],
        size: 3,
        scores: [3, 0, 0, 1, 2, 0, 0, 3, 1, 2, 1, 0, 1, 2, 1, 0, 1, 3, 0, 1, 2, 0, 0, 3, 0, 0, 3],
        points: [1, -1000, 4, 0, 6, 1000],
        of: [0, 1, 2],
      }).element,
    );
  });

/** Texts of one picture that lie over each other, stick out of it, or are smaller than 11 px. */
const faultsOf = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('.chart-picture')].flatMap((picture) => {
      const frame = picture.getBoundingClientRect();
      const texts = [...picture.querySelectorAll('text')].map((text) => ({
        words: text.textContent ?? '',
        box: text.getBoundingClientRect(),
        size: Number.parseFloat(getComputedStyle(text).fontSize),
      }));
      return texts.flatMap(({ words, box, size }, k) => [
        ...(size < 11 ? [`small: ${words}`] : []),
        ...(box.left < frame.left - 1 || box.right > frame.right + 1 ? [`out: ${words}`] : []),
        ...texts
          .slice(k + 1)
          // Lines of text may touch; letters must not.
          .filter(
            ({ box: other }) =>
              box.left < other.right &&
              other.left < box.right &&
              box.top + 3 < other.bottom &&
              other.top + 3 < box.bottom,
          )
          .map((other) => `over each other: ${words}, ${other.words}`),
      ]);
    }),
  );

const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

describe.runIf(hasBrowser)('charts', () => {
  test.each([280, 360, 560, 1200])('%i px wide: nothing overlaps or sticks out', async (width) => {
    const page = await open(width);
    await showAll(page);
    await drawn(page);
    expect(await faultsOf(page)).toEqual([]);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    expect(await page.locator('.chart-picture').first().getAttribute('viewBox')).toMatch(`0 0 ${width} `);
  });

  test('are drawn again when the window is turned', async () => {
    const page = await open(800);
    await showAll(page);
    await drawn(page);
    await page.setViewportSize({ width: 332, height: 800 });
    await page.waitForFunction(() =>
      document.querySelector('.chart-picture')?.getAttribute('viewBox')?.startsWith('0 0 300 '),
    );
    expect(await faultsOf(page)).toEqual([]);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
  });

  test('say in words and in a table what they show', async () => {
    const page = await open(560);
    await showAll(page);
    expect(await page.getByRole('img', { name: /^Ratios\. A name of some length 0\.0123: 0\.0123×\./ }).count()).toBe(
      1,
    );
    const rows = [];
    for (const figure of await page.locator('figure').all()) {
      await figure.getByText('As a table').click();
      await figure.locator('tbody tr').first().waitFor();
      rows.push(await figure.locator('tbody tr').count());
    }
    expect(rows.slice(0, 3)).toEqual([40, 5, 4]);
    // The rows of a histogram are its intervals, and nothing is lost in them.
    const counts = await page.locator('figure').nth(3).locator('tbody td:nth-child(2)').allInnerTexts();
    expect(counts.reduce((sum, count) => sum + Number(count), 0)).toBe(500);
    // Those of two columns are its points, each with its class.
    expect(rows[4]).toBe(3);
    expect(await page.locator('figure').nth(4).locator('tbody tr').first().innerText()).toMatch(/^1\s+−1,000\s+aster$/);
  });

  test('of numbers that are none, of too many and of no numbers at all are still charts', async () => {
    const page = await open(360);
    const html = await page.evaluate(async () => {
      const main = document.querySelector('main') as HTMLElement;
      const odd = [Number.NaN, Infinity, -Infinity, 0, -0, 1e300, -1e300, 5e-324];
      const bars = odd.map((value, k) => ({ name: `bar ${k}`, value }));
      const axes = { label: 'odd', x: 'x', y: 'y' };
      for (const lines of [
        [],
        [{ name: 'none', points: [] }],
        [{ name: 'one', points: [[3, 3]] as const }],
        [{ name: 'odd', points: odd.map((value, k) => [k, value] as const) }],
        [{ name: 'odd', points: odd.map((value) => [value, value] as const) }],
        [
          {
            name: 'many',
            points: Array.from({ length: 30_000 }, (_, k) => [k, k % 7 === 0 ? Number.NaN : k] as const),
          },
        ],
      ]) {
        main.append(charts.lineChart({ ...axes, lines, mark: Number.NaN }).element);
      }
      for (const isLog of [false, true]) {
        main.append(charts.barChart({ label: 'odd', value: 'v', isLog, bars }).element);
        main.append(charts.barChart({ label: 'none', value: 'v', isLog, bars: [] }).element);
      }
      const axis = (low: number, high: number) => ({ name: 'column', low, high });
      for (const [classes, scores] of [
        [
          ['a', 'b'],
          [1, -1, Number.NaN, 0],
        ],
        [
          ['a', 'b', 'c'],
          [0, 0, 0, ...odd, 1],
        ],
      ] as const) {
        const of = [0, 1, 1];
        main.append(charts.planeChart({ label: 'odd', x: axis(0, 0), y: axis(-1e300, 1e300), classes, size: 2, scores, points: [0, 0, 1, 1e300, 2, Number.NaN], of }).element); // biome-ignore format: one call
      }
      for (const values of [odd, [], [7], [7, 7], [Number.NaN], [1e308, -1e308]]) {
        main.append(charts.histogram({ label: 'odd', x: 'x', groups: [{ name: 'odd', values }] }).element);
      }
      for (const details of document.querySelectorAll('details')) details.open = true;
      // Pictures and tables are drawn when they are seen to have a size, and to be open.
      const isDrawn = () =>
        [...document.querySelectorAll('figure')].every(
          (figure) =>
            (figure.querySelector('.chart-picture')?.childElementCount ?? 0) > 0 && figure.querySelector('table'),
        );
      while (!isDrawn()) await new Promise((done) => setTimeout(done, 20));
      return [...document.querySelectorAll('.chart-picture')].map((picture) => picture.outerHTML).join('\n');
    });
    expect(html.match(/[\w-]+="[^"]*(NaN|Infinity|undefined)[^"]*"/g)).toBeNull();
    // The table of 30,000 points is one that can be read.
    const rows = await page.locator('figure').nth(5).locator('tbody tr').count();
    expect(rows).toBeGreaterThan(100);
    expect(rows).toBeLessThanOrEqual(201);
  });

  test('show the latest update of many, and keep nothing of the others', async () => {
    const page = await open(560);
    const show = (from: number, to: number) =>
      page.evaluate(
        ([first, last]) => {
          const options = (epochs: number) => ({
            label: `Mistakes of ${epochs} epochs`,
            x: 'epoch',
            y: 'mistakes',
            lines: [
              { name: 'mistakes', points: Array.from({ length: epochs }, (_, k) => [k, 1000 / (k + 1)] as const) },
            ],
          });
          const main = document.querySelector('main') as HTMLElement;
          const chart = charts.lineChart(options(first));
          main.replaceChildren(chart.element);
          for (let epochs = first + 1; epochs <= last; epochs++) chart.update(options(epochs));
        },
        [from, to] as const,
      );
    /** All there is, without the numbers of elements. */
    const shown = async () => (await page.locator('main').innerHTML()).replace(/(id|for|aria-\w+)="[^"]*\d+"/g, '');
    await show(300, 300);
    await drawn(page);
    const alone = await shown();
    await show(1, 300);
    await expect.poll(shown).toBe(alone);
  });
});
