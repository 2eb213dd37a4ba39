// readTable on JSON lines, JSON and Parquet, and on real tables in every format.

import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, test, vi } from 'vitest';
import { readTable, type TableData, type TableOptions } from '../../src/io/index.js';
import { bytesOf, dataErrorOf, inChunks } from './helpers.js';

const read = (text: string, options?: TableOptions): Promise<TableData> => readTable(bytesOf(text), options);
const failure = async (source: Uint8Array, options?: TableOptions): Promise<string> =>
  (await dataErrorOf(() => readTable(source, { name: 'x', ...options }))).message;
const problemsOf = ({ problems }: TableData): string[] =>
  problems.map(({ line, column, what }) => `${line}:${column} ${what}`);

describe('JSON lines', () => {
  test('have a record a line; keys that are not there are missing', async () => {
    const table = await read('{"a":1,"b":"x"}\r\n\n{"b":null,"c":true,"a":2.5}\n  {"c":false}');
    expect(table).toMatchObject({ format: 'jsonl', rows: 3, names: ['a', 'b', 'c'], problems: [] });
    expect(table.columns).toEqual({
      a: Float64Array.of(1, 2.5, NaN),
      b: ['x', null, null],
      c: [null, 'true', 'false'],
    });
    expect(table).not.toHaveProperty('delimiter');
  });

  test('that are wrong are problems, and the others are read', async () => {
    const table = await read(
      '{"a":1,"b":{"c":2}}\n{"a":2,\n[1]\n"é"\n{"a":[3],"b":"x"}\nnull\n{"a":1e999}\n{"a":7}\n{"__proto__":1}\n',
    );
    expect(problemsOf(table)).toEqual([
      '1:1 expected a number, a string, true, false or null in "b", got an object: it is read as missing',
      '2:1 expected a record in JSON, got "{\\"a\\":2,": it is left out',
      '3:1 expected a record { … }, got a list: it is left out',
      '4:1 expected a record { … }, got "é": it is left out',
      '5:1 expected a number, a string, true, false or null in "a", got a list: it is read as missing',
      '6:1 expected a record { … }, got null: it is left out',
      '7:1 expected a number that a float64 can hold in "a", got "Infinity": it is read as missing',
    ]);
    expect(table.columns.a).toEqual(Float64Array.of(1, NaN, NaN, 7, NaN));
    expect(table.names).toEqual(['a', 'b', '__proto__']);
  });

  test('with bytes that are not UTF-8 are left out', async () => {
    const table = await readTable(Uint8Array.from([...bytesOf('{"a":"'), 0xff, ...bytesOf('"}\n{"a":1}\n')]));
    expect(problemsOf(table)).toEqual(['1:1 expected a record in UTF-8, got "{\\"a\\":\\"\ufffd\\"}": it is left out']);
    expect(table.columns.a).toEqual(Float64Array.of(1));
  });

  test('take numbers in strings for numbers, and empty strings for missing ones', async () => {
    const table = await read('{"a":"1.50","b":"1.50"}\n{"a":2,"b":"x"}\n{"a":"","b":""}\n');
    expect(table.columns).toEqual({ a: Float64Array.of(1.5, 2, NaN), b: ['1.50', 'x', null] });
  });

  test('with nothing to read are refused', async () => {
    expect(await failure(bytesOf('{"a":\n'))).toBe(
      'x: there are no records in it: expected a record in JSON, got "{\\"a\\":": it is left out (line 1)',
    );
    expect(await failure(bytesOf('{}\n'))).toBe(
      'x: there are no records in it: expected a record with fields, got {}: it is left out (line 1)',
    );
    expect(await failure(bytesOf('{"a":1,"b":2}\n'), { maxCols: 1 })).toBe(
      'x: it has more than 1 columns, and "maxCols" allows no more',
    );
    expect(await failure(bytesOf('{"a":1}\n'), { ignore: ['b'] })).toBe('x: there is no column "b"; there are "a"');
    expect(await failure(bytesOf('{"a":1}\n'), { ignore: ['a'] })).toBe('x: there is no column that is not ignored');
  });

  test('with a new key in every record are refused before they fill the memory', async () => {
    const lines = Array.from({ length: 9000 }, (_, i) => `{"${i}":1}\n`).join('');
    expect(await failure(bytesOf(lines))).toMatch(
      /^x: its \d+ rows and \d+ columns have far more cells than it has values/,
    );
  });
});

