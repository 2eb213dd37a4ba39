// A model and its predictor beside each other: rows in every form, compared to the bit.

import { expect } from 'vitest';
import { DenseMatrix, type Label, SparseMatrix } from '../../src/index.js';
import { loadPredictor, type Predictor, type Rows, type ScoreTable } from '../../src/predict/index.js';
import type { Pair } from '../sparse-samples.js';

/** What the suites ask of a model of the full library. */
export interface FullModel {
  predict(X: never): Label[];
  predictOne(x: ArrayLike<number>): Label;
  decisionFunction(X: never): Float64Array | ScoreTable;
  readonly classes: readonly Label[];
  toJSON(): unknown;
}

/** A predictor from the text of a model. */
export const predictorOf = (model: FullModel): Predictor => loadPredictor(JSON.parse(JSON.stringify(model)));

type Dense = Pair['dense'];

const listOf = ({ data, rows, cols }: Dense): Float64Array[] =>
  Array.from({ length: rows }, (_, i) => data.slice(i * cols, (i + 1) * cols));

/** Rows that are dense, and rows that are sparse, in every form; matrices are given back after use. */
const denseForms: Record<string, (pair: Pair) => Rows & { dispose?(): void }> = {
  lists: ({ dense }) => listOf(dense).map((row) => [...row]),
  'typed lists': ({ dense }) => listOf(dense),
  float64: ({ dense }) => dense,
  float32: ({ dense }) => ({ ...dense, data: Float32Array.from(dense.data) }),
  'DenseMatrix of float64': ({ dense }) => DenseMatrix.from(dense),
  'DenseMatrix of float32': ({ dense }) => DenseMatrix.from(dense, { dtype: 'float32' }),
};
const sparseForms: typeof denseForms = {
  'CSR parts': ({ sparse }) => sparse,
  'CSR parts in lists': ({ sparse: { values, indices, indptr, cols } }) => ({
    values: [...values],
    indices: [...indices],
    indptr: [...indptr],
    cols,
  }),
  SparseMatrix: ({ sparse }) => SparseMatrix.from(sparse),
};

/** Whether two lists have the same numbers, −0 and 0 told apart. */
function expectSame(got: Float64Array, wanted: Float64Array): void {
  const different = wanted.findIndex((value, i) => !Object.is(value, got[i]));
  expect(got.length).toBe(wanted.length);
  expect({ different, got: got[different] }).toEqual({ different: -1, got: undefined });
}

const isTable = (scores: Float64Array | ScoreTable): scores is ScoreTable => !ArrayBuffer.isView(scores);

/** Expects the predictor of a model to answer as the model does. `takesSparse`: whether the model does. */
export function expectSameAnswers(model: FullModel, pair: Pair, takesSparse = true): void {
  const predictor = predictorOf(model);
  expect(predictor.classes).toEqual(model.classes);
  for (const [form, make] of Object.entries({ ...denseForms, ...(takesSparse && sparseForms) })) {
    const X = make(pair);
    try {
      const [got, wanted] = [predictor.decisionFunction(X), model.decisionFunction(X as never)];
      expect(isTable(got), form).toBe(isTable(wanted));
      if (isTable(got) && isTable(wanted)) {
        expect([got.rows, got.cols], form).toEqual([wanted.rows, wanted.cols]);
        expectSame(got.data, wanted.data);
      } else {
        expectSame(got as Float64Array, wanted as Float64Array);
      }
      expect(predictor.predict(X), form).toEqual(model.predict(X as never));
    } finally {
      X.dispose?.();
    }
  }
  const { values, indices, indptr } = pair.sparse;
  listOf(pair.dense).forEach((x, i) => {
    const wanted = model.predictOne(x);
    expect(predictor.predictOne(x)).toBe(wanted);
    expect(predictor.predictOne([...x])).toBe(wanted);
    if (!takesSparse) return;
    const [from, to] = [indptr[i], indptr[i + 1]];
    expect(predictor.predictOne({ indices: indices.slice(from, to), values: values.slice(from, to) })).toBe(wanted);
  });
}
