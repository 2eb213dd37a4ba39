// One Chromium for the tests of a file.

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { chromiumPath, openChromium } from '../drivers/chromium.js';

export const hasBrowser = chromiumPath !== undefined;
if (!hasBrowser) {
  console.warn('No Chromium: tests in pages are skipped. Install one, or set CHROMIUM to the path of one.');
}

/** One browser for all tests of a file, without a window. */
export function useBrowser(): () => Browser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    if (hasBrowser) browser = await openChromium();
  });
  afterAll(() => browser?.close());
  return () => {
    if (!browser) throw new Error('there is no browser');
    return browser;
  };
}
