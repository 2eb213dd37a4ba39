// TableEncoding: applies a fitted TableEncoder, one row at a time. The numbers of a row: a number column is (x − mean) / scale,
// a category column has a 1 in the column of its value, a text column has the features of its words; an indicator column is 1
// where the value is missing. Fitting is in src/prepare.

import type { RowBuffer } from '../data/entries.js';
import { show } from '../errors.js';
import {
  exactNumber,
  type Fields,
  fail,
  fieldsOf,
  flagFrom,
  listOf,
  oneOf,
  openModel,
  positive,
  type Read,
  reader,
  stringFrom,
} from '../model/json.js';
import { atPath } from './paths.js';
import { type TextEncoding, textFrom } from './text.js';
import { isMissing, isMissingAt, numberOf, placeOf, textOf, tooLarge } from './values.js';

interface PartBase {
  readonly name: string;
  /** Whether a missing value is an error. */
  readonly refuses: boolean;
  /** Whether an indicator column follows. */
  readonly hasIndicator: boolean;
}

/** x → (x − mean) / scale; `fill` is x where it is missing. */
export interface NumberPart extends PartBase {
  readonly kind: 'number';
  readonly fill: number;
  readonly mean: number;
  readonly scale: number;
}

/** One column for each value; `fill` is the value where it is missing, undefined: none. */
export interface CategoryPart extends PartBase {
  readonly kind: 'category';
  readonly values: readonly string[];
  readonly fill: string | undefined;
  /** Whether a value that was not in fit is an error. */
  readonly refusesUnknown: boolean;
}

interface TextPart extends PartBase {
  readonly kind: 'text';
  readonly encoding: TextEncoding;
}

/** One column of the table that is used, fitted. */
export type Part = NumberPart | CategoryPart | TextPart;

/** A result with more columns of categories than these is sparse. */
const MOST_DENSE = 50;

/** The features that a column of the table becomes, without its indicator. */
export const widthOf = (part: Part): number =>
  part.kind === 'number' ? 1 : part.kind === 'category' ? part.values.length : part.encoding.cols;

/** A fitted encoder. Not re-entrant. */
export class TableEncoding {
  readonly parts: readonly Part[];
  /** Features of a row. */
  readonly cols: number;
  readonly isSparse: boolean;
  /** The columns of the table that are needed. */
  readonly columns: readonly string[];
  /** The first feature of each part. */
  readonly starts: number[] = [];
  /** The feature of each value, for parts that are categories. */
  readonly #codes: (ReadonlyMap<string, number> | undefined)[];

  constructor(parts: readonly Part[]) {
    this.parts = parts;
    this.columns = parts.map(({ name }) => name);
    this.#codes = parts.map((part) =>
      part.kind === 'category' ? new Map(part.values.map((value, code) => [value, code])) : undefined,
    );
    let [cols, categories] = [0, 0];
    for (const part of parts) {
      this.starts.push(cols);
      const width = widthOf(part);
      cols += width + Number(part.hasIndicator);
      if (part.kind === 'category') categories += width;
    }
    this.cols = cols;
    this.isSparse = categories > MOST_DENSE || parts.some(({ kind }) => kind === 'text');
  }

  /**
   * Appends the features of one row, columns ascending; `value` gives the row's value of a needed column.
   * @param at the row, for messages; below 0: one record without a number
   * @throws TypeError or RangeError naming row and column
   */
  encode(value: (column: number) => unknown, at: number, row: RowBuffer): void {
    for (let k = 0; k < this.parts.length; k++) {
      const part = this.parts[k] as Part;
      const { name } = part;
      const start = this.starts[k] as number;
      const given = value(k);
      const missing = isMissing(given);
      if (missing && part.refuses) throw isMissingAt(given, at, name);
      if (part.kind === 'number') {
        const number = ((missing ? part.fill : numberOf(given, at, name)) - part.mean) / part.scale;
        if (!Number.isFinite(number)) throw tooLarge(placeOf(at, name), number);
        row.add(start, number);
      } else if (part.kind === 'category') {
        const known = missing ? part.fill : textOf(given, at, name);
        const code = known === undefined ? undefined : this.#codes[k]?.get(known);
        if (code !== undefined) row.add(start + code, 1);
        else if (!missing && part.refusesUnknown) {
          throw new RangeError(`${placeOf(at, name)} is ${show(given)}, which was not in fit`);
        }
      } else {
        part.encoding.encode(missing ? '' : textOf(given, at, name), row, start);
      }
      if (missing && part.hasIndicator) row.add(start + widthOf(part), 1);
    }
  }
}

// ---- reading --------------------------------------------------------------------------------------

/** Reads an encoder from TableEncoder's JSON. @throws TypeError or RangeError naming the field, with `path` before it */
export const tableFrom = (
  json: unknown,
  path = '',
  options?: { allowPatterns?: boolean },
  readText: (json: unknown, path: string, options?: { allowPatterns?: boolean }) => TextEncoding = textFrom,
): TableEncoding =>
  atPath(path, () => {
    const { columns } = openModel(json, ['table-encoder']);
    const names = new Set<string>();
    const parts = listOf(columns, 'columns', (value, at) => {
      const part = partFrom(fieldsOf(value, at), at, (text, textPath) => readText(text, textPath, options));
      if (names.size === names.add(part.name).size) {
        throw new RangeError(`model JSON: ${at}.name is ${show(part.name)}, as that of another column`);
      }
      return part;
    });
    const encoding = new TableEncoding(parts.filter((part) => part.kind !== 'ignore'));
    if (encoding.cols === 0) fail('columns', 'a list with columns that are used', columns);
    return encoding;
  });

const kindFrom = oneOf('number', 'category', 'text', 'ignore');

function partFrom(fields: Fields, at: string, readText: Read<TextEncoding>): Part | { kind: 'ignore'; name: string } {
  const field = reader(fields, `${at}.`);
  const name = field('name', stringFrom);
  const kind = field('kind', kindFrom);
  if (kind === 'ignore') return { kind, name };
  const refuses = field('missing', stringFrom) === 'refuse';
  const base = { name, refuses, hasIndicator: field('hasIndicator', flagFrom) };
  if (kind === 'text') return { ...base, kind, encoding: field('text', readText) };
  if (kind === 'number') {
    const fill = refuses ? 0 : field('fill', exactNumber);
    return { ...base, kind, fill, mean: field('mean', exactNumber), scale: field('scale', positive) };
  }
  const values = field('values', (list, path) => listOf(list, path, stringFrom));
  if (new Set(values).size < values.length) throw new RangeError(`model JSON: ${at}.values must all be different`);
  const fill = fields.fill as string | undefined;
  if (fill !== undefined && !values.includes(fill)) fail(`${at}.fill`, 'one of the values', fill, 'string');
  return { ...base, kind, values, fill, refusesUnknown: fields.unknown === 'refuse' };
}
