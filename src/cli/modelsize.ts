// The size of the file of a model that keeps rows, before it is trained: some readers cannot read a very large one.

import type { Data } from './data.js';
import { bytes } from './output.js';
import { isSparse, type Matrix } from './rows.js';
import type { TrainerName, TrainValues } from './trainers.js';

/** The longest string of V8: JSON.parse and `perceptron-wasm/predict` read no larger file. */
const MOST_CHARACTERS = 2 ** 29 - 24;

/** How many rows are looked at to learn how long the text of a row is. */
const SAMPLE_ROWS = 100;

/** The characters of a list of numbers as text, commas included. */
function lengthOf(values: ArrayLike<number>): number {
  let length = 0;
  for (let k = 0; k < values.length; k++) length += String(values[k]).length + 1;
  return length;
}

function rowLength(X: Matrix, i: number): number {
  if (!isSparse(X)) return lengthOf(X.row(i));
  const { indices, values } = X.row(i);
  return lengthOf(indices) + lengthOf(values) + '{"columns":[],"values":[]}'.length;
}

/** About how many characters the rows have as text. */
function textLength(X: Matrix): number {
  const step = Math.max(1, Math.floor(X.rows / SAMPLE_ROWS));
  let [sum, count] = [0, 0];
  for (let i = 0; i < X.rows; i += step, count++) sum += rowLength(X, i);
  return (sum / count) * X.rows;
}

/**
 * The warning before training a model that may become too large for readers that need it as one string of at most `most`
 * characters; undefined if it cannot. A model may keep every row.
 */
export function largeModel(
  { X, name }: Pick<Data, 'X' | 'name'>,
  trainer: TrainerName,
  { kernel, output, as = 'json' }: Pick<TrainValues, 'kernel' | 'output' | 'as'>,
  most = MOST_CHARACTERS,
): string | undefined {
  const keepsRows = trainer === 'dual' || (trainer === 'multiclass' && kernel !== undefined);
  if (!keepsRows || output === undefined || as !== 'json') return undefined;
  const length = textLength(X);
  if (length <= most) return undefined;
  const what = `${output} may take up to ${bytes(length)}: it keeps the rows of ${name} that were ever a mistake`;
  return `${what}. This command and readModel can read it; JSON.parse cannot read more than ${bytes(most)}`;
}
