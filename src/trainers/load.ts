// loadModel: any saved model, by its "type".

import type { Label } from '../data/labels.js';
import { openModel } from '../model/json.js';
import { Pipeline } from './pipeline.js';
import { type AnyTrainer, loadTrainer, trainers } from './trainers.js';

/** Every kind of model. */
export type AnyModel<L extends Label = Label> = AnyTrainer<L> | Pipeline<L>;

/** The model in a JSON object, of any trainer. @throws TypeError or RangeError naming what is wrong */
export function loadModel<L extends Label = Label>(json: unknown): AnyModel<L> {
  const { type } = openModel(json, [...Object.keys(trainers), 'pipeline']);
  return type === 'pipeline' ? Pipeline.fromJSON<L>(json) : loadTrainer<L>(json);
}
