// Everything else on Learn: all ways to step, the drawer, the address, and whether anybody can use it.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { hasBrowser } from '../browser/chromium.js';
import {
  bothWidths,
  hasFocus,
  openLearn,
  pathOf,
  points,
  press,
  result,
  sentence,
  settled,
  spoken,
  steps,
  unfold,
  written,
} from './learnpage.js';
import { accessibilityFaults, type OpenOptions, overflow, useSite, widths } from './site.js';

const site = useSite();
const open = (address?: string, options?: OpenOptions) => openLearn(site, address, options);

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
      const heard: { text: string; at: number }[] = [];
      Object.assign(globalThis, { heard, began: performance.now() });
      const region = document.querySelector('#spoken') as Element;
      const hear = () => heard.push({ text: region.textContent ?? '', at: performance.now() });
      new MutationObserver(hear).observe(region, { childList: true });
    });
    await page.getByLabel('Speed', { exact: true }).fill('0');
    await press(page, 'Play');
    expect(await page.getByRole('button', { name: 'Pause' }).isVisible()).toBe(true);
    await page.locator('.sentence', { hasText: 'Separated after 7 mistakes' }).waitFor();
    expect(await page.getByRole('button', { name: 'Play' }).isVisible()).toBe(true);
    const { heard, began } = await page.evaluate(() => {
      const noted = globalThis as unknown as { heard: { text: string; at: number }[]; began: number };
      return { heard: noted.heard, began: noted.began };
    });
    // One sentence in three seconds at most, however long seven steps take here; and the end.
    const last = heard.at(-1)!;
    expect(heard.length).toBeLessThanOrEqual(Math.floor((last.at - began) / 3000) + 1);
    expect(heard[0]!.text).toMatch(/^Epoch \d, \d mistakes so far\.$/);
    expect(last.text).toContain('Separated after 7 mistakes');
    await press(page, 'Reset');
    expect(await sentence(page)).toBe('Can one line split these?');
    expect(await pathOf(page, 'line')).toBe('');
  });

  test('play can be paused, and gone on with by hand', async () => {
    const page = await open('#/learn?preset=xor'); // many steps, however late the pause comes
    await page.getByLabel('Speed', { exact: true }).fill('0');
    await press(page, 'Play');
    await page.locator('.where', { hasText: / 2 mistakes/ }).waitFor();
    await press(page, 'Pause');
    const before = await page.locator('.where').innerText();
    await page.waitForTimeout(700);
    expect(await page.locator('.where').innerText()).toBe(before);
    await press(page, 'Step');
    expect(await page.locator('.where').innerText()).not.toBe(before);
  });

  test('letters step, play and reset anywhere but in a field, and can be switched off', async () => {
    const page = await open();
    for (const [name, key] of [
      ['Step', 'S'],
      ['Play', 'P'],
      ['Reset', 'R'],
    ] as const) {
      // biome-ignore format: three
      const button = page.getByRole('button', { name, exact: true });
      expect([await button.getAttribute('aria-keyshortcuts'), await button.locator('kbd').innerText()]).toEqual([
        key,
        key,
      ]);
    }
    const where = () => page.locator('.where').innerText();
    await page.keyboard.press('s'); // the focus is nowhere
    await page.getByRole('link', { name: 'Measure' }).focus();
    await page.keyboard.press('Shift+S');
    expect(await result(page, 'w')).toBe('(2, 2)');
    await page.keyboard.press('Control+s');
    await page.keyboard.press('r');
    expect(await sentence(page)).toBe('Can one line split these?');
    await page.locator('.drawer > summary').click();
    await page.getByLabel('Border').focus();
    await page.keyboard.press('s');
    expect(await where()).toContain('0 mistakes');
    await page.locator('summary', { hasText: 'the keyboard' }).click();
    await page.getByLabel('S, P and R work anywhere').uncheck();
    await page.keyboard.press('s');
    expect(await where()).toContain('0 mistakes');
    await page.getByRole('button', { name: 'Step', exact: true }).focus();
    await page.keyboard.press('s');
    expect(await where()).toContain('1 mistake');
    await page.getByLabel('S, P and R work anywhere').check();
    await page.getByRole('link', { name: 'Measure' }).focus();
    await page.keyboard.press('p');
    await page.locator('.sentence', { hasText: 'Separated' }).waitFor();
  });

  /** How many lines are drawn, one after the other, by a click on Step. */
  async function drawnBy(page: Page): Promise<number> {
    await page.evaluate(() => {
      const drawn = new Set<string | null>();
      Object.assign(globalThis, { drawn });
      const line = [...document.querySelectorAll('.plane-picture .line')].at(-1) as Element;
      new MutationObserver(() => drawn.add(line.getAttribute('d'))).observe(line, { attributeFilter: ['d'] });
    });
    await page.clock.install(); // as many frames as the line takes, however slow the machine is
    await press(page, 'Step');
    await page.clock.runFor(1000);
    return page.evaluate(() => (globalThis as unknown as { drawn: Set<string> }).drawn.size);
  }

  test('move the line, but for whoever asks for no motion', async () => {
    for (const reducedMotion of ['no-preference', 'reduce'] as const) {
      const page = await open('', { reducedMotion });
      await steps(page, 1);
      await settled(page);
      const drawn = await drawnBy(page);
      if (reducedMotion === 'reduce') expect(drawn).toBe(1);
      else expect(drawn).toBeGreaterThan(1);
    }
  });
});

