// A dual model as JSON: its support rows, which are training data, and not the rest of the training set.

import type { Label } from '../data/labels.js';
import {
  classesFrom,
  countFrom,
  type ExactNumber,
  exact,
  exactList,
  exactNumber,
  expectLength,
  type Fields,
  fail,
  fieldsOf,
  listOf,
  numberFrom,
  type OptionsJSON,
  type TrainingJSON,
  trainingFrom,
  trainingJSON,
  word,
} from './json.js';
import type { DualState } from './state.js';

export interface DualPerceptronJSON {
  type: 'dual-perceptron';
  version: 1;
  options: OptionsJSON;
  classes: Label[];
  cols: number;
  /** The samples that were ever a mistake, ascending. */
  supports: {
    indices: number[];
    /** y, −1 or +1. */
    signs: number[];
    /** α, the last. */
    alphas: number[];
    /** How often each was the mistake. */
    counts: number[];
    rows: ExactNumber[][];
    /** Where averaging is on: Σ (samples seen before)·|step|. */
    sums?: number[];
    /** Where there is a pocket: its α. */
    pocket?: number[];
  };
  bias: ExactNumber;
  /** Where training stands, to go on from. */
  training: TrainingJSON & {
    biasSum?: ExactNumber;
    pocketBias?: ExactNumber;
    samples: number;
    first: number;
    /** The cached scores of the latest rows, where they are not those of α recomputed. */
    scores?: ExactNumber[];
  };
}

export function dualToJSON<L extends Label>(state: DualState<L>, options: OptionsJSON): DualPerceptronJSON {
  const { supports, cols, scores } = state;
  return {
    type: 'dual-perceptron',
    version: 1,
    options,
    classes: [...state.classes],
    cols,
    supports: {
      indices: [...supports.indices],
      signs: [...supports.signs],
      alphas: [...supports.alphas],
      counts: [...supports.counts],
      rows: Array.from(supports.indices, (_, s) => exactList(supports.data.subarray(s * cols, (s + 1) * cols))),
      ...(supports.sums && { sums: [...supports.sums] }),
      ...(supports.pocket && { pocket: [...supports.pocket] }),
    },
    bias: exact(state.bias),
    training: {
      ...trainingJSON(state),
      ...(supports.sums && { biasSum: exact(state.biasSum) }),
      ...(supports.pocket && { pocketBias: exact(state.pocketBias) }),
      samples: state.samples,
      first: state.first,
      ...(scores && { scores: exactList(scores) }),
    },
  };
}

/** Two sums of the same steps in another order are as near as that. */
const SUM_SLACK = 1e-6;

/** Columns, and samples: no memory of ours holds more numbers than that. */
const MOST = 2 ** 29;

/** The state in a model's JSON, all of it checked; `average` and `pocket` are the options of those names. */
export function dualFromJSON<L extends Label>(
  json: Fields,
  { average, pocket }: { average: boolean; pocket: boolean },
): DualState<L> {
  const cols = countFrom(json.cols, 'cols');
  if (cols === 0 || cols > MOST) fail('cols', `an integer from 1 to ${MOST}`, cols, 'number');
  const classes = classesFrom<L>(json, 'two');
  const { state, training: t } = trainingFrom(json.training, 'training', pocket);
  const samples = countFrom(t.samples, 'training.samples');
  const first = countFrom(t.first, 'training.first');
  if (samples === 0 || samples > MOST) fail('training.samples', `an integer from 1 to ${MOST}`, samples, 'number');
  if (first >= samples) fail('training.first', 'an integer below training.samples', first, 'number');

  const s = fieldsOf(json.supports, 'supports');
  const indices = listOf(s.indices, 'supports.indices', word);
  indices.forEach((index, k) => {
    const after = k === 0 ? -1 : (indices[k - 1] as number);
    if (index <= after || index >= samples) {
      fail(`supports.indices[${k}]`, `an integer above ${after} and below ${samples}`, index, 'number');
    }
  });
  const count = indices.length;
  const positive = (value: unknown, path: string): number => {
    const n = numberFrom(0, value, path);
    if (n === 0) fail(path, 'a number > 0', n, 'number');
    return n;
  };
  const list = (name: string, item: (value: unknown, path: string) => number): number[] => {
    const values = listOf(s[name], `supports.${name}`, item);
    expectLength(values, count, `supports.${name}`);
    return values;
  };
  const signs = list('signs', (value, path) => {
    if (value !== 1 && value !== -1) fail(path, '-1 or 1', value, 'number');
    return value;
  });
  const counts = list('counts', word);
  counts.forEach((n, k) => {
    if (n === 0) fail(`supports.counts[${k}]`, 'an integer ≥ 1', n, 'number');
  });
  const made = counts.reduce((a, b) => a + b, 0);
  if (made !== state.history.mistakes) {
    throw new RangeError(`model JSON: supports.counts sums to ${made}, training.mistakes is ${state.history.mistakes}`);
  }
  const rows = listOf(s.rows, 'supports.rows', (value, path) => {
    const row = listOf(value, path, exactNumber);
    expectLength(row, cols, path);
    return row;
  });
  expectLength(rows, count, 'supports.rows');
  const data = new Float64Array(count * cols);
  rows.forEach((row, k) => {
    data.set(row, k * cols);
  });
  const alphas = list('alphas', positive);
  const total = alphas.reduce((a, b) => a + b, 0);
  if (!(Math.abs(state.sigma - total) <= SUM_SLACK * total)) {
    throw new RangeError(`model JSON: supports.alphas sums to ${total}, training.sigma is ${state.sigma}`);
  }
  const scores = t.scores === undefined ? undefined : listOf(t.scores, 'training.scores', exactNumber);
  if (scores) expectLength(scores, samples - first, 'training.scores');
  return {
    ...state,
    classes,
    cols,
    supports: {
      data,
      indices: Uint32Array.from(indices),
      signs: Int8Array.from(signs),
      alphas: Float64Array.from(alphas),
      counts: Uint32Array.from(counts),
      sums: average ? Float64Array.from(list('sums', (value, path) => numberFrom(0, value, path))) : undefined,
      pocket: pocket ? Float64Array.from(list('pocket', (value, path) => numberFrom(0, value, path))) : undefined,
    },
    bias: exactNumber(json.bias, 'bias'),
    biasSum: average ? exactNumber(t.biasSum, 'training.biasSum') : 0,
    pocketBias: pocket ? exactNumber(t.pocketBias, 'training.pocketBias') : 0,
    samples,
    first,
    scores: scores && Float64Array.from(scores),
  };
}
