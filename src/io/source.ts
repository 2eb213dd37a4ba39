// Sources of bytes: a path, a URL, a Blob or File, a stream, or memory. Each becomes a ByteSource.

import { show } from '../errors.js';
import { get, has as hasOwn } from '../own.js';
import { DataError } from './errors.js';
import { openFile } from './file.js';

/** The part of a ReadableStream of bytes that is used. */
export interface ByteStream {
  getReader(): {
    read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
    cancel(reason?: unknown): Promise<unknown>;
  };
}

/** The part of a Blob or a File that is used. */
export interface ByteBlob {
  readonly size: number;
  stream(): ByteStream;
}

/** The part of a URL that is used. */
export interface Address {
  readonly href: string;
}

/**
 * A source of data. A string is an http(s) URL or, in Node, a path. Gzip is recognised by its first bytes.
 */
export type Source = string | Address | ByteBlob | ByteStream | AsyncIterable<Uint8Array> | Uint8Array;

/** A source from which chunks of bytes are pulled. */
export interface ByteSource {
  /** The next chunk, valid until the next call; undefined after the last one. */
  next(): Promise<Uint8Array | undefined>;
  /** Closes the source, also during a call of `next`, whose result is then dropped. Never fails. */
  close(): Promise<void>;
  /** The size in bytes, if it is certain. */
  readonly size: number | undefined;
  /** The size in bytes as the server states it. */
  readonly announced: number | undefined;
}

const EXPECTED = 'a path, a URL, a Blob or File, a ReadableStream, an AsyncIterable or a Uint8Array';

interface Builtins {
  'node:fs': typeof import('node:fs');
  'node:path': typeof import('node:path');
  'node:stream': typeof import('node:stream');
  'node:url': typeof import('node:url');
  'node:zlib': typeof import('node:zlib');
}

/** A built-in module of Node 20.16 or later; undefined in other runtimes. A static import would break bundles for browsers. */
export function builtin<K extends keyof Builtins>(id: K): Builtins[K] | undefined {
  const { process } = globalThis as { process?: { getBuiltinModule?: (id: K) => Builtins[K] | undefined } };
  return process?.getBuiltinModule?.(id);
}

const has = (value: unknown, key: PropertyKey): boolean =>
  typeof value === 'object' && value !== null && hasOwn(value, key) && Reflect.get(value, key) !== undefined;

export const isBytes = (value: unknown): value is Uint8Array =>
  ArrayBuffer.isView(value) && Object.prototype.toString.call(value) === '[object Uint8Array]';
const isAddress = (value: Source): value is Address => has(value, 'href');
const isBlob = (value: Source): value is ByteBlob => has(value, 'stream') && has(value, 'size');
const isStream = (value: Source): value is ByteStream => has(value, 'getReader');
const isIterable = (value: Source): value is AsyncIterable<Uint8Array> => has(value, Symbol.asyncIterator);

/** Whether a value is a Source. */
export const isSource = (value: unknown): value is Source =>
  typeof value === 'string' ||
  isBytes(value) ||
  ['href', 'stream', 'getReader', Symbol.asyncIterator].some((key) => has(value, key));

/** The path of a file: URL, for messages; undefined for other URLs. */
function pathOf(href: string): string | undefined {
  if (!href.startsWith('file://')) return undefined;
  try {
    return decodeURI(href.slice(7));
  } catch {
    return undefined; // malformed: messages show the URL
  }
}

/** The name of a source in errors. */
export function nameOf(source: Source): string {
  if (typeof source === 'string') return source;
  if (isAddress(source)) return pathOf(source.href) ?? source.href;
  const name: unknown = has(source, 'name') ? Reflect.get(source, 'name') : undefined;
  return typeof name === 'string' && name !== '' ? name : '<input>';
}

/** Opens a source. @throws DataError if it cannot be opened; TypeError if it is not a Source */
export async function open(source: Source, name: string, signal: AbortSignal | undefined): Promise<ByteSource> {
  if (isBytes(source)) return fromBytes(source);
  if (typeof source === 'string' && /[\r\n]/.test(source)) {
    throw new TypeError('the source is text, expected a path or a URL; pass new TextEncoder().encode(text)');
  }
  if (typeof source === 'string' || isAddress(source)) return openAddress(source, name, signal);
  if (isBlob(source)) return fromStream(source.stream(), source.size);
  if (isStream(source)) return fromStream(source);
  if (isIterable(source)) return fromIterable(source);
  throw new TypeError(`the source must be ${EXPECTED}, got ${show(source)}`);
}

function fromBytes(bytes: Uint8Array): ByteSource {
  let rest: Uint8Array | undefined = bytes;
  return {
    size: bytes.length,
    announced: undefined,
    next: async () => {
      const chunk = rest;
      rest = undefined;
      return chunk;
    },
    close: async () => {},
  };
}

function fromStream(stream: ByteStream, size?: number, announced = size): ByteSource {
  const reader = stream.getReader();
  return {
    size,
    announced,
    next: async () => (await reader.read()).value,
    close: () => reader.cancel().then(nothing, nothing),
  };
}

const nothing = (): void => {};

function fromIterable(iterable: AsyncIterable<Uint8Array>): ByteSource {
  const iterator = iterable[Symbol.asyncIterator]();
  let isPending = false;
  return {
    size: undefined,
    announced: undefined,
    next: async () => {
      isPending = true;
      try {
        const { done, value } = await iterator.next();
        return done ? undefined : value;
      } finally {
        isPending = false;
      }
    },
    close: async () => {
      // return() of a Node stream waits for the pending read, which may never end.
      if (isPending && has(iterable, 'destroy')) (iterable as unknown as { destroy(): void }).destroy();
      const returned = Promise.resolve()
        .then(() => iterator.return?.())
        .then(nothing, nothing);
      if (!isPending) await returned;
    },
  };
}

/** Whether this is Node. If `builtin` finds no module, it is older than 20.16. */
const isNode = (): boolean =>
  (globalThis as { process?: { versions?: { node?: string } } }).process?.versions?.node !== undefined;

async function openAddress(
  source: string | Address,
  name: string,
  signal: AbortSignal | undefined,
): Promise<ByteSource> {
  const href = typeof source === 'string' ? source : source.href;
  const fs = builtin('node:fs');
  const isPath = typeof source === 'string' ? !/^https?:\/\//i.test(href) : /^file:/i.test(href);
  if (fs && isPath) return openFile(fs, typeof source === 'string' ? source : new URL(href), name);
  if (isPath && isNode()) {
    throw new DataError('reading a path needs Node 20.16 or newer; pass a stream or bytes instead', { source: name });
  }
  const response = await fetch(href, { signal: signal ?? null }).catch((cause: unknown) => {
    throw new DataError(`cannot be fetched: ${reasonOf(cause)}`, { source: name, cause });
  });
  if (!response.ok || !response.body) {
    await response.body?.cancel();
    throw new DataError(`cannot be fetched: ${response.status} ${response.statusText}`.trim(), { source: name });
  }
  // Not certain: it is the compressed length if the server compressed the body, and pages cannot always see that.
  const length = Number(response.headers.get('content-encoding') ? 0 : response.headers.get('content-length'));
  return fromStream(response.body, undefined, length > 0 ? length : undefined);
}

/** The message of a platform error; fetch has the reason in `cause`. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = get(error, 'cause');
  return cause instanceof Error ? reasonOf(cause) : error.message;
}
