// The texts of one column of a table, each once; a cell has the number of its text.

import { isMissing, isNotANumber } from './labels.js';
import { hasDecimalComma } from './layout.js';
import { MOST_PROBLEMS } from './problems.js';

/**
 * What a text would be in a column of numbers: a word; a word for a missing value, in quotes; a number that cannot be read (too
 * large, infinite, with a decimal comma); digits that begin with a zero; digits, more than a float64 holds.
 */
export type Role = 'word' | 'mark' | 'unreadable' | 'padded' | 'long';

/** How many different texts are told apart; a Map holds four times as many. Behind that every text is a new one. */
const MOST_TEXTS = 2 ** 22;

const LONGEST_NUMBER = 100;
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** The longest text that stands for a missing value, as `+nan` does, and for no number: `-infinity`. */
const LONGEST_GAP = 4;
const LONGEST_MARK = 9;

/** Whether a text stands for a missing value. A dash or a question mark does, beside what stands for no label. */
export const isGap = (text: string): boolean =>
  text.length <= LONGEST_GAP && (text === '' || /^[?\-–—]$/.test(text) || isMissing(text));

function roleOf(text: string): Role {
  // Most words begin with no sign, point or digit: expressions need not look at them.
  const first = text.charCodeAt(0);
  if (text.length > LONGEST_MARK && (first > 57 || first < 43)) return 'word';
  if (text.length > LONGEST_NUMBER) {
    if (!/^\d+$/.test(text)) return 'word';
    return Number.isFinite(Number(text)) ? 'long' : 'unreadable';
  }
  if (isGap(text)) return 'mark';
  if (NUMBER.test(text)) {
    if (/^0\d+$/.test(text)) return 'padded';
    return /^\d+$/.test(text) && Number.isFinite(Number(text)) ? 'long' : 'unreadable';
  }
  return isNotANumber(text) || hasDecimalComma(text) ? 'unreadable' : 'word';
}

/** Where a word stands: the line, the place in it, the number of its text. */
export type WordPlace = readonly [line: number, column: number, code: number];

export class Words {
  readonly texts: string[] = [];
  readonly roles: Role[] = [];
  /** The places of the first words that would be problems in a column of numbers. */
  readonly places: WordPlace[] = [];
  readonly #codes = new Map<string, number>();

  /** The number of a text. */
  code(text: string): number {
    let code = this.#codes.get(text);
    if (code === undefined) {
      code = this.texts.length;
      if (code < MOST_TEXTS) this.#codes.set(text, code);
      this.texts.push(text);
      this.roles.push(roleOf(text));
    }
    return code;
  }

  /** Whether the place of a text is to be kept. */
  wantsPlace(code: number): boolean {
    return this.places.length < MOST_PROBLEMS && (this.roles[code] === 'word' || this.roles[code] === 'unreadable');
  }
}
