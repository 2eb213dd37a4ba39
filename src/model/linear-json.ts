// A linear model as JSON.

import type { Label } from '../data/labels.js';
import {
  type ExactNumber,
  exact,
  exactList,
  exactNumber,
  expectLength,
  type Fields,
  fail,
  fieldsOf,
  listOf,
  type OptionsJSON,
  type TrainingJSON,
  trainingFrom,
  trainingJSON,
} from './json.js';
import type { LinearState, Plane } from './state.js';

export interface PlaneJSON {
  weights: ExactNumber[];
  bias: ExactNumber;
}

export interface PerceptronJSON extends PlaneJSON {
  type: 'perceptron';
  version: 1;
  options: OptionsJSON;
  classes: Label[];
  /** Where training stands, to go on from. */
  training: TrainingJSON & {
    /** The last weights, where the model's own are the mean. */
    last?: PlaneJSON;
    sums?: PlaneJSON;
  };
}

const planeJSON = ({ weights, bias }: Plane): PlaneJSON => ({ weights: exactList(weights), bias: exact(bias) });

export function linearToJSON<L extends Label>(state: LinearState<L>, options: OptionsJSON): PerceptronJSON {
  return {
    type: 'perceptron',
    version: 1,
    options,
    classes: [...state.classes],
    ...planeJSON(state.plane),
    training: {
      ...(state.sums && { last: planeJSON(state.last), sums: planeJSON(state.sums) }),
      ...trainingJSON(state),
    },
  };
}

function planeFrom(fields: Fields, path: string, length?: number): Plane {
  const weights = Float64Array.from(listOf(fields.weights, `${path}weights`, exactNumber));
  if (weights.length === 0) fail(`${path}weights`, 'an array of at least one number', fields.weights, 'object');
  expectLength(weights, length ?? weights.length, `${path}weights`);
  return { weights, bias: exactNumber(fields.bias, `${path}bias`) };
}

/** The state in a model's JSON, all of it checked; `average` is the option of that name. */
export function linearFromJSON<L extends Label>(json: Fields, average: boolean): LinearState<L> {
  const plane = planeFrom(json, '');
  const cols = plane.weights.length;
  const { state, training: t } = trainingFrom<L>(json);
  return {
    ...state,
    cols,
    plane,
    last: average ? planeFrom(fieldsOf(t.last, 'training.last'), 'training.last.', cols) : plane,
    sums: average ? planeFrom(fieldsOf(t.sums, 'training.sums'), 'training.sums.', cols) : undefined,
  };
}
