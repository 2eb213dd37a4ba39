// Reads a file: rows of numbers as they are, and what has words, categories or gaps among its features as a table, as the command
// line does.

import type { Label } from 'perceptron-wasm';
import { DataError, type Dataset, readData, readTable, type TableData } from 'perceptron-wasm/io';
import type { ColumnKind, ReadRequest, Summary } from '../types.js';
import { classCounts } from './classes.js';
import type { Context } from './context.js';
import { textOf } from './lines.js';
import { type Column, type Input, isSparse, type Table, takeRows } from './rows.js';
import { firstNames, Mendable, mayBeTable } from './trouble.js';

/** A file to learn from. */
export interface Data {
  readonly X: Input;
  readonly y: readonly Label[];
  readonly file: File;
  readonly summary: Summary;
  /** Of rows of numbers. */
  readonly featureNames?: readonly string[] | undefined;
  /** Of a table: what each column is, by name. */
  readonly kinds?: Readonly<Record<string, ColumnKind>>;
  /** What the file of a model says of it. */
  readonly memory: object;
}

/** @throws DataError naming the place; Mendable where the file can be read with what is wrong in it taken as missing */
export async function readFile(number: number, request: ReadRequest, context: Context): Promise<Data> {
  const { file, labels, kinds = {}, fillGaps = false } = request;
  const started = performance.now();
  const options = readOptions(request, context);
  const about = (rows: number): About => ({ number, request, started, rows });
  const asTable = async () => {
    const table = await readTable(file, { ...options, kinds });
    return dataOfTable(table, about(table.rows), await isNameless(table, request));
  };
  if (fillGaps || Object.keys(kinds).length > 0) return asTable();
  try {
    const dataset = await readData(file, { ...options, ...(labels && { labels }) });
    return dataOfRows(dataset, about(dataset.X.rows));
  } catch (error) {
    context.signal?.throwIfAborted();
    if (!(error instanceof DataError) || labels || !(await mayBeTable(file, error))) throw error;
    return asTable().catch((again) => {
      context.signal?.throwIfAborted();
      // The first error is about the file as it looked.
      throw again instanceof Mendable ? new Mendable(error) : error;
    });
  }
}

export function readOptions({ file, label, header, ignore }: ReadRequest, { signal, onProgress }: Context) {
  return {
    name: file.name,
    ...(signal && { signal }),
    ...(label !== undefined && { label }),
    ...(header !== undefined && { header }),
    ...(ignore.length > 0 && { ignore }),
    onProgress: ({ bytes, totalBytes, rows }: { bytes: number; totalBytes?: number; rows: number }) =>
      onProgress?.({ kind: 'reading', bytes, totalBytes, rows }),
  };
}

/** What both readers do not say. */
interface About {
  readonly number: number;
  readonly request: ReadRequest;
  readonly started: number;
  readonly rows: number;
}

const summaryOf = ({ number, request: { file, labels, ignore }, started, rows }: About, y: readonly Label[]) => ({
  data: number,
  file: file.name,
  bytes: file.size,
  ...(labels && { labelsFile: labels.name }),
  ignored: ignore,
  rows,
  classes: classCounts(y),
  readMs: performance.now() - started,
});

/** All columns of a file in order; of those left out the readers say no names, but an earlier reading may have. */
function columnsOf(
  total: number,
  ignore: readonly number[],
  names: Iterable<string> | undefined,
  label?: Dataset['label'],
) {
  const next = names?.[Symbol.iterator]();
  return Array.from({ length: total }, (_, index): string | undefined => {
    if (index === label?.index) return label.name;
    return ignore.includes(index) ? undefined : next?.next().value;
  });
}

function dataOfRows(dataset: Dataset, about: About): Data {
  const { X, y, format, delimiter, label, featureNames, notes } = dataset;
  const { ignore, file } = about.request;
  const total = X.cols + ignore.length + (label ? 1 : 0);
  const summary: Summary = {
    ...summaryOf(about, y),
    format,
    ...(delimiter !== undefined && { delimiter }),
    cols: X.cols,
    ...(isSparse(X) && { nonZeros: X.nonZeros }),
    hasHeader: featureNames !== undefined,
    columns: format === 'csv' ? columnsOf(total, ignore, featureNames, label) : [],
    ...(label && { label }),
    notes: notes ?? [],
  };
  const memory = memoryOf(summary, X.rows, label);
  return { X, y, file, summary, featureNames, memory };
}

