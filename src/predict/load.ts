// loadPredictor: makes a predictor from any saved model, bit-identical to the library that saved it.

import type { Label } from '../data/labels.js';
import type { Row } from '../data/row.js';
import { atPath } from '../encode/paths.js';
import type { Table as RawTable } from '../encode/tables.js';
import { show } from '../errors.js';
import { type Fields, fail, fieldsOf, listOf, oneOf, openModel } from '../model/json.js';
import { get, has } from '../own.js';
import { type Encoder, encoders } from './encoders.js';
import { type Learned, readers } from './models.js';
import { oneRow, type Rows, tableOf } from './rows.js';
import { type Scales, scaled, scalerFrom } from './scaler.js';
import { expectFiniteScores } from './scorers.js';
import { ofMany, ofOne, type Table } from './tables.js';

/** Scores, row-major: a row for each row of X, a column for each class. Not imported from the core, which would add all its types. */
export interface ScoreTable {
  data: Float64Array;
  rows: number;
  cols: number;
}

/** Rows; texts or a table for a pipeline that begins with them. */
export type Input = Rows | Iterable<string> | RawTable;

/** One row, text or record. */
export type One = Row | string | object;

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
  for (const key of Object.keys(options)) {
    if (key !== 'allowPatterns') throw new RangeError(`loadPredictor has no option ${show(key)}`);
  }
  const allowPatterns = get(options, 'allowPatterns') === true;
  return atPath('', () => {
    const fields = openModel(json, [...Object.keys(readers), 'pipeline']);
    return fields.type === 'pipeline' ? pipelineFrom<L>(fields, allowPatterns) : predictorOf(modelFrom<L>(json));
  });
}

function modelFrom<L extends Label>(json: unknown): Learned<L> {
  const fields = openModel(json, Object.keys(readers));
  return (readers[fields.type as string] as (typeof readers)[string])<L>(fields);
}

const firstTypeFrom = oneOf('scaler', ...encoders.keys());

const isEncoder = (step: Encoder | Scales): step is Encoder => has(step, 'rowsOf');

/** A pipeline: `scaler`, as 0.1 wrote it, or `steps`, of which the first may be an encoder; then `model`. */
function pipelineFrom<L extends Label>({ scaler, steps, model }: Fields, allowPatterns: boolean): Predictor<L> {
  const isOld = steps === undefined;
  const given = isOld ? [fieldsOf(scaler, 'scaler')] : listOf(steps, 'steps', fieldsOf);
  const at = (k: number) => (isOld ? 'scaler' : `steps[${k}]`);
  if (given.length === 0) fail('steps', 'one or more steps', steps, 'object');
  fieldsOf(model, 'model');
  const parts = given.map((step, k) =>
    atPath(at(k), () => {
      const type = k > 0 || isOld ? 'scaler' : firstTypeFrom(step.type, 'type');
      return encoders.get(type)?.(step, { allowPatterns }) ?? scalerFrom(step);
    }),
  );
  const learned = atPath('model', () => modelFrom<L>(model));
  [...parts, learned].forEach(({ cols }, k, all) => {
    const before = all[k - 1]?.cols ?? cols;
    if (before !== cols) {
      const taker = k < parts.length ? at(k) : 'the model';
      throw new RangeError(`model JSON: ${at(k - 1)} makes ${before} columns, but ${taker} takes ${cols}`);
    }
  });
  const [first, ...rest] = parts as [Encoder | Scales, ...Scales[]];
  return isEncoder(first) ? predictorOf(learned, rest, first) : predictorOf(learned, [first, ...rest]);
}

function predictorOf<L extends Label>(learned: Learned<L>, scalers: Scales[] = [], encoder?: Encoder): Predictor<L> {
  const { classes, cols, isMulticlass, score } = learned;
  const many = isMulticlass ? classes.length : 1;
  const rowsOf = (X: unknown, isOne: boolean): Table => {
    if (encoder) return encoder.rowsOf(X, isOne);
    return isOne ? oneRow(X as Row, cols) : tableOf(X as Rows, cols);
  };
  const scoresOf = (X: unknown, isOne = false): Float64Array => {
    const names = isOne ? ofOne : ofMany;
    let rows = rowsOf(X, isOne);
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
      const scores = scoresOf(X);
      return Array.from({ length: scores.length / many }, (_, i) => labelAt(scores, i));
    },
    predictOne: (x) => labelAt(scoresOf(x, true), 0),
    decisionFunction(X) {
      const data = scoresOf(X);
      return isMulticlass ? { data, rows: data.length / many, cols: many } : data;
    },
  };
}
