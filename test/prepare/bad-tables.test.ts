// Tables and options that are refused: one sentence each, which names row and column; the encoder stays as it was.

import { Table as ArrowTable, Field, Float64, makeData, RecordBatch, Schema, Struct } from 'apache-arrow';
import { describe, expect, test } from 'vitest';
import { type Table, TableEncoder, type TableEncoderOptions } from '../../src/prepare/index.js';
import { type Any, type ErrorClass, refuses } from '../bad-input/refusals.js';

const fit = (table: Any, options?: TableEncoderOptions) => () => new TableEncoder(options).fit(table as Table);
const fitted = new TableEncoder({ unknown: 'refuse' }).fit([{ age: 20, city: 'Rome' }, { age: 30, city: 'Oslo' }]); // biome-ignore format: rows
const before = JSON.stringify(fitted);

describe('tables that are refused in fit', () => {
  const own = (values: Any[], extra: Any = {}) => values.map((a) => ({ a, ...extra }));
  test.each<[string, Any, ErrorClass, string]>([
    [
      'undefined',
      undefined,
      TypeError,
      'the table must be an array of records, { columns } or an Arrow table, got undefined',
    ],
    [
      'one record',
      { a: 1 },
      TypeError,
      'the table must be an array of records, { columns } or an Arrow table, got an object; put one record into an array',
    ],
    ['no records', [], RangeError, 'the table has no rows'],
    ['records without keys', [{}, {}], RangeError, 'the table has no columns'],
    [
      'rows of numbers',
      [[1, 2]],
      TypeError,
      'row 0 of the table must be a record such as { age: 41 }, got an array of 2',
    ],
    ['null', [{ a: 1 }, null], TypeError, 'row 1 of the table must be a record such as { age: 41 }, got null'],
    ['no columns', { columns: {} }, RangeError, 'the table has no columns'],
    ['empty columns', { columns: { a: [] } }, RangeError, 'the table has no rows'],
    ['a column that is a string', { columns: { a: 'abc' } }, TypeError, 'column "a" must be an array, got "abc"'],
    [
      'columns of other lengths',
      { columns: { a: [1, 2], b: [1] } },
      RangeError,
      'column "b" has 1 values, column "a" has 2',
    ],
    [
      'Infinity',
      own([1, Infinity]),
      RangeError,
      'row 1, column "a" must be a finite number, got Infinity; give null for a missing value',
    ],
    [
      'NaN',
      own([1, NaN]),
      RangeError,
      `row 1, column "a" is missing (NaN): set "missing" to 'mean', 'median', 'most-frequent' or 'zero'`,
    ],
    [
      'a key that a record lacks',
      [{ a: 1, b: 2 }, { a: 3 }],
      RangeError,
      `row 1, column "b" is missing (undefined): set "missing" to 'mean', 'median', 'most-frequent' or 'zero'`,
    ],
    [
      'a key that earlier records lack',
      [{ a: 1 }, { a: 3, b: 2 }],
      RangeError,
      `row 0, column "b" is missing (undefined): set "missing" to 'mean', 'median', 'most-frequent' or 'zero'`,
    ],
    [
      'an inexact bigint',
      own([2n ** 53n + 1n]),
      RangeError,
      `row 0, column "a" is 9007199254740993n, which no number equals exactly: make it a 'category', 'ignore' the column, or round it with Number(value)`,
    ],
    [
      'an endless bigint',
      own([10n ** 400n]),
      RangeError,
      `row 0, column "a" is 1${'0'.repeat(56)}..., which no number equals exactly: make it a 'category', 'ignore' the column, or round it with Number(value)`,
    ],
    [
      'a Date',
      own([1, new Date(0)]),
      TypeError,
      `row 1, column "a" must be a string, a finite number or a boolean, got an object: give date.getTime(), or 'ignore' the column`,
    ],
    [
      'an object',
      own([{}, 'b']),
      TypeError,
      `row 0, column "a" must be a string, a finite number or a boolean, got an object: give a number or a string, or 'ignore' the column`,
    ],
    [
      'an array',
      own(['b', [1]]),
      TypeError,
      `row 1, column "a" must be a string, a finite number or a boolean, got an array of 1: give a number or a string, or 'ignore' the column`,
    ],
    [
      'numbers whose sum is too large',
      own([1e308, 1e308]),
      RangeError,
      'column "a" has values too large to scale: their sum is Infinity',
    ],
    [
      'nothing but missing values',
      own([null, null]),
      RangeError,
      'every column of the table is ignored: "a" (every value is missing)',
    ],
  ])('%s', (_what, table, type, message) => {
    refuses(fit(table), type, message);
    refuses(() => fitted.fit(table), type, message);
    expect(JSON.stringify(fitted)).toBe(before);
  });

  test('a string in a number column, by row and column', () => {
    const message = `row 1, column "a" must be a finite number, got "x"; make the column a 'category' or 'text', or give null for a missing value`;
    refuses(fit(own([1, 'x']), { columns: { a: 'number' } }), TypeError, message);
  });

  test('a declared column without any value, or that is not there', () => {
    const options: TableEncoderOptions = { columns: { a: 'number' }, missing: 'zero' };
    refuses(
      fit(own([null, NaN]), options),
      RangeError,
      `column "a" has no value: every one is missing; 'ignore' the column`,
    );
    refuses(
      fit([{ Ages: 1 }], { columns: { age: 'number' } }),
      RangeError,
      'the table has no column "age": is it "Ages" there?',
    );
  });

  test('a text column without a word', () => {
    const columns = { a: 'text' } as const;
    refuses(fit(own(['!', '']), { columns }), RangeError, /^column "a": the texts have no words/);
  });

  test('two columns of one name in an Arrow schema', () => {
    const field = new Field('a', new Float64());
    const child = makeData({ type: new Float64(), data: new Float64Array([1, 2]) });
    const struct = new Struct<Any>([field, field]);
    const batch = new RecordBatch(
      new Schema([field, field]),
      makeData({ type: struct, children: [child, child], length: 2 }) as Any,
    );
    refuses(fit(new ArrowTable([batch])), RangeError, 'the table has two columns "a": rename one, or select columns');
  });

  test('a million different values in a category column, by row 100,000', () => {
    let read = 0;
    const valueAt = (i: number) => {
      read = i;
      return `v${i}`;
    };
    const values = new Proxy({ length: 1_000_000 } as ArrayLike<string>, {
      get: (list, key) => (key === 'length' ? list.length : valueAt(Number(key))),
    });
    const message = `column "a" has more than 100000 different values, by row 100000: 'ignore' it if it is an ID, make it 'text', or allow more with { type: 'category', maxValues: 1000000 }`;
    refuses(fit({ columns: { a: values } }, { columns: { a: 'category' } }), RangeError, message);
    expect(read).toBe(100_000);
    const few = { columns: { a: { type: 'category', maxValues: 2 } } } as const;
    refuses(fit(own(['x', 'y', 'x', 'z']), few), RangeError, /^column "a" has more than 2 different values, by row 3:/);
  });

  test('a guessed column of 100,001 different values is an ID, with one that repeats it is refused', () => {
    const values = Array.from({ length: 100_002 }, (_, i) => `v${i}`);
    const n = new Uint8Array(values.length);
    expect(new TableEncoder().fit({ columns: { a: values, n } }).columns[0]).toMatchObject({ kind: 'ignore' });
    values[5] = 'v4';
    refuses(fit({ columns: { a: values, n } }), RangeError, /more than 100000 different values/);
  });
});

