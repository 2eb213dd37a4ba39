// From scores to probabilities: what calibration learned, its JSON, and how it is used. `perceptron-wasm/predict` uses it, too.

import { exp } from '../engine/js/exp.js';
import {
  type ExactNumber,
  exactNumber,
  expectLength,
  type Fields,
  fail,
  fieldsOf,
  listOf,
  numbersFrom,
  oneOf,
} from '../model/json.js';
import { has } from '../own.js';

/** How `calibrate` turns scores into probabilities: Platt's sigmoid, or steps that only rise. */
export type CalibrationMethod = 'sigmoid' | 'isotonic';

/** p = 1 / (1 + e^(a s + b)). */
export interface SigmoidMap {
  readonly a: number;
  readonly b: number;
}

/** p at some scores, both ascending; straight lines between them, and constant beyond. */
export interface IsotonicMap {
  readonly scores: Float64Array;
  readonly probabilities: Float64Array;
}

export type ProbabilityMap = SigmoidMap | IsotonicMap;

/** What turns the scores of one class into probabilities. */
export type ProbabilityMapJSON =
  | { a: ExactNumber; b: ExactNumber }
  | { scores: ExactNumber[]; probabilities: ExactNumber[] };

const isIsotonic = (map: ProbabilityMap): map is IsotonicMap => has(map, 'scores');

function sigmoid({ a, b }: SigmoidMap, score: number): number {
  const e = exp(-Math.abs(a * score + b));
  return (a * score + b > 0 ? e : 1) / (1 + e);
}

function interpolated({ scores, probabilities }: IsotonicMap, score: number): number {
  // The first score that is not below: high.
  let [low, high] = [0, scores.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((scores[middle] as number) < score) low = middle + 1;
    else high = middle;
  }
  const [p1 = probabilities[high - 1] as number, p0 = p1] = [probabilities[high], probabilities[high - 1]];
  const [s1 = score, s0 = s1] = [scores[high], scores[high - 1]];
  const share = (score - s0) / (s1 - s0);
  // 0 / 0 beyond the ends, where p0 = p1; ∞ / ∞ if both differences overflow.
  return Math.min(1, p0 + (p1 - p0) * (share >= 0 ? share : 0.5));
}

const difference = (a: number, b: number): number => Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, a - b));

/** The scores that the maps of two classes are about: a model with a score for each class has the difference. */
export const scoreOfTwo = (data: Float64Array, cols: number, i: number): number =>
  cols === 1 ? (data[i] as number) : difference(data[2 * i + 1] as number, data[2 * i] as number);

/**
 * The probability of the second class with one map; else, row-major, those of all classes: each against the rest, divided by
 * their sum. @param cols the scores of a row
 */
export function probabilitiesOf(maps: readonly ProbabilityMap[], data: Float64Array, cols: number): Float64Array {
  const one = (k: number, score: number): number => {
    const map = maps[k] as ProbabilityMap;
    return isIsotonic(map) ? interpolated(map, score) : sigmoid(map, score);
  };
  if (maps.length === 1) {
    return Float64Array.from({ length: data.length / cols }, (_, i) => one(0, scoreOfTwo(data, cols, i)));
  }
  const result = data.map((score, at) => one(at % cols, score));
  for (let at = 0; at < result.length; at += cols) {
    const row = result.subarray(at, at + cols);
    const sum = row.reduce((total, p) => total + p, 0);
    row.forEach((p, k) => {
      row[k] = sum > 0 ? p / sum : 1 / cols;
    });
  }
  return result;
}

/** The column of row i with the largest value, the first of equal ones; of one column, 1 from `threshold` on, else 0. */
export function bestOf(data: Float64Array, cols: number, i: number, threshold = 0): number {
  if (cols === 1) return (data[i] as number) >= threshold ? 1 : 0;
  const row = data.subarray(i * cols, (i + 1) * cols);
  return row.indexOf(row.reduce((most, value) => Math.max(most, value)));
}

const methodFrom = /* @__PURE__ */ oneOf<CalibrationMethod>('sigmoid', 'isotonic');

/** The maps in the JSON of a calibrated model of `classes` classes. @throws TypeError or RangeError naming the wrong field */
export function mapsFrom(json: Fields, classes: number): { method: CalibrationMethod; maps: ProbabilityMap[] } {
  const method = methodFrom(json.method, 'method');
  const maps = listOf(json.maps, 'maps', (value, path): ProbabilityMap => {
    const map = fieldsOf(value, path);
    if (method === 'sigmoid') return { a: exactNumber(map.a, `${path}.a`), b: exactNumber(map.b, `${path}.b`) };
    const scores = numbersFrom(map.scores, `${path}.scores`);
    if (scores.length === 0) fail(`${path}.scores`, 'one or more numbers', map.scores, 'object');
    const probabilities = numbersFrom(map.probabilities, `${path}.probabilities`, scores.length);
    scores.forEach((score, k) => {
      const [above = -Infinity, least = 0, p = 0] = [scores[k - 1], probabilities[k - 1], probabilities[k]];
      if (!(score > above)) fail(`${path}.scores[${k}]`, `a number above ${above}`, score, 'number');
      if (!(p >= least && p <= 1)) fail(`${path}.probabilities[${k}]`, `a number from ${least} to 1`, p, 'number');
    });
    return { scores, probabilities };
  });
  expectLength(maps, classes === 2 ? 1 : classes, 'maps');
  return { method, maps };
}
