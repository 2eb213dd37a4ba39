// One column of a table that was read: what it holds, and its values.

import { quoted } from '../escape.js';
import { isDigitsOnly, MISSING, textOf, WORD } from './cells.js';
import { hasDecimalComma } from './layout.js';
import type { TableBuilder } from './tablebuilder.js';
import type { ColumnKind, ColumnSchema, GivenKind, Problem } from './tabletypes.js';
import { type Role, Words } from './words.js';

/** The share of a column's values that must be numbers. */
const NUMBER_SHARE = 0.95;
/** Words a value from which on a column is text, and rows from which on different values are IDs. */
const TEXT_WORDS = 3;
const ID_ROWS = 20;
/** How many different numbers are told apart. */
const MOST_DISTINCT = 1000;
const EXAMPLES = 3;

export interface FinishedColumn {
  readonly schema: ColumnSchema;
  readonly values: Float64Array | (string | null)[];
  /** What is wrong in it: the first of so many. */
  readonly problems: readonly Problem[];
  readonly problemCount: number;
}

/** Different numbers, up to a limit: a hash table of doubles takes a fifth of the time of a Set of them. */
class Distinct {
  size = 0;
  /** The first of them. */
  readonly examples: number[] = [];
  /** NaN: free. At most half of them are used. */
  readonly #slots: Float64Array;
  readonly #float = new Float64Array(1);
  readonly #bits = new Int32Array(this.#float.buffer);

  /** `most` numbers will come at most. */
  constructor(most: number) {
    this.#slots = new Float64Array(2 ** Math.ceil(Math.log2(2 * Math.min(most, MOST_DISTINCT)))).fill(NaN);
  }

