// readTable on CSV and TSV: columns, kinds, problems.

import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readTable, type Source, type TableData, type TableOptions } from '../../src/io/index.js';
import { bytesOf, dataErrorOf, folder, inChunks } from './helpers.js';

const read = (text: string, options?: TableOptions): Promise<TableData> => readTable(bytesOf(text), options);
const failure = async (text: string | Uint8Array, options?: TableOptions): Promise<string> => {
  const source = typeof text === 'string' ? bytesOf(text) : text;
  return (await dataErrorOf(() => readTable(source, { name: 'x.csv', ...options }))).message;
};
/** Problems as "line:column what". */
const problemsOf = ({ problems }: TableData): string[] =>
  problems.map(({ line, column, what }) => `${line}:${column} ${what}`);
const kindsOf = ({ schema }: TableData) => Object.fromEntries(schema.map(({ name, kind }) => [name, kind]));

describe('CSV as a table', () => {
  test('has columns of numbers and of words, with NaN and null where values are missing', async () => {
    const table = await read('age,city,kind\n31,Paris,a\n,NA,b\n40.5,"Rome, Italy",a\n');
    expect(table).toEqual({
      columns: {
        age: Float64Array.of(31, NaN, 40.5),
        city: ['Paris', null, 'Rome, Italy'],
        kind: ['a', 'b', 'a'],
      },
      rows: 3,
      names: ['age', 'city', 'kind'],
      schema: [
        {
          name: 'age',
          kind: 'number',
          missing: 1,
          distinct: 2,
          reason: 'all its values are numbers',
          examples: [31, 40.5],
        },
        {
          name: 'city',
          kind: 'category',
          missing: 1,
          distinct: 2,
          reason: 'it has 2 different words in 2 rows',
          examples: ['Paris', 'Rome, Italy'],
        },
        {
          name: 'kind',
          kind: 'category',
          missing: 0,
          distinct: 2,
          reason: 'it has 2 different words in 3 rows',
          examples: ['a', 'b'],
        },
      ],
      problems: [],
      problemCount: 0,
      format: 'csv',
      delimiter: ',',
    });
  });

  test('has names for columns without one, and names that Object.prototype has', async () => {
    expect((await read('1,a\n2,b\n')).names).toEqual(['x1', 'x2']);
    const { columns } = await read('__proto__,toString,\n1,2,3\n');
    expect(Object.keys(columns)).toEqual(['__proto__', 'toString', 'x3']);
    expect(columns.toString).toEqual(Float64Array.of(2));
  });

  test.each([
    ['tabs', 'name\tsize\nbob, jr\t3\n', '\t'],
    ['semicolons, though texts have commas', 'who;what\nbob;a, b, c\nann;d, e\n', ';'],
    ['commas, though texts have semicolons', 'who,what\nbob,"a; b; c"\nann,d; e\n', ','],
  ])('recognises %s', async (_, text, delimiter) => {
    const table = await read(text);
    expect([table.delimiter, table.names.length]).toEqual([delimiter, 2]);
  });

  test('takes the first line for names if none of its words comes again, and says so', async () => {
    const table = await read('who,what\nbob,tea\nann,tea\n');
    expect(table).toMatchObject({ rows: 2, names: ['who', 'what'] });
    expect(table.notes).toEqual([
      'the first line is read as names, since none of its words comes again below: say "header": false if it is data',
      'column "what" is constant: it is "tea" in every row',
    ]);
    expect(await read('bob,tea\nann,tea\n')).toMatchObject({ rows: 2, names: ['x1', 'x2'] });
    expect(await read('who,what\nbob,tea\n', { header: false })).toMatchObject({ rows: 2, names: ['x1', 'x2'] });
    expect((await read('1.5,2,died\n1,2,0\n')).notes).toEqual([
      'the first line has "died" where others have numbers, and numbers beside it: it is read as names; say "header": false if it is data',
      'column "1.5" is constant: it is 1 in every row',
      'column "2" is constant: it is 2 in every row',
      'column "died" is constant: it is 0 in every row',
    ]);
  });

  test('keeps words as the file has them, numbers among them too', async () => {
    const texts = ['1.50', '+3', '.5', '-.50', '0.0000001', '007', '-0', '5.', '12345678901234567890', 'x'];
    const { columns } = await read(`a,b\n${texts.map((text) => `${text},1\n`).join('')}`, { header: true });
    expect(columns.a).toEqual(texts);
  });

  test('shares equal strings', async () => {
    const { columns } = await read(`a,b\n${'long text of words here,1\nother one,2\n'.repeat(50)}`);
    expect(new Set(columns.a as string[]).size).toBe(2);
  });
});

