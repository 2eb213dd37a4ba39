// SparseMatrix: rows in the kernels' memory of which only some columns are stored (CSR). Results are bit-identical to those
// of the same rows stored densely (docs/adr/0009).

import type { Engine, EngineKind } from '../engine/contract.js';
import { resolveEngine } from '../engine/engine.js';
import { expectCount, expectOptions, mustBe, show } from '../errors.js';
import { MOST_COLS, RowPieces, SparseStore, storeOf, storeOfRows } from './csr.js';
import { gather, nonZerosOf, type OwnParts, RowBuffer } from './entries.js';
import { forgotten } from './forgotten.js';
import { checkLength, expectCols, isList, PartsReader, type SparseParts } from './parts.js';
import { entriesOf, type Rows } from './rows.js';
import { indicesFrom, indicesOf } from './take.js';
import { fix, readable } from './views.js';

/** Options of `SparseMatrix.from` and `SparseMatrix.fromDense`. */
export interface SparseMatrixOptions {
  /** The engine whose memory holds the rows. Default: the memory that all built-in engines share. */
  engine?: Engine | 'auto' | EngineKind;
}

/**
 * Rows × cols numbers in the kernels' memory, of which only the non-zeros are stored: 12 bytes each (8 in rows whose values
 * all are float32 numbers, such as counts), and 16 bytes a row.
 * @throws Methods throw TypeError or RangeError naming the argument; RangeError if the memory is full; Error after `dispose()`
 *
 * @example
 * const X = SparseMatrix.from({ values: [3, 1, 4], indices: [0, 5, 2], indptr: [0, 2, 3], cols: 6 });
 * console.log(X.rows, X.cols, X.nonZeros); // → 2 6 3
 */
export class SparseMatrix {
  /** Survives minification: consoles and messages show it. */
  static readonly name = 'SparseMatrix';
  /** How many rows it has. */
  declare readonly rows: number;
  /** How many columns it has. */
  declare readonly cols: number;
  /** How many values are stored. */
  declare readonly nonZeros: number;

  /** @internal */
  constructor(store: SparseStore) {
    if (!(store instanceof SparseStore)) {
      throw new TypeError('make a SparseMatrix with SparseMatrix.from, SparseMatrix.fromDense or a SparseBuilder');
    }
    const { rows, cols, nonZeros } = store;
    fix(this, { rows, cols, nonZeros });
    storeOf.set(this, store);
    forgotten?.register(this, store.release.bind(store), this);
  }

  /**
   * A copy of CSR parts. Columns must ascend within a row and be below `cols`, values must be finite.
   * @throws TypeError or RangeError naming the wrong entry
   */
  static from(parts: SparseParts, options: SparseMatrixOptions = {}): SparseMatrix {
    const { arena } = resolveEngine(expectOptions(options, ['engine'], 'SparseMatrix.from').engine);
    return new SparseMatrix(storeOfRows(new PartsReader(parts, ''), arena));
  }

  /** The non-zeros of rows of any form. @throws RangeError naming the position of a value that is not finite */
  static fromDense(rows: Rows, options: SparseMatrixOptions = {}): SparseMatrix {
    const { arena } = resolveEngine(expectOptions(options, ['engine'], 'SparseMatrix.fromDense').engine);
    return new SparseMatrix(storeOfRows(nonZerosOf(entriesOf(rows, 'X')), arena));
  }

  /** A copy of row i: its columns, ascending, and their values. */
  row(i: number): { indices: Uint32Array; values: Float64Array } {
    if (!Number.isInteger(i) || i < 0 || i >= this.rows) {
      throw new RangeError(`row must be an integer from 0 to ${this.rows - 1}, got ${show(i)}`);
    }
    const { indices, values } = gather(this.#store, [i]);
    return { indices, values };
  }

  /**
   * A new matrix of the rows with these numbers, in this order, in the same memory.
   * @throws TypeError or RangeError naming the first number that is wrong
   */
  take(indices: ArrayLike<number>): SparseMatrix {
    return this.#copyOf(indicesOf(indices, this.rows));
  }

  /** A new matrix of rows from … to − 1 (default: all). @throws RangeError unless 0 ≤ from < to ≤ rows */
  slice(from = 0, to = this.rows): SparseMatrix {
    return this.#copyOf(indicesFrom(from, to, this.rows));
  }

  #copyOf(indices: Uint32Array): SparseMatrix {
    const store = this.#store;
    return new SparseMatrix(storeOfRows(store, store.arena, indices));
  }

  /** A copy of all rows as CSR. */
  toParts(): OwnParts {
    return gather(this.#store);
  }

  get #store(): SparseStore {
    const store = storeOf.get(this);
    if (!store) throw new Error('this SparseMatrix was disposed');
    return store;
  }

  /** Releases the memory. Safe to call twice. */
  dispose(): void {
    const store = storeOf.get(this);
    if (!store) return;
    forgotten?.unregister(this);
    storeOf.delete(this);
    store.release();
  }

  /** The same as dispose(), for `using`. */
  [Symbol.dispose](): void {
    this.dispose();
  }
}

/** Options of `SparseBuilder`. */
export interface SparseBuilderOptions extends SparseMatrixOptions {
  /** Columns of the matrix. Default: one more than the largest column added. */
  cols?: number;
}

