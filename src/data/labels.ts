// Labels of any two values, encoded as −1 and +1 (SPEC §1), and back.

import { show } from '../errors.js';
import { readable } from './rows.js';

export type Label = number | string | boolean;
export type Labels<L extends Label = Label> = ArrayLike<L>;

/** Two classes in order: the first is −1, the second +1. */
export type Classes<L extends Label = Label> = readonly [L, L];

/** Numbers by value, strings by code unit, false before true. */
function before(a: Label, b: Label): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** One label, as it is compared: −0 is 0. */
function checked(label: unknown, where: string, type: string | undefined): Label {
  const kind = typeof label;
  if (kind !== 'number' && kind !== 'string' && kind !== 'boolean') {
    throw new TypeError(`${where} must be a number, a string or a boolean, got ${show(label)}`);
  }
  if (type !== undefined && kind !== type) {
    throw new TypeError(`${where} is ${show(label)}, a ${kind}; the other labels are of type ${type}`);
  }
  if (kind === 'number') {
    if (!Number.isFinite(label)) throw new RangeError(`${where} is ${label as number}`);
    return (label as number) + 0;
  }
  return label as Label;
}

/** y, checked to be a list of `rows` labels, as it can be read now. */
export function checkLabels<L extends Label>(given: Labels<L>, rows: number): Labels<L> {
  const y = typeof given === 'object' && given !== null ? readable(given, 'y') : given;
  if (typeof y !== 'object' || y === null || typeof y.length !== 'number') {
    throw new TypeError(`y must be an array of labels, got ${show(y)}`);
  }
  if (y.length !== rows) throw new RangeError(`y has ${y.length} labels, X has ${rows} rows`);
  return y;
}

/** The classes given by name: two different labels of one type, put in order. */
export function orderClasses<L extends Label>(classes: readonly L[], name: string): Classes<L> {
  if (!Array.isArray(classes)) throw new TypeError(`"${name}" must be an array of two labels, got ${show(classes)}`);
  const type = typeof classes[0];
  const labels = classes.map((label, i) => checked(label, `${name}[${i}]`, type));
  const sorted = [...new Set(labels)].sort(before);
  if (sorted.length > 2) throw tooMany(sorted, `"${name}"`);
  if (labels.length !== 2 || sorted.length !== 2) {
    throw new RangeError(`"${name}" must be two different labels, got ${labels.map(show).join(', ') || 'none'}`);
  }
  return Object.freeze(sorted) as unknown as Classes<L>;
}

/** The two classes that y has. */
export function classesOf<L extends Label>(y: Labels<L>): Classes<L> {
  const found = new Set<Label>();
  const type = typeof y[0];
  for (let i = 0; i < y.length; i++) found.add(checked(y[i], `y[${i}]`, type));
  const sorted = [...found].sort(before);
  if (sorted.length > 2) throw tooMany(sorted, 'y');
  if (sorted.length < 2) throw onlyOne(sorted[0] as Label);
  return Object.freeze(sorted) as unknown as Classes<L>;
}

/** Writes −1 and +1 into `signs`; returns how many are +1. @throws RangeError at a label of neither class */
export function encode<L extends Label>(y: Labels<L>, classes: Classes<L>, signs: Int8Array): number {
  const [negative, positive] = classes;
  const type = typeof negative;
  let positives = 0;
  for (let i = 0; i < signs.length; i++) {
    const label = checked(y[i], `y[${i}]`, type);
    if (label !== negative && label !== positive) {
      throw new RangeError(
        `y[${i}] is ${show(label)}, which is not one of the classes ${show(negative)} and ${show(positive)}`,
      );
    }
    const sign = label === positive ? 1 : -1;
    signs[i] = sign;
    if (sign > 0) positives++;
  }
  return positives;
}

/** How many predictions equal y. A label no model of these classes can predict is simply not equal. */
export function countEqual<L extends Label>(predicted: readonly L[], y: Labels<L>): number {
  let equal = 0;
  for (let i = 0; i < predicted.length; i++) {
    if (checked(y[i], `y[${i}]`, typeof predicted[i]) === predicted[i]) equal++;
  }
  return equal;
}

export function onlyOne(label: Label): RangeError {
  return new RangeError(`y has one class only (${show(label)}); a classifier needs two`);
}

function tooMany(classes: readonly Label[], where: string): RangeError {
  const some = classes.slice(0, 5).map(show).join(', ') + (classes.length > 5 ? ', …' : '');
  return new RangeError(
    `${where} has ${classes.length} classes (${some}); this release has models for two: train one for each class, that class against the rest`,
  );
}
