// JSON of any size from a window of bytes (RFC 8259): the value that JSON.parse gives, except that lists of numbers are
// Float64Arrays. Memory grows with what is kept, never with the text: numbers take 8 bytes each, and everything else is limited.
//
// A list is one of numbers if all its entries are numbers or "-0", and at least one is a number. While it is read, "-0" is NaN,
// which JSON does not have, so that a list that turns out to be another one keeps its strings.

import type { DataError } from './errors.js';
import { NumberLists } from './numberlist.js';
import { COLON, COMMA, CR, LF, NumberScanner, QUOTE, SPACE, TAB } from './numbers.js';
import type { ByteWindow } from './window.js';

/** Limits of what a document may contain beside its numbers; a model stays far below them. */
const MOST = {
  depth: 64,
  /** Bytes of a number and of a string. */
  numberBytes: 2 ** 12,
  stringBytes: 2 ** 20,
  /** Bytes of all strings. */
  allStringBytes: 2 ** 28,
  /** Values other than numbers in lists: a name for each of 2²⁴ columns, and as much again as any model has. */
  values: 2 ** 24 + 2 ** 20,
} as const;

/** A list or object takes as much memory as this many values. */
const CONTAINER = 8;

const [BACKSLASH, MINUS, DOT, ZERO, NINE] = [92, 45, 46, 48, 57];
const [LIST_START, LIST_END, OBJECT_START, OBJECT_END] = [91, 93, 123, 125];

const isDigit = (c: number | undefined): boolean => (c as number) >= ZERO && (c as number) <= NINE;
const isSpace = (c: number | undefined): boolean => c === SPACE || c === LF || c === CR || c === TAB;
const WORDS = [
  { text: 'true', value: true },
  { text: 'false', value: false },
  { text: 'null', value: null },
] as const;

/** What may come next, as messages say it. */
const NEXT = {
  value: 'a value',
  firstItem: 'a value or ]',
  firstKey: 'a key in quotes or }',
  key: 'a key in quotes',
  colon: 'a colon',
  comma: 'a comma or the end of the list or object',
  nothing: 'nothing more',
} as const;

/** A list or object that is being read. */
interface Frame {
  /** Undefined while a list may be one of numbers. */
  value: unknown[] | Record<string, unknown> | undefined;
  key: string;
  /** How many entries a list has so far. */
  count: number;
  /** Whether lists below may be lists of numbers. */
  readonly packs: boolean;
}

export class JsonParser {
  readonly #window: ByteWindow;
  readonly #mostNumbers: number;
  readonly #unpacked: readonly string[];
  readonly #scanner = new NumberScanner();
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  readonly #frames: Frame[] = [];
  readonly #numbers = new NumberLists();
  /** Entries of the current list that are "-0". */
  #negativeZeros = 0;
  #next: (typeof NEXT)[keyof typeof NEXT] = NEXT.value;
  #values = 0;
  #stringBytes = 0;
  #result: unknown;

  /** `unpacked`: the keys below which lists of numbers are plain arrays. */
  constructor(window: ByteWindow, mostNumbers: number, unpacked: readonly string[]) {
    this.#window = window;
    this.#mostNumbers = mostNumbers;
    this.#unpacked = unpacked;
  }

  /** Reads all complete tokens of the window. @throws DataError naming the field and the byte */
  parse(): void {
    const window = this.#window;
    const { bytes, end } = window;
    let p = window.start;
    for (;;) {
      if (this.#isInNumbers()) p = this.#plainNumbers(p);
      while (p < end && isSpace(bytes[p])) p++;
      if (p >= end) break;
      const to = this.#token(p);
      if (to === p) break;
      p = to;
    }
    window.start = p;
  }

  /** The value, after the last byte. @throws DataError if the text ends too early */
  finish(): unknown {
    const { start, end } = this.#window;
    if (start < end || this.#next !== NEXT.nothing) throw this.#fault(end, this.#next, 'the end of it');
    return this.#result;
  }

  #isInNumbers(): boolean {
    const frame = this.#frames.at(-1);
    return frame !== undefined && frame.value === undefined && this.#next !== NEXT.comma;
  }

  /** Reads numbers that are followed by a comma, the common case; returns the position behind the last comma. */
  #plainNumbers(from: number): number {
    const { bytes, end } = this.#window;
    const [scanner, numbers] = [this.#scanner, this.#numbers];
    const frame = this.#frames.at(-1) as Frame;
    let room = this.#mostNumbers - numbers.total;
    let p = from;
    for (;;) {
      const value = scanner.read(bytes, p);
      const to = scanner.end;
      if (to >= end || bytes[to] !== COMMA || !isStrict(bytes, p)) break;
      if (--room < 0) throw this.#tooMany(p);
      numbers.add(value);
      frame.count++;
      this.#next = NEXT.value;
      p = to + 1;
    }
    return p;
  }

  /** Reads one token; returns its end, or `p` if the window cuts it off. */
  #token(p: number): number {
    const c = this.#window.bytes[p] as number;
    switch (this.#next) {
      case NEXT.firstItem:
        if (c === LIST_END) return this.#close(p);
        return this.#value(p, c);
      case NEXT.value:
        return this.#value(p, c);
      case NEXT.firstKey:
        if (c === OBJECT_END) return this.#close(p);
        return this.#key(p, c);
      case NEXT.key:
        return this.#key(p, c);
      case NEXT.colon:
        if (c !== COLON) throw this.#unexpected(p);
        this.#next = NEXT.value;
        return p + 1;
      case NEXT.comma:
        return this.#comma(p, c);
      default:
        throw this.#unexpected(p);
    }
  }

