// Tables of any columns from CSV, JSON lines, JSON and Parquet: the kind of each column is guessed over all rows, and everything that
// is wrong in the file is collected.

import { askedLabel, type Faults, guessLabel, indexOf } from './labelcolumn.js';
import { Problems } from './problems.js';
import { reading } from './reading.js';
import type { Source } from './source.js';
import type { TableBuilder } from './tablebuilder.js';
import { type Counts, countCells, finishColumn } from './tablecolumn.js';
import { readCsvTable } from './tablecsv.js';
import { readJsonTable } from './tablejson.js';
import { PARQUET_MAGIC, readParquetTable } from './tableparquet.js';
import {
  type ColumnSchema,
  resolveTableOptions,
  type TableData,
  type TableFormat,
  type TableOptions,
  type TableSettings,
} from './tabletypes.js';
import { beginsWith } from './text.js';
import type { ByteWindow } from './window.js';

/** Bytes that the detection of the format looks at. */
const HEAD = 4096;

/**
 * Reads a table from CSV, TSV, JSON lines, a JSON list of records or Parquet, plain or with gzip: columns of numbers and of
 * words, what each of them holds, and all problems of the file. Parquet needs the package `hyparquet`.
 * @throws DataError if the whole file cannot be read: it is empty, binary or too large
 *
 * @example
 * const text = new TextEncoder().encode('age,city\n41,Rome\n,Paris\n7,Rome\n'); // or the path of a file
 * const { columns } = await readTable(text);
 * console.log(columns.city); // → [ 'Rome', 'Paris', 'Rome' ]
 */
export async function readTable(source: Source, options: TableOptions = {}): Promise<TableData> {
  const settings = resolveTableOptions(options);
  return reading(source, settings.read, (window) => readTableFrom(window, settings));
}

/** `readTable` from a window. */
export async function readTableFrom(window: ByteWindow, settings: TableSettings): Promise<TableData> {
  if (!window.isLast && window.end < HEAD) await window.fill();
  const format = settings.format ?? detectFormat(window);
  const problems = new Problems();
  if (format === 'csv') {
    const { builder, layout, names } = await readCsvTable(window, settings, problems);
    const { delimiter, notes, ignored } = layout;
    return finish(window, builder, settings, { names, ignored }, { format, delimiter, notes });
  }
  const builder =
    format === 'parquet'
      ? await readParquetTable(window, problems)
      : await readJsonTable(window, format === 'json', problems);
  const faults = wholeFaults(window);
  const { names } = builder;
  const ignored = settings.read.ignore.map((asked) => indexOf(faults, asked, '"ignore"', names.length, names));
  return finish(window, builder, settings, { names, ignored: new Set(ignored) }, { format, notes: [] });
}

/** Errors about names have no line: all is read. */
const wholeFaults = (window: ByteWindow): Faults => ({
  fault: (message) => window.fault(message),
  lineFault: (message) => window.fault(message),
});

/** The format by the first bytes. */
function detectFormat({ bytes, start, end }: ByteWindow): TableFormat {
  const head = bytes.subarray(start, Math.min(end, start + HEAD));
  if (beginsWith(head, PARQUET_MAGIC)) return 'parquet';
  const text = new TextDecoder().decode(head.slice());
  if (/^\s*\[\s*(\{|\]|$)/.test(text)) return 'json';
  return /^\s*\{\s*("|\}|$)/.test(text) ? 'jsonl' : 'csv';
}

/** All columns of the file, and those that are left out: the options count the former. */
interface FileColumns {
  readonly names: readonly string[];
  readonly ignored: ReadonlySet<number>;
}

/** The columns and what is known of them, when all rows are read. */
function finish(
  window: ByteWindow,
  builder: TableBuilder,
  { read, kinds }: TableSettings,
  file: FileColumns,
  about: Pick<TableData, 'format' | 'delimiter'> & { notes: readonly string[] },
): TableData {
  builder.finish();
  const { problems } = builder;
  const { names, ignored } = file;
  const faults = wholeFaults(window);
  for (const name of kinds.keys()) indexOf(faults, name, '"kinds"', names.length, names);
  const left = new Set(names.filter((_, j) => !ignored.has(j)));
  if (left.size === 0) throw window.fault('there is no column that is not ignored');
  const counts = countCells(builder, window.rows);
  const schema: ColumnSchema[] = [];
  const values: [string, Float64Array | (string | null)[]][] = [];
  builder.names.forEach((name, j) => {
    if (!left.has(name)) return;
    const column = finishColumn(builder, j, window.rows, counts[j] as Counts, kinds.get(name));
    if (column.problemCount > 0) problems.merge(column.problems, column.problemCount);
    schema.push(column.schema);
    values.push([name, column.values]);
  });
  const label = findLabel(faults, read.label, file, schema);
  const notes = [...about.notes, ...schema.flatMap(noteOn)];
  return {
    columns: Object.fromEntries(values),
    rows: window.rows,
    names: schema.map(({ name }) => name),
    schema,
    problems: problems.finish(),
    problemCount: problems.count,
    format: about.format,
    ...(about.delimiter && { delimiter: about.delimiter }),
    ...(label && { label }),
    ...(notes.length > 0 && { notes }),
  };
}

/** A remark on a column of which nothing can be learned, or that is no number though it looks like one. */
function noteOn({ name, kind, distinct, missing, reason, examples }: ColumnSchema): string[] {
  const column = `column ${JSON.stringify(name)}`;
  if (kind === 'empty') return [`${column} has no values`];
  if (distinct === 1 && missing === 0)
    return [`${column} is constant: it is ${JSON.stringify(examples[0])} in every row`];
  return reason.startsWith('its values are codes') ? [`${column} is read as words: ${reason}`] : [];
}

/** The label that was asked for, or the likely one: by its name, as the only column of categories, or as the last one of numbers. */
function findLabel(
  faults: Faults,
  asked: string | number | null | undefined,
  file: FileColumns,
  schema: readonly ColumnSchema[],
): TableData['label'] {
  if (asked === null) return undefined;
  const names = schema.map(({ name }) => name);
  const at = (name: string, reason: string) => ({ index: file.names.indexOf(name), name, reason });
  if (asked !== undefined) {
    const index = askedLabel(faults, asked, file.names.length, file.names, file.ignored);
    return at(file.names[index] as string, 'it was asked for');
  }
  if (names.length === 1) return undefined;
  const guess = guessLabel(names.length, names, new Set(), (j) => schema[j]?.kind === 'category');
  if ('words' in guess) return undefined;
  const kind = schema[guess.index]?.kind;
  return kind === 'number' || kind === 'category' ? at(names[guess.index] as string, guess.reason) : undefined;
}