describe('tables that are refused in transform', () => {
  test.each<[string, Any, ErrorClass, string]>([
    [
      'a column that is not there',
      [{ age: 1 }],
      RangeError,
      'the table has no column "city"; give null for a missing value',
    ],
    [
      'one of another name',
      [{ AGE: 1, city: 'Rome' }],
      RangeError,
      'the table has no column "age": is it "AGE" there?',
    ],
    [
      'a typing error',
      { columns: { age: [1], ctiy: ['Rome'] } },
      RangeError,
      'the table has no column "city": is it "ctiy" there?',
    ],
    [
      'an unknown category',
      [
        { age: 1, city: 'Rome' },
        { age: 1, city: 'Bonn' },
      ],
      RangeError,
      'row 1, column "city" is "Bonn", which was not in fit',
    ],
    ['a missing value', [{ age: 1, city: null }], RangeError, 'row 0, column "city" is missing (null)'],
    [
      'a string as a number',
      [{ age: '1', city: 'Rome' }],
      TypeError,
      'row 0, column "age" must be a finite number, got "1"',
    ],
    ['no rows', [], RangeError, 'the table has no rows'],
  ])('%s', (_what, table, type, message) => {
    refuses(() => fitted.transform(table), type, message);
    expect(JSON.stringify(fitted)).toBe(before);
  });

  test('one record: without a row in the message', () => {
    refuses(
      () => fitted.transformOne({ age: Infinity, city: 'Rome' }),
      RangeError,
      'column "age" must be a finite number, got Infinity',
    );
    refuses(() => fitted.transformOne({ age: 1 }), RangeError, 'x has no column "city"; give null for a missing value');
    refuses(() => fitted.transformOne([1]), TypeError, 'x must be a record such as { age: 41 }, got an array of 1');
    const huge = new TableEncoder().fit([{ a: 0 }, { a: 1e-150 }]);
    refuses(() => huge.transformOne({ a: 1e300 }), RangeError, 'column "a" is too large: scaled it is Infinity');
  });

  test('inherited properties are not columns', () => {
    refuses(() => fitted.transform([Object.create({ age: 1, city: 'Rome' })]), RangeError, /has no column "age"/);
  });

  test('unknown categories are ignored by default', () => {
    const encoder = new TableEncoder().fit([{ c: 'x' }, { c: 'y' }, { c: 'x' }]);
    expect(encoder.transformOne({ c: 'z' })).toEqual(Float64Array.of(0, 0));
  });
});

