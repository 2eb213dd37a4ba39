// The built page comes with the licences of what is bundled in it.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const folder = join(root, 'web/dist');

test('licenses.txt has our licence, and the whole licence of every bundled package', () => {
  if (!existsSync(folder)) throw new Error('there is no web/dist: run `npm run build:web` first');
  const text = readFileSync(join(folder, 'licenses.txt'), 'utf8');
  expect(text).toContain(readFileSync(join(root, 'LICENSE'), 'utf8').trim());
  for (const name of ['d3-array', 'd3-shape', 'd3-path']) {
    const { version } = JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'));
    expect(text).toContain(`${name} ${version}\n`);
    expect(text).toContain(readFileSync(join(root, 'node_modules', name, 'LICENSE'), 'utf8').trim());
  }
  expect(text).not.toContain(root);
});

test('the page names it', () => {
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  expect(page).toMatch(/<link rel="license" href="\.\/licenses\.txt">/);
  expect(readdirSync(folder)).toContain('licenses.txt');
});
