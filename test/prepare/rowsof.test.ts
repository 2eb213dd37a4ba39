// rowsOf: columns of numbers in the rows of a DenseMatrix.

import { tableFromArrays, tableFromJSON } from 'apache-arrow';
import { expect, test } from 'vitest';
import { type NumberTable, rowsOf } from '../../src/prepare/index.js';
import { type Any, refuses } from '../bad-input/refusals.js';
import { rowsIn } from './tables.js';

test('columns of every kind of list, in blocks of any size', () => {
  for (const [rows, cols] of [
    [1, 1],
    [3, 2],
    [70_000, 2],
    [17, 5000],
    [2050, 9],
  ] as const) {
    // biome-ignore format: sizes
    const lists = Array.from({ length: cols }, (_, k) => {
      const values = Array.from({ length: rows }, (_, i) => (i * 31 + k * 7) % 101);
      return [values, Float64Array.from(values), Float32Array.from(values), Uint8Array.from(values)][k % 4]!;
    });
    const X = rowsOf({ columns: Object.fromEntries(lists.map((list, k) => [`c${k}`, list])) });
    expect([X.rows, X.cols]).toEqual([rows, cols]);
    const { data } = X;
    let wrong = 0;
    for (let i = 0; i < rows; i++) for (let k = 0; k < cols; k++) if (data[i * cols + k] !== lists[k]![i]) wrong++;
    expect(wrong).toBe(0);
    X.dispose();
  }
});

test('an Arrow table: floats, integers, exact bigints, booleans', () => {
  const arrow = tableFromArrays({ a: Float64Array.of(1.5, -0), b: Int32Array.of(7, 8), c: BigInt64Array.of(9n, -1n) });
  const rows = rowsIn(rowsOf(arrow as unknown as NumberTable));
  expect(rows).toEqual([
    [1.5, 7, 9],
    [-0, 8, -1],
  ]);
  const flags = tableFromJSON([{ a: true }, { a: false }]) as unknown as NumberTable;
  expect(rowsIn(rowsOf(flags))).toEqual([[1], [0]]);
});

test('what is no number is refused with the class that takes it', () => {
  const one = (value: Any) => () => rowsOf({ columns: { a: [1, value] } });
  const text = 'row 1, column "a" must be a number, got "x": a TableEncoder takes categories and text';
  refuses(one('x'), TypeError, text);
  refuses(one(null), RangeError, 'row 1, column "a" is missing (null): a TableEncoder fills missing values');
  refuses(one(NaN), RangeError, 'row 1, column "a" is missing (NaN): a TableEncoder fills missing values');
  refuses(
    one(Infinity),
    RangeError,
    'row 1, column "a" must be a finite number, got Infinity; give null for a missing value',
  );
  const holes = tableFromJSON([{ a: 1 }, { a: null }]) as unknown as NumberTable;
  refuses(() => rowsOf(holes), RangeError, 'row 1, column "a" is missing (null): a TableEncoder fills missing values');
  refuses(
    () => rowsOf([{ a: 1 }] as Any),
    TypeError,
    'rowsOf takes { columns } or an Arrow table, got an array of 1: records are for a TableEncoder',
  );
  refuses(() => rowsOf({ columns: { a: [1], b: [] } }), RangeError, 'column "b" has 0 values, column "a" has 1');
});
