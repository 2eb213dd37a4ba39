// DenseMatrix: rows in the kernels' memory, so that a fit copies nothing.

import type { Engine } from '../engine/contract.js';
import { resolveEngine } from '../engine/engine.js';
import { expectCount, expectOptions, show } from '../errors.js';
import type { Arena, Block } from '../memory/arena.js';
import { DenseRows } from './arenarows.js';
import { forgotten } from './forgotten.js';
import { copyingTo, fillSparse, type Rows, sourceOf } from './rows.js';
import type { Stage } from './stages.js';
import { indicesFrom, indicesOf } from './take.js';
import { type Arrays, DTYPES, type Dtype, fix, placeOfView, STORAGE, type Values } from './views.js';

export type { Arrays, Dtype };

// For projects that compile with lib es2022 alone: names that other libs (dom, @types/node, esnext) declare in full.
declare global {
  interface SymbolConstructor {
    readonly dispose: unique symbol;
  }
  interface AbortSignal {}
  interface URL {}
  namespace WebAssembly {
    interface Module {}
  }
}

/** Options of `DenseMatrix.allocate` and `DenseMatrix.from`. */
export interface DenseMatrixOptions<D extends Dtype = 'float64' | 'float32'> {
  /**
   * How values are stored; results are those of the same values as 'float64', the default. 'float32' halves memory and traffic; 'uint8',
   * 'int8' and 'int16' take integers alone, in an eighth or a quarter of the memory.
   */
  dtype?: D;
  /** The engine whose memory holds the rows. Default: the memory that all built-in engines share. */
  engine?: Engine | 'auto' | 'wasm-simd' | 'wasm-scalar' | 'js';
}

/** The matrix that stores values as D. */
export type MatrixOf<D extends Dtype> = [D] extends ['float64' | 'float32'] ? DenseMatrix : DenseMatrix<D>;

/**
 * Rows × cols numbers, row-major, in the kernels' memory. A fit copies none of them.
 * @throws Methods throw TypeError or RangeError naming the argument; RangeError if the memory is full; Error after `dispose()`
 *
 * @example
 * const X = DenseMatrix.allocate(2, 3);
 * X.data.set([1, 2, 3, 4, 5, 6]);
 * console.log(X.row(1)); // → Float64Array(3) [ 4, 5, 6 ]
 */
export class DenseMatrix<D extends Dtype = 'float64' | 'float32'> {
  static readonly name = 'DenseMatrix';
  /** How many rows it has. */
  declare readonly rows: number;
  /** How many columns it has. */
  declare readonly cols: number;
  /** How values are stored. */
  declare readonly dtype: D;
  readonly #arena: Arena;
  #block: Block | undefined;
  #view: Arrays[D] | undefined;

