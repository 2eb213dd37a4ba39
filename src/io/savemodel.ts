// saveModel: writes a model as JSON, chunk by chunk, to a file or a stream. A file appears when it is complete.

import type { FileHandle } from 'node:fs/promises';
import { show } from '../errors.js';
import { DataError } from './errors.js';
import { jsonChunks } from './jsontext.js';
import { type Address, builtin, nameOf, reasonOf } from './source.js';

/** The part of a WritableStream of bytes that is used. */
export interface ByteSink {
  getWriter(): {
    readonly ready: Promise<unknown>;
    write(chunk: Uint8Array): Promise<unknown>;
    close(): Promise<unknown>;
    abort(reason?: unknown): Promise<unknown>;
  };
}

/** A model of any trainer, or a Pipeline. */
export interface SavableModel {
  toJSON(): object;
}

/**
 * Writes a model's JSON: the text of `JSON.stringify(model)`, of any size, without a copy of the model in memory. To a path in
 * Node: a file beside it is renamed at the end, so that there is never a half file; compressed if the name ends in .gz. To a
 * WritableStream of bytes: at its pace; it is closed at the end.
 * @throws DataError if the file cannot be written; the stream's own error; NotFittedError before fit
 *
 * @example
 * import { readModel, saveModel } from 'perceptron-wasm/io';
 * const model = new Perceptron<string>().fit([[0, 1], [1, 0]], ['no', 'yes']);
 * const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
 * const [copy] = await Promise.all([readModel(readable), saveModel(model, writable)]);
 * console.log(copy.predict([[3, 0]])); // → [ 'yes' ]
 */
export async function saveModel(model: SavableModel, target: string | Address | ByteSink): Promise<void> {
  const bytes = bytesOf(jsonChunks(contentOf(model)));
  if (typeof target === 'object' && target !== null && 'getWriter' in target) return writeTo(target, bytes);
  const path = typeof target === 'string' ? target : target?.href;
  const isPath = typeof target === 'string' ? !/^https?:/i.test(target) : /^file:/i.test(String(path));
  if (!isPath) throw new TypeError(`saveModel takes a path or a WritableStream, got ${show(target)}`);
  const fs = builtin('node:fs');
  const source = nameOf(target);
  if (!fs)
    throw new DataError('writing to a path needs Node 20.16 or newer; pass a WritableStream instead', { source });
  try {
    await writeFile(fs.promises, typeof target === 'string' ? target : new URL(target.href), bytes);
  } catch (cause) {
    throw new DataError(`cannot be written: ${reasonOf(cause)}`, { source, cause });
  }
}

/** What is to be written, with the model's own arrays in it. */
function contentOf(model: SavableModel & { packed?(): object }): object {
  if (typeof model?.toJSON !== 'function') throw new TypeError(`saveModel takes a model, got ${show(model)}`);
  // A model of another copy of the library may have toJSON only.
  return model.packed ? model.packed() : model.toJSON();
}

function* bytesOf(chunks: Iterable<string>): Generator<Uint8Array> {
  const encoder = new TextEncoder();
  for (const chunk of chunks) yield encoder.encode(chunk);
}

async function writeTo(sink: ByteSink, chunks: Iterable<Uint8Array>): Promise<void> {
  const writer = sink.getWriter();
  try {
    for (const chunk of chunks) {
      await writer.ready;
      await writer.write(chunk);
    }
    await writer.close();
  } catch (error) {
    await writer.abort(error).catch(() => {}); // a stream that has failed cannot be aborted
    throw error;
  }
}

type Files = typeof import('node:fs/promises');

async function writeFile(fs: Files, path: string | URL, chunks: Iterable<Uint8Array>): Promise<void> {
  const target = await fs.realpath(path).catch(() => path);
  const before = await fs.stat(target).catch(() => undefined);
  const isGzip = /\.gz$/i.test(String(path));
  // A pipe or a device is written to directly: a rename would replace it.
  const isInPlace = before !== undefined && !before.isFile();
  const temporary = isInPlace ? target : besides(target);
  // With the mode of the old file from the start: a model may contain rows that not everybody may read.
  const handle = await fs.open(temporary, isInPlace ? 'w' : 'wx', before && before.mode & 0o777);
  try {
    try {
      if (before && !isInPlace) {
        // Only root can, and before chmod, since it clears some bits.
        if (globalThis.process?.getuid?.() === 0) await handle.chown(before.uid, before.gid);
        await handle.chmod(before.mode);
      }
      await writeAll(fs, handle, chunks, isGzip);
      if (!isInPlace) await handle.sync();
    } finally {
      await handle.close();
    }
    if (!isInPlace) await fs.rename(temporary, target);
  } catch (error) {
    if (!isInPlace) await fs.rm(temporary, { force: true });
    throw error;
  }
}

/** The path of a new file in the same directory. */
function besides(path: string | URL): string | URL {
  const name = `.perceptron-${crypto.randomUUID()}.tmp`;
  return typeof path === 'string' ? path.replace(/[^/\\]*$/, name) : new URL(name, path);
}

async function writeAll(fs: Files, handle: FileHandle, chunks: Iterable<Uint8Array>, isGzip: boolean): Promise<void> {
  if (!isGzip) return fs.writeFile(handle, chunks);
  const { readable, writable } = new CompressionStream('gzip') as { readable: unknown; writable: unknown };
  const written = fs.writeFile(handle, readable as AsyncIterable<Uint8Array>);
  await Promise.all([written, writeTo(writable as ByteSink, chunks)]);
}