  #comma(p: number, c: number): number {
    const { value } = this.#frames.at(-1) as Frame;
    const isList = value === undefined || Array.isArray(value);
    if (c === (isList ? LIST_END : OBJECT_END)) return this.#close(p);
    if (c !== COMMA) throw this.#unexpected(p);
    this.#next = isList ? NEXT.value : NEXT.key;
    return p + 1;
  }

  #value(p: number, c: number): number {
    if (c === LIST_START || c === OBJECT_START) return this.#open(p, c === LIST_START);
    if (c === QUOTE) {
      const to = this.#stringEnd(p);
      if (to !== p) this.#add(this.#string(p, to), p);
      return to;
    }
    return c === MINUS || isDigit(c) ? this.#number(p) : this.#word(p);
  }

  #open(p: number, isList: boolean): number {
    const frames = this.#frames;
    if (frames.length === MOST.depth) throw this.#limit(p, `it is nested more than ${MOST.depth} deep`);
    const parent = frames.at(-1);
    if (parent && parent.value === undefined) this.#unpack(parent, p);
    const packs = (parent?.packs ?? true) && !this.#unpacked.includes(parent?.key ?? '');
    const value = isList ? (packs ? undefined : []) : {};
    this.#values += CONTAINER;
    this.#expectFewValues(p);
    frames.push({ value, key: '', count: 0, packs });
    this.#next = isList ? NEXT.firstItem : NEXT.firstKey;
    return p + 1;
  }

  #close(p: number): number {
    const frame = this.#frames.pop() as Frame;
    let { value } = frame;
    if (value === undefined) {
      if (this.#numbers.length > this.#negativeZeros) return this.#put(this.#packed(), p);
      this.#unpack(frame, p);
      value = frame.value;
    }
    return this.#put(value, p);
  }

  /** The list of numbers that ends here. */
  #packed(): Float64Array {
    const list = this.#numbers.finish();
    for (let k = 0; this.#negativeZeros > 0 && k < list.length; k++) if (Number.isNaN(list[k])) list[k] = -0;
    this.#negativeZeros = 0;
    return list;
  }

  /** Turns the current list into one of any values. */
  #unpack(frame: Frame, p: number): void {
    this.#values += this.#numbers.length;
    this.#expectFewValues(p);
    frame.value = Array.from(this.#numbers.current, (value) => (Number.isNaN(value) ? '-0' : value));
    this.#numbers.drop();
    this.#negativeZeros = 0;
  }

  /** Puts a complete list or object where it belongs; returns the position behind its last byte. */
  #put(value: unknown, p: number): number {
    this.#add(value, p);
    return p + 1;
  }

  /** Adds a value to the list or object that is being read. */
  #add(value: unknown, p: number): void {
    const frame = this.#frames.at(-1);
    this.#next = frame ? NEXT.comma : NEXT.nothing;
    if (!frame) this.#result = value;
    else if (frame.value === undefined && (typeof value === 'number' || value === '-0')) this.#addNumber(value, p);
    else this.#addTo(frame, value, p);
    if (frame) frame.count++;
  }

  #addNumber(value: number | '-0', p: number): void {
    if (this.#numbers.total >= this.#mostNumbers) throw this.#tooMany(p);
    if (value === '-0') this.#negativeZeros++;
    this.#numbers.add(value === '-0' ? NaN : value);
  }

  #addTo(frame: Frame, value: unknown, p: number): void {
    if (frame.value === undefined) this.#unpack(frame, p);
    this.#values++;
    this.#expectFewValues(p);
    const { value: into, key } = frame;
    if (Array.isArray(into)) into.push(value);
    // Not by assignment, which would set the prototype if the key is __proto__.
    else Object.defineProperty(into, key, { value, enumerable: true, configurable: true, writable: true });
  }

  #number(p: number): number {
    const { bytes, end, isLast } = this.#window;
    const value = this.#scanner.read(bytes, p);
    const to = this.#scanner.end;
    // A number may go on behind the window, also if its bytes so far are none: "-", "1e".
    let q = p;
    while (isDigit(bytes[q]) || [43, MINUS, DOT, 69, 101].includes(bytes[q] as number)) q++;
    if (q - p > MOST.numberBytes) throw this.#limit(p, `a number of more than ${MOST.numberBytes} bytes`);
    if (q >= end && !isLast) return p;
    if (to !== q || !isStrict(bytes, p)) throw this.#fault(p, 'a number', this.#window.show(p, q));
    this.#add(value, p);
    return to;
  }

  #word(p: number): number {
    const { bytes, end, isLast } = this.#window;
    for (const { text, value } of WORDS) {
      let k = 0;
      while (k < text.length && p + k < end && bytes[p + k] === text.charCodeAt(k)) k++;
      if (k === text.length) {
        this.#add(value, p);
        return p + k;
      }
      if (k > 0 && p + k === end && !isLast) return p;
    }
    throw this.#unexpected(p);
  }

  #key(p: number, c: number): number {
    if (c !== QUOTE) throw this.#unexpected(p);
    const to = this.#stringEnd(p);
    if (to === p) return p;
    (this.#frames.at(-1) as Frame).key = this.#string(p, to);
    this.#next = NEXT.colon;
    return to;
  }

  /** The position behind a string, or `p` if the window cuts it off. */
  #stringEnd(p: number): number {
    const { bytes, end, isLast } = this.#window;
    let q = p + 1;
    while (q < end && bytes[q] !== QUOTE && (bytes[q] as number) >= SPACE) q += bytes[q] === BACKSLASH ? 2 : 1;
    if (q - p > MOST.stringBytes) throw this.#limit(p, `a string of more than ${MOST.stringBytes} bytes`);
    if (q >= end) {
      if (isLast) throw this.#fault(end, 'a quote', 'the end of it');
      return p;
    }
    if (bytes[q] !== QUOTE) throw this.#fault(q, 'a quote', `the control character ${bytes[q]}`);
    return q + 1;
  }

  #string(p: number, to: number): string {
    this.#stringBytes += to - p;
    if (this.#stringBytes > MOST.allStringBytes) {
      throw this.#limit(p, `it has strings of more than ${MOST.allStringBytes} bytes in all`);
    }
    try {
      return JSON.parse(this.#decoder.decode(this.#window.bytes.subarray(p, to)));
    } catch {
      throw this.#fault(p, 'a string of valid UTF-8 and escapes', this.#window.show(p, to));
    }
  }

  #expectFewValues(p: number): void {
    if (this.#values > MOST.values) {
      throw this.#limit(p, `it has more than ${MOST.values} values besides lists of numbers`);
    }
  }

  #tooMany(p: number): DataError {
    const bytes = 8 * this.#mostNumbers;
    return this.#limit(p, `its numbers take more than ${bytes} bytes of memory, and "maxBytes" allows no more`);
  }

  #unexpected(p: number): DataError {
    return this.#fault(p, this.#next, this.#window.show(p, p + 1));
  }

  #fault(p: number, expected: string, got: string): DataError {
    return this.#limit(p, `expected ${expected}, got ${got}`);
  }

  #limit(p: number, message: string): DataError {
    const field = this.#frames.map(nameOf).join('').replace(/^\./, '');
    const where = field === '' ? '' : ` in ${field}`;
    return this.#window.fault(`byte ${this.#window.offset(p)}${where}: ${message}`);
  }
}

/** The number of the item or the key that is being read, for messages. */
function nameOf({ value, key, count }: Frame): string {
  if (value === undefined || Array.isArray(value)) return `[${count}]`;
  return /^\w{0,40}$/.test(key) ? `.${key}` : `[${JSON.stringify(key.slice(0, 40))}]`;
}

/** Whether a number that the scanner has read is one of JSON: no plus, no leading zeros, digits on both sides of a point. */
function isStrict(bytes: Uint8Array, p: number): boolean {
  let q = bytes[p] === MINUS ? p + 1 : p;
  if (!isDigit(bytes[q]) || (bytes[q] === ZERO && isDigit(bytes[q + 1]))) return false;
  while (isDigit(bytes[q])) q++;
  return bytes[q] !== DOT || isDigit(bytes[q + 1]);
}
