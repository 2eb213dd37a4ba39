// Labels of any kind: which classes there are, in what order, and the class number of each row (SPEC §1, §11).

import { type Pace, PIECE, type Sliced } from '../async/sliced.js';
import { show } from '../errors.js';
import { readable } from './views.js';

export type Label = number | string | boolean;
export type Labels<L extends Label = Label> = ArrayLike<L>;

/** Classes in order. Of two, the first is −1 and the second +1. */
export type Classes<L extends Label = Label> = readonly L[];

/** How many classes a model can have. */
export type ClassLimit = 'two' | 'many';

/** Numbers by value, strings by code unit, false before true. */
function before(a: Label, b: Label): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Label i of a list, as it is compared: −0 is 0. */
function checked(label: unknown, name: string, i: number, type: string | undefined): Label {
  const kind = typeof label;
  if (kind !== 'number' && kind !== 'string' && kind !== 'boolean') {
    throw new TypeError(`${name}[${i}] must be a number, a string or a boolean, got ${show(label)}`);
  }
  if (type !== undefined && kind !== type) {
    throw new TypeError(`${name}[${i}] is ${show(label)}, a ${kind}; the other labels are of type ${type}`);
  }
  if (kind === 'number') {
    if (!Number.isFinite(label)) throw new RangeError(`${name}[${i}] is ${label as number}`);
    return (label as number) + 0;
  }
  return label as Label;
}

/** Labels as they can be read now. */
const labelsNow = <L extends Label>(y: Labels<L>): Labels<L> =>
  typeof y === 'object' && y !== null ? readable(y, 'y') : y;

/** y, checked to be a list of `rows` labels, as it can be read now. */
export function checkLabels<L extends Label>(given: Labels<L>, rows: number): Labels<L> {
  const y = labelsNow(given);
  if (typeof y !== 'object' || y === null || typeof y.length !== 'number') {
    throw new TypeError(`y must be an array of labels, got ${show(y)}`);
  }
  if (y.length !== rows) throw new RangeError(`y has ${y.length} labels, X has ${rows} rows`);
  return y;
}

/** The classes given by name: different labels of one type, put in order. */
export function orderClasses<L extends Label>(classes: readonly L[], name: string, limit: ClassLimit): Classes<L> {
  const wanted = limit === 'two' ? 'two' : 'two or more';
  if (!Array.isArray(classes)) {
    throw new TypeError(`"${name}" must be an array of ${wanted} labels, got ${show(classes)}`);
  }
  const type = typeof classes[0];
  const labels = classes.map((label, i) => checked(label, name, i, type));
  const sorted = [...new Set(labels)].sort(before);
  if (limit === 'two' && sorted.length > 2) throw tooMany(sorted, `"${name}"`);
  if (labels.length !== sorted.length || sorted.length < 2) {
    throw new RangeError(`"${name}" must be ${wanted} different labels, got ${labels.map(show).join(', ') || 'none'}`);
  }
  return Object.freeze(sorted) as Classes<L>;
}

/** The classes that y has. */
export function* classesOf<L extends Label>(y: Labels<L>, limit: ClassLimit, pace: Pace): Sliced<Classes<L>> {
  const found = new Set<Label>();
  const { length } = y;
  const type = typeof y[0];
  for (let i = 0; i < length; i += PIECE) {
    addClasses(found, labelsNow(y), i, Math.min(length, i + PIECE), type);
    if (pace.due()) yield;
  }
  const sorted = yield* inOrder([...found], pace);
  if (limit === 'two' && sorted.length > 2) throw tooMany(sorted, 'y');
  if (sorted.length < 2) throw onlyOne(sorted[0] as Label);
  return Object.freeze(sorted) as Classes<L>;
}

function addClasses(found: Set<Label>, y: Labels, from: number, to: number, type: string): void {
  // Most labels are one of the last two that were different: those need not be looked up.
  let [last, other]: (Label | undefined)[] = [];
  for (let i = from; i < to; i++) {
    const label = checked(y[i], 'y', i, type);
    if (label === last || label === other) continue;
    found.add(label);
    [last, other] = [label, last];
  }
}

/** Different labels in order: pieces are sorted, then merged two by two. */
function* inOrder(labels: Label[], pace: Pace): Sliced<Label[]> {
  if (labels.length <= PIECE) return labels.sort(before);
  const half = labels.length >> 1;
  const [a, b] = [yield* inOrder(labels.slice(0, half), pace), yield* inOrder(labels.slice(half), pace)];
  const merged: Label[] = [];
  for (let i = 0, j = 0; i + j < labels.length; ) {
    const isFirst = j === b.length || (i < a.length && (a[i] as Label) < (b[j] as Label));
    merged.push((isFirst ? a[i++] : b[j++]) as Label);
    if ((i + j) % PIECE === 0 && pace.due()) yield;
  }
  return merged;
}

/** Labels as class numbers, and how many rows each class has. */
export interface Encoded {
  readonly codes: Uint32Array;
  readonly counts: Uint32Array;
}

/** The class number of each of `rows` labels. @throws RangeError at a label of no class */
export function* encode<L extends Label>(y: Labels<L>, rows: number, classes: Classes<L>, pace: Pace): Sliced<Encoded> {
  const others = new Map<Label, number>();
  for (let k = 2; k < classes.length; k++) {
    others.set(classes[k] as L, k);
    if (k % PIECE === 0 && pace.due()) yield;
  }
  const encoded = { codes: new Uint32Array(rows), counts: new Uint32Array(classes.length) };
  for (let i = 0; i < rows; i += PIECE) {
    encodeSome(encoded, labelsNow(y), i, Math.min(rows, i + PIECE), classes, others);
    if (pace.due()) yield;
  }
  return encoded;
}

function encodeSome(
  { codes, counts }: Encoded,
  y: Labels,
  from: number,
  to: number,
  classes: Classes,
  others: ReadonlyMap<Label, number>,
): void {
  const [first, second] = classes;
  const type = typeof first;
  for (let i = from; i < to; i++) {
    const label = checked(y[i], 'y', i, type);
    const code = label === first ? 0 : label === second ? 1 : others.get(label);
    if (code === undefined) {
      throw new RangeError(`y[${i}] is ${show(label)}, which is not one of the classes ${listed(classes)}`);
    }
    codes[i] = code;
    counts[code] = (counts[code] as number) + 1;
  }
}

/** −1 and +1: whether a row is of class `positive`. */
export function signsFor(codes: Uint32Array, positive: number, signs: Int8Array): Int8Array {
  for (let i = 0; i < codes.length; i++) signs[i] = codes[i] === positive ? 1 : -1;
  return signs;
}

/** How many predictions equal y. A label no model of these classes can predict is simply not equal. */
export function countEqual<L extends Label>(predicted: readonly L[], y: Labels<L>): number {
  let equal = 0;
  for (let i = 0; i < predicted.length; i++) {
    if (checked(y[i], 'y', i, typeof predicted[i]) === predicted[i]) equal++;
  }
  return equal;
}

export function onlyOne(label: Label): RangeError {
  return new RangeError(`y has one class only (${show(label)}); a classifier needs two`);
}

/** Classes in a message: all of a few, the first of many. */
export function listed(classes: readonly Label[]): string {
  if (classes.length === 2) return classes.map(show).join(' and ');
  return classes.slice(0, 5).map(show).join(', ') + (classes.length > 5 ? ', …' : '');
}

function tooMany(classes: readonly Label[], where: string): RangeError {
  return new RangeError(
    `${where} has ${classes.length} classes (${listed(classes)}); this trainer tells two apart: use MulticlassPerceptron`,
  );
}
