// Reads DATA as a table: CSV, TSV, JSON or Parquet with words, categories and gaps. Each column becomes a feature of its kind:
// the one that the reader found, or the one that --text and --category say.

import type { Label } from '../index.js';
import { labelsOf, readTable, type TableData, type TableOptions } from '../io/index.js';
import type { ColumnKind, MissingRule } from '../prepare/index.js';
import { columnsLine, type ToldColumn } from './columnsline.js';
import type { Context } from './context.js';
import { type DataOptions, labelLine, separatedBy } from './data.js';
import { CommandError, inOurWords } from './errors.js';
import { firstFields, nearest, withHint } from './header.js';
import { count, counted, note, warn } from './output.js';
import { layoutOptions } from './probing.js';
import { progress, readingOn } from './progress.js';
import type { Input } from './source.js';
import { type Column, type TableRows, takeTable } from './tablerows.js';

export interface TableChoices extends DataOptions {
  readonly text?: readonly (string | number)[] | undefined;
  readonly category?: readonly (string | number)[] | undefined;
  readonly missing?: MissingRule | undefined;
  /** Kinds of columns that a model has. */
  readonly given?: Readonly<Record<string, GivenKind>> | undefined;
}

/** A file that was read as a table. */
export interface TableFile extends TableData {
  readonly name: string;
  readonly readMs: number;
  /** Whether it is CSV without names: its columns are x1, x2, … by their place. */
  readonly isNameless: boolean;
}

/** A table to learn from or to predict: its label column apart. */
export interface RawTable
  extends Pick<TableFile, 'name' | 'readMs' | 'format' | 'delimiter' | 'label' | 'notes' | 'isNameless'> {
  /** The columns that may be features: all but the label and those of --ignore. */
  readonly table: TableRows;
  /** What each of them is, and why. */
  readonly columns: readonly ToldColumn[];
  /** The same for TableEncoder. */
  readonly kinds: Readonly<Record<string, ColumnKind>>;
  readonly missing: MissingRule;
  /** Empty if there is no label column. */
  readonly y: Label[];
  /** The rows that `y` is of, if others have no label. */
  readonly labelled?: Uint32Array | undefined;
}

/** What the command line fills gaps with, unless it is told otherwise. */
const MISSING_RULE: MissingRule = 'median';

/** Reads a file as a table; what is wrong in it is in `problems`. @throws DataError, CommandError */
export async function readTableFile(input: Input, choices: TableChoices, context: Context): Promise<TableFile> {
  const { source, name, signal } = input;
  const { label, format, 'max-cols': maxCols } = choices;
  const started = performance.now();
  const bar = progress(context.voice, 'reading');
  const options: TableOptions = {
    name,
    signal,
    ...layoutOptions(choices),
    ...(label !== undefined && { label }),
    ...(format !== undefined && { format: format as TableOptions['format'] & string }),
    ...(maxCols !== undefined && { maxCols }),
    kinds: kindsOf(choices),
    onProgress: readingOn(bar),
  };
  try {
    const file = await readTable(source, options);
    return Object.assign(file, {
      name,
      readMs: performance.now() - started,
      isNameless: isNameless(file, input, choices),
    });
  } catch (error) {
    throw withHint(error, input.head);
  } finally {
    bar.end();
  }
}

const PLACE_NAME = /^x\d+$/;

/** Whether the columns were called by their place, since the first line has no names. */
function isNameless({ format, names }: TableData, { head }: Input, { header }: TableChoices): boolean {
  if (format !== 'csv' || header !== undefined) return format === 'csv' && header === 'no';
  const fields = firstFields(head);
  return fields.some(Boolean) && names.every((name) => PLACE_NAME.test(name) && !fields.includes(name));
}

type GivenKind = 'number' | 'category' | 'text';

/** The kinds that the options say, for the reader: by name. Labels are read as they are written. */
export function kindsOf({ text = [], category = [], label, given = {} }: TableChoices): Record<string, GivenKind> {
  const named = (columns: readonly unknown[], kind: GivenKind) =>
    columns.flatMap((column) => (typeof column === 'string' ? [[column, kind] as const] : []));
  return {
    ...given,
    ...Object.fromEntries([...named([label], 'category'), ...named(category, 'category'), ...named(text, 'text')]),
  };
}

/** The name of a column that an option names by name or number. @throws CommandError if there is no such column */
function columnCalled(
  { names, name: file }: Pick<TableFile, 'names' | 'name'>,
  asked: string | number,
  option: string,
): string {
  const name = typeof asked === 'string' ? asked : names.at(asked);
  if (name !== undefined && names.includes(name)) return name;
  const near = typeof asked === 'string' ? nearest(asked, names) : undefined;
  const hint = near === undefined ? `there are ${listed(names)}` : `do you mean ${JSON.stringify(near)}?`;
  throw new CommandError(`${file} has no column ${JSON.stringify(asked)} (${option}): ${hint}`);
}

const MOST_NAMES = 10;

const listed = (names: readonly string[]): string =>
  names
    .slice(0, MOST_NAMES)
    .map((name) => JSON.stringify(name))
    .join(', ') + (names.length > MOST_NAMES ? ', …' : '');

/** What TableEncoder does with a column of the file. */
function kindFor({ kind }: TableFile['schema'][number]): ColumnKind {
  return kind === 'id' || kind === 'empty' ? 'ignore' : kind;
}

