// loadPredictor: makes a predictor from any saved model, bit-identical to the library that saved it.

import type { Label } from '../data/labels.js';
import type { Row } from '../data/row.js';
import { atPath } from '../encode/paths.js';
import type { Table as RawTable } from '../encode/tables.js';
import { show } from '../errors.js';
import { type Fields, fail, fieldsOf, listOf, oneOf, openModel } from '../model/json.js';
import { get } from '../own.js';
import { bestOf, mapsFrom, type ProbabilityMap, probabilitiesOf } from '../select/maps.js';
import { encoders } from './encoders.js';
import { type Learned, readers } from './models.js';
import { type Rows, rowsStep } from './rows.js';
import { scalerFrom } from './scaler.js';
import { expectFiniteScores } from './scorers.js';
import { type Names, ofMany, ofOne, type Step, type Table } from './tables.js';

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

/** Options of `loadPredictor`. */
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

/** What a model does: steps from what the caller gives to rows of numbers, then scores. */
interface Parts<L extends Label> {
  readonly steps: readonly Step[];
  readonly learned: Learned<L>;
}

/** Reads the model inside of another. */
function inModel<T>({ model }: Fields, read: (json: unknown) => T): T {
  fieldsOf(model, 'model');
  return atPath('model', () => read(model));
}

function partsFrom<L extends Label>(json: Fields, allowPatterns: boolean): Parts<L> {
  if (json.type === 'pipeline') return pipelineFrom(json, allowPatterns);
  const learned = learnedFrom<L>(json);
  return { steps: [rowsStep(learned.cols)], learned };
}

const learnedFrom = <L extends Label>(json: Fields): Learned<L> =>
  (readers[json.type as string] as (typeof readers)[string])<L>(json);

const firstTypeFrom = oneOf('scaler', ...encoders.keys());

/** A pipeline: `scaler`, as 0.1 wrote it, or `steps`, of which the first may be an encoder; then `model`. */
function pipelineFrom<L extends Label>(json: Fields, allowPatterns: boolean): Parts<L> {
  const { scaler, steps } = json;
  const given: [name: string, step: Fields][] =
    steps === undefined
      ? [['scaler', fieldsOf(scaler, 'scaler')]]
      : listOf(steps, 'steps', (step, name) => [name, fieldsOf(step, name)]);
  if (given.length === 0) fail('steps', 'one or more steps', steps, 'object');
  const parts = given.map(([name, step], k) =>
    atPath(name, () => {
      const type = k === 0 && name !== 'scaler' ? firstTypeFrom(step.type, 'type') : '';
      return (encoders.get(type) ?? scalerFrom)(step, allowPatterns);
    }),
  );
  const learned = inModel(json, (model) => learnedFrom<L>(openModel(model, KINDS)));
  [...parts, learned].reduce((before, taker, k) => {
    if (before.cols === taker.cols) return taker;
    const [[maker] = [], [name = 'the model'] = []] = [given[k - 1], given[k]];
    throw new RangeError(`model JSON: ${maker} makes ${before.cols} columns, but ${name} takes ${taker.cols}`);
  });
  const [{ cols, takesRows }] = parts as [Step];
  return { steps: takesRows ? [rowsStep(cols), ...parts] : parts, learned };
}

/** `maps`: from scores to probabilities, in a calibrated model. */
function predictorOf<L extends Label>({ steps, learned }: Parts<L>, maps?: readonly ProbabilityMap[]): Predictor<L> {
  const { classes, many, score } = learned;
  const scoresOf = (X: unknown, names: Names = ofMany): Float64Array => {
    const scores = score(steps.reduce((rows, step) => step.apply(rows, names), X) as Table, names);
    expectFiniteScores(scores, many, names);
    return scores;
  };
  const probabilities = (X: unknown, names?: Names) => probabilitiesOf(maps ?? [], scoresOf(X, names), many);
  // Of one column, the second class begins at `least`.
  const [valuesOf, width, least] = maps ? [probabilities, maps.length, 0.5] : [scoresOf, many, 0];
  const classesOf = (X: unknown, names?: Names): L[] => {
    const values = valuesOf(X, names);
    return Array.from({ length: values.length / width }, (_, i) => classes[bestOf(values, width, i, least)] as L);
  };
  const shaped = (data: Float64Array, cols: number) => (cols > 1 ? { data, rows: data.length / cols, cols } : data);
  return {
    classes,
    predict: (X) => classesOf(X),
    predictOne: (x) => classesOf(x, ofOne)[0] as L,
    decisionFunction: (X) => shaped(scoresOf(X), many),
    ...(maps && { predictProbability: (X) => shaped(probabilities(X), width) }),
  };
}
