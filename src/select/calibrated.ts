// Calibrated: a model that knows probabilities, as calibrate makes it.

import { checked } from '../data/labels.js';
import { isList } from '../data/parts.js';
import { atPath } from '../encode/paths.js';
import type { Contribution, ExplainOptions, FitReport, Label, Labels, Row, ScoreTable } from '../index.js';
import {
  exactNumber,
  fail,
  fieldsOf,
  listOf,
  notNegative,
  openModel,
  type Packed,
  plain,
  reader,
} from '../model/json.js';
import { get } from '../own.js';
import { type Input, type LoadModelOptions, loadModel } from '../prepare/index.js';
import { expectList } from './coding.js';
import type { ReliabilityBin } from './curves.js';
import {
  bestOf,
  type CalibrationMethod,
  mapsFrom,
  type ProbabilityMap,
  type ProbabilityMapJSON,
  probabilitiesOf,
} from './maps.js';

/** What a calibrated model needs of the one inside: every fitted trainer and Pipeline has it. */
export interface CalibratedModel<L extends Label = Label, In = never> {
  decisionFunction(X: In): Float64Array | ScoreTable;
  explain(x: never, options?: ExplainOptions): Contribution[];
  readonly classes: readonly L[];
  readonly report: FitReport;
  toJSON(): object;
}

/** One row, text or record. */
type One = Row | string | object;

/** What `Calibrated.toJSON` gives: the model and what turns its scores into probabilities. */
export interface CalibratedJSON {
  type: 'calibrated';
  version: 1;
  method: CalibrationMethod;
  /** One map for two classes, else one for each class. */
  maps: ProbabilityMapJSON[];
  reliability: ReliabilityBin[];
  model: object;
}

/** What calibrate learned. */
interface Parts<L extends Label, In> {
  readonly model: CalibratedModel<L, In>;
  readonly method: CalibrationMethod;
  readonly maps: readonly ProbabilityMap[];
  readonly reliability: readonly ReliabilityBin[];
}

/**
 * A fitted model with probabilities, made by `calibrate`. `predict` answers the class of the largest one.
 * @throws Methods throw TypeError or RangeError naming what is wrong, as those of the model inside
 *
 * @example
 * const X = Array.from({ length: 40 }, (_, i) => [i]);
 * const y = X.map(([x]) => (x + (x % 3) > 20 ? 'large' : 'small'));
 * const model = await calibrate(new Perceptron({ average: true }), X, y);
 * console.log(model.predict([[39]]), model.method); // → [ 'large' ] sigmoid
 */
export class Calibrated<L extends Label = Label, In = Input> {
  /** Survives minification: consoles and messages show it. */
  static readonly name = 'Calibrated';
  /** The model inside, fitted on all rows. */
  readonly model: CalibratedModel<L, In>;
  /** How scores become probabilities. */
  readonly method: CalibrationMethod;
  /**
   * How often it was right, by how sure it was: ten bins of the probabilities of rows that the model had not seen. Two classes: of
   * the second class; more: of the predicted class.
   */
  readonly reliability: readonly ReliabilityBin[];
  readonly #maps: readonly ProbabilityMap[];

  /** @internal */
  constructor({ model, method, maps, reliability }: Parts<L, In>) {
    this.model = model;
    this.method = method;
    this.#maps = maps;
    this.reliability = Object.freeze(reliability.map((bin) => Object.freeze({ ...bin })));
  }

  /** The classes in order. */
  get classes(): readonly L[] {
    return this.model.classes;
  }

  /** How the training on all rows went. */
  get report(): FitReport {
    return this.model.report;
  }

  /** Two classes: the probability of the second for each row; more: that of each class in class order, which add up to 1. */
  predictProbability(X: In): Float64Array | ScoreTable {
    const { data, rows, cols } = this.#table(X);
    return cols === 1 ? data : { data, rows, cols };
  }

  /** The probability of each class of one row, text or record, in class order. */
  predictProbabilityOne(x: One): Float64Array {
    const { data } = this.#table(this.#alone(x));
    return data.length === 1 ? Float64Array.of(1 - (data[0] as number), data[0] as number) : data;
  }

