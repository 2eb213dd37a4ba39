// The arguments of npm run bench, checked: a wrong one is a sentence.

import { parseArgs } from 'node:util';
import { chosen, QUESTIONS, type Question } from './questions.js';
import type { Mode } from './results.js';

export interface BenchArguments {
  mode: Mode;
  questions: Question[];
  /** Whether these are all of the mode's. */
  all: boolean;
  /** The results go to standard output, what is told about them to standard error. */
  json: boolean;
  /** Everything that was measured is told, as it comes. */
  verbose: boolean;
  /** Results of an earlier run, to compare with. */
  compare?: string;
  /** Results to compare or to report on instead of measuring. */
  results?: string;
  /** Where to write, instead of bench/results/. */
  out?: string;
  help: boolean;
}

export const USAGE = `npm run bench -- [options]

  (nothing)            the short version, under a minute
  --full               everything at full size, some 20 minutes; nobody else should use the machine
  --smoke              tiny sizes, to see that everything runs: the numbers mean nothing
  --only PATTERN       only questions whose names fit, e.g. --only 'scan|gram'
  --verbose            tells all that was measured, as it comes
  --json               the results on standard output
  --compare OLD.json   afterwards, what got faster or slower than in an earlier run, beyond noise
  --out FOLDER         writes there instead of bench/results
  --results NEW.json   measures nothing: takes the results of an earlier run, to report or to compare

Questions: ${QUESTIONS.map(({ name }) => name).join(', ')}
Results: bench/results/report.html, latest.json, and a copy of each run in history/`;

/** @throws Error whose message is for the user */
export function benchArguments(args: readonly string[]): BenchArguments {
  const { full, smoke, only, ...values } = parse(args);
  if (full && smoke) throw new Error('--full and --smoke: which of the two?');
  const mode = full ? 'full' : smoke ? 'smoke' : 'quick';
  const { json, verbose, compare, results, out, help } = values;
  if (results !== undefined && (full || smoke || only !== undefined)) {
    throw new Error(`--results ${results} measures nothing, so --full, --smoke and --only do not go with it`);
  }
  const questions = chosen(mode, only === undefined ? undefined : patternOf(only));
  if (questions.length === 0) {
    throw new Error(`--only ${only} fits no question; there are ${QUESTIONS.map(({ name }) => name).join(', ')}`);
  }
  return {
    mode,
    questions,
    all: chosen(mode).every((question) => questions.includes(question)),
    json,
    verbose,
    help,
    ...(compare !== undefined && { compare }),
    ...(results !== undefined && { results }),
    ...(out !== undefined && { out }),
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        full: { type: 'boolean', default: false },
        smoke: { type: 'boolean', default: false },
        only: { type: 'string' },
        json: { type: 'boolean', default: false },
        verbose: { type: 'boolean', default: false },
        compare: { type: 'string' },
        results: { type: 'string' },
        out: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values;
  } catch (error) {
    // node's message goes on with advice about positional arguments that start with a dash.
    const [sentence] = (error as Error).message.split('. ');
    throw new Error(`${sentence}; npm run bench -- --help tells what there is`, { cause: error });
  }
}

function patternOf(only: string): RegExp {
  try {
    return new RegExp(only, 'i');
  } catch (error) {
    throw new Error(`--only ${only} is no pattern: ${(error as Error).message}`, { cause: error });
  }
}
