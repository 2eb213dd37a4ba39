// The size of the file of a model that keeps rows, before it is trained: some readers cannot read a very large one.

import type { Data } from './data.js';
import { bytes, counted, warn } from './output.js';
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

/** Warns before training if the model, should it keep all rows, is too large for readers that need it as one string. */
export function warnOfLargeModel({ X, name }: Data, trainer: TrainerName, { kernel, output, as }: TrainValues): void {
  const keepsRows = trainer === 'dual' || (trainer === 'multiclass' && kernel !== undefined);
  if (!keepsRows || output === undefined || (as ?? 'json') !== 'json') return;
  const length = textLength(X);
  if (length <= MOST_CHARACTERS) return;
  warn(
    `${output} may take up to ${bytes(length)}: it keeps the rows of ${name} that were ever a mistake, of ${counted(X.rows, 'row')}. ` +
      `This command and readModel can read it; JSON.parse cannot read more than ${bytes(MOST_CHARACTERS)}`,
  );
}
