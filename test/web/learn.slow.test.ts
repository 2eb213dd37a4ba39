// Learn as a person walks it: the first ten seconds, points by mouse and by keyboard, everything in the drawer, the address.

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { hasBrowser } from '../browser/chromium.js';
import { accessibilityFaults, type OpenOptions, overflow, useSite, type Width, widths } from './site.js';

const site = useSite();

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();
const sentence = (page: Page) => page.locator('.sentence').innerText();
const spoken = (page: Page) => page.locator('#spoken').textContent();
const points = (page: Page) => page.locator('.point');
const pathOf = (page: Page, name: string) => page.locator(`.plane-picture .${name}`).last().getAttribute('d');
const hasFocus = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));

async function steps(page: Page, count: number): Promise<void> {
  for (let i = 0; i < count; i++) await press(page, 'Step');
}

/** The result of a row of the equation, as it is read: "(1, 1)". */
const result = async (page: Page, name: string): Promise<string> => {
  const row = page.locator('.equation tr').filter({ has: page.locator('th', { hasText: new RegExp(`^${name}$`) }) });
  return ((await row.locator('.result').textContent()) ?? '').replace(/^= /, '');
};

/** Waits for lines that are on their way. */
const settled = (page: Page) => page.waitForTimeout(300);

/** A place of the plane, as a share of its width and height from the top left, in pixels of the page. */
async function at(page: Page, across: number, down: number): Promise<{ x: number; y: number }> {
  const box = await page.locator('.plane').boundingBox();
  if (!box) throw new Error('there is no plane');
  return { x: box.x + across * box.width, y: box.y + down * box.height };
}

async function open(address = '#/learn', options: OpenOptions = {}): Promise<Page> {
  const page = await site.open(address, options);
  await page.locator('.learn .sentence').waitFor();
  return page;
}

/** Opens what a phone keeps folded. */
async function unfold(page: Page, title: string): Promise<void> {
  const summary = page.locator('summary', { hasText: title });
  if (await summary.isVisible()) await summary.click();
}

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

const bothWidths = Object.keys(widths) as Width[];

describe.runIf(hasBrowser)('the first ten seconds', () => {
  test.each(bothWidths)('%s: seven clicks lead to the line of the worked example', async (width) => {
    const page = await open('', { width });
    expect(await points(page).count()).toBe(3);
    expect(await sentence(page)).toBe('Can one line split these?');
    expect(await pathOf(page, 'line')).toBe('');
    expect(await pathOf(page, 'arrow')).toBe('');
    await unfold(page, 'The numbers');
    for (const [index, [w, b]] of WORKED.entries()) {
      await press(page, 'Step');
      expect([index + 1, await result(page, 'w'), await result(page, 'b')]).toEqual([index + 1, w, b]);
      expect(await spoken(page)).toContain(`w is ${w.slice(1, -1)}; b is ${b}.`);
      await settled(page);
      // At the fourth w is 0 for a moment, and there is no line.
      expect((await pathOf(page, 'line')) !== '').toBe(w !== '(0, 0)');
      expect((await pathOf(page, 'change')) !== '').toBe(true);
    }
    expect(await sentence(page)).toContain('Separated after 7 mistakes');
    expect(await page.locator('.where').innerText()).toContain('x₁ + x₂ − 3 = 0');
    // One button invites at a time: the next thing to try.
    expect(await page.locator('button.main:visible').allInnerTexts()).toEqual(['Try XOR']);
  });

  test.each(bothWidths)('%s: XOR refuses a line, and yields to one that bends', async (width) => {
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
        return data.slice(i, i + 4).join();
      });
    });
    expect(colours[0]).toBe(colours[1]);
    expect(colours[2]).toBe(colours[3]);
    expect(colours[0]).not.toBe(colours[2]);
  });
});

