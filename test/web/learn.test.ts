// Learn as a person walks it: the first ten seconds, at both widths.

import { describe, expect, test } from 'vitest';
import { hasBrowser } from '../browser/chromium.js';
import { someOf } from '../effort.js';
import {
  bothWidths,
  openLearn,
  pathOf,
  points,
  press,
  result,
  sentence,
  settled,
  spoken,
  steps,
  stopClock,
  unfold,
} from './learnpage.js';
import { type OpenOptions, useSite } from './site.js';

const site = useSite();
const open = (address?: string, options?: OpenOptions) => openLearn(site, address, options);

/** SPEC §10. */
const WORKED = [
  ['(3, 3)', '1'],
  ['(2, 2)', '0'],
  ['(1, 1)', '−1'],
  ['(0, 0)', '−2'],
  ['(3, 3)', '−1'],
  ['(2, 2)', '−2'],
  ['(1, 1)', '−3'],
] as const;

describe.runIf(hasBrowser)('the first ten seconds', () => {
  test('of a page that nobody touches: seven mistakes by themselves, and then it is your turn', async () => {
    const page = await open('', { reducedMotion: 'no-preference', before: stopClock });
    // What this is, what the symbols will mean, and buttons that work at once.
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toMatch(/^A perceptron is .*\.$/);
    expect(await page.locator('.symbols dt').allInnerTexts()).toEqual(['w', 'b', 'y', 's', 'y·s', 'η']);
    expect(await page.locator('.symbols').evaluate((one: HTMLDetailsElement) => one.open)).toBe(true);
    expect(await page.getByRole('button', { name: 'Pause' }).isVisible()).toBe(true);
    await page.clock.runFor(1000);
    expect(await page.locator('.where').innerText()).toContain('· 1 mistake ·');
    expect(await page.locator('.symbols').evaluate((one: HTMLDetailsElement) => one.open)).toBe(false);
    await page.clock.runFor(12_000);
    expect(await sentence(page)).toBe('Separated after 7 mistakes. Your turn.');
    expect(await spoken(page)).toMatch(/^Separated after 7 mistakes\. .* Your turn\.$/);
    expect(await page.getByRole('link', { name: 'take the guided tour' }).isVisible()).toBe(true);
    // The address is still that of the page: a link to it begins as this one did.
    expect(new URL(page.url()).hash).toBe('#/learn');
    await press(page, 'Play');
    await page.clock.runFor(400);
    expect(await page.locator('.where').innerText()).toContain('· 1 mistake ·');
  });

  test.each(someOf(bothWidths, ['desktop']))(
    '%s: seven clicks lead to the line of the worked example',
    async (width) => {
      const page = await open('', { width });
      expect(await points(page).count()).toBe(3);
      expect(await sentence(page)).toBe('Can one line split these?');
      expect(await pathOf(page, 'line')).toBe('');
      expect(await pathOf(page, 'arrow')).toBe('');
      expect(await page.locator('button.main:visible').allInnerTexts()).toEqual(['Step\nS']);
      await unfold(page, 'The numbers, and');
      for (const [index, [w, b]] of WORKED.entries()) {
        await press(page, 'Step');
        expect([index + 1, await result(page, 'w'), await result(page, 'b')]).toEqual([index + 1, w, b]);
        expect(await spoken(page)).toContain(`w is ${w.slice(1, -1)}; b is ${b}.`);
        await settled(page);
        // At the fourth w is 0 for a moment, and there is no line.
        expect((await pathOf(page, 'line')) !== '').toBe(w !== '(0, 0)');
        if (index === 0) expect(await pathOf(page, 'arrow')).toMatch(/^M[\d.]+/);
        expect((await pathOf(page, 'change')) !== '').toBe(true);
      }
      expect(await sentence(page)).toContain('Separated after 7 mistakes');
      expect(await page.locator('.where').innerText()).toContain('x₁ + x₂ − 3 = 0');
      // One button invites at a time: the next thing to try.
      expect(await page.locator('button.main:visible').allInnerTexts()).toEqual(['Try XOR']);
    },
  );

  test.each(someOf(bothWidths, ['desktop']))('%s: XOR refuses a line, and yields to one that bends', async (width) => {
    const page = await open('', { width });
    await steps(page, 7);
    await press(page, 'Try XOR');
    expect(await points(page).count()).toBe(4);
    const bend = page.getByRole('button', { name: 'Bend it' });
    for (let i = 0; i < 60 && !(await bend.isVisible()); i++) await press(page, 'Step');
    expect(await sentence(page)).toContain('No line can');
    expect(await page.locator('button.main:visible').allInnerTexts()).toEqual(['Bend it']);
    expect(await page.locator('canvas.regions').isVisible()).toBe(false);
    await bend.click();
    await page.locator('.sentence', { hasText: 'Separated' }).waitFor();
    expect(await page.locator('canvas.regions').isVisible()).toBe(true);
    expect(await pathOf(page, 'border')).not.toBe('');
    // The four corners have the colours of their classes: opposite ones the same.
    const colours = await page.locator('canvas.regions').evaluate((canvas: HTMLCanvasElement) => {
      const { width: w, height: h } = canvas;
      const { data } = (canvas.getContext('2d') as CanvasRenderingContext2D).getImageData(0, 0, w, h);
      const shares = [
        [0.25, 0.25],
        [0.75, 0.75],
        [0.25, 0.75],
        [0.75, 0.25],
      ] as const;
      return shares.map(([x, y]) => {
        const i = 4 * (Math.round(y * h) * w + Math.round(x * w));
        // Which of red and blue there is more of: shades differ with the distance from the border.
        return Math.sign((data[i] as number) - (data[i + 2] as number));
      });
    });
    expect(colours).toEqual([-1, -1, 1, 1]);
  });
});
