// CSV and TSV as a table. What is wrong in a row is noted, and reading goes on.

import { quoted } from '../escape.js';
import { CODE, MISSING, markOf } from './cells.js';
import { FieldScanner, type Leniency } from './fields.js';
import { detectLayout, type Layout, uniqueNames } from './layout.js';
import { CR, LF, NumberScanner, QUOTE } from './numbers.js';
import type { Problems } from './problems.js';
import { TableBuilder } from './tablebuilder.js';
import type { TableSettings } from './tabletypes.js';
import { expectText } from './text.js';
import { TextCache } from './textcache.js';
import type { ByteWindow } from './window.js';
import { isGap } from './words.js';

const LENIENCY: Leniency = { fieldLimit: 2 ** 24 };

/** Bytes of a field that is cut off from which on as many more are read at once, so that long fields are not read again too often. */
const LONG_FIELD = 2 ** 18;

/** What the cache knows of a text that stands for a missing value. */
const NO_CODE = -1;

/** The slot of columns that are left out. */
const IGNORED = -1;

/** Reads CSV into a builder; returns its layout. @throws DataError if it is no text or has no rows */
export async function readCsvTable(
  window: ByteWindow,
  { delimiter }: TableSettings,
  problems: Problems,
): Promise<{ layout: Layout; builder: TableBuilder; names: readonly string[] }> {
  await expectText(window);
  const layout = await detectLayout(window, { delimiter, leniency: LENIENCY });
  if (!Number.isFinite(layout.columns)) {
    throw window.fault(`its first line cannot be read: it has a field of more than ${LENIENCY.fieldLimit} bytes`);
  }
  const names = layout.names ?? uniqueNames(new Array<string>(layout.columns).fill(''));
  const parser = new Parser(window, layout, names, problems);
  for (;;) {
    parser.parse();
    if (window.isLast) break;
    const left = window.end - window.start;
    await (left > LONG_FIELD ? window.fill(left) : window.fill());
  }
  if (window.rows === 0) throw window.fault('there are no rows in it: only a header');
  return { layout, builder: parser.builder, names };
}

/** The end of the ASCII behind `at` that has no quotes, delimiters and control characters. */
function plainEnd(bytes: Uint8Array, at: number, delimiter: number): number {
  let p = at;
  for (let c = bytes[p] as number; c > 31 && c < 128 && c !== QUOTE && c !== delimiter; c = bytes[p] as number) p++;
  return p;
}

class Parser {
  readonly builder: TableBuilder;
  readonly #window: ByteWindow;
  readonly #problems: Problems;
  readonly #columns: number;
  readonly #names: readonly string[];
  readonly #delimiter: number;
  /** The column of the table for each field, or IGNORED. */
  readonly #slots: Int32Array;
  readonly #scanner = new NumberScanner();
  readonly #field: FieldScanner;
  readonly #cache = new TextCache();
  /** The number of the next field in its row, from 0; fields beyond the last column are counted too. */
  #column = 0;
  #isHeader: boolean;
  /** The place of the first field beyond the last column. */
  #extra = { line: 0, column: 0 };

  constructor(window: ByteWindow, layout: Layout, names: readonly string[], problems: Problems) {
    const { columns, delimiter, ignored } = layout;
    this.#window = window;
    this.#problems = problems;
    this.#columns = columns;
    this.#names = names;
    this.#delimiter = delimiter.charCodeAt(0);
    this.#isHeader = layout.names !== undefined;
    this.#field = new FieldScanner(window, this.#delimiter, LENIENCY);
    this.builder = new TableBuilder(window, problems);
    this.#slots = Int32Array.from(names, (name, j) => (ignored.has(j) ? IGNORED : this.builder.addColumn(name)));
    if (this.builder.names.length === 0) throw window.fault('there is no column that is not ignored');
    this.builder.beginRow();
  }

  /** Reads all complete fields of the window. */
  parse(): void {
    const window = this.#window;
    const { bytes, end, isLast } = window;
    let p = window.start;
    while (p < end || (isLast && this.#column > 0)) {
      const from = p;
      if (this.#column === 0 && (bytes[p] === LF || bytes[p] === CR)) {
        const next = this.#lineEnd(p); // a blank line
        if (next < 0) break;
        this.#beginLine(p, next);
        p = Math.min(next, end);
      } else {
        if (!this.#isHeader) p = this.#numbers(p);
        if (p === from) p = this.#other(p);
      }
      if (p === from) break;
    }
    window.start = p;
  }

  /** The position behind a line end, or −1 if the window cuts it off; a single carriage return is one, too. */
  #lineEnd(at: number): number {
    const { bytes, end, isLast } = this.#window;
    if (bytes[at] !== CR) return at + 1;
    if (at + 1 >= end && !isLast) return -1;
    return bytes[at + 1] === LF ? at + 2 : at + 1;
  }

  /** Starts the next line behind the line end at `at`. */
  #beginLine(at: number, next: number): void {
    const window = this.#window;
    if (window.bytes[at] === CR && next === at + 1) {
      this.#wrong(at, () => 'expected a line feed behind the carriage return: it is read as the end of the line');
    }
    window.beginLine(next);
  }

