// Reads and writes LIBLINEAR's model files (Fan et al. 2008; version 2.x): linear models with integer labels, as text.
//
//   solver_type L2R_L1LOSS_SVC_DUAL
//   nr_class 2
//   label 0 1              of two, a decision value > 0 means the first and ≤ 0 the second
//   nr_feature 3
//   bias 1                 the constant feature B at the end of each row; < 0: there is none
//   w
//   0.5                    a line for each column, and one for B where there is one;
//   …                      in it one weight for two classes, else a weight for each class
//
// Numbers are written as JavaScript prints them: the fewest digits that read back bit-identical.

import { show } from '../errors.js';
import type { AnyModel, Label, MulticlassPerceptron, Perceptron } from '../index.js';
import { modelOf, opposite, type Plane, planesOf } from './planes.js';

const CLASSIFIERS = [
  'L2R_LR',
  'L2R_L2LOSS_SVC_DUAL',
  'L2R_L2LOSS_SVC',
  'L2R_L1LOSS_SVC_DUAL',
  'MCSVM_CS',
  'L1R_L2LOSS_SVC',
  'L1R_LR',
  'L2R_LR_DUAL',
];
/** The solver that learns all classes at once; the others learn each class against the rest. */
const JOINT = 'MCSVM_CS';
/** The most similar solver: the perceptron minimises its loss without the margin. */
const ONE_BY_ONE = 'L2R_L1LOSS_SVC_DUAL';

const OTHERS = ['L2R_L2LOSS_SVR', 'L2R_L2LOSS_SVR_DUAL', 'L2R_L1LOSS_SVR_DUAL', 'ONECLASS_SVM'];

/**
 * A linear model as the text of a LIBLINEAR model file, as `liblinear-predict` reads it. The planes are exact, except two that
 * are rounded: the difference of a MulticlassPerceptron's two planes, and the weights of a Pipeline, which include its scaler.
 * @throws RangeError if labels are not integers, or the kernel is not linear
 *
 * @example
 * const model = new Perceptron().fit([[3, 3], [4, 3], [1, 1]], [1, 1, -1]);
 * console.log(toLiblinear(model)); // → nr_class 2
 */
export function toLiblinear<L extends Label>(model: AnyModel<L>): string {
  const { labels, planes, strategy } = planesOf(model);
  const bad = labels.find((label) => !isInt32(label));
  if (bad !== undefined) {
    throw new RangeError(`LIBLINEAR has integers for labels, such as 0 and 1; this model has the class ${show(bad)}`);
  }
  // Two classes: the first label gets the opposite plane, so that a score of 0 is the second class there, too.
  const columns = (planes.length === 1 ? planes.map(opposite) : planes).map(({ weights, bias }) => [...weights, bias]);
  const rows = (columns[0] as number[]).map((_, i) => columns.map((column) => digits(column[i] as number)).join(' '));
  return [
    `solver_type ${strategy === 'multinomial' ? JOINT : ONE_BY_ONE}`,
    `nr_class ${labels.length}`,
    `label ${labels.join(' ')}`,
    `nr_feature ${rows.length - 1}`,
    'bias 1',
    'w',
    ...rows,
    '',
  ].join('\n');
}

/** Whether a label fits C's int. */
const isInt32 = (value: Label): boolean => typeof value === 'number' && value === (value | 0);

const digits = (value: number): string => (Object.is(value, -0) ? '-0' : String(value));

/**
 * The model in a LIBLINEAR model file: it predicts what `liblinear-predict` does, except for rounding and rows exactly on a
 * border. A Perceptron for two classes, whose scores are > 0 for the larger label; a MulticlassPerceptron for more.
 * @throws RangeError naming the line that is wrong; TypeError if it is not text
 *
 * @example
 * const text = 'solver_type L2R_L2LOSS_SVC\nnr_class 2\nlabel 1 -1\nnr_feature 2\nbias -1\nw\n1\n2\n';
 * console.log(fromLiblinear(text).predict([[3, -1]])); // → [ 1 ]
 */
export function fromLiblinear(text: string): Perceptron<number> | MulticlassPerceptron<number> {
  if (typeof text !== 'string') throw new TypeError(`fromLiblinear takes the text of a model, got ${show(text)}`);
  const lines = text.trimEnd().split(/\r?\n/);
  const { solver, labels, cols, bias, end } = headerOf(lines);
  const isPair = labels.length === 2;
  const hasBias = bias >= 0;
  const rows = weightsOf(lines, end, hasBias ? cols + 1 : cols, isPair && solver !== JOINT ? 1 : labels.length);
  const planes = (rows[0] as number[]).map((_, k): Plane => {
    const column = Float64Array.from(rows, (row) => row[k] as number);
    return { weights: column.subarray(0, cols), bias: hasBias ? (column[cols] as number) * bias : 0 };
  });
  if (!planes.every((plane) => Number.isFinite(plane.bias))) {
    fail(lines.length - 1, `the weight of the bias is too large: times ${bias} it is no longer finite`);
  }
  return modelOf(
    // Two classes: LIBLINEAR reads the first column only; a value above 0 is the first label.
    isPair
      ? { labels: labels.reverse(), planes: planes.slice(0, 1), strategy: undefined }
      : { labels, planes, strategy: solver === JOINT ? 'multinomial' : 'one-vs-rest' },
    bias > 0 ? { interceptScaling: bias } : { fitIntercept: false },
  );
}

