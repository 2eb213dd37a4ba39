// Any saved model, by its "type".

import type { Label } from '../data/labels.js';
import { openModel } from '../model/json.js';
import { DualPerceptron } from './dualperceptron.js';
import { MulticlassPerceptron } from './multiclassperceptron.js';
import { Perceptron } from './perceptron.js';
import { PocketPerceptron } from './pocketperceptron.js';

/** Every kind of model there is. */
export type AnyModel<L extends Label = Label> =
  | Perceptron<L>
  | PocketPerceptron<L>
  | DualPerceptron<L>
  | MulticlassPerceptron<L>;

const loaders = {
  perceptron: Perceptron,
  'pocket-perceptron': PocketPerceptron,
  'dual-perceptron': DualPerceptron,
  'multiclass-perceptron': MulticlassPerceptron,
} as const;

/** The model in a JSON object, whichever trainer made it. @throws TypeError or RangeError naming what is wrong */
export function loadModel<L extends Label = Label>(json: unknown): AnyModel<L> {
  const { type } = openModel(json, Object.keys(loaders));
  return loaders[type as keyof typeof loaders].fromJSON<L>(json);
}
