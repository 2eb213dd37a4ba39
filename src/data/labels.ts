// Labels of any kind: which classes there are, in what order, and the class number of each row (SPEC §1, §11).

import { show } from '../errors.js';
import { PIECE, runStages, type Stage } from './stages.js';
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

/** Labels as class numbers, and how many rows each class has. */
export interface Encoded<L extends Label = Label> {
  readonly classes: Classes<L>;
  readonly codes: Uint32Array;
  readonly counts: Uint32Array;
}

/** Labels on their way to class numbers: run the stages, then take what they came to. */
export interface Encoding<L extends Label> {
  readonly stages: readonly Stage[];
  encoded(): Encoded<L>;
}

/** The class numbers of `rows` labels. The classes are those given, else those that y has. @throws RangeError at a label of no class */
export function encoding<L extends Label>(
  given: Labels<L>,
  rows: number,
  limit: ClassLimit,
  known?: Classes<L>,
): Encoding<L> {
  let checked: Labels<L> | undefined;
  /** Checked when the rows are in: what is wrong with X is told first. */
  const y = (): Labels<L> => {
    checked = checked ? labelsNow(checked) : checkLabels(given, rows);
    return checked;
  };
  const found = new Set<Label>();
  let classes = known;
  const codes = new Uint32Array(rows);
  let counts: Uint32Array | undefined;
  let others: Map<Label, number> | undefined;
  const find: Stage = {
    count: rows,
    size: PIECE,
    piece: (from, to) => addClasses(found, y(), from, to),
  };
  const encode: Stage = {
    count: rows,
    size: PIECE,
    piece(from, to) {
      classes ??= classesFound<L>(found, limit);
      counts ??= new Uint32Array(classes.length);
      others ??= new Map(classes.slice(2).map((label, k) => [label, k + 2]));
      encodeSome(codes, counts, y(), from, to, classes, others);
    },
  };
  return {
    stages: known ? [encode] : [find, encode],
    encoded: () => ({ classes: classes as Classes<L>, codes, counts: counts as Uint32Array }),
  };
}

/** The class numbers of labels of known classes, now. */
export function encode<L extends Label>(y: Labels<L>, rows: number, classes: Classes<L>): Encoded<L> {
  const { stages, encoded } = encoding(y, rows, 'many', classes);
  runStages(stages);
  return encoded();
}

/** The classes that `rows` labels have. */
export function classesIn<L extends Label>(y: Labels<L>, rows: number, limit: ClassLimit): Classes<L> {
  const found = new Set<Label>();
  addClasses(found, checkLabels(y, rows), 0, rows);
  return classesFound<L>(found, limit);
}

function addClasses(found: Set<Label>, y: Labels, from: number, to: number): void {
  const type = typeof y[0];
  // Most labels are one of the last two that were different: those need not be looked up.
  let [last, other]: (Label | undefined)[] = [];
  for (let i = from; i < to; i++) {
    const label = checked(y[i], 'y', i, type);
    if (label === last || label === other) continue;
    found.add(label);
    [last, other] = [label, last];
  }
}

/** Different labels in order, if they are as many as there may be. */
function classesFound<L extends Label>(found: Set<Label>, limit: ClassLimit): Classes<L> {
  const sorted = [...found].sort(before);
  if (limit === 'two' && sorted.length > 2) throw tooMany(sorted, 'y');
  if (sorted.length < 2) throw onlyOne(sorted[0] as Label);
  return Object.freeze(sorted) as Classes<L>;
}

function encodeSome(
  codes: Uint32Array,
  counts: Uint32Array,
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
