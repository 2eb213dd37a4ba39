#!/usr/bin/env node
// perceptron-wasm: runs the command, and turns an error into one line and an exit status.

import { setFlagsFromString } from 'node:v8';
import { version } from '../../package.json';
import { visible } from '../escape.js';
import { editSteps, type OptionTable, parse } from './arguments.js';
import type { Run } from './context.js';
import { EXIT, type ExitStatus, inOneLine, UsageError } from './errors.js';
import { helpFor, overview } from './help.js';
import { Interrupt } from './interrupt.js';
import {
  COMMANDS,
  COMPARE,
  type CommandInfo,
  EXPORT,
  GENERATE,
  INSPECT,
  PREDICT,
  TRAIN,
  TUNE,
  WORKER,
} from './options.js';
import { print, printError } from './output.js';
import { leaveStdin } from './stdin.js';

const PROGRAM = 'perceptron-wasm';

type Runner = (args: readonly string[], interrupt: Interrupt) => Promise<ExitStatus>;

type Commands = typeof import('./commands.js');

const RUNNERS: Readonly<Record<string, Runner>> = {
  train: runner(TRAIN, ({ train }) => train),
  tune: runner(TUNE, ({ tune }) => tune),
  predict: runner(PREDICT, ({ predict }) => predict),
  inspect: runner(INSPECT, ({ inspect }) => inspect),
  export: runner(EXPORT, ({ exportModel }) => exportModel),
  compare: runner(COMPARE, ({ compareCommand }) => compareCommand),
  gen: runner(GENERATE, ({ gen }) => gen),
  worker: runner(WORKER, ({ worker }) => worker),
};

function runner<O extends OptionTable>(info: CommandInfo<O>, among: (commands: Commands) => Run<O>): Runner {
  return async (args, interrupt) => {
    // Before any check: the other arguments may be wrong.
    if (asksForHelp(args)) {
      await print(helpFor(info));
      return EXIT.done;
    }
    const parsed = parse(args, info.options);
    const [least, most] = info.operands;
    const { length } = parsed.operands;
    if (length < least) {
      const missing = info.usage.split(' ').slice(length, least);
      const verb = missing.length === 1 ? 'is' : 'are';
      throw new UsageError(`${missing.join(' and ')} ${verb} missing; usage: ${PROGRAM} ${info.name} ${info.usage}`);
    }
    if (length > most) throw new UsageError(`${JSON.stringify(parsed.operands[most])} is one operand too many`);
    const { quiet, json } = parsed.values as { quiet?: boolean; json?: boolean };
    if (info.name === TRAIN.name) compileLess();
    const run = among(await import('./commands.js'));
    return run(parsed, { voice: { quiet: quiet === true, json: json === true }, interrupt, version });
  };
}

/**
 * Training is often over when V8 has compiled long functions with what they call inside: without that a table of 8,000 texts is
 * trained in 0.9 of the time, and one of 200,000 in the same.
 */
function compileLess(): void {
  if (!process.versions.bun) setFlagsFromString('--max-inlined-bytecode-size-cumulative=0');
}

const asksForHelp = (args: readonly string[]): boolean => {
  const end = args.indexOf('--');
  return args.slice(0, end < 0 ? args.length : end).some((arg) => arg === '--help' || arg === '-h');
};

async function dispatch([name, ...rest]: readonly string[], interrupt: Interrupt): Promise<ExitStatus> {
  if (name === undefined) {
    printError(overview(version).trimEnd());
    return EXIT.usage;
  }
  if (name === '--version' || name === '-V') return say(`${version}\n`);
  if (name === '--help' || name === '-h' || name === 'help') {
    const info = COMMANDS.find((command) => command.name === rest[0]);
    if (rest[0] !== undefined && !info) throw unknownCommand(rest[0]);
    return say(info ? helpFor(info) : overview(version));
  }
  const run = Object.hasOwn(RUNNERS, name) ? RUNNERS[name] : undefined;
  if (!run) throw unknownCommand(name);
  return run(rest, interrupt);
}

async function say(text: string): Promise<ExitStatus> {
  await print(text);
  return EXIT.done;
}

function unknownCommand(name: string): UsageError {
  const names = COMMANDS.map((command) => command.name);
  const near = names.find((known) => editSteps(known, name) <= 2 || (name.length > 1 && known.startsWith(name)));
  const hint = near ? `do you mean ${near}?` : `there are ${names.join(', ')}`;
  return new UsageError(
    `${name.startsWith('-') ? 'unknown option' : 'unknown command'} ${JSON.stringify(name)}: ${hint}`,
  );
}

/** Whether an error is the signal's reason, possibly wrapped; a full disk after Ctrl-C is another error. */
const isAbort = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'AbortError' || isAbort(error.cause));

/** Prints an error in one line, with the stack only on request; returns the exit status. */
function report(error: unknown, command: string | undefined, interrupt: Interrupt): ExitStatus {
  if (process.env.DEBUG && error instanceof Error) printError(error.stack ?? '');
  const known = COMMANDS.some(({ name }) => name === command);
  const who = known ? `${PROGRAM} ${command}` : PROGRAM;
  if (error instanceof UsageError) {
    printError(visible(`${who}: ${error.message} (see ${who} --help)`));
    return EXIT.usage;
  }
  if (interrupt.happened && isAbort(error)) {
    printError(`${who}: interrupted; nothing was written`);
    return EXIT.interrupted;
  }
  printError(`${who}: ${inOneLine(error)}`);
  return EXIT.failed;
}

const args = process.argv.slice(2);
const interrupt = new Interrupt();
dispatch(args, interrupt)
  .catch((error: unknown) => report(error, args[0], interrupt))
  .then((status) => {
    interrupt.release();
    leaveStdin();
    process.exitCode = status;
    // A pending read of a silent pipe would keep the process alive.
    if (status === EXIT.interrupted) process.exit();
  });
