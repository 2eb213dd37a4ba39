// Gram matrices for cross-validation: the one of all rows is computed once for each kernel, and cut for each fold.

import { DenseMatrix, DualPerceptron, gramAsync, type Rows, trustGram } from '../index.js';
import { Copies } from './copies.js';
import type { FitOptions } from './jobs.js';

/** What the Gram matrix of a model depends on, as a key; undefined if it takes none, or if that of all rows is too large for it. */
export function gramKey(model: object, rows: number): string | undefined {
  if (!(model instanceof DualPerceptron)) return undefined;
  const { kernel, gram, maxGramBytes, engine } = model.gramSettings;
  // An engine of the caller may have a memory of its own.
  const fits = gram !== 'rows' && 8 * rows * rows <= maxGramBytes && typeof engine === 'string';
  return fits ? JSON.stringify([kernel, engine]) : undefined;
}

/** The Gram matrices of folds. @param uses how many models use that of each fold */
export function gramsOf(model: object, X: Rows, folds: number, uses: number, options: FitOptions): Copies {
  const { kernel, engine } = (model as DualPerceptron).gramSettings;
  const all = new Uint32Array(); // a key alone
  const whole = new Copies(() => gramAsync(X, { kernel, engine, ...options }), folds);
  return new Copies((rows) => whole.use(all, (gram) => cut(gram as DenseMatrix, rows)), uses, whole);
}

/** What a fold needs of the Gram matrix of all rows. */
export class FoldGram {
  /** Of the training rows. */
  readonly gram: DenseMatrix;
  /** Of each training row with all rows that are held out (train, test). */
  readonly #cross: Float64Array;

  constructor(gram: DenseMatrix, cross: Float64Array) {
    this.gram = gram;
    this.#cross = cross;
  }

  /** As `decisionFunction` of the rows that are held out, bit-identical; undefined if that must do it. */
  scores(model: object): Float64Array | undefined {
    const expansion = model instanceof DualPerceptron ? model.expansion : undefined;
    if (!expansion) return undefined;
    const { coefficients, indices, bias } = expansion;
    const width = this.#cross.length / this.gram.rows;
    const scores = new Float64Array(width);
    coefficients.forEach((by, s) => {
      const at = (indices[s] as number) * width;
      for (let j = 0; j < width; j++) scores[j] = (scores[j] as number) + by * (this.#cross[at + j] as number);
    });
    for (let j = 0; j < width; j++) scores[j] = (scores[j] as number) + bias;
    return scores.every(Number.isFinite) ? scores : undefined; // whoever computes it again says why
  }

  dispose(): void {
    this.gram.dispose();
  }
}

/** The rows and columns of a Gram matrix with these numbers, and those rows with all other columns. */
function cut(gram: DenseMatrix, rows: Uint32Array): FoldGram {
  const n = rows.length;
  const matrix = DenseMatrix.allocate(n, n);
  const isTrain = new Uint8Array(gram.rows);
  for (const row of rows) isTrain[row] = 1;
  const others = Uint32Array.from(isTrain.keys()).filter((row) => isTrain[row] === 0);
  const cross = new Float64Array(n * others.length);
  // Views after the allocation, which may detach them.
  const [from, to] = [gram.data, matrix.data];
  for (let i = 0, at = 0, beside = 0; i < n; i++) {
    const start = (rows[i] as number) * gram.cols;
    for (let j = 0; j < n; j++) to[at++] = from[start + (rows[j] as number)] as number;
    for (const j of others) cross[beside++] = from[start + j] as number;
  }
  trustGram(matrix);
  return new FoldGram(matrix, cross);
}
