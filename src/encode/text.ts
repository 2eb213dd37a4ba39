// TextEncoding: a text as a sparse row, by settings and what a TextVectorizer has learned. It applies and does not fit, so that
// `perceptron-wasm/predict` has it too.

import type { RowBuffer } from '../data/entries.js';
import { countFrom, exactNumber, fail, listOf, numbersFrom, openModel } from '../model/json.js';
import { type Counts, Grams } from './grams.js';
import { ln } from './log.js';
import { murmur } from './murmur.js';
import { settingsFrom, settingsJSON, type TextSettings } from './settings.js';
import { textOf, utf8Of } from './utf8.js';
import { WordTable } from './words.js';

/** What a TextVectorizer learns. */
export interface LearnedText {
  /** How many texts it was fitted on. */
  readonly documents: number;
  /** The words, by column. */
  readonly vocabulary?: WordTable;
  /** The inverse document frequencies: of each word, or of the hashed columns that are listed. */
  readonly idf?: Float64Array;
  /** With hashing: columns of texts that it was fitted on, ascending. */
  readonly columns?: Uint32Array;
}

/** ln((1 + n) / (1 + df)) + 1: the inverse document frequency of what is in df of n texts, as in scikit-learn ("smooth"). */
export const idfOf = (documents: number, df: number): number => ln((1 + documents) / (1 + df)) + 1;

/** The column of a hash. |−2³¹| is 2³¹, as a double. */
const columnOf = (hash: number, features: number): number => ((hash < 0 ? -hash : hash) >>> 0) % features;

/** The hashed column of the word in bytes from … to − 1. */
export const columnOfRange = (bytes: Uint8Array, from: number, to: number, features: number): number =>
  columnOf(murmur(bytes, from, to), features);

/** What separates words that share a column. */
const OR = ' | ';

/** Texts as rows. Not re-entrant. */
export class TextEncoding {
  readonly settings: TextSettings;
  readonly learned: LearnedText | undefined;
  /** How many columns a row has. */
  readonly cols: number;
  readonly #grams: Grams;
  /** The inverse document frequency of a column. */
  readonly #idf: ((column: number) => number) | undefined;

  /** `learned` may be undefined for hashing with counts. */
  constructor(settings: TextSettings, learned?: LearnedText) {
    this.settings = settings;
    this.learned = learned;
    const { features, signed } = settings;
    const words = learned?.vocabulary;
    this.cols = words ? words.length : features;
    this.#grams = new Grams(
      settings,
      words
        ? (bytes, from, to) => 2 * words.find(bytes, from, to)
        : (bytes, from, to) => {
            const hash = murmur(bytes, from, to);
            return 2 * columnOf(hash, features) + (signed && hash < 0 ? 1 : 0);
          },
    );
    const idf = learned?.idf;
    if (!idf) return;
    if (words) {
      this.#idf = (column) => idf[column] as number;
    } else {
      const unseen = idfOf(learned.documents, 0);
      const byColumn = new Map(Array.from(learned.columns as Uint32Array, (column, k) => [column, idf[k] as number]));
      this.#idf = (column) => byColumn.get(column) ?? unseen;
    }
  }

  /** Appends the features of one text to `row`, columns ascending, each plus `offset`. */
  encode(text: string, row: RowBuffer, offset = 0): void {
    this.#grams.read(text);
    this.weigh(this.#grams, row, offset);
  }

  /** The same of a text whose words have been counted. */
  weigh({ columns, counts, length }: Counts, row: RowBuffer, offset = 0): void {
    const { binary, sublinear, norm } = this.settings;
    const idf = this.#idf;
    const first = row.length;
    let sum = 0;
    for (let k = 0; k < length; k++) {
      const column = columns[k] as number;
      let value = binary ? 1 : (counts[k] as number);
      if (sublinear && value !== 0) value = value > 0 ? ln(value) + 1 : -1 - ln(-value);
      if (idf) value *= idf(column);
      sum += norm === 'l2' ? value * value : Math.abs(value);
      row.add(column + offset, value);
    }
    if (norm === 'none' || sum === 0) return;
    if (norm === 'l2') sum = Math.sqrt(sum);
    const { values } = row;
    for (let k = first; k < row.length; k++) values[k] = (values[k] as number) / sum;
  }

  /** The words of this text by column; with hashing, all of them that share it. */
  namesIn(text: string): (column: number) => string | undefined {
    const words = this.learned?.vocabulary;
    if (words) return (column) => (column < words.length ? words.word(column) : undefined);
    const names = new Map<number, Set<string>>();
    const { features } = this.settings;
    new Grams(this.settings, (bytes, from, to) => {
      const column = columnOfRange(bytes, from, to, features);
      const before = names.get(column) ?? new Set();
      names.set(column, before.add(textOf(bytes.subarray(from, to))));
      return -1;
    }).read(text);
    return (column) => (names.has(column) ? [...(names.get(column) as Set<string>)].join(OR) : undefined);
  }
}

