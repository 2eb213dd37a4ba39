// What kind of column the values of a column make, guessed: numbers, categories, text, or an ID that says nothing about others.

import { isMissing } from '../encode/values.js';
import { show } from '../errors.js';
import { type Table, tableOf } from './tables.js';

/** What an encoder does with a column. */
export type ColumnKind = 'number' | 'category' | 'text' | 'ignore';

/** What was found about a column. */
export interface InferredColumn {
  name: string;
  kind: ColumnKind;
  /** Why it is of this kind, in words. */
  reason: string;
  /** Values that are missing. */
  missing: number;
  /** Different values; at most 100,001 are counted. Those of number columns are not: undefined. */
  distinct?: number;
}

/** Different values that are counted, and that a category column may have unless `maxValues` says otherwise. */
export const MOST_VALUES = 100_000;

/** Words of a value, on average, from which a column is text. */
const WORDS_OF_TEXT = 3;

/** Rows from which a column of different values is an ID. */
const ROWS_OF_ID = 20;

/** The kind of one column, from its values one after the other. */
export class Evidence {
  missing = 0;
  #numbers = 0;
  #strings = 0;
  #objects = 0;
  #words = 0;
  /** Different strings, until there are too many. */
  readonly #seen = new Set<string>();
  #repeats = 0;

  add(value: unknown): void {
    if (isMissing(value)) {
      this.missing++;
    } else if (typeof value === 'string') {
      this.#note(value);
    } else if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') {
      this.#numbers++;
    } else {
      this.#objects++;
    }
  }

  #note(text: string): void {
    this.#words += wordsIn(text);
    this.#strings++;
    if (this.#seen.size > MOST_VALUES) return;
    const { size } = this.#seen;
    if (this.#seen.add(text).size === size) this.#repeats++;
  }

  /** The verdict. Numbers among strings count as words of their own. */
  about(name: string): InferredColumn {
    const { missing } = this;
    const [numbers, strings] = [this.#numbers, this.#strings];
    const distinct = this.#seen.size;
    const told = (kind: ColumnKind, reason: string) => ({ name, kind, reason, missing, distinct });
    if (this.#objects > 0) return { name, kind: 'ignore', reason: 'it has objects among its values', missing };
    if (numbers + strings === 0) return { name, kind: 'ignore', reason: 'every value is missing', missing };
    if (strings === 0) return { name, kind: 'number', reason: 'every value is a number', missing };
    const words = (this.#words + numbers) / (numbers + strings);
    if (words >= WORDS_OF_TEXT) return told('text', `${words.toFixed(1)} words a value`);
    if (strings >= ROWS_OF_ID && this.#repeats === 0 && numbers === 0) {
      return told('ignore', 'every value is different, as in an ID');
    }
    const many = distinct > MOST_VALUES ? `more than ${MOST_VALUES}` : distinct;
    return told('category', numbers ? `numbers and ${many} different strings` : `${many} different values`);
  }
}

/** Words that white space separates. */
function wordsIn(text: string): number {
  let words = 0;
  for (let i = 0, inWord = false; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    const isSpace = unit === 32 || (unit >= 9 && unit <= 13) || unit === 0xa0;
    if (!isSpace && !inWord) words++;
    inWord = !isSpace;
  }
  return words;
}

/**
 * Guesses the kind of each column: numbers, booleans and bigints are 'number'; strings of three words or more on average 'text';
 * strings that all are different, in twenty rows or more, 'ignore'; other strings 'category'.
 * @throws TypeError or RangeError if `table` is no table
 *
 * @example
 * const found = inferColumns([{ age: 41, sex: 'F' }, { age: null, sex: 'M' }]);
 * console.log(found.map(({ name, kind }) => `${name}: ${kind}`)); // → [ 'age: number', 'sex: category' ]
 */
export function inferColumns(table: Table): InferredColumn[] {
  const view = tableOf(table);
  view.scan?.(0, view.rows);
  return view.columns.map((name, k) => {
    const evidence = new Evidence();
    for (let i = 0; i < view.rows; i++) evidence.add(view.value(i, k));
    return evidence.about(name);
  });
}

/** What to do about a category column of too many values. */
export const tooManyValues = (name: string, most: number, row: number): RangeError =>
  new RangeError(
    `column ${show(name)} has more than ${most} different values, by row ${row}: 'ignore' it if it is an ID, make it 'text', ` +
      `or allow more with { type: 'category', maxValues: ${10 * most} }`,
  );
