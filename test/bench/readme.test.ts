// What the README shows of the benchmark was made by a script: the table, the picture and the command that made it.

import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

const between = (name: string): string =>
  new RegExp(`<!-- ${name}:start -->(.*?)<!-- ${name}:end -->`, 's').exec(readme)?.[1] ?? '';

test('the table has every target and the run it is from', () => {
  const table = between('bench');
  expect(table.split('\n').filter((line) => line.startsWith('| ')).length).toBeGreaterThan(20);
  expect(table).toMatch(/Measured with version \d+\.\d+\.\d+ on \d{4}-\d\d-\d\d by `npm run bench -- --full`/);
});

test('the picture is there, and the command that made it', () => {
  const section = between('crossover');
  const [, path = ''] = /!\[.+\]\((.+)\)/.exec(section) ?? [];
  expect(existsSync(join(root, path))).toBe(true);
  expect(readFileSync(join(root, path), 'utf8')).toMatch(/^<svg .*<\/svg>\s*$/s);
  expect(section).toContain('`npm run bench -- --full`');
});