/** @param at the line, from 0; the message counts from 1 */
function fail(at: number, problem: string): never {
  throw new RangeError(`LIBLINEAR model line ${at + 1}: ${problem}`);
}

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

function numberAt(at: number, what: string, word: string): number {
  const value = NUMBER.test(word) ? Number(word) : NaN;
  if (!Number.isFinite(value)) fail(at, `${what} must be a finite number, got ${show(word)}`);
  return value;
}

function integerAt(at: number, what: string, word: string, least = -(2 ** 31)): number {
  const value = Number(word);
  if (!/^[+-]?\d+$/.test(word) || value < least || value >= 2 ** 31) {
    fail(at, `${what} must be an integer from ${least} to ${2 ** 31 - 1}, got ${show(word)}`);
  }
  return value;
}

interface Header {
  readonly solver: string;
  readonly labels: number[];
  readonly cols: number;
  readonly bias: number;
  /** The index of the line after "w". */
  readonly end: number;
}

/** The fields of every file; 'rho' is for one-class models only. */
const NAMES = ['solver_type', 'nr_class', 'label', 'nr_feature', 'bias'];

/** The lines before the weights, in any order, checked. */
function headerOf(lines: readonly string[]): Header {
  const places = new Map<string, number>();
  let end = 0;
  for (; lines[end]?.trim() !== 'w'; end++) {
    const name = wordsOf(lines[end] ?? '')[0] ?? '';
    if (!NAMES.includes(name) && name !== 'rho') {
      fail(end, `expected ${NAMES.join(', ')} or w, got ${name ? show(name) : 'nothing'}`);
    }
    if (places.has(name)) fail(end, `${name} appears twice`);
    places.set(name, end);
  }
  const valuesOf = (name: string, count: number): { at: number; values: string[] } => {
    const at = places.get(name) ?? fail(end, `expected ${name} before w`);
    const [, ...values] = wordsOf(lines[at] as string);
    if (values.length !== count)
      fail(at, `${name} must have ${count} ${count === 1 ? 'value' : 'values'}, got ${values.length}`);
    return { at, values };
  };
  const only = <T>(name: string, check: (at: number, name: string, word: string) => T): T => {
    const { at, values } = valuesOf(name, 1);
    return check(at, name, values[0] as string);
  };
  const solver = only('solver_type', solverAt);
  const count = only('nr_class', (at, name, word) => integerAt(at, name, word, 2));
  const { at, values } = valuesOf('label', count);
  const labels = values.map((word, k) => integerAt(at, `label ${k + 1}`, word));
  if (new Set(labels).size < count) fail(at, 'labels must be different');
  const cols = only('nr_feature', (at, name, word) => integerAt(at, name, word, 1));
  const bias = only('bias', (at, name, word) => {
    const value = numberAt(at, name, word);
    const square = value * value; // training multiplies steps by it
    if (value > 0 && !(square > 0 && square < Infinity))
      fail(at, `bias and its square must be finite numbers > 0, got ${show(word)}`);
    return value;
  });
  return { solver, labels, cols, bias, end: end + 1 };
}

const wordsOf = (line: string): string[] => line.trim().split(/\s+/);

function solverAt(at: number, name: string, word: string): string {
  if (OTHERS.includes(word)) fail(at, `${name} ${word} does not tell classes apart: only classifiers can be read`);
  if (!CLASSIFIERS.includes(word)) fail(at, `${name} must be one of ${CLASSIFIERS.join(', ')}, got ${show(word)}`);
  return word;
}

/** The weights: `rows` lines of `width` numbers. */
function weightsOf(lines: readonly string[], from: number, rows: number, width: number): number[][] {
  const found = lines.length - from;
  if (found < rows) fail(lines.length, `expected ${rows} lines of weights, the text ends after ${found}`);
  if (found > rows)
    fail(from + rows, `expected the end after ${rows} lines of weights, got ${show(lines[from + rows])}`);
  return lines.slice(from).map((line, i) => {
    const words = wordsOf(line);
    if (words.length !== width)
      fail(from + i, `expected ${width} ${width === 1 ? 'weight' : 'weights'}, got ${words.length}`);
    return words.map((word, k) => numberAt(from + i, `weight ${k + 1}`, word));
  });
}
