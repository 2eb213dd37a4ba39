// Scaler: columns moved and stretched before training, fitted on training rows and applied to new ones.
// Plain JavaScript in one fixed order, so the same bits everywhere; training on the result is what takes the time.

import { type ArenaRows, firstBad } from '../data/arenarows.js';
import { DenseMatrix } from '../data/dense.js';
import { allFinite, bringIn, isSparse, type Rows, rowsOf, type SparseRows, shapeOf } from '../data/rows.js';
import { SparseBuilder, type SparseMatrix } from '../data/sparse.js';
import { defaultArena } from '../engine/engine.js';
import { expectOptions, NotFittedError, word } from '../errors.js';
import { countFrom, type ExactNumber, exactList, exactNumber, expectLength, fail, listOf, openModel } from './json.js';

/** 'standardize': mean 0 and variance 1; 'centre': mean 0; 'unit-ball': all by one factor, so that no row is longer than 1. */
export type ScalerKind = 'standardize' | 'centre' | 'unit-ball';

export interface ScalerOptions {
  kind: ScalerKind;
}

export interface ScalerJSON {
  type: 'scaler';
  version: 1;
  kind: ScalerKind;
  cols: number;
  /** Subtracted from each column. */
  means: ExactNumber[];
  /** What each column is divided by then. */
  scales: ExactNumber[];
}

const KINDS: readonly ScalerKind[] = ['standardize', 'centre', 'unit-ball'];

/** x_k → (x_k − mean_k) / scale_k. */
interface Fitted {
  readonly means: Float64Array;
  readonly scales: Float64Array;
}

/**
 * Brings columns to a common size and place, which a perceptron needs more than anything else: data far from the origin
 * takes hundreds of passes instead of a few.
 *
 * @example
 * const scaler = new Scaler({ kind: 'standardize' }).fit([[1, 100], [3, 300]]);
 * console.log(scaler.transform([[2, 300]]).row(0)); // → Float64Array(2) [ 0, 1 ]
 */
export class Scaler {
  /** Kept through minification: consoles and messages show it. */
  static readonly name = 'Scaler';
  readonly kind: ScalerKind;
  #fitted: Fitted | undefined;

  /** @throws TypeError or RangeError if `kind` is not one of the three */
  constructor(options: ScalerOptions) {
    expectOptions(options, ['kind'], 'Scaler');
    this.kind = word(...KINDS)(options.kind, 'kind');
  }

  /**
   * Learns means and scales from training rows. A column that does not vary is only centred: its scale is 1.
   * @throws RangeError for sparse rows, unless the kind is 'unit-ball': subtracting means would fill their zeros
   */
  fit(X: Rows): this {
    if (this.kind !== 'unit-ball' && isSparse(X)) throw wouldFill(`kind '${this.kind}'`);
    const rows = bringIn(X, defaultArena, 'X');
    try {
      const bad = !rows.store && !allFinite(rows.view()) && firstBad(rows);
      if (bad) throw bad;
      this.#fitted = fitOf[this.kind](rows);
    } finally {
      rows.release();
    }
    return this;
  }

  /** The rows, scaled, in a new matrix of the same storage. @throws RangeError for other columns than those of `fit` */
  transform(X: SparseRows): SparseMatrix;
  transform(X: Exclude<Rows, SparseRows>): DenseMatrix;
  transform(X: Rows): DenseMatrix | SparseMatrix;
  transform(X: Rows): DenseMatrix | SparseMatrix {
    const { means, scales } = this.#learned('transform');
    const { rows, cols } = shapeOf(X, 'X');
    if (cols !== means.length) throw new RangeError(`X has ${cols} columns, the scaler was fitted on ${means.length}`);
    if (isSparse(X)) {
      if (means.some((mean) => mean !== 0)) throw wouldFill('this Scaler');
      return scaledSparse(X, scales);
    }
    const matrix = DenseMatrix.from(X, { dtype: isFloat32(X) ? 'float32' : 'float64' });
    try {
      const values = matrix.data;
      for (let i = 0, at = 0; i < rows; i++) {
        for (let k = 0; k < cols; k++, at++) {
          values[at] = ((values[at] as number) - (means[k] as number)) / (scales[k] as number);
        }
      }
      const bad = values.findIndex((value) => !Number.isFinite(value));
      if (bad >= 0) throw tooLarge(Math.floor(bad / cols), bad % cols, values[bad] as number);
      return matrix;
    } catch (error) {
      matrix.dispose();
      throw error;
    }
  }

  /** `fit`, then `transform` of the same rows. */
  fitTransform(X: SparseRows): SparseMatrix;
  fitTransform(X: Exclude<Rows, SparseRows>): DenseMatrix;
  fitTransform(X: Rows): DenseMatrix | SparseMatrix;
  fitTransform(X: Rows): DenseMatrix | SparseMatrix {
    return this.fit(X).transform(X);
  }

  /** What is subtracted from each column. Your copy. */
  get means(): Float64Array {
    return this.#learned('means').means.slice();
  }

  /** What each column is divided by then. Your copy. */
  get scales(): Float64Array {
    return this.#learned('scales').scales.slice();
  }

  /**
   * The constant feature B to train with where rows were brought into the unit ball: it shrinks with them, and training takes
   * the path it would have taken (SPEC §4: a B of 1 beside rows that were divided by R made 24 epochs 36,522). 1 otherwise.
   */
  get interceptScaling(): number {
    const { scales } = this.#learned('interceptScaling');
    return this.kind === 'unit-ball' ? 1 / (scales[0] as number) : 1;
  }

