// JSON lines, and a JSON array of records, as a table. Each record is parsed by itself: one that is wrong is noted and left out.

import { show } from '../errors.js';
import { quoted } from '../escape.js';
import { showBytes } from './errors.js';
import { COMMA, CR, LF, QUOTE, SPACE, TAB } from './numbers.js';
import type { Problems } from './problems.js';
import { TableBuilder } from './tablebuilder.js';
import { expectText } from './text.js';
import type { ByteWindow } from './window.js';

/** The most bytes of a record. */
const MOST_BYTES = 2 ** 26;
/** Bytes of a record that is cut off from which on as many more are read at once. */
const LONG_RECORD = 2 ** 18;

const [BACKSLASH, LIST_START, LIST_END, OBJECT_START, OBJECT_END] = [92, 91, 93, 123, 125];

const isSpace = (c: number | undefined): boolean => c === SPACE || c === LF || c === CR || c === TAB;
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads records into a builder. @throws DataError if it is no text or has no records */
export async function readJsonTable(window: ByteWindow, isList: boolean, problems: Problems): Promise<TableBuilder> {
  await expectText(window);
  const parser = isList ? new ListParser(window, problems) : new LineParser(window, problems);
  for (;;) {
    parser.parse();
    if (window.isLast) break;
    const left = window.end - window.start;
    if (left > MOST_BYTES) throw window.lineFault(`a record of more than ${MOST_BYTES} bytes`);
    await (left > LONG_RECORD ? window.fill(left) : window.fill());
  }
  parser.finish();
  if (window.rows === 0) {
    const { first } = problems;
    throw window.fault(`there are no records in it${first ? `: ${first.what} (line ${first.line})` : ''}`);
  }
  if (parser.builder.names.length === 0) throw window.fault('its records have no fields');
  return parser.builder;
}

/** What a value is, for messages. */
const kindOf = (value: unknown): string =>
  Array.isArray(value) ? 'a list' : typeof value === 'object' && value !== null ? 'an object' : show(value);

abstract class RecordParser {
  readonly builder: TableBuilder;
  protected readonly window: ByteWindow;
  protected readonly problems: Problems;
  readonly #columns = new Map<string, number>();

  constructor(window: ByteWindow, problems: Problems) {
    this.window = window;
    this.problems = problems;
    this.builder = new TableBuilder(window, problems);
  }

  /** Reads all complete records of the window. */
  abstract parse(): void;

  /** Called behind the last byte. */
  finish(): void {}

  protected wrong(at: number, what: () => string): void {
    this.problems.add(this.window.line, this.window.columnOf(at), what);
  }

  /** Takes the record in the bytes from … to − 1, if it is one. */
  protected take(from: number, to: number): void {
    const { bytes } = this.window;
    let value: unknown;
    try {
      value = JSON.parse(strict.decode(bytes.subarray(from, to)));
    } catch (error) {
      const text = error instanceof SyntaxError ? 'JSON' : 'UTF-8';
      this.wrong(
        from,
        () => `expected a record in ${text}, got ${showBytes(bytes.subarray(from, to))}: it is left out`,
      );
      return;
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      this.wrong(from, () => `expected a record { … }, got ${kindOf(value)}: it is left out`);
      return;
    }
    this.#add(value as Record<string, unknown>, from);
  }

  #add(record: Record<string, unknown>, from: number): void {
    const { builder, window } = this;
    const entries = Object.entries(record);
    const slots = entries.map(([name]) => this.#columnOf(name));
    if (slots.length === 0 && builder.names.length === 0) {
      // Before any column is known, nothing could tell it from no record.
      this.wrong(from, () => 'expected a record with fields, got {}: it is left out');
      return;
    }
    builder.beginRow();
    entries.forEach(([name, value], k) => {
      const slot = slots[k] as number;
      if (typeof value === 'number' && Number.isFinite(value)) builder.setNumber(slot, value);
      else if (typeof value === 'string') builder.setText(slot, value, window.line, window.columnOf(from));
      else if (typeof value === 'boolean') builder.setWord(slot, String(value), window.line, window.columnOf(from));
      else if (typeof value === 'number') builder.setWord(slot, String(value), window.line, window.columnOf(from));
      else if (value !== null) {
        this.wrong(
          from,
          () =>
            `expected a number, a string, true, false or null in ${quoted(name)}, got ${kindOf(value)}: it is read as missing`,
        );
      }
    });
    builder.endRow();
  }