  private constructor(rows: number, cols: number, dtype: D, arena: Arena, zeroed = true) {
    if (!arena) throw new TypeError('make a DenseMatrix with DenseMatrix.allocate or DenseMatrix.from');
    fix(this, { rows, cols, dtype });
    this.#arena = arena;
    const bytes = rows * cols * STORAGE[dtype].Values.BYTES_PER_ELEMENT;
    this.#block = arena.allocate(bytes, `a ${rows} × ${cols} ${dtype} matrix`, zeroed);
    forgotten?.register(this, arena.release.bind(arena, this.#block), this);
  }

  /**
   * Zero-filled rows. Write to `data` yourself: then nothing is copied.
   * @throws RangeError if the memory cannot hold it
   */
  static allocate<D extends Dtype = 'float64'>(
    rows: number,
    cols: number,
    options: DenseMatrixOptions<D> = {},
  ): MatrixOf<D> {
    const { dtype, arena } = resolve(options, 'DenseMatrix.allocate');
    expectCount(rows, 1, '"rows"');
    expectCount(cols, 1, '"cols"');
    return new DenseMatrix(rows, cols, dtype, arena) as MatrixOf<D>;
  }

  /** A copy of rows of any form. @throws RangeError naming the position of a value that does not fit */
  static from<D extends Dtype = 'float64'>(rows: Rows, options: DenseMatrixOptions<D> = {}): MatrixOf<D> {
    const { dtype, arena } = resolve(options, 'DenseMatrix.from');
    const { matrix, stage } = DenseMatrix.copying(rows, arena, dtype);
    try {
      stage.piece(0, matrix.rows);
    } catch (error) {
      matrix.dispose();
      throw error;
    }
    return matrix;
  }

  /** As `from`, as a stage: an empty matrix, and the stage that fills it. Default dtype: float32 stays, all else is float64. @internal */
  static copying<D extends Dtype = 'float64'>(X: Rows, arena: Arena, dtype?: D): { matrix: MatrixOf<D>; stage: Stage } {
    const source = sourceOf(X, 'X');
    const type = dtype ?? ((source.flat instanceof Float32Array ? 'float32' : 'float64') as D);
    const matrix = new DenseMatrix(source.rows, source.cols, type, arena, source.sparse !== undefined);
    const { offset } = matrix.#block as Block;
    const to = new DenseRows(arena, source, offset, STORAGE[type].element);
    return { matrix: matrix as MatrixOf<D>, stage: copyingTo(to, source, 'X', true, source.sparse && fillSparse) };
  }

  /** As `allocate`, with any content: the caller writes all of it. @internal */
  static unwritten(rows: number, cols: number, arena: Arena): DenseMatrix {
    return new DenseMatrix(rows, cols, 'float64', arena, false);
  }

  /** The rows as a live view. Growth of the memory may detach it: ask for `data` again after other work. */
  get data(): Arrays[D] {
    if (!this.#block) throw disposed();
    const { buffer } = this.#arena;
    if (this.#view?.buffer !== buffer) {
      const count = this.rows * this.cols;
      const { offset } = this.#block;
      this.#view = new STORAGE[this.dtype].Values(buffer, offset, count) as Arrays[D];
      this.#register(this.#view, this.#block, () => this.data);
    }
    return this.#view as Arrays[D];
  }

  /** Row i as a live view. */
  row(i: number): Arrays[D] {
    if (!Number.isInteger(i) || i < 0 || i >= this.rows) {
      throw new RangeError(`row must be an integer from 0 to ${this.rows - 1}, got ${show(i)}`);
    }
    const view = this.data.subarray(i * this.cols, (i + 1) * this.cols) as Arrays[D];
    this.#register(view, this.#block as Block, () => this.row(i));
    return view;
  }

  /**
   * A new matrix of the rows with these numbers, in this order: same dtype, same memory.
   * @throws TypeError or RangeError naming the first number that is wrong
   */
  take(indices: ArrayLike<number>): DenseMatrix<D> {
    return this.#copyOf(indicesOf(indices, this.rows));
  }

  /** A new matrix of rows from … to − 1 (default: all). @throws RangeError unless 0 ≤ from < to ≤ rows */
  slice(from = 0, to = this.rows): DenseMatrix<D> {
    return this.#copyOf(indicesFrom(from, to, this.rows));
  }

  #copyOf(indices: Uint32Array): DenseMatrix<D> {
    if (!this.#block) throw disposed();
    const { cols } = this;
    const copy = new DenseMatrix(indices.length, cols, this.dtype, this.#arena, false);
    const [data, into] = [this.data, copy.data];
    indices.forEach((i, r) => {
      into.set(data.subarray(i * cols, (i + 1) * cols), r * cols);
    });
    return copy;
  }

  /** A view holds its matrix: `DenseMatrix.allocate(…).data` alone keeps the matrix alive. */
  #register(view: ArrayBufferView, block: Block, again: () => Values): void {
    placeOfView.set(view, { block, again });
  }

  /** Releases the memory. Safe to call twice. Do not use views of the matrix afterwards. */
  dispose(): void {
    if (!this.#block) return;
    forgotten?.unregister(this);
    this.#arena.release(this.#block);
    this.#block = undefined;
    this.#view = undefined;
  }

  /** The same as dispose(), for `using`. (Without Symbol.dispose in the runtime, this method is called "undefined".) */
  [Symbol.dispose](): void {
    this.dispose();
  }
}

const disposed = (): Error => new Error('this DenseMatrix was disposed');

function resolve<D extends Dtype>(options: DenseMatrixOptions<D>, where: string): { dtype: D; arena: Arena } {
  const { dtype = 'float64' as D, engine } = expectOptions(options, ['dtype', 'engine'], where);
  if (!DTYPES.includes(dtype)) {
    throw new RangeError(`"dtype" must be one of '${DTYPES.join("', '")}', got ${show(dtype)}`);
  }
  return { dtype, arena: resolveEngine(engine).arena };
}
