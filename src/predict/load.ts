// loadPredictor: makes a predictor from any saved model, bit-identical to the library that saved it.

import type { Label } from '../data/labels.js';
import type { Row } from '../data/row.js';
import type { Table as RawTable } from '../encode/tables.js';
import { expectOptions } from '../errors.js';
import { expectLength, fail, fieldsOf, listOf, openModel } from '../model/json.js';
import { type Encoder, isEncoder, stepFrom } from './encoders.js';
import { type Learned, readers } from './models.js';
import { oneRow, type Rows, tableOf } from './rows.js';
import { type Scales, scaled } from './scaler.js';
import { expectFiniteScores } from './scorers.js';
import { countRows, type Names, ofMany, ofOne, type Table } from './tables.js';

/** Scores, row-major: a row for each row of X, a column for each class. Not imported from the core, which would add all its types. */
export interface ScoreTable {
  data: Float64Array;
  rows: number;
  cols: number;
}

/** Rows; texts or a table for a pipeline that begins with them. */
export type Input = Rows | Iterable<string> | RawTable;

/** One row, text or record. */
export type One = Row | string | Readonly<Record<string, unknown>>;

export interface PredictorOptions {
  /** Whether a RegExp of the file is used: one that somebody else wrote can take for ever. Default false. */
  allowPatterns?: boolean;
}

/** A saved model that predicts. Its methods need no `this`. */
export interface Predictor<L extends Label = Label> {
  /** The class of each row; an empty array for no rows. @throws TypeError or RangeError naming the row or the value that is wrong */
  predict(X: Input): L[];
  /** The class of one row. @throws TypeError or RangeError naming the value that is wrong */
  predictOne(x: One): L;
  /** The score of each row; for a multiclass model the score of each row for each class, in class order. */
  decisionFunction(X: Input): Float64Array | ScoreTable;
  /** The probability of the second class, or of each class. Only calibrated models have this method. */
  predictProbability?(X: Input): Float64Array | ScoreTable;
  /** The classes in order; of two classes, the second has the positive scores. */
  readonly classes: readonly L[];
}

/**
 * Makes a predictor from the JSON object that `toJSON` of a trainer or pipeline returned, or that the command line saved.
 * Predictions and scores are bit-identical to those of the full library.
 *
 * @throws TypeError or RangeError naming the field that is wrong
 * @example
 * import { loadPredictor } from 'perceptron-wasm/predict';
 * const saved = JSON.stringify(new Perceptron().fit([[3, 3], [4, 3], [1, 1]], ['yes', 'yes', 'no']));
 * const { predictOne } = loadPredictor(JSON.parse(saved));
 * console.log(predictOne([4, 4])); // → yes
 */
export function loadPredictor<L extends Label = Label>(json: unknown, options: PredictorOptions = {}): Predictor<L> {
  const { allowPatterns = false } = expectOptions(options, ['allowPatterns'], 'loadPredictor');
  return reading('', () => {
    const { type, ...fields } = openModel(json, [...Object.keys(readers), 'pipeline']);
    if (type !== 'pipeline') return predictorOf(modelFrom<L>(json));
    const isOld = fields.steps === undefined;
    const [steps, at]: [unknown[], (k: number) => string] = isOld
      ? [[fields.scaler], () => 'scaler']
      : [listOf(fields.steps, 'steps', (step) => step), (k) => `steps[${k}]`];
    if (steps.length === 0) fail('steps', 'one or more steps', fields.steps, 'object');
    steps.forEach((step, k) => {
      fieldsOf(step, at(k));
    });
    fieldsOf(fields.model, 'model');
    const read = steps.map((step, k) => reading(at(k), () => stepFrom(step, isOld ? 1 : k, allowPatterns)));
    const learned = reading('model', () => modelFrom<L>(fields.model));
    if (isOld) expectLength((read[0] as Scales).means, learned.cols, 'scaler.means');
    read.forEach(({ cols }, k) => {
      const next = read[k + 1];
      const [name, takes] = next ? [at(k + 1), next.cols] : ['the model', learned.cols];
      // Of the steps the first alone makes other columns than it takes.
      if (cols !== takes)
        throw new RangeError(`model JSON: ${at(k)} makes ${cols} columns, but ${name} takes ${takes}`);
    });
    const [first, ...rest] = read as [Encoder | Scales, ...Scales[]];
    return isEncoder(first) ? predictorOf(learned, rest, first) : predictorOf(learned, [first, ...rest]);
  });
}

function modelFrom<L extends Label>(json: unknown): Learned<L> {
  const fields = openModel(json, Object.keys(readers));
  return (readers[fields.type as string] as (typeof readers)[string])<L>(fields);
}

/** Reads a part of a model's JSON; an error names the field with its full path. */
function reading<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error) {
      const own = error.message.replace(/^model JSON: /, '');
      const isField = own !== error.message;
      if (path) error.message = `model JSON: ${path}${isField ? '.' : ': '}${own}`;
      else if (!/^model JSON/.test(own)) error.message = `model JSON: ${own}`;
    }
    throw error;
  }
}

function predictorOf<L extends Label>(learned: Learned<L>, scalers: Scales[] = [], encoder?: Encoder): Predictor<L> {
  const { classes, cols, isMulticlass, score } = learned;
  const many = isMulticlass ? classes.length : 1;
  const rowsOf = (X: Input): Table => (encoder ? encoder.many(X) : tableOf(X as Rows, cols));
  const rowOf = (x: One): Table => (encoder ? encoder.one(x) : oneRow(x as Row, cols));
  const scoresOf = (X: Table, names: Names): Float64Array => {
    let rows = X;
    for (const scales of scalers) rows = scaled(rows, scales, names);
    const scores = score(rows, names);
    expectFiniteScores(scores, many, names);
    return scores;
  };
  /** The class of row i: by the sign of its score (0 counts as +), or the first class with the largest score. */
  const labelAt = (scores: Float64Array, i: number): L => {
    if (!isMulticlass) return classes[(scores[i] as number) >= 0 ? 1 : 0] as L;
    let best = 0;
    for (let k = 1; k < many; k++) {
      if ((scores[i * many + k] as number) > (scores[i * many + best] as number)) best = k;
    }
    return classes[best] as L;
  };
  return {
    classes,
    predict(X) {
      const scores = scoresOf(rowsOf(X), ofMany);
      return Array.from({ length: scores.length / many }, (_, i) => labelAt(scores, i));
    },
    predictOne: (x) => labelAt(scoresOf(rowOf(x), ofOne), 0),
    decisionFunction(X) {
      const table = rowsOf(X);
      const data = scoresOf(table, ofMany);
      return isMulticlass ? { data, rows: countRows(table), cols: many } : data;
    },
  };
}
