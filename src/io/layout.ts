// Detects the layout of a CSV file from its first lines: the delimiter, the header, the number of columns, the label column.

import { show } from '../errors.js';
import { has } from '../own.js';
import type { DataError } from './errors.js';
import { FieldScanner, type Leniency } from './fields.js';
import { askedLabel, guessLabel, indexOf, LABEL_NAMES, quotedNames, SURE_NAMES } from './labelcolumn.js';
import { isNotANumber } from './labels.js';
import { COMMA, CR, LF, NumberScanner } from './numbers.js';
import type { Settings } from './options.js';
import type { ByteWindow } from './window.js';

export type Delimiter = ',' | '\t' | ';';
export const DELIMITERS: readonly Delimiter[] = [',', '\t', ';'];

/** For readTable, whose columns may hold words: what it wants of the layout. The label is found later, when all rows are read. */
export interface TableHints {
  /** The delimiter that was asked for. */
  readonly delimiter: Delimiter | undefined;
  readonly leniency: Leniency;
}

export interface Layout {
  readonly delimiter: Delimiter;
  readonly columns: number;
  /** The names of all columns; undefined without a header. */
  readonly names: readonly string[] | undefined;
  /** The label column; undefined if there is none. */
  readonly label: { index: number; name?: string; reason: string } | undefined;
  /** The columns that are left out. */
  readonly ignored: ReadonlySet<number>;
  /** Remarks on what may be an error in the file. */
  readonly notes: readonly string[];
}

/** How many rows and fields the detection reads; more fields only if two rows have more. */
const ROWS = 20;
const FIELDS = 2000;

/** The most bytes of the first two lines. */
const HEAD_LIMIT = 2 ** 29;

/** The kind of a field: empty, a word for a missing value, a number, a number with a decimal comma, another word. */
type Kind = 'empty' | 'missing' | 'number' | 'comma' | 'word';

/** The longest word for no number, and the most characters of a number with a decimal comma that gets a hint. */
const INFINITY = '-infinity';
const LONGEST_NUMBER = 100;

const DECIMAL_COMMA = /^[+-]?\d+(\.\d{3})*,\d+$/;
export const hasDecimalComma = (text: string): boolean => DECIMAL_COMMA.test(text);

function kindOf(field: FieldScanner, scanner: NumberScanner, bytes: Uint8Array): Kind {
  if (field.from === field.to) return 'empty';
  if (Number.isFinite(scanner.read(bytes, field.from)) && scanner.end === field.to) return 'number';
  // There may be many long names: only short fields are decoded as text.
  const length = field.to - field.from;
  const hasComma = length < LONGEST_NUMBER && bytes.subarray(field.from, field.to).includes(COMMA);
  if (hasComma && hasDecimalComma(field.text())) return 'comma';
  return length <= INFINITY.length && isNotANumber(field.text()) ? 'missing' : 'word';
}

interface Sample {
  /** The kinds of the fields of each row; the last row may be incomplete. */
  readonly rows: Kind[][];
  /** How many rows are complete. */
  readonly whole: number;
  /** Whether more bytes would not help: a row is wrong, or has too many fields. */
  readonly isStuck: boolean;
}

/** Visits the fields of the first rows, as far as the window has them. */
function walk(
  window: ByteWindow,
  delimiter: Delimiter,
  hints: TableHints | undefined,
  see: (field: FieldScanner, row: number, column: number) => boolean,
): { whole: number; isStuck: boolean } {
  const { bytes, end } = window;
  const field = new FieldScanner(window, delimiter.charCodeAt(0), hints?.leniency);
  let [p, row, column] = [window.start, 0, 0];
  try {
    while (p < end || column > 0) {
      if (column === 0 && (bytes[p] === LF || bytes[p] === CR)) {
        p++; // a blank line
        continue;
      }
      if (!field.scan(p)) return { whole: row, isStuck: false };
      if (!see(field, row, column)) return { whole: row, isStuck: true };
      const isInside = bytes[field.end] === delimiter.charCodeAt(0) && field.end < end;
      p = field.end + (bytes[field.end] === CR && bytes[field.end + 1] === LF ? 2 : 1);
      column = isInside ? column + 1 : 0;
      if (!isInside) row++;
    }
    return { whole: row, isStuck: false };
  } catch {
    // The reader meets the same error again and reports its place.
    return { whole: row, isStuck: true };
  }
}