describe.runIf(hasBrowser)('steps', () => {
  test('to the next point, one sample at a time', async () => {
    const page = await open();
    await page.getByLabel('next point').check();
    await steps(page, 2);
    expect(await sentence(page)).toMatch(/Point 2 .*nothing to do/);
    expect(await page.locator('.equation tr').count()).toBe(1);
    await page.getByLabel('next mistake').check();
    await press(page, 'Step');
    expect(await result(page, 'w')).toBe('(2, 2)');
  });

  test('play goes to the end, saying totals only, and reset back to the start', async () => {
    const page = await open();
    await page.evaluate(() => {
      const heard: string[] = [];
      Object.assign(globalThis, { heard });
      const region = document.querySelector('#spoken') as Element;
      new MutationObserver(() => heard.push(region.textContent ?? '')).observe(region, { childList: true });
    });
    await page.getByLabel('Speed', { exact: true }).fill('0');
    await press(page, 'Play');
    expect(await page.getByRole('button', { name: 'Pause' }).isVisible()).toBe(true);
    await page.locator('.sentence', { hasText: 'Separated after 7 mistakes' }).waitFor();
    expect(await page.getByRole('button', { name: 'Play' }).isVisible()).toBe(true);
    const heard = await page.evaluate(() => (globalThis as unknown as { heard: string[] }).heard);
    // Seven steps in six seconds.
    expect(heard.length).toBeLessThanOrEqual(3);
    expect(heard[0]).toMatch(/^Round \d, \d mistakes so far\.$/);
    expect(heard.at(-1)).toContain('Separated after 7 mistakes');
    await press(page, 'Reset');
    expect(await sentence(page)).toBe('Can one line split these?');
    expect(await pathOf(page, 'line')).toBe('');
  });

  test('play can be paused, and gone on with by hand', async () => {
    const page = await open('#/learn?preset=separable');
    await press(page, 'Play');
    await page.locator('.where', { hasText: '2 mistakes' }).waitFor();
    await press(page, 'Pause');
    const before = await page.locator('.where').innerText();
    await page.waitForTimeout(700);
    expect(await page.locator('.where').innerText()).toBe(before);
    await press(page, 'Step');
    expect(await page.locator('.where').innerText()).not.toBe(before);
  });

  test('letters step, play and reset where the focus is on them', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Step' }).focus();
    await page.keyboard.press('s');
    await page.keyboard.press('s');
    expect(await result(page, 'w')).toBe('(2, 2)');
    await page.keyboard.press('r');
    expect(await sentence(page)).toBe('Can one line split these?');
    await page.keyboard.press('p');
    await page.locator('.sentence', { hasText: 'Separated' }).waitFor();
  });

  test('whoever asks for no motion sees none', async () => {
    const page = await open('', { reducedMotion: 'reduce' });
    await steps(page, 1);
    const line = await pathOf(page, 'line');
    await press(page, 'Step');
    const next = await pathOf(page, 'line');
    expect(next).not.toBe(line);
    await settled(page);
    expect(await pathOf(page, 'line')).toBe(next);
  });
});

