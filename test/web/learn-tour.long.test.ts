// How Learn begins and how it leads on: the opening and whatever stops it, and the guided tour.

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { stops } from '../../web/src/learn/tour.js';
import { hasBrowser } from '../browser/chromium.js';
import {
  bothWidths,
  openLearn,
  pathOf,
  points,
  press,
  sentence,
  settled,
  spoken,
  steps,
  stopClock,
  written,
} from './learnpage.js';
import { accessibilityFaults, type OpenOptions, overflow, useSite } from './site.js';

const site = useSite();
const open = (address?: string, options?: OpenOptions) => openLearn(site, address, options);

/** With motion, and a clock that stands still. */
const openMoving = (address?: string, options?: OpenOptions) =>
  open(address, { reducedMotion: 'no-preference', before: stopClock, ...options });

const isPlaying = (page: Page) => page.getByRole('button', { name: 'Pause' }).isVisible();
const where = (page: Page) => page.locator('.where').innerText();

describe.runIf(hasBrowser)('the opening', () => {
  test.each([
    ['with reduced motion', '', { reducedMotion: 'reduce' }],
    ['where the address names a step', '#/learn?step=2&play=1', {}],
    ['with other points', '#/learn?preset=xor', {}],
    ['on the tour', '#/learn?tour=1', {}],
    ['in a frame', '?embed=1#/learn', {}],
    ['where the address forbids it', '#/learn?play=0', {}],
  ] as const)('does not play %s', async (_, address, options) => {
    const page = await openMoving(address, options);
    const before = await where(page);
    await page.clock.runFor(5000);
    expect([await isPlaying(page), await where(page)]).toEqual([false, before]);
  });

  test('plays in a frame, and with other points, where the address asks for it', async () => {
    const page = await openMoving('?embed=1#/learn?preset=separable&play=1');
    await page.clock.runFor(5000);
    expect(await where(page)).toMatch(/ · [3-4] mistakes/);
    expect(await page.getByRole('link', { name: 'Open in the playground' }).getAttribute('href')).toContain('step=');
  });

  test.each([
    ['a click', (page: Page) => page.locator('.lead').click()],
    ['a key', (page: Page) => page.keyboard.press('Tab')],
    ['its own button', (page: Page) => press(page, 'Pause')],
    ['P', (page: Page) => page.keyboard.press('p')],
  ])('is stopped by %s, and stays where it was', async (_, touch) => {
    const page = await openMoving();
    await page.clock.runFor(1000);
    await touch(page);
    expect(await isPlaying(page)).toBe(false);
    await page.clock.runFor(5000);
    expect(await where(page)).toContain('· 1 mistake ·');
    expect(new URL(page.url()).hash).toBe('#/learn?step=1');
  });

  test('gives way to Step, to Reset and to a point that is moved', async () => {
    const page = await openMoving();
    await page.clock.runFor(1000);
    await page.keyboard.press('s');
    expect([await isPlaying(page), await where(page)]).toEqual([false, expect.stringContaining('· 2 mistakes ·')]);
    const again = await openMoving();
    await again.clock.runFor(1000);
    await press(again, 'Reset');
    expect([await isPlaying(again), await sentence(again)]).toEqual([false, 'Can one line split these?']);
    const moved = await openMoving();
    await moved.clock.runFor(1000);
    await points(moved).first().focus();
    await moved.keyboard.press('ArrowLeft');
    await moved.clock.runFor(5000);
    expect(await isPlaying(moved)).toBe(false);
    expect(moved.url()).toContain('points=');
  });

  test('plays once: who comes back from another part finds what was there', async () => {
    const page = await openMoving();
    await page.clock.runFor(12_000);
    await page.getByRole('link', { name: 'Measure' }).click();
    await page.locator('main.part-measure').waitFor();
    await page.getByRole('link', { name: 'Learn', exact: true }).click();
    await page.locator('.learn .sentence').waitFor();
    expect([await isPlaying(page), await sentence(page)]).toEqual([false, 'Separated after 7 mistakes.']);
  });
});

