// What the report writes beside its page: Markdown and the picture for README.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DOMParser } from 'linkedom';
import { expect, test } from 'vitest';
import { allAnswers, crossoverSection, headlineTable, summaryTable } from '../../bench/report/markdown.js';
import { between } from '../../bench/report/marks.js';
import { crossoverPicture } from '../../bench/report/picture.js';
import { writeReport } from '../../bench/report/report.js';
import { fixture } from './fixture.js';

const rows = (markdown: string) =>
  markdown.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| what'));

test('the first table of the results has targets and losses, the other has all', () => {
  const results = fixture();
  const answers = results.questions.flatMap((told) => told.answers);
  const shown = answers.filter(({ target, ratio, against }) => target || (against === 'idiomatic JS' && ratio < 1));
  const peers = 2;
  expect(rows(headlineTable(results))).toHaveLength(shown.length + peers);
  expect(rows(allAnswers(results))).toHaveLength(shown.length + peers + answers.length);
  expect(allAnswers(results)).toContain('by `npm run bench -- --full`: Imagined CPU');
  expect(headlineTable(results)).toMatch(/\| dual fit of sonar, .*, engine js \| \*\*0\.\d+x\*\* idiomatic JS \|/);
  expect(headlineTable(results)).toMatch(/≥ 2\.5x, \*\*missed\*\*/);
  expect(allAnswers(results)).not.toMatch(/NaN|undefined|Infinity/);
});

test('the summary for README names typical tasks, the worst loss last, and the run', () => {
  const results = fixture();
  const [first, ...others] = rows(summaryTable(results)).filter((line) => !line.startsWith('| what'));
  expect(first).toMatch(/^\| scoring 1000 × 1000 \| \*\*[\d.]+x\*\* idiomatic JS \|/);
  expect(others.at(-1)).toMatch(/\*\*0\.\d+x\*\*/);
  expect(summaryTable(results)).toContain(`version ${results.version}, 2026-01-02, Imagined CPU`);
});

test('names end no cell and begin no tag', () => {
  const results = fixture();
  for (const { answers } of results.questions) for (const answer of answers) answer.what = 'a | b\n<i>`c`';
  const table = allAnswers(results);
  expect(table).not.toMatch(/<i>/);
  expect(rows(table)[0]).toMatch(/^\| a \\\| b &lt;i>\\`c\\`/);
});

test('README gets what is between the marks, and keeps the rest', () => {
  const page = 'a\n<!-- x:start -->\nold\n<!-- x:end -->\nb';
  expect(between(page, 'x', 'new')).toBe('a\n<!-- x:start -->\nnew\n<!-- x:end -->\nb');
  expect(() => between(page, 'y', 'new')).toThrow('<!-- y:start --> and <!-- y:end -->');
});

test('README has the marks', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  for (const name of ['bench', 'crossover']) expect(between(readme, name, 'new')).toContain('\nnew\n');
});

test('the section for README names the command that made the picture', () => {
  const section = crossoverSection(fixture(), 'docs/crossover.svg');
  expect(section).toContain('(docs/crossover.svg)');
  expect(section).toContain('`npm run bench -- --full` and `npx tsx bench/readme.ts`');
  expect(section).toMatch(
    /after about \*\*0\.3\d·N\*\* epochs where about one sample in ten is a mistake \(median of 11 shapes of 12; the others do not/,
  );
});

test('the picture stands alone: its own colours, for light and for dark, and one panel for each N', () => {
  const picture = crossoverPicture(fixture())!;
  const svg = new DOMParser().parseFromString(picture, 'image/svg+xml').documentElement;
  expect(svg.tagName).toBe('svg');
  expect([...svg.querySelectorAll('text')].map((text) => text.textContent)).toEqual(
    expect.arrayContaining(['N = 50', 'N = 200', 'N = 1000', 'measured crossing']),
  );
  expect(picture).toContain('prefers-color-scheme:dark');
  const used = new Set(picture.match(/var\(--[\w-]+\)/g));
  for (const name of used) expect(picture).toContain(`${name.slice(4, -1)}:#`);
  expect(picture).not.toMatch(/NaN|undefined|Infinity|https?:\/\/(?!www\.w3\.org\/2000\/svg)/);
  expect(crossoverPicture({ ...fixture(), questions: [] })).toBeUndefined();
});

test('a report is a page, a picture and a table; a picture of an earlier run goes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'perceptron-wasm-'));
  const inside = pathToFileURL(`${folder}/new/`);
  try {
    const url = writeReport(fixture(), inside);
    expect(url.href).toBe(new URL('report.html', inside).href);
    expect(readFileSync(url, 'utf8')).toMatch(/^<!doctype html>/);
    expect(readdirSync(inside).sort()).toEqual(['crossover.svg', 'report.html', 'results.md']);
    writeReport({ ...fixture(), questions: [] }, inside);
    expect(readdirSync(inside).sort()).toEqual(['report.html', 'results.md']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