describe.runIf(hasBrowser)('points', () => {
  test('by mouse: placed, of both classes, moved, flipped, removed', async () => {
    const page = await open();
    const empty = await at(page, 0.2, 0.2);
    await page.mouse.click(empty.x, empty.y);
    expect(await points(page).last().getAttribute('aria-label')).toMatch(/^Point 4, blue circle, at \(0\.4, 4\.6\)/);
    await page.getByText('orange', { exact: true }).click();
    const other = await at(page, 0.8, 0.8);
    await page.mouse.click(other.x, other.y);
    expect(await points(page).last().getAttribute('aria-label')).toMatch(/^Point 5, orange triangle/);
    await page.keyboard.down('Shift');
    const third = await at(page, 0.5, 0.8);
    await page.mouse.click(third.x, third.y);
    await page.keyboard.up('Shift');
    expect(await points(page).last().getAttribute('aria-label')).toMatch(/^Point 6, blue circle/);

    const target = await at(page, 0.6, 0.1);
    await page.mouse.move(empty.x, empty.y);
    await page.mouse.down();
    await page.mouse.move(target.x - 20, target.y, { steps: 4 });
    await page.mouse.move(target.x, target.y);
    await page.mouse.up();
    expect(await points(page).nth(3).getAttribute('aria-label')).toMatch(/at \(3\.2, 5\.3\)/);
    expect(await points(page).count()).toBe(6);

    await page.mouse.click(target.x, target.y);
    await press(page, 'Flip');
    expect(await points(page).nth(3).getAttribute('aria-label')).toMatch(/orange triangle/);
    await press(page, 'Remove');
    expect(await points(page).count()).toBe(5);
  });

  test('by finger: a tap places one', async () => {
    const page = await open('', { width: 'phone' });
    const place = await at(page, 0.3, 0.3);
    await page.touchscreen.tap(place.x, place.y);
    expect(await points(page).count()).toBe(4);
    await page.touchscreen.tap(place.x + 6, place.y);
    expect(await points(page).count()).toBe(4);
    await press(page, 'Remove');
    expect(await points(page).count()).toBe(3);
  });

  test('by finger: dragging one moves it, and not the page', async () => {
    const page = await open('', { width: 'phone' });
    const from = await points(page).first().boundingBox();
    const to = await at(page, 0.3, 0.2);
    if (!from) throw new Error('there is no point');
    const start = { x: from.x + from.width / 2, y: from.y + from.height / 2 };
    const finger = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', place?: { x: number; y: number }) =>
      finger.send('Input.dispatchTouchEvent', { type, touchPoints: place ? [place] : [] });
    await touch('touchStart', start);
    for (let i = 1; i <= 5; i++) {
      await touch('touchMove', {
        x: start.x + ((to.x - start.x) * i) / 5,
        y: start.y + ((to.y - start.y) * i) / 5,
      });
    }
    await touch('touchEnd');
    expect(await points(page).first().getAttribute('aria-label')).toMatch(/at \(1\.1, 4\.6\)/);
    expect(await page.evaluate(() => scrollY)).toBe(0);
    expect(await points(page).count()).toBe(3);
  });

  test('by keyboard alone, with words for what happens', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Add a point' }).focus();
    await page.keyboard.press('Enter');
    expect(await hasFocus(page)).toBe('Point 4, blue circle, at (2.5, 2.5)');
    expect(await spoken(page)).toBe('Added: Point 4, blue circle, at (2.5, 2.5).');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Shift+ArrowDown');
    expect(await hasFocus(page)).toBe('Point 4, blue circle, at (2.4, 1.5)');
    expect(await spoken(page)).toBe('(2.4, 1.5)');
    await page.keyboard.press(' ');
    expect(await hasFocus(page)).toBe('Point 4, orange triangle, at (2.4, 1.5)');
    expect(await spoken(page)).toBe('Point 4 is orange now.');
    await page.keyboard.press('Home');
    expect(await hasFocus(page)).toMatch(/^Point 1/);
    await page.keyboard.press('PageDown');
    expect(await hasFocus(page)).toMatch(/^Point 2/);
    await page.keyboard.press('Delete');
    expect(await spoken(page)).toBe('Removed point 2. 3 points left.');
    expect(await points(page).count()).toBe(3);
    expect(await hasFocus(page)).toMatch(/^Point 2, orange triangle, at \(1, 1\)/);
    await page.keyboard.press('s');
    expect(await spoken(page)).toContain('w is 3, 3; b is 1.');
  });

  test('all gone, it says what to do; and one Tab leads to the points', async () => {
    const page = await open();
    await points(page).first().focus();
    for (let i = 0; i < 3; i++) await page.keyboard.press('Delete');
    expect(await sentence(page)).toContain('No points yet');
    await page.getByRole('button', { name: 'Step' }).focus();
    await page.keyboard.press('Enter');
    expect(await sentence(page)).toContain('No points yet');
    expect(await accessibilityFaults(page)).toEqual([]);
    await press(page, 'Three points');
    expect(await page.locator('.point[tabindex="0"]').count()).toBe(1);
  });

  test('the table has them with their mistakes', async () => {
    const page = await open();
    await steps(page, 7);
    await page.locator('summary', { hasText: 'points as a table' }).click();
    const rows = await page.locator('.point-list tbody tr').allInnerTexts();
    expect(rows.map((row) => row.split(/\s+/))).toEqual([
      ['1', 'blue', '3', '3', '2'],
      ['2', 'blue', '4', '3', '0'],
      ['3', 'orange', '1', '1', '5'],
    ]);
  });
});

