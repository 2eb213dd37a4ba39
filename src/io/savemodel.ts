// saveModel: writes a model as JSON, chunk by chunk, to a file or a stream. A file appears when it is complete.

import { show } from '../errors.js';
import { DataError } from './errors.js';
import { jsonChunks, stringified } from './jsontext.js';
import { missingFor, replaceFile, statOf, targetOf } from './replacefile.js';
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
 * Node: a file beside it is synced to the disk and renamed at the end, so that there is never a half file; compressed if the name
 * ends in .gz. To a WritableStream of bytes: at its pace; it is closed at the end.
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
  const bytes = bytesOf(textOf(model));
  if (typeof target === 'object' && target !== null && 'getWriter' in target) return writeTo(target, bytes);
  const href = typeof target === 'string' ? target : target?.href;
  const isPath = typeof target === 'string' ? !/^https?:/i.test(target) : /^file:/i.test(String(href));
  if (!isPath) throw new TypeError(`saveModel takes a path or a WritableStream, got ${show(target)}`);
  const [fs, url] = [builtin('node:fs'), builtin('node:url')];
  const source = nameOf(target);
  if (!fs || !url)
    throw new DataError('writing to a path needs Node 20.16 or newer; pass a WritableStream instead', { source });
  const path = typeof target === 'string' ? target : url.fileURLToPath(target.href);
  try {
    const old = await statOf(path);
    // A pipe or a device is written to directly: a rename would replace it.
    if (old && !old.isFile()) await fs.promises.writeFile(path, bytes);
    else await replaceFile(await targetOf(path), bytes, /\.gz$/i.test(path), old);
  } catch (cause) {
    throw new DataError(`cannot be written: ${await reasonFor(path, cause)}`, { source, cause });
  }
}

/** Why a path cannot be written, without the name of the temporary file. */
async function reasonFor(path: string, cause: unknown): Promise<string> {
  const { code } = Object(cause) as { code?: unknown };
  return code === 'ENOENT' ? missingFor(path) : reasonOf(cause).replace(/, \w+( '.*)?$/s, '');
}

/** The JSON text of a model, in chunks. */
function textOf(model: SavableModel & { packed?(): object }): Generator<string, void, undefined> {
  if (typeof model?.toJSON !== 'function') throw new TypeError(`saveModel takes a model, got ${show(model)}`);
  // A model of another copy of the library may have toJSON only, and a subclass may have its own.
  const isOurs = depthOf(model, 'packed') <= depthOf(model, 'toJSON');
  return isOurs && model.packed ? jsonChunks(model.packed()) : stringified(model.toJSON());
}

/** How far up the chain of prototypes a property is. */
function depthOf(value: object, key: string): number {
  let depth = 0;
  for (let at: object | null = value; at && !Object.hasOwn(at, key); at = Object.getPrototypeOf(at)) depth++;
  return depth;
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
