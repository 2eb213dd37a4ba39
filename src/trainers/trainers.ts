// All trainers, and loadTrainer: a saved model of any of them, by its "type".

import type { Label } from '../data/labels.js';
import { openModel } from '../model/json.js';
import { DualPerceptron } from './dualperceptron.js';
import { MulticlassPerceptron } from './multiclassperceptron.js';
import { Perceptron } from './perceptron.js';
import { PocketPerceptron } from './pocketperceptron.js';

/** Any trainer. */
export type AnyTrainer<L extends Label = Label> =
  | Perceptron<L>
  | PocketPerceptron<L>
  | DualPerceptron<L>
  | MulticlassPerceptron<L>;

/** The type of a trainer after a fit with labels of type L, if the caller stated none; others keep their type (fitted.ts). */
export type FittedTrainer<T, L extends Label> = Perceptron extends T
  ? Perceptron<L>
  : PocketPerceptron extends T
    ? PocketPerceptron<L>
    : DualPerceptron extends T
      ? DualPerceptron<L>
      : MulticlassPerceptron extends T
        ? MulticlassPerceptron<L>
        : T;

/** The trainers, by the type of their JSON. */
export const trainers = {
  perceptron: Perceptron,
  'pocket-perceptron': PocketPerceptron,
  'dual-perceptron': DualPerceptron,
  'multiclass-perceptron': MulticlassPerceptron,
} as const;

/** A saved model of any trainer. @throws TypeError or RangeError naming what is wrong */
export function loadTrainer<L extends Label = Label>(json: unknown): AnyTrainer<L> {
  const { type } = openModel(json, Object.keys(trainers));
  return trainers[type as keyof typeof trainers].fromJSON<L>(json);
}
