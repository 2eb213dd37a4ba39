// What `npm test` does in short, `npm run test:long` does whole: a suite that has a short form is listed in vitest.config.ts.

import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const text = (path: string) => readFileSync(resolve(root, path), 'utf8');

test('suites with a short form are whole in the long run', () => {
  const suites = readdirSync(resolve(root, 'test'), { recursive: true, encoding: 'utf8' })
    .map((name) => `test/${name.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.test.ts') && !path.endsWith('.long.test.ts'));
  const [, list = ''] = /const thorough = \[([^\]]*)\]/.exec(text('vitest.config.ts')) ?? [];
  const listed = Array.from(list.matchAll(/'([^']+)'/g), ([, path]) => path);
  // By themselves, or by what they take from the files beside them.
  const isShort = /from '[./]*\/effort\.js'|\bsomeEngines\b|\bkernelMakers\b|^ {2}counts,$|import \{ counts\b/m;
  expect(suites.filter((path) => isShort.test(text(path)) && !listed.includes(path))).toEqual([]);
  expect(listed.filter((path) => !suites.includes(path as string))).toEqual([]);
});