/**
 * Builds a sparse matrix row by row in the kernels' memory: for rows from a file, a text or a query. It needs little more memory
 * than the matrix itself.
 * @throws Methods throw TypeError or RangeError naming the argument or the value; RangeError if the memory is full
 *
 * @example
 * const X = new SparseBuilder().add([0, 5], [3, 1]).add([2], [4]).finish();
 * console.log(X.rows, X.cols, X.nonZeros); // → 2 6 3
 */
export class SparseBuilder {
  /** Survives minification: consoles and messages show it. */
  static readonly name = 'SparseBuilder';
  readonly #pieces: RowPieces;
  /** The buffer for the next row; undefined while a row is being read, when a getter of the caller may add another. */
  #row: RowBuffer | undefined;
  readonly #cols: number | undefined;

  constructor(options: SparseBuilderOptions = {}) {
    const { cols, engine } = expectOptions(options, ['cols', 'engine'], 'SparseBuilder');
    if (cols !== undefined) expectCols(cols, '"cols"');
    this.#cols = cols;
    const pieces = new RowPieces(resolveEngine(engine).arena);
    this.#pieces = pieces;
    forgotten?.register(this, pieces.dispose.bind(pieces), this);
  }

  /** Rows added so far. */
  get rows(): number {
    return this.#pieces.rows;
  }

  /** Values added so far. */
  get nonZeros(): number {
    return this.#pieces.nonZeros;
  }

  /**
   * Adds a row: `values[k]` in column `columns[k]`, columns ascending, for k < count.
   * @throws TypeError or RangeError naming what is wrong; the earlier rows stay
   */
  add(columns: ArrayLike<number>, values: ArrayLike<number>, count?: number): this {
    // Rows may be many and short: a message is made only when something is wrong.
    if (!(isList(columns) && isList(values))) throw this.#noList(columns, values);
    // A length of 0 may be a detached view: looking up every view takes longer than copying a short row.
    if (columns.length === 0 || values.length === 0) {
      this.#put(readable(columns, '"columns"'), readable(values, '"values"'), count);
    } else {
      this.#put(columns, values, count);
    }
    return this;
  }

  #put(columns: ArrayLike<number>, values: ArrayLike<number>, given?: number): void {
    const most = checkLength(columns.length, '"columns"');
    const count = given ?? most;
    expectCount(count, 0, '"count"');
    if (!(count <= most && count <= values.length)) {
      throw new RangeError(
        `row ${this.rows} has ${most} columns and ${values.length} values, expected ${count} of both`,
      );
    }
    const cols = this.#cols ?? MOST_COLS;
    const row = this.#row ?? new RowBuffer();
    this.#row = undefined;
    row.length = 0;
    for (let k = 0, before = -1; k < count; k++) {
      const column = columns[k] as number;
      const value = values[k] as number;
      const isColumn = Number.isInteger(column) && column > before && column < cols;
      if (!(isColumn && typeof value === 'number' && value - value === 0)) {
        throw this.#wrongEntry(column, before, value, cols);
      }
      row.add(column, value);
      before = column;
    }
    this.#pieces.put(row);
    this.#row = row;
  }

  #noList(columns: unknown, values: unknown): TypeError {
    const [name, list] = isList(columns) ? ['values', values] : ['columns', columns];
    return new TypeError(`row ${this.rows}: "${name}" must be an array of numbers, got ${show(list)}`);
  }

  /** The error for a wrong entry after column `before`. */
  #wrongEntry(column: number, before: number, value: unknown, cols: number): Error {
    const where = `row ${this.rows}`;
    if (!(Number.isInteger(column) && column >= 0 && column < cols)) {
      return mustBe(`${where}: a column`, `an integer from 0 to ${cols - 1}`, column, 'number');
    }
    if (column <= before) {
      return new RangeError(`${where}: column ${column} comes after ${before}: columns must ascend`);
    }
    if (typeof value !== 'number') {
      return new TypeError(`${where}: the value of column ${column} must be a number, got ${show(value)}`);
    }
    return new RangeError(`${where}: the value of column ${column} is ${value}`);
  }

  /**
   * The matrix of all rows added. The builder cannot be used afterwards.
   * @throws RangeError if a row has a column ≥ `cols`
   */
  finish(options: { cols?: number } = {}): SparseMatrix {
    const { cols: given = this.#cols } = expectOptions(options, ['cols'], 'finish');
    const { largest } = this.#pieces;
    const cols = given === undefined ? Math.max(1, largest + 1) : given;
    expectCols(cols, '"cols"');
    if (cols <= largest) {
      throw new RangeError(`"cols" must be at least ${largest + 1}: column ${largest} has a value; got ${cols}`);
    }
    const store = this.#pieces.finish(cols);
    forgotten?.unregister(this);
    return new SparseMatrix(store);
  }

  /** Releases the memory, unless `finish` has handed it on. Safe to call twice. */
  dispose(): void {
    forgotten?.unregister(this);
    this.#pieces.dispose();
  }

  /** The same as dispose(), for `using`. */
  [Symbol.dispose](): void {
    this.dispose();
  }
}