describe.runIf(hasBrowser)('points', () => {
  test('an arrow moves one coordinate, and leaves the other as it is', async () => {
    const page = await open('#/learn?points=1.234,2.345,1;4,4,-1');
    await points(page).first().focus();
    await page.keyboard.press('ArrowRight');
    expect(await hasFocus(page)).toMatch(/^Point 1 of 2, blue circle, at \(1\.\d, 2\.345\)$/);
  });

  test('200 are the most, which is to be seen; and every press of a key counts, however long learning takes', async () => {
    const many = Array.from({ length: 200 }, (_, i) => `${(i * 37) % 19},${(i * 53) % 23},${i % 2 ? 1 : -1}`).join(';');
    const page = await open(`#/learn?points=${many}&window=-10,30,-10,30`);
    expect(await page.getByText('200 points are the most there can be').isVisible()).toBe(true);
    await points(page).first().focus();
    for (let i = 0; i < 5; i++) await page.keyboard.press('ArrowLeft');
    expect(await spoken(page)).toBe('(−2.5, 0)');
    await expect.poll(() => hasFocus(page)).toBe('Point 1 of 200, orange triangle, at (−2.5, 0)');
    await page.keyboard.press('Delete');
    expect(await points(page).count()).toBe(199);
    expect(await page.getByText('200 points are the most there can be').isVisible()).toBe(false);
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
    // n of the three points is 2, 0 and 5: areas of the dots beside the rows.
    const radii = await page
      .locator('.gram-dots circle')
      .evaluateAll((all) => all.map((one) => Number(one.getAttribute('r'))));
    expect(radii.map((r) => (5 * (r / (radii[2] as number)) ** 2).toFixed(6))).toEqual([
      '2.000000',
      '0.000000',
      '5.000000',
    ]);
    expect(radii[2]).toBeGreaterThan(0);
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
    await page.locator('summary', { hasText: 'The heat map as a table' }).click();
    const rows = page.getByRole('table', { name: 'The heat map in numbers' }).locator('tbody tr');
    await rows.first().waitFor(); // made when it is opened, which is told a moment later
    expect((await rows.allInnerTexts()).map((row) => row.split(/\s+/).join(' '))).toEqual([
      'x₁ 18 21 6',
      'x₂ 21 25 7',
      'x₃ 6 7 2',
    ]);
  });

  test('of many points the heat map is a table, too: to scroll in, or the row of the last correction', async () => {
    const page = await open('#/learn?preset=separable&open=more');
    await page.getByLabel('Border').waitFor();
    const count = await points(page).count();
    expect(count).toBeGreaterThan(12);
    expect(count).toBeLessThanOrEqual(40);
    await page.locator('summary', { hasText: 'The heat map as a table' }).click();
    const whole = page.getByRole('table', { name: 'The heat map in numbers' });
    await whole.waitFor();
    expect([
      await whole.locator('tbody tr').count(),
      await whole.locator('tbody tr').first().locator('td').count(),
    ]).toEqual([count, count]);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    const many = Array.from({ length: 60 }, (_, i) => `${i % 8},${(i * 5) % 11},${i % 2 ? 1 : -1}`).join(';');
    await page.evaluate((given) => {
      location.hash = `#/learn?points=${given}&open=more`;
    }, many);
    await expect.poll(() => points(page).count()).toBe(60);
    expect(await page.getByText('The heat map as a table').isVisible()).toBe(false);
    expect(await page.getByText('The row of the last correction').isVisible()).toBe(false);
    await steps(page, 2);
    await page.locator('summary', { hasText: 'The row of the last correction' }).click();
    const row = page.getByRole('table', { name: 'One row of the heat map in numbers' });
    await row.waitFor();
    expect(await row.locator('tbody tr').count()).toBe(await points(page).count());
    const corrected = /Point (\d+)/i.exec(await sentence(page))?.[1] ?? '';
    const digits = [...corrected].map((digit) => String.fromCharCode(0x2080 + Number(digit))).join('');
    expect(await row.locator('thead').innerText()).toContain(`with x${digits}`);
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  test('the bracket of the margin has a bar for each epoch, and all mistakes a dashed bound', async () => {
    const page = await open();
    await openDrawer(page);
    await steps(page, 7);
    await page.getByLabel('next point').check();
    const isAtEnd = () => page.locator('button.step').getAttribute('aria-disabled');
    while ((await isAtEnd()) !== 'true') await press(page, 'Step');
    const bars = page.locator('.margin-picture rect');
    const said = await page.locator('.margin-picture').getAttribute('aria-label');
    expect(said).toMatch(`after ${await bars.count()} epochs`);
    expect(await bars.count()).toBeGreaterThan(3);
    // It only closes.
    const widthsOf = await bars.evaluateAll((all) => all.map((one) => Number(one.getAttribute('width'))));
    expect(widthsOf).toEqual([...widthsOf].sort((a, b) => b - a));
    expect(await page.locator('.margin-now').count()).toBe(1);
    const chart = page.locator('figure', { hasText: 'All mistakes, and the bound' });
    const dashed = await chart
      .locator('.chart-dashed path')
      .evaluateAll((all) => all.filter((one) => getComputedStyle(one).strokeDasharray !== 'none').length);
    expect(dashed).toBe(1);
    expect(await chart.innerText()).toContain('at most (bound)');
  });

  test('opened while it plays, it stays open', async () => {
    const page = await open('#/learn?preset=moons');
    await page.getByLabel('Speed', { exact: true }).fill('4');
    await press(page, 'Play');
    await openDrawer(page);
    await page.waitForTimeout(300);
    expect(await page.getByLabel('Border').isVisible()).toBe(true);
    expect(await page.locator('.drawer').evaluate((one: HTMLDetailsElement) => one.open)).toBe(true);
  });

  test('what begins anew says so', async () => {
    const page = await open();
    await openDrawer(page);
    await steps(page, 2);
    await page.getByLabel('Border').selectOption('rbf');
    expect(await spoken(page)).toBe('Back at the start. The line may bend now. Can it split these?');
    await page.getByLabel('Border').selectOption('linear');
    expect(await spoken(page)).toBe('Can one line split these?');
    await steps(page, 2);
    await page.getByLabel('Keep the best line in a pocket').check();
    expect(await spoken(page)).toBe(
      'Back at the start. The best line so far goes into the pocket. How good will it get?',
    );
    await steps(page, 1);
    await press(page, 'XOR');
    expect(await spoken(page)).toMatch(/^Back at the start\. /);
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
    await page.locator('.drawer', { hasText: /in 30 shuffles: \d+ different lines/ }).waitFor();
    const lines = (await pathOf(page, 'other-lines')) ?? '';
    expect(lines.split('M').length - 1).toBeGreaterThan(20);
    await page.getByLabel('Draw the lines of many seeds').uncheck();
    expect(await pathOf(page, 'other-lines')).toBe('');
  });

  test('learning rate, margin, order and seed change what is learned', async () => {
    const page = await open();
    await openDrawer(page);
    await page.getByLabel('Learning rate').fill('4');
    await press(page, 'Step');
    expect(await result(page, 'w')).toBe('(6, 6)');
    // The arrow is drawn at its length, and named by it.
    expect(await page.locator('.change-name').textContent()).toBe('+ 2 x');
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
    await expect.poll(() => spoken(page)).toContain('copied');
    await written(page);
    const link = await page.evaluate(() => navigator.clipboard.readText());
    expect(new URL(link).hash).toBe(new URL(page.url()).hash);
    const elsewhere = await open(new URL(link).hash);
    expect(await picture(elsewhere)).toEqual(await picture(page));
  });

  test('of a preset gives the very line', async () => {
    const page = await open('#/learn?preset=noisy');
    await steps(page, 9);
    await settled(page);
    await written(page);
    const elsewhere = await open(new URL(page.url()).hash);
    expect(await picture(elsewhere)).toEqual(await picture(page));
  });

  test('an order without samples, by address, steps by mistakes', async () => {
    const page = await open();
    await page.getByLabel('next point').check();
    await page.evaluate(() => {
      location.hash = '#/learn?order=shuffle';
    });
    await expect.poll(() => page.getByLabel('next mistake').isChecked()).toBe(true);
  });

  test('who leaves at once comes back to the very step', async () => {
    const page = await open();
    await page.evaluate(() => {
      const click = (name: string) => (document.querySelector(name) as HTMLElement).click();
      click('button.step');
      click('button.step');
      click('nav [data-part=measure]');
    });
    await page.locator('main.part-measure').waitFor();
    await page.getByRole('link', { name: 'Learn', exact: true }).click();
    await page.locator('.where', { hasText: /· 2 mistakes/ }).waitFor();
    expect(page.url()).toContain('step=');
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
      await written(page);
      const link = page.getByRole('link', { name: 'Open in the playground' });
      expect(await link.getAttribute('href')).toMatch(/\/#\/learn\?preset=xor&step=3$/);
      expect(await link.getAttribute('rel')).toBe('noopener');
      expect(await page.locator('.drawer').count()).toBe(0);
      const help = await page.locator('.plane-picture').getAttribute('aria-describedby');
      expect(await page.locator(`#${help}`).textContent()).toContain('Arrow keys move it');
      expect(await accessibilityFaults(page)).toEqual([]);
      expect(await overflow(page)).toBeLessThanOrEqual(0);
    },
  );
});

describe.runIf(hasBrowser)('in lecture notes', () => {
  test('in a frame of another site, of the size that the guide names, all of it is seen and works', async () => {
    const { origin } = new URL((await open()).url());
    const frame = `<iframe src="${origin}/some/folder/?embed=1#/learn?preset=xor" width="720" height="460" title="XOR" style="border: 0"></iframe>`;
    const notes = createServer((_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(`<!doctype html><title>Notes</title>${frame}`);
    });
    await new Promise<void>((done) => notes.listen(0, 'localhost', done));
    try {
      const page = await (await open()).context().newPage();
      const faults: string[] = [];
      page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
      page.on('pageerror', (error) => faults.push(String(error)));
      await page.goto(`http://localhost:${(notes.address() as AddressInfo).port}/`);
      const inside = page.frameLocator('iframe');
      await inside.getByRole('button', { name: 'Step', exact: true }).click();
      await inside.getByRole('button', { name: 'Step', exact: true }).click();
      await inside.locator('.where', { hasText: /· 2 mistakes/ }).waitFor();
      for (const part of ['.plane', '.sentence', '.main-controls']) {
        const box = await inside.locator(part).boundingBox();
        const around = await page.locator('iframe').boundingBox();
        if (!box || !around) throw new Error(`${part} is not there`);
        expect([part, box.y >= around.y, box.y + box.height <= around.y + around.height]).toEqual([part, true, true]);
        expect([part, box.x >= around.x, box.x + box.width <= around.x + around.width]).toEqual([part, true, true]);
      }
      expect(faults.filter((text) => !text.includes('favicon'))).toEqual([]);
    } finally {
      notes.close();
    }
  });
});

describe.runIf(hasBrowser)('for everybody', () => {
  test.each(bothWidths)('%s: no faults with all open, at work, and with a kernel, light or dark', async (width) => {
    const page = await open('#/learn?preset=noisy&trainer=pocket&open=seeds,more', { width });
    const faults = async () => {
      const found = [];
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        // Colours change gradually.
        await page.evaluate(() => {
          const changes = document.getAnimations().filter((each) => each instanceof CSSTransition);
          return Promise.allSettled(changes.map((each) => each.finished)).then(() => {});
        });
        found.push(...(await accessibilityFaults(page)));
      }
      return found;
    };
    expect(await faults()).toEqual([]);
    await unfold(page, 'The numbers, and');
    await unfold(page, 'points as a table');
    await steps(page, 5);
    await settled(page);
    expect(await faults()).toEqual([]);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    await press(page, 'Play');
    expect(await accessibilityFaults(page)).toEqual([]);
    await press(page, 'Pause');
    await page.getByLabel('Border').selectOption('rbf');
    await steps(page, 4);
    expect(await faults()).toEqual([]);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
  });

  test('nothing sticks out at any width, and the plane keeps its size', async () => {
    const page = await open('#/learn?open=more&preset=moons');
    await steps(page, 4);
    for (const width of [360, 390, 768, 1024, 1180, 1280, 1920]) {
      await page.setViewportSize({ width, height: 690 });
      await settled(page);
      expect([width, (await overflow(page)) <= 0]).toEqual([width, true]);
      if (width < 1024) continue;
      // The bar is one row; where it is two, nothing stands alone.
      const middleOf = async (name: string) => {
        const box = await page.locator(name).boundingBox();
        return box ? Math.round(box.y + box.height / 2) : undefined;
      };
      const main = await middleOf('.main-controls');
      expect([width, await middleOf('.sharing')]).toEqual([width, main]);
      expect([width, (await middleOf('.more-controls')) === main]).toEqual([width, width > 1060]);
      const [plane, screen] = [await page.locator('.plane').boundingBox(), await page.locator('.learn').boundingBox()];
      expect((plane?.width ?? 0) / (screen?.width ?? 1)).toBeCloseTo(2 / 3, 1);
    }
  });

  test('on a phone buttons are for fingers, the plane is wide, and the sentence is seen', async () => {
    const page = await open('', { width: 'phone' });
    // The rest is folded: there to be opened, and closed.
    for (const title of ['The numbers, and the mistakes by epoch', 'More: bend the line']) {
      const summary = page.locator('summary', { hasText: title });
      expect([title, await summary.isVisible()]).toEqual([title, true]);
      expect([title, await summary.evaluate((one) => (one.parentElement as HTMLDetailsElement).open)]).toEqual([
        title,
        false,
      ]);
    }
    await steps(page, 2);
    for (const name of ['Step', 'Play', 'Reset']) {
      const box = await page.getByRole('button', { name }).boundingBox();
      expect(box?.height).toBeGreaterThanOrEqual(44);
      expect(box?.width).toBeGreaterThanOrEqual(44);
    }
    const controls = await page.locator('.controls').boundingBox();
    expect((controls?.y ?? 0) + (controls?.height ?? 0)).toBe(widths.phone.height);
    // In one tap, without unfolding or scrolling: how it steps, how fast, and other points.
    const seen = [
      page.getByRole('button', { name: 'Circles' }),
      page.locator('.segment', { hasText: 'point' }),
      page.getByLabel('Speed', { exact: true }),
    ];
    for (const one of seen) {
      const box = await one.boundingBox();
      expect(box?.height).toBeGreaterThanOrEqual(44);
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(widths.phone.height);
    }
    const plane = await page.locator('.plane').boundingBox();
    expect(plane?.width).toBeGreaterThan(330);
    const said = await page.locator('.sentence').boundingBox();
    expect((said?.y ?? 0) + (said?.height ?? 0)).toBeLessThanOrEqual(controls?.y ?? 0);
  });

  test('without wasm it is the same, and says so', async () => {
    const page = await open('', { host: 'withoutWasm' });
    await steps(page, 7);
    expect(await sentence(page)).toContain('Separated after 7 mistakes');
    expect([await result(page, 'w'), await result(page, 'b')]).toEqual(['(1, 1)', '−3']);
    const said = (shown: Page) => shown.getByText('Calculated by plain JavaScript').isVisible();
    expect(await said(page)).toBe(true);
    expect(await said(await open())).toBe(false);
  });
});
