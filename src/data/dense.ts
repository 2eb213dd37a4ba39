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
import { fix, placeOfView } from './views.js';

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

export type Dtype = 'float64' | 'float32';

export interface DenseMatrixOptions {
  /** How values are stored; arithmetic is always float64. 'float32' halves memory and traffic. Default 'float64'. */
  dtype?: Dtype;
  /** The engine whose memory holds the rows. Default: the memory that all built-in engines share. */
  engine?: Engine | 'auto' | 'wasm-simd' | 'wasm-scalar' | 'js';
}

/** Rows × cols numbers, row-major, in the kernels' memory. */
export class DenseMatrix {
  static readonly name = 'DenseMatrix';
  declare readonly rows: number;
  declare readonly cols: number;
  declare readonly dtype: Dtype;
  readonly #arena: Arena;
  #block: Block | undefined;
  #view: Float64Array | Float32Array | undefined;

  private constructor(rows: number, cols: number, dtype: Dtype, arena: Arena, zeroed = true) {
    if (!arena) throw new TypeError('make a DenseMatrix with DenseMatrix.allocate or DenseMatrix.from');
    fix(this, { rows, cols, dtype });
    this.#arena = arena;
    const bytes = rows * cols * (dtype === 'float64' ? 8 : 4);
    this.#block = arena.allocate(bytes, `a ${rows} × ${cols} ${dtype} matrix`, zeroed);
    forgotten?.register(this, arena.release.bind(arena, this.#block), this);
  }

  /**
   * Zero-filled rows. Write to `data` yourself: then nothing is copied.
   * @throws RangeError if the memory cannot hold it
   */
  static allocate(rows: number, cols: number, options: DenseMatrixOptions = {}): DenseMatrix {
    const { dtype, arena } = resolve(options, 'DenseMatrix.allocate');
    expectCount(rows, 1, '"rows"');
    expectCount(cols, 1, '"cols"');
    return new DenseMatrix(rows, cols, dtype, arena);
  }

  /** A copy of rows of any form. @throws RangeError naming the position of a value that does not fit */
  static from(rows: Rows, options: DenseMatrixOptions = {}): DenseMatrix {
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

  /** As `from`, as a stage: an empty matrix, and the stage that fills it. Default dtype: as X is stored. @internal */
  static copying(X: Rows, arena: Arena, dtype?: Dtype): { matrix: DenseMatrix; stage: Stage } {
    const source = sourceOf(X, 'X');
    const type = dtype ?? (source.flat?.BYTES_PER_ELEMENT === 4 ? 'float32' : 'float64');
    const matrix = new DenseMatrix(source.rows, source.cols, type, arena, source.sparse !== undefined);
    const { offset } = matrix.#block as Block;
    const to = new DenseRows(arena, source, offset, type === 'float64' ? 8 : 4);
    return { matrix, stage: copyingTo(to, source, 'X', true, source.sparse && fillSparse) };
  }

  /** As `allocate`, with any content: the caller writes all of it. @internal */
  static unwritten(rows: number, cols: number, arena: Arena): DenseMatrix {
    return new DenseMatrix(rows, cols, 'float64', arena, false);
  }

  /** The rows as a live view. Growth of the memory may detach it: ask for `data` again after other work. */
  get data(): Float64Array | Float32Array {
    if (!this.#block) throw disposed();
    const { buffer } = this.#arena;
    if (this.#view?.buffer !== buffer) {
      const count = this.rows * this.cols;
      const { offset } = this.#block;
      this.#view = this.dtype === 'float64' ? this.#arena.f64(offset, count) : this.#arena.f32(offset, count);
      this.#register(this.#view, this.#block, () => this.data);
    }
    return this.#view;
  }

  /** Row i as a live view. */
  row(i: number): Float64Array | Float32Array {
    if (!Number.isInteger(i) || i < 0 || i >= this.rows) {
      throw new RangeError(`row must be an integer from 0 to ${this.rows - 1}, got ${show(i)}`);
    }
    const view = this.data.subarray(i * this.cols, (i + 1) * this.cols);
    this.#register(view, this.#block as Block, () => this.row(i));
    return view;
  }

  /**
   * A new matrix of the rows with these numbers, in this order: same dtype, same memory.
   * @throws TypeError or RangeError naming the first number that is wrong
   */
  take(indices: ArrayLike<number>): DenseMatrix {
    return this.#copyOf(indicesOf(indices, this.rows));
  }

  /** A new matrix of rows from … to − 1 (default: all). @throws RangeError unless 0 ≤ from < to ≤ rows */
  slice(from = 0, to = this.rows): DenseMatrix {
    return this.#copyOf(indicesFrom(from, to, this.rows));
  }

  #copyOf(indices: Uint32Array): DenseMatrix {
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
  #register(view: ArrayBufferView, block: Block, again: () => Float64Array | Float32Array): void {
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

function resolve(options: DenseMatrixOptions, where: string): { dtype: Dtype; arena: Arena } {
  const { dtype = 'float64', engine } = expectOptions(options, ['dtype', 'engine'], where);
  if (dtype !== 'float64' && dtype !== 'float32') {
    throw new RangeError(`"dtype" must be 'float64' or 'float32', got ${show(dtype)}`);
  }
  return { dtype, arena: resolveEngine(engine).arena };
}