  add(number: number): void {
    if (this.size === MOST_DISTINCT) return;
    const value = number + 0; // −0 is 0
    const slots = this.#slots;
    const last = slots.length - 1;
    this.#float[0] = value;
    const mixed = (this.#bits[0] as number) ^ Math.imul(this.#bits[1] as number, 0x85ebca6b);
    let slot = (Math.imul(mixed, 0xc2b2ae35) >>> 16) & last;
    for (; slots[slot] !== value; slot = (slot + 1) & last) {
      if (!Number.isNaN(slots[slot])) continue;
      slots[slot] = value;
      if (this.size++ < EXAMPLES) this.examples.push(value);
      return;
    }
  }
}

/** Calls `see` for each cell of a column. */
function visit(builder: TableBuilder, column: number, see: (value: number, mark: number, row: number) => void): void {
  let row = 0;
  for (const { rows, width, values, marks } of builder.blocks) {
    if (column >= width)
      row += rows; // a column of later rows
    else for (let at = column; at < values.length; at += width) see(values[at] as number, marks[at] as number, row++);
  }
}

export type Counts = Record<Role | 'number' | 'missing', number>;

/** How many cells of each column hold what; in the order of the cells in memory. */
export function countCells(builder: TableBuilder, rows: number): Counts[] {
  const columns = builder.names.length;
  const [numbers, present] = [new Int32Array(columns), new Int32Array(columns)];
  const counts = builder.names.map((): Counts => {
    return { number: 0, missing: 0, word: 0, mark: 0, unreadable: 0, padded: 0, long: 0 };
  });
  const roles = builder.names.map((_, j) => builder.wordsOf(j)?.roles ?? []);
  for (const { width, values, marks } of builder.blocks) {
    for (let at = 0; at < marks.length; ) {
      for (let j = 0; j < width; j++, at++) {
        const mark = marks[at] as number;
        if (mark === MISSING) continue;
        (present[j] as number)++;
        if (mark !== WORD) (numbers[j] as number)++;
        else (counts[j] as Counts)[roles[j]?.[values[at] as number] as Role]++;
      }
    }
  }
  counts.forEach((each, j) => {
    each.number = numbers[j] as number;
    each.missing = rows - (present[j] as number);
  });
  return counts;
}

/** Whether digits are codes, not amounts: all values are digits only, and one begins with a zero or most are too long for a float64. */
function areCodes(builder: TableBuilder, column: number, { number, padded, long }: Counts): boolean {
  if (padded === 0 && long < Math.max(1, number)) return false;
  let areDigits = true;
  visit(builder, column, (value, mark) => {
    if (mark !== MISSING && mark !== WORD) areDigits &&= isDigitsOnly(value, mark);
  });
  return areDigits;
}

const percent = (share: number): string => `${Math.floor(1000 * share) / 10} %`;

/** The values of a column, and what it holds: as asked, or as guessed over all rows. */
export function finishColumn(
  builder: TableBuilder,
  column: number,
  rows: number,
  counts: Counts,
  asked: GivenKind | undefined,
): FinishedColumn {
  const values = rows - counts.missing;
  if (asked === 'number') return numberColumn(builder, column, rows, counts, 'it was asked for');
  const name = builder.names[column] as string;
  if (values === 0 && asked === undefined) {
    const schema: ColumnSchema = {
      name,
      kind: 'empty',
      missing: rows,
      distinct: 0,
      reason: 'it has no values',
      examples: [],
    };
    return { schema, values: new Float64Array(rows).fill(NaN), problems: [], problemCount: 0 };
  }
  const numeric = counts.number + counts.padded + counts.long + counts.unreadable;
  const told = values - counts.mark;
  if (asked === undefined && numeric > 0 && numeric >= NUMBER_SHARE * told) {
    if (!areCodes(builder, column, counts)) {
      const share = (numeric - counts.unreadable) / told;
      const reason = share === 1 ? 'all its values are numbers' : `${percent(share)} of its values are numbers`;
      return numberColumn(builder, column, rows, counts, reason);
    }
    const why = counts.padded > 0 ? 'some begin with a zero' : 'they have more digits than a float64 holds';
    return wordColumn(builder, column, rows, undefined, `its values are codes of digits: ${why}`);
  }
  return wordColumn(builder, column, rows, asked, '');
}

function numberColumn(
  builder: TableBuilder,
  column: number,
  rows: number,
  counts: Counts,
  reason: string,
): FinishedColumn {
  const name = builder.names[column] as string;
  const words = builder.wordsOf(column);
  const values = new Float64Array(rows).fill(NaN);
  const different = new Distinct(rows);
  let [row, missing] = [0, rows];
  for (const block of builder.blocks) {
    const { width, marks, values: cells } = block;
    if (column >= width) row += block.rows;
    else {
      for (let at = column; at < cells.length; at += width, row++) {
        const mark = marks[at] as number;
        if (mark === MISSING) continue;
        let value = cells[at] as number;
        if (mark === WORD) {
          const role = words?.roles[value];
          if (role !== 'padded' && role !== 'long') continue;
          value = Number(words?.texts[value]);
        }
        values[row] = value;
        missing--;
        different.add(value);
      }
    }
  }
  const first = values[0] as number;
  const isCount = values.every((value, k) => value === first + k);
  const isIndex =
    reason !== 'it was asked for' && missing === 0 && isCount && rows >= ID_ROWS && (first === 0 || first === 1);
  const schema: ColumnSchema = {
    name,
    kind: isIndex ? 'id' : 'number',
    missing,
    distinct: isIndex ? rows : different.size,
    reason: isIndex ? `it counts the rows from ${first}` : reason,
    examples: different.examples,
  };
  const problems = (words?.places ?? []).map(([line, place, code]) => ({
    line,
    column: place,
    what: whatIsWrong(name, words?.texts[code] as string, words?.roles[code] as Role),
  }));
  return { schema, values, problems, problemCount: counts.word + counts.unreadable };
}

/** What is wrong with a text in a column of numbers. */
function whatIsWrong(name: string, text: string, role: Role): string {
  const shown = quoted(text.length > 40 ? `${text.slice(0, 37)}...` : text);
  const where = `in ${quoted(name)}`;
  const read = 'it is read as missing';
  if (role !== 'unreadable') return `expected a number ${where}, got ${shown}: ${read}`;
  return hasDecimalComma(text)
    ? `expected a number ${where}, got ${shown}: write decimals with a point, and no separators of thousands; ${read}`
    : `expected a number that a float64 can hold ${where}, got ${shown}: ${read}`;
}

const LETTER = /\p{L}/u;

/** How many words a text has: parts between white space that have a letter. */
function wordsIn(text: string): number {
  let found = 0;
  let hasLetter = false;
  for (let k = 0; k < text.length; k++) {
    const c = text.charCodeAt(k);
    if (c > 127) return text.split(/\s+/).filter((part) => LETTER.test(part)).length;
    const isLetter = (c | 32) > 96 && (c | 32) < 123;
    if (isLetter && !hasLetter) found++;
    hasLetter = (hasLetter || isLetter) && c !== 32 && (c < 9 || c > 13);
  }
  return found;
}

function wordColumn(
  builder: TableBuilder,
  column: number,
  rows: number,
  asked: GivenKind | undefined,
  reason: string,
): FinishedColumn {
  const name = builder.names[column] as string;
  const words = builder.wordsOf(column) ?? new Words();
  /** How many words each text has; undefined: no cell has it so far. */
  const lengths: (number | undefined)[] = [];
  const examples: string[] = [];
  const values = new Array<string | null>(rows).fill(null);
  let [missing, distinct, wordCount] = [rows, 0, 0];
  visit(builder, column, (cell, mark, row) => {
    if (mark === MISSING) return;
    const code = mark === WORD ? cell : words.code(textOf(cell, mark));
    const text = words.texts[code] as string;
    let length = lengths[code];
    if (length === undefined) {
      length = wordsIn(text);
      lengths[code] = length;
      if (distinct++ < EXAMPLES) examples.push(text);
    }
    values[row] = text;
    missing--;
    wordCount += length;
  });
  const present = rows - missing;
  const mean = wordCount / present;
  const schema = (kind: ColumnKind, why: string): FinishedColumn => ({
    schema: { name, kind, missing, distinct, reason: why, examples },
    values,
    problems: [],
    problemCount: 0,
  });
  if (asked) return schema(asked, 'it was asked for');
  if (mean >= TEXT_WORDS) return schema('text', `its values have ${mean.toFixed(1)} words on average`);
  if (distinct === present && present >= ID_ROWS)
    return schema('id', reason || `its ${present} values are all different`);
  const what = distinct === 1 ? 'one word' : `${distinct} different words`;
  return schema('category', reason || `it has ${what} in ${present} rows`);
}
