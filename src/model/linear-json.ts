// A linear model as JSON.

import type { Label } from '../data/labels.js';
import {
  classesFrom,
  type ExactNumber,
  exactNumber,
  type Fields,
  fail,
  fieldsOf,
  numbersFrom,
  type OptionsJSON,
  type Packed,
  type TrainingJSON,
  trainingFrom,
  trainingJSON,
} from './json.js';
import type { LinearState, Plane } from './state.js';

/** A plane in JSON: one weight for each column, and the bias. */
export interface PlaneJSON {
  weights: ExactNumber[];
  bias: ExactNumber;
}

/** What `toJSON` of `Perceptron` and `PocketPerceptron` gives: plain data, exact to the bit. */
export interface PerceptronJSON extends PlaneJSON {
  type: 'perceptron' | 'pocket-perceptron';
  version: 1;
  options: OptionsJSON;
  classes: Label[];
  /** The state from which training continues. */
  training: TrainingJSON & {
    /** The last weights, if the model predicts with the mean or the pocket. */
    last?: PlaneJSON;
    sums?: PlaneJSON;
  };
}

export function linearToJSON<L extends Label>(
  type: PerceptronJSON['type'],
  state: LinearState<L>,
  options: OptionsJSON,
): Packed<PerceptronJSON> {
  return {
    type,
    version: 1,
    options,
    classes: state.classes,
    ...state.plane,
    training: {
      ...(state.plane !== state.last && { last: state.last }),
      ...(state.sums && { sums: state.sums }),
      ...trainingJSON(state),
    },
  };
}

export function planeFrom(fields: Fields, path: string, length?: number): Plane {
  const weights = numbersFrom(fields.weights, `${path}weights`, length);
  if (weights.length === 0) fail(`${path}weights`, 'an array of at least one number', fields.weights, 'object');
  return { weights, bias: exactNumber(fields.bias, `${path}bias`) };
}

/** The state in a model's JSON, checked; `average` and `pocket` are the options. @throws TypeError or RangeError naming the field */
export function linearFromJSON<L extends Label>(
  json: Fields,
  { average, pocket, ratchet }: { average: boolean; pocket: boolean; ratchet: boolean },
): LinearState<L> {
  const plane = planeFrom(json, '');
  const cols = plane.weights.length;
  const classes = classesFrom<L>(json, 'two');
  const { state, training: t } = trainingFrom(json.training, 'training', { pocket, ratchet });
  // The weights in the pocket may be the last weights.
  const isLast = !average && (!pocket || t.last === undefined);
  return {
    ...state,
    classes,
    cols,
    plane,
    last: isLast ? plane : planeFrom(fieldsOf(t.last, 'training.last'), 'training.last.', cols),
    sums: average ? planeFrom(fieldsOf(t.sums, 'training.sums'), 'training.sums.', cols) : undefined,
  };
}
