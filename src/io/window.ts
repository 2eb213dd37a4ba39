// A window that moves over the bytes of a source and knows the place of each byte for error messages.
//
// A reader reads complete fields up to `end`, leaves a field that is cut off there, and calls `fill`: the rest of the field moves
// to the front and new bytes follow. After the last byte there is always a line feed, so that loops over the bytes of a field
// need no bounds check.

import { nextTurn } from '../turn.js';
import type { Block } from './block.js';
import { DataError, showBytes } from './errors.js';
import { LF } from './numbers.js';
import type { Settings } from './options.js';
import type { ByteSource } from './source.js';

/** Bytes that `fill` adds at once. */
const STEP = 2 ** 18;

/** The most bytes of a field: a field that the window cuts off is read again in the next one. */
export const FIELD_LIMIT = 2 ** 16;

/** The most rows of a source: an array of labels holds little more. */
export const MOST_ROWS = 2 ** 26;

/** Milliseconds that a reader works before it yields to other tasks. */
const TURN_MS = 12;

/** Milliseconds between two calls of onProgress. */
const PROGRESS_MS = 50;

/** Resolves like `promise`; rejects with the signal's reason if that comes first. */
export async function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  let onAbort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
    promise.catch(() => {}); // its result is no longer needed
  }
}

const NOTHING: ByteSource = { size: 0, announced: undefined, next: async () => undefined, close: async () => {} };

export class ByteWindow {
  readonly name: string;
  readonly settings: Settings;
  /** The size of the source in bytes; undefined if it is unknown or the source is compressed. */
  readonly size: number | undefined;
  /** The bytes; those from `start` to `end` − 1 are to be read. */
  bytes: Uint8Array = new Uint8Array(1);
  start = 0;
  end = 0;
  /** Whether the source ends at `end`. */
  isLast = false;
  /** Rows read so far, for onProgress. */
  rows = 0;
  /** The current line, from 1. */
  line = 1;
  readonly #source: ByteSource;
  readonly #step: number;
  readonly #stored: () => { bytes: number; totalBytes: number | undefined };
  #chunk: Uint8Array = new Uint8Array();
  /** Bytes of the source before `bytes`. */
  #before = 0;
  /** The start of the line in the source, plus the bytes of its characters beyond one each. */
  #lineStart = 0;
  #turn = performance.now();
  #told = performance.now();

  /** `stored`: the bytes of the source read so far, before decompression. */
  constructor(
    name: string,
    source: ByteSource,
    settings: Settings,
    stored: () => { bytes: number; totalBytes: number | undefined },
    step = STEP,
  ) {
    this.name = name;
    this.settings = settings;
    this.size = source.size;
    this.#source = source;
    this.#stored = stored;
    this.#step = step;
  }

  /** A window over a block and nothing else. */
  static over({ bytes, start, end }: Block, settings: Settings): ByteWindow {
    const window = new ByteWindow('', NOTHING, settings, () => ({ bytes: 0, totalBytes: undefined }));
    return Object.assign(window, { bytes, start, end });
  }