test.each<[Any, ErrorClass, string]>([
  [
    { missing: 'drop' },
    RangeError,
    `"missing" must be 'refuse', 'mean', 'median', 'most-frequent' or 'zero', got "drop"`,
  ],
  [{ indicator: 1 }, TypeError, '"indicator" must be true or false, got 1'],
  [{ unknown: 'error' }, RangeError, `"unknown" must be 'ignore' or 'refuse', got "error"`],
  [
    { handle_unknown: 'ignore' },
    RangeError,
    'TableEncoder has no option "handle_unknown": do you mean "unknown"?; it has columns, missing, indicator, unknown, standardize',
  ],
  [{ columns: ['a'] }, TypeError, `"columns" must be an object such as { age: 'number' }, got an array of 1`],
  [
    { columns: { a: 'numeric' } },
    RangeError,
    `"columns.a" must be 'number', 'category', 'text' or 'ignore', got "numeric"`,
  ],
  [
    { columns: { a: {} } },
    RangeError,
    `"columns.a.type" must be 'number', 'category', 'text' or 'ignore', got undefined`,
  ],
  [
    { columns: { a: { type: 'number', unknown: 'ignore' } } },
    RangeError,
    `"columns.a" of type 'number' has no option "unknown"; it has type, missing, indicator, standardize`,
  ],
  [
    { columns: { a: { type: 'category', maxValues: 0 } } },
    RangeError,
    '"columns.a.maxValues" must be an integer ≥ 1, got 0',
  ],
])('options %j are refused', (options, type, message) => {
  refuses(() => new TableEncoder(options), type, message);
});

describe('a file that was edited', () => {
  const encoder = new TableEncoder({ missing: 'zero' }).fit([
    { n: 1, c: 'x', t: 'words of a text' },
    { n: 2, c: 'y', t: 'more words in it' },
  ]);
  const edited = (edit: (json: Any) => void) => {
    const json: Any = JSON.parse(JSON.stringify(encoder));
    edit(json);
    return () => TableEncoder.fromJSON(json);
  };
  test.each<[string, (json: Any) => void, ErrorClass, string | RegExp]>([
    [
      'type',
      (json) => {
        json.type = 'scaler';
      },
      RangeError,
      'model JSON: type must be "table-encoder", got "scaler"',
    ],
    [
      'columns',
      (json) => {
        json.columns = {};
      },
      TypeError,
      'model JSON: columns must be an array, got an object',
    ],
    [
      'no columns',
      (json) => {
        json.columns = [];
      },
      TypeError,
      'model JSON: columns must be a list with columns that are used, got an array of 0',
    ],
    [
      'a name twice',
      (json) => {
        json.columns[1].name = 'n';
      },
      RangeError,
      'model JSON: columns[1].name is "n", as that of another column',
    ],
    [
      'kind',
      (json) => {
        json.columns[0].kind = 'date';
      },
      RangeError,
      'model JSON: columns[0].kind must be "number" or "category" or "text" or "ignore", got "date"',
    ],
    [
      'scale',
      (json) => {
        json.columns[0].scale = 0;
      },
      RangeError,
      'model JSON: columns[0].scale must be a number > 0, got 0',
    ],
    [
      'fill',
      (json) => {
        json.columns[0].fill = null;
      },
      TypeError,
      'model JSON: columns[0].fill must be a finite number, got null',
    ],
    [
      'values',
      (json) => json.columns[1].values.push('x'),
      RangeError,
      'model JSON: columns[1].values must all be different',
    ],
    [
      'a value that is no string',
      (json) => json.columns[1].values.push(1),
      TypeError,
      'model JSON: columns[1].values[2] must be a string, got 1',
    ],
    [
      'declared',
      (json) => {
        delete json.columns[1].declared;
      },
      TypeError,
      'model JSON: columns[1].declared must be true or false, got undefined',
    ],
    [
      'options',
      (json) => {
        json.options.missing = 1;
      },
      RangeError,
      /^model JSON: "missing" must be 'refuse'/,
    ],
    [
      'the options of words',
      (json) => {
        json.columns[2].text.options.lowercase = false;
      },
      RangeError,
      /^model JSON: columns\[2\]\.text\.options are not those/,
    ],
  ])('%s: an error that names the field', (_what, edit, type, message) => {
    refuses(edited(edit), type, message);
  });
});
