// loadModel: any saved model, by its "type".

import type { Label } from '../data/labels.js';
import { openModel } from '../model/json.js';
import { Pipeline } from './pipeline.js';
import type { StepReaders } from './pipelinejson.js';
import { type AnyTrainer, loadTrainer, trainers } from './trainers.js';

/** Every kind of model. */
export type AnyModel<L extends Label = Label> = AnyTrainer<L> | Pipeline<L>;

/**
 * The model in a JSON object: of any trainer, or a pipeline of Scalers; `loadModel` of `perceptron-wasm/prepare` reads all pipelines.
 * @throws TypeError or RangeError naming what is wrong
 *
 * @example
 * const text = JSON.stringify(new Perceptron().fit([[3, 3], [4, 3], [1, 1]], ['yes', 'yes', 'no']));
 * console.log(loadModel(JSON.parse(text)).predict([[4, 4]])); // → [ 'yes' ]
 */
export function loadModel<L extends Label = Label>(json: unknown): AnyModel<L>;
/** With readers of other steps. @internal */
export function loadModel<L extends Label = Label>(json: unknown, readers: StepReaders | undefined): AnyModel<L>;
export function loadModel<L extends Label = Label>(json: unknown, readers?: StepReaders): AnyModel<L> {
  if (Object(json).type === 'calibrated') {
    throw new RangeError('model JSON: use loadModel of perceptron-wasm/select for a calibrated model');
  }
  const { type } = openModel(json, [...Object.keys(trainers), 'pipeline']);
  return type === 'pipeline' ? Pipeline.fromJSON<L>(json, readers) : loadTrainer<L>(json);
}