describe('the kind of a column', () => {
  const rowsOf = (count: number, cell: (i: number) => string) =>
    `a,b\n${Array.from({ length: count }, (_, i) => `${cell(i)},${i % 3}\n`).join('')}`;

  test.each([
    ['numbers', rowsOf(30, (i) => `${i / 4}`), 'number', 'all its values are numbers'],
    ['numbers and a few words', rowsOf(40, (i) => (i < 2 ? 'x' : `${i}`)), 'number', '95 % of its values are numbers'],
    [
      'numbers and more words',
      rowsOf(40, (i) => (i < 3 ? 'x' : `${i}`)),
      'category',
      'it has 38 different words in 40 rows',
    ],
    ['true and false', rowsOf(30, (i) => `${i % 2 === 0}`), 'category', 'it has 2 different words in 30 rows'],
    ['sentences', rowsOf(30, (i) => `word ${i} of text`), 'text', 'its values have 3.0 words on average'],
    ['different words', rowsOf(20, (i) => `k${i}`), 'id', 'its 20 values are all different'],
    ['few different words', rowsOf(19, (i) => `k${i}`), 'category', 'it has 19 different words in 19 rows'],
    ['a count of the rows', rowsOf(20, (i) => `${i + 1}`), 'id', 'it counts the rows from 1'],
    ['nothing', rowsOf(5, () => ''), 'empty', 'it has no values'],
    ['codes', rowsOf(5, (i) => `0123${i % 4}`), 'category', 'its values are codes of digits: some begin with a zero'],
    [
      'long codes',
      rowsOf(25, (i) => `1234567890123456789${i}`),
      'id',
      'its values are codes of digits: they have more digits than a float64 holds',
    ],
    ['amounts with zeros before them', rowsOf(4, (i) => (i ? '1.5' : '01')), 'number', 'all its values are numbers'],
  ])('%s', async (_, text, kind, reason) => {
    const { schema } = await read(text);
    expect(schema[0]).toMatchObject({ name: 'a', kind, reason });
  });

  test('does not count marks of missing values, as they are written in R, pandas, databases and by hand', async () => {
    const marks = ['NA', 'NaN', 'nan', 'N/A', '', '?', 'null', 'NULL', '–', '-', '<NA>'];
    const table = await read(`a,b,c\n1,x,0\n${marks.map((mark) => `${mark},${mark},0\n`).join('')}`);
    expect(kindsOf(table)).toEqual({ a: 'number', b: 'category', c: 'number' });
    expect(table.schema.map(({ missing }) => missing)).toEqual([marks.length, marks.length, 0]);
    expect(table.problemCount).toBe(0);
  });

  test('quotes keep a mark as a word, but not in a column of numbers', async () => {
    const { columns, problemCount } = await read('a,b\n"NA","NA"\n1,x\n"2",Na\n');
    expect(columns).toEqual({ a: Float64Array.of(NaN, 1, 2), b: ['NA', 'x', 'Na'] });
    expect(problemCount).toBe(0);
  });

  test('is what was asked for', async () => {
    const kinds = { a: 'category', b: 'number', c: 'text' } as const;
    const table = await read('a,b,c\n1,0123,x\n2,y,z\n', { kinds });
    expect(table.columns).toEqual({ a: ['1', '2'], b: Float64Array.of(123, NaN), c: ['x', 'z'] });
    expect(table.schema.map(({ reason }) => reason)).toEqual(new Array(3).fill('it was asked for'));
    expect(problemsOf(table)).toEqual(['3:3 expected a number in "b", got "y": it is read as missing']);
    expect(await failure('a,b\n1,2\n', { kinds: { q: 'text' } })).toBe(
      'x.csv: there is no column "q"; there are "a", "b"',
    );
  });
});

