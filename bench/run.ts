// npm run bench: puts the questions one after the other, each in a process of its own, shows how far it is, writes
// the results and draws the report. A missed target is news, not a failure; unequal answers are a failure.
// Ctrl-C ends it early: what was answered until then is written and drawn nevertheless.

import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { type BenchArguments, benchArguments, USAGE } from './harness/arguments.js';
import { compareResults } from './harness/compare.js';
import { folderOf, readLatest, readResults, writeResults } from './harness/files.js';
import { BUSY, busyProcessors, machine, machineLine } from './harness/machine.js';
import { paceNow, stolenSeconds } from './harness/pace.js';
import { runPlain } from './harness/plain.js';
import { Progress } from './harness/progress.js';
import type { Question } from './harness/questions.js';
import { FORMAT, type Results, type Told } from './harness/results.js';
import { comparisonText, opening, shares, story, table, targets, warnings } from './report/terminal.js';

const INTERRUPTED = 130;

const interruption = new AbortController();
process.on('SIGINT', () => {
  if (interruption.signal.aborted) process.exit(INTERRUPTED);
  interruption.abort();
});

/** The answers to all questions, or to those before Ctrl-C; and which questions failed. */
async function measure(
  options: BenchArguments,
  args: readonly string[],
  say: (text: string) => void,
): Promise<Results> {
  const { mode, questions, all, verbose, out } = options;
  const began = performance.now();
  const stolen = stolenSeconds();
  const results: Results = {
    format: FORMAT,
    version: (createRequire(import.meta.url)('../package.json') as { version: string }).version,
    ...commit(),
    date: new Date().toISOString(),
    command: ['npm run bench', ...(args.length === 0 ? [] : ['--', ...args])].join(' '),
    mode,
    complete: false,
    interrupted: false,
    seconds: 0,
    machine: { ...machine(), load: await busyProcessors() },
    questions: [],
  };
  say(machineLine(results.machine));
  const { load } = results.machine;
  if (load > BUSY)
    say(`${load} processors were busy before we began: others are using this machine, numbers will be noisy.`);
  // A compiler, which takes a while: not for --help and wrong arguments.
  const { stripTypes } = await import('./harness/strip.js');
  stripTypes();
  const progress = new Progress(questions, mode, readLatest(folderOf(out)));
  try {
    results.failed = [];
    for (const question of questions) {
      if (interruption.signal.aborted) break;
      progress.begin(question.name);
      await ask(question, options, progress, (told) => {
        results.questions.push(told);
        if (verbose) progress.print(story(told), say);
      }).catch((error: unknown) => {
        results.failed?.push({ name: question.name, why: (error as Error).message });
      });
      progress.done();
    }
    results.complete = all && results.failed.length === 0 && !interruption.signal.aborted;
  } finally {
    progress.end();
  }
  results.interrupted = interruption.signal.aborted;
  results.seconds = (performance.now() - began) / 1000;
  const stolenNow = stolenSeconds();
  if (stolen !== undefined && stolenNow !== undefined) results.stolenSeconds = stolenNow - stolen;
  return results;
}

async function ask(
  { name }: Question,
  { mode }: BenchArguments,
  progress: Progress,
  onTold: (told: Told) => void,
): Promise<void> {
  const before = paceNow();
  let began = performance.now();
  const answered: Told[] = [];
  try {
    await runPlain(name, {
      mode,
      signal: interruption.signal,
      onMessage: (message) => {
        if (message.kind === 'asked') return progress.asked(`${name}: ${message.question}`);
        const now = performance.now();
        const told = { name, seconds: (now - began) / 1000, ...message.told };
        answered.push(told);
        onTold(told);
        began = now;
      },
    });
  } catch (error) {
    if (!interruption.signal.aborted) throw error;
    return;
  }
  const pace = [before, paceNow()].filter((gigaflops) => gigaflops !== undefined);
  for (const told of answered) told.pace = pace;
  if (answered.length === 0) throw new Error(`bench/questions/${name}.ts had nothing to tell`);
}

/** Which code this is, where git knows. */
function commit(): Pick<Results, 'commit' | 'dirty'> {
  const git = (...args: string[]): string =>
    execFileSync('git', args, {
      cwd: fileURLToPath(new URL('.', import.meta.url)),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  try {
    return { commit: git('rev-parse', '--short', 'HEAD'), dirty: git('status', '--porcelain', '--', '..') !== '' };
  } catch {
    return {}; // from a tarball, or without git
  }
}

async function tell(
  results: Results,
  older: Results | undefined,
  options: BenchArguments,
  say: (text: string) => void,
): Promise<void> {
  if (results.questions.length === 0) {
    say('Nothing was measured, so nothing is written.');
    return;
  }
  const folder = folderOf(options.out);
  if (options.results === undefined) writeResults(results, folder);
  const { writeReport } = await import('./report/report.js');
  const report = writeReport(results, folder);
  say('');
  const parts = [table, shares, targets, warnings, opening].map((part) => part(results));
  for (const text of parts) if (text) say(`${text}\n`);
  if (older) say(`${comparisonText(compareResults(older, results), older)}\n`);
  say(`The picture: ${fileURLToPath(report)}`);
}

async function main(args: readonly string[]): Promise<void> {
  const options = benchArguments(args);
  if (options.help) {
    console.log(USAGE);
    return;
  }
  const say = options.json ? console.error : console.log;
  // Before a minute has gone by, and before the latest results, which it may be, are replaced.
  const older = options.compare === undefined ? undefined : readResults(options.compare);
  const results = options.results === undefined ? await measure(options, args, say) : readResults(options.results);
  await tell(results, older, options, say);
  if (options.json) process.stdout.write(`${JSON.stringify(results, null, 1)}\n`);
  if (interruption.signal.aborted) process.exitCode = INTERRUPTED;
  const failures = options.results === undefined ? (results.failed ?? []) : [];
  for (const { why } of failures) console.error(why);
  if (failures.length > 0) process.exitCode = 1;
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
