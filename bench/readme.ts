// Puts the numbers of bench/results/latest.json into README.md, between the marks: those with a target, and those we lose;
// all of them into bench/results/README.md. Nobody types them.

import { readFileSync, writeFileSync } from 'node:fs';
import { machineLine } from './harness/machine.js';
import { type Answer, isLost, isMet, short, targetText } from './harness/question.js';
import type { Results } from './run.js';

const START = '<!-- bench:start -->';
const END = '<!-- bench:end -->';
const README = new URL('../README.md', import.meta.url);

function table({ questions, machine, date, version, command }: Results, isShown: (answer: Answer) => boolean): string {
  const lines = ['| what | ratio | spread | target |', '|---|---|---|---|'];
  for (const answer of questions.flatMap((question) => question.answers).filter(isShown)) {
    const { what, ratio, low, high, against, target } = answer;
    const goal = target ? `${targetText(target)}${isMet(answer) ? '' : ', **missed**'}` : '';
    const spread = low === high ? '' : `${short(low)}–${short(high)}`;
    lines.push(`| ${what} | **${short(ratio)}x** ${against} | ${spread} | ${goal} |`);
  }
  const load = machine.load > 0.5 ? ` The machine was not idle (load ${machine.load}).` : '';
  return [
    ...lines,
    '',
    `Measured with version ${version} on ${date} by \`${command}\`: ${machineLine(machine)}.${load}`,
    'A ratio is the median of several rounds in one run, in which the contestants take turns; the spread is over those rounds.',
  ].join('\n');
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

function readText(url: URL, remedy: string): string {
  try {
    return readFileSync(url, 'utf8');
  } catch {
    return fail(`cannot read ${url.pathname}: ${remedy}`);
  }
}

const results = JSON.parse(
  readText(new URL('./results/latest.json', import.meta.url), 'run npm run bench first'),
) as Results;
if (!results.complete) fail(`the latest results are of \`${results.command}\` only: run npm run bench without --only`);
const readme = readText(README, 'it must be there, with the marks');
const [start, end] = [readme.indexOf(START), readme.indexOf(END)];
if (start < 0 || end < start) fail(`README.md needs the lines ${START} and ${END}, in this order`);
const headline = table(results, (answer) => answer.target !== undefined || isLost(answer));
writeFileSync(README, `${readme.slice(0, start + START.length)}\n${headline}\n${readme.slice(end)}`);
const all = `# All that was measured\n\n${table(results, () => true)}\n`;
writeFileSync(new URL('./results/README.md', import.meta.url), all);
console.log('README.md and bench/results/README.md: the tables are up to date.');
