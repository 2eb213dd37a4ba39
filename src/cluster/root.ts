// Files below the data root of a worker: the only ones that a job can name.

import { constants } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import { isAbsolute, join, sep } from 'node:path';
import { messageOf, show } from '../errors.js';

/** A file that a worker does not have, or may not read. Its message travels: it quotes nothing of any file. */
export class FileError extends Error {}

/** Checks a path that came with a job, before anything is opened. @throws TypeError or RangeError */
export function expectRelative(path: unknown, name = 'the path of the data'): asserts path is string {
  const why =
    typeof path !== 'string' || path === ''
      ? 'must be a path'
      : path.includes('\0') ||
          path.length > 4096 ||
          path.split(/[\\/]/).includes('..') ||
          isAbsolute(path) ||
          /^[a-z]:/i.test(path)
        ? 'must be relative to the data root of the workers, without ..'
        : undefined;
  if (why === undefined) return;
  throw new (typeof path === 'string' ? RangeError : TypeError)(`${name} ${why}, got ${show(path)}`);
}

/**
 * Opens a file below `root`, which is a real path. Links are followed as long as they stay below it.
 * @throws FileError if there is none, or if it leads out
 */
export async function openBelow(root: string, path: string): Promise<FileHandle> {
  expectRelative(path);
  const isBelow = (real: string) => real.startsWith(root.endsWith(sep) ? root : root + sep);
  let file: FileHandle | undefined;
  try {
    const real = await realpath(join(root, path));
    if (!isBelow(real)) throw new FileError('it leads out of the data root');
    // Neither a link that was put there since, nor a wait for the writer of a pipe.
    file = await open(real, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    if (!(await file.stat()).isFile()) throw new FileError('it is not a file');
    // A folder on the way may have become a link since: Linux says what was opened.
    const opened = await realpath(`/proc/self/fd/${file.fd}`).catch(() => real);
    if (!isBelow(opened)) throw new FileError('it leads out of the data root');
    return file;
  } catch (error) {
    await file?.close();
    if (error instanceof FileError) throw error;
    const { code } = error as { code?: string };
    throw new FileError(code === undefined ? messageOf(error) : (REASONS[code] ?? `it cannot be opened (${code})`));
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file below its data root',
  ENOTDIR: 'there is no such file below its data root',
  EACCES: 'it has no permission to read it',
  EPERM: 'it has no permission to read it',
  ELOOP: 'its links form a circle',
};
