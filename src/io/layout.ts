// Detects the layout of a CSV file from its first lines: the delimiter, the header, the number of columns, the label column.

import { show } from '../errors.js';
import type { DataError } from './errors.js';
import { FieldScanner } from './fields.js';
import { isNotANumber } from './labels.js';
import { COMMA, CR, LF, NumberScanner } from './numbers.js';
import type { Settings } from './options.js';
import type { ByteWindow } from './window.js';

type Delimiter = ',' | '\t' | ';';
const DELIMITERS: readonly Delimiter[] = [',', '\t', ';'];

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

/** Usual names of label columns, the surest first; features do not have these names. */
const SURE_NAMES = ['label', 'class', 'target'];
const LABEL_NAMES = [...SURE_NAMES, 'y', 'labels', 'category', 'outcome'];

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
  see: (field: FieldScanner, row: number, column: number) => boolean,
): { whole: number; isStuck: boolean } {
  const { bytes, end } = window;
  const field = new FieldScanner(window, delimiter.charCodeAt(0));
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
      p = field.end + (bytes[field.end] === CR ? 2 : 1);
      column = isInside ? column + 1 : 0;
      if (!isInside) row++;
    }
    return { whole: row, isStuck: false };
  } catch {
    // The reader meets the same error again and reports its place.
    return { whole: row, isStuck: true };
  }
}

function sample(window: ByteWindow, delimiter: Delimiter, leastRows: number): Sample {
  const scanner = new NumberScanner();
  const rows: Kind[][] = [];
  let fields = 0;
  const { whole, isStuck } = walk(window, delimiter, (field, row, column) => {
    const isEnough = row >= leastRows && (fields >= FIELDS || row >= ROWS);
    if (isEnough || column > window.settings.maxCols) return false;
    if (column === 0) rows.push([]);
    rows[row]?.push(kindOf(field, scanner, window.bytes));
    fields++;
    return true;
  });
  return { rows, whole, isStuck };
}

/** The delimiter that makes the most fields numbers; among equals the one that makes the most fields. */
function detectDelimiter(window: ByteWindow): Delimiter {
  const scores = DELIMITERS.map((delimiter) => {
    const { rows } = sample(window, delimiter, 0);
    const numbers = rows.flat().filter((kind) => kind === 'number' || kind === 'comma').length;
    return { delimiter, numbers, fields: rows[0]?.length ?? 0 };
  });
  const several = scores.filter(({ fields }) => fields > 1);
  several.sort((a, b) => b.numbers - a.numbers || b.fields - a.fields);
  return several[0]?.delimiter ?? ',';
}

