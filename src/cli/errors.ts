// What can go wrong between a user and a command, and the exit status it comes to (API.md).

/** Wrong usage: exit status 2, and a pointer to the help. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** A clear error that is nobody's fault but the file's: exit status 1. */
export class CommandError extends Error {
  override name = 'CommandError';
}

export const EXIT = { done: 0, failed: 1, usage: 2, interrupted: 130 } as const;
export type ExitStatus = (typeof EXIT)[keyof typeof EXIT];

/** What the system's error codes mean. */
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

/** Why, in words, with the system's code for whoever searches for it. */
export function reasonOf(error: unknown): string {
  const code = codeOf(error);
  const meaning = code === undefined ? undefined : MEANINGS[code];
  if (meaning !== undefined) return `${meaning} (${code})`;
  return error instanceof Error ? error.message : String(error);
}

/** Options of the library, as the command calls them. */
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

/** What the library says, in words of the command. A name in quotes may be a column's, too: only the library's phrases are changed. */
const PHRASES: readonly (readonly [said: RegExp, meant: string | ((all: string, name: string) => string)])[] = [
  [/"(\w+)"(?= (?:goes with|has|is about|must|needs|does not|draws|allows))/g, flagFor],
  [/(?<=\(|needs an? )"(maxCols|ignore|header|validationFraction)"/g, flagFor],
  [/"label"(?= is column| must)/g, '--label'],
  [/(?<=is the label |in a column )\("label"\)/g, '(--label)'],
  [/(?<=with |be in )"ignore"(?:: \[(-?\d+)\])?/g, (_, column) => `--ignore${column ? ` ${column}` : ''}`],
  [/"header": true/g, '--header yes'],
  [/ \(counts of words, see SparseBuilder\)/g, ' (counts of words)'],
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

const inOurWords = (message: string): string =>
  PHRASES.reduce(
    (text, [said, meant]) => (typeof meant === 'string' ? text.replaceAll(said, meant) : text.replaceAll(said, meant)),
    message,
  );

/** The whole error in one line and in words of the command, whatever it was. */
export const inOneLine = (error: unknown): string =>
  inOurWords(reasonOf(error))
    .replaceAll(/\s*[\r\n]+\s*/g, ' ')
    .trim();
