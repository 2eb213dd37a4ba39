// The options of TableEncoder, checked once.

import { expectOptions, number, show, word } from '../errors.js';
import type { Fields } from '../model/json.js';
import { own } from '../own.js';
import { type ColumnKind, MOST_VALUES } from './infer.js';
import { TextVectorizer, type TextVectorizerOptions } from './textvectorizer.js';

/** What to do with a missing value: undefined, null or NaN. */
export type MissingRule = 'refuse' | 'mean' | 'median' | 'most-frequent' | 'zero';

/** What to do with a category that was not in fit. */
export type UnknownRule = 'ignore' | 'refuse';

interface EveryColumn {
  /** As the option of the encoder, for this column. */
  missing?: MissingRule;
  /** As the option of the encoder, for this column. */
  indicator?: boolean;
}

/** How a column of numbers becomes one column of rows. */
export interface NumberColumnOptions extends EveryColumn {
  type: 'number';
  /** As the option of the encoder, for this column. */
  standardize?: boolean;
}

/** How a column of words becomes a column for each word. */
export interface CategoryColumnOptions extends EveryColumn {
  type: 'category';
  /** As the option of the encoder, for this column. */
  unknown?: UnknownRule;
  /** The most different values that `fit` accepts. Default 100,000. */
  maxValues?: number;
}

/** A text column takes the options of a TextVectorizer, too. Default: method 'vocabulary', weighting 'tf-idf'. */
export interface TextColumnOptions extends EveryColumn, TextVectorizerOptions {
  type: 'text';
}

/** What a column is: its kind, or its kind with options. */
export type ColumnOptions =
  | ColumnKind
  | NumberColumnOptions
  | CategoryColumnOptions
  | TextColumnOptions
  | { type: 'ignore' };

/** Options of `TableEncoder`. */
export interface TableEncoderOptions {
  /** What the columns are. The kinds of columns that are not here are guessed: `encoder.columns` tells them after fit. */
  columns?: Readonly<Record<string, ColumnOptions>>;
  /**
   * What to do with a missing value. Default 'refuse'. A missing number becomes the mean, the median, the most frequent value (of
   * several the smallest) or 0. A missing category has none of the values, with 'most-frequent' it has that one; a missing text
   * is an empty text.
   */
  missing?: MissingRule;
  /** Whether a column that has missing values in fit gets another beside it, which is 1 where they are missing. Default false. */
  indicator?: boolean;
  /** What to do with a category that was not in fit: 'ignore' gives it none of the values. Default 'ignore'. */
  unknown?: UnknownRule;
  /** Whether number columns get mean 0 and variance 1, so that they do not drown categories and words. Default true. */
  standardize?: boolean;
}

/** The options of one column with defaults. */
export interface ColumnSettings {
  /** undefined: to be guessed. */
  readonly kind: ColumnKind | undefined;
  readonly missing: MissingRule;
  readonly indicator: boolean;
  readonly standardize: boolean;
  readonly unknown: UnknownRule;
  readonly maxValues: number;
  /** A new TextVectorizer, for a text column. */
  vectorizer(): TextVectorizer;
}

/** The options of an encoder with defaults; `columns` has those that the caller named. */
export interface TableSettings {
  readonly columns: ReadonlyMap<string, ColumnSettings>;
  /** For all other columns. */
  readonly others: ColumnSettings;
}

const KINDS: readonly ColumnKind[] = ['number', 'category', 'text', 'ignore'];
const KEYS = ['columns', 'missing', 'indicator', 'unknown', 'standardize'];
const OTHER_NAMES = { strategy: 'missing', imputer: 'missing', handleunknown: 'unknown', addindicator: 'indicator' };
const OF_KIND: Readonly<Record<ColumnKind, readonly string[]>> = {
  number: ['type', 'missing', 'indicator', 'standardize'],
  category: ['type', 'missing', 'indicator', 'unknown', 'maxValues'],
  text: ['type', 'missing', 'indicator'],
  ignore: ['type'],
};

const missingRule = word<MissingRule>('refuse', 'mean', 'median', 'most-frequent', 'zero');
const unknownRule = word<UnknownRule>('ignore', 'refuse');
const count = number('an integer ≥ 1', (value) => Number.isSafeInteger(value) && value >= 1);

function flag(value: unknown, name: string): boolean {
  if (typeof value !== 'boolean') throw new TypeError(`"${name}" must be true or false, got ${show(value)}`);
  return value;
}

const textDefaults = { method: 'vocabulary', weighting: 'tf-idf' } as const;

const defaults: ColumnSettings = {
  kind: undefined,
  missing: 'refuse',
  indicator: false,
  standardize: true,
  unknown: 'ignore',
  maxValues: MOST_VALUES,
  vectorizer: () => new TextVectorizer(textDefaults),
};

/** The settings that `given` has, and for the rest those of `base`. `path` precedes the names of options. */
export function settingsFrom(
  given: Readonly<Record<string, unknown>>,
  base: ColumnSettings,
  path: string,
): ColumnSettings {
  const { missing, indicator, standardize, unknown, maxValues } = given;
  return {
    ...base,
    ...(missing !== undefined && { missing: missingRule(missing, `${path}missing`) }),
    ...(indicator !== undefined && { indicator: flag(indicator, `${path}indicator`) }),
    ...(standardize !== undefined && { standardize: flag(standardize, `${path}standardize`) }),
    ...(unknown !== undefined && { unknown: unknownRule(unknown, `${path}unknown`) }),
    ...(maxValues !== undefined && { maxValues: count(maxValues, `${path}maxValues`) }),
  };
}

/** Checks the options of an encoder. @throws TypeError or RangeError naming the wrong one */
export function resolveTable(options: TableEncoderOptions): TableSettings {
  const given = expectOptions(options, KEYS, 'TableEncoder', OTHER_NAMES);
  const others = settingsFrom(given as Fields, defaults, '');
  const { columns } = given;
  if (columns === undefined) return { columns: new Map(), others };
  if (typeof columns !== 'object' || columns === null || Array.isArray(columns)) {
    throw new TypeError(`"columns" must be an object such as { age: 'number' }, got ${show(columns)}`);
  }
  const named = Object.entries(own(columns)).map(([name, given]) => [name, columnFrom(name, given, others)] as const);
  return { columns: new Map(named), others };
}

function columnFrom(name: string, given: unknown, base: ColumnSettings): ColumnSettings {
  const path = `columns.${name}`;
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given);
  const fields: Fields = own(isObject ? (given as Fields) : { type: given });
  const kind = fields.type as ColumnKind;
  if (!KINDS.includes(kind)) {
    throw new RangeError(
      `"${path}${isObject ? '.type' : ''}" must be 'number', 'category', 'text' or 'ignore', got ${show(fields.type)}`,
    );
  }
  const known = OF_KIND[kind];
  if (kind !== 'text') expectOptions(fields, known, `"${path}" of type '${kind}'`);
  const settings = { ...settingsFrom(fields, base, `${path}.`), kind };
  if (kind !== 'text') return settings;
  // The vectorizer checks its own options, now and not in fit.
  const entries = Object.entries(fields).filter(([key]) => !known.includes(key));
  const textOptions: TextVectorizerOptions = { ...textDefaults, ...Object.fromEntries(entries) };
  const vectorizer = () => new TextVectorizer(textOptions);
  vectorizer();
  return { ...settings, vectorizer };
}
