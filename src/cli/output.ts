// Standard output and standard error: results here, remarks there, and no crash when nobody listens any more.

import { CommandError, codeOf, reasonOf } from './errors.js';

const GONE = ['EPIPE', 'EOF', 'ECONNRESET', 'ERR_STREAM_DESTROYED'];

// Without listeners a closed pipe would be an uncaught error; each write looks at its own outcome.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

let stdoutClosed = false;

/** Whether the reader of standard output has gone (`| head -1`): nobody will miss the rest. */
export const isStdoutClosed = (): boolean => stdoutClosed;

/** Writes to standard output; once its reader has gone, does nothing. @throws CommandError if it is full */
export function print(text: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    if (stdoutClosed) return resolve();
    process.stdout.write(text, (error) => {
      if (!error) return resolve();
      if (!GONE.includes(codeOf(error) ?? '')) {
        return reject(new CommandError(`cannot write to standard output: ${reasonOf(error)}`, { cause: error }));
      }
      stdoutClosed = true;
      resolve();
    });
  });
}

/** Writes a line to standard error. */
export function printError(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Where a command says things: nothing but errors and warnings when quiet, one object when a machine listens. */
export interface Voice {
  readonly quiet: boolean;
  readonly json: boolean;
}

/** A remark on standard error: what was detected, what was decided. */
export function note(voice: Voice, line: string): void {
  if (!voice.quiet) printError(line);
}

/** Something on standard error that should not be missed. */
export function warn(line: string): void {
  printError(`warning: ${line}`);
}

/** One object for a machine, on one line. Infinity, which JSON does not have, becomes null. */
export const printJSON = (value: unknown): Promise<void> => print(`${JSON.stringify(value)}\n`);

// ---- numbers in words ------------------------------------------------------------------------------

export const count = (n: number): string => n.toLocaleString('en');

/** `1 row`, `2 rows`. */
export const counted = (n: number, one: string, many = `${one}s`): string => `${count(n)} ${n === 1 ? one : many}`;

/** Roughly: for numbers that change while they are read. */
export const rough = (n: number): string =>
  new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 }).format(n);

export const short = (x: number): string => (Number.isFinite(x) ? String(Number(x.toPrecision(3))) : '∞');

/** A share as percent: 100 only if it is all, 0 only if it is none. */
export function percent(share: number, digits = 2): string {
  const text = (share * 100).toFixed(digits);
  const isRoundedTo = (end: number) => Number(text) === end && share !== end / 100;
  if (isRoundedTo(100)) return `${(100 - 10 ** -digits).toFixed(digits)} %`;
  if (isRoundedTo(0) && share > 0) return `${(10 ** -digits).toFixed(digits)} %`;
  return `${text} %`;
}

export function duration(ms: number): string {
  if (ms < 1) return `${(ms * 1000).toFixed(0)} µs`;
  if (ms < 1000) return `${ms.toPrecision(3)} ms`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds.toPrecision(3)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.floor(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function bytes(n: number): string {
  if (n < 1000) return `${n} B`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  let value = n / 1000;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value.toPrecision(3)} ${units[unit]}`;
}

/** The most memory the process has had at once. */
export const peakMemory = (): number => process.resourceUsage().maxRSS * 1024;

/** A label as people write it: strings that could be taken for something else in quotes. */
export const label = (value: number | string | boolean): string =>
  typeof value === 'string' && !/^[^\s,"']+$/.test(value) ? JSON.stringify(value) : String(value);
