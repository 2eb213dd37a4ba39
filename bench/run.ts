// npm run bench: asks all questions but those on request, or those of --only PATTERN, one after the other, each in
// a process of its own; writes bench/results/latest.json, and prints it with --json. A missed target is news, not
// a failure; unequal answers are a failure.

import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import { type Machine, machine, machineLine } from './harness/machine.js';
import { runPlain, stripTypes } from './harness/plain.js';
import { answerLine, isLost, isMet, type Told } from './harness/question.js';

const QUESTIONS = [
  'scan',
  'fit',
  'firstcall',
  'float32',
  'startup',
  'memory',
  'gram',
  'dual',
  'crossover',
  'pocket',
  'multiclass',
  'kernel',
  'sparse',
  'io',
  'threads',
];
/** Asked only if --only names them: they take long, or much room on the disk. */
const ON_REQUEST = ['bigfile'];

export interface Results {
  version: string;
  date: string;
  command: string;
  /** False when only some questions were asked. */
  complete: boolean;
  machine: Machine;
  questions: Told[];
}

async function ask(name: string, quiet: boolean): Promise<Told[]> {
  const told: Told[] = [];
  // With --json standard output is for the JSON alone: the story goes to standard error.
  await runPlain(name, (message) => told.push(message as Told), quiet ? 2 : 'inherit');
  if (told.length === 0) throw new Error(`bench/${name}.ts had nothing to tell`);
  return told;
}

const { values } = parseArgs({ options: { only: { type: 'string' }, json: { type: 'boolean', default: false } } });
const pattern = new RegExp(values.only ?? '', 'i');
const choice = values.only === undefined ? QUESTIONS : [...QUESTIONS, ...ON_REQUEST];
const asked = choice.filter((name) => pattern.test(name));
if (asked.length === 0) {
  console.error(`--only ${values.only} fits none of: ${choice.join(', ')}`);
  process.exit(2);
}

const say = values.json ? console.error : console.log;
const here = machine();
say(machineLine(here));
if (here.load > 0.5)
  say(`The load was ${here.load} before we began: others are using this machine, numbers will be noisy.`);

const results: Results = {
  version: (createRequire(import.meta.url)('../package.json') as { version: string }).version,
  date: new Date().toISOString().slice(0, 10),
  command: ['npm run bench', ...(values.only === undefined ? [] : [`-- --only ${values.only}`])].join(' '),
  complete: QUESTIONS.every((name) => asked.includes(name)),
  machine: here,
  questions: [],
};
stripTypes();
for (const name of asked) results.questions.push(...(await ask(name, values.json)));

const answers = results.questions.flatMap((question) => question.answers);
const missed = answers.filter((answer) => isMet(answer) === false);
const slower = answers.filter(isLost);
say(`\n${answers.filter(isMet).length} of ${answers.filter(({ target }) => target).length} targets met.`);
for (const answer of missed) say(`  MISSED  ${answerLine(answer)}`);
for (const answer of slower) say(`  SLOWER  ${answerLine(answer)}`);

const json = `${JSON.stringify(results, null, 2)}\n`;
const folder = new URL('./results/', import.meta.url);
mkdirSync(folder, { recursive: true });
writeFileSync(new URL('latest.json', folder), json);
if (values.json) process.stdout.write(json);
else say('Written to bench/results/latest.json; `npx tsx bench/readme.ts` puts the table into README.md.');
