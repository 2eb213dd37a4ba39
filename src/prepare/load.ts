// loadModel: any saved model, also one with steps of text and tables.

import { expectOptions, show } from '../errors.js';
import {
  type AnyModel,
  type Contribution,
  type ExplainOptions,
  type Label,
  type Labels,
  loadModel as loadOfCore,
  type PredictOptions,
  type Row,
  type Rows,
  type ScoreTable,
  type Step,
} from '../index.js';
import { TableEncoder } from './tableencoder.js';
import type { Table } from './tables.js';
import { TextVectorizer } from './textvectorizer.js';

/** Options of `loadModel`. */
export interface LoadModelOptions {
  /** Whether a RegExp of the file is used: one that somebody else wrote can take for ever. Default false. */
  allowPatterns?: boolean;
  /** Readers of steps of your own, by the `type` in their JSON. */
  steps?: Readonly<Record<string, (json: unknown) => Step>>;
}

/** Rows for a model; texts or a table for a pipeline that begins with them. */
export type Input = Rows | Iterable<string> | Table;

/** What a loaded model predicts for: only the file says what its first step takes. */
interface Predicting<L extends Label> {
  predict(X: Input, options?: PredictOptions): L[];
  predictOne(x: Row | string | object, options?: PredictOptions): L;
  decisionFunction(X: Input, options?: PredictOptions): Float64Array | ScoreTable;
  score(X: Input, y: Labels<L>, options?: PredictOptions): number;
  explain(x: Row | string | object, options?: ExplainOptions & { label?: L }): Contribution[];
}

/** A loaded model of any kind. */
export type LoadedModel<L extends Label = Label> = AnyModel<L> & Predicting<L>;

/**
 * The model in a JSON object, of any kind: all trainers and pipelines, of every version.
 * @throws TypeError or RangeError naming what is wrong
 *
 * @example
 * import { loadModel } from 'perceptron-wasm/prepare';
 * const model = new Pipeline(new TextVectorizer(), new Perceptron()).fit(['win a prize', 'see you'], ['spam', 'ham']);
 * console.log(loadModel(JSON.parse(JSON.stringify(model))).predict(['a prize'])); // → [ 'spam' ]
 */
export function loadModel<L extends Label = Label>(json: unknown, options: LoadModelOptions = {}): LoadedModel<L> {
  const { allowPatterns = false, steps = {} } = expectOptions(options, ['allowPatterns', 'steps'], 'loadModel');
  if (typeof allowPatterns !== 'boolean') {
    throw new TypeError(`"allowPatterns" must be true or false, got ${show(allowPatterns)}`);
  }
  const readers = {
    'text-vectorizer': (step: unknown) => TextVectorizer.fromJSON(step, { allowPatterns }),
    'table-encoder': (step: unknown) => TableEncoder.fromJSON(step, { allowPatterns }),
    ...steps,
  };
  for (const [type, read] of Object.entries(readers)) {
    if (typeof read !== 'function') throw new TypeError(`"steps.${type}" must be a function, got ${show(read)}`);
  }
  return loadOfCore<L>(json, readers) as LoadedModel<L>;
}
