// One field of CSV (RFC 4180): plain, or in quotes; a quoted field may contain delimiters, doubled quotes and line breaks.

import { CR, LF, QUOTE, SPACE } from './numbers.js';
import { type ByteWindow, FIELD_LIMIT } from './window.js';

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Finds the end and the content of fields. */
export class FieldScanner {
  readonly #window: ByteWindow;
  readonly #delimiter: number;
  /** The bounds of the content: between the quotes, or without the spaces around it. */
  from = 0;
  to = 0;
  /** The position of the delimiter or line end after the field. */
  end = 0;
  isQuoted = false;
  #hasQuotes = false;

  constructor(window: ByteWindow, delimiter: number) {
    this.#window = window;
    this.#delimiter = delimiter;
  }

  /** Finds the field that begins at `at`. Returns false if the window cuts it off. @throws DataError if its quotes are wrong */
  scan(at: number): boolean {
    const { bytes, end, isLast } = this.#window;
    let p = at;
    while (bytes[p] === SPACE) p++;
    this.isQuoted = bytes[p] === QUOTE && p < end;
    this.#hasQuotes = false;
    if (this.isQuoted ? !this.#quoted(p) : !this.#plain(p)) {
      if (end - at > FIELD_LIMIT) throw this.#tooLong(at);
      return false;
    }
    if (this.end - at > FIELD_LIMIT) throw this.#tooLong(at);
    return this.end < end || isLast;
  }

  #plain(at: number): boolean {
    const { bytes, end, isLast } = this.#window;
    let p = at;
    for (let c = bytes[p]; c !== this.#delimiter && c !== LF && c !== CR; c = bytes[p]) p++;
    this.end = p;
    this.from = at;
    while (p > at && bytes[p - 1] === SPACE) p--;
    this.to = p;
    return this.end < end || isLast;
  }

  #quoted(at: number): boolean {
    const window = this.#window;
    const { bytes, end, isLast } = window;
    let p = at + 1;
    this.from = p;
    for (;;) {
      p = bytes.indexOf(QUOTE, p);
      if (p < 0 || p >= end) {
        if (!isLast) return false;
        throw window.faultAt(at, 'expected a closing quote before the end: this one is never closed');
      }
      if (p + 1 >= end && !isLast) return false; // the quote may be doubled
      if (bytes[p + 1] !== QUOTE || p + 1 >= end) break;
      this.#hasQuotes = true;
      p += 2;
    }
    this.to = p++;
    while (bytes[p] === SPACE) p++;
    if (p >= end && !isLast) return false;
    const c = bytes[p];
    if (c !== this.#delimiter && c !== LF && c !== CR) {
      const got = window.show(p, p + 1);
      throw window.faultAt(p, `expected the end of the field behind its closing quote, got ${got}`);
    }
    this.end = p;
    return true;
  }

  #tooLong(at: number): Error {
    const window = this.#window;
    return window.faultAt(at, `a field of more than ${FIELD_LIMIT} bytes, beginning with ${window.show(at, at + 50)}`);
  }

  /** The text of the field. @throws DataError if it is not UTF-8 */
  text(): string {
    const window = this.#window;
    const { bytes } = window;
    let text = '';
    let p = this.from;
    while (p < this.to && (bytes[p] as number) < 128) text += String.fromCharCode(bytes[p++] as number);
    if (p < this.to) {
      try {
        text += strict.decode(bytes.subarray(p, this.to));
      } catch {
        throw window.faultAt(p, `expected UTF-8, got ${window.show(this.from, this.to)}: save the file as UTF-8`);
      }
    }
    return this.#hasQuotes ? text.replaceAll('""', '"') : text;
  }

  /** Reports the line breaks and the continuation bytes of the field to the window. */
  pass(): void {
    const { bytes } = this.#window;
    for (let p = this.from; p < this.to; p++) {
      const c = bytes[p] as number;
      if (c === LF) this.#window.beginLine(p + 1);
      else if (c >= 128 && c < 192) this.#window.widen(1);
    }
  }
}
