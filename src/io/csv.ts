// CSV and TSV (RFC 4180): a line for each row, one column of it the label, all others numbers.

import type { DataError } from './errors.js';
import { FieldScanner } from './fields.js';
import { isNotANumber, LabelList } from './labels.js';
import { detectLayout, hasDecimalComma, type Layout } from './layout.js';
import { CR, LF, NumberScanner } from './numbers.js';
import { type Dataset, type ReadOptions, refuseLabels, resolveOptions } from './options.js';
import { DensePieces } from './pieces.js';
import { reading } from './reading.js';
import type { Source } from './source.js';
import { expectText, lineEnd } from './text.js';
import { type ByteWindow, FIELD_LIMIT } from './window.js';

/**
 * Reads CSV or TSV into a dense matrix. Delimiter, header and label column are found out; the answer says why that one was taken.
 * @throws DataError naming source, line and column
 */
export async function readCsv(source: Source, options: ReadOptions = {}): Promise<Dataset> {
  const settings = resolveOptions(options, 'readCsv');
  return reading(source, settings, readCsvFrom);
}

/** The same from a window. */
export async function readCsvFrom(window: ByteWindow): Promise<Dataset> {
  refuseLabels(window.settings, 'CSV', 'in a column ("label")');
  await expectText(window);
  const layout = await detectLayout(window);
  expectColumns(window, layout);
  const parser = new Parser(window, layout);
  for (;;) {
    parser.parse();
    if (window.isLast) break;
    await window.fill();
  }
  return parser.finish();
}

/** As many features as the model has, and at least one. */
function expectColumns(window: ByteWindow, { columns, label, names }: Layout): void {
  const { cols } = window.settings;
  const features = columns - (label ? 1 : 0);
  if (features === 0) throw window.fault('there is one column only, the label: expected features beside it');
  if (cols === undefined || features === cols || columns === Infinity) return;
  const taken = label && `field ${label.index + 1}${names ? ` (${JSON.stringify(label.name)})` : ''} as the label`;
  throw window.fault(
    `expected ${cols} columns of features, got ${features}${taken ? `, with ${taken}` : ', and no label'}`,
  );
}

class Parser {
  readonly #window: ByteWindow;
  readonly #layout: Layout;
  readonly #delimiter: number;
  readonly #labelColumn: number;
  readonly #scanner = new NumberScanner();
  readonly #field: FieldScanner;
  readonly #pieces: DensePieces;
  readonly #labels = new LabelList();
  /** The features of the row that is being read. */
  readonly #row: Float64Array;
  #column = 0;
  #isHeader: boolean;

  constructor(window: ByteWindow, layout: Layout) {
    const { columns, delimiter, label, names } = layout;
    const features = Number.isFinite(columns) ? columns - (label ? 1 : 0) : 1;
    this.#window = window;
    this.#layout = layout;
    this.#delimiter = delimiter.charCodeAt(0);
    this.#labelColumn = label?.index ?? Infinity;
    this.#field = new FieldScanner(window, this.#delimiter);
    this.#pieces = new DensePieces(features, 'float64');
    this.#row = new Float64Array(features);
    this.#isHeader = names !== undefined;
  }

  /** Takes all whole fields of the window. */
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

  /** Takes plain numbers, as long as there are some; answers where they end. */
  #numbers(from: number): number {
    const window = this.#window;
    const [scanner, row, delimiter] = [this.#scanner, this.#row, this.#delimiter];
    const { bytes, end } = window;
    const [label, last] = [this.#labelColumn, this.#layout.columns - 1];
    let column = this.#column;
    let p = from;
    while (column !== label) {
      const value = scanner.read(bytes, p);
      const to = scanner.end;
      if (value - value !== 0 || to >= end || to - p > FIELD_LIMIT) break;
      const c = bytes[to];
      if (column < last ? c !== delimiter : c !== LF) break;
      row[column > label ? column - 1 : column] = value;
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
    this.#pieces.add(this.#row);
    this.#window.rows++;
  }

  /** Takes any one field; answers where the next begins, or `from` if it is cut off. */
  #other(from: number): number {
    const window = this.#window;
    const { bytes, end } = window;
    const field = this.#field;
    if (!field.scan(from)) return from;
    const isInside = bytes[field.end] === this.#delimiter && field.end < end;
    const next = isInside ? field.end + 1 : lineEnd(window, field.end);
    if (next < 0) return from;
    this.#expectPlace(from, isInside);
    if (this.#isHeader) this.#name();
    else if (this.#column === this.#labelColumn) this.#label();
    else this.#feature();
    if (isInside) {
      this.#column++;
      return next;
    }
    this.#endRow();
    this.#column = 0;
    window.beginLine(next);
    return Math.min(next, end);
  }

  /** Refuses a row that ends too early or goes on too long. */
  #expectPlace(from: number, isInside: boolean): void {
    const { columns } = this.#layout;
    const window = this.#window;
    if (isInside ? this.#column + 1 < columns : this.#column + 1 === columns || columns === Infinity) return;
    const got = isInside ? 'more' : `${this.#column + 1}`;
    throw window.faultAt(
      isInside ? this.#field.end : from,
      `expected ${columns} fields in a line, as in the first, got ${got}`,
    );
  }

  /** A name is known by now, unless it is wrong. */
  #name(): void {
    this.#field.text();
    this.#field.pass();
  }

  #label(): void {
    const field = this.#field;
    const text = field.text();
    if (text === '') throw this.#wrong('a label', 'an empty field');
    if (isNotANumber(text) && !field.isQuoted) throw this.#wrong('a label', JSON.stringify(text));
    field.pass();
    this.#labels.add(text);
  }

  #feature(): void {
    const [field, scanner, window] = [this.#field, this.#scanner, this.#window];
    const value = scanner.read(window.bytes, field.from);
    if (scanner.end !== field.to || value - value !== 0) throw this.#wrongFeature();
    this.#row[this.#column > this.#labelColumn ? this.#column - 1 : this.#column] = value;
  }

  #wrongFeature(): DataError {
    const [field, window] = [this.#field, this.#window];
    const text = window.show(field.from, field.to);
    if (field.from === field.to) return this.#wrong('a number', 'an empty field');
    if (this.#scanner.end === field.to) return this.#wrong('a number that a float64 can hold', text);
    const isComma = field.to - field.from < 100 && hasDecimalComma(field.text());
    const hint = isComma ? ': write decimals with a point, and no separators of thousands' : '';
    return this.#wrong('a number', text + hint);
  }

  #wrong(expected: string, got: string): DataError {
    const name = this.#layout.names?.[this.#column];
    const where = `field ${this.#column + 1}${name === undefined ? '' : ` (${JSON.stringify(name)})`}`;
    return this.#window.faultAt(this.#field.from, `expected ${expected} in ${where}, got ${got}`);
  }

  finish(): Dataset {
    const { delimiter, names, label } = this.#layout;
    if (this.#window.rows === 0) throw this.#window.fault('there are no rows in it: only a header');
    const featureNames = names?.filter((_, j) => j !== label?.index);
    return {
      X: this.#pieces.finish(),
      y: this.#labels.finish(),
      ...(featureNames && { featureNames }),
      ...(label && { label }),
      format: 'csv',
      delimiter,
    };
  }
}