describe.runIf(hasBrowser)('the guided tour', () => {
  const card = (page: Page) => page.locator('.tour-card');

  test.each(bothWidths)('%s: from stop to stop by its buttons; each has a link, and is told', async (width) => {
    const page = await open('#/learn?tour=1', { width });
    for (const [k, { title, task }] of stops.entries()) {
      expect(await card(page).getByRole('heading').innerText()).toBe(title);
      expect(await card(page).innerText()).toContain(task);
      expect(await page.locator('.stop[aria-current=step]').innerText()).toBe(String(k + 1));
      expect(new URL(page.url()).hash).toBe(`#/learn?tour=${k + 1}`);
      if (k > 0) {
        expect(await spoken(page)).toContain(`Stop ${k + 1} of 6: ${title}.`);
        expect(await page.evaluate(() => document.activeElement?.closest('.tour-card') !== null)).toBe(true);
      }
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await accessibilityFaults(page), `${title}, ${colorScheme}`).toEqual([]);
      }
      await card(page).getByRole('link').click();
      await expect.poll(() => card(page).getByRole('heading').allInnerTexts()).not.toEqual([title]);
    }
    expect(await card(page).isVisible()).toBe(false);
    expect(await points(page).count()).toBe(3);
    await page.goBack();
    await expect.poll(() => card(page).getByRole('heading').allInnerTexts()).toEqual([stops.at(-1)?.title]);
  });

  test('its things to try: another order, a margin, the pocket, a kernel', async () => {
    const page = await open('#/learn?tour=2');
    await page.getByLabel('Speed', { exact: true }).fill('4');
    const line = async (button: string) => {
      await press(page, button);
      await page.getByRole('button', { name: 'Play' }).waitFor();
      return pathOf(page, 'line');
    };
    const listed = await line('Play');
    expect(await sentence(page)).toBe('Separated after 19 mistakes.');
    expect(await line('Shuffle the points')).not.toBe(listed);
    expect(await sentence(page)).toBe('Separated after 14 mistakes.');
    // The next stop is the thing to do now, and nothing else invites.
    expect(await page.locator('.main:visible').allInnerTexts()).toEqual(['Next: Not unique']);
    await page.getByRole('link', { name: 'Next: Not unique' }).click();
    const others = async () => ((await pathOf(page, 'other-lines')) ?? '').split('M').length - 1;
    await expect.poll(others).toBe(30);
    await line('Ask for a margin of 20');
    await expect.poll(others).toBe(30);
    expect(await page.locator('.where').innerText()).toMatch(/margin asked for reaches [\d.]+ from the line/);
    expect(await pathOf(page, 'contour:not(.bent)')).not.toBe('');
    await page.getByRole('link', { name: 'Stop 4' }).click();
    await line('Keep the best line');
    expect(await pathOf(page, 'best-line')).not.toBe('');
    await page.getByRole('link', { name: 'Stop 6' }).click();
    await line('Play');
    const bent = await pathOf(page, 'border');
    await line('Take the RBF kernel');
    expect(await pathOf(page, 'border')).not.toBe(bent);
  });

  test('on a phone, what just happened can be read while one steps', async () => {
    const page = await site.open('#/learn?tour=4', { width: 'phone' });
    await page.getByRole('button', { name: 'Step', exact: true }).click();
    const [said, controls] = [
      await page.locator('.sentence').boundingBox(),
      await page.locator('.controls').boundingBox(),
    ];
    expect((said?.y ?? 0) + (said?.height ?? 0)).toBeLessThanOrEqual(controls?.y ?? 0);
  });

  test('a link is followed, though the address of the step before is about to be written', async () => {
    const page = await open('#/learn?tour=3');
    await page.evaluate(() => {
      const due: (() => void)[] = [];
      const { setTimeout: usual } = globalThis;
      globalThis.setTimeout = ((action: () => void) => due.push(action)) as unknown as typeof usual;
      (document.querySelector('button.step') as HTMLElement).click();
      globalThis.setTimeout = usual;
      location.hash = '#/learn?tour=4';
      for (const act of due) act(); // before the event that tells of the new address
    });
    await expect.poll(() => card(page).getByRole('heading').innerText()).toBe(stops[3]?.title);
  });

  test('a stop is kept through its steps and changes, and left by other points', async () => {
    const page = await open('#/learn?tour=3');
    await steps(page, 2);
    await written(page);
    expect(page.url()).toMatch(/#\/learn\?tour=3&step=\d+$/);
    await page.reload();
    await page.locator('.learn .sentence').waitFor();
    expect(await where(page)).toContain('· 2 mistakes');
    await press(page, 'Moons');
    expect(await card(page).isVisible()).toBe(false);
    await written(page);
    expect(new URL(page.url()).hash).toBe('#/learn?preset=moons');
  });

  test.each(bothWidths)('%s, in a frame: its words, its buttons and its way on', async (width) => {
    const page = await open('?embed=1#/learn?tour=2', { width });
    expect(await card(page).getByRole('heading').innerText()).toBe(stops[1]?.title);
    await steps(page, 2);
    await settled(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    await page.getByRole('link', { name: 'Next stop' }).click();
    await expect.poll(() => card(page).getByRole('heading').innerText()).toBe(stops[2]?.title);
  });
});
