// What a person does and reads on Your data, and what the command line makes of the same files.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';

const command = resolve(import.meta.dirname, '../../dist/cli.js');
/** Files that come with the page, those of the package's examples, and one of LIBSVM's format for tests alone. */
const folders = ['../../web/public/examples', '../../examples', '.'].map((path) => resolve(import.meta.dirname, path));

/** A file that comes with the page, or `messages.txt`. */
export const example = (name: string): string =>
  folders.map((path) => join(path, name)).find((path) => existsSync(path)) as string;

export interface Scratch {
  /** Writes a file, and answers its path. */
  file(name: string, bytes: string | Uint8Array): string;
  /** What the command that the page shows writes, on the same file. */
  trainedThere(page: Page): Promise<string>;
}

/** A folder for the tests of a file. */
export function useScratch(): Scratch {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'your-data-page-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return {
    file(name, bytes) {
      const path = join(folder, name);
      writeFileSync(path, bytes);
      return path;
    },
    async trainedThere(page) {
      const words = ((await shownCommand(page)) ?? '').split(' ').slice(2);
      execFileSync(process.execPath, [command, ...words, '-q'], { cwd: folder });
      return readFileSync(join(folder, words.at(-1) as string), 'utf8');
    },
  };
}

export const choose = (page: Page, ...paths: string[]) =>
  page.locator('.data-choose input[type=file]').setInputFiles(paths);
export const shape = (page: Page) => page.locator('.data-shape').textContent();
export const train = (page: Page) => page.getByRole('button', { name: /^Train/ }).click();
export const headline = (page: Page) => page.locator('#data-outcome').textContent();
export const spoken = (page: Page) => page.locator('#spoken').textContent();
export const shownCommand = (page: Page) => page.getByLabel('Command').textContent();

export async function download(page: Page): Promise<string> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download the model' }).click(),
  ]);
  return readFileSync((await file.path()) as string, 'utf8');
}

/** Drops files as a mouse does. */
export const drop = (page: Page, files: { name: string; text: string }[]) =>
  page.evaluate((given) => {
    const data = new DataTransfer();
    for (const { name, text } of given) data.items.add(new File([text], name));
    const zone = document.querySelector('.data-drop') as Element;
    for (const type of ['dragenter', 'dragover', 'drop']) {
      zone.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
    }
  }, files);