describe('every problem is told, and reading goes on:', () => {
  const numbers = (count: number) => Array.from({ length: count }, (_, i) => `${i},p\n`).join('');

  test.each([
    [
      'short rows',
      'a,b,c\n1,2,3\n4\n',
      ['3:1 expected 3 fields in a line, as in the first, got 1: the others are read as missing'],
    ],
    [
      'long rows',
      'a,b\n1,2,3,4\n',
      ['2:5 expected 2 fields in a line, as in the first, got 4: the ones beyond are left out'],
    ],
    [
      'a delimiter at the end',
      'a,b\n1,2,\n3,4\n',
      ['2:5 expected 2 fields in a line, as in the first, got 3: it ends with a delimiter'],
    ],
    [
      'a quote that never ends',
      'a,b\n1,"x\n2,y\n',
      [
        '2:3 expected a closing quote before the end: this one is never closed; the field is read as if quotes had no meaning',
      ],
    ],
    [
      'something behind a closing quote',
      'a,b\n1,"x" y\n2,z\n',
      [
        '2:3 expected the end of the field behind its closing quote, got "y"; the field is read as if quotes had no meaning',
      ],
    ],
    [
      'words among numbers',
      `a,b\n${numbers(30)}é,é\n x ,q\n${numbers(30)}`,
      [
        '32:1 expected a number in "a", got "é": it is read as missing',
        '33:2 expected a number in "a", got "x": it is read as missing',
      ],
    ],
    [
      'numbers that are too large',
      'a,b\n1e999,p\n1,q\n',
      ['2:1 expected a number that a float64 can hold in "a", got "1e999": it is read as missing'],
    ],
    [
      'infinities',
      'a,b\n-inf,p\n1,q\n',
      ['2:1 expected a number that a float64 can hold in "a", got "-inf": it is read as missing'],
    ],
    [
      'decimal commas',
      'a;b\n1,5;p\n2;q\n',
      [
        '2:1 expected a number in "a", got "1,5": write decimals with a point, and no separators of thousands; it is read as missing',
      ],
    ],
    [
      'equal names',
      'a,a,a.2,a\n1,2,3,4\n',
      [
        '1:3 two columns are called "a": this one is read as "a.3"',
        '1:9 two columns are called "a": this one is read as "a.4"',
      ],
    ],
    [
      'a single carriage return',
      'a,b\n1,x\r2,y\n',
      ['2:4 expected a line feed behind the carriage return: it is read as the end of the line'],
    ],
  ])('%s', async (_, text, expected) => {
    const table = await read(text);
    expect(problemsOf(table)).toEqual(expected);
    expect(table.problemCount).toBe(expected.length);
  });

  test('bytes that are not UTF-8', async () => {
    const bytes = Uint8Array.from([...bytesOf('a,b\nü'), 0xff, ...bytesOf('q,1\nz,2\n')]);
    const table = await readTable(bytes);
    expect(table.columns.a).toEqual(['ü\ufffdq', 'z']);
    expect(problemsOf(table)).toEqual([
      '2:1 expected UTF-8, got "ü\ufffdq": save the file as UTF-8; such bytes are read as U+FFFD',
    ]);
  });

  test('values of wrong rows are where they belong', async () => {
    const { columns } = await read('a,b,c\n1,x,2\n3\n4,y,5,6\n\n7,z,8\n');
    expect(columns).toEqual({
      a: Float64Array.of(1, 3, 4, 7),
      b: ['x', null, 'y', 'z'],
      c: Float64Array.of(2, NaN, 5, 8),
    });
  });

  test('the first 1,000 are kept in the order of the file, and all are counted', async () => {
    const text = `a,b\n${'1,2\n'.repeat(60_000)}${'w,3,4\n'.repeat(1500)}`;
    const { problems, problemCount } = await read(text);
    expect([problems.length, problemCount]).toEqual([1000, 3000]);
    expect(problems.slice(0, 3).map(({ line, column }) => [line, column])).toEqual([
      [60_002, 1],
      [60_002, 5],
      [60_003, 1],
    ]);
  });

  test('controls in what is shown are escaped', async () => {
    const { problems } = await read(`a,b\n${numbers(30)}\u202e,1\n`);
    expect(problems[0]?.what).toBe('expected a number in "a", got "\\u202e": it is read as missing');
  });
});

