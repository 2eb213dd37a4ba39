// npx tsx bench/readme.ts: puts the numbers of bench/results/latest.json into README.md, between the marks, with the
// crossover picture (docs/crossover.svg), and all of them into bench/results/README.md. Nobody types them.

import { readFileSync, writeFileSync } from 'node:fs';
import type { Results } from './harness/results.js';
import { allAnswers, crossoverSection, headlineTable } from './report/markdown.js';
import { between } from './report/marks.js';
import { crossoverPicture } from './report/picture.js';

const README = new URL('../README.md', import.meta.url);
const PICTURE = 'docs/crossover.svg';

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

function readText(url: URL, remedy: string): string {
  try {
    return readFileSync(url, 'utf8');
  } catch (error) {
    return fail(`cannot read ${url.pathname} (${(error as NodeJS.ErrnoException).code}): ${remedy}`);
  }
}

const latest = readText(new URL('./results/latest.json', import.meta.url), 'run npm run bench -- --full first');
const results = JSON.parse(latest) as Results;
if (!results.complete || results.mode !== 'full') {
  fail(`the latest results are of \`${results.command}\` only: run npm run bench -- --full`);
}
const picture = crossoverPicture(results) ?? fail('the latest results have no crossover: run npm run bench -- --full');
const readme = readText(README, 'it must be there, with the marks');
const withTable = between(readme, 'bench', headlineTable(results));
writeFileSync(README, between(withTable, 'crossover', crossoverSection(results, PICTURE)));
writeFileSync(new URL(`../${PICTURE}`, import.meta.url), picture);
writeFileSync(new URL('./results/README.md', import.meta.url), allAnswers(results));
console.log(`README.md, ${PICTURE} and bench/results/README.md are up to date.`);
