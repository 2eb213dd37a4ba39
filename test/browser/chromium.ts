// A browser to test in: the one that CHROMIUM names, else one on the PATH, else playwright's own.

import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

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
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const usual = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return [...usual, chromium.executablePath()].find(isProgram);
}

const executablePath = find();
export const hasBrowser = executablePath !== undefined;
if (!hasBrowser) {
  console.warn('No Chromium: tests in pages are skipped. Install one, or set CHROMIUM to the path of one.');
}

/** One browser for all tests of a file, without a window. */
export function useBrowser(): () => Browser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    if (!executablePath) return;
    const isRoot = process.getuid?.() === 0;
    browser = await chromium.launch({ executablePath, chromiumSandbox: !isRoot, args: ['--disable-gpu'] });
  });
  afterAll(() => browser?.close());
  return () => {
    if (!browser) throw new Error('there is no browser');
    return browser;
  };
}
