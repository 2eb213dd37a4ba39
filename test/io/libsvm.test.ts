import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Perceptron, SparseMatrix } from '../../src/index.js';
import { type ReadOptions, readLibsvm } from '../../src/io/index.js';
import { bytesOf, dataErrorOf, inChunks, plain } from './helpers.js';

const read = async (text: string, options?: ReadOptions) => plain(await readLibsvm(bytesOf(text), options));
const failure = async (text: string, options?: ReadOptions) => {
  const { message } = await dataErrorOf(() => readLibsvm(bytesOf(text), { name: 'x.txt', ...options }));
  return message;
};

describe('LIBSVM text', () => {
  test('becomes sparse rows and numeric labels', async () => {
    expect(await read('+1 1:2 3:-4.5\n-1 2:1e-3\n')).toEqual({
      rows: 2,
      cols: 3,
      values: [
        [
          [0, 2],
          [2, -4.5],
        ],
        [[1, 0.001]],
      ],
      y: [1, -1],
      format: 'libsvm',
    });
    expect((await readLibsvm(bytesOf('1 1:1'))).X).toBeInstanceOf(SparseMatrix);
  });

  test('may have comments, blank lines, queries, tabs, Windows line ends, a byte order mark and no last line end', async () => {
    const text = '\ufeff# a header\r\n\r\n 1 qid:3 1:2\t 2:3 # 7:8\r\n   \n#\n2 # nothing else\n3 4:5';
    const { values, y } = await read(text);
    expect(y).toEqual([1, 2, 3]);
    expect(values).toEqual([
      [
        [0, 2],
        [1, 3],
      ],
      [],
      [[3, 5]],
    ]);
  });

  test('keeps zeros that are written, and the sign of −0; the label −0 is 0', async () => {
    expect(await read('-0 1:0 2:-0')).toMatchObject({
      y: [0],
      cols: 2,
      values: [
        [
          [0, 0],
          [1, -0],
        ],
      ],
    });
  });

  test('has labels of several classes, whole or not', async () => {
    expect((await read('0\n1\n2.5\n1e3\n')).y).toEqual([0, 1, 2.5, 1000]);
  });

  test('with `cols` has as many: missing ones are 0, values beyond are left out and counted', async () => {
    expect(await read('1 2:5 4:1 9:1\n-1 5:1\n', { cols: 4 })).toMatchObject({
      cols: 4,
      ignored: 2,
      values: [
        [
          [1, 5],
          [3, 1],
        ],
        [],
      ],
    });
    expect(await read('1 2:5\n', { cols: 100 })).toMatchObject({ cols: 100, ignored: 0 });
  });
});