describe('remarks', () => {
  test('on a first column without a name that counts the rows, on codes, on columns that are empty', async () => {
    expect((await read(',zip,x\n0,01234,\n1,12345,\n2,12345,\n')).notes).toEqual([
      'column 0 has no name and counts the rows: is it pandas\' index? leave it out with "ignore"',
      'column "zip" is read as words: its values are codes of digits: some begin with a zero',
      'column "x" has no values',
    ]);
  });
});

describe('the label', () => {
  test.each([
    ['a,class,b\n1,2,x\n3,4,y\n', {}, { index: 1, name: 'class', reason: 'it is called "class"' }],
    ['a,kind,b\n1,p,3\n2,q,4\n', {}, { index: 1, name: 'kind', reason: 'it is the only column of words' }],
    ['a,b\n1,3\n2,4\n', {}, { index: 1, name: 'b', reason: 'it is the last column' }],
    ['a,kind,c\n1,p,x\n2,q,y\n', {}, undefined],
    ['a,kind,c\n1,p,x\n2,q,y\n', { label: 'c' }, { index: 2, name: 'c', reason: 'it was asked for' }],
    ['a,kind,c\n1,p,x\n2,q,y\n', { label: -1, ignore: ['a'] }, { index: 2, name: 'c', reason: 'it was asked for' }],
    ['a,b\n1,3\n2,4\n', { label: null }, undefined],
    ['a\n1\n2\n', {}, undefined],
  ] as const)('of %j with %j', async (text, options, expected) => {
    expect((await read(text, options)).label).toEqual(expected);
  });

  test('is refused if there is none of that name, or if it is left out', async () => {
    expect(await failure('a,b\n1,2\n', { label: 'c' })).toBe('x.csv: there is no column "c"; there are "a", "b"');
    expect(await failure('a,b\n1,2\n', { label: 'b', ignore: [1] })).toBe(
      'x.csv: column "b" is the label, so it cannot be in "ignore"',
    );
  });
});

describe('columns to ignore', () => {
  test('are left out', async () => {
    const { columns } = await read('a,b,c\n1,x,2\n3,"y\nz",4\n', { ignore: ['b', -1] });
    expect(columns).toEqual({ a: Float64Array.of(1, 3) });
  });

  test('are refused if nothing is left, or if they are not there', async () => {
    expect(await failure('a,b\n1,2\n', { ignore: [0, 1] })).toBe('x.csv: there is no column that is not ignored');
    expect(await failure('a,b\n1,2\n', { ignore: ['q'] })).toBe('x.csv:1: there is no column "q"; there are "a", "b"');
  });
});