/** Reads a table to learn from. @throws DataError, CommandError naming the first problem of the file and how many there are */
export async function loadTable(input: Input, choices: TableChoices, context: Context): Promise<RawTable> {
  const file = await readTableFile(input, choices, context);
  if (!fillsGaps(choices)) expectNoProblems(file, 'correct the file, or take it as it is read with --missing median');
  else warnOfProblems(file);
  return fillsGaps(choices) ? labelledOnly(tableFrom(file, choices)) : expectLabelled(tableFrom(file, choices));
}

/** Whether --missing says to go on with what is missing or wrong in a file. */
export const fillsGaps = ({ missing = 'refuse' }: Pick<TableChoices, 'missing'>): boolean => missing !== 'refuse';

/** Warns once of what is wrong in a file: how often, and the first place. */
export function warnOfProblems({ problems: [first], problemCount, name }: TableFile): void {
  if (!first) return;
  const which = problemCount === 1 ? '' : 'the first is ';
  const { line, column, what } = first;
  warn(`${name}: ${counted(problemCount, 'problem')}: ${which}${name}:${line}:${column}: ${inOurWords(what)}`);
}

/** The rows of a table that have a label; says how many others there are. */
export function labelledOnly(raw: RawTable): RawTable {
  const { table, labelled, y, name } = raw;
  if (!labelled || y.length === 0) return raw;
  warn(`${name}: ${counted(table.rows - y.length, 'row')} without a label left out`);
  return { ...raw, table: takeTable(table, labelled), labelled: undefined };
}

/** @throws CommandError if a row has no label */
export function expectLabelled(raw: RawTable): RawTable {
  const { table, labelled, name } = raw;
  if (!labelled) return raw;
  const gaps = table.rows - labelled.length;
  const at = labelled.findIndex((row, k) => row !== k);
  const first = count((at < 0 ? labelled.length : at) + 1);
  const rows =
    gaps === 1 ? `row ${first} has no label` : `${count(gaps)} rows have no label, the first is row ${first}`;
  throw new CommandError(`${name}: ${rows}: fill it in, or leave such rows out with --missing median`);
}

/** The first problem of a file, and how many others there are. */
function problemLine({ problems, problemCount, name }: TableFile): string {
  const [{ line, column, what } = { line: 1, column: 1, what: '' }] = problems;
  const others = problemCount - 1;
  const more = others > 0 ? ` (and ${counted(others, 'other problem')}, see perceptron-wasm inspect)` : '';
  return `${name}:${line}:${column}: ${inOurWords(what)}${more}`;
}

/** @throws CommandError with the first problem, and with `remedy` */
export function expectNoProblems(file: TableFile, remedy: string): void {
  if (file.problemCount > 0) throw new CommandError(`${problemLine(file)}; ${remedy}`);
}

/** The table in a file, its label column apart. @throws CommandError if an option names no column */
export function tableFrom(file: TableFile, choices: TableChoices): RawTable {
  const { name, readMs, format, delimiter, label, notes, schema, rows, isNameless } = file;
  const asked = new Map<string, ColumnKind>();
  for (const column of choices.category ?? []) asked.set(columnCalled(file, column, '--category'), 'category');
  for (const column of choices.text ?? []) asked.set(columnCalled(file, column, '--text'), 'text');
  const columns = schema
    .filter((column) => column.name !== label?.name)
    .map((column) => ({ ...column, kind: asked.get(column.name) ?? kindFor(column) }));
  return {
    name,
    readMs,
    format,
    isNameless,
    ...(delimiter !== undefined && { delimiter }),
    ...(label && { label }),
    ...(notes && { notes }),
    table: {
      columns: Object.fromEntries(columns.map((column) => [column.name, file.columns[column.name] as Column])),
      rows,
    },
    columns,
    kinds: Object.fromEntries(columns.map((column) => [column.name, column.kind])),
    missing: choices.missing ?? MISSING_RULE,
    ...(label ? labelsFrom(file.columns[label.name] as Column, file) : { y: [] }),
  };
}

/** @throws CommandError if a label is too large */
function labelsFrom(column: Column, { name }: TableFile): Pick<RawTable, 'y' | 'labelled'> {
  try {
    const { y, rows } = labelsOf(column);
    return { y, ...(rows && { labelled: rows }) };
  } catch (error) {
    throw new CommandError(`${name}: ${(error as RangeError).message}`, { cause: error });
  }
}

const FORMATS = { csv: '', json: 'JSON, an array of records', jsonl: 'JSON, a record a line', parquet: 'Parquet' };

/** Says what a file is, and what may be an error in it. */
export function sayLayout({ name, format, delimiter, label, notes = [] }: RawTable, { voice }: Context): void {
  const what = format === 'csv' ? separatedBy(delimiter) : FORMATS[format];
  note(voice, `${name}: ${what}; ${labelLine(label)}`);
  for (const remark of notes) note(voice, `${name}: ${inOurWords(remark)}`);
}

/** The same, and what its columns were taken for. */
export function sayTable(table: RawTable, context: Context): void {
  const { name, columns, missing } = table;
  sayLayout(table, context);
  note(context.voice, `${name}: ${counted(columns.length, 'column')}: ${columnsLine(columns, missing)}`);
}
