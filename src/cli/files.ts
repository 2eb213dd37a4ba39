// Atomic output files: written to a temporary file in the same directory, synced to the disk, and renamed. After an error the
// temporary file is removed, and an older file of that name is unchanged.

import { randomBytes } from 'node:crypto';
import { constants, fstatSync, openSync, rmSync, type Stats } from 'node:fs';
import { access, type FileHandle, open, readlink, realpath, rename, stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import { visibleLines } from '../escape.js';
import { CommandError, codeOf, reasonOf, UsageError } from './errors.js';
import { isStdoutClosed, print } from './output.js';

export type Chunks = Iterable<string> | AsyncIterable<string>;

/** Temporary files of this process; they are removed at exit, also after a second Ctrl-C. */
const unfinished = new Set<string>();
process.on('exit', () => {
  for (const path of unfinished) rmSync(path, { force: true });
});

/** The error for a path that cannot be written. ENOENT means that the directory is missing, since a missing file is created. */
async function cannotWrite(path: string, error: unknown): Promise<CommandError> {
  const reason = codeOf(error) === 'ENOENT' ? await missingFor(path) : reasonOf(error);
  return new CommandError(`cannot write ${path}: ${reason}`, { cause: error });
}

async function missingFor(path: string): Promise<string> {
  const target = await targetOf(path).catch(() => path);
  const missing = `the directory ${dirname(target)} does not exist`;
  return target === path ? missing : `it is a link to ${target}, and ${missing}`;
}

async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Checks before training that a path can be written. @throws CommandError saying why not */
export async function expectWritable(path: string | undefined): Promise<void> {
  if (path === undefined || path === '-') return;
  try {
    const target = await statOf(path);
    if (target?.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
    if (!target || target.isFile()) await access(dirname(await targetOf(path)), constants.W_OK);
    // A rename would replace a read-only file.
    if (target) await access(path, constants.W_OK);
  } catch (error) {
    throw await cannotWrite(path, error);
  }
}

/** An output must not overwrite an input, also under another path. @throws UsageError if `path` is one of the inputs */
export async function expectNotRead(path: string | undefined, inputs: readonly (string | undefined)[]): Promise<void> {
  if (path === undefined || path === '-') return;
  const target = await identityOf(path);
  if (target === undefined) return;
  for (const input of inputs) {
    if (input !== undefined && (await identityOf(input)) === target) {
      throw new UsageError(`-o ${path} is also an input`);
    }
  }
}

/** The device and inode of a file; undefined if there is no such file. */
async function identityOf(path: string): Promise<string | undefined> {
  try {
    const found = path === '-' ? fstatSync(0, { bigint: true }) : await stat(path, { bigint: true });
    return found.isFile() ? `${found.dev}:${found.ino}` : undefined;
  } catch {
    return undefined;
  }
}

/** The target of a path: follows links, also to a file that does not exist yet. */
async function targetOf(path: string): Promise<string> {
  const link = await readlink(path).catch(() => undefined);
  return link === undefined ? path : targetOf(resolve(await realpath(dirname(path)), link));
}

/** Writes text to a file, or to standard output for '-'; compressed if its name ends in .gz. */
export async function writeOutput(path: string, chunks: Chunks): Promise<void> {
  if (path === '-') return writeStdout(chunks);
  try {
    const target = await statOf(path);
    // Write to a pipe, a terminal or /dev/null directly: a rename would replace it by a file.
    if (target?.isFIFO()) await pipeline(Readable.from(inBlocks(chunks)), await openPipe(path));
    else if (target && !target.isFile()) await writeInPlace(path, chunks);
    else await replace(await targetOf(path), chunks, path.endsWith('.gz'), target);
  } catch (error) {
    throw error instanceof CommandError ? error : await cannotWrite(path, error);
  }
}

async function writeStdout(chunks: Chunks): Promise<void> {
  for await (const block of inBlocks(process.stdout.isTTY ? forTerminal(chunks) : chunks)) {
    await print(block);
    if (isStdoutClosed()) return;
  }
}

/** Data with escapes for what a terminal would obey; in a model's JSON they mean the same. */
async function* forTerminal(chunks: Chunks): AsyncGenerator<string> {
  for await (const chunk of chunks) yield chunk.split('\t').map(visibleLines).join('\t');
}

/** How often to look for the reader of a pipe. */
const READER_MS = 50;

/** Opens a named pipe when it has a reader. fs would wait for one in a thread, and no process with such a thread can exit. */
async function openPipe(path: string): Promise<Socket> {
  for (;;) {
    try {
      const fd = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
      return new Socket({ fd, readable: false, writable: true });
    } catch (error) {
      if (codeOf(error) !== 'ENXIO') throw error;
      await sleep(READER_MS);
    }
  }
}

async function writeInPlace(path: string, chunks: Chunks): Promise<void> {
  const file = await open(path, 'w');
  try {
    for await (const block of inBlocks(chunks)) await writeWhole(file, block);
  } finally {
    await file.close();
  }
}

async function replace(path: string, chunks: Chunks, isGzip: boolean, old: Stats | undefined): Promise<void> {
  // A short name, so that it fits the limit of the file system.
  const temporary = join(dirname(path), `.perceptron-${randomBytes(6).toString('hex')}.tmp`);
  unfinished.add(temporary);
  try {
    // Not for a moment may others read what they could not read in the old file.
    const file = await open(temporary, 'wx', old && old.mode & 0o777);
    try {
      if (old) await inherit(file, old);
      await writeAll(file, chunks, isGzip);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
    await syncDirectory(dirname(path));
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  } finally {
    unfinished.delete(temporary);
  }
}

/** Gives a file the owner (only root can) and the permissions of the file that it replaces. */
async function inherit(file: FileHandle, { uid, gid, mode }: Stats): Promise<void> {
  if (process.getuid?.() === 0) await file.chown(uid, gid);
  // After chown, which clears some bits.
  await file.chmod(mode);
}

/** Errors of file systems that cannot sync a directory, and of a directory that may be written and not read. */
const UNSYNCED = ['EACCES', 'EPERM', 'EISDIR', 'EINVAL', 'ENOTSUP'];

/** Syncs a directory, so that a rename in it outlives a power failure. */
async function syncDirectory(path: string): Promise<void> {
  try {
    const directory = await open(path, 'r');
    await directory.sync().finally(() => directory.close());
  } catch (error) {
    // The file itself is complete and in place.
    if (!UNSYNCED.includes(codeOf(error) ?? '')) throw error;
  }
}

async function writeAll(file: FileHandle, chunks: Chunks, isGzip: boolean): Promise<void> {
  // Joins small chunks: a system call for each line would take longer than formatting it.
  const source = Readable.from(inBlocks(chunks), { objectMode: false });
  const sink = async (blocks: AsyncIterable<Uint8Array>) => {
    for await (const block of blocks) await writeWhole(file, block);
  };
  await (isGzip ? pipeline(source, createGzip(), sink) : pipeline(source, sink));
}

/** Repeats partial writes, which happen on a nearly full disk. */
async function writeWhole(file: FileHandle, block: Uint8Array): Promise<void> {
  for (let at = 0; at < block.length; ) at += (await file.write(block, at)).bytesWritten;
}

const BLOCK_CHARACTERS = 1 << 16;

async function* inBlocks(chunks: Chunks): AsyncGenerator<Uint8Array> {
  let text = '';
  for await (const chunk of chunks) {
    text += chunk;
    if (text.length < BLOCK_CHARACTERS) continue;
    yield Buffer.from(text);
    text = '';
  }
  if (text !== '') yield Buffer.from(text);
}
