// What readTable returns, and its options.

import { expectOptions, show, word } from '../errors.js';
import { DELIMITERS, type Delimiter } from './layout.js';
import { type ReadOptions, resolveOptions, type Settings } from './options.js';

/** The formats that `readTable` reads. */
export type TableFormat = 'csv' | 'jsonl' | 'json' | 'parquet';

/** The kinds that a column can be read as. */
export type GivenKind = 'number' | 'category' | 'text';

/** What a column holds. 'id': a different value in every row; 'empty': no value in any row. */
export type ColumnKind = GivenKind | 'id' | 'empty';

/** Something that is wrong in a file; reading went on behind it. */
export interface Problem {
  /** The line, from 1; in Parquet the row. */
  line: number;
  /** The place in the line in characters, from 1; in JSON that of the record, in Parquet the number of the column. */
  column: number;
  /** What was expected, what came, and how it was read. */
  what: string;
}

/** What is known of a column. */
export interface ColumnSchema {
  name: string;
  kind: ColumnKind;
  /** How many rows have no value. */
  missing: number;
  /** How many values are different; at least so many, if it is more than 1,000 numbers or 2²² texts. */
  distinct: number;
  /** Why the column is of its kind. */
  reason: string;
  /** The first different values, at most three. */
  examples: (number | string)[];
}

/** A table: `columns` is what the encoders of `perceptron-wasm/prepare` take. */
export interface TableData {
  /**
   * The values of each column: numbers with NaN where there is none, or strings with null where there is none. In TypeScript, say
   * which you expect: `columns.city as string[]`.
   */
  columns: Record<string, Float64Array | (string | null)[]>;
  rows: number;
  /** The names of the columns, in the order of the file. */
  names: string[];
  /** What is known of each column, in the same order. */
  schema: ColumnSchema[];
  /** What is wrong in the file, in its order: the first 1,000 problems. */
  problems: Problem[];
  /** How many problems there are in all. */
  problemCount: number;
  format: TableFormat;
  /** CSV: the character between fields. */
  delimiter?: Delimiter;
  /** The column that was asked for as the label or is likely to be it, and why. `index` counts all columns of the file, as options do. */
  label?: { index: number; name: string; reason: string };
  /** Remarks on what may be an error in the file, a sentence each. */
  notes?: readonly string[];
}

/** The options of readTable: those of readers but `cols` and `labels`, and more. */
export interface TableOptions
  extends Pick<ReadOptions, 'label' | 'header' | 'ignore' | 'maxBytes' | 'signal' | 'name' | 'onProgress'> {
  /** The format. Default: detected by the first bytes. */
  format?: TableFormat;
  /** CSV: the character between fields. Default: detected. */
  delimiter?: Delimiter;
  /** Kinds of columns by name, for those that are guessed wrong. */
  kinds?: Readonly<Record<string, GivenKind>>;
  /** Refuses tables with more columns. Default 2¹⁶. */
  maxCols?: number;
}

const KEYS = [
  ...['format', 'delimiter', 'header', 'label', 'ignore', 'kinds'],
  ...['maxCols', 'maxBytes', 'signal', 'name', 'onProgress'],
] as const;

const MAX_COLS = 2 ** 16;

const oneOfFormats = word<TableFormat>('csv', 'jsonl', 'json', 'parquet');
const oneOfKinds = word<GivenKind>('number', 'category', 'text');
const oneOfDelimiters = word<Delimiter>(...DELIMITERS);

export interface TableSettings {
  readonly read: Settings;
  readonly format: TableFormat | undefined;
  readonly delimiter: Delimiter | undefined;
  readonly kinds: ReadonlyMap<string, GivenKind>;
}

/** Checks options. @throws TypeError or RangeError naming the option */
export function resolveTableOptions(options: TableOptions): TableSettings {
  const { format, delimiter, kinds = {}, maxCols = MAX_COLS, ...rest } = expectOptions(options, KEYS, 'readTable');
  if (format !== undefined) oneOfFormats(format, 'format');
  if (delimiter !== undefined) oneOfDelimiters(delimiter, 'delimiter');
  if (typeof kinds !== 'object' || kinds === null || Array.isArray(kinds)) {
    throw new TypeError(`"kinds" must be an object of columns' names and kinds, got ${show(kinds)}`);
  }
  const given = Object.entries(kinds).map(([name, kind]) => [name, oneOfKinds(kind, `kinds[${show(name)}]`)] as const);
  return { read: resolveOptions({ ...rest, maxCols }, 'readTable'), format, delimiter, kinds: new Map(given) };
}
