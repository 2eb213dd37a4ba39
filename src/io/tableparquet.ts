// Parquet as a table, by the package hyparquet, which is loaded when it is first needed.

import { show } from '../errors.js';
import { quoted } from '../escape.js';
import { nextTurn } from '../turn.js';
import type { Problems } from './problems.js';
import { builtin, reasonOf } from './source.js';
import { TableBuilder } from './tablebuilder.js';
import type { ByteWindow } from './window.js';

export const PARQUET_MAGIC = [0x50, 0x41, 0x52, 0x31] as const;

/** Rows that are read at once, at most: a group of rows may have millions. */
const ROWS = 2 ** 16;

/** The bytes that `fill` adds at first; then as many as there are. */
const STEP = 2 ** 20;

type Hyparquet = Pick<typeof import('hyparquet'), 'parquetMetadataAsync' | 'parquetReadObjects'>;

async function load(window: ByteWindow): Promise<Hyparquet> {
  try {
    return await import('hyparquet');
  } catch (cause) {
    throw Object.assign(
      window.fault(
        'this is Parquet, which the package hyparquet reads: install it beside this one (npm install hyparquet)',
      ),
      { cause },
    );
  }
}

type Unpack = (bytes: Uint8Array, options: { maxOutputLength: number }) => Uint8Array;

/** Compressions that Node knows beside snappy, which hyparquet has: zstd from Node 22.15 on. */
function compressors(): Record<string, (bytes: Uint8Array, length: number) => Uint8Array> {
  const zlib = builtin('node:zlib') as Partial<Record<string, Unpack>> | undefined;
  const names = { GZIP: 'gunzipSync', BROTLI: 'brotliDecompressSync', ZSTD: 'zstdDecompressSync' };
  return Object.fromEntries(
    Object.entries(names).flatMap(([codec, name]) => {
      const unpack = zlib?.[name];
      return unpack ? [[codec, (bytes, length) => unpack(bytes, { maxOutputLength: Math.max(1, length) })]] : [];
    }),
  );
}

/** Reads Parquet into a builder. @throws DataError if it cannot be read, or has no rows */
export async function readParquetTable(window: ByteWindow, problems: Problems): Promise<TableBuilder> {
  const hyparquet = await load(window);
  while (!window.isLast) await window.fill(Math.max(STEP, window.end));
  const bytes = window.bytes.subarray(window.start, window.end);
  const file = { byteLength: bytes.length, slice: (from: number, to?: number) => bytes.slice(from, to).buffer };
  const builder = new TableBuilder(window, problems);
  const readable = async <T>(reading: Promise<T>): Promise<T> =>
    reading.catch((cause: unknown) => {
      throw Object.assign(window.fault(`this Parquet file cannot be read: ${reasonOf(cause)}`), { cause });
    });
  const metadata = await readable(hyparquet.parquetMetadataAsync(file));
  const options = { file, metadata, compressors: compressors() };
  const rows = Number(metadata.num_rows);
  if (!(rows > 0)) throw window.fault('there are no rows in it');
  window.expectRows(rows);
  const slots = new Map(topNames(metadata.schema).map((name) => [name, builder.addColumn(name)]));
  if (slots.size === 0) throw window.fault('there are no columns in it');
  for (let rowStart = 0; rowStart < rows; rowStart += ROWS) {
    const rowEnd = Math.min(rows, rowStart + ROWS);
    const records = await readable(hyparquet.parquetReadObjects({ ...options, rowStart, rowEnd }));
    for (const record of records) addRow(builder, problems, slots, record, window.rows + 1);
    await nextTurn();
    window.settings.signal?.throwIfAborted();
  }
  if (window.rows !== rows) throw window.fault(`its header says ${rows} rows, but it has ${window.rows}`);
  return builder;
}

/** The names of the columns: the children of the first element of the schema, which lists each element before its children. */
function topNames(schema: readonly { name: string; num_children?: number | undefined }[]): string[] {
  const names: string[] = [];
  let at = 1;
  const skip = (): void => {
    for (let left = 1; left > 0 && at < schema.length; left--) left += schema[at++]?.num_children ?? 0;
  };
  for (let k = 0; k < (schema[0]?.num_children ?? 0) && at < schema.length; k++) {
    names.push(schema[at]?.name as string);
    skip();
  }
  return names;
}

function addRow(
  builder: TableBuilder,
  problems: Problems,
  slots: ReadonlyMap<string, number>,
  record: Readonly<Record<string, unknown>>,
  row: number,
): void {
  builder.beginRow();
  for (const [name, slot] of slots) {
    const value = Object.hasOwn(record, name) ? record[name] : undefined;
    if (typeof value === 'number' && Number.isFinite(value)) builder.setNumber(slot, value);
    else if (typeof value === 'string') builder.setText(slot, value, row, slot + 1);
    else if (value !== null && value !== undefined && !Number.isNaN(value)) {
      const text = textOf(value);
      if (text !== undefined) builder.setText(slot, text, row, slot + 1);
      else {
        problems.add(
          row,
          slot + 1,
          () =>
            `expected a number, a string, a date or a boolean in ${quoted(name)}, got ${show(value)}: it is read as missing`,
        );
      }
    }
  }
  builder.endRow();
}

/** The text of a value that is neither a finite number nor a string; undefined if it is nested or binary. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'bigint' || typeof value === 'boolean' || typeof value === 'number') return String(value);
  if (!(value instanceof Date) || Number.isNaN(value.getTime())) return undefined;
  return value.toISOString().replace('T00:00:00.000Z', '');
}