  #columnOf(name: string): number {
    let column = this.#columns.get(name);
    if (column === undefined) {
      column = this.builder.addColumn(name);
      this.#columns.set(name, column);
    }
    return column;
  }
}

/** A record a line. */
class LineParser extends RecordParser {
  parse(): void {
    const { window } = this;
    const { bytes, isLast } = window;
    while (window.start < window.end) {
      const found = bytes.indexOf(LF, window.start);
      const to = found < 0 || found >= window.end ? window.end : found;
      if (to === window.end && !isLast) break;
      let from = window.start;
      while (from < to && isSpace(bytes[from])) from++;
      let end = to;
      while (end > from && isSpace(bytes[end - 1])) end--;
      if (from < end) this.take(from, end);
      window.start = Math.min(to + 1, window.end);
      window.beginLine(to + 1);
    }
  }
}

/** What may come next in a list. */
type Next = 'start' | 'first' | 'record' | 'comma' | 'nothing';

/** A list of records. */
class ListParser extends RecordParser {
  #next: Next = 'start';

  parse(): void {
    const { window } = this;
    const { bytes } = window;
    while (window.start < window.end) {
      const p = window.start;
      const c = bytes[p] as number;
      if (isSpace(c)) this.#move(p + 1);
      else if (this.#next === 'start') this.#begin(p, c);
      else if (this.#next === 'nothing') this.#behind(p);
      else if (c === LIST_END) this.#end(p);
      else if (this.#next === 'comma') this.#comma(p, c);
      else {
        const to = this.#recordEnd(p);
        if (to < 0) return;
        this.take(p, to);
        this.#next = 'comma';
        this.#move(to);
      }
    }
  }

  /** Moves on to a byte, and counts the lines before it. */
  #move(to: number): void {
    const { window } = this;
    const { bytes, start } = window;
    for (let p = start; p < to; p++) {
      const c = bytes[p] as number;
      if (c === LF) window.beginLine(p + 1);
      else if (c >= 128 && c < 192) window.widen(1);
    }
    window.start = to;
  }

  #begin(p: number, c: number): void {
    if (c !== LIST_START)
      throw this.window.faultAt(p, `expected a list of records [ … ], got ${this.window.show(p, p + 20)}`);
    this.#next = 'first';
    this.#move(p + 1);
  }

  #end(p: number): void {
    if (this.#next === 'record') this.wrong(p, () => 'expected a record behind the comma, got the end of the list');
    this.#next = 'nothing';
    this.#move(p + 1);
  }

  #comma(p: number, c: number): void {
    this.#next = 'record';
    if (c === COMMA) this.#move(p + 1);
    else this.wrong(p, () => `expected a comma or ] behind a record, got ${quoted(String.fromCharCode(c))}`);
  }

  /** Something behind the list: it is told once, and left out. */
  #behind(p: number): void {
    const { window } = this;
    if (!this.#isOver) this.wrong(p, () => 'expected nothing behind the list: what follows is left out');
    this.#isOver = true;
    window.start = window.end;
  }

  #isOver = false;

  override finish(): void {
    if (this.#next === 'nothing') return;
    const { window } = this;
    this.wrong(window.end, () => 'expected ] before the end: the list is never closed');
  }

  /** The end of the value that begins at `p`, or −1 if the window cuts it off. */
  #recordEnd(p: number): number {
    const { bytes, end, isLast } = this.window;
    let depth = 0;
    for (let at = p; at < end; at++) {
      const c = bytes[at] as number;
      if (c === QUOTE) {
        at = stringEnd(bytes, at, end);
        if (at < 0) break;
        if (depth === 0) return at + 1;
      } else if (c === OBJECT_START || c === LIST_START) depth++;
      else if (c === OBJECT_END || c === LIST_END) {
        if (--depth === 0) return at + 1;
        if (depth < 0) return Math.max(at, p + 1);
      } else if (depth === 0 && at > p && (c === COMMA || isSpace(c))) return at;
      else if (depth === 0 && at === p && c === COMMA) return at + 1;
    }
    return isLast ? end : -1;
  }
}

/** The closing quote of the string that opens at `at`, or −1. */
function stringEnd(bytes: Uint8Array, at: number, end: number): number {
  for (let p = at + 1; p < end; p++) {
    if (bytes[p] === BACKSLASH) p++;
    else if (bytes[p] === QUOTE) return p;
  }
  return -1;
}
