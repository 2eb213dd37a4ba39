// Scaler: shifts and scales columns; fitted on training rows and applied to new ones. Plain JavaScript in one fixed order, so
// results are bit-identical everywhere; scaling takes little time compared with training.

import { type ArenaRows, badAt, firstNotFinite } from '../data/arenarows.js';
import { DenseMatrix } from '../data/dense.js';
import { isKeptSparse, visitKept } from '../data/kept.js';
import { oneRow, type Row } from '../data/row.js';
import { arrivalOf, copyIn, isSparse, type Rows, type SparseRows, sourceOf } from '../data/rows.js';
import { SparseBuilder, type SparseMatrix } from '../data/sparse.js';
import { LARGE_PIECE, PIECE, type Stage } from '../data/stages.js';
import type { Values } from '../data/views.js';
import { defaultArena } from '../engine/engine.js';
import { expectOptions, NotFittedError, word } from '../errors.js';
import { countFrom, type ExactNumber, exactNumber, fail, numbersFrom, openModel, type Packed, plain } from './json.js';
import { fitOf, rowsInPiece, type ScalerKind, type Scaling } from './scaling.js';

export type { ScalerKind } from './scaling.js';

/** Options of `Scaler`. */
export interface ScalerOptions {
  kind: ScalerKind;
}

/** What `Scaler.toJSON` gives. */
export interface ScalerJSON {
  type: 'scaler';
  version: 1;
  kind: ScalerKind;
  cols: number;
  /** Subtracted from each column. */
  means: ExactNumber[];
  /** The divisor of each column. */
  scales: ExactNumber[];
}

const KINDS: readonly ScalerKind[] = ['standardize', 'centre', 'unit-ball'];

/**
 * Scales columns to a common size and centre. A perceptron needs this most of all: on data far from the origin it takes
 * hundreds of epochs instead of a few.
 *
 * @example
 * const scaler = new Scaler({ kind: 'standardize' }).fit([[1, 100], [3, 300]]);
 * console.log(scaler.transform([[2, 300]]).row(0)); // → Float64Array(2) [ 0, 1 ]
 */
export class Scaler {
  /** Survives minification: consoles and messages show it. */
  static readonly name = 'Scaler';
  /** What it does to each column, or to rows. */
  readonly kind: ScalerKind;
  #fitted: Scaling | undefined;

  /** @throws TypeError or RangeError if `kind` is not one of the three */
  constructor(options: ScalerOptions) {
    options = expectOptions(options, ['kind'], 'Scaler');
    this.kind = word(...KINDS)(options.kind, 'kind');
  }

  /**
   * Learns means and scales from training rows. A constant column is only centred: its scale is 1.
   * @throws RangeError for sparse rows, unless the kind is 'unit-ball': subtracting means would fill their zeros
   */
  fit(X: Rows): this {
    const fitting = this.fitting(X);
    try {
      for (const stage of fitting.stages) stage.piece(0, stage.count);
      fitting.adopt();
    } finally {
      fitting.release();
    }
    return this;
  }

  /** `fit` in stages: run them, then call `adopt`; always call `release`. For pipelines. @internal */
  fitting(X: Rows): { stages: Stage[]; adopt(): void; release(): void } {
    if (this.kind !== 'unit-ball' && isSparse(X)) throw wouldFill(`kind '${this.kind}'`);
    const arrival = arrivalOf(X, defaultArena, 'X');
    let rows: ArenaRows | undefined;
    const arrived = (): ArenaRows => {
      rows ??= arrival.take();
      return rows;
    };
    const { rows: count, cols, stage } = arrival;
    const { stages, fitted } = fitOf[this.kind](arrived, count, cols);
    return {
      stages: [...(stage ? [stage] : []), checkValues(arrived, count, cols), ...stages],
      adopt: () => {
        this.#fitted = fitted();
      },
      release: () => (rows ?? arrival).release(),
    };
  }

  /** The scaled rows in a new matrix of the same storage. @throws RangeError if X has another number of columns than in `fit` */
  transform(X: SparseRows): SparseMatrix;
  transform(X: Exclude<Rows, SparseRows>): DenseMatrix;
  transform(X: Rows): DenseMatrix | SparseMatrix;
  transform(X: Rows): DenseMatrix | SparseMatrix {
    const { stages, matrix, dispose } = this.transforming(X);
    try {
      for (const stage of stages) stage.piece(0, stage.count);
      return matrix();
    } catch (error) {
      dispose();
      throw error;
    }
  }

