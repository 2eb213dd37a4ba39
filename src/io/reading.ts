// Opens a source, counts and decompresses its bytes, passes a window over them to a reader, and always closes the source.

import { show } from '../errors.js';
import { DataError } from './errors.js';
import { unreadable } from './file.js';
import { gunzip, isGzip } from './gzip.js';
import type { Settings } from './options.js';
import { type ByteSource, isBytes, nameOf, open, type Source } from './source.js';
import { abortable, ByteWindow } from './window.js';

/** Counts the bytes of a source and checks their type; turns read errors into DataErrors. */
class Counted implements ByteSource {
  bytes = 0;
  readonly #source: ByteSource;
  readonly #name: string;

  constructor(source: ByteSource, name: string) {
    this.#source = source;
    this.#name = name;
  }

  get announced(): number | undefined {
    return this.#source.announced;
  }

  get size(): number | undefined {
    return this.#source.size;
  }

  /** All bytes, if known; undefined if more have come. */
  get total(): number | undefined {
    const { size = this.#source.announced } = this.#source;
    return size !== undefined && size >= this.bytes ? size : undefined;
  }

  async next(): Promise<Uint8Array | undefined> {
    const chunk = await this.#source.next().catch((error: unknown) => {
      throw error instanceof DataError ? error : unreadable(error, this.#name);
    });
    if (chunk !== undefined && !isBytes(chunk)) {
      throw new TypeError(`${this.#name} must give bytes (Uint8Array), got ${show(chunk)}`);
    }
    this.bytes += chunk?.length ?? 0;
    return chunk;
  }

  close(): Promise<void> {
    return this.#source.close();
  }
}

/** The first bytes of a source, and a source that still begins with them. */
async function withHead(source: ByteSource, count: number): Promise<{ head: Uint8Array; source: ByteSource }> {
  let head: Uint8Array = new Uint8Array();
  let isOver = false;
  while (head.length < count && !isOver) {
    const chunk = await source.next();
    isOver = !chunk;
    if (!chunk) break;
    if (head.length === 0) {
      head = chunk; // nearly always enough, without a copy
    } else {
      const both = new Uint8Array(head.length + chunk.length);
      both.set(head);
      both.set(chunk, head.length);
      head = both;
    }
    if (head.length < count) head = head.slice(); // the next read may overwrite it
  }
  let first: Uint8Array | undefined = head.length > 0 ? head : undefined;
  return {
    head,
    source: {
      size: source.size,
      announced: source.announced,
      next: async () => {
        const chunk = first;
        first = undefined;
        return chunk ?? (isOver ? undefined : source.next());
      },
      close: () => source.close(),
    },
  };
}

/** Reads a source and closes it at the end, also after an error. */
export async function reading<T>(
  source: Source,
  settings: Settings,
  read: (window: ByteWindow) => Promise<T>,
  step?: number,
): Promise<T> {
  const { signal } = settings;
  signal?.throwIfAborted();
  const name = settings.name ?? nameOf(source);
  const opening = open(source, name, signal);
  const opened = await abortable(opening, signal).catch((error: unknown) => {
    opening.then((late) => late.close()).catch(() => {});
    throw signal?.aborted ? signal.reason : error;
  });
  const counted = new Counted(opened, name);
  let bytes: ByteSource = counted;
  try {
    const { head, source: whole } = await abortable(withHead(counted, 2), signal);
    bytes = isGzip(head) ? gunzip(whole, name) : whole;
    const stored = () => ({ bytes: counted.bytes, totalBytes: counted.total });
    const window = new ByteWindow(name, bytes, settings, stored, step);
    const result = await read(window);
    window.tellAll();
    return result;
  } finally {
    await bytes.close();
  }
}
