// Two columns of the data as a picture: the rows as points, and of a grid of places the scores, from which the page draws the border.

import { type AnyModel, type DenseMatrix, type Dtype, type Label, Pipeline } from 'perceptron-wasm';
import { TableEncoder } from 'perceptron-wasm/prepare';
import { type Choice, isLinear } from '../choice.js';
import type { Cell, View } from '../types.js';
import { cellsOf, type Frame } from './frame.js';
import type { Data } from './reading.js';
import { type Input, isSparse, isTable, release } from './rows.js';
import { innerOf } from './training.js';

/** More classes cannot be told apart by colour. */
const MOST_CLASSES = 6;
const MOST_POINTS = 1000;
/** Corners of the grid, across and up. */
const SIZE = 61;
/** Cells that usual values are found in; of more columns than this, the grid alone would take seconds. */
const MOST_CELLS = 2_000_000;
const MOST_COLUMNS = 2000;

/** How much each column of a row weighs where the border is straight: its weights, times how far its values spread if they are not standardised. */
export function columnWeights(model: AnyModel, X: Input, columns: number, choice: Choice): Float64Array | undefined {
  if (!isLinear(choice) || isSparse(X)) return undefined;
  const inner = innerOf(model);
  const planes = 'biases' in inner ? inner.weights : [inner.weights];
  const [step] = model instanceof Pipeline ? (model.steps as readonly unknown[]) : [];
  const widths =
    step instanceof TableEncoder
      ? step.columns.filter(({ kind }) => kind !== 'ignore').map(({ features }) => features)
      : new Array<number>(columns).fill(1);
  let from = 0;
  return Float64Array.from(widths, (width, column) => {
    let sum = 0;
    for (const plane of planes) for (let k = from; k < from + width; k++) sum += Math.abs(plane[k] as number);
    from += width;
    return isTable(X) || choice.scale === 'standardize' ? sum : sum * spreadOf(X, column);
  });
}

function spreadOf({ rows, cols, data }: DenseMatrix<Dtype>, column: number): number {
  let [sum, squares] = [0, 0];
  for (let i = 0; i < rows; i++) {
    const value = data[i * cols + column] as number;
    sum += value;
    squares += value * value;
  }
  return Math.sqrt(Math.max(0, squares / rows - (sum / rows) ** 2));
}

/** The two columns to look at: the only ones, or the heaviest. */
function pairOf({ columns }: Frame, weights: Float64Array | undefined): readonly [number, number] | undefined {
  if (columns.some(({ kind }) => kind === 'text')) return undefined;
  const numbers = [...columns.keys()].filter((k) => columns[k]?.kind === 'number');
  if (weights) numbers.sort((a, b) => (weights[b] as number) - (weights[a] as number));
  else if (columns.length > 2) return undefined; // a bent border has no heaviest columns
  const [first, second] = numbers.slice(0, 2).sort((a, b) => a - b);
  return first === undefined || second === undefined ? undefined : [first, second];
}

/** What a cell usually is: the middle of numbers, the most frequent of others. */
function usualCell(cells: readonly Cell[]): Cell {
  const there = cells.filter((cell) => cell !== null);
  if (there.every((cell) => typeof cell === 'number')) {
    return there.sort((a, b) => a - b)[there.length >> 1] ?? null;
  }
  const counts = new Map<Cell, number>();
  for (const cell of there) counts.set(cell, (counts.get(cell) ?? 0) + 1);
  return [...counts].reduce<[Cell, number]>((best, one) => (one[1] > best[1] ? one : best), [null, 0])[0];
}

export function viewOf(
  model: AnyModel,
  frame: Frame,
  data: Pick<Data, 'X' | 'kinds' | 'y'>,
  weights: Float64Array | undefined,
): View | undefined {
  const { y } = data;
  const { classes } = model;
  const pair = pairOf(frame, weights);
  if (!pair || classes.length > MOST_CLASSES || frame.columns.length > MOST_COLUMNS) return undefined;
  const [across, up] = pair;
  const cellsAt = cellsOf(data);
  const count = Math.min(y.length, Math.ceil(MOST_CELLS / frame.columns.length));
  const rows = Array.from({ length: count }, (_, k) => cellsAt(Math.floor((k * y.length) / count)));
  const usual = frame.columns.map((_, k) => usualCell(rows.map((cells) => cells[k] ?? null)));
  const every = Math.ceil(y.length / MOST_POINTS);
  const points: number[] = [];
  const of: number[] = [];
  for (let row = 0; row < y.length; row += every) {
    const cells = cellsAt(row);
    const [a, b] = [cells[across], cells[up]];
    if (typeof a !== 'number' || typeof b !== 'number') continue;
    points.push(a, b);
    of.push(classes.indexOf(y[row] as Label));
  }
  if (of.length === 0) return undefined;
  const axis = (column: number, offset: number) => {
    const values = points.filter((_, k) => k % 2 === offset);
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const edge = (high - low) * 0.06 || 1;
    return { name: frame.columns[column]?.name ?? '', low: low - edge, high: high + edge };
  };
  const [x, yAxis] = [axis(across, 0), axis(up, 1)];
  const at = ({ low, high }: typeof x, k: number): number => low + ((high - low) * k) / (SIZE - 1);
  const scores: number[] = [];
  for (let j = 0; j < SIZE; j++) {
    const line = Array.from({ length: SIZE }, (_, i) =>
      usual.map((cell, k) => (k === across ? at(x, i) : k === up ? at(yAxis, j) : cell)),
    );
    const places = frame.rows(line);
    try {
      const found = model.decisionFunction(places as never);
      scores.push(...(found instanceof Float64Array ? found : found.data));
    } finally {
      release(places);
    }
  }
  return {
    x,
    y: yAxis,
    size: SIZE,
    scores: Float32Array.from(scores),
    points: Float64Array.from(points),
    of: Uint8Array.from(of),
    every,
    others: frame.columns.length - 2,
  };
}