function sample(window: ByteWindow, delimiter: Delimiter, hints: TableHints | undefined, leastRows: number): Sample {
  const scanner = new NumberScanner();
  const rows: Kind[][] = [];
  let fields = 0;
  const { whole, isStuck } = walk(window, delimiter, hints, (field, row, column) => {
    const isEnough = row >= leastRows && (fields >= FIELDS || row >= ROWS);
    if (isEnough || column > window.settings.maxCols) return false;
    if (column === 0) rows.push([]);
    rows[row]?.push(kindOf(field, scanner, window.bytes));
    fields++;
    return true;
  });
  return { rows, whole, isStuck };
}

/**
 * The delimiter that makes the most fields numbers; among equals the one that makes the most fields. In a table of words numbers say
 * little: there it is first of all the one that gives the most rows as many fields as the first.
 */
function detectDelimiter(window: ByteWindow, hints: TableHints | undefined): Delimiter {
  if (hints?.delimiter) return hints.delimiter;
  const scores = DELIMITERS.map((delimiter) => {
    const { rows, whole } = sample(window, delimiter, hints, 0);
    const numbers = rows.flat().filter((kind) => kind === 'number' || kind === 'comma').length;
    const fields = rows[0]?.length ?? 0;
    const alike = hints
      ? rows.slice(0, whole).filter(({ length }) => length === fields).length / Math.max(1, whole)
      : 1;
    return { delimiter, numbers, fields, alike };
  });
  const several = scores.filter(({ fields }) => fields > 1);
  several.sort((a, b) => b.alike - a.alike || b.numbers - a.numbers || b.fields - a.fields);
  return several[0]?.delimiter ?? ',';
}

/** The texts of the first rows, at most `most`. */
function firstTexts(window: ByteWindow, delimiter: Delimiter, hints: TableHints | undefined, most: number): string[][] {
  const texts: string[][] = [];
  walk(window, delimiter, hints, (field, row, column) => {
    if (row >= most) return false;
    if (column === 0) texts.push([]);
    texts[row]?.push(field.text());
    return true;
  });
  return texts;
}

/** Whether the numbers of a row count its columns from any start, as the header of a table without names does. */
function areCounted(texts: readonly string[], kinds: readonly Kind[]): boolean {
  const offsets = texts.flatMap((text, j) => (kinds[j] === 'number' ? [Number(text) - j] : []));
  return offsets.length > 1 && offsets.every((offset) => offset === offsets[0]);
}

/** Whether numbers could be names: distinct integers. */
const areNames = (numbers: readonly string[]): boolean =>
  numbers.every((text) => Number.isInteger(Number(text))) && new Set(numbers.map(Number)).size === numbers.length;

const areYears = (numbers: readonly string[]): boolean =>
  areNames(numbers) && numbers.every((text) => /^(1[89]|20|21)\d\d$/.test(text));

/**
 * Whether the first row has the names of the columns: words where other rows have numbers. If that is unclear, a reader of numbers
 * refuses the file; a reader of tables takes it for names, and says so in `notes`. @throws DataError if it is unclear
 */
function isHeader(window: ByteWindow, rows: readonly string[][], kinds: readonly Kind[][], notes?: string[]): boolean {
  const { label, ignore, header } = window.settings;
  const [texts = []] = rows;
  if (header !== undefined) return header;
  if ([label, ...ignore].some((asked) => typeof asked === 'string' && texts.includes(asked))) return true;
  const [first = [], second] = kinds;
  if (!first.includes('word')) return false;
  if (!second) return !first.includes('number');
  // A single letter may be a label or the name of the label column.
  const named = texts.some(
    (text, j) => LABEL_NAMES.includes(text.toLowerCase()) && !(text.length === 1 && second[j] === 'word'),
  );
  const below = notes ? kinds.slice(1) : [second];
  const differs = first.some(
    (kind, j) => kind === 'word' && below.some((row) => row[j] === 'number' || row[j] === 'comma'),
  );
  if (!(named || differs)) return notes !== undefined && areNamesOfWords(rows, first, notes);
  const numbers = texts.filter((_, j) => first[j] === 'number');
  if (numbers.length === 0 || ((named || numbers.length > 3) && areCounted(texts, first))) return true;
  // A row with other numbers is data with a misspelt number, unless its numbers are years.
  const isAbove = (j: number): boolean => first[j] === 'word' && isNumeric(kinds.slice(1), j);
  if (areYears(numbers)) return first.some((_, j) => isAbove(j));
  // Labels are seldom misspelt: a word above numeric labels is their name.
  const at = likelyLabel(window.settings, texts, kinds.slice(1));
  if (at === undefined || !isAbove(at)) return false;
  if (areNames(numbers)) return true;
  const what = `the first line has ${show(texts[at])} where others have numbers, and numbers beside it`;
  if (!notes) throw window.lineFault(`${what}: say whether it is a header ("header")`);
  notes.push(`${what}: it is read as names; say "header": false if it is data`);
  return true;
}