describe('a JSON list', () => {
  test('of records is a table', async () => {
    const table = await read('\n[ {"a": 1, "b": "x, ] }"},\n{"a": 2,\n"b": "\\"y"} ]\n');
    expect(table).toMatchObject({ format: 'json', rows: 2, problems: [] });
    expect(table.columns).toEqual({ a: Float64Array.of(1, 2), b: ['x, ] }', '"y'] });
  });

  test.each([
    ['[{"a":1},\n7,\n{"a":2}]', ['2:1 expected a record { … }, got 7: it is left out'], 2],
    ['[{"a":1},{b:1},{"a":2}]', ['1:10 expected a record in JSON, got "{b:1}": it is left out'], 2],
    ['[{"a":1} {"a":2}]', ['1:10 expected a comma or ] behind a record, got "{"'], 2],
    ['[{"a":1},]', ['1:10 expected a record behind the comma, got the end of the list'], 1],
    ['[{"a":1},\n{"a":2}', ['2:8 expected ] before the end: the list is never closed'], 2],
    ['[{"a":"é"}]\n[', ['2:1 expected nothing behind the list: what follows is left out'], 1],
    [
      '[{"é":1},{"é":"é"},{"é":[]}]',
      ['1:20 expected a number, a string, true, false or null in "é", got a list: it is read as missing'],
      3,
    ],
  ])('%j', async (text, expected, rows) => {
    const table = await read(text);
    expect(problemsOf(table)).toEqual(expected);
    expect(table.rows).toBe(rows);
  });

  test('is refused if it is none, or has no records', async () => {
    expect(await failure(bytesOf('7'), { format: 'json' })).toBe('x:1:1: expected a list of records [ … ], got "7"');
    expect(await failure(bytesOf('[]'))).toBe('x: there are no records in it');
  });
});

const parquetOf = (columnData: Parameters<typeof parquetWriteBuffer>[0]['columnData'], codec?: 'UNCOMPRESSED') =>
  new Uint8Array(parquetWriteBuffer({ columnData, ...(codec && { codec }) }));

describe('Parquet', () => {
  const file = parquetOf([
    { name: 'int', data: [1, 2, 3], type: 'INT32' },
    { name: 'large', data: [1n, 2n ** 60n + 1n, 3n], type: 'INT64' },
    { name: 'float', data: [0.5, NaN, null], type: 'DOUBLE' },
    { name: 'word', data: ['x', null, 'NA'], type: 'STRING' },
    { name: 'is', data: [true, false, null], type: 'BOOLEAN' },
    { name: 'when', data: [new Date(0), new Date(1e9), null], type: 'TIMESTAMP' },
  ]);

  test('is a table', async () => {
    for (const source of [file, gzipSync(file), inChunks(file, 100)]) {
      const table = await readTable(source);
      expect(table).toMatchObject({ format: 'parquet', rows: 3, problems: [] });
      expect(table.columns).toEqual({
        int: Float64Array.of(1, 2, 3),
        large: Float64Array.of(1, 2 ** 60, 3),
        float: Float64Array.of(0.5, NaN, NaN),
        word: ['x', null, 'NA'],
        is: ['true', 'false', null],
        when: ['1970-01-01', '1970-01-12T13:46:40.000Z', null],
      });
    }
  });

  test('with values that have no place in a table tells of them', async () => {
    const nested = parquetOf([
      { name: 'a', data: [{ b: 1 }, null], type: 'JSON' },
      { name: 'c', data: [Infinity, 1], type: 'DOUBLE' },
    ]);
    expect(problemsOf(await readTable(nested))).toEqual([
      '1:1 expected a number, a string, a date or a boolean in "a", got an object: it is read as missing',
      '1:2 expected a number that a float64 can hold in "c", got "Infinity": it is read as missing',
    ]);
  });

  test('that is cut off or wrong is refused', async () => {
    expect(await failure(file.subarray(0, 40))).toMatch(/^x: this Parquet file cannot be read: /);
    expect(await failure(file, { maxCols: 2 })).toBe('x: it has more than 2 columns, and "maxCols" allows no more');
    expect(await failure(file, { maxBytes: 20 })).toBe('x: more than 20 bytes came, and "maxBytes" allows no more');
    expect(await failure(parquetOf([{ name: 'a', data: [], type: 'INT32' }]))).toBe('x: there are no rows in it');
  });

  test('ends at the signal', async () => {
    await expect(readTable(file, { signal: AbortSignal.abort('enough') })).rejects.toBe('enough');
  });

  test('says which package it needs if that is not there', async () => {
    vi.doMock('hyparquet', () => {
      throw new Error('not found');
    });
    try {
      expect(await failure(file)).toBe(
        'x: this is Parquet, which the package hyparquet reads: install it beside this one (npm install hyparquet)',
      );
    } finally {
      vi.doUnmock('hyparquet');
    }
  });
});

