// Parses CSV and TSV (RFC 4180) whose layout is known: one row a line; one column is the label, all others are numbers. The same class
// runs on the caller's thread and in workers (blockscript.ts).

import type { DataError } from './errors.js';
import { FieldScanner } from './fields.js';
import { isMissing, isNotANumber, type LabelList } from './labels.js';
import { hasDecimalComma, type Layout } from './layout.js';
import { CR, LF, NumberScanner } from './numbers.js';
import { lineEnd } from './text.js';
import { type ByteWindow, FIELD_LIMIT } from './window.js';

/** How many columns are features. */
export const featuresOf = ({ columns, label, ignored }: Layout): number => columns - ignored.size - (label ? 1 : 0);

/** The slots of fields that are not features. */
const LABEL = -1;
const IGNORED = -2;

/** The feature number of each column, or a slot above. */
function slotsOf({ columns, label, ignored }: Layout): Int32Array {
  const slots = new Int32Array(Number.isFinite(columns) ? columns : 0);
  let feature = 0;
  for (let j = 0; j < slots.length; j++) {
    if (j === label?.index) slots[j] = LABEL;
    else slots[j] = ignored.has(j) ? IGNORED : feature++;
  }
  return slots;
}

const EMPTY = 'an empty field';
const FILL_IN = 'fill it in, or leave the row out (or read it with readTable, see perceptron-wasm/prepare)';
const shown = (text: string): string => (text === '' ? EMPTY : JSON.stringify(text));

/** Whether a field is free text: three words or more. */
const isSentence = (text: string): boolean => text.split(/\s/).filter((word) => /\p{L}/u.test(word)).length > 2;

/** Takes the features of rows. */
export interface FeatureSink {
  add(row: Float64Array): void;
}

export class CsvParser {
  readonly #window: ByteWindow;
  readonly #layout: Layout;
  readonly #delimiter: number;
  /** The slot of each column. */
  readonly #slots: Int32Array;
  readonly #scanner = new NumberScanner();
  readonly #field: FieldScanner;
  readonly #rows: FeatureSink;
  readonly #labels: LabelList;
  /** The features of the row that is being read. */
  readonly #row: Float64Array;
  #column = 0;
  #isHeader: boolean;

  /** `isHeader`: whether the first row has the names of the columns. */
  constructor(window: ByteWindow, layout: Layout, rows: FeatureSink, labels: LabelList, isHeader: boolean) {
    const { columns, delimiter } = layout;
    const features = Number.isFinite(columns) ? featuresOf(layout) : 1;
    this.#window = window;
    this.#layout = layout;
    this.#delimiter = delimiter.charCodeAt(0);
    this.#slots = slotsOf(layout);
    this.#field = new FieldScanner(window, this.#delimiter);
    this.#rows = rows;
    this.#row = new Float64Array(features);
    this.#labels = labels;
    this.#isHeader = isHeader;
  }

  /** Whether the next byte begins a row of data. */
  get isBetweenRows(): boolean {
    return this.#column === 0 && !this.#isHeader;
  }