/** Whether the first row of a table of words has names: distinct words that do not come again below. */
function areNamesOfWords([texts = [], ...rows]: readonly string[][], first: readonly Kind[], notes: string[]): boolean {
  const areNames =
    first.every((kind, j) => kind === 'word' || (kind === 'empty' && j === 0)) &&
    new Set(texts).size === texts.length &&
    rows.every((row) => row.every((text, j) => text !== texts[j]));
  if (areNames)
    notes.push(
      'the first line is read as names, since none of its words comes again below: say "header": false if it is data',
    );
  return areNames;
}

/** Whether a column has only numbers and gaps. */
const isNumeric = (rows: readonly Kind[][], j: number): boolean =>
  rows.some((kinds) => kinds[j] === 'number') && rows.every((kinds) => kinds[j] !== 'word');

/** Whether a column has only words and gaps. */
const isWordy = (rows: readonly Kind[][], j: number): boolean =>
  rows.some((kinds) => kinds[j] === 'word') && rows.every((kinds) => kinds[j] !== 'number' && kinds[j] !== 'comma');

/** The likely label column, before it is known whether there is a header. */
function likelyLabel(
  { label, cols, ignore }: Settings,
  texts: readonly string[],
  data: readonly Kind[][],
): number | undefined {
  const columns = texts.length;
  const fromStart = (index: number): number => (index < 0 ? index + columns : index);
  if (typeof label === 'number') return fromStart(label);
  const ignored = new Set(ignore.map((asked) => (typeof asked === 'number' ? fromStart(asked) : -1)));
  const left = Array.from(texts.keys()).filter((j) => !ignored.has(j));
  if (label !== undefined || cols === left.length) return undefined;
  const named = left.find((j) => LABEL_NAMES.includes((texts[j] as string).toLowerCase()));
  return named ?? left.find((j) => isWordy(data, j)) ?? left.at(-1);
}

/** Detects the layout of a CSV file; the window stays at its start. @throws DataError if the layout is unclear */
export async function detectLayout(window: ByteWindow, hints?: TableHints): Promise<Layout> {
  const { settings } = window;
  let delimiter = detectDelimiter(window, hints);
  let found = sample(window, delimiter, hints, 2);
  while (found.whole < 2 && !found.isStuck && !window.isLast) {
    const size = window.end - window.start;
    if (size > HEAD_LIMIT) throw window.fault(`its first two lines have more than ${HEAD_LIMIT} bytes`);
    await window.fill(size);
    delimiter = detectDelimiter(window, hints);
    found = sample(window, delimiter, hints, 2);
  }
  const { rows, whole } = found;
  const columns = rows[0]?.length ?? 0;
  if (columns > settings.maxCols) {
    throw window.fault(`its first line has more than ${settings.maxCols} columns, and "maxCols" allows no more`);
  }
  // The first row is wrong: the reader reports its place and error.
  if (whole === 0 && found.isStuck)
    return { delimiter, columns: Infinity, names: [], label: undefined, ignored: new Set(), notes: [] };
  if (columns === 0) throw window.fault('there are no rows in it: only blank lines');
  const kinds = rows.slice(0, whole);
  return hints
    ? tableLayout(window, delimiter, hints, kinds)
    : numberLayout(window, delimiter, kinds, firstTexts(window, delimiter, hints, 1));
}

/** The layout of columns of numbers and a label. */
function numberLayout(window: ByteWindow, delimiter: Delimiter, kinds: readonly Kind[][], texts: string[][]): Layout {
  const columns = (kinds[0] as Kind[]).length;
  const names = isHeader(window, texts, kinds) ? texts[0] : undefined;
  const data = kinds.slice(names ? 1 : 0);
  const ignored = ignoredColumns(window, columns, names);
  const isTrailing = columns > 1 && kinds.every((row) => row[columns - 1] === 'empty') && !ignored.has(columns - 1);
  if (isTrailing) {
    throw window.lineFault(
      `every line ends with ${show(delimiter)}, so that its last field is empty: take that off, or leave the column out with "ignore": [-1]`,
    );
  }
  const label = findLabel(window, columns, names, data, ignored);
  const isFeature = label?.index !== 0 && !ignored.has(0);
  const notes = names?.[0] === '' && isFeature ? noteOnFirst(window, delimiter, undefined) : [];
  return { delimiter, columns, names, label, ignored, notes };
}

