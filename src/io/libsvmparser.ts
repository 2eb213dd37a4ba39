// Parses LIBSVM (SVMlight) text: one row a line, `label index:value index:value … # comment`, indices from 1 and ascending. The same
// class runs on the caller's thread and in workers (blockscript.ts).

import { NumberLists } from './numberlist.js';
import { COLON, CR, HASH, LF, NumberScanner, SPACE, TAB } from './numbers.js';
import { lineEnd } from './text.js';
import { type ByteWindow, FIELD_LIMIT } from './window.js';

/** The largest possible index. */
const MOST = 2 ** 31 - 1;

const QID = [113, 105, 100, COLON] as const;
const isBlank = (c: number): boolean => c === SPACE || c === TAB;
/** Whether this byte ends a field. */
const isBehind = (c: number): boolean => c === SPACE || c === LF || c === TAB || c === CR || c === HASH;

/** Takes rows: `values[k]` in column `columns[k]` for k < count. */
export interface RowSink {
  add(columns: Uint32Array, values: Float64Array, count: number): void;
}

/** Copies the entries of a list to the start of a larger one. */
export function resized<T extends Uint32Array | Float64Array>(list: T, larger: T): T {
  larger.set(list);
  return larger;
}

export class LibsvmParser {
  readonly #window: ByteWindow;
  readonly #rows: RowSink;
  readonly #scanner = new NumberScanner();
  /** Larger indices are refused. */
  readonly #most: number;
  /** Values of larger indices are left out. */
  readonly #cols: number;
  readonly labels = new NumberLists();
  /** How many values of larger indices were left out. */
  ignored = 0;
  // The row that is being read.
  #columns = new Uint32Array(256);
  #values = new Float64Array(256);
  #count = 0;
  #index = 0;
  #isInRow = false;
  #hasQuery = false;
  #isInComment = false;

  constructor(window: ByteWindow, rows: RowSink) {
    const { cols, maxCols } = window.settings;
    this.#window = window;
    this.#most = Math.min(MOST, Math.max(maxCols, cols ?? 0));
    this.#cols = cols ?? MOST;
    this.#rows = rows;
  }

  /** Whether the next byte begins a line. Precondition: the latest window ended with a line end. */
  get isBetweenRows(): boolean {
    return !this.#isInRow && !this.#isInComment;
  }

  /** Reads all complete fields of the window. */
  parse(): void {
    const window = this.#window;
    const { bytes, end, isLast } = window;
    let p = window.start;
    for (;;) {
      if (this.#isInComment) p = bytes.indexOf(LF, p);
      let c = bytes[p] as number;
      while (isBlank(c)) c = bytes[++p] as number;
      if (p >= end) break;
      if (c === LF) {
        this.#endLine();
        window.beginLine(++p);
      } else if (c === HASH) {
        this.#isInComment = true;
      } else if (c === CR) {
        const next = lineEnd(window, p);
        if (next < 0) break;
        p = next - 1;
      } else {
        const from = p;
        p = this.#isInRow ? this.#pairs(p) : this.#label(p);
        if (p === from) break;
      }
    }
    if (p < end && end - p > FIELD_LIMIT) throw this.#tooLong(p);
    window.start = p;
    if (isLast) this.#endLine();
  }

  #endLine(): void {
    this.#isInComment = false;
    if (!this.#isInRow) return;
    this.#rows.add(this.#columns, this.#values, this.#count);
    this.#window.endRow();
    this.#isInRow = false;
  }

  /** Reads a label; returns its end, or `from` if the window cuts it off. */
  #label(from: number): number {
    const window = this.#window;
    const { bytes, end, isLast } = window;
    const label = this.#scanner.read(bytes, from);
    const { end: to } = this.#scanner;
    if (!isBehind(bytes[to] as number) || label - label !== 0 || to - from > FIELD_LIMIT) return this.#unusual(from);
    if (to >= end && !isLast) return from;
    this.labels.add(label + 0); // −0 is 0
    this.#isInRow = true;
    this.#hasQuery = false;
    this.#count = 0;
    this.#index = 0;
    return to;
  }

