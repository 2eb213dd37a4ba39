// A window that moves over the bytes of a source: what readers look at, and the place in the source for their errors.
//
// A reader takes what it understands, up to `end`, leaves a field that is cut off there, and asks for more: the rest of the field
// moves to the front and new bytes come behind it. Behind the last byte there is always a line feed, so that loops over the
// bytes of a field end by themselves.

import { nextTurn } from '../turn.js';
import { DataError, showBytes } from './errors.js';
import { LF } from './numbers.js';
import type { Settings } from './options.js';
import type { ByteSource } from './source.js';

/** Bytes that are added at once. */
const STEP = 2 ** 18;

/** Bytes that a field may have: what is cut off at the end of a window is looked at again in the next. */
export const FIELD_LIMIT = 2 ** 16;

/** How long a reader works before everything else gets its turn. */
const TURN_MS = 12;

/** Milliseconds between two calls of onProgress. */
const PROGRESS_MS = 50;

/** A promise's answer, or the signal's reason if that comes first. */
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
    promise.catch(() => {}); // nobody waits for it any more
  }
}

export class ByteWindow {
  readonly name: string;
  readonly settings: Settings;
  /** All bytes of the source, where that is known and they are not compressed. */
  readonly size: number | undefined;
  /** The bytes, of which those from `start` to `end` − 1 are to be looked at. */
  bytes: Uint8Array = new Uint8Array(1);
  start = 0;
  end = 0;
  /** Whether the source has nothing behind `end`. */
  isLast = false;
  /** Rows that were read so far, for onProgress. */
  rows = 0;
  /** The line that is being read, from 1. */
  line = 1;
  readonly #source: ByteSource;
  readonly #step: number;
  readonly #stored: () => { bytes: number; totalBytes: number | undefined };
  #chunk: Uint8Array = new Uint8Array();
  /** Bytes of the source before `bytes`. */
  #before = 0;
  /** Where the line begins in the source; more by what its characters have in bytes beyond one each. */
  #lineStart = 0;
  #turn = performance.now();
  #told = performance.now();

  /** `stored`: how much of the source as stored was read. */
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

  /** Adds bytes: as many as are asked for, or all there are. Those from `start` on stay. */
  async fill(wanted = this.#step): Promise<void> {
    this.#makeRoom(wanted);
    const target = this.end + wanted;
    while (this.end < target) {
      if (this.#chunk.length === 0 && !(await this.#pull())) break;
      const part = this.#chunk.subarray(0, target - this.end);
      this.bytes.set(part, this.end);
      this.end += part.length;
      this.#chunk = this.#chunk.subarray(part.length);
    }
    this.bytes[this.end] = LF;
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

  /** Moves what is left to the front, into other memory where there is too little or far too much of it. */
  #makeRoom(wanted: number): void {
    const left = this.end - this.start;
    const needed = left + wanted + 1;
    const { length } = this.bytes;
    const isWasteful = length > 8 * Math.max(needed, this.#step);
    if (this.end + wanted + 1 > length || isWasteful) {
      const kept = this.bytes.subarray(this.start, this.end);
      // What stays grows by doubling, so that it is not copied again and again.
      if (needed > length || isWasteful)
        this.bytes = new Uint8Array(this.start === 0 && left > 0 ? 2 * needed : needed);
      this.bytes.set(kept);
      this.#before += this.start;
      this.start = 0;
      this.end = left;
    }
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

  /** Tells how far it is now. */
  tellAll(): void {
    this.#told = performance.now();
    const { bytes, totalBytes } = this.#stored();
    this.settings.onProgress?.({ bytes, ...(totalBytes !== undefined && { totalBytes }), rows: this.rows });
  }

  /** The next line begins at `at`. */
  beginLine(at: number): void {
    this.line++;
    this.#lineStart = this.#before + at;
  }

  /** The line has characters that take this many bytes beyond one each. */
  widen(bytes: number): void {
    this.#lineStart += bytes;
  }

  /** The first bytes, if they are these: taken. */
  skip(bytes: readonly number[]): void {
    if (bytes.every((byte, k) => this.bytes[this.start + k] === byte)) {
      this.start += bytes.length;
      this.#lineStart += bytes.length;
    }
  }

  /** An error of the whole source. */
  fault(message: string): DataError {
    return new DataError(message, { source: this.name });
  }

  /** An error of the line. */
  lineFault(message: string): DataError {
    return new DataError(message, { source: this.name, line: this.line });
  }

  /** An error at a byte of the window, in the line that is being read. */
  faultAt(at: number, message: string): DataError {
    const column = this.#before + at - this.#lineStart + 1;
    return new DataError(message, { source: this.name, line: this.line, column });
  }

  /** What stands from one byte up to another, as a message shows it. */
  show(from: number, to: number): string {
    return showBytes(this.bytes.subarray(from, Math.min(to, this.end)));
  }
}
