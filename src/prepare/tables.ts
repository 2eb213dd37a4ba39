// Tables of the caller: records, columns, or Arrow tables, recognised once by their shape (src/encode/tables.ts reads the first two).

import { near } from '../encode/near.js';
import {
  columnsIn,
  columnsOf,
  expectRecord,
  isRecord,
  ownValue,
  type Table as PlainTable,
  recordsOf,
  type WantedColumns,
} from '../encode/tables.js';
import { mustBe, show } from '../errors.js';
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
export type Table = PlainTable | ArrowLikeTable;

/** A table as it is read. */
export interface TableView extends WantedColumns {
  /** The names of the columns. Those of records are known after `scan` has seen every row. */
  readonly columns: readonly string[];
  /** Looks for new names in records from … to − 1. Other tables know their names at once. */
  readonly scan?: (from: number, to: number) => void;
  /** The lists of { columns }. */
  readonly lists?: readonly ArrayLike<unknown>[];
}

/**
 * Recognises a table. With `wanted` its columns are those, in that order; further columns of the table are not read.
 * @throws TypeError if it is no table; RangeError if it has no rows, or lacks a wanted column
 */
export function tableOf(table: unknown, wanted?: readonly string[]): TableView {
  const view = viewOf(table, wanted);
  if (!(view.rows > 0)) throw new RangeError('the table has no rows');
  return view;
}

function viewOf(table: unknown, wanted?: readonly string[]): TableView {
  if (Array.isArray(table)) {
    return wanted ? { columns: wanted, ...recordsOf(table, wanted, noColumn) } : scanned(table);
  }
  if (typeof table === 'object' && table !== null && has(table, 'numRows') && has(table, 'getChild')) {
    return arrowOf(table as unknown as ArrowLikeTable, wanted);
  }
  const lists = columnsIn(table);
  if (lists) {
    const columns = expectColumns(Object.keys(lists), wanted);
    return { columns, ...columnsOf(lists, columns, noColumn) };
  }
  const error = mustBe('the table', 'an array of records, { columns } or an Arrow table', table);
  if (isRecord(table)) error.message += '; put one record into an array';
  throw error;
}

/** Records whose columns are found by `scan`. */
function scanned(records: readonly unknown[]): TableView {
  const columns: string[] = [];
  const known = new Set<string>();
  const recordAt = (i: number) => expectRecord(records[i], i);
  const scan = (from: number, to: number): void => {
    for (let i = from; i < to; i++) {
      for (const name of Object.keys(recordAt(i))) {
        if (known.has(name)) continue;
        known.add(name);
        columns.push(name);
      }
    }
  };
  return { rows: records.length, columns, scan, value: (i, k) => ownValue(recordAt(i), columns[k] as string) };
}

/** Reads the columns `wanted` of one record. @throws TypeError if it is no record; RangeError if it lacks one */
export function recordOf(x: unknown, wanted: readonly string[]): (k: number) => unknown {
  const record = expectRecord(x, -1);
  return (k) => {
    const name = wanted[k] as string;
    if (!Object.hasOwn(record, name)) throw noColumn(name, Object.keys(record), 'x');
    return record[name];
  };
}

function arrowOf(table: ArrowLikeTable, wanted?: readonly string[]): TableView {
  const fields: ArrowLikeTable['schema']['fields'] = Object(table.schema).fields ?? [];
  const names = Array.from(fields, ({ name }) => String(name));
  const known = new Set<string>();
  const twice = names.find((name) => known.size === known.add(name).size);
  if (twice !== undefined) {
    throw new RangeError(`the table has two columns ${show(twice)}: rename one, or select columns`);
  }
  const used = expectColumns(names, wanted);
  const readers = used.map((name) => {
    const column = table.getChild(name);
    if (!column) throw noColumn(name, names);
    return arrowReader(column);
  });
  return { rows: table.numRows, columns: used, value: (i, k) => (readers[k] as (i: number) => unknown)(i) };
}

/** Floats without nulls are read from their array. Arrays of other types may hold another thing than `get` gives: days, say. */
function arrowReader(column: ArrowLikeColumn): (i: number) => unknown {
  const read = column.get ?? column.at;
  const all = !read || column.nullCount === 0 ? column.toArray?.() : undefined;
  if (all && (!read || all instanceof Float64Array || all instanceof Float32Array)) return (i) => all[i];
  return (i) => read?.call(column, i);
}

function expectColumns(names: readonly string[], wanted: readonly string[] = names): readonly string[] {
  if (names.length === 0) throw new RangeError('the table has no columns');
  const known = new Set(names);
  const absent = wanted.find((name) => !known.has(name));
  if (absent !== undefined) throw noColumn(absent, names);
  return wanted;
}

/** The error for a column that is not there. A name that is almost the same is told. */
export function noColumn(name: string, names: readonly string[], what = 'the table'): RangeError {
  const found = near(name, names);
  const hint = found === undefined ? '; give null for a missing value' : `: is it ${show(found)} there?`;
  return new RangeError(`${what} has no column ${show(name)}${hint}`);
}