describe('files that cannot be read at all', () => {
  test.each([
    ['', {}, 'x.csv: this is empty: there is nothing in it'],
    ['\n\n', {}, 'x.csv: there are no rows in it: only blank lines'],
    ['a,b\n', {}, 'x.csv: there are no rows in it: only a header'],
    ['a\u0000b', {}, 'x.csv: this is binary data, expected text: byte 1 is 0'],
    ['a,b,c\n1,2,3\n', { maxCols: 2 }, 'x.csv: its first line has more than 2 columns, and "maxCols" allows no more'],
    ['a,b\n1,2\n', { maxBytes: 5 }, 'x.csv: more than 5 bytes came, and "maxBytes" allows no more'],
  ])('%j with %j', async (text, options, message) => {
    expect(await failure(text, options)).toBe(message);
  });

  test('a wide header over many empty rows', async () => {
    const text = `${Array.from({ length: 60_000 }, (_, i) => `c${i}`).join(',')}\n${'1\n'.repeat(2000)}`;
    expect(await failure(text)).toMatch(
      /^x\.csv: its \d+ rows and 60000 columns have far more cells than it has values/,
    );
  });
});

describe('options are checked', () => {
  test.each([
    [{ format: 'xml' }, RangeError, `"format" must be 'csv', 'jsonl', 'json' or 'parquet', got "xml"`],
    [{ delimiter: '|' }, RangeError, `"delimiter" must be ',', '\t' or ';', got "|"`],
    [{ kinds: [] }, TypeError, '"kinds" must be an object of columns\' names and kinds, got an array of 0'],
    [{ kinds: 'text' }, TypeError, '"kinds" must be an object of columns\' names and kinds, got "text"'],
    [{ kinds: { a: 'date' } }, RangeError, `"kinds["a"]" must be 'number', 'category' or 'text', got "date"`],
    [{ maxCols: 0 }, RangeError, '"maxCols" must be an integer of at least 1, got 0'],
    [{ header: 1 }, TypeError, '"header" must be true or false, got 1'],
    [{ label: {} }, TypeError, '"label" must be a column\'s name or index, or null, got an object'],
    [{ signal: 1 }, TypeError, '"signal" must be an AbortSignal, got 1'],
    [
      { cols: 3 },
      RangeError,
      'readTable has no option "cols"; it has format, delimiter, header, label, ignore, kinds, maxCols, maxBytes, signal, name, onProgress',
    ],
  ])('%j', async (options, kind, message) => {
    const wrong = readTable(bytesOf('a,b\n1,2\n'), options as TableOptions);
    await expect(wrong).rejects.toThrow(new kind(message));
    await expect(wrong).rejects.toBeInstanceOf(kind);
  });
});

describe('a table is read from', () => {
  const text = 'a,b\n1,x\n2,y\n';
  const packed = gzipSync(text);
  const files = folder();
  const columns = { a: Float64Array.of(1, 2), b: ['x', 'y'] };

  test.each<[string, () => Source]>([
    ['a path', () => files.file('t.csv', text)],
    ['a Blob', () => new Blob([text])],
    ['a stream', () => new Blob([text]).stream()],
    ['an async iterable', () => inChunks(bytesOf(text), 1)],
    ['gzip', () => packed],
    ['gzip in single bytes', () => inChunks(packed, 1)],
  ])('%s', async (_, source) => {
    expect((await readTable(source())).columns).toEqual(columns);
  });

  test('until the signal ends it, with its reason', async () => {
    const controller = new AbortController();
    async function* endless() {
      for (;;) yield bytesOf('1,x\n'.repeat(1000));
    }
    const reading = readTable(endless(), { signal: controller.signal, onProgress: () => controller.abort('enough') });
    await expect(reading).rejects.toBe('enough');
  });
});

describe('what a hostile reviewer found', () => {
  test('a column called length can be given a kind', async () => {
    const table = await read('length,b\n1,x\n2,y\n', { kinds: { length: 'category' } });
    expect(table.columns.length).toEqual(['1', '2']);
    await expect(read('a,b\n1,2\n', { kinds: [] as never })).rejects.toThrow('"kinds" must be an object');
  });

  test('digits that are too many for a float64 are a problem, and no Infinity', async () => {
    const rows = Array.from({ length: 30 }, (_, i) => `${i}.5,${i % 2}`);
    const table = await read(`a,b\n${rows.join('\n')}\n${'9'.repeat(400)},1\n`);
    expect(table.columns.a?.[30]).toBeNaN();
    expect(table.problemCount).toBe(1);
  });
});
