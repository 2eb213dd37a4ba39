// Tables of the caller: records, columns, or Arrow tables, recognised once by their shape. Values are read one by one and are
// not changed; only own properties of records count.

import { show } from '../errors.js';
import { has } from '../own.js';

/** A column of an Arrow table: apache-arrow's Vector, flechette's Column. */
export interface ArrowLikeColumn {
  get?(index: number): unknown;
  at?(index: number): unknown;
  toArray?(): ArrayLike<unknown>;
  readonly nullCount?: number;
}

/** A table of apache-arrow or @uwdata/flechette; recognised by these members. */
export interface ArrowLikeTable {
  readonly numRows: number;
  readonly schema: { readonly fields: ArrayLike<{ readonly name: PropertyKey }> };
  getChild(name: string): ArrowLikeColumn | null | undefined;
}

/**
 * A table: one record for each row, one list for each column, or an Arrow table. A key that a record lacks is a missing value;
 * so are undefined, null and NaN.
 */
export type Table =
  | readonly Readonly<Record<string, unknown>>[]
  | { readonly columns: Readonly<Record<string, ArrayLike<unknown>>> }
  | ArrowLikeTable;

/** A table as it is read. */
export interface TableView {
  readonly rows: number;
  /** The names of the columns. Those of records are known after `scan` has seen every row. */
  readonly columns: readonly string[];
  /** Looks for new names in records from … to − 1. Other tables know their names at once. */
  readonly scan?: (from: number, to: number) => void;
  /** The value in row i of column k; undefined if a record lacks it. */
  value(i: number, k: number): unknown;
  /** The lists of { columns }. */
  readonly lists?: readonly ArrayLike<unknown>[];
}

/**
 * Recognises a table. With `wanted` its columns are those, in that order; further columns of the table are not read.
 * @throws TypeError if it is no table; RangeError if it has no rows, or lacks a wanted column
 */
export function tableOf(table: unknown, wanted?: readonly string[]): TableView {
  if (Array.isArray(table)) return recordsOf(table, wanted);
  if (typeof table === 'object' && table !== null) {
    if (has(table, 'numRows') && has(table, 'getChild')) return arrowOf(table as unknown as ArrowLikeTable, wanted);
    const columns = has(table, 'columns') ? table.columns : undefined;
    if (typeof columns === 'object' && columns !== null && !Array.isArray(columns)) return columnsOf(columns, wanted);
  }
  throw new TypeError(
    `the table must be an array of records, { columns } or an Arrow table, got ${show(table)}${isRecord(table) ? '; put one record into an array' : ''}`,
  );
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);

function expectRecord(record: unknown, what: string): asserts record is Record<string, unknown> {
  if (!isRecord(record)) throw new TypeError(`${what} must be a record such as { age: 41 }, got ${show(record)}`);
}

const ownValue = (record: Record<string, unknown>, name: string): unknown =>
  Object.hasOwn(record, name) ? record[name] : undefined;

function recordsOf(records: readonly unknown[], wanted?: readonly string[]): TableView {
  const rows = expectRows(records.length);
  const recordAt = (i: number): Record<string, unknown> => {
    const record = records[i];
    expectRecord(record, `row ${i} of the table`);
    return record;
  };
  const columns = wanted ?? [];
  const value = (i: number, k: number) => ownValue(recordAt(i), columns[k] as string);
  if (wanted) {
    // Most tables have all of them in the first record.
    let absent = wanted;
    for (let i = 0; i < rows && absent.length > 0; i++) {
      const record = recordAt(i);
      absent = absent.filter((name) => !Object.hasOwn(record, name));
    }
    if (absent.length > 0) throw noColumn(absent[0] as string, Object.keys(recordAt(0)));
    return { rows, columns, value };
  }
  const known = new Set<string>();
  const scan = (from: number, to: number): void => {
    for (let i = from; i < to; i++) {
      for (const name of Object.keys(recordAt(i))) {
        if (known.has(name)) continue;
        known.add(name);
        (columns as string[]).push(name);
      }
    }
  };
  return { rows, columns, scan, value };
}