  /** The most probable class of each row; of two, the second from probability 0.5 on. */
  predict(X: In): L[] {
    const { data, rows, cols } = this.#table(X);
    return Array.from({ length: rows }, (_, i) => this.classes[bestOf(data, cols, i, 0.5)] as L);
  }

  /** The most probable class of one row, text or record. */
  predictOne(x: One): L {
    return this.predict(this.#alone(x))[0] as L;
  }

  /** The model's scores. */
  decisionFunction(X: In): Float64Array | ScoreTable {
    return this.model.decisionFunction(X);
  }

  /** The share of rows that are predicted correctly. */
  score(X: In, y: Labels<L>): number {
    const predicted = this.predict(X);
    expectList(y, 'y', 'labels');
    if (y.length !== predicted.length) throw new RangeError(`y has ${y.length} labels, X has ${predicted.length} rows`);
    const type = typeof this.classes[0];
    return predicted.filter((label, i) => checked(y[i], 'y', i, type) === label).length / predicted.length;
  }

  /** What each feature adds to the score of x: the model's own. */
  explain(x: One, options?: ExplainOptions & { label?: L }): Contribution[] {
    return this.model.explain(x as never, options);
  }

  /** Model and probabilities as plain data, exact to the bit. */
  toJSON(): CalibratedJSON {
    return plain<CalibratedJSON>(this.packed());
  }

  /** The JSON with the own arrays of the model. @internal */
  packed(): Packed<CalibratedJSON> {
    const { method, reliability, model } = this;
    return { type: 'calibrated', version: 1, method, maps: this.#maps, reliability, model: packedOf(model) };
  }

  /** A calibrated model from `toJSON`. @throws TypeError or RangeError naming the wrong field */
  static fromJSON<L extends Label = Label>(json: unknown, options: LoadModelOptions = {}): Calibrated<L> {
    const fields = openModel(json, ['calibrated']);
    fieldsOf(fields.model, 'model');
    const model = atPath('model', () => loadModel<L>(fields.model, options)) as CalibratedModel<L, Input>;
    const reliability = listOf(fields.reliability, 'reliability', binFrom);
    return new Calibrated<L>({ model, reliability, ...mapsFrom(fields, model.classes.length) });
  }

  /** Probabilities, row-major: of two classes one column. */
  #table(X: In): ScoreTable {
    const scores = this.model.decisionFunction(X);
    const [data, cols] = scores instanceof Float64Array ? [scores, 1] : [scores.data, scores.cols];
    return {
      data: probabilitiesOf(this.#maps, data, cols),
      rows: data.length / cols,
      cols: this.#maps.length,
    };
  }

  /** One row as a table. */
  #alone(x: One): In {
    const { indices, values } = Object(x) as { indices?: unknown; values?: unknown };
    const cols = isList(indices) && isList(values) && !isList(x) ? colsOf(this.model) : undefined;
    const isSparse = cols !== undefined;
    return (isSparse ? { indices, values, indptr: [0, (values as ArrayLike<number>).length], cols } : [x]) as In;
  }
}

const packedOf = (model: { toJSON(): object; packed?(): object }): object => model.packed?.() ?? model.toJSON();

/** The columns that a model takes; undefined if it takes texts or tables. */
function colsOf(model: { toJSON(): object }): number | undefined {
  const { steps, scaler, cols, weights } = packedOf(model) as PackedShape;
  const first = scaler ?? steps?.[0];
  return first ? get(first, 'cols') : (cols ?? weights?.length);
}

/** What packed models and pipelines have of their columns. */
interface PackedShape {
  readonly steps?: readonly { cols?: number }[];
  readonly scaler?: { cols?: number };
  readonly cols?: number;
  readonly weights?: Float64Array;
}

function binFrom(value: unknown, path: string): ReliabilityBin {
  const field = reader(fieldsOf(value, path), `${path}.`);
  const share = (name: keyof ReliabilityBin) =>
    field(name, (given, at) => {
      const number = exactNumber(given, at);
      return number >= 0 && number <= 1 ? number : fail(at, 'a number from 0 to 1', number, 'number');
    });
  return {
    from: share('from'),
    to: share('to'),
    meanPredicted: share('meanPredicted'),
    sharePositive: share('sharePositive'),
    rows: field('rows', notNegative),
  };
}
