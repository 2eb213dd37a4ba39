// What a trained model does with rows: who is taken for whom, how far from the border, by which weights.

import type { AnyModel, Label } from 'perceptron-wasm';
import type { Accuracy, Confusion, Margins, Plane, Weight } from '../types.js';
import { heaviest } from './heaviest.js';
import { isSparse, type Matrix, takeRows } from './rows.js';
import { innerOf } from './training.js';

/** Values of margins that are drawn, at most. */
const MOST_VALUES = 40_000;

export interface Looked {
  readonly predictions: Label[];
  /** y·score, or the lead of the right class over the best of the others. */
  readonly margins: Float64Array;
}

/** Rows that are looked at in one go: with a kernel each is held against all rows that were kept. */
const SLICE = { straight: 50_000, bent: 500 } as const;

/**
 * Predictions and margins of all rows, from their scores. With a kernel those take as long as training, and of many classes they
 * are many: so it is a slice of the rows at a time. `onSlice`: told how many rows are done; it may throw to end it.
 */
export async function lookAt(
  model: AnyModel,
  X: Matrix,
  y: readonly Label[],
  isLinear: boolean,
  onSlice: (rows: number) => Promise<void> = async () => {},
): Promise<Looked> {
  const size = isLinear ? SLICE.straight : SLICE.bent;
  if (X.rows <= size) return judged(model, X, y);
  const predictions: Label[] = [];
  const margins = new Float64Array(X.rows);
  for (let from = 0; from < X.rows; from += size) {
    const rows = Uint32Array.from({ length: Math.min(size, X.rows - from) }, (_, i) => from + i);
    const slice = takeRows(X, rows);
    try {
      const looked = judged(model, slice, y.slice(from, from + rows.length));
      for (const label of looked.predictions) predictions.push(label);
      margins.set(looked.margins, from);
    } finally {
      slice.dispose();
    }
    await onSlice(from + rows.length);
  }
  return { predictions, margins };
}

function judged(model: AnyModel, X: Matrix, y: readonly Label[]): Looked {
  const { classes } = model;
  const scores = model.decisionFunction(X);
  if (scores instanceof Float64Array) {
    const [first, second] = classes as readonly [Label, Label];
    return {
      predictions: Array.from(scores, (score) => (score >= 0 ? second : first)),
      margins: scores.map((score, i) => (y[i] === second ? score : -score)),
    };
  }
  const { data, cols } = scores;
  const numberOf = new Map<Label, number>(classes.map((label, k) => [label, k]));
  const predictions: Label[] = [];
  const margins = new Float64Array(y.length);
  for (let i = 0; i < y.length; i++) {
    const own = numberOf.get(y[i] as Label) ?? -1;
    // The first among equals wins, as in predict.
    let [winner, other] = [0, -Infinity];
    for (let k = 0; k < cols; k++) {
      const score = data[i * cols + k] as number;
      if (score > (data[i * cols + winner] as number)) winner = k;
      if (k !== own) other = Math.max(other, score);
    }
    predictions.push(classes[winner] as Label);
    margins[i] = (data[i * cols + own] as number) - other;
  }
  return { predictions, margins };
}

export function accuracyOf(predictions: readonly Label[], y: readonly Label[]): Accuracy {
  let right = 0;
  for (let i = 0; i < y.length; i++) if (predictions[i] === y[i]) right++;
  return { right, rows: y.length };
}

/** A table of more classes is nothing to look at. */
const MOST_CLASSES = 12;
const MOST_PAIRS = 10;

export function confusionOf(classes: readonly Label[], predictions: readonly Label[], y: readonly Label[]): Confusion {
  const numberOf = new Map(classes.map((label, k) => [label, k]));
  // Pairs that occur: of many classes, most do not.
  const counts = new Map<number, number>();
  for (let i = 0; i < y.length; i++) {
    const pair = (numberOf.get(y[i] as Label) ?? 0) * classes.length + (numberOf.get(predictions[i] as Label) ?? 0);
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
  }
  const pairs = [...counts].map(([pair, rows]) => ({
    is: Math.floor(pair / classes.length),
    taken: pair % classes.length,
    rows,
  }));
  const worst = pairs
    .filter(({ is, taken }) => is !== taken)
    .sort((a, b) => b.rows - a.rows || a.is - b.is || a.taken - b.taken)
    .slice(0, MOST_PAIRS);
  if (classes.length > MOST_CLASSES) return { worst };
  const table = classes.map((_, is) => classes.map((_, taken) => counts.get(is * classes.length + taken) ?? 0));
  return { table, worst };
}

/** The margins of each class, as distances from the border where it is straight and there is one. */
export function marginsOf(model: AnyModel, { margins }: Looked, y: readonly Label[], isLinear: boolean): Margins {
  const inner = innerOf(model);
  const weights = isLinear ? inner.weights : undefined;
  const length = weights instanceof Float64Array ? Math.hypot(...chunked(weights)) : 0;
  const kind = 'biases' in inner ? 'lead' : length > 0 ? 'distance' : 'score';
  const every = Math.max(1, Math.ceil(y.length / MOST_VALUES));
  const values = new Map<Label, number[]>(model.classes.map((label) => [label, []]));
  for (let i = 0; i < y.length; i += every) {
    values.get(y[i] as Label)?.push((margins[i] as number) / (kind === 'distance' ? length : 1));
  }
  const groups = [...values].map(([label, list]) => ({ name: String(label), values: Float64Array.from(list) }));
  return { groups, every, kind };
}

/** Lengths of parts: a call takes only so many arguments. */
function chunked(values: Float64Array): number[] {
  const lengths: number[] = [];
  for (let from = 0; from < values.length; from += 10_000) {
    lengths.push(Math.hypot(...values.subarray(from, from + 10_000)));
  }
  return lengths;
}

/** Planes of more classes than this are not shown, nor sent. */
const MOST_PLANES = 50;

export function planesOf(model: AnyModel, nameOf: (index: number) => string): Plane[] {
  const inner = innerOf(model);
  const names = model.classes.map(String);
  if ('biases' in inner) {
    const { weights, biases } = inner;
    return names.slice(0, MOST_PLANES).map((positive, k) => ({
      positive,
      negative: undefined,
      heaviest: heaviest(weights[k] as Float64Array, nameOf),
      bias: biases[k] as number,
    }));
  }
  const [negative, positive = ''] = names;
  return [{ positive, negative, heaviest: heaviest(inner.weights, nameOf), bias: inner.bias }];
}

/** The first values of a row, or those of a sparse row that are not 0. */
export function valuesOf(X: Matrix, row: number, nameOf: (index: number) => string, most = 6): Weight[] {
  if (!isSparse(X)) return Array.from(X.row(row).slice(0, most), (value, k) => ({ name: nameOf(k), value }));
  const { indices, values } = X.row(row);
  return Array.from(values.slice(0, most), (value, k) => ({ name: nameOf(indices[k] as number), value }));
}
