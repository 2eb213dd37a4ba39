// What serving uses of a table encoder: its JSON read, one row at a time encoded, names of features; without fitting.

import { expect, test } from 'vitest';
import { RowBuffer } from '../../src/data/entries.js';
import { tableFrom } from '../../src/encode/table.js';
import { tableOf as servedTableOf } from '../../src/encode/tables.js';
import { TableEncoder } from '../../src/prepare/index.js';
import { namesInRecord } from '../../src/prepare/names.js';
import { recordOf, tableOf } from '../../src/prepare/tables.js';
import { type Any, refuses } from '../bad-input/refusals.js';

const records = [
  { age: 20, city: 'Rome', note: 'likes long walks' },
  { age: null, city: 'Oslo', note: null },
  { age: 40, city: null, note: 'likes short walks' },
];
const encoder = new TableEncoder({ missing: 'mean', indicator: true, columns: { note: 'text' } }).fit(records);
const json = () => JSON.parse(JSON.stringify(encoder));

test('a saved encoder encodes as the encoder does', () => {
  const encoding = tableFrom(json(), '');
  expect(encoding.columns).toEqual(['age', 'city', 'note']);
  expect([encoding.cols, encoding.isSparse]).toEqual([encoder.outputCols, true]);
  const { rows, value } = servedTableOf(records, encoding.columns);
  expect(rows).toBe(3);
  records.forEach((record, i) => {
    const row = new RowBuffer();
    encoding.encode((k) => value(i, k), i, row);
    const { indices, values } = encoder.transformOne(record) as { indices: Uint32Array; values: Float64Array };
    expect(row.columns.slice(0, row.length)).toEqual(indices);
    expect(row.values.slice(0, row.length)).toEqual(values);
    const names = namesInRecord(encoding, record);
    encoder.featureNames.forEach((name, k) => void expect(names(k)).toBe(name));
  });
});

test('a step inside a file: errors name the field from the top', () => {
  const edited = (edit: (json: Any) => void) => {
    const copy = json();
    edit(copy);
    return () => tableFrom(copy, 'steps[0]');
  };
  const scale = edited(({ columns }) => {
    columns[0].scale = -1;
  });
  refuses(scale, RangeError, 'model JSON: steps[0].columns[0].scale must be a number > 0, got -1');
  const vocabulary = edited(({ columns }) => {
    columns[2].text.vocabulary = [];
  });
  refuses(vocabulary, RangeError, /^model JSON: steps\[0\]\.columns\[2\]\.text\.vocabulary must/);
  refuses(() => tableFrom('{}', 'steps[0]'), TypeError, /^model JSON: steps\[0\]: model JSON must be an object/);
});

test('columns of records: all keys, those of later records behind; a table is recognised by its shape', () => {
  const view = tableOf([{ b: 1 }, { a: 2, b: 3 }, Object.assign(Object.create(null), { c: 4 })]);
  view.scan?.(0, view.rows);
  expect(view.columns).toEqual(['b', 'a', 'c']);
  expect([0, 1, 2].map((k) => view.value(1, k))).toEqual([3, 2, undefined]);
  const polluted = JSON.parse('[{ "__proto__": 5, "constructor": 6 }]');
  const strange = tableOf(polluted, ['__proto__', 'constructor']);
  expect([strange.value(0, 0), strange.value(0, 1)]).toEqual([5, 6]);
  expect(recordOf({ a: 1, b: 2 }, ['b', 'a'])(0)).toBe(2);
  refuses(
    () => tableOf([{}], ['toString']),
    RangeError,
    'the table has no column "toString"; give null for a missing value',
  );
});

test('serving takes records and columns, none too; others and columns that are not there are refused', () => {
  expect(servedTableOf([], ['a']).rows).toBe(0);
  expect(servedTableOf({ columns: { a: [] } }, ['a']).rows).toBe(0);
  const { rows, value } = servedTableOf({ columns: { a: [1, 2], b: 'unused' } }, ['a']);
  expect([rows, value(1, 0)]).toEqual([2, 2]);
  expect(servedTableOf([{ a: 1 }, { b: 2 }], ['b', 'a']).value(0, 0)).toBe(undefined);
  refuses(() => servedTableOf(7, ['a']), TypeError, 'the table must be an array of records or { columns }, got 7');
  for (const table of [[{ A: 1 }], { columns: { A: [1] } }]) {
    refuses(
      () => servedTableOf(table, ['a']),
      RangeError,
      'the table has no column "a"; give null for a missing value',
    );
  }
  refuses(
    () => servedTableOf([{ a: 1 }, 3], ['a']).value(1, 0),
    TypeError,
    'row 1 of the table must be a record such as { age: 41 }, got 3',
  );
});

test('what another library put on Object.prototype is no option and no column', () => {
  const inherited: Any = Object.prototype;
  try {
    inherited.missing = 'zero';
    inherited.columns = { a: [1] };
    inherited.numRows = 1;
    refuses(() => new TableEncoder({ columns: { a: 'number' } }).fit([{ a: null }]), RangeError, /is missing/);
    refuses(() => tableOf({}), TypeError, /^the table must be/);
  } finally {
    delete inherited.missing;
    delete inherited.columns;
    delete inherited.numRows;
  }
});
