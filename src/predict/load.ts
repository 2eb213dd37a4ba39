// loadPredictor: makes a predictor from any saved model, bit-identical to the library that saved it.

import type { Label } from '../data/labels.js';
import type { Row } from '../data/row.js';
import { atPath } from '../encode/paths.js';
import type { Table as RawTable } from '../encode/tables.js';
import { show } from '../errors.js';
import { type Fields, fail, fieldsOf, listOf, oneOf, openModel } from '../model/json.js';
import { get, has } from '../own.js';
import { bestOf, mapsFrom, type ProbabilityMap, probabilitiesOf } from '../select/maps.js';
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
    const fields = openModel(json, [...TYPES, 'calibrated']);
    if (fields.type !== 'calibrated') return predictorOf(partsFrom<L>(fields, allowPatterns));
    const parts = inModel(fields, (model) => partsFrom<L>(openModel(model, TYPES), allowPatterns));
    return predictorOf(parts, mapsFrom(fields, parts.learned.classes.length).maps);
  });
}

const KINDS = Object.keys(readers);
const TYPES = [...KINDS, 'pipeline'];

/** What a model does with rows, one after the other. */
interface Parts<L extends Label> {
  readonly encoder?: Encoder;
  readonly scalers: readonly Scales[];
  readonly learned: Learned<L>;
}

/** Reads the model inside of another. */
function inModel<T>({ model }: Fields, read: (json: unknown) => T): T {
  fieldsOf(model, 'model');
  return atPath('model', () => read(model));
}

const partsFrom = <L extends Label>(json: Fields, allowPatterns: boolean): Parts<L> =>
  json.type === 'pipeline' ? pipelineFrom(json, allowPatterns) : { scalers: [], learned: learnedFrom(json) };

const learnedFrom = <L extends Label>(json: Fields): Learned<L> =>
  (readers[json.type as string] as (typeof readers)[string])<L>(json);

const firstTypeFrom = oneOf('scaler', ...encoders.keys());

const isEncoder = (step: Encoder | Scales): step is Encoder => has(step, 'rowsOf');

/** A pipeline: `scaler`, as 0.1 wrote it, or `steps`, of which the first may be an encoder; then `model`. */
function pipelineFrom<L extends Label>(json: Fields, allowPatterns: boolean): Parts<L> {
  const { scaler, steps } = json;
  const isOld = steps === undefined;
  const given = isOld ? [fieldsOf(scaler, 'scaler')] : listOf(steps, 'steps', fieldsOf);
  const at = (k: number) => (isOld ? 'scaler' : `steps[${k}]`);
  if (given.length === 0) fail('steps', 'one or more steps', steps, 'object');
  const parts = given.map((step, k) =>
    atPath(at(k), () => {
      const type = k > 0 || isOld ? 'scaler' : firstTypeFrom(step.type, 'type');
      return encoders.get(type)?.(step, { allowPatterns }) ?? scalerFrom(step);
    }),
  );
  const learned = inModel(json, (model) => learnedFrom<L>(openModel(model, KINDS)));
  [...parts, learned].forEach(({ cols }, k, all) => {
    const before = all[k - 1]?.cols ?? cols;
    if (before !== cols) {
      const taker = k < parts.length ? at(k) : 'the model';
      throw new RangeError(`model JSON: ${at(k - 1)} makes ${before} columns, but ${taker} takes ${cols}`);
    }
  });
  const [first, ...rest] = parts as [Encoder | Scales, ...Scales[]];
  return isEncoder(first) ? { encoder: first, scalers: rest, learned } : { scalers: [first, ...rest], learned };
}

/** `maps`: from scores to probabilities, in a calibrated model. */
function predictorOf<L extends Label>(
  { encoder, scalers, learned }: Parts<L>,
  maps?: readonly ProbabilityMap[],
): Predictor<L> {
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
  const shaped = (data: Float64Array, cols: number) => (cols > 1 ? { data, rows: data.length / cols, cols } : data);
  /** The class of each row: that of the largest score or probability. */
  const classesOf = (X: unknown, isOne?: boolean): L[] => {
    const scores = scoresOf(X, isOne);
    const [data, width, least] = maps ? [probabilitiesOf(maps, scores, many), maps.length, 0.5] : [scores, many, 0];
    return Array.from({ length: data.length / width }, (_, i) => classes[bestOf(data, width, i, least)] as L);
  };
  return {
    classes,
    predict: (X) => classesOf(X),
    predictOne: (x) => classesOf(x, true)[0] as L,
    decisionFunction: (X) => shaped(scoresOf(X), many),
    ...(maps && { predictProbability: (X) => shaped(probabilitiesOf(maps, scoresOf(X), many), maps.length) }),
  };
}
