// The lists that metrics take, checked and in typed arrays: labels as class numbers, weights and scores as float64.

import { type Classes, checked, type Label, type Labels, listed } from '../data/labels.js';
import { isList } from '../data/parts.js';
import { mustBe, show } from '../errors.js';
import { get } from '../own.js';

/** Numbers by row and class, row-major: scores or probabilities. */
export interface ClassTable {
  readonly data: ArrayLike<number>;
  readonly rows: number;
  readonly cols: number;
}

/** One number a row, or one for each row and class. */
export type PerRow = ArrayLike<number> | ClassTable;

/** Different labels of one type in the order of classes: numbers by value, strings by code unit, false before true. */
const sorted = <L extends Label>(labels: Iterable<L>): L[] => [...labels].sort((a, b) => (a < b ? -1 : 1));

/** The classes of an option, checked and in order. @throws TypeError or RangeError */
export function expectClasses<L extends Label>(given: readonly L[]): Classes<L> {
  if (!Array.isArray(given) || given.length === 0) {
    throw mustBe('"classes"', 'an array of one or more labels', given, 'object');
  }
  const labels = Array.from(given, (label, i) => checked(label, 'classes', i, typeof given[0]) as L);
  const classes = sorted(new Set(labels));
  if (classes.length < labels.length) {
    throw new RangeError(`"classes" must be different labels, got ${labels.map(show).join(', ')}`);
  }
  return classes;
}

export function expectList(list: unknown, name: string, what: string): asserts list is ArrayLike<unknown> {
  if (!isList(list)) throw mustBe(name, `an array of ${what}`, list);
}

/** The class number of each label in lists of labels that belong together, and their classes. */
export class Coder<L extends Label> {
  readonly #numbers = new Map<unknown, number>();
  readonly #known: Classes<L> | undefined;
  #type: string | undefined;

  constructor(known?: Classes<L>) {
    this.#known = known;
    this.#type = known && typeof known[0];
    known?.forEach((label, k) => {
      this.#numbers.set(label, k);
    });
  }

  /** Numbers in order of appearance, unless the classes are known. @throws TypeError or RangeError naming the label */
  codes(labels: Labels<L>, name: string): Uint32Array {
    const codes = new Uint32Array(labels.length);
    for (let i = 0; i < codes.length; i++) codes[i] = this.#numbers.get(labels[i]) ?? this.#added(labels[i], name, i);
    return codes;
  }

  #added(given: unknown, name: string, i: number): number {
    const label = checked(given, name, i, this.#type);
    this.#type ??= typeof label;
    if (this.#known) {
      throw new RangeError(`${name}[${i}] is ${show(label)}, which is not one of the classes ${listed(this.#known)}`);
    }
    const number = this.#numbers.size;
    this.#numbers.set(label, number);
    return number;
  }

  /** The classes in order; renumbers lists of codes accordingly. */
  finish(...lists: Uint32Array[]): Classes<L> {
    if (this.#known) return this.#known;
    const classes = sorted(this.#numbers.keys() as Iterable<L>);
    const places = new Uint32Array(classes.length);
    classes.forEach((label, k) => {
      places[this.#numbers.get(label) as number] = k;
    });
    for (const codes of lists) for (let i = 0; i < codes.length; i++) codes[i] = places[codes[i] as number] as number;
    return classes;
  }
}

/** A list of `rows` numbers, each of which `ok` accepts, copied. @throws TypeError or RangeError naming the value */
function numbersOf(
  given: ArrayLike<number>,
  rows: number,
  name: string,
  expected: string,
  ok: (value: number) => boolean,
): Float64Array {
  expectList(given, `"${name}"`, 'numbers');
  if (given.length !== rows) throw new RangeError(`${name} has ${given.length} values, expected ${rows}`);
  const copy = new Float64Array(rows);
  for (let i = 0; i < rows; i++) {
    const value = given[i] as number;
    if (typeof value !== 'number' || !ok(value)) throw mustBe(`${name}[${i}]`, expected, value, 'number');
    copy[i] = value;
  }
  return copy;
}

/** Weights of rows, copied: ≥ 0, not all of them 0. @throws TypeError or RangeError */
export function weightsOf(given: ArrayLike<number> | undefined, rows: number): Float64Array | undefined {
  if (given === undefined) return undefined;
  const weights = numbersOf(given, rows, 'sampleWeight', 'a number ≥ 0', (w) => w >= 0 && w < Infinity);
  if (!weights.some((w) => w > 0)) throw new RangeError('sampleWeight is 0 for every row');
  return weights;
}

/** The same; 1 each if they are not given. */
export const weightsOrOnes = (given: ArrayLike<number> | undefined, rows: number): Float64Array =>
  weightsOf(given, rows) ?? new Float64Array(rows).fill(1);

/** One number a row (`cols` is 1), or a column for each class. */
export interface Columns {
  readonly data: Float64Array;
  readonly cols: number;
}

/** Scores or probabilities for `rows` rows and `classes` classes, checked. @throws TypeError or RangeError */
export function columnsOf(
  given: PerRow,
  rows: number,
  classes: number,
  name: string,
  expected: string,
  ok: (value: number) => boolean,
): Columns {
  const data = typeof given === 'object' && given !== null && !isList(given) ? get(given, 'data') : undefined;
  if (data === undefined) {
    if (!isList(given)) throw mustBe(`"${name}"`, 'an array of numbers or { data, rows, cols }', given);
    return { data: numbersOf(given, rows, name, expected, ok), cols: 1 };
  }
  const table = given as ClassTable;
  const [tableRows, cols] = [get(table, 'rows'), get(table, 'cols')];
  if (tableRows !== rows) throw new RangeError(`${name}.rows is ${show(tableRows)}, expected ${rows}`);
  if (cols !== classes) {
    const remedy = 'give all of them as "classes" if some are not among the labels';
    throw new RangeError(`${name}.cols is ${show(cols)}, expected one for each of ${classes} classes: ${remedy}`);
  }
  return { data: numbersOf(data, rows * classes, `${name}.data`, expected, ok), cols: classes };
}

/** Column k as a list of its own. */
export function columnAt({ data, cols }: Columns, k: number): Float64Array {
  if (cols === 1) return data;
  const column = new Float64Array(data.length / cols);
  for (let i = 0; i < column.length; i++) column[i] = data[i * cols + k] as number;
  return column;
}
