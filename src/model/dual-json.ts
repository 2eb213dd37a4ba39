// A dual model as JSON: its support vectors, which are training data, without the rest of the training set.

import type { Label } from '../data/labels.js';
import {
  classesFrom,
  countFrom,
  type ExactNumber,
  exactNumber,
  expectLength,
  type Fields,
  fail,
  fieldsOf,
  integerFrom,
  listOf,
  notNegative,
  numbersFrom,
  type OptionsJSON,
  type Packed,
  positive,
  type TrainingJSON,
  trainingFrom,
  trainingJSON,
  word,
} from './json.js';
import { ascendingFrom, packedRows, type RowJSON, rowsFrom } from './rows-json.js';
import type { DualState } from './state.js';

/** What `DualPerceptron.toJSON` gives: plain data, exact to the bit. It contains the support vectors, which are rows of the training set. */
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
    /** How often each was a mistake. */
    counts: number[];
    rows: RowJSON[];
    /** If averaging is on: Σ (samples seen before)·|step|. */
    sums?: number[];
    /** The α of the pocket, if there is one. */
    pocket?: number[];
  };
  bias: ExactNumber;
  /** The state from which training continues. */
  training: TrainingJSON & {
    biasSum?: ExactNumber;
    pocketBias?: ExactNumber;
    samples: number;
    first: number;
    /** The cached scores of the latest rows, if they differ from those recomputed from α. */
    scores?: ExactNumber[];
  };
}

export function dualToJSON<L extends Label>(state: DualState<L>, options: OptionsJSON): Packed<DualPerceptronJSON> {
  const { supports, cols, scores } = state;
  return {
    type: 'dual-perceptron',
    version: 1,
    options,
    classes: state.classes,
    cols,
    supports: {
      indices: supports.indices,
      signs: supports.signs,
      alphas: supports.alphas,
      counts: supports.counts,
      rows: packedRows(supports.data),
      ...(supports.sums && { sums: supports.sums }),
      ...(supports.pocket && { pocket: supports.pocket }),
    },
    bias: state.bias,
    training: {
      ...trainingJSON(state),
      ...(supports.sums && { biasSum: state.biasSum }),
      ...(supports.pocket && { pocketBias: state.pocketBias }),
      samples: state.samples,
      first: state.first,
      ...(scores && { scores }),
    },
  };
}

/** The largest relative difference between two sums of the same steps in different orders. */
const SUM_SLACK = 1e-6;

/** The most columns or samples: no memory holds more numbers. */
const MOST = 2 ** 29;

export const colsFrom = ({ cols }: Fields): number => integerFrom(1, MOST)(cols, 'cols');

/** How many rows were trained on, and the number of the first row of the latest block. */
export function samplesFrom(fields: Fields, path: string): { samples: number; first: number } {
  const samples = countFrom(fields.samples, `${path}samples`);
  const first = countFrom(fields.first, `${path}first`);
  if (samples === 0 || samples > MOST) fail(`${path}samples`, `an integer from 1 to ${MOST}`, samples, 'number');
  if (first >= samples) fail(`${path}first`, `an integer below ${path}samples`, first, 'number');
  return { samples, first };
}

/** How often each support vector was a mistake: at least once, and in total as often as `mistakes`. */
export function countsFrom(value: unknown, path: string, length: number, mistakes: number, where: string): Uint32Array {
  const counts = listOf(value, path, word);
  expectLength(counts, length, path);
  counts.forEach((n, k) => {
    if (n === 0) fail(`${path}[${k}]`, 'an integer ≥ 1', n, 'number');
  });
  const made = counts.reduce((a, b) => a + b, 0);
  if (made !== mistakes) {
    throw new RangeError(`model JSON: ${path} sums to ${made}, ${where}.mistakes is ${mistakes}`);
  }
  return Uint32Array.from(counts);
}

/** α: numbers > 0 whose sum is σ. */
export function alphasFrom(value: unknown, path: string, length: number, sigma: number, where: string): Float64Array {
  const alphas = numbersFrom(value, path, length, positive);
  const total = alphas.reduce((a, b) => a + b, 0);
  if (!(Math.abs(sigma - total) <= SUM_SLACK * total)) {
    throw new RangeError(`model JSON: ${path} sums to ${total}, ${where}.sigma is ${sigma}`);
  }
  return alphas;
}

/** The state in a model's JSON, checked; `average` and `pocket` are the options. @throws TypeError or RangeError naming the field */
export function dualFromJSON<L extends Label>(
  json: Fields,
  { average, pocket }: { average: boolean; pocket: boolean },
): DualState<L> {
  const cols = colsFrom(json);
  const classes = classesFrom<L>(json, 'two');
  const { state, training: t } = trainingFrom(json.training, 'training', { pocket });
  const { samples, first } = samplesFrom(t, 'training.');
  const s = fieldsOf(json.supports, 'supports');
  const indices = ascendingFrom(s.indices, 'supports.indices', samples);
  const count = indices.length;
  const list = (name: string, item: (value: unknown, path: string) => number): Float64Array =>
    numbersFrom(s[name], `supports.${name}`, count, item);
  const signs = list('signs', (value, path) => {
    if (value !== 1 && value !== -1) fail(path, '-1 or 1', value, 'number');
    return value;
  });
  const counts = countsFrom(s.counts, 'supports.counts', count, state.history.mistakes, 'training');
  const data = rowsFrom(s.rows, 'supports.rows', count, cols);
  const alphas = alphasFrom(s.alphas, 'supports.alphas', count, state.sigma, 'training');
  const scores = t.scores === undefined ? undefined : numbersFrom(t.scores, 'training.scores', samples - first);
  return {
    ...state,
    classes,
    cols,
    supports: {
      data,
      indices,
      signs: Int8Array.from(signs),
      alphas,
      counts,
      sums: average ? list('sums', notNegative) : undefined,
      pocket: pocket ? list('pocket', notNegative) : undefined,
    },
    bias: exactNumber(json.bias, 'bias'),
    biasSum: average ? exactNumber(t.biasSum, 'training.biasSum') : 0,
    pocketBias: pocket ? exactNumber(t.pocketBias, 'training.pocketBias') : 0,
    samples,
    first,
    scores,
  };
}
