// Opens a path, a web address or standard input, and reads its first bytes.

import { createReadStream, constants as flags, openSync } from 'node:fs';
import { readlink, stat } from 'node:fs/promises';
import { addAbortSignal, type Readable } from 'node:stream';
import { constants, gunzipSync } from 'node:zlib';
import type { Context } from './context.js';
import { CommandError, codeOf, reasonOf } from './errors.js';
import { note } from './output.js';
import { openStdin } from './stdin.js';

/** Enough bytes to detect the format; more are read for longer lines. */
const HEAD_BYTES = 1 << 16;
const MOST_HEAD_BYTES = 1 << 24;
/** The most bytes of a decompressed head. */
const MOST_TEXT_BYTES = 1 << 28;

export interface Input {
  /** The source for the readers. */
  readonly source: string | AsyncIterable<Uint8Array>;
  readonly name: string;
  /** Ends a read that waits. */
  readonly signal: AbortSignal;
  /** The first bytes, decompressed: at least two complete lines, if there are as many. Undefined for web addresses. */
  readonly head: Uint8Array | undefined;
}

const isAddress = (path: string): boolean => /^https?:\/\//i.test(path);

const nameOf = (path: string): string => (path === '-' ? 'standard input' : path);

/** Opens an input and reads its first bytes. @throws CommandError if it cannot be read; the signal's reason */
export async function openInput(path: string, { voice, interrupt }: Context): Promise<Input> {
  const name = nameOf(path);
  const { signal } = interrupt;
  if (isAddress(path)) return { source: path, name, signal, head: undefined };
  if (path === '-' && process.stdin.isTTY) note(voice, 'reading standard input, until Ctrl-D');
  try {
    // An input that is not a file, such as <(zcat data.gz), can be read only once.
    const found = path === '-' ? undefined : await stat(path);
    const isFile = found?.isFile() === true;
    const stream = !found ? openStdin() : found.isFIFO() ? await openPipe(path) : createReadStream(path);
    // Ctrl-C must also end the wait for a silent pipe.
    addAbortSignal(signal, stream);
    const chunks: AsyncIterator<Uint8Array> = stream[Symbol.asyncIterator]();
    const begin = await beginningOf(chunks);
    const head = decompressed(Buffer.concat(begin));
    if (!isFile) return { source: joined(begin, chunks), name, signal, head };
    await chunks.return?.();
    return { source: path, name, signal, head };
  } catch (error) {
    signal.throwIfAborted();
    throw new CommandError(`cannot read ${name}: ${await reasonFor(path, error)}`, { cause: error });
  }
}

/** The reason of an error in words; a link to nothing is not a missing file. */
async function reasonFor(path: string, error: unknown): Promise<string> {
  const link = codeOf(error) === 'ENOENT' ? await readlink(path).catch(() => undefined) : undefined;
  return link === undefined ? reasonOf(error) : `it is a link to ${link}, which does not exist (ENOENT)`;
}

/**
 * Opens a named pipe. It is polled like a socket: fs would wait for the pipe's writer in a thread, and no process with such a
 * thread can exit.
 */
async function openPipe(path: string): Promise<Readable> {
  const { Socket } = await import('node:net');
  const fd = openSync(path, flags.O_RDONLY | flags.O_NONBLOCK);
  return new Socket({ fd, readable: true, writable: false });
}

async function beginningOf(chunks: AsyncIterator<Uint8Array>): Promise<Uint8Array[]> {
  const begin: Uint8Array[] = [];
  // Checks the head again when its size has doubled, not after every chunk.
  for (let size = 0, enough = HEAD_BYTES; size < MOST_HEAD_BYTES; ) {
    const { value, done } = await chunks.next();
    if (done) break;
    begin.push(value);
    size += value.length;
    if (size < enough) continue;
    if (hasTwoLines(decompressed(Buffer.concat(begin)))) break;
    enough *= 2;
  }
  return begin;
}

const hasTwoLines = (bytes: Uint8Array): boolean => bytes.indexOf(10, bytes.indexOf(10) + 1) > bytes.indexOf(10);

async function* joined(begin: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* begin;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

/** Decompresses the head of a file as far as possible; the reader reports errors. */
function decompressed(bytes: Uint8Array): Uint8Array {
  if (!isGzip(bytes)) return bytes;
  try {
    return gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: MOST_TEXT_BYTES });
  } catch {
    return bytes;
  }
}

/** The size of a source in bytes if it is a file; else 0. */
export async function sizeOf(source: Input['source']): Promise<number> {
  if (typeof source !== 'string' || isAddress(source)) return 0;
  const found = await stat(source).catch(() => undefined); // the reader reports what is wrong with it
  return found?.isFile() ? found.size : 0;
}

const MODEL_START = /^\uFEFF?\s*(\{|solver_type\b)/;

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Whether a file begins like a model: JSON, or LIBLINEAR's text. */
export const looksLikeModel = (head: Uint8Array | undefined): boolean =>
  head !== undefined && MODEL_START.test(textOf(head.subarray(0, 256))) && !isRecords(head);

/** Whether a file is a model and not other JSON; used for error messages. */
export const isModel = (head: Uint8Array | undefined): boolean =>
  looksLikeModel(head) && /"type"|"coef_"|^\s*solver_type/.test(textOf(head as Uint8Array));

const PARQUET = 'PAR1';

/** Whether a file begins like one that only readTable reads: Parquet, an array of JSON, or a record of JSON on each line. */
export const looksLikeTable = (head: Uint8Array | undefined): boolean =>
  head !== undefined && (textOf(head.subarray(0, 4)) === PARQUET || isRecords(head));

/** Whether a file begins like an array of JSON, or with a line that is an object of JSON and no model. */
function isRecords(head: Uint8Array): boolean {
  const start = textOf(head.subarray(0, 256))
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (start.startsWith('[')) return true;
  if (!start.startsWith('{')) return false;
  const [first = '', second = ''] = textOf(head)
    .replace(/^\uFEFF/, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (!first.endsWith('}')) return false;
  return second.startsWith('{') || isRecord(first);
}

/** The types of our files. */
const TYPES = [
  ...['perceptron', 'pocket-perceptron', 'dual-perceptron', 'multiclass-perceptron', 'pipeline'],
  ...['scaler', 'table-encoder', 'text-vectorizer'],
];

/** Whether a line is an object of JSON with fields that is neither a model of ours nor one of scikit-learn. */
function isRecord(line: string): boolean {
  // A long model need not be parsed for this.
  if (TYPES.includes(/^\{\s*"type"\s*:\s*"([^"]*)"/.exec(line.slice(0, 100))?.[1] ?? '')) return false;
  try {
    const fields = new Map<string, unknown>(Object.entries(JSON.parse(line)));
    return fields.size > 0 && !fields.has('coef_') && !TYPES.some((type) => type === fields.get('type'));
  } catch {
    return false;
  }
}