  /** `transform` in stages: run them, then call `matrix` or `dispose`. For pipelines. @internal */
  transforming(X: Rows): { stages: Stage[]; matrix(): DenseMatrix | SparseMatrix; dispose(): void } {
    const { means, scales } = this.#learned('transform');
    checkCols(sourceOf(X, 'X').cols, means.length);
    if (isSparse(X)) {
      if (means.some((mean) => mean !== 0)) throw wouldFill('this Scaler');
      return scaledSparse(X, scales);
    }
    const { matrix, stage } = DenseMatrix.copying(X, defaultArena);
    const { rows, cols } = matrix;
    const scale: Stage = {
      count: rows,
      size: Math.ceil(PIECE / cols),
      piece: (from, to) => scaleRows(matrix.data, from, to, means, scales),
    };
    const check: Stage = {
      count: rows * cols,
      size: LARGE_PIECE,
      piece(from, to) {
        const bad = badAt(matrix.data.subarray(from, to));
        if (bad < 0) return;
        const at = from + bad;
        throw tooLarge(Math.floor(at / cols), at % cols, matrix.data[at] as number);
      },
    };
    const again: Stage = { count: 1, size: 1, piece: () => checkCols(cols, means.length) }; // X may have changed
    return { stages: [again, stage, scale, check], matrix: () => matrix, dispose: () => matrix.dispose() };
  }

  /** `transform` of one row. @internal */
  transformOne(x: Row): Row {
    const { means, scales } = this.#learned('transform');
    const row = oneRow(x, means.length);
    const isDense = !isKeptSparse(row);
    if (!isDense && means.some((mean) => mean !== 0)) throw wouldFill('this Scaler');
    const values: number[] = [];
    const indices: number[] = [];
    visitKept(row, 0, (k, value) => {
      if (!isDense && value === 0) return;
      const scaled = (value - (means[k] as number)) / (scales[k] as number);
      if (!Number.isFinite(scaled)) throw new RangeError(`x[${k}] is too large: scaled it is ${scaled}`);
      indices.push(k);
      values.push(scaled);
    });
    return isDense ? values : { indices, values };
  }

  /** Whether `transform` can be called. @internal */
  get isReady(): boolean {
    return this.#fitted !== undefined;
  }

  /** The columns of rows that go in, and out. @internal */
  get inputCols(): number | undefined {
    return this.#fitted?.means.length;
  }

  /** @internal */
  get outputCols(): number | undefined {
    return this.inputCols;
  }

  /** A new one of the same kind, or of another. For pipelines. @internal */
  unfitted(changes?: Partial<ScalerOptions>): Scaler {
    return new Scaler({ kind: this.kind, ...changes });
  }

  /** `fit`, then `transform` of the same rows. */
  fitTransform(X: SparseRows): SparseMatrix;
  fitTransform(X: Exclude<Rows, SparseRows>): DenseMatrix;
  fitTransform(X: Rows): DenseMatrix | SparseMatrix;
  fitTransform(X: Rows): DenseMatrix | SparseMatrix {
    return this.fit(X).transform(X);
  }

  /** A copy of what is subtracted from each column. */
  get means(): Float64Array {
    return this.#learned('means').means.slice();
  }

  /** A copy of the divisor of each column. */
  get scales(): Float64Array {
    return this.#learned('scales').scales.slice();
  }

  /**
   * The constant feature B to train with. For kind 'unit-ball' it shrinks with the rows, so that training makes the same
   * mistakes as without scaling (SPEC §4; with B = 1 beside rows divided by R, 24 epochs became 36,522). 1 for other kinds.
   */
  get interceptScaling(): number {
    const { scales } = this.#learned('interceptScaling');
    return this.kind === 'unit-ball' ? 1 / (scales[0] as number) : 1;
  }

  /** Plain data, exact to the bit. */
  toJSON(): ScalerJSON {
    return plain<ScalerJSON>(this.packed());
  }

