// Output: files are replaced as a whole (io/replacefile.ts); pipes, devices and standard output are written to directly.

import { constants, fstatSync, openSync } from 'node:fs';
import { access, open, stat } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { visibleLines } from '../escape.js';
import { missingFor, replaceFile, statOf, targetOf, writeWhole } from '../io/index.js';
import { CommandError, codeOf, reasonOf, UsageError } from './errors.js';
import { isStdoutClosed, print } from './output.js';

/** Text, or bytes. */
export type Chunks = Iterable<string | Uint8Array> | AsyncIterable<string>;

/** The error for a path that cannot be written. ENOENT means that the directory is missing, since a missing file is created. */
async function cannotWrite(path: string, error: unknown): Promise<CommandError> {
  const reason = codeOf(error) === 'ENOENT' ? await missingFor(path) : reasonOf(error);
  return new CommandError(`cannot write ${path}: ${reason}`, { cause: error });
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

/** The signal of what nobody interrupts. */
const UNABORTED = new AbortController().signal;

/**
 * Writes to a file, or to standard output for '-'; compressed if its name ends in .gz.
 * @param signal ends the wait for the reader of a named pipe, unless it was aborted before: what is left to do then is to save
 * @throws CommandError if it cannot be written; the signal's reason
 */
export async function writeOutput(path: string, chunks: Chunks, signal = UNABORTED): Promise<void> {
  if (path === '-') return writeStdout(chunks);
  const ends = signal.aborted ? UNABORTED : signal;
  try {
    const target = await statOf(path);
    // Write to a pipe, a terminal or /dev/null directly: a rename would replace it by a file.
    if (target?.isFIFO()) await writePipe(path, chunks, ends);
    else if (target && !target.isFile()) await writeInPlace(path, chunks);
    else await replaceFile(await targetOf(path), inBlocks(chunks), path.endsWith('.gz'), target);
  } catch (error) {
    if (error === signal.reason) throw error;
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
  for await (const chunk of chunks) yield String(chunk).split('\t').map(visibleLines).join('\t');
}

/** How often to look for the reader of a pipe. */
const READER_MS = 50;

async function writePipe(path: string, chunks: Chunks, signal: AbortSignal): Promise<void> {
  try {
    await pipeline(Readable.from(inBlocks(chunks)), await openPipe(path, signal), { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}

/** Opens a named pipe when it has a reader. fs would wait for one in a thread, and no process with such a thread can exit. */
async function openPipe(path: string, signal: AbortSignal): Promise<Socket> {
  const [{ Socket }, { setTimeout: sleep }] = await Promise.all([import('node:net'), import('node:timers/promises')]);
  for (;;) {
    try {
      const fd = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
      return new Socket({ fd, readable: false, writable: true });
    } catch (error) {
      if (codeOf(error) !== 'ENXIO') throw error;
      await sleep(READER_MS, undefined, { signal });
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

const BLOCK_CHARACTERS = 1 << 16;

async function* inBlocks(chunks: Chunks): AsyncGenerator<Uint8Array> {
  let text = '';
  for await (const chunk of chunks) {
    if (typeof chunk === 'string') text += chunk;
    if (typeof chunk === 'string' && text.length < BLOCK_CHARACTERS) continue;
    if (text !== '') yield Buffer.from(text);
    if (typeof chunk !== 'string') yield chunk;
    text = '';
  }
  if (text !== '') yield Buffer.from(text);
}
