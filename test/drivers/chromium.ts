// Where a Chromium is: the one that CHROMIUM names, else one on the PATH, else playwright's own.

import { accessSync, constants } from 'node:fs';
import { chromium } from 'playwright-core';
import { type Driven, onPath } from './driven.js';

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function find(): string | undefined {
  const named = process.env.CHROMIUM;
  if (named) {
    if (!isProgram(named)) throw new Error(`CHROMIUM names ${named}, which is not a program`);
    return named;
  }
  const usual = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'].map(onPath);
  return [...usual, chromium.executablePath()].find((path) => path !== undefined && isProgram(path));
}

export const chromiumPath = find();

/** Starts one without a window. */
export const openChromium = () =>
  chromium.launch({
    executablePath: chromiumPath as string,
    chromiumSandbox: process.getuid?.() !== 0, // Chromium refuses its sandbox to root
    args: ['--disable-gpu'],
  });

/** One with a page that is driven as those of Firefox and WebKit are. */
export async function driveChromium(): Promise<Driven> {
  const browser = await openChromium();
  const page = await browser.newPage();
  let frame = page.mainFrame();
  return {
    name: 'chromium',
    version: browser.version(),
    async goto(url) {
      frame = page.mainFrame();
      await page.goto(url);
    },
    async intoFrame() {
      frame = page.frames()[1] ?? frame;
    },
    resize: (width, height) => page.setViewportSize({ width, height }),
    evaluate: async (body) => (await frame.evaluate(`(async () => { ${body} })()`)) ?? (null as never),
    screenshot: () => page.screenshot(),
    close: () => browser.close(),
  };
}