  /** Reads all complete fields of the window. */
  parse(): void {
    const window = this.#window;
    const { bytes, end, isLast } = window;
    let p = window.start;
    while (p < end || (isLast && this.#column > 0)) {
      const from = p;
      if (this.#column === 0 && (bytes[p] === LF || bytes[p] === CR)) {
        const next = lineEnd(window, p); // a blank line
        if (next < 0) break;
        window.beginLine(next);
        p = Math.min(next, end);
      } else {
        if (!this.#isHeader) p = this.#numbers(p);
        if (p === from) p = this.#other(p);
      }
      if (p === from) break;
    }
    window.start = p;
  }

  /** Reads plain numbers until another field comes; returns the end of the last number. */
  #numbers(from: number): number {
    const window = this.#window;
    const [scanner, row, slots, delimiter] = [this.#scanner, this.#row, this.#slots, this.#delimiter];
    const { bytes, end } = window;
    const last = this.#layout.columns - 1;
    let column = this.#column;
    let p = from;
    for (;;) {
      const slot = slots[column] as number;
      if (slot < 0) break;
      const value = scanner.read(bytes, p);
      const to = scanner.end;
      if (value - value !== 0 || to >= end || to - p > FIELD_LIMIT) break;
      const c = bytes[to];
      if (column < last ? c !== delimiter : c !== LF) break;
      row[slot] = value;
      p = to + 1;
      column++;
      if (column > last) {
        this.#endRow();
        window.beginLine(p);
        column = 0;
        if (bytes[p] === LF) break;
      }
    }
    this.#column = column;
    return p;
  }

  #endRow(): void {
    if (this.#isHeader) {
      this.#isHeader = false;
      return;
    }
    this.#rows.add(this.#row);
    this.#window.endRow();
  }

  /** Reads one field of any kind; returns the start of the next, or `from` if the window cuts it off. */
  #other(from: number): number {
    const window = this.#window;
    const { bytes, end, isLast } = window;
    const field = this.#field;
    if (!field.scan(from)) return from;
    const isInside = bytes[field.end] === this.#delimiter && field.end < end;
    const next = isInside ? field.end + 1 : lineEnd(window, field.end);
    if (next < 0) return from;
    // One field too many, or only a delimiter at the line's end: the next bytes decide.
    if (isInside && next >= end && !isLast && this.#column + 1 >= this.#layout.columns) return from;
    this.#expectPlace(from, isInside);
    const slot = this.#slots[this.#column] as number;
    if (this.#isHeader || slot === IGNORED) this.#skip();
    else if (slot === LABEL) this.#label();
    else this.#feature(slot);
    if (isInside) {
      this.#column++;
      return next;
    }
    this.#endRow();
    this.#column = 0;
    window.beginLine(next);
    return Math.min(next, end);
  }

  /** @throws DataError if a row has too few or too many fields */
  #expectPlace(from: number, isInside: boolean): void {
    const { columns } = this.#layout;
    const window = this.#window;
    if (isInside ? this.#column + 1 < columns : this.#column + 1 === columns || columns === Infinity) return;
    const behind = window.bytes[this.#field.end + 1];
    const more = behind === LF || behind === CR ? 'more: it ends with a delimiter' : 'more';
    const got = isInside ? more : `${this.#column + 1}`;
    throw window.faultAt(
      isInside ? this.#field.end : from,
      `expected ${columns} fields in a line, as in the first, got ${got}`,
    );
  }

  /** Skips a name of the header or an ignored field, but checks its text. */
  #skip(): void {
    this.#field.text();
    this.#field.pass();
  }

  #label(): void {
    const field = this.#field;
    const text = field.text();
    const isGap = text === '' || (isMissing(text) && !field.isQuoted);
    if (isGap) throw this.#wrong('a label', `${shown(text)}, a row without a label; ${FILL_IN}`);
    if (isNotANumber(text) && !field.isQuoted) throw this.#wrong('a label', shown(text));
    field.pass();
    this.#labels.add(text);
  }

  #feature(slot: number): void {
    const [field, scanner, window] = [this.#field, this.#scanner, this.#window];
    const value = scanner.read(window.bytes, field.from);
    if (scanner.end !== field.to || value - value !== 0) throw this.#wrongFeature();
    this.#row[slot] = value;
  }

  #wrongFeature(): DataError {
    const [field, window] = [this.#field, this.#window];
    const text = window.show(field.from, field.to);
    if (field.from === field.to) return this.#wrong('a number', `${EMPTY}; ${FILL_IN}`);
    if (this.#scanner.end === field.to) return this.#wrong('a number that a float64 can hold', text);
    return this.#wrong('a number', text + this.#hintFor(field.text()));
  }

  /** Advice for a word where a number was expected. */
  #hintFor(text: string): string {
    if (isMissing(text)) return `; ${FILL_IN}`;
    if (isNotANumber(text)) return '';
    if (text.length < 100 && hasDecimalComma(text)) {
      return ': write decimals with a point, and no separators of thousands';
    }
    if (isSentence(text)) {
      return '; text must be turned into numbers first (read it with readTable, see perceptron-wasm/prepare), or its column left out with "ignore"';
    }
    const isFirst = this.#window.rows === 0 && !this.#layout.names && this.#window.settings.header === undefined;
    const or = isFirst ? ', or say "header": true if these are names' : '';
    return `; leave the column out with "ignore" if it is no feature (or read words with readTable)${or}`;
  }

  #wrong(expected: string, got: string): DataError {
    const name = this.#layout.names?.[this.#column];
    const where = `field ${this.#column + 1}${name === undefined ? '' : ` (${JSON.stringify(name)})`}`;
    return this.#window.faultAt(this.#field.from, `expected ${expected} in ${where}, got ${got}`);
  }
}
