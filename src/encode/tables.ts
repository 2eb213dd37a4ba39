// Tables of the caller, as serving takes them: records or columns. Values are read one by one and are not changed; only own
// properties count. src/prepare/tables.ts adds what fitting needs, and Arrow tables.

import { mustBe, show } from '../errors.js';
import { has } from '../own.js';

/** One record for each row, or one list for each column. A key that a record lacks is a missing value; so are undefined, null and NaN. */
export type Table = readonly object[] | { readonly columns: Readonly<Record<string, ArrayLike<unknown>>> };

/** The columns of a table that are wanted, in that order. */
export interface WantedColumns {
  readonly rows: number;
  /** The value in row i of column k; undefined if a record lacks it. */
  value(i: number, k: number): unknown;
}

/** The error for a column that is not there; `names` are. */
type NoColumn = (name: string, names: readonly string[]) => RangeError;

const noColumn: NoColumn = (name) =>
  new RangeError(`the table has no column ${show(name)}; give null for a missing value`);

/** Recognises a table. @throws TypeError if it is none; RangeError if it lacks a wanted column */
export function tableOf(table: unknown, wanted: readonly string[]): WantedColumns {
  if (Array.isArray(table)) return recordsOf(table, wanted);
  const columns = columnsIn(table);
  if (columns) return columnsOf(columns, wanted);
  throw mustBe('the table', 'an array of records or { columns }', table);
}

type Fields = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);

/** The columns of { columns }. */
export const columnsIn = (table: unknown): Fields | undefined =>
  isRecord(table) && has(table, 'columns') && isRecord(table.columns) ? table.columns : undefined;

/** Checks record i of a table; −1: one alone. @throws TypeError if it is no record */
export function expectRecord(record: unknown, i: number): Fields {
  if (isRecord(record)) return record;
  throw mustBe(i < 0 ? 'x' : `row ${i} of the table`, 'a record such as { age: 41 }', record);
}

export const ownValue = (record: Fields, name: string): unknown =>
  Object.hasOwn(record, name) ? record[name] : undefined;

/** Columns of records. One that no record has is an error. */
export function recordsOf(records: readonly unknown[], wanted: readonly string[], absent = noColumn): WantedColumns {
  const rows = records.length;
  const recordAt = (i: number) => expectRecord(records[i], i);
  // Most tables have all of them in the first record.
  let missing = wanted;
  for (let i = 0; i < rows && missing.length > 0; i++) {
    const record = recordAt(i);
    missing = missing.filter((name) => !Object.hasOwn(record, name));
  }
  if (rows > 0 && missing.length > 0) throw absent(missing[0] as string, Object.keys(recordAt(0)));
  return { rows, value: (i, k) => ownValue(recordAt(i), wanted[k] as string) };
}

/** Columns of { columns }, and their lists. */
export function columnsOf(
  columns: Fields,
  wanted: readonly string[],
  absent = noColumn,
): WantedColumns & { readonly lists: readonly ArrayLike<unknown>[] } {
  let rows: number | undefined;
  const lists = wanted.map((name) => {
    if (!Object.hasOwn(columns, name)) throw absent(name, Object.keys(columns));
    const list = columns[name] as ArrayLike<unknown>;
    const length = typeof list === 'object' && list !== null ? list.length : undefined;
    if (length === undefined || length >>> 0 !== length) throw mustBe(`column ${show(name)}`, 'an array', list);
    rows ??= length;
    if (length !== rows) {
      throw new RangeError(`column ${show(name)} has ${length} values, column ${show(wanted[0])} has ${rows}`);
    }
    return list;
  });
  return { rows: rows ?? 0, lists, value: (i, k) => (lists[k] as ArrayLike<unknown>)[i] };
}