/** The layout of columns of any kind. All columns get names, no two the same. */
function tableLayout(window: ByteWindow, delimiter: Delimiter, hints: TableHints, kinds: readonly Kind[][]): Layout {
  const columns = (kinds[0] as Kind[]).length;
  const texts = firstTexts(window, delimiter, hints, kinds.length);
  const notes: string[] = [];
  const hasNames = isHeader(window, texts, kinds, notes);
  const names = hasNames ? uniqueNames(texts[0] as string[]) : undefined;
  const ignored = ignoredColumns(window, columns, names);
  if (hasNames && texts[0]?.[0] === '' && !ignored.has(0)) notes.push(...noteOnFirst(window, delimiter, hints));
  return { delimiter, columns, names, label: undefined, ignored, notes };
}

const ignoredColumns = (window: ByteWindow, columns: number, names: readonly string[] | undefined): Set<number> =>
  new Set(window.settings.ignore.map((asked) => indexOf(window, asked, '"ignore"', columns, names)));

/** Names of columns that are all different: the second "a" becomes "a.2", and what has no name is called x1, x2, … by its place. */
export function uniqueNames(texts: readonly string[]): string[] {
  const taken = new Set(texts);
  const seen = new Set<string>();
  /** The latest number that was given to a name, so that many equal names take one step each. */
  const latest = new Map<string, number>();
  return texts.map((text, j) => {
    const wanted = text === '' ? `x${j + 1}` : text;
    let name = wanted;
    for (let k = latest.get(wanted) ?? 1; seen.has(name) || (name !== text && taken.has(name)); ) {
      name = `${wanted}.${++k}`;
      latest.set(wanted, k);
    }
    seen.add(name);
    return name;
  });
}

/** A remark on a first column that has no name and counts the rows. */
function noteOnFirst(window: ByteWindow, delimiter: Delimiter, hints: TableHints | undefined): string[] {
  const counts: number[] = [];
  walk(window, delimiter, hints, (field, row, column) => {
    if (row > 0 && column === 0) counts.push(field.from === field.to ? NaN : Number(field.text()));
    return row < ROWS;
  });
  const [start = NaN] = counts;
  if (counts.length < 2 || counts.some((count, k) => count !== start + k)) return [];
  const guess = start === 0 ? "pandas' index" : "R's row names";
  return [`column 0 has no name and counts the rows: is it ${guess}? leave it out with "ignore"`];
}

type Found = Layout['label'];

function findLabel(
  window: ByteWindow,
  columns: number,
  names: readonly string[] | undefined,
  data: readonly Kind[][],
  ignored: ReadonlySet<number>,
): Found {
  const { label, cols } = window.settings;
  const isUnlabelled =
    cols === columns - ignored.size &&
    !names?.some((name, j) => SURE_NAMES.includes(name.toLowerCase()) && !ignored.has(j));
  if (label === null || (label === undefined && isUnlabelled)) return undefined;
  const at = (index: number, reason: string): Found => {
    const name = names?.[index];
    return { index, ...(name !== undefined && { name }), reason };
  };
  if (label !== undefined) return at(askedLabel(window, label, columns, names, ignored), 'it was asked for');
  if (columns === 1) throw onlyColumn(window);
  if (ignored.size === columns) return undefined;
  const guess = guessLabel(columns, names, ignored, (j) => isWordy(data, j));
  if (has(guess, 'words')) throw severalWords(window, guess.words, names);
  return at(guess.index, guess.reason);
}

function onlyColumn(window: ByteWindow): DataError {
  return window.lineFault(
    'expected at least two columns with commas, tabs or semicolons between them, got one (label: null if it has no label)',
  );
}

function severalWords(window: ByteWindow, words: readonly number[], names: readonly string[] | undefined): DataError {
  const which = names ? quotedNames(words.map((j) => names[j] as string)) : `${words.slice(0, 10).join(', ')} (from 0)`;
  return window.fault(
    `columns ${which} hold words: say which one is the label ("label"), and leave out the others ("ignore"): features are numbers (or read words with readTable, see perceptron-wasm/prepare)`,
  );
}
