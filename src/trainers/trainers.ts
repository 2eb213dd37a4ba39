// Every trainer there is, and any of their saved models by its "type".

import type { Label } from '../data/labels.js';
import { openModel } from '../model/json.js';
import { DualPerceptron } from './dualperceptron.js';
import { MulticlassPerceptron } from './multiclassperceptron.js';
import { Perceptron } from './perceptron.js';
import { PocketPerceptron } from './pocketperceptron.js';

/** A model that trains itself. */
export type AnyTrainer<L extends Label = Label> =
  | Perceptron<L>
  | PocketPerceptron<L>
  | DualPerceptron<L>
  | MulticlassPerceptron<L>;

/** A trainer whose label type nobody stated, once it was fitted with labels of type L; any other stays what it is (fitted.ts). */
export type FittedTrainer<T, L extends Label> = Perceptron extends T
  ? Perceptron<L>
  : PocketPerceptron extends T
    ? PocketPerceptron<L>
    : DualPerceptron extends T
      ? DualPerceptron<L>
      : MulticlassPerceptron extends T
        ? MulticlassPerceptron<L>
        : T;

/** By the type of their JSON. */
export const trainers = {
  perceptron: Perceptron,
  'pocket-perceptron': PocketPerceptron,
  'dual-perceptron': DualPerceptron,
  'multiclass-perceptron': MulticlassPerceptron,
} as const;

/** The model that a trainer saved. @throws TypeError or RangeError naming what is wrong */
export function loadTrainer<L extends Label = Label>(json: unknown): AnyTrainer<L> {
  const { type } = openModel(json, Object.keys(trainers));
  return trainers[type as keyof typeof trainers].fromJSON<L>(json);
}