/** The beginning of what the command line writes into a model's file. */
function memoryOf(
  { format, delimiter, ignored, hasHeader, table }: Summary,
  rows: number,
  label: { readonly index: number; readonly name?: string } | undefined,
): object {
  return {
    format,
    ...(delimiter !== undefined && { delimiter }),
    ...(table && !hasHeader && format === 'csv' && { header: false }),
    ...(label && { label: { index: label.index, ...(label.name !== undefined && { name: label.name }) } }),
    ...(ignored.length > 0 && { ignored }),
    rows,
  };
}

/** Numbers with NaN where there is none, or strings with null; all labels are numbers, or none is. */
function labelsOf(column: Column): { y: Label[]; rows: Uint32Array } {
  const all = Array.from<number | string | null>(column);
  const rows = Uint32Array.from([...all.keys()].filter((i) => all[i] !== null && !Number.isNaN(all[i])));
  const y = Array.from(rows, (i) => all[i] as Label);
  const isNumbers = y.every((label) => NUMBER.test(String(label)) && Number.isFinite(Number(label)));
  return { y: isNumbers ? y.map((label) => Number(label) + 0) : y, rows };
}

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/** @throws Mendable */
function dataOfTable(read: TableData, about: About, hasNoNames: boolean): Data {
  const { names, schema, columns, format, delimiter, label, notes = [], problems, problemCount } = read;
  const { ignore, file, kinds: asked = {}, fillGaps } = about.request;
  const [first] = problems;
  if (first && !fillGaps) throw new Mendable(new Error(`line ${first.line}: ${first.what}`));
  const features = schema
    .filter(({ name }) => name !== label?.name)
    .map(({ name, kind, reason, missing, distinct }) => ({
      name,
      kind: asked[name] ?? (kind === 'id' || kind === 'empty' ? ('ignore' as const) : kind),
      reason: asked[name] === undefined ? reason : 'you said so',
      missing,
      distinct,
    }));
  const all: Table = { columns: Object.fromEntries(features.map(({ name }) => [name, columns[name] as Column])), rows: read.rows }; // biome-ignore format: one table
  const { y, rows } = label ? labelsOf(columns[label.name] as Column) : { y: [], rows: undefined };
  const unlabelled = rows ? all.rows - rows.length : 0;
  if (unlabelled > 0 && !fillGaps) throw new Mendable(new Error(`there are ${unlabelled} rows without a label`));
  const X = rows && unlabelled > 0 ? takeRows(all, rows) : all;
  const fileColumns = columnsOf(names.length + ignore.length, ignore, names);
  const summary: Summary = {
    ...summaryOf({ ...about, rows: X.rows }, y),
    format,
    ...(delimiter !== undefined && { delimiter }),
    cols: features.filter(({ kind }) => kind !== 'ignore').length,
    hasHeader: !hasNoNames,
    columns: fileColumns,
    ...(label && { label: { ...label, index: fileColumns.indexOf(label.name) } }),
    table: features,
    notes: [
      ...notes,
      ...(problemCount > 0 ? [`${problemCount} values could not be read, and count as missing`] : []),
      ...(unlabelled > 0 ? [`${unlabelled} rows without a label are left out`] : []),
    ],
  };
  const kinds = Object.fromEntries(features.map(({ name, kind }) => [name, kind]));
  return { X, y, file, summary, kinds, memory: memoryOf(summary, X.rows, label) };
}

const PLACE_NAME = /^x\d+$/;

/** Whether columns were called by their place, as the first line has no names. */
async function isNameless({ format, names }: TableData, { file, header }: ReadRequest): Promise<boolean> {
  if (format !== 'csv' || header !== undefined) return format === 'csv' && header === false;
  if (!names.every((name) => PLACE_NAME.test(name))) return false;
  const reader = (await textOf(file)).getReader();
  const { value = new Uint8Array() } = await reader.read();
  await reader.cancel();
  const fields = firstNames(value);
  return fields.some(Boolean) && names.every((name) => !fields.includes(name));
}