/** The texts of the first row. */
function firstTexts(window: ByteWindow, delimiter: Delimiter): string[] {
  const texts: string[] = [];
  walk(window, delimiter, (field, row) => {
    if (row === 0) texts.push(field.text());
    return row === 0;
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

/** Whether the first row has the names of the columns: words where other rows have numbers. @throws DataError if that is unclear */
function isHeader(window: ByteWindow, texts: readonly string[], kinds: readonly Kind[][]): boolean {
  const { label, ignore, header } = window.settings;
  if (header !== undefined) return header;
  if ([label, ...ignore].some((asked) => typeof asked === 'string' && texts.includes(asked))) return true;
  const [first = [], second] = kinds;
  if (!first.includes('word')) return false;
  if (!second) return !first.includes('number');
  // A single letter may be a label or the name of the label column.
  const named = texts.some(
    (text, j) => LABEL_NAMES.includes(text.toLowerCase()) && !(text.length === 1 && second[j] === 'word'),
  );
  const differs = first.some((kind, j) => kind === 'word' && (second[j] === 'number' || second[j] === 'comma'));
  if (!(named || differs)) return false;
  const numbers = texts.filter((_, j) => first[j] === 'number');
  if (numbers.length === 0 || ((named || numbers.length > 3) && areCounted(texts, first))) return true;
  // A row with other numbers is data with a misspelt number, unless its numbers are years.
  const isAbove = (j: number): boolean => first[j] === 'word' && isNumeric(kinds.slice(1), j);
  if (areYears(numbers)) return first.some((_, j) => isAbove(j));
  // Labels are seldom misspelt: a word above numeric labels is their name.
  const at = likelyLabel(window.settings, texts, kinds.slice(1));
  if (at === undefined || !isAbove(at)) return false;
  if (areNames(numbers)) return true;
  throw window.lineFault(
    `the first line has ${show(texts[at])} where others have numbers, and numbers beside it: say whether it is a header ("header")`,
  );
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

const quoted = (names: readonly string[]): string => {
  const shown = names.slice(0, 10).map((name) => JSON.stringify(name));
  return shown.join(', ') + (names.length > 10 ? ', …' : '');
};

/** Detects the layout of a CSV file; the window stays at its start. @throws DataError if the layout is unclear */
export async function detectLayout(window: ByteWindow): Promise<Layout> {
  const { settings } = window;
  let delimiter = detectDelimiter(window);
  let found = sample(window, delimiter, 2);
  while (found.whole < 2 && !found.isStuck && !window.isLast) {
    const size = window.end - window.start;
    if (size > HEAD_LIMIT) throw window.fault(`its first two lines have more than ${HEAD_LIMIT} bytes`);
    await window.fill(size);
    delimiter = detectDelimiter(window);
    found = sample(window, delimiter, 2);
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
  const texts = firstTexts(window, delimiter);
  const names = isHeader(window, texts, kinds) ? texts : undefined;
  const data = kinds.slice(names ? 1 : 0);
  const ignored = new Set(settings.ignore.map((asked) => indexOf(window, asked, '"ignore"', columns, names)));
  const isTrailing = columns > 1 && kinds.every((row) => row[columns - 1] === 'empty') && !ignored.has(columns - 1);
  if (isTrailing) {
    throw window.lineFault(
      `every line ends with ${show(delimiter)}, so that its last field is empty: take that off, or leave the column out with "ignore": [-1]`,
    );
  }
  const label = findLabel(window, columns, names, data, ignored);
  const isFeature = label?.index !== 0 && !ignored.has(0);
  const notes = names?.[0] === '' && isFeature ? noteOnFirst(window, delimiter) : [];
  return { delimiter, columns, names, label, ignored, notes };
}

/** A remark on a first column that has no name and counts the rows. */
function noteOnFirst(window: ByteWindow, delimiter: Delimiter): string[] {
  const counts: number[] = [];
  walk(window, delimiter, (field, row, column) => {
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
  const lower = names?.map((name) => name.toLowerCase()) ?? [];
  const isUnlabelled =
    cols === columns - ignored.size && !lower.some((name, j) => SURE_NAMES.includes(name) && !ignored.has(j));
  if (label === null || (label === undefined && isUnlabelled)) return undefined;
  const at = (index: number, reason: string): Found => {
    const name = names?.[index];
    return { index, ...(name !== undefined && { name }), reason };
  };
  if (label !== undefined) {
    const index = indexOf(window, label, '"label"', columns, names);
    if (ignored.has(index)) throw window.fault(`column ${show(label)} is the label, so it cannot be in "ignore"`);
    return at(index, 'it was asked for');
  }
  if (columns === 1) throw onlyColumn(window);
  if (ignored.size === columns) return undefined;
  for (const name of LABEL_NAMES) {
    const index = lower.findIndex((other, j) => other === name && !ignored.has(j));
    if (index >= 0) return at(index, `it is called ${JSON.stringify(names?.[index])}`);
  }
  const words: number[] = [];
  let last = -1;
  for (let j = 0; j < columns; j++) {
    if (ignored.has(j)) continue;
    last = j;
    if (isWordy(data, j)) words.push(j);
  }
  if (words.length > 1) throw severalWords(window, words, names);
  const [only] = words;
  return only === undefined
    ? at(last, last === columns - 1 ? 'it is the last column' : 'it is the last column that is not ignored')
    : at(only, 'it is the only column of words');
}

/** The column that an option names by name or index. @throws DataError if there is no such column */
function indexOf(
  window: ByteWindow,
  asked: string | number,
  option: '"label"' | '"ignore"',
  columns: number,
  names: readonly string[] | undefined,
): number {
  if (typeof asked === 'string') return indexOfName(window, asked, option, names);
  const index = asked < 0 ? asked + columns : asked;
  if (index >= 0 && index < columns) return index;
  const verb = option === '"label"' ? 'is' : 'has';
  throw window.fault(
    `${option} ${verb} column ${asked}, but there are ${columns}: 0 to ${columns - 1}, or -1 for the last`,
  );
}

function indexOfName(
  window: ByteWindow,
  asked: string,
  option: '"label"' | '"ignore"',
  names: readonly string[] | undefined,
): number {
  const index = names?.indexOf(asked) ?? -1;
  if (index >= 0 && names?.lastIndexOf(asked) === index) return index;
  const whose = option === '"label"' ? "the label's" : 'its';
  if (index >= 0) throw window.lineFault(`two columns are called ${JSON.stringify(asked)}: give ${whose} index`);
  throw window.lineFault(
    names
      ? `there is no column ${JSON.stringify(asked)}; there are ${quoted(names)}`
      : `there is no column ${JSON.stringify(asked)}: the first line has no names, so give ${whose} index`,
  );
}

function onlyColumn(window: ByteWindow): DataError {
  return window.lineFault(
    'expected at least two columns with commas, tabs or semicolons between them, got one (label: null if it has no label)',
  );
}

function severalWords(window: ByteWindow, words: readonly number[], names: readonly string[] | undefined): DataError {
  const which = names ? quoted(words.map((j) => names[j] as string)) : `${words.slice(0, 10).join(', ')} (from 0)`;
  return window.fault(
    `columns ${which} hold words: say which one is the label ("label"), and leave out the others ("ignore"): features are numbers`,
  );
}
