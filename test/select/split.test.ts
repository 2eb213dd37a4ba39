// split: sizes, shares of classes, groups, and every form of X.

import { describe, expect, test } from 'vitest';
import { DenseMatrix, SparseMatrix } from '../../src/index.js';
import { type SplitOptions, split } from '../../src/select/index.js';

const labels = (...counts: number[]) => counts.flatMap((n, k) => new Array<string>(n).fill('abc'[k] as string));
const rowsFor = (y: readonly unknown[]) => y.map((_, i) => [i, -i]);

describe('split', () => {
  test('takes ⌈share · rows⌉ rows to test with, of each class its share', () => {
    const y = labels(50, 30, 21);
    const { train, test: held } = split(rowsFor(y), y, { test: 0.2 });
    expect(held.y).toHaveLength(21);
    expect(['a', 'b', 'c'].map((label) => held.y.filter((each) => each === label).length)).toEqual([10, 6, 5]);
    expect([...train.indices, ...held.indices].sort((a, b) => a - b)).toEqual(y.map((_, i) => i));
    expect(held.X).toEqual(Array.from(held.indices, (i) => [i, -i]));
    expect(held.indices).toEqual(held.indices.slice().sort());
  });

  test('does not round 0.07 · 100 up, and splits a quarter off by default', () => {
    const y = labels(50, 50);
    expect(split(rowsFor(y), y, { test: 0.07 }).test.y).toHaveLength(7);
    expect(split(rowsFor(y), y).test.y).toHaveLength(25);
  });

  test('is the same for a seed, and another for another', () => {
    const y = labels(40, 40);
    const of = (options: SplitOptions) => [...split(rowsFor(y), y, options).test.indices];
    expect(of({ seed: 1 })).toEqual(of({ seed: 1 }));
    expect(of({ seed: 1 })).not.toEqual(of({ seed: 2 }));
    expect(of({ stratify: false })).toHaveLength(20);
  });

  test('leaves one row of each class to train on', () => {
    const y = labels(2, 30);
    expect(split(rowsFor(y), y, { test: 0.9 }).train.y.filter((label) => label === 'a')).toHaveLength(1);
  });

  test('keeps the rows of a group together, and classes about even', () => {
    const y = Array.from({ length: 120 }, (_, i) => i % 3);
    const groups = y.map((_, i) => `g${i % 20}`);
    const { train, test: held } = split(rowsFor(y), y, { groups });
    const of = (indices: Uint32Array) => new Set(Array.from(indices, (i) => groups[i]));
    expect([...of(train.indices)].filter((group) => of(held.indices).has(group))).toEqual([]);
    expect(held.y).toHaveLength(30);
  });

  const y = labels(4, 4);
  const list = rowsFor(y);
  const flat = Float32Array.from(list.flat());
  const rowsOf: Record<string, [unknown, (part: never) => unknown]> = {
    texts: [y.map((_, i) => `text ${i}`), (part: string[]) => part.map((text) => [Number(text.slice(5))])],
    records: [y.map((_, i) => ({ i })), (part: { i: number }[]) => part.map(({ i }) => [i])],
    columns: [
      { columns: { i: Float64Array.from(y, (_, i) => i), name: y } },
      ({ columns }: { columns: { i: Float64Array } }) => Array.from(columns.i, (i) => [i]),
    ],
    'an Arrow table': [
      { numRows: 8, schema: { fields: [{ name: 'i' }] }, getChild: () => ({ get: (i: number) => i }) },
      ({ columns }: { columns: { i: number[] } }) => columns.i.map((i) => [i]),
    ],
    'flat rows': [
      { data: flat, rows: 8, cols: 2 },
      ({ data, rows }: { data: Float32Array; rows: number }) => Array.from({ length: rows }, (_, r) => [data[2 * r]]),
    ],
    'a DenseMatrix': [
      DenseMatrix.from(list),
      (part: DenseMatrix) => Array.from({ length: part.rows }, (_, r) => [part.row(r)[0]]),
    ],
    'CSR parts': [
      SparseMatrix.fromDense(list).toParts(),
      (part: SparseMatrix) => Array.from({ length: part.rows }, (_, r) => [part.row(r).values[0] ?? 0]),
    ],
    'an iterable': [new Set(y.map((_, i) => i)), (part: number[]) => part.map((i) => [i])],
  };

  test.each(Object.entries(rowsOf))('takes rows of %s', (_, [X, read]) => {
    const { train, test: held } = split(X, y);
    expect(read(train.X as never)).toEqual(Array.from(train.indices, (i) => [i]));
    expect(read(held.X as never)).toEqual(Array.from(held.indices, (i) => [i]));
  });

  test.each<[unknown, unknown, object, RegExp]>([
    [list, y, { test: 0 }, /"test" must be a number above 0 and below 1, got 0/],
    [list, y, { test: '0.5' }, /"test" must be a number above 0 and below 1, got "0.5"/],
    [list, y, { seed: -1 }, /"seed" must be/],
    [list, y, { stratify: 1 }, /"stratify" must be true or false, got 1/],
    [list, y, { size: 0.5 }, /split has no option "size"/],
    [list, y.slice(1), {}, /y has 7 labels, X has 8 rows/],
    [list, y.map(() => 1), {}, /y has one class only \(1\)/],
    [[], [], {}, /X has no rows/],
    [42, y, {}, /X must be rows of numbers, a matrix, an array of texts or a table, got 42/],
    [list, y, { groups: [1, 2] }, /"groups" has 2 values, X has 8 rows/],
    [list, y, { groups: 3 }, /"groups" must be an array/],
    [list, y, { groups: y.map(() => null) }, /groups\[0\] must be a number or a string, got null/],
    [list, y, { groups: y.map(() => 1) }, /too few groups/],
    [
      list,
      y,
      { groups: y, stratify: false, test: 0.5 },
      /the training part would be trained without rows of class "."/,
    ],
  ])('refuses what it cannot split (%#)', (X, labels, options, message) => {
    expect(() => split(X, labels as string[], options)).toThrow(message);
  });
});
