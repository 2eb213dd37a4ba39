// One field of CSV (RFC 4180): plain, or in quotes; a quoted field may contain delimiters, doubled quotes and line breaks.

import { CR, LF, QUOTE, SPACE } from './numbers.js';
import { type ByteWindow, FIELD_LIMIT } from './window.js';

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const replacing = new TextDecoder('utf-8', { ignoreBOM: true });

/** Given to a scanner that collects what is wrong with fields instead of refusing them. */
export interface Leniency {
  /** The most bytes of a field. */
  readonly fieldLimit: number;
}

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
  /** Whether all bytes are known to be ASCII and no line breaks. */
  isSimple = false;
  /** Lenient scanners: what is wrong with the field, and where; undefined if nothing is. */
  fault: { readonly at: number; readonly what: string } | undefined;
  #hasQuotes = false;
  readonly #isLenient: boolean;
  readonly #limit: number;

  constructor(window: ByteWindow, delimiter: number, leniency?: Leniency) {
    this.#window = window;
    this.#delimiter = delimiter;
    this.#isLenient = leniency !== undefined;
    this.#limit = leniency?.fieldLimit ?? FIELD_LIMIT;
  }

  /**
   * Finds the field that begins at `at`. Returns false if the window cuts it off. A field whose quotes are wrong is refused; by a
   * lenient scanner it is read as if quotes had no meaning. @throws DataError if the field is refused
   */
  scan(at: number): boolean {
    const { bytes, end, isLast } = this.#window;
    let p = at;
    while (bytes[p] === SPACE) p++;
    this.isQuoted = bytes[p] === QUOTE && p < end;
    this.isSimple = false;
    this.#hasQuotes = false;
    this.fault = undefined;
    let isWhole = this.isQuoted ? this.#quoted(p) : this.#plain(p);
    if (this.#isLenient && this.isQuoted && this.#hasWrongQuotes(at, p, isWhole)) {
      this.isQuoted = false;
      this.#hasQuotes = false;
      isWhole = this.#plain(p);
    }
    if (!isWhole) {
      if (end - at > this.#limit) throw this.#tooLong(at);
      return false;
    }
    if (this.end - at > this.#limit) throw this.#tooLong(at);
    return this.end < end || isLast;
  }

  /** Whether the quotes of a field are wrong; a closing quote that is too far away counts as missing. */
  #hasWrongQuotes(at: number, quote: number, isWhole: boolean): boolean {
    if (this.fault === undefined && (isWhole ? this.end : this.#window.end) - at > this.#limit) {
      this.fault = { at: quote, what: `expected a closing quote within ${this.#limit} bytes: this one is not closed` };
    }
    return this.fault !== undefined;
  }

  #plain(at: number): boolean {
    const { bytes, end, isLast } = this.#window;
    const delimiter = this.#delimiter;
    let p = at;
    let seen = 0;
    for (let c = bytes[p] as number; c !== delimiter && c !== LF && c !== CR; c = bytes[p] as number) {
      seen |= c;
      p++;
    }
    this.isSimple = seen < 128;
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
        return this.#wrong(at, 'expected a closing quote before the end: this one is never closed');
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
      // A lenient scanner tells the place of the opening quote: the closing one may be in another line.
      return this.#wrong(
        this.#isLenient ? at : p,
        `expected the end of the field behind its closing quote, got ${got}`,
      );
    }
    this.end = p;
    return true;
  }

  /** Notes what is wrong with a field. @throws DataError unless the scanner is lenient */
  #wrong(at: number, what: string): false {
    if (!this.#isLenient) throw this.#window.faultAt(at, what);
    this.fault = { at, what };
    return false;
  }

  #tooLong(at: number): Error {
    const window = this.#window;
    return window.faultAt(at, `a field of more than ${this.#limit} bytes, beginning with ${window.show(at, at + 50)}`);
  }

  /** The text of the field; lenient scanners replace what is not UTF-8 by U+FFFD. @throws DataError if it is not UTF-8 */
  text(): string {
    const window = this.#window;
    const { bytes } = window;
    const { from, to } = this;
    const field = bytes.subarray(from, to);
    let text: string;
    try {
      text = strict.decode(field);
    } catch {
      const at = from + field.findIndex((byte) => byte > 127);
      this.#wrong(at, `expected UTF-8, got ${window.show(from, to)}: save the file as UTF-8`);
      text = replacing.decode(field);
    }
    return this.#hasQuotes ? text.replaceAll('""', '"') : text;
  }

  /** Reports the line breaks and the continuation bytes of the field to the window. */
  pass(): void {
    if (this.isSimple) return;
    const { bytes } = this.#window;
    for (let p = this.from; p < this.to; p++) {
      const c = bytes[p] as number;
      if (c === LF) this.#window.beginLine(p + 1);
      else if (c >= 128 && c < 192) this.#window.widen(1);
    }
  }
}