  #wrong(at: number, what: () => string): void {
    this.#problems.add(this.#window.line, this.#window.columnOf(at), what);
  }

  /** Reads plain numbers, empty fields and plain fields that are left out until another one comes; returns the end of the last. */
  #numbers(from: number): number {
    const window = this.#window;
    const [scanner, builder, slots, delimiter] = [this.#scanner, this.builder, this.#slots, this.#delimiter];
    const { bytes, end } = window;
    const last = this.#columns - 1;
    let { values, marks, base } = builder;
    let column = this.#column;
    let p = from;
    while (column <= last) {
      const slot = slots[column] as number;
      const isIgnored = slot === IGNORED;
      const value = isIgnored ? NaN : scanner.read(bytes, p);
      const to = isIgnored ? plainEnd(bytes, p, delimiter) : scanner.end;
      if (to >= end) break;
      const c = bytes[to];
      if (column < last ? c !== delimiter : c !== LF) break;
      if (to > p && !isIgnored) {
        if (value - value !== 0) break;
        const mark = markOf(bytes, p, to, value, scanner.isPlain);
        if (mark === CODE) break;
        values[base + slot] = value;
        marks[base + slot] = mark;
      } else if (last === 0) {
        break; // a blank line
      }
      p = to + 1;
      column++;
      if (column > last) {
        builder.endRow();
        builder.beginRow();
        ({ values, marks, base } = builder);
        window.beginLine(p);
        column = 0;
        if (bytes[p] === LF) break;
      }
    }
    this.#column = column;
    return p;
  }

  /** Reads one field of any kind; returns the start of the next, or `from` if the window cuts it off. */
  #other(from: number): number {
    const window = this.#window;
    const { bytes, end } = window;
    const field = this.#field;
    if (!field.scan(from)) return from;
    const isInside = bytes[field.end] === this.#delimiter && field.end < end;
    const next = isInside ? field.end + 1 : this.#lineEnd(field.end);
    if (next < 0) return from;
    const column = this.#column;
    const fault = field.fault;
    if (fault) this.#wrong(fault.at, () => `${fault.what}; the field is read as if quotes had no meaning`);
    field.fault = undefined;
    if (column < this.#columns) this.#take(column);
    else if (column === this.#columns) this.#extra = { line: window.line, column: window.columnOf(from) };
    const { line } = window;
    const place = window.columnOf(from);
    field.pass();
    if (isInside) {
      this.#column++;
      return next;
    }
    this.#endRow(line, place);
    this.#beginLine(field.end, next);
    return Math.min(next, end);
  }

  #take(column: number): void {
    const slot = this.#slots[column] as number;
    if (this.#isHeader) this.#name(column);
    else if (slot === IGNORED) this.#check();
    else if (!this.#number(slot)) this.#word(slot);
  }

  /** The text of the field; notes bytes that are not UTF-8. */
  #text(): string {
    const text = this.#field.text();
    const fault = this.#field.fault;
    if (fault) this.#wrong(fault.at, () => `${fault.what}; such bytes are read as U+FFFD`);
    return text;
  }

  /** Notes bytes that are not UTF-8. */
  #check(): void {
    if (!this.#field.isSimple) this.#text();
  }

  /** Checks a name of the header: it may have been changed. */
  #name(column: number): void {
    const text = this.#text();
    const name = this.#names[column] as string;
    if (text !== '' && name !== text) {
      this.#wrong(
        this.#field.from,
        () => `two columns are called ${quoted(text)}: this one is read as ${quoted(name)}`,
      );
    }
  }

  #number(slot: number): boolean {
    const [field, scanner, builder] = [this.#field, this.#scanner, this.builder];
    const { bytes } = this.#window;
    const value = scanner.read(bytes, field.from);
    if (scanner.end !== field.to || value - value !== 0) return false;
    const mark = markOf(bytes, field.from, field.to, value, scanner.isPlain);
    if (mark === CODE) return false;
    builder.values[builder.base + slot] = value;
    builder.marks[builder.base + slot] = mark;
    return true;
  }

  #word(slot: number): void {
    const [field, builder, cache, window] = [this.#field, this.builder, this.#cache, this.#window];
    const { bytes, line } = window;
    const { from, to } = field;
    if (from === to) return; // missing
    const place = window.columnOf(from);
    // The same text in quotes and without them may differ: NA is missing, "NA" is a word.
    const key = 2 * slot + (field.isQuoted ? 1 : 0);
    let code = cache.find(bytes, from, to, key);
    if (code === undefined) {
      const text = this.#text();
      if (!field.isQuoted && isGap(text)) {
        builder.marks[builder.base + slot] = MISSING;
        code = NO_CODE;
      } else {
        code = builder.setWord(slot, text, line, place);
      }
      if (!field.fault) cache.keep(bytes, from, to, key, code);
    } else if (code !== NO_CODE) {
      builder.setCode(slot, code, line, place);
    }
  }

  /** Ends a row whose last field begins at a place. */
  #endRow(line: number, place: number): void {
    const [columns, fields, field] = [this.#columns, this.#column + 1, this.#field];
    const expected = `expected ${columns} fields in a line, as in the first, got`;
    if (fields < columns) {
      this.#problems.add(line, place, () => `${expected} ${fields}: the others are read as missing`);
    } else if (fields > columns) {
      const isEnd = fields === columns + 1 && field.from === field.to;
      const got = isEnd ? `${fields}: it ends with a delimiter` : `${fields}: the ones beyond are left out`;
      this.#problems.add(this.#extra.line, this.#extra.column, () => `${expected} ${got}`);
    }
    this.#column = 0;
    if (this.#isHeader) {
      this.#isHeader = false;
    } else {
      this.builder.endRow();
      this.builder.beginRow();
    }
  }
}