/** Reads the columns `wanted` of one record. @throws TypeError if it is no record; RangeError if it lacks one */
export function recordOf(record: unknown, wanted: readonly string[]): (k: number) => unknown {
  expectRecord(record, 'x');
  return (k) => {
    const name = wanted[k] as string;
    if (!Object.hasOwn(record, name)) throw noColumn(name, Object.keys(record), 'x');
    return record[name];
  };
}

function columnsOf(columns: object, wanted?: readonly string[]): TableView {
  const given = columns as Record<string, unknown>;
  const names = Object.keys(given);
  const used = expectColumns(names, wanted);
  let first: string | undefined;
  let rows = 0;
  const lists = used.map((name) => {
    const list = given[name] as ArrayLike<unknown>;
    const length = typeof list === 'object' && list !== null ? list.length : undefined;
    if (typeof length !== 'number' || !(length >>> 0 === length)) {
      throw new TypeError(`column ${show(name)} must be an array, got ${show(list)}`);
    }
    if (first === undefined) [first, rows] = [name, expectRows(length)];
    if (length !== rows) {
      throw new RangeError(`column ${show(name)} has ${length} values, column ${show(first)} has ${rows}`);
    }
    return list;
  });
  return { rows, columns: used, lists, value: (i, k) => (lists[k] as ArrayLike<unknown>)[i] };
}

function arrowOf(table: ArrowLikeTable, wanted?: readonly string[]): TableView {
  const rows = expectRows(table.numRows);
  const fields: ArrowLikeTable['schema']['fields'] = Object(table.schema).fields ?? [];
  const names = Array.from(fields, ({ name }) => String(name));
  const twice = names.find((name, k) => names.indexOf(name) < k);
  if (twice !== undefined) {
    throw new RangeError(`the table has two columns ${show(twice)}: rename one, or select columns`);
  }
  const used = expectColumns(names, wanted);
  const readers = used.map((name) => {
    const column = table.getChild(name);
    if (!column) throw noColumn(name, names);
    return arrowReader(column);
  });
  return { rows, columns: used, value: (i, k) => (readers[k] as (i: number) => unknown)(i) };
}

/** Floats without nulls are read from their array. Arrays of other types may hold another thing than `get` gives: days, say. */
function arrowReader(column: ArrowLikeColumn): (i: number) => unknown {
  const read = column.get ?? column.at;
  const all = !read || column.nullCount === 0 ? column.toArray?.() : undefined;
  if (all && (!read || all instanceof Float64Array || all instanceof Float32Array)) return (i) => all[i];
  return (i) => read?.call(column, i);
}

function expectRows(rows: number): number {
  if (!(rows > 0)) throw new RangeError('the table has no rows');
  return rows;
}

function expectColumns(names: readonly string[], wanted: readonly string[] = names): readonly string[] {
  if (names.length === 0) throw new RangeError('the table has no columns');
  const absent = wanted.find((name) => !names.includes(name));
  if (absent !== undefined) throw noColumn(absent, names);
  return wanted;
}

/** The error for a column that is not there. A name that is almost the same is told. */
export function noColumn(name: string, names: readonly string[], what = 'the table'): RangeError {
  const found = near(name, names);
  const hint = found === undefined ? '; give null for a missing value' : `: do you mean ${show(found)}?`;
  return new RangeError(`${what} has no column ${show(name)}${hint}`);
}

/** The name that differs in case, spaces and marks alone, or has one letter more, less or changed, or two exchanged. */
function near(name: string, names: readonly string[]): string | undefined {
  const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  const a = plain(name);
  return names.find((other) => {
    const b = plain(other);
    let start = 0;
    while (start < a.length && a[start] === b[start]) start++;
    let end = 0;
    while (end < a.length - start && a.at(-1 - end) === b.at(-1 - end)) end++;
    return a === b || (start + end > 1 && Math.max(a.length, b.length) - start - end < 3 - +(a.length !== b.length));
  });
}
