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

/** The whole error in one line, whatever it was. */
export const inOneLine = (error: unknown): string =>
  reasonOf(error)
    .replaceAll(/\s*[\r\n]+\s*/g, ' ')
    .trim();
