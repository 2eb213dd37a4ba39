// Labels of any kind: finds the classes, their order, and the class number of each row (SPEC §1, §11).

import { mustBe, show } from '../errors.js';
import { PIECE, type Stage } from './stages.js';
import { readable } from './views.js';

/** The label of a class. The labels of one `y` are all numbers, all strings or all booleans. */
export type Label = number | string | boolean;
/** One label for each row: an array or a typed array. */
export type Labels<L extends Label = Label> = ArrayLike<L>;

/** Classes in order. Of two, the first is −1 and the second +1. */
export type Classes<L extends Label = Label> = readonly L[];

/** How many classes a model can have. */
export type ClassLimit = 'two' | 'many';

/** Different labels in the order of classes: numbers by value, strings by code unit, false before true. @throws RangeError */
function inOrder<L extends Label>(labels: Iterable<Label>, where: string, limit: ClassLimit): Classes<L> {
  const sorted = [...labels].sort((a, b) => (a < b ? -1 : 1));
  if (limit === 'two' && sorted.length > 2) throw tooMany(sorted, where);
  return Object.freeze(sorted) as Classes<L>;
}

/** Label i of a list, checked; −0 becomes 0. */
export function checked(label: unknown, name: string, i: number, type: string | undefined): Label {
  const kind = typeof label;
  if (kind !== 'number' && kind !== 'string' && kind !== 'boolean') {
    throw mustBe(`${name}[${i}]`, 'a number, a string or a boolean', label);
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

/** y as it can be read now, checked to be a list of `rows` labels. */
export function checkLabels<L extends Label>(given: Labels<L>, rows: number): Labels<L> {
  const y = ArrayBuffer.isView(given) ? readable(given, 'y') : given;
  if (typeof y !== 'object' || y === null || typeof y.length !== 'number') {
    throw mustBe('y', 'an array of labels', y);
  }
  const { length } = y;
  if (length !== rows) throw new RangeError(`y has ${length} labels, X has ${rows} rows`);
  return y;
}

/** The classes of an option, checked to be different labels of one type, in order. */
export function orderClasses<L extends Label>(classes: readonly L[], name: string, limit: ClassLimit): Classes<L> {
  const wanted = limit === 'two' ? 'two' : 'two or more';
  if (!Array.isArray(classes)) {
    throw mustBe(`"${name}"`, `an array of ${wanted} labels`, classes);
  }
  const type = typeof classes[0];
  const labels = Array.from(classes, (label, i) => checked(label, name, i, type)); // holes too
  const sorted = inOrder<L>(new Set(labels), `"${name}"`, limit);
  if (labels.length !== sorted.length || sorted.length < 2) {
    throw new RangeError(`"${name}" must be ${wanted} different labels, got ${labels.map(show).join(', ') || 'none'}`);
  }
  return sorted;
}

/** Labels as class numbers, and how many rows each class has. */
export interface Encoded<L extends Label = Label> {
  readonly classes: Classes<L>;
  readonly codes: Uint32Array;
  readonly counts: readonly number[];
}

/** The stage that encodes labels as class numbers: run it, then call `encoded`. */
export class LabelEncoder<L extends Label = Label> implements Stage {
  readonly count: number;
  readonly size = PIECE;
  readonly #y: Labels<L>;
  readonly #limit: ClassLimit;
  /** The classes, if they are known; else classes are numbered as they are found. */
  readonly #known: Classes<L> | undefined;
  readonly #codes: Uint32Array;
  readonly #numbers: Map<Label, number>;
  readonly #counts: number[];
  /** Rows of weight 0 have no class, whatever their label is. */
  readonly #weights: Float64Array | undefined;
  /** The type of the first label. */
  #type: string | undefined;

  constructor(y: Labels<L>, rows: number, limit: ClassLimit, known?: Classes<L>, weights?: Float64Array) {
    this.count = rows;
    this.#y = y;
    this.#limit = limit;
    this.#known = known;
    this.#codes = new Uint32Array(rows);
    this.#numbers = new Map();
    this.#weights = weights;
    this.#counts = [];
    this.#type = known && typeof known[0];
    if (known) for (const label of known) this.#numbers.set(label, this.#counts.push(0) - 1);
  }

  /** @throws TypeError or RangeError at a value that is no label, or a label of no known class */
  piece(from: number, to: number): void {
    const y = checkLabels(this.#y, this.count);
    const [codes, counts, weights] = [this.#codes, this.#counts, this.#weights];
    // Most labels equal one of the last two different ones: those need no look-up.
    let [last, code, other, otherCode]: [Label | undefined, number, Label | undefined, number] = [
      undefined,
      0,
      undefined,
      0,
    ];
    for (let i = from; i < to; i++) {
      if (weights && weights[i] === 0) continue;
      const label = y[i];
      if (label === undefined || label !== last) {
        const next = label !== undefined && label === other ? otherCode : this.#codeOf(label, i);
        other = last;
        otherCode = code;
        last = label;
        code = next;
      }
      codes[i] = code;
      counts[code] = (counts[code] as number) + 1;
    }
  }

  #codeOf(given: unknown, i: number): number {
    const label = checked(given, 'y', i, this.#type);
    this.#type ??= typeof label;
    const code = this.#numbers.get(label);
    if (code !== undefined) return code;
    if (this.#known) {
      throw new RangeError(`y[${i}] is ${show(label)}, which is not one of the classes ${listed(this.#known)}`);
    }
    this.#numbers.set(label, this.#counts.push(0) - 1);
    return this.#counts.length - 1;
  }

  /** The class numbers. @throws RangeError if there are too many classes, or only one */
  encoded(): Encoded<L> {
    const codes = this.#codes;
    if (this.#known) return { classes: this.#known, codes, counts: this.#counts };
    const classes = inOrder<L>(this.#numbers.keys(), 'y', this.#limit);
    if (classes.length < 2) throw onlyOne(classes[0] as L);
    // From numbers in order of appearance to numbers in the order of classes.
    const places = new Uint32Array(classes.length);
    const counts: number[] = [];
    for (let k = 0; k < classes.length; k++) {
      const number = this.#numbers.get(classes[k] as L) as number;
      places[number] = k;
      counts.push(this.#counts[number] as number);
    }
    for (let i = 0; i < codes.length; i++) codes[i] = places[codes[i] as number] as number;
    return { classes, codes, counts };
  }
}

/** Encodes all labels now. The classes are those given, else those of y. */
export function encode<L extends Label>(
  y: Labels<L>,
  rows: number,
  classes: Classes<L> | undefined,
  limit: ClassLimit = 'many',
  weights?: Float64Array,
): Encoded<L> {
  const encoder = new LabelEncoder(y, rows, limit, classes, weights);
  encoder.piece(0, rows);
  return encoder.encoded();
}

/** Fills `signs`: +1 for rows of class `positive`, else −1. */
export function signsFor(codes: Uint32Array, positive: number, signs: Int8Array): Int8Array {
  for (let i = 0; i < codes.length; i++) signs[i] = codes[i] === positive ? 1 : -1;
  return signs;
}

/** How many predictions equal y. A label of an unknown class equals none. */
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

/** Classes in a message: all of them if they are few, else the first ones. */
export function listed(classes: readonly Label[]): string {
  if (classes.length === 2) return classes.map(show).join(' and ');
  return classes.slice(0, 5).map(show).join(', ') + (classes.length > 5 ? ', …' : '');
}

function tooMany(classes: readonly Label[], where: string): RangeError {
  return new RangeError(
    `${where} has ${classes.length} classes (${listed(classes)}); this trainer tells two apart: use MulticlassPerceptron`,
  );
}
