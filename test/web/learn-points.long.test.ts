// Learn's points, by mouse, finger and keyboard.

import { describe, expect, test } from 'vitest';
import { hasBrowser } from '../browser/chromium.js';
import { at, hasFocus, openLearn, points, press, sentence, spoken, steps } from './learnpage.js';
import { accessibilityFaults, type OpenOptions, useSite } from './site.js';

const site = useSite();
const open = (address?: string, options?: OpenOptions) => openLearn(site, address, options);

describe.runIf(hasBrowser)('points', () => {
  test('by mouse: placed, of both classes, moved, flipped, removed', async () => {
    const page = await open();
    const empty = await at(page, 0.2, 0.2);
    await page.mouse.click(empty.x, empty.y);
    expect(await points(page).last().getAttribute('aria-label')).toMatch(
      /^Point 4 of 4, blue circle, at \(0\.4, 4\.6\)/,
    );
    await page.getByText('orange', { exact: true }).click();
    const other = await at(page, 0.8, 0.8);
    await page.mouse.click(other.x, other.y);
    expect(await points(page).last().getAttribute('aria-label')).toMatch(/^Point 5 of 5, orange triangle/);
    await page.keyboard.down('Shift');
    const third = await at(page, 0.5, 0.8);
    await page.mouse.click(third.x, third.y);
    await page.keyboard.up('Shift');
    expect(await points(page).last().getAttribute('aria-label')).toMatch(/^Point 6 of 6, blue circle/);

    // The page may have moved, for the buttons below.
    const [from, target] = [await at(page, 0.2, 0.2), await at(page, 0.6, 0.1)];
    await page.mouse.move(from.x, from.y);
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

  test('by mouse: pressed here and let go elsewhere, nothing is placed, then or later', async () => {
    const page = await open();
    const [inside, away] = [await at(page, 0.2, 0.2), await at(page, 1.6, 0.5)];
    await page.mouse.move(inside.x, inside.y);
    await page.mouse.down();
    await page.mouse.move(away.x, away.y);
    await page.mouse.up();
    await page.mouse.down();
    await page.mouse.move(inside.x, inside.y);
    await page.mouse.up();
    expect(await points(page).count()).toBe(3);
    await page.mouse.click(inside.x, inside.y);
    expect(await points(page).count()).toBe(4);
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
    expect(await hasFocus(page)).toBe('Point 4 of 4, blue circle, at (2.5, 2.5)');
    expect(await spoken(page)).toBe('Added: Point 4, blue circle, at (2.5, 2.5).');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Shift+ArrowDown');
    expect(await hasFocus(page)).toBe('Point 4 of 4, blue circle, at (2.4, 1.5)');
    expect(await spoken(page)).toBe('(2.4, 1.5)');
    await page.keyboard.press(' ');
    expect(await hasFocus(page)).toBe('Point 4 of 4, orange triangle, at (2.4, 1.5)');
    expect(await spoken(page)).toBe('Point 4 is orange now.');
    // It is a button for those who hear the page: Enter, and a click that no pointer made, do what Space does.
    await page.keyboard.press('Enter');
    expect(await hasFocus(page)).toBe('Point 4 of 4, blue circle, at (2.4, 1.5)');
    await points(page).last().dispatchEvent('click');
    expect(await hasFocus(page)).toBe('Point 4 of 4, orange triangle, at (2.4, 1.5)');
    await page.keyboard.press('Home');
    expect(await hasFocus(page)).toMatch(/^Point 1/);
    await page.keyboard.press('PageDown');
    expect(await hasFocus(page)).toMatch(/^Point 2/);
    await page.keyboard.press('Delete');
    expect(await spoken(page)).toBe('Removed point 2. 3 points left.');
    expect(await points(page).count()).toBe(3);
    expect(await hasFocus(page)).toMatch(/^Point 2 of 3, orange triangle, at \(1, 1\)/);
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
    await page.locator('.point-list tbody tr').first().waitFor();
    const rows = await page.locator('.point-list tbody tr').allInnerTexts();
    expect(rows.map((row) => row.split(/\s+/))).toEqual([
      ['1', 'blue', '3', '3', '2'],
      ['2', 'blue', '4', '3', '0'],
      ['3', 'orange', '1', '1', '5'],
    ]);
  });
});
