// What a person does and reads on Learn.

import type { Page } from 'playwright-core';
import { type OpenOptions, type Site, type Width, widths } from './site.js';

export const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();
export const sentence = (page: Page) => page.locator('.sentence').innerText();
export const spoken = (page: Page) => page.locator('#spoken').textContent();
export const points = (page: Page) => page.locator('.point');
export const pathOf = (page: Page, name: string) => page.locator(`.plane-picture .${name}`).last().getAttribute('d');
export const hasFocus = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));

export async function steps(page: Page, count: number): Promise<void> {
  for (let i = 0; i < count; i++) await press(page, 'Step');
}

/** The result of a row of the equation, as it is read: "(1, 1)". */
export const result = async (page: Page, name: string): Promise<string> => {
  const row = page.locator('.equation tr').filter({ has: page.locator('th', { hasText: new RegExp(`^${name}$`) }) });
  return ((await row.locator('.result').textContent()) ?? '').replace(/^= /, '');
};

/** Waits for lines that are on their way: until nothing has changed for three frames. */
export const settled = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        let last = '';
        let still = 0;
        const look = () => {
          const paths = document.querySelectorAll('.plane-picture path');
          const now = Array.from(paths, (path) => path.getAttribute('d')).join();
          still = now === last ? still + 1 : 0;
          last = now;
          if (still < 3) requestAnimationFrame(look);
          else resolve();
        };
        look();
      }),
  );

/** Waits until the address holds what is shown: the page's own timer for it ends before this one, however slow it all is. */
export const written = (page: Page) => page.evaluate(() => new Promise<void>((resolve) => setTimeout(resolve, 250)));

/** A place of the square in the middle of the plane, which holds the window: shares of it from the top left, to pixels of the page. */
export async function at(page: Page, across: number, down: number): Promise<{ x: number; y: number }> {
  const box = await page.locator('.plane').boundingBox();
  if (!box) throw new Error('there is no plane');
  const side = Math.min(box.width, box.height);
  return {
    x: box.x + (box.width - side) / 2 + across * side,
    y: box.y + (box.height - side) / 2 + down * side,
  };
}

/** Without motion, unless asked: then a page that was just opened does not play by itself. */
export async function openLearn(site: Site, address = '#/learn', options: OpenOptions = {}): Promise<Page> {
  const page = await site.open(address, { reducedMotion: 'reduce', ...options });
  await page.locator('.learn .sentence').waitFor();
  return page;
}

/** For `before`: a clock that stands still until it is told to go on, so that no test depends on how fast the machine is. */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(1000);
}

/** Opens what a phone keeps folded. */
export async function unfold(page: Page, title: string): Promise<void> {
  const summary = page.locator('summary', { hasText: title });
  if (await summary.isVisible()) await summary.click();
}

export const bothWidths = Object.keys(widths) as Width[];