describe.runIf(hasBrowser)('the drawer', () => {
  const openDrawer = async (page: Page) => {
    await page.locator('.drawer > summary').click();
    await page.getByLabel('Border').waitFor();
  };

  test('is closed at first', async () => {
    const page = await open();
    expect(await page.getByLabel('Border').isVisible()).toBe(false);
  });

  test('the pocket keeps its best line beside the one that moves', async () => {
    const page = await open('#/learn?preset=noisy');
    await openDrawer(page);
    await page.getByLabel('Keep the best line in a pocket').check();
    await steps(page, 12);
    await settled(page);
    expect(await pathOf(page, 'best-line')).not.toBe('');
    expect(await page.locator('.best-name').textContent()).toMatch(/^best: \d+ wrong$/);
    expect(await pathOf(page, 'best-line')).not.toBe(await pathOf(page, 'line'));
  });

  test('primal and dual agree, and the Gram matrix is there', async () => {
    const page = await open();
    await openDrawer(page);
    await steps(page, 7);
    expect(await page.locator('.drawer').innerText()).toContain('2·(3, 3) − 5·(1, 1)');
    expect(await page.locator('.gram-value').allTextContents()).toEqual([
      '18',
      '21',
      '6',
      '21',
      '25',
      '7',
      '6',
      '7',
      '2',
    ]);
  });

  test('kernels bend the border, γ and degree where they are used', async () => {
    const page = await open('#/learn?preset=circles');
    await openDrawer(page);
    expect(await page.getByLabel('how near is near').isVisible()).toBe(false);
    await page.getByLabel('Border').selectOption('polynomial');
    expect(await page.getByLabel('Degree').isVisible()).toBe(true);
    await page.getByLabel('Speed', { exact: true }).fill('4');
    await press(page, 'Play');
    await page.locator('.sentence', { hasText: 'Separated' }).waitFor();
    expect(await pathOf(page, 'border')).not.toBe('');
    expect(await pathOf(page, 'line')).toBe('');
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  test('many seeds draw many lines', async () => {
    const page = await open('#/learn?preset=separable');
    await openDrawer(page);
    await page.getByLabel('Draw the lines of many seeds').check();
    const lines = (await pathOf(page, 'other-lines')) ?? '';
    expect(lines.split('M').length - 1).toBeGreaterThan(20);
    expect(await page.locator('.drawer').innerText()).toMatch(/\d+ different lines/);
    await page.getByLabel('Draw the lines of many seeds').uncheck();
    expect(await pathOf(page, 'other-lines')).toBe('');
  });

  test('learning rate, margin, order and seed change what is learned', async () => {
    const page = await open();
    await openDrawer(page);
    await page.getByLabel('Learning rate').fill('4');
    await press(page, 'Step');
    expect(await result(page, 'w')).toBe('(6, 6)');
    await page.getByLabel('Order of the points').selectOption('shuffle');
    expect(await page.getByLabel('next point').isDisabled()).toBe(true);
    await press(page, 'Another seed');
    expect(await page.locator('.drawer').innerText()).toContain('Seed 1');
    await page.getByLabel('Margin μ').fill('3');
    await steps(page, 2);
    expect(await page.locator('.row-check .result').innerText()).toMatch(/≤ 2$/);
  });
});

describe.runIf(hasBrowser)('the address', () => {
  const picture = async (page: Page) => ({
    sentence: await sentence(page),
    where: await page.locator('.where').textContent(),
    line: await pathOf(page, 'line'),
    points: await points(page).evaluateAll((all) => all.map((each) => each.getAttribute('aria-label'))),
  });

  test('holds the picture: opened elsewhere it is the same', async () => {
    const page = await open('#/learn?preset=separable', { permissions: ['clipboard-read', 'clipboard-write'] });
    await points(page).first().focus();
    await page.keyboard.press('Shift+ArrowLeft');
    await page.keyboard.press('PageDown');
    await page.keyboard.press(' ');
    await page.keyboard.press(' ');
    await steps(page, 5);
    await settled(page);
    await press(page, 'Copy link');
    await page.locator('.share', { hasText: 'Copied' }).waitFor();
    expect(await spoken(page)).toContain('copied');
    const link = await page.evaluate(() => navigator.clipboard.readText());
    expect(new URL(link).hash).toBe(new URL(page.url()).hash);
    const elsewhere = await open(new URL(link).hash);
    const [here, there] = [await picture(page), await picture(elsewhere)];
    expect(there.sentence).toBe(here.sentence);
    expect(there.where).toBe(here.where);
    expect(there.points).toEqual(here.points);
  });

  test('of a preset gives the very line', async () => {
    const page = await open('#/learn?preset=noisy');
    await steps(page, 9);
    await settled(page);
    const elsewhere = await open(new URL(page.url()).hash);
    expect(await picture(elsewhere)).toEqual(await picture(page));
  });

  test('changed by hand, it is followed; the history keeps one entry', async () => {
    const page = await open();
    await steps(page, 2);
    await page.evaluate(() => {
      location.hash = '#/learn?preset=xor&kernel=rbf&step=4';
    });
    await page.locator('.sentence', { hasText: 'Separated' }).waitFor();
    expect(await points(page).count()).toBe(4);
    await page.getByRole('link', { name: 'Measure' }).click();
    await page.locator('main.part-measure').waitFor();
    await page.goBack();
    await page.locator('.sentence', { hasText: 'Separated' }).waitFor();
  });

  test('where copying is not allowed, the address can be copied by hand', async () => {
    const page = await open();
    await page.evaluate(() => {
      Object.defineProperty(navigator, 'clipboard', { value: undefined });
    });
    await steps(page, 1);
    await press(page, 'Copy link');
    const field = page.getByLabel('The address of this picture');
    expect(await field.inputValue()).toContain('#/learn?step=1');
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  test.each(bothWidths)(
    '%s, embedded: the plane, the sentence, the buttons, and the way to the whole',
    async (width) => {
      const page = await open('?embed=1#/learn?preset=xor', { width });
      await steps(page, 3);
      await settled(page);
      const link = page.getByRole('link', { name: 'Open in the playground' });
      expect(await link.getAttribute('href')).toMatch(/\/#\/learn\?preset=xor&step=3$/);
      expect(await link.getAttribute('rel')).toBe('noopener');
      expect(await page.locator('.drawer').count()).toBe(0);
      expect(await accessibilityFaults(page)).toEqual([]);
      expect(await overflow(page)).toBeLessThanOrEqual(0);
    },
  );
});

describe.runIf(hasBrowser)('for everybody', () => {
  test.each([
    ...bothWidths.flatMap((width) => (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme }))),
  ])('$width, $colorScheme: no faults with all open, at work, and with a kernel', async ({ width, colorScheme }) => {
    const page = await open('#/learn?preset=noisy&trainer=pocket&open=seeds,more', { width, colorScheme });
    await unfold(page, 'The numbers');
    await unfold(page, 'points as a table');
    await unfold(page, 'Speed');
    await unfold(page, 'Points to begin with');
    await steps(page, 5);
    await settled(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    await press(page, 'Play');
    expect(await accessibilityFaults(page)).toEqual([]);
    await press(page, 'Pause');
    await page.getByLabel('Border').selectOption('rbf');
    await steps(page, 4);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
  });

  test.each([360, 390, 768, 1024, 1280, 1920])('nothing sticks out at %i pixels', async (width) => {
    const page = await open('#/learn?open=more&preset=moons', { viewport: { width, height: 800 } });
    await steps(page, 4);
    await settled(page);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
  });

  test('on a phone buttons are for fingers, the plane is wide, and the sentence is seen', async () => {
    const page = await open('', { width: 'phone' });
    await steps(page, 2);
    for (const name of ['Step', 'Play', 'Reset']) {
      const box = await page.getByRole('button', { name }).boundingBox();
      expect(box?.height).toBeGreaterThanOrEqual(44);
      expect(box?.width).toBeGreaterThanOrEqual(44);
    }
    const controls = await page.locator('.main-controls').boundingBox();
    expect((controls?.y ?? 0) + (controls?.height ?? 0)).toBe(widths.phone.height);
    const plane = await page.locator('.plane').boundingBox();
    expect(plane?.width).toBeGreaterThan(330);
    const said = await page.locator('.sentence').boundingBox();
    expect((said?.y ?? 0) + (said?.height ?? 0)).toBeLessThanOrEqual(controls?.y ?? 0);
  });

  test('without wasm it is the same', async () => {
    const page = await open('', { host: 'withoutWasm', expected: ['Content Security Policy', 'WebAssembly'] });
    await steps(page, 7);
    expect(await sentence(page)).toContain('Separated after 7 mistakes');
    expect([await result(page, 'w'), await result(page, 'b')]).toEqual(['(1, 1)', '−3']);
  });
});