type Row = Record<string, string | number | boolean | null>;

const vega = (name: string): Row[] =>
  JSON.parse(readFileSync(resolve(import.meta.dirname, `../../node_modules/vega-datasets/data/${name}.json`), 'utf8'));

const field = (value: unknown) =>
  value === null || value === undefined
    ? ''
    : /[",\n]|^\s|\s$/.test(`${value}`)
      ? `"${`${value}`.replaceAll('"', '""')}"`
      : `${value}`;

describe('the same table comes from every format:', () => {
  test.each(['penguins', 'cars', 'movies'])('%s', async (name) => {
    const rows = vega(name);
    const names = Object.keys(rows[0] as Row);
    // A title that is a number ("1776") is a string in Parquet, where a column has one type.
    const isWordy = (key: string) => rows.some((row) => typeof row[key] === 'string');
    const parquet = names.map((key) => ({
      name: key,
      data: rows.map((row) => (row[key] == null ? null : isWordy(key) ? `${row[key]}` : row[key])),
      type: isWordy(key) ? ('STRING' as const) : ('DOUBLE' as const),
    }));
    const csv = [names, ...rows.map((row) => names.map((key) => row[key]))].map((row) => row.map(field).join(','));
    const whole = await readTable(bytesOf(JSON.stringify(rows)));
    const others = [
      await readTable(bytesOf(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))),
      await readTable(parquetOf(parquet)),
      await readTable(bytesOf(csv.join('\n'))),
      await readTable(gzipSync(csv.join('\r\n'))),
      await readTable(bytesOf(rows.map((row) => names.map((key) => field(row[key])).join('\t')).join('\n')), {
        header: false,
      }).then((table) => ({
        ...table,
        columns: Object.fromEntries(names.map((key, j) => [key, table.columns[`x${j + 1}`]])),
        schema: table.schema.map((each, j) => ({ ...each, name: names[j] })),
      })),
    ];
    expect(whole.rows).toBe(rows.length);
    for (const table of others) {
      expect(table.problemCount).toBe(0);
      expect(table.columns).toEqual(whole.columns);
      expect(table.schema).toEqual(whole.schema);
    }
  });

  test('penguins, cars and movies have the columns that they should have', async () => {
    const kindsOf = async (name: string) => {
      const { schema } = await readTable(bytesOf(JSON.stringify(vega(name))));
      return schema.map(({ kind, missing }) => `${kind} ${missing}`);
    };
    expect(await kindsOf('penguins')).toEqual([
      ...['category 0', 'category 0', 'number 2', 'number 2', 'number 2', 'number 2', 'category 10'],
    ]);
    expect((await kindsOf('cars')).filter((kind) => kind.startsWith('number'))).toHaveLength(6);
    expect((await kindsOf('movies')).filter((kind) => kind.startsWith('number'))).toHaveLength(8);
  });
});

const debian = resolve(import.meta.dirname, '../../../shared/data/debian-packages.tsv.gz');

test.runIf(existsSync(debian))('8,000 Debian packages: text, categories, an ID, a number, gaps', async () => {
  const table = await readTable(debian, { label: 'section' });
  expect(table).toMatchObject({ rows: 8000, delimiter: '\t', problemCount: 0, label: { index: 0 } });
  expect(table.schema.map(({ name, kind, missing }) => [name, kind, missing])).toEqual([
    ['section', 'category', 0],
    ['package', 'id', 0],
    ['description', 'text', 0],
    ['tags', 'text', 4347],
    ['architecture', 'category', 0],
    ['installedSize', 'number', 0],
    ['host', 'category', 276],
  ]);
});