  /** Plain data, exact to the bit. */
  toJSON(): ScalerJSON {
    const { means, scales } = this.#learned('toJSON');
    return {
      type: 'scaler',
      version: 1,
      kind: this.kind,
      cols: means.length,
      means: exactList(means),
      scales: exactList(scales),
    };
  }

  /** A scaler from `toJSON`. @throws TypeError or RangeError naming the field that is wrong */
  static fromJSON(json: unknown): Scaler {
    const fields = openModel(json, ['scaler']);
    if (!KINDS.includes(fields.kind as ScalerKind)) {
      fail('kind', "one of 'standardize', 'centre', 'unit-ball'", fields.kind, 'string');
    }
    const cols = countFrom(fields.cols, 'cols');
    const means = listOf(fields.means, 'means', exactNumber);
    const scales = listOf(fields.scales, 'scales', (value, path) => {
      const scale = exactNumber(value, path);
      if (!(scale > 0)) fail(path, 'a number > 0', value, 'number');
      return scale;
    });
    if (cols === 0) fail('cols', 'an integer ≥ 1', cols, 'number');
    expectLength(means, cols, 'means');
    expectLength(scales, cols, 'scales');
    const scaler = new Scaler({ kind: fields.kind as ScalerKind });
    scaler.#fitted = { means: Float64Array.from(means), scales: Float64Array.from(scales) };
    return scaler;
  }

  /** Takes over what another has learned. For pipelines. @internal */
  adopt(other: Scaler): void {
    this.#fitted = other.#fitted;
  }

  #learned(what: string): Fitted {
    if (!this.#fitted) throw new NotFittedError(`this Scaler is not fitted yet: call fit before ${what}`);
    return this.#fitted;
  }
}

const isFloat32 = (X: Rows): boolean =>
  'data' in X && ArrayBuffer.isView(X.data) && (X.data as Float64Array).BYTES_PER_ELEMENT === 4;

const wouldFill = (what: string): RangeError =>
  new RangeError(
    `${what} subtracts means, which would fill every zero of sparse rows; use kind 'unit-ball', or DenseMatrix.from(X) where memory holds it`,
  );

const tooLarge = (i: number, k: number, scaled: number): RangeError =>
  new RangeError(`X[${i}][${k}] is too large: scaled it is ${scaled}`);

/** Sparse rows, each value divided by the scale of its column. */
function scaledSparse(X: SparseRows, scales: Float64Array): SparseMatrix {
  const builder = new SparseBuilder({ cols: scales.length });
  try {
    let i = 0;
    for (const { columns, values, count } of rowsOf(X, 'X')) {
      for (let k = 0; k < count; k++) {
        const scaled = (values[k] as number) / (scales[columns[k] as number] as number);
        if (!Number.isFinite(scaled)) throw tooLarge(i, columns[k] as number, scaled);
        values[k] = scaled;
      }
      builder.add(columns, values, count);
      i++;
    }
    return builder.finish();
  } catch (error) {
    builder.dispose();
    throw error;
  }
}

const square = (v: number): number => v * v;

/** Sums by column, row after row, of what `of` makes of each value. */
function columnSums(rows: ArenaRows, of: (value: number, k: number) => number): Float64Array {
  const { cols } = rows;
  const values = rows.view();
  const sums = new Float64Array(cols);
  for (let i = 0, at = 0; i < rows.rows; i++) {
    for (let k = 0; k < cols; k++, at++) sums[k] = (sums[k] as number) + of(values[at] as number, k);
  }
  const bad = sums.findIndex((sum) => !Number.isFinite(sum));
  if (bad >= 0) throw new RangeError(`column ${bad} of X has values too large to scale: their sum is ${sums[bad]}`);
  return sums;
}

const meansOf = (rows: ArenaRows): Float64Array => columnSums(rows, (v) => v).map((sum) => sum / rows.rows);

const fitOf: Record<ScalerKind, (rows: ArenaRows) => Fitted> = {
  centre: (rows) => ({ means: meansOf(rows), scales: new Float64Array(rows.cols).fill(1) }),
  standardize(rows) {
    const means = meansOf(rows);
    // In two passes: the difference of two large sums would lose what is looked for.
    const squares = columnSums(rows, (v, k) => square(v - (means[k] as number)));
    // What rounding the mean alone would leave of a column that does not vary.
    const noise = (k: number) => rows.rows * Number.EPSILON * Math.abs(means[k] as number);
    return {
      means,
      scales: squares.map((sum, k) => {
        const deviation = Math.sqrt(sum / rows.rows);
        return deviation > noise(k) ? deviation : 1;
      }),
    };
  },
  'unit-ball'(rows) {
    const { cols } = rows;
    let largest = 0;
    for (let i = 0; i < rows.rows; i++) {
      let sum = 0;
      rows.visit(i, (_, value) => {
        sum += square(value);
      });
      if (sum === Infinity) throw new RangeError(`row ${i} of X has values too large to scale: its length is Infinity`);
      largest = Math.max(largest, sum);
    }
    return { means: new Float64Array(cols), scales: new Float64Array(cols).fill(Math.sqrt(largest) || 1) };
  },
};
