// What a trained model does with rows: who is taken for whom, how far from the border, by which weights.

import type { AnyModel, Label } from 'perceptron-wasm';
import { type Evaluation, evaluate } from 'perceptron-wasm/select';
import type { Confusion, Judged, Margins, Plane, Value } from '../types.js';
import { heaviest } from './heaviest.js';
import { type Input, isSparse, isTable, release, takeRows } from './rows.js';
import { innerOf } from './training.js';

/** Values of margins that are drawn, at most. */
const MOST_VALUES = 40_000;

export interface Looked {
  readonly predictions: Label[];
  /** y·score, or the lead of the right class over the best of the others. */
  readonly margins: Float64Array;
}

type Scores = Float64Array | { readonly data: Float64Array; readonly rows: number; readonly cols: number };

/** Rows that are looked at in one go: with a kernel each is held against all rows that were kept. */
const SLICE = { straight: 50_000, bent: 500 } as const;

/**
 * All rows, a slice of them at a time: with a kernel their scores take as long as training, and of many classes they are many.
 * `onSlice` is told how many rows are done; it may throw to end it.
 */
export async function inSlices(
  X: Input,
  isLinear: boolean,
  use: (slice: Input, from: number, to: number) => void,
  onSlice: (rows: number) => Promise<void> = async () => {},
): Promise<void> {
  const size = isLinear ? SLICE.straight : SLICE.bent;
  if (X.rows <= size) return use(X, 0, X.rows);
  for (let from = 0; from < X.rows; from += size) {
    const to = Math.min(X.rows, from + size);
    const slice = takeRows(
      X,
      Uint32Array.from({ length: to - from }, (_, i) => from + i),
    );
    try {
      use(slice, from, to);
    } finally {
      release(slice);
    }
    await onSlice(to);
  }
}

/** Predictions and margins of all rows. */
export async function lookAt(
  model: AnyModel,
  X: Input,
  y: readonly Label[],
  isLinear: boolean,
  onSlice?: (rows: number) => Promise<void>,
): Promise<Looked> {
  const predictions: Label[] = [];
  const margins = new Float64Array(X.rows);
  const use = (slice: Input, from: number, to: number) => {
    const scores: Scores = model.decisionFunction(slice as never);
    for (const label of winnersIn(scores, model.classes)) predictions.push(label);
    margins.set(marginsIn(scores, y.slice(from, to), model.classes), from);
  };
  await inSlices(X, isLinear, use, onSlice);
  return { predictions, margins };
}

/** The classes that win; the first among equals, as in predict. */
function winnersIn(scores: Scores, classes: readonly Label[]): Label[] {
  if (scores instanceof Float64Array) return Array.from(scores, (score) => classes[score >= 0 ? 1 : 0] as Label);
  const { data, rows, cols } = scores;
  return Array.from({ length: rows }, (_, i) => {
    const own = data.subarray(i * cols, (i + 1) * cols);
    return classes[own.indexOf(own.reduce((best, score) => Math.max(best, score), -Infinity))] as Label;
  });
}

function marginsIn(scores: Scores, y: readonly Label[], classes: readonly Label[]): Float64Array {
  if (scores instanceof Float64Array) return scores.map((score, i) => (y[i] === classes[1] ? score : -score));
  const { data, cols } = scores;
  const numberOf = new Map<Label, number>(classes.map((label, k) => [label, k]));
  return Float64Array.from(y, (label, i) => {
    const own = numberOf.get(label) ?? -1;
    let other = -Infinity;
    for (let k = 0; k < cols; k++) if (k !== own) other = Math.max(other, data[i * cols + k] as number);
    return (data[i * cols + own] as number) - other;
  });
}

/** A table of more classes is nothing to look at. */
const MOST_CLASSES = 12;
const MOST_PAIRS = 10;

/** How good the answers are; `baseline`: the class that most of the rows that were trained on have. */
export function judge(
  { predictions, margins }: Looked,
  y: readonly Label[],
  classes: readonly Label[],
  baseline: Label,
): Judged {
  // A score is the margin of the second class.
  const scores = classes.length === 2 && margins.map((margin, i) => (y[i] === classes[1] ? margin : -margin));
  const found = evaluate<Label>(y, predictions, { classes, baseline, ...(scores && { scores }) });
  const { rows, accuracy, balancedAccuracy, rocAuc, byClass } = found;
  return {
    rows,
    right: Math.round(accuracy * rows),
    accuracy,
    balancedAccuracy,
    ...(rocAuc !== undefined && { rocAuc }),
    baseline: { label: String(baseline), accuracy: found.baseline.accuracy },
    byClass: byClass
      .slice(0, MOST_CLASSES)
      .map(({ label, precision, recall, f1, support }) => ({ label: String(label), precision, recall, f1, support })),
    confusion: confusionOf(found),
  };
}

function confusionOf({ confusion }: Evaluation): Confusion {
  const worst = confusion
    .flatMap((row, is) => row.flatMap((rows, taken) => (rows > 0 && is !== taken ? [{ is, taken, rows }] : [])))
    .sort((a, b) => b.rows - a.rows || a.is - b.is || a.taken - b.taken)
    .slice(0, MOST_PAIRS);
  return confusion.length > MOST_CLASSES ? { worst } : { table: confusion, worst };
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
export function valuesOf(X: Input, row: number, nameOf: (index: number) => string, most = 6): Value[] {
  if (isTable(X)) {
    return Object.entries(X.columns)
      .slice(0, most)
      .map(([name, column]) => ({ name, value: column[row] ?? Number.NaN }));
  }
  if (!isSparse(X)) return Array.from(X.row(row).slice(0, most), (value, k) => ({ name: nameOf(k), value }));
  const { indices, values } = X.row(row);
  return Array.from(values.slice(0, most), (value, k) => ({ name: nameOf(indices[k] as number), value }));
}