  /** Adds `wanted` bytes, or all that are left. The bytes from `start` on stay. @throws DataError beyond "maxBytes" */
  async fill(wanted = this.#step): Promise<void> {
    this.#makeRoom(wanted);
    const target = this.end + wanted;
    try {
      while (this.end < target) {
        if (this.#chunk.length === 0 && !(await this.#pull())) break;
        const part = this.#chunk.subarray(0, target - this.end);
        this.bytes.set(part, this.end);
        this.end += part.length;
        this.#chunk = this.#chunk.subarray(part.length);
      }
    } finally {
      this.bytes[this.end] = LF; // after an error, too: the bytes that came can be read
    }
    this.#tell();
    await this.#takeTurns();
  }

  async #pull(): Promise<boolean> {
    const { signal, maxBytes } = this.settings;
    const chunk = await abortable(this.#source.next(), signal);
    this.isLast = !chunk;
    if (!chunk) return false;
    this.#chunk = chunk;
    if (this.#before + this.end + chunk.length > maxBytes) {
      throw this.fault(`more than ${maxBytes} bytes came, and "maxBytes" allows no more`);
    }
    return true;
  }

  /** Moves the remaining bytes to the front; into a new buffer if this one is too small or far too large. */
  #makeRoom(wanted: number): void {
    const left = this.end - this.start;
    const needed = left + wanted + 1;
    const { length } = this.bytes;
    const isWasteful = length > 8 * Math.max(needed, this.#step);
    if (this.end + wanted + 1 > length || isWasteful) {
      const kept = this.bytes.subarray(this.start, this.end);
      // The buffer grows by doubling, so that bytes are not copied again and again.
      if (needed > length || isWasteful)
        this.bytes = new Uint8Array(this.start === 0 && left > 0 ? 2 * needed : needed);
      this.bytes.set(kept);
      this.#before += this.start;
      this.start = 0;
      this.end = left;
    }
  }

  /** Hands over the bytes from `start` to `at` − 1; the window goes on in `spare`, if that is large enough. */
  cut(at: number, spare: Uint8Array): Block {
    const { bytes, start } = this;
    const left = this.end - at;
    this.bytes = spare.length > left ? spare : new Uint8Array(Math.max(bytes.length, left + 1));
    this.bytes.set(bytes.subarray(at, this.end));
    this.bytes[left] = LF;
    bytes[at] = LF;
    this.#before += at;
    this.start = 0;
    this.end = left;
    return { bytes, start, end: at };
  }

  /** Takes back what was handed over last, in its order. The first block begins the current line. */
  putBack(blocks: readonly Block[]): void {
    const parts = [...blocks, { bytes: this.bytes, start: this.start, end: this.end }];
    const length = parts.reduce((sum, { start, end }) => sum + end - start, 0);
    this.#before += this.end - length;
    this.bytes = new Uint8Array(length + 1);
    this.start = 0;
    this.end = 0;
    for (const { bytes, start, end } of parts) {
      this.bytes.set(bytes.subarray(start, end), this.end);
      this.end += end - start;
    }
    this.bytes[length] = LF;
    this.#lineStart = this.#before;
  }

  /** Counts rows and lines that were read elsewhere; the next line begins at `start`. */
  pass(rows: number, lines: number): void {
    this.rows += rows;
    this.line += lines;
    this.#lineStart = this.#before + this.start;
  }

  async #takeTurns(): Promise<void> {
    if (performance.now() - this.#turn < TURN_MS) return;
    await nextTurn();
    this.#turn = performance.now();
    this.settings.signal?.throwIfAborted();
  }

  #tell(): void {
    if (this.settings.onProgress && performance.now() - this.#told >= PROGRESS_MS) this.tellAll();
  }

  /** Calls onProgress with the current state. */
  tellAll(): void {
    this.#told = performance.now();
    const { bytes, totalBytes } = this.#stored();
    this.settings.onProgress?.({ bytes, ...(totalBytes !== undefined && { totalBytes }), rows: this.rows });
  }

  /** Counts a row. @throws DataError if there are too many */
  endRow(): void {
    this.expectRows(++this.rows);
  }

  /** @throws DataError if a number of rows is too large */
  expectRows(rows: number): void {
    if (rows <= MOST_ROWS) return;
    throw this.fault(
      `it has more than ${MOST_ROWS} rows: split it, and train on its parts with fitStream or partialFit`,
    );
  }

  /** Starts the next line at `at`. */
  beginLine(at: number): void {
    this.line++;
    this.#lineStart = this.#before + at;
  }

  /** Notes that characters of the line take this many bytes beyond one each. */
  widen(bytes: number): void {
    this.#lineStart += bytes;
  }

  /** Skips these bytes if the window begins with them. */
  skip(bytes: readonly number[]): void {
    if (bytes.every((byte, k) => this.bytes[this.start + k] === byte)) {
      this.start += bytes.length;
      this.#lineStart += bytes.length;
    }
  }

  /** The number of a byte of the window in the source, from 0. */
  offset(at: number): number {
    return this.#before + at;
  }

  /** An error about the whole source. */
  fault(message: string): DataError {
    return new DataError(message, { source: this.name });
  }

  /** An error in the current line. */
  lineFault(message: string): DataError {
    return new DataError(message, { source: this.name, line: this.line });
  }

  /** The column of a byte of the window in the current line, from 1, in characters. */
  columnOf(at: number): number {
    return this.#before + at - this.#lineStart + 1;
  }

  /** An error at a byte of the window, in the current line. */
  faultAt(at: number, message: string): DataError {
    return new DataError(message, { source: this.name, line: this.line, column: this.columnOf(at) });
  }

  /** The bytes from … to − 1 for a message. */
  show(from: number, to: number): string {
    return showBytes(this.bytes.subarray(from, Math.min(to, this.end)));
  }
}
