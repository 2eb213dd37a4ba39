// Gram matrices for cross-validation: that of all rows is computed once for each kernel. Every fold is fitted with it, and scores of
// rows that are held out are read from it.

import { type DenseMatrix, DualPerceptron, gramAsync, MulticlassPerceptron, type Rows, trustGram } from '../index.js';
import { Shared } from './copies.js';
import type { FitOptions, Scores } from './jobs.js';

const hasGram = (model: object): model is DualPerceptron | MulticlassPerceptron =>
  model instanceof DualPerceptron || model instanceof MulticlassPerceptron;

/** Whether a model has a kernel. */
export const hasKernel = (model: object): boolean => hasGram(model) && model.gramSettings.kernel !== undefined;

/** What the Gram matrix of a model depends on, as a key; undefined if it uses none, or if that of all rows is too large for it. */
export function gramKey(model: object, rows: number): string | undefined {
  if (!hasGram(model)) return undefined;
  const { kernel, gram, maxGramBytes, engine } = model.gramSettings;
  // An engine of the caller may have a memory of its own.
  const fits = (gram === 'full' || gram === 'auto') && 8 * rows * rows <= maxGramBytes && typeof engine === 'string';
  return kernel && fits ? JSON.stringify([kernel, engine]) : undefined;
}

/** The Gram matrix of all rows. @param uses how many fits use it */
export function gramOf(model: object, X: Rows, uses: number, options: FitOptions): Shared<DenseMatrix> {
  const { kernel, engine } = (model as DualPerceptron).gramSettings;
  return new Shared(async () => {
    const gram = await gramAsync(X, { ...(kernel && { kernel }), engine, ...options });
    trustGram(gram);
    return gram;
  }, uses);
}

/** scores[j] += by · data[at + rows[j]]. */
function addRow(scores: Float64Array, by: number, data: Float64Array, at: number, rows: Uint32Array): void {
  for (let j = 0; j < scores.length; j++) {
    scores[j] = (scores[j] as number) + by * (data[at + (rows[j] as number)] as number);
  }
}

/** As `decisionFunction` of these rows, bit-identical; undefined if that must do it. */
export function scoresFrom(gram: DenseMatrix, model: object, rows: Uint32Array): Scores | undefined {
  const { indices, expansions } = (hasGram(model) && model.expansions) || {};
  if (!indices || !expansions) return undefined;
  const all = expansions.map(() => new Float64Array(rows.length));
  const { data, cols } = gram;
  for (let s = 0; s < indices.length; s++) {
    const at = (indices[s] as number) * cols;
    for (let k = 0; k < all.length; k++) {
      addRow(all[k] as Float64Array, expansions[k]?.coefficients[s] as number, data as Float64Array, at, rows);
    }
  }
  const table = new Float64Array(rows.length * all.length);
  all.forEach((scores, k) => {
    const bias = expansions[k]?.bias as number;
    for (let j = 0; j < scores.length; j++) table[j * all.length + k] = (scores[j] as number) + bias;
  });
  if (!table.every(Number.isFinite)) return undefined; // whoever computes it again says why
  return model instanceof DualPerceptron ? table : { data: table, rows: rows.length, cols: all.length };
}
