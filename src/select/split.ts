// split: rows to train on, and rows to test with.

import { expectOptions, number } from '../errors.js';
import type { Label, Labels } from '../index.js';
import { Random } from '../random.js';
import { boolean, seed as seedCheck } from '../train/checks.js';
import { countsIn, dealGroups, rowsByClass } from './folds.js';
import { type Classified, classify, expectEveryClass, groupsOf } from './labels.js';
import { inputOf } from './rows.js';

/** Options of `split`. */
export interface SplitOptions {
  /** The share of the rows to test with. Default 0.25. */
  test?: number;
  /** Whether both parts get the same share of every class. Default true. */
  stratify?: boolean;
  /** An integer from 0 to 2³² − 1. Default 0. */
  seed?: number;
  /** The group of each row: rows of a group stay together. */
  groups?: ArrayLike<number | string | boolean>;
}

/** Some rows of X and their labels. */
export interface Part<In, L extends Label> {
  readonly X: In;
  readonly y: L[];
  /** Their numbers in X, ascending. */
  readonly indices: Uint32Array;
}

/** The two parts that `split` makes. */
export interface Split<In, L extends Label> {
  readonly train: Part<In, L>;
  readonly test: Part<In, L>;
}

const share = number('a number above 0 and below 1', (v) => v > 0 && v < 1);

/**
 * Splits rows in two. The test part has ⌈test · rows⌉ rows. Each class gives its share, rounded down; the classes with the largest
 * remainders (of equal ones the first) give one row more. The seed decides which rows of a class these are. At least one row of each
 * class stays in the training part. With groups the parts are as near to that as whole groups allow.
 *
 * The parts have the form of X: rows, a matrix, texts, records, { columns }. Those of an Arrow table are { columns }; matrices are
 * copies.
 * @throws TypeError or RangeError naming what is wrong
 *
 * @example
 * import { split } from 'perceptron-wasm/select';
 * const { train, test } = split([[0], [1], [2], [3], [4], [5], [6], [7]], [0, 0, 0, 0, 1, 1, 1, 1]);
 * console.log(train.y, test.y); // → [ 0, 0, 0, 1, 1, 1 ] [ 0, 1 ]
 */
export function split<In, const Y extends Labels>(X: In, y: Y, options: SplitOptions = {}): Split<In, Y[number]> {
  const given = expectOptions(options, ['test', 'stratify', 'seed', 'groups'], 'split');
  const size = given.test === undefined ? 0.25 : share(given.test, 'test');
  const stratify = given.stratify === undefined || boolean(given.stratify, 'stratify');
  const seed = given.seed === undefined ? 0 : seedCheck(given.seed, 'seed');
  const input = inputOf(X);
  const { rows } = input;
  const classified = classify<Y[number]>(y, rows);
  const groups = groupsOf(given.groups, rows);
  const isTest = groups
    ? groupsToTest(classified, groups, size, stratify, seed)
    : rowsToTest(stratify ? rowsByClass(classified.codes, classified.classes.length) : [all(rows)], rows, size, seed);
  const numbers = isTest.map((_, i) => i);
  const part = (wanted: number): Part<In, Y[number]> => {
    const indices = Uint32Array.from(numbers.filter((i) => isTest[i] === wanted));
    return {
      X: input.take(indices) as In, // rows of X have its form
      y: Array.from(indices, (i) => classified.labels[i] as Y[number]),
      indices,
    };
  };
  const indices = Uint32Array.from(numbers.filter((i) => isTest[i] === 0));
  const remedy = groups ? 'its groups are too large for this split' : 'there are too few rows of it for this split';
  expectEveryClass(classified, indices, undefined, 'the training part', remedy);
  if (indices.length === rows) throw new RangeError(`"test" is ${size}: no row of ${rows} is left to test with`);
  const parts = { train: part(0), test: part(1) };
  input.dispose(); // parts are copies
  return parts;
}

const all = (rows: number): number[] => Array.from({ length: rows }, (_, i) => i);

/** 1 for rows to test with: the largest remainders get one row more than the whole part of their share. */
function rowsToTest(lists: readonly number[][], rows: number, share: number, seed: number): Uint32Array {
  const isTest = new Uint32Array(rows);
  const random = Random.seeded(seed);
  const shares = lists.map((list) => exact(list.length * share));
  const counts = shares.map(Math.floor);
  const taken = counts.reduce((sum, count) => sum + count, 0);
  const byRemainder = lists
    .map((list, k) => ({ k, remainder: (shares[k] as number) - (counts[k] as number), rows: list.length }))
    .filter(({ k, rows, remainder }) => remainder > 0 && (counts[k] as number) + 1 < rows)
    .sort((a, b) => b.remainder - a.remainder || a.k - b.k);
  for (const { k } of byRemainder.slice(0, Math.ceil(exact(rows * share)) - taken))
    counts[k] = (counts[k] as number) + 1;
  lists.forEach((list, k) => {
    random.shuffle(list);
    for (const row of list.slice(0, counts[k])) isTest[row] = 1;
  });
  return isTest;
}

/** Without the last bits, which rounding has made: 0.07 · 100 is 7. */
const exact = (value: number): number => Number(value.toPrecision(12));

function groupsToTest(
  { codes, classes }: Classified<Label>,
  groups: Uint32Array,
  share: number,
  stratify: boolean,
  seed: number,
): Uint32Array {
  const wanted = stratify ? codes : new Uint32Array(codes.length);
  const partOf = dealGroups(groups, wanted, stratify ? classes.length : 1, [1 - share, share], seed);
  if (countsIn(partOf, 2).includes(0)) {
    throw new RangeError(`"groups" has too few groups to split: one part would have no rows`);
  }
  return partOf;
}
