// Errors of the command line, and their exit status.

import { visible } from '../escape.js';

/** Wrong usage: exit status 2, and a hint to the help. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** An error in a file or in its data: exit status 1. */
export class CommandError extends Error {
  override name = 'CommandError';
}

export const EXIT = { done: 0, failed: 1, usage: 2, interrupted: 130 } as const;
export type ExitStatus = (typeof EXIT)[keyof typeof EXIT];

/** The meaning of the system's error codes. */
const MEANINGS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOENT: 'there is no such file or directory',
  ENOTDIR: 'a part of the path is not a directory',
  EISDIR: 'it is a directory',
  ENOSPC: 'no space left on the device',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file would be larger than is allowed',
  EIO: 'input/output error',
  EMFILE: 'too many open files',
  ENFILE: 'too many open files',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'too many symbolic links',
  EBUSY: 'it is in use',
  ETXTBSY: 'it is in use',
};

export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/** The reason of an error in words, with the system's error code. */
export function reasonOf(error: unknown): string {
  const code = codeOf(error);
  const meaning = code === undefined ? undefined : MEANINGS[code];
  if (meaning !== undefined) return `${meaning} (${code})`;
  return error instanceof Error ? error.message : String(error);
}

/** Options of the library, and their flags. */
const FLAGS: Readonly<Record<string, string>> = {
  maxCols: '--max-cols',
  labels: '--labels',
  ignore: '--ignore',
  header: '--header',
  learningRate: '--eta',
  maxEpochs: '--epochs',
  order: '--order',
  seed: '--seed',
  average: '--average',
  margin: '--margin',
  fitIntercept: '--no-intercept',
  interceptScaling: '--intercept-scaling',
  classWeight: '--class-weight',
  validationFraction: '--validation',
  patience: '--patience',
  ratchet: '--ratchet',
  kernel: '--kernel',
  strategy: '--strategy',
  threads: '--threads',
};

/** Replaces option names in the library's messages by flags. A quoted name may also be a column: only known phrases are changed. */
const PHRASES: readonly (readonly [said: RegExp, meant: string | ((all: string, name: string) => string)])[] = [
  [/"(\w+)"(?= (?:goes with|has|is about|is for|must|needs|does not|draws|allows))/g, flagFor],
  [/(?<=\(|needs an? )"(maxCols|ignore|header|validationFraction)"/g, flagFor],
  [/"label"(?= is column| must)/g, '--label'],
  [/(?<=is the label |in a column )\("label"\)/g, '(--label)'],
  [/(?<=^column (\d+) has no name.*)with "ignore"/g, 'with --ignore $1'],
  [/(?<=with |be in )"ignore"(?:: \[(-?\d+)\])?/g, (_, column) => `--ignore${column ? ` ${column}` : ''}`],
  [
    /'ignore' it if it is an ID, make it 'text', or allow more with \{ type: 'category', maxValues: \d+ \}/g,
    'leave it out with --ignore if it is an ID, or take its words with --text',
  ],
  [/"header": true/g, '--header yes'],
  [/"header": false/g, '--header no'],
  [/ \((?:or )?read (?:it|words) with readTable[^)]*\)/g, ''],
  [/ \(label: null if it has no label\)/g, ''],
  [/, and CSV is read with readCsv or readData/g, ''],
  [/\bclassWeight\b/g, '--class-weight'],
  [/(?<=goes with )order '(\w+)'/g, '--order $1'],
  [/(?<=--labels has .* labels, )X has/g, 'the data has'],
  [/give the label's index/g, 'give its number (--label 0 is the first)'],
];

function flagFor(all: string, name: string): string {
  return Object.hasOwn(FLAGS, name) ? (FLAGS[name] ?? all) : all;
}

/** A message of the library with flags instead of option names. */
export const inOurWords = (message: string): string =>
  PHRASES.reduce(
    (text, [said, meant]) => (typeof meant === 'string' ? text.replaceAll(said, meant) : text.replaceAll(said, meant)),
    message,
  );

/** The message of an error in one line, with flags instead of option names. */
export const inOneLine = (error: unknown): string => visible(inOurWords(reasonOf(error)).trim());
