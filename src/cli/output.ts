// Results go to standard output, remarks to standard error; a closed pipe is not an error.

import { grouped } from '../errors.js';
import { quoted, visible, visibleLines } from '../escape.js';
import { CommandError, codeOf, reasonOf } from './errors.js';

const GONE = ['EPIPE', 'EOF', 'ECONNRESET', 'ERR_STREAM_DESTROYED'];

// Without listeners a closed pipe would be an uncaught error; each write checks its own result.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

let stdoutClosed = false;

/** Whether the reader of standard output has closed it (`| head -1`). */
export const isStdoutClosed = (): boolean => stdoutClosed;

/**
 * Writes to standard output; does nothing after its reader has closed it. Text is for people: control characters in it become
 * escapes; bytes are written as they are. @throws CommandError if the write fails
 */
export function print(text: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    if (stdoutClosed) return resolve();
    process.stdout.write(typeof text === 'string' ? visibleLines(text) : text, (error) => {
      if (!error) return resolve();
      if (!GONE.includes(codeOf(error) ?? '')) {
        return reject(new CommandError(`cannot write to standard output: ${reasonOf(error)}`, { cause: error }));
      }
      stdoutClosed = true;
      resolve();
    });
  });
}

/** Writes lines to standard error, control characters as escapes. */
export function printError(lines: string): void {
  process.stderr.write(`${visibleLines(lines)}\n`);
}

/** What a command prints: `quiet`: only results, warnings and errors; `json`: one object. */
export interface Voice {
  readonly quiet: boolean;
  readonly json: boolean;
}

/** Prints a remark on standard error, such as what was detected. */
export function note(voice: Voice, line: string): void {
  if (!voice.quiet) printError(visible(line));
}

/** Prints a warning on standard error. */
export function warn(line: string): void {
  printError(visible(`warning: ${line}`));
}

/** Prints a JSON object on one line. Infinity becomes null; escapes of `print` are JSON's, too. */
export const printJSON = (value: unknown): Promise<void> => print(`${JSON.stringify(value)}\n`);

// ---- numbers in words ------------------------------------------------------------------------------

export const count = grouped;

/** `1 row`, `2 rows`. */
export const counted = (n: number, one: string, many = `${one}s`): string => `${count(n)} ${n === 1 ? one : many}`;

/** A rounded number, for numbers that change while you read them. */
export const rough = (n: number): string =>
  new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 }).format(n);

export const short = (x: number): string => (Number.isFinite(x) ? String(Number(x.toPrecision(3))) : '∞');

/** A share in percent; rounding never gives 100 or 0 unless the share is 1 or 0. */
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

/** The peak memory of the process in bytes. */
export const peakMemory = (): number => process.resourceUsage().maxRSS * 1024;

/** A label for messages; strings that look like something else are quoted. */
export const label = (value: number | string | boolean): string =>
  typeof value === 'string' && (!/^[^\s,"']+$/.test(value) || visible(value) !== value) ? quoted(value) : String(value);