  /** The JSON with the scaler's own arrays. @internal */
  packed(): Packed<ScalerJSON> {
    const { means, scales } = this.#learned('toJSON');
    return { type: 'scaler', version: 1, kind: this.kind, cols: means.length, means, scales };
  }

  /** A scaler from `toJSON`. @throws TypeError or RangeError naming the field that is wrong */
  static fromJSON(json: unknown): Scaler {
    const fields = openModel(json, ['scaler']);
    if (!KINDS.includes(fields.kind as ScalerKind)) {
      fail('kind', "one of 'standardize', 'centre', 'unit-ball'", fields.kind, 'string');
    }
    const cols = countFrom(fields.cols, 'cols');
    if (cols === 0) fail('cols', 'an integer ≥ 1', cols, 'number');
    const means = numbersFrom(fields.means, 'means', cols);
    const scales = numbersFrom(fields.scales, 'scales', cols, (value, path) => {
      const scale = exactNumber(value, path);
      if (!(scale > 0)) fail(path, 'a number > 0', value, 'number');
      return scale;
    });
    const scaler = new Scaler({ kind: fields.kind as ScalerKind });
    scaler.#fitted = { means, scales };
    return scaler;
  }

  /** Takes over the means and scales of another scaler. For pipelines. @internal */
  adopt(other: Scaler): void {
    this.#fitted = other.#fitted;
  }

  #learned(what: string): Scaling {
    if (!this.#fitted) throw new NotFittedError(`this Scaler is not fitted yet: call fit before ${what}`);
    return this.#fitted;
  }
}

function checkCols(cols: number, expected: number): void {
  if (cols !== expected) throw new RangeError(`X has ${cols} columns, the scaler was fitted on ${expected}`);
}

const wouldFill = (what: string): RangeError =>
  new RangeError(
    `${what} subtracts means, which would fill every zero of sparse rows; use kind 'unit-ball', or DenseMatrix.from(X) where memory holds it`,
  );

const tooLarge = (i: number, k: number, scaled: number): RangeError =>
  new RangeError(`X[${i}][${k}] is too large: scaled it is ${scaled}`);

/** Scales rows i … end − 1 in place. */
function scaleRows(values: Values, i: number, end: number, means: Float64Array, scales: Float64Array): void {
  const cols = means.length;
  for (let at = i * cols; at < end * cols; ) {
    for (let k = 0; k < cols; k++, at++) {
      values[at] = ((values[at] as number) - (means[k] as number)) / (scales[k] as number);
    }
  }
}

/** A stage that checks that values are finite. Sparse rows were checked when they were copied in. */
const checkValues = (rows: () => ArenaRows, count: number, cols: number): Stage => ({
  count,
  size: Math.ceil(LARGE_PIECE / cols),
  piece(from, to) {
    const X = rows();
    if (X.store) return; // sparse rows were checked when they were copied in
    const bad = firstNotFinite(X.view().subarray(from * cols, to * cols), cols, 'X', from);
    if (bad) throw bad;
  },
});

/** Sparse rows, each value divided by the scale of its column. */
function scaledSparse(X: SparseRows, scales: Float64Array) {
  const rows = copyIn(X, defaultArena, 'X');
  const builder = new SparseBuilder({ cols: scales.length });
  const columns: number[] = [];
  const values: number[] = [];
  let [row, count] = [0, 0];
  const put = (column: number, value: number) => {
    if (value === 0) return;
    const scaled = value / (scales[column] as number);
    if (!Number.isFinite(scaled)) throw tooLarge(row, column, scaled);
    columns[count] = column;
    values[count++] = scaled;
  };
  const stage: Stage = {
    count: rows.rows,
    size: rowsInPiece(rows.valuesPerRow),
    piece(from, to) {
      checkCols(rows.cols, scales.length); // X may have changed
      for (row = from; row < to; row++) {
        count = 0;
        rows.visit(row, put);
        builder.add(columns, values, count);
      }
    },
  };
  const dispose = () => {
    builder.dispose(); // a finished builder has passed its memory to the matrix
    rows.release();
  };
  const matrix = () => {
    try {
      return builder.finish();
    } finally {
      dispose();
    }
  };
  return { stages: [stage], matrix, dispose };
}
