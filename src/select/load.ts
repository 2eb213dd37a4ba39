// loadModel: any saved model, also a calibrated one.

import type { Label } from '../index.js';
import { get } from '../own.js';
import { type LoadedModel, type LoadModelOptions, loadModel as loadOfPrepare } from '../prepare/index.js';
import { Calibrated } from './calibrated.js';

/**
 * The model in a JSON object, of any kind: all trainers, pipelines and calibrated models.
 * @throws TypeError or RangeError naming what is wrong
 *
 * @example
 * import { loadModel } from 'perceptron-wasm/select';
 * const text = JSON.stringify(new Perceptron().fit([[3, 3], [4, 3], [1, 1]], ['yes', 'yes', 'no']));
 * console.log(loadModel(JSON.parse(text)).predict([[4, 4]])); // → [ 'yes' ]
 */
export function loadModel<L extends Label = Label>(
  json: unknown,
  options: LoadModelOptions = {},
): LoadedModel<L> | Calibrated<L> {
  const isCalibrated = get(Object(json) as { type?: unknown }, 'type') === 'calibrated';
  return isCalibrated ? Calibrated.fromJSON<L>(json, options) : loadOfPrepare<L>(json, options);
}
