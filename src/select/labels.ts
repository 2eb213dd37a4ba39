// Labels, groups and weights of the caller, checked once.

import { encode, onlyOne } from '../data/labels.js';
import { isList } from '../data/parts.js';
import { mustBe, show } from '../errors.js';
import type { Label, Labels } from '../index.js';

export interface Classified<L extends Label> {
  /** A copy. */
  readonly labels: readonly L[];
  /** In order; of two, the second is +1. */
  readonly classes: readonly L[];
  /** The class number of each row. */
  readonly codes: Uint32Array;
}

/** Labels of `rows` rows. @throws TypeError or RangeError naming the label that is wrong, or if there is one class only */
export function classify<L extends Label>(y: Labels<L>, rows: number): Classified<L> {
  if (rows === 0) throw new RangeError('X has no rows');
  const { classes, codes } = encode(y, rows, undefined);
  if (classes.length < 2) throw onlyOne(classes[0] as L);
  return { classes, codes, labels: Array.from(codes, (code) => classes[code] as L) };
}

/** The group number of each row; groups are numbered as they are found. @throws TypeError or RangeError */
export function groupsOf(given: unknown, rows: number): Uint32Array | undefined {
  if (given === undefined) return undefined;
  if (!isList(given)) throw mustBe('"groups"', 'an array of numbers or strings, one for each row', given);
  if (given.length !== rows) throw new RangeError(`"groups" has ${given.length} values, X has ${rows} rows`);
  const numbers = new Map<unknown, number>();
  return Uint32Array.from({ length: rows }, (_, i) => {
    const group: unknown = given[i];
    if (typeof group !== 'string' && typeof group !== 'boolean' && !Number.isFinite(group)) {
      throw mustBe(`groups[${i}]`, 'a number or a string', group, 'number');
    }
    const known = numbers.get(group);
    if (known !== undefined) return known;
    numbers.set(group, numbers.size);
    return numbers.size - 1;
  });
}

/** Checks that the training rows have every class. @throws RangeError naming the class that `part` lacks */
export function expectEveryClass<L extends Label>(
  { classes, codes }: Classified<L>,
  train: Uint32Array,
  weights: Float64Array | undefined,
  part: string,
  remedy: string,
): void {
  const found = new Uint8Array(classes.length);
  for (const i of train) if (weights?.[i] !== 0) found[codes[i] as number] = 1;
  const absent = found.indexOf(0);
  if (absent < 0) return;
  const why = weights ? ', whose other rows have weight 0' : '';
  throw new RangeError(`${part} would be trained without rows of class ${show(classes[absent])}${why}: ${remedy}`);
}
