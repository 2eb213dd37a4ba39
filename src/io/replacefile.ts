// Atomic files in Node, for saveModel and the command: a file is written to a temporary one in the same directory, synced to the
// disk, and renamed. After an error the temporary file is removed, and an older file of that name is unchanged.

import type { Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { builtin } from './source.js';

// Node's own. A bare `process` would make bundlers for browsers look for a replacement.
const { process } = globalThis;

export type ByteChunks = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

const nodeModules = () => ({
  fs: builtin('node:fs') as typeof import('node:fs'),
  path: builtin('node:path') as typeof import('node:path'),
});

const codeOf = (error: unknown): unknown => (error as { code?: unknown } | undefined)?.code;

/** Temporary files of this process; they are removed at exit, also by a call of process.exit. */
const unfinished = new Set<string>();
const removeUnfinished = (): void => {
  for (const path of unfinished) nodeModules().fs.rmSync(path, { force: true });
};

/** What is at a path; undefined if there is nothing. */
export async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await nodeModules().fs.promises.stat(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** The target of a path: follows links, also to a file that does not exist yet. */
export async function targetOf(path: string): Promise<string> {
  const {
    fs: { promises },
    path: { dirname, resolve },
  } = nodeModules();
  const link = await promises.readlink(path).catch(() => undefined);
  return link === undefined ? path : targetOf(resolve(await promises.realpath(dirname(path)), link));
}

/** Why there is no file at a path that was to be created: its directory is missing. */
export async function missingFor(path: string): Promise<string> {
  const target = await targetOf(path).catch(() => path);
  const missing = `the directory ${nodeModules().path.dirname(target)} does not exist`;
  return target === path ? missing : `it is a link to ${target}, and ${missing}`;
}

/** Replaces the file `old` at a path, or makes a new one; compressed if `isGzip`. The path is not a link. */
export async function replaceFile(
  path: string,
  chunks: ByteChunks,
  isGzip: boolean,
  old: Stats | undefined,
): Promise<void> {
  const {
    fs: { promises, rmSync },
    path: { dirname, join },
  } = nodeModules();
  // A short name, so that it fits the limit of the file system.
  const temporary = join(dirname(path), `.perceptron-${Math.random().toString(36).slice(2)}.tmp`);
  if (unfinished.size === 0) process.on('exit', removeUnfinished);
  unfinished.add(temporary);
  try {
    // Not for a moment may others read what they could not read in the old file: a model may contain rows of the data.
    const file = await promises.open(temporary, 'wx', old && old.mode & 0o777);
    try {
      if (old) await inherit(file, old);
      await writeAll(file, chunks, isGzip);
      await file.sync();
    } finally {
      await file.close();
    }
    await promises.rename(temporary, path);
    await syncDirectory(promises, dirname(path));
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  } finally {
    unfinished.delete(temporary);
    if (unfinished.size === 0) process.off('exit', removeUnfinished);
  }
}

/** Gives a file the owner (only root can) and the permissions of the file that it replaces. */
async function inherit(file: FileHandle, { uid, gid, mode }: Stats): Promise<void> {
  if (process.getuid?.() === 0) await file.chown(uid, gid);
  // After chown, which clears some bits.
  await file.chmod(mode);
}

/** Errors of file systems that cannot sync a directory, and of a directory that may be written and not read. */
const UNSYNCED: readonly unknown[] = ['EACCES', 'EPERM', 'EISDIR', 'EINVAL', 'ENOTSUP'];

/** Syncs a directory, so that a rename in it outlives a power failure. */
async function syncDirectory({ open }: typeof import('node:fs/promises'), path: string): Promise<void> {
  try {
    const directory = await open(path, 'r');
    await directory.sync().finally(() => directory.close());
  } catch (error) {
    // The file itself is complete and in place.
    if (!UNSYNCED.includes(codeOf(error))) throw error;
  }
}

async function writeAll(file: FileHandle, chunks: ByteChunks, isGzip: boolean): Promise<void> {
  const sink = async (blocks: ByteChunks) => {
    // A block is written while the next one is made.
    let writing: Promise<void> | undefined;
    for await (const block of blocks) {
      await writing;
      writing = writeWhole(file, block);
      writing.catch(() => {}); // the next await has the error
    }
    await writing;
  };
  if (!isGzip) return sink(chunks);
  const { Readable, promises } = builtin('node:stream') as typeof import('node:stream');
  const { createGzip } = builtin('node:zlib') as typeof import('node:zlib');
  await promises.pipeline(Readable.from(chunks, { objectMode: false }), createGzip(), sink);
}

/** Repeats partial writes, which happen on a nearly full disk. */
export async function writeWhole(file: FileHandle, block: Uint8Array): Promise<void> {
  for (let at = 0; at < block.length; ) at += (await file.write(block, at)).bytesWritten;
}
