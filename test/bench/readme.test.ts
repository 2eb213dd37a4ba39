// What the README shows of the benchmark was made by a script: the table, the picture and the command that made it.

import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readResults } from '../../bench/harness/files.js';
import type { Results } from '../../bench/harness/results.js';
import { frontList } from '../../bench/report/markdown.js';
import { essenceOf, objectionsTo, PUBLISHED, publicationOf } from '../../bench/report/publish.js';
import { fixture } from './fixture.js';

const root = resolve(import.meta.dirname, '../..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const bench = readFileSync(join(root, 'bench/README.md'), 'utf8');

const between = (name: string): string =>
  new RegExp(`<!-- ${name}:start -->(.*?)<!-- ${name}:end -->`, 's').exec(readme)?.[1] ?? '';

test('the summary has five lines and the run they are from, the results every target', () => {
  const summary = between('bench');
  expect(summary.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| what'))).toHaveLength(5);
  expect(summary).toMatch(/one run of version \d+\.\d+\.\d+, \d{4}-\d\d-\d\d, /);
  const [, targets = ''] = readFileSync(join(root, 'bench/results/README.md'), 'utf8').split('## ');
  expect(targets.split('\n').filter((line) => line.startsWith('| ')).length).toBeGreaterThan(20);
});

test('the picture is there, and the command that made it', () => {
  const section = between('crossover');
  const [, path = ''] = /!\[.+\]\((.+)\)/.exec(section) ?? [];
  expect(existsSync(join(root, path))).toBe(true);
  expect(readFileSync(join(root, path), 'utf8')).toMatch(/^<svg .*<\/svg>\s*$/s);
  expect(section).toContain('`npm run bench -- --full`');
});

// Figures of before 2026-11-17 came without their numbers: until the next full run is published there is nothing to compare with.
test.skipIf(!existsSync(join(root, PUBLISHED)))(
  'README, its picture and all ratios are what the script makes of the published run',
  () => {
    const results = readResults(join(root, PUBLISHED));
    for (const [path, text] of Object.entries(publicationOf(results, { readme, bench }))) {
      expect(readFileSync(join(root, path), 'utf8'), path).toBe(text);
    }
  },
);

describe('what is published of a run', () => {
  const marks = {
    readme: '# A\n<!-- bench:start -->\n<!-- bench:end -->\n<!-- crossover:start -->\n<!-- crossover:end -->\n',
    bench: '# B\n<!-- front:start -->\n<!-- front:end -->\n',
  };

  test('follows from the file that goes with it, which has nothing else in it', () => {
    const files = publicationOf(essenceOf(fixture()), marks);
    const again = JSON.parse(files[PUBLISHED] as string) as Results;
    expect(
      publicationOf(again, { readme: files['README.md'] as string, bench: files['bench/README.md'] as string }),
    ).toEqual(files);
    expect({ ...files, [PUBLISHED]: '' }).toEqual({ ...publicationOf(fixture(), marks), [PUBLISHED]: '' });
    expect(files[PUBLISHED]).not.toMatch(/"(work|timings|notes|byRound|growth|starts|memory)":/);
  });

  test('opens with five lines, in its own page and in that of the benchmark', () => {
    const files = publicationOf(essenceOf(fixture()), marks);
    const lines = frontList(fixture()).split('\n');
    expect(lines).toHaveLength(5);
    for (const page of ['bench/README.md', 'bench/results/README.md']) {
      expect(files[page]).toContain(lines.join('\n'));
    }
  });

  test('names the commit', () => {
    const { 'bench/results/README.md': text } = publicationOf(essenceOf(fixture()), marks);
    expect(text).toContain('with version 0.1.0, commit 0123456789abcdef0123456789abcdef01234567, on 2026-01-02');
  });

  test('is nothing where it is not whole, has changes, or does not fit together', () => {
    expect(objectionsTo(fixture())).toEqual([]);
    expect(objectionsTo({ ...fixture(), complete: false })).toEqual([
      expect.stringContaining('npm run bench -- --full'),
    ]);
    expect(objectionsTo({ ...fixture(), mode: 'quick' })).toHaveLength(1);
    expect(objectionsTo({ ...fixture(), dirty: true })).toEqual([expect.stringContaining('not committed')]);
    const odd = fixture();
    odd.questions.flatMap(({ answers }) => answers)[0]!.ratio = 1000;
    expect(objectionsTo(odd)).toContain('scoring 1000 × 1000: the ratio is not within its spread');
  });
});