  /** Reads pairs; returns the end of the last complete one. */
  #pairs(from: number): number {
    const scanner = this.#scanner;
    const { bytes, end, isLast } = this.#window;
    const [most, cols] = [this.#most, this.#cols];
    let [columns, values, count, before] = [this.#columns, this.#values, this.#count, this.#index];
    let p = from;
    let c = bytes[p] as number;
    while (c >= 48 && p < end) {
      let index = 0;
      const start = p;
      while (c >= 48 && c <= 57) {
        index = 10 * index + (c - 48);
        c = bytes[++p] as number;
      }
      const value = c === COLON && p > start ? scanner.read(bytes, p + 1) : NaN;
      p = scanner.end;
      c = bytes[p] as number;
      if (value - value !== 0 || !isBehind(c) || (p >= end && !isLast) || p - start > FIELD_LIMIT) {
        p = start;
        break;
      }
      if (index <= before || index > most) {
        this.#index = before;
        throw this.#wrongIndex(start, index);
      }
      before = index;
      if (index > cols) {
        this.ignored++;
      } else {
        if (count === columns.length) {
          columns = this.#columns = resized(columns, new Uint32Array(2 * count));
          values = this.#values = resized(values, new Float64Array(2 * count));
        }
        columns[count] = index - 1;
        values[count++] = value;
      }
      while (isBlank(c)) c = bytes[++p] as number;
    }
    this.#count = count;
    this.#index = before;
    return p === from ? this.#unusual(from) : p;
  }

  /** Reads a field that is no label or pair: cut off, a query id, or wrong. Returns its end, or `from` if it is cut off. */
  #unusual(from: number): number {
    const window = this.#window;
    const { bytes, end, isLast } = window;
    let to = from;
    while (!isBehind(bytes[to] as number)) to++;
    if (to >= end && !isLast) return from;
    if (to - from > FIELD_LIMIT) throw this.#tooLong(from);
    if (!this.#isInRow) throw this.#wrongLabel(from, to);
    if (QID.every((byte, k) => bytes[from + k] === byte)) return this.#query(from, to);
    throw this.#wrongPair(from, to);
  }

  #query(from: number, to: number): number {
    const window = this.#window;
    const digits = window.bytes.subarray(from + QID.length, to);
    if (this.#hasQuery || this.#index > 0) {
      throw window.faultAt(from, `expected one qid, directly behind the label, got ${window.show(from, to)}`);
    }
    if (digits.length === 0 || digits.some((c) => c < 48 || c > 57)) {
      throw window.faultAt(from + QID.length, `expected a number behind qid:, got ${window.show(from, to)}`);
    }
    this.#hasQuery = true;
    return to;
  }

  #tooLong(from: number): Error {
    const start = this.#window.show(from, from + 50);
    return this.#window.faultAt(from, `a field of more than ${FIELD_LIMIT} bytes, beginning with ${start}`);
  }

  #wrongLabel(from: number, to: number): Error {
    const window = this.#window;
    const text = window.show(from, to);
    this.#scanner.read(window.bytes, from);
    if (this.#scanner.end === to) return window.faultAt(from, `the label ${text} is too large for a float64`);
    const hasComma = window.bytes.subarray(from, to).includes(44);
    const hint = hasComma
      ? '; rows with several labels are not supported, and CSV is read with readCsv or readData'
      : '';
    return window.faultAt(from, `expected a label that is a number, got ${text}${hint}`);
  }

  #wrongPair(from: number, to: number): Error {
    const window = this.#window;
    const { bytes } = window;
    const text = window.show(from, to);
    const colon = bytes.subarray(from, to).indexOf(COLON) + from;
    const isIndex = colon > from && bytes.subarray(from, colon).every((c) => c >= 48 && c <= 57);
    if (!isIndex) return window.faultAt(from, `expected index:value, got ${text}`);
    if (colon + 1 === to) return window.faultAt(to, `expected a value behind ${text}`);
    this.#scanner.read(bytes, colon + 1);
    const wrong = window.show(colon + 1, to);
    if (this.#scanner.end === to) return window.faultAt(colon + 1, `the value ${wrong} is too large for a float64`);
    return window.faultAt(colon + 1, `expected a value that is a finite number, got ${wrong}`);
  }

  #wrongIndex(from: number, index: number): Error {
    const window = this.#window;
    if (index === 0) return window.faultAt(from, 'expected an index of at least 1, got 0: indices count from 1');
    if (index > MOST) return window.faultAt(from, `expected an index of at most ${MOST}, got ${index}`);
    if (index > this.#most) {
      return window.faultAt(from, `expected an index of at most ${this.#most} ("maxCols"), got ${index}`);
    }
    const what = index === this.#index ? 'comes twice' : `comes after ${this.#index}`;
    return window.faultAt(from, `expected ascending indices, but ${index} ${what}`);
  }
}
