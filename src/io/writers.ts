// Rows, labels and predictions as text, in chunks that can be written one after another. Numbers have the fewest digits that
// read back as the same float64.

import { expectOptions, show } from '../errors.js';
import type { Label, Labels, Rows } from '../index.js';
import { isNotANumber } from './labels.js';
import { visitRows } from './rows.js';
import { isControl } from './text.js';

/** The approximate number of characters of a chunk. */
export const CHUNK = 2 ** 16;

/** −0 keeps its sign. */
const number = (value: number): string => (Object.is(value, -0) ? '-0' : String(value));

/** Joins lines into chunks. */
export function* chunksOf(lines: Iterable<string>): Generator<string, void, undefined> {
  let chunk = '';
  for (const line of lines) {
    chunk += line;
    if (chunk.length >= CHUNK) {
      yield chunk;
      chunk = '';
    }
  }
  if (chunk !== '') yield chunk;
}

/** A field of CSV: in quotes if it would otherwise be read as something else. */
function field(text: string): string {
  const isPlain = !/[",;\t\r\n\ufeff]|^ | $/.test(text) && !isNotANumber(text) && text !== '';
  return isPlain ? text : `"${text.replaceAll('"', '""')}"`;
}

function labelField(label: Label, where: string): string {
  if (typeof label === 'number') {
    if (!Number.isFinite(label)) throw new RangeError(`${where} is ${label}`);
    return number(label);
  }
  if (typeof label !== 'string' && typeof label !== 'boolean') {
    throw new TypeError(`${where} must be a number, a string or a boolean, got ${show(label)}`);
  }
  if (label === '') throw new RangeError(`${where} is an empty string, which CSV cannot tell from a missing label`);
  const text = String(label);
  if (Array.from(text, (c) => c.charCodeAt(0)).some(isControl)) {
    throw new RangeError(`${where} is ${show(text)}: control characters are not text`);
  }
  return field(text);
}

function expectLabels(y: Labels, rows: number, name: string): void {
  if (typeof y !== 'object' || y === null || typeof y.length !== 'number') {
    throw new TypeError(`${name} must be an array of labels, got ${show(y)}`);
  }
  if (y.length !== rows) throw new RangeError(`${name} has ${y.length} labels, X has ${rows} rows`);
}

/**
 * Rows as LIBSVM text. Zeros are left out, except −0 and those that a sparse matrix stores. A last column of zeros is therefore
 * lost: read the text with `cols`. @throws RangeError or TypeError naming the value or label that is wrong
 *
 * @example
 * import { libsvmLines } from 'perceptron-wasm/io';
 * console.log([...libsvmLines([[0, 1.5], [2, 0]], [1, -1])].join('')); // → 1 2:1.5
 * // → -1 1:2
 */
export function* libsvmLines(X: Rows, y: Labels): Generator<string, void, undefined> {
  const rows = visitRows(X);
  expectLabels(y, rows.count, 'y');
  yield* chunksOf(libsvmRows(rows, y));
}

function* libsvmRows(rows: ReturnType<typeof visitRows>, y: Labels): Generator<string> {
  for (let i = 0; i < rows.count; i++) {
    const label = y[i];
    if (typeof label !== 'number' || !Number.isFinite(label)) {
      throw new (typeof label === 'number' ? RangeError : TypeError)(
        `y[${i}] must be a finite number in LIBSVM text, got ${show(label)}: number your classes`,
      );
    }
    let line = number(label);
    rows.visit(i, (column, value, isStored) => {
      if (isStored || value !== 0 || Object.is(value, -0)) line += ` ${column + 1}:${number(value)}`;
    });
    yield `${line}\n`;
  }
}

/** Options of `csvLines`. */
export interface CsvOptions {
  /** The names of the features. Default x1, x2, … */
  featureNames?: readonly string[];
  /** The name of the label column, the last one. Default 'label'. */
  label?: string;
}

/**
 * Rows as CSV with a header, labels in the last column; with `y` null or undefined, only features.
 * @throws TypeError or RangeError naming the option, value or label that is wrong
 *
 * @example
 * console.log([...csvLines([[0, 1.5]], ['yes'])].join('')); // → x1,x2,label
 * // → 0,1.5,yes
 */
export function* csvLines(X: Rows, y: Labels, options: CsvOptions = {}): Generator<string, void, undefined> {
  options = expectOptions(options, ['featureNames', 'label'], 'csvLines');
  const rows = visitRows(X);
  const { label = 'label', featureNames = Array.from({ length: rows.cols }, (_, j) => `x${j + 1}`) } = options;
  if (featureNames.length !== rows.cols) {
    throw new RangeError(`"featureNames" has ${featureNames.length} names, X has ${rows.cols} columns`);
  }
  if (typeof label !== 'string') throw new TypeError(`"label" must be a string, got ${show(label)}`);
  const hasLabels = y.length > 0;
  if (hasLabels) expectLabels(y, rows.count, 'y');
  yield* chunksOf(csvRows(rows, y, hasLabels ? [...featureNames, label] : featureNames));
}

function* csvRows(rows: ReturnType<typeof visitRows>, y: Labels, names: readonly string[]): Generator<string> {
  yield `${names.map((name) => field(String(name))).join(',')}\n`;
  const hasLabels = y.length > 0;
  for (let i = 0; i < rows.count; i++) {
    const fields = new Array<string>(rows.cols).fill('0');
    rows.visit(i, (column, value) => {
      fields[column] = number(value);
    });
    if (hasLabels) fields.push(labelField(y[i] as Label, `y[${i}]`));
    yield `${fields.join(',')}\n`;
  }
}

/** Scores of several classes, row-major. */
export interface ScoreRows {
  readonly data: Float64Array;
  readonly rows: number;
  readonly cols: number;
}

/**
 * Predictions as CSV with a header: `prediction`, then `score`, or a column `score_CLASS` for each class.
 * @throws TypeError or RangeError naming the label that is wrong, or if there are not as many scores as predictions
 *
 * @example
 * console.log([...predictionLines(['yes'], Float64Array.of(2.5))].join('')); // → prediction,score
 * // → yes,2.5
 */
export function* predictionLines(
  predictions: Labels,
  scores?: Float64Array | ScoreRows,
  classes?: readonly Label[],
): Generator<string, void, undefined> {
  expectLabels(predictions, predictions?.length, 'predictions');
  yield* chunksOf(predictionRows(predictions, tableOf(predictions.length, scores), scoreNames(scores, classes)));
}

function scoreNames(scores: Float64Array | ScoreRows | undefined, classes: readonly Label[] | undefined): string[] {
  if (scores === undefined) return [];
  if (ArrayBuffer.isView(scores)) return ['score'];
  const { cols } = scores;
  if (classes && classes.length !== cols) {
    throw new RangeError(`"classes" has ${classes.length} entries, but there are scores for ${cols} classes`);
  }
  return Array.from({ length: cols }, (_, k) => `score_${classes ? classes[k] : k}`);
}

function tableOf(rows: number, scores: Float64Array | ScoreRows | undefined): ScoreRows {
  const table = scores === undefined ? { data: new Float64Array(), rows, cols: 0 } : scores;
  const flat = ArrayBuffer.isView(table) ? { data: table, rows: table.length, cols: 1 } : table;
  if (flat.rows !== rows || flat.data.length !== rows * flat.cols) {
    throw new RangeError(`there are ${rows} predictions, but scores of ${flat.rows} rows`);
  }
  return flat;
}

function* predictionRows(predictions: Labels, scores: ScoreRows, names: readonly string[]): Generator<string> {
  yield `${['prediction', ...names.map(field)].join(',')}\n`;
  for (let i = 0; i < predictions.length; i++) {
    let line = labelField(predictions[i] as Label, `predictions[${i}]`);
    for (let k = 0; k < scores.cols; k++) line += `,${number(scores.data[i * scores.cols + k] as number)}`;
    yield `${line}\n`;
  }
}