/** A number that changes with the settings: a file whose settings were edited would count other words than it was trained on. */
export function digestOf(settings: object): number {
  const bytes = utf8Of(JSON.stringify(settings));
  return murmur(bytes, 0, bytes.length) >>> 0;
}

/** What a TextVectorizer saved. @throws TypeError or RangeError naming the field that is wrong, with `path` before it */
export function textFrom(json: unknown, path = '', options: { allowPatterns?: boolean } = {}): TextEncoding {
  try {
    return read(json, options.allowPatterns === true);
  } catch (error) {
    if (error instanceof Error && (path || !error.message.startsWith('model JSON'))) {
      const isField = error.message.startsWith('model JSON: ');
      error.message = `model JSON: ${path}${isField ? '.' : path && ': '}${error.message.replace(/^model JSON: /, '')}`;
    }
    throw error;
  }
}

function read(json: unknown, allowPatterns: boolean): TextEncoding {
  const fields = openModel(json, ['text-vectorizer']);
  const settings = settingsFrom(fields.options, allowPatterns);
  if (fields.digest !== digestOf(settingsJSON(settings))) {
    throw new RangeError(
      'model JSON: options are not those that this file was saved with: its digest differs; train again with the options that you want',
    );
  }
  const { method, weighting, features } = settings;
  const isHashing = method === 'hashing';
  if (isHashing && weighting === 'count') return new TextEncoding(settings);
  const documents = countFrom(fields.documents, 'documents');
  const vocabulary = isHashing ? undefined : vocabularyFrom(fields.vocabulary);
  const columns = isHashing ? columnsFrom(fields.columns, features) : undefined;
  const idf =
    weighting === 'tf-idf'
      ? numbersFrom(fields.idf, 'idf', vocabulary?.length ?? columns?.length, positive)
      : undefined;
  return new TextEncoding(settings, {
    documents,
    ...(vocabulary && { vocabulary }),
    ...(columns && { columns }),
    ...(idf && { idf }),
  });
}

function positive(value: unknown, path: string): number {
  const found = exactNumber(value, path);
  if (!(found > 0)) fail(path, 'a number > 0', value, 'number');
  return found;
}

function vocabularyFrom(json: unknown): WordTable {
  const list = listOf(json, 'vocabulary', (word, at) => (typeof word === 'string' ? word : fail(at, 'a string', word)));
  if (list.length === 0) fail('vocabulary', 'an array of words', json, 'object');
  const table = WordTable.of(list);
  if (table.length < list.length) {
    throw new RangeError(`model JSON: vocabulary has ${list.length} words, but only ${table.length} different ones`);
  }
  return table;
}

function columnsFrom(json: unknown, features: number): Uint32Array {
  let before = -1;
  const item = (value: unknown, path: string): number => {
    const column = countFrom(value, path);
    if (column <= before || column >= features) {
      fail(path, `an integer from ${before + 1} to ${features - 1}, ascending`, value, 'number');
    }
    before = column;
    return column;
  };
  return Uint32Array.from(numbersFrom(json, 'columns', undefined, item));
}
