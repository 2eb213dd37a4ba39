// TextEncoding: a text as a sparse row, by settings and what a TextVectorizer has learned. It applies and does not fit, so that
// `perceptron-wasm/predict` has it too.

import type { RowBuffer } from '../data/entries.js';
import { countFrom, fail, listOf, numbersFrom, openModel, positive, stringFrom } from '../model/json.js';
import { ascendingFrom } from '../model/rows-json.js';
import { type Counts, Grams } from './grams.js';
import { ln } from './log.js';
import { murmur } from './murmur.js';
import { atPath } from './paths.js';
import { settingsFrom, type TextSettings } from './settings.js';
import { WordTable } from './words.js';

/** What a TextVectorizer learns. */
export interface LearnedText {
  /** How many texts it was fitted on. */
  readonly documents: number;
  /** The words, by column. */
  readonly vocabulary?: WordTable | undefined;
  /** The inverse document frequencies: of each word, or of the hashed columns that are listed. */
  readonly idf?: Float64Array | undefined;
  /** With hashing: columns of texts that it was fitted on, ascending. */
  readonly columns?: Uint32Array | undefined;
}

/** ln((1 + n) / (1 + df)) + 1: the inverse document frequency of what is in df of n texts, as in scikit-learn ("smooth"). */
export const idfOf = (documents: number, df: number): number => ln((1 + documents) / (1 + df)) + 1;

/** The column of a hash. |−2³¹| is 2³¹, as a double. */
const columnOf = (hash: number, features: number): number => ((hash < 0 ? -hash : hash) >>> 0) % features;

/** The hashed column of the word in bytes from … to − 1. */
export const columnOfRange = (bytes: Uint8Array, from: number, to: number, features: number): number =>
  columnOf(murmur(bytes, from, to), features);

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
}

/** What a TextVectorizer saved. @throws TypeError or RangeError naming the field that is wrong, with `path` before it */
export const textFrom = (json: unknown, path = '', options: { allowPatterns?: boolean } = {}): TextEncoding =>
  atPath(path, () => {
    const fields = openModel(json, ['text-vectorizer']);
    const settings = settingsFrom(fields, options.allowPatterns === true);
    const isHashing = settings.method === 'hashing';
    const isWeighted = settings.weighting === 'tf-idf';
    if (isHashing && !isWeighted) return new TextEncoding(settings);
    const documents = countFrom(fields.documents, 'documents');
    const vocabulary = isHashing ? undefined : vocabularyFrom(fields.vocabulary);
    const columns = isHashing ? ascendingFrom(fields.columns, 'columns', settings.features) : undefined;
    const length = (vocabulary ?? columns)?.length;
    const idf = isWeighted ? numbersFrom(fields.idf, 'idf', length, positive) : undefined;
    return new TextEncoding(settings, { documents, vocabulary, columns, idf });
  });

function vocabularyFrom(json: unknown): WordTable {
  const list = listOf(json, 'vocabulary', stringFrom);
  const table = WordTable.of(list);
  if (table.length === 0 || table.length < list.length)
    fail('vocabulary', 'one or more different words', json, 'object');
  return table;
}
