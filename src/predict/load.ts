// loadPredictor: makes a predictor from any saved model, bit-identical to the library that saved it.

import type { Label } from '../data/labels.js';
import type { Row } from '../data/row.js';
import { expectLength, fieldsOf, openModel } from '../model/json.js';
import { type Learned, readers } from './models.js';
import { oneRow, type Rows, tableOf } from './rows.js';
import { type Scales, scaled, scalerFrom } from './scaler.js';
import { expectFiniteScores } from './scorers.js';
import { countRows, type Names, ofMany, ofOne, type Table } from './tables.js';

/** Scores, row-major: a row for each row of X, a column for each class. Not imported from the core, which would add all its types. */
export interface ScoreTable {
  data: Float64Array;
  rows: number;
  cols: number;
}

/** A saved model that predicts. Its methods need no `this`. */
export interface Predictor<L extends Label = Label> {
  /** The class of each row; an empty array for no rows. @throws TypeError or RangeError naming the row or the value that is wrong */
  predict(X: Rows): L[];
  /** The class of one row. @throws TypeError or RangeError naming the value that is wrong */
  predictOne(x: Row): L;
  /** The score of each row; for a multiclass model the score of each row for each class, in class order. */
  decisionFunction(X: Rows): Float64Array | ScoreTable;
  /** The probability of the second class, or of each class. Only calibrated models have this method. */
  predictProbability?(X: Rows): Float64Array | ScoreTable;
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
export function loadPredictor<L extends Label = Label>(json: unknown): Predictor<L> {
  return reading('', () => {
    const { type, ...fields } = openModel(json, [...Object.keys(readers), 'pipeline']);
    if (type !== 'pipeline') return predictorOf(modelFrom<L>(json));
    fieldsOf(fields.scaler, 'scaler');
    fieldsOf(fields.model, 'model');
    const scales = reading('scaler', () => scalerFrom(fields.scaler));
    const learned = reading('model', () => modelFrom<L>(fields.model));
    expectLength(scales.means, learned.cols, 'scaler.means');
    return predictorOf(learned, scales);
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

function predictorOf<L extends Label>(learned: Learned<L>, scales?: Scales): Predictor<L> {
  const { classes, cols, isMulticlass, score } = learned;
  const many = isMulticlass ? classes.length : 1;
  const scoresOf = (X: Table, names: Names): Float64Array => {
    const scores = score(scales ? scaled(X, scales, names) : X, names);
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
      const scores = scoresOf(tableOf(X, cols), ofMany);
      return Array.from({ length: scores.length / many }, (_, i) => labelAt(scores, i));
    },
    predictOne: (x) => labelAt(scoresOf(oneRow(x, cols), ofOne), 0),
    decisionFunction(X) {
      const table = tableOf(X, cols);
      const data = scoresOf(table, ofMany);
      return isMulticlass ? { data, rows: countRows(table), cols: many } : data;
    },
  };
}
