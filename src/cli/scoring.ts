// Predicts rows in blocks, so that a progress bar can move and Ctrl-C works.

import type { Label, Rows } from '../index.js';
import { breathe, type Context } from './context.js';
import { countRight } from './data.js';
import { count, counted } from './output.js';
import type { Progress } from './progress.js';
import { type Matrix, withRange } from './rows.js';
import { sliceTable, type TableRows } from './tablerows.js';

const FIRST_ROWS = 512;
/** The time that a block should take, in milliseconds. */
const BLOCK_MS = 50;

/** Scores of the library: one for each row, or one for each row and class. */
export type Scores = Float64Array | { data: Float64Array; rows: number; cols: number };

/** Calls `use` with all rows, block by block; `first` is the number of a block's first row. Ends the bar. */
async function inBlocks(
  X: Matrix | TableRows,
  bar: Progress,
  context: Context,
  use: (block: Rows | TableRows, first: number) => void,
) {
  try {
    for (let start = 0, size = FIRST_ROWS; start < X.rows; ) {
      const end = Math.min(X.rows, start + size);
      const began = performance.now();
      if ('columns' in X) use(sliceTable(X, start, end), start);
      else withRange(X, start, end, (block) => use(block, start));
      if (performance.now() - began < BLOCK_MS) size *= 2;
      start = end;
      bar.update(end, X.rows, () => `${count(end)} of ${counted(X.rows, 'row')}`);
      if (start < X.rows) await breathe(context);
    }
  } finally {
    bar.end();
  }
}

/** A model, whatever it takes: rows, or a table. */
interface Scorer {
  predict(X: unknown): Label[];
  decisionFunction(X: unknown): Scores;
}

export async function predictAll(
  model: Scorer,
  X: Matrix | TableRows,
  bar: Progress,
  context: Context,
): Promise<Label[]> {
  const predictions: Label[] = [];
  await inBlocks(X, bar, context, (block) => {
    for (const label of model.predict(block)) predictions.push(label);
  });
  return predictions;
}

export async function scoreAll(model: Scorer, X: Matrix | TableRows, bar: Progress, context: Context): Promise<Scores> {
  let all = new Float64Array();
  let cols = 0;
  await inBlocks(X, bar, context, (block, first) => {
    const scores = model.decisionFunction(block);
    const data = scores instanceof Float64Array ? scores : scores.data;
    const width = scores instanceof Float64Array ? 1 : scores.cols;
    if (first === 0) {
      cols = scores instanceof Float64Array ? 0 : width;
      all = new Float64Array(X.rows * width);
    }
    all.set(data, first * width);
  });
  return cols === 0 ? all : { data: all, rows: X.rows, cols };
}

export interface Accuracy {
  readonly right: number;
  readonly rows: number;
  /** right / rows */
  readonly share: number;
}

export const accuracyOf = (predictions: readonly Label[], y: readonly Label[]): Accuracy => {
  const right = countRight(predictions, y);
  return { right, rows: y.length, share: right / y.length };
};