describe('LIBSVM text that is wrong is refused with its place:', () => {
  test.each([
    ['1 1:2\n-1 0:3\n', '2:4: expected an index of at least 1, got 0: indices count from 1'],
    ['1 2:1 1:3\n', '1:7: expected ascending indices, but 1 comes after 2'],
    ['1 2:1 2:3\n', '1:7: expected ascending indices, but 2 comes twice'],
    ['1 2147483648:1', '1:3: expected an index of at most 2147483647, got 2147483648'],
    ['+1 2147483647:1', '1:4: expected an index of at most 16777216 ("maxCols"), got 2147483647'],
    ['1 1:nan', '1:5: expected a value that is a finite number, got "nan"'],
    ['1 1:1 2:-inf\n', '1:9: expected a value that is a finite number, got "-inf"'],
    ['1 1:1e999', '1:5: the value "1e999" is too large for a float64'],
    ['1 3:', '1:5: expected a value behind "3:"'],
    ['1 3: 4:5', '1:5: expected a value behind "3:"'],
    ['1 3:4:5', '1:5: expected a value that is a finite number, got "4:5"'],
    ['1 3', '1:3: expected index:value, got "3"'],
    ['1 a:3', '1:3: expected index:value, got "a:3"'],
    ['1 -3:3', '1:3: expected index:value, got "-3:3"'],
    ['1 1.5:3', '1:3: expected index:value, got "1.5:3"'],
    ['1 :3', '1:3: expected index:value, got ":3"'],
    ['spam 1:2', '1:1: expected a label that is a number, got "spam"'],
    ['NaN 1:2', '1:1: expected a label that is a number, got "NaN"'],
    ['1e999 1:2', '1:1: the label "1e999" is too large for a float64'],
    ['1 1:2\n1:2 2:3', '2:1: expected a label that is a number, got "1:2"'],
    ['1 1:2 qid:3', '1:7: expected one qid, directly behind the label, got "qid:3"'],
    ['1 qid:1 qid:2', '1:9: expected one qid, directly behind the label, got "qid:2"'],
    ['1 qid:x 1:2', '1:7: expected a number behind qid:, got "qid:x"'],
    ['1 1:2\r-1 1:3\r', '1:6: expected a line feed behind the carriage return'],
    ['# c\n\n1 1:\u00e9\u0007\n', '3:5: expected a value that is a finite number, got "é\\u0007"', 5000],
    [
      '1,2 1:3',
      '1:1: expected a label that is a number, got "1,2"; rows with several labels are not supported, and CSV is read with readCsv or readData',
    ],
  ] as [string, string, number?][])('%j', async (text, message, comment = 0) => {
    expect(await failure('#'.repeat(comment) + text)).toBe(`x.txt:${message}`);
  });

  test('with source, line and column as properties', async () => {
    const error = await dataErrorOf(() => readLibsvm(bytesOf('1 1:2\n1 0:1'), { name: 'x.txt' }));
    expect(error).toMatchObject({ name: 'DataError', source: 'x.txt', line: 2, column: 3 });
  });

  test('`maxCols` sets the guard, and `cols` widens it', async () => {
    expect(await failure('1 11:1', { maxCols: 10 })).toBe(
      'x.txt:1:3: expected an index of at most 10 ("maxCols"), got 11',
    );
    expect(await read('1 11:1', { maxCols: 10, cols: 12 })).toMatchObject({ cols: 12 });
  });

  test.each([
    ['', 'x.txt: this is empty: there is nothing in it'],
    ['# one\n# two\n\n', 'x.txt: there are no rows in it: only comments and blank lines'],
    ['PK\u0003\u0004\u0000\u0000', 'x.txt: this is a zip archive'],
    ['1 1:2\u0000', 'x.txt: this is binary data, expected text: byte 5 is 0'],
  ])('no data at all: %j', async (text, message) => {
    expect(await failure(text)).toContain(message);
  });
});

describe('long lines', () => {
  test('a row of 10 MB is read in about the time of many short ones', async () => {
    const count = 1_000_000;
    const pairs = Array.from({ length: count }, (_, k) => `${k + 1}:1`);
    const { X } = await readLibsvm(bytesOf(`1 ${pairs.join(' ')}\n`));
    expect([X.rows, X.cols]).toEqual([1, count]);
    X.dispose();
  });

  test('a comment of 30 MB is skipped', async () => {
    expect((await read(`1 1:2 #${'x'.repeat(30_000_000)}\n2 1:3`)).y).toEqual([1, 2]);
  });

  test('a field of more than 64 KiB is refused, wherever chunks end', async () => {
    const text = `1 1:${'0'.repeat(100_000)}1 2:3`;
    const message =
      'x.txt:1:3: a field of more than 65536 bytes, beginning with "1:00000000000000000000000000000000000..."';
    expect(await failure(text)).toBe(message);
    expect(await failure(`1 ${'x'.repeat(30_000_000)}`)).toContain('x.txt:1:3: a field of more than 65536 bytes');
    const source = inChunks(bytesOf(text), 1000, 64, 70_000);
    expect((await dataErrorOf(() => readLibsvm(source, { name: 'x.txt' }))).message).toBe(message);
  });

  test('a number of many digits is a number', async () => {
    expect((await read(`1 1:0.${'1'.repeat(60_000)}`)).values).toEqual([[[0, 0.1111111111111111]]]);
  });
});

const train = new URL('../../../shared/data/agaricus.txt.train', import.meta.url);

test.skipIf(!existsSync(train))('agaricus is read as it is', async () => {
  const { X, y } = await readLibsvm(train);
  expect([X.rows, X.cols, y.length]).toEqual([6513, 126, 6513]);
  expect(new Set(y)).toEqual(new Set([0, 1]));
  expect(
    new Perceptron({ engine: 'js' }).fit({ data: dense(X as SparseMatrix), rows: X.rows, cols: X.cols }, y).report,
  ).toMatchObject({
    epochs: 15,
    mistakes: 139,
  });
  X.dispose();
});

function dense(X: SparseMatrix): Float64Array {
  const data = new Float64Array(X.rows * X.cols);
  for (let i = 0; i < X.rows; i++) {
    const { indices, values } = X.row(i);
    indices.forEach((column, k) => {
      data[i * X.cols + column] = values[k] as number;
    });
  }
  return data;
}
