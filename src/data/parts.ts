// CSR in the caller's arrays, in SciPy's form. Every entry is read once, into arrays of the library, and checked there, so that
// kernels use what was checked even if the caller changes the arrays.

import { expectCount, show } from '../errors.js';
import type { Arena } from '../memory/arena.js';
import { get, has } from '../own.js';
import { MOST_COLS, type OwnParts, RowBuffer, RowPieces, type SparseStore } from './csr.js';
import { readable } from './views.js';

/** CSR: row i holds `values[k]` in column `indices[k]` for k from indptr[i] to indptr[i + 1] − 1. */
export interface SparseParts {
  values: ArrayLike<number>;
  /** Ascending within a row. */
  indices: ArrayLike<number>;
  /** One entry more than there are rows. */
  indptr: ArrayLike<number>;
  cols: number;
}

/** A RangeError for a number, a TypeError for anything else. */
export const wrong = (value: unknown, message: string) =>
  new (typeof value === 'number' ? RangeError : TypeError)(message);

/** Whether a value may be a list of numbers. */
export const isList = (value: unknown): value is ArrayLike<number> =>
  typeof value === 'object' && value !== null && typeof (value as ArrayLike<number>).length === 'number';

/** Checks a number of columns. @throws TypeError or RangeError */
export function expectCols(cols: unknown, name: string): void {
  expectCount(cols, 1, name);
  if ((cols as number) > MOST_COLS) throw new RangeError(`${name} must be at most ${MOST_COLS}, got ${show(cols)}`);
}

/** Checks the types and lengths of the parts. In errors, `name` precedes the names of the parts: '' or 'X.'. */
export function checkPartsForm(parts: SparseParts, name: string): SparseParts {
  if (typeof parts !== 'object' || parts === null) {
    throw new TypeError(`${name || 'the parts'} must be { values, indices, indptr, cols }, got ${show(parts)}`);
  }
  if (get(parts, 'values') === undefined && has(parts, 'data')) {
    throw new TypeError(`${name}values is missing; what SciPy calls "data" is "values" here, and shape[1] is "cols"`);
  }
  const listAt = (key: 'values' | 'indices' | 'indptr'): ArrayLike<number> => {
    const list = get(parts, key);
    if (!isList(list)) throw new TypeError(`${name}${key} must be an array of numbers, got ${show(list)}`);
    return readable(list, `${name}${key}`);
  };
  const [values, indices, indptr] = [listAt('values'), listAt('indices'), listAt('indptr')];
  const cols = get(parts, 'cols') as number;
  expectCols(cols, `${name}cols`);
  if (values.length !== indices.length) {
    throw new RangeError(`${name}values has ${values.length} entries, ${name}indices ${indices.length}: one each`);
  }
  if (indptr.length === 0) throw new RangeError(`${name}indptr is empty: it has one entry more than there are rows`);
  return { values, indices, indptr, cols };
}

/** Reads the rows of CSR parts one after the other. */
export class PartsReader extends RowBuffer {
  readonly rows: number;
  readonly cols: number;
  /** How many entries there are. */
  readonly nonZeros: number;
  /** Where rows begin and end, as a copy. */
  readonly #ends: Uint32Array;
  readonly #parts: SparseParts;
  readonly #name: string;

  /** @param name precedes the names of the parts in errors: '' or 'X.' */
  constructor(parts: SparseParts, name: string) {
    super();
    const { values, indices, indptr, cols } = checkPartsForm(parts, name);
    this.rows = indptr.length - 1;
    this.cols = cols;
    this.nonZeros = values.length;
    this.#parts = { values, indices, indptr, cols };
    this.#name = name;
    this.#ends = new Uint32Array(indptr.length);
    let least = 0;
    for (let i = 0; i < indptr.length; i++) {
      const at = indptr[i] as number;
      if (i === 0 && at !== 0) throw wrong(at, `${name}indptr[0] must be 0, got ${show(at)}`);
      if (!(Number.isInteger(at) && at >= least)) {
        throw wrong(at, `${name}indptr[${i}] must be an integer of at least ${least}, got ${show(at)}`);
      }
      this.#ends[i] = least = at;
    }
    if (least !== values.length) {
      throw new RangeError(`${name}indptr ends with ${least}, expected ${values.length}: as many as there are values`);
    }
  }

  /** Reads row i into `columns` and `values`; returns its length. @throws TypeError or RangeError naming a wrong entry */
  next(i: number): number {
    const name = this.#name;
    const values = this.#now('values');
    const indices = this.#now('indices');
    const from = this.#ends[i] as number;
    const end = this.#ends[i + 1] as number;
    this.reserve(end - from);
    const { columns, values: own, cols } = this;
    for (let k = from, before = -1; k < end; k++) {
      const column = indices[k] as number;
      const value = values[k] as number;
      if (!(Number.isInteger(column) && column > before && column < cols))
        throw this.#wrongColumn(column, before, k, i);
      if (typeof value !== 'number') throw new TypeError(`${name}values[${k}] must be a number, got ${show(value)}`);
      if (value - value !== 0) throw new RangeError(`${name}values[${k}] is ${value}`);
      columns[k - from] = column;
      own[k - from] = value;
      before = column;
    }
    return end - from;
  }

  /** A list as it can be read now: it may be a view of a DenseMatrix that growth of the memory has detached. */
  #now(key: 'values' | 'indices'): ArrayLike<number> {
    const list = this.#parts[key];
    if (list.length === this.nonZeros) return list;
    const now = readable(list, `${this.#name}${key}`);
    if (now.length === this.nonZeros) return now;
    throw new Error(`${this.#name}${key} is a part of a view that was detached when the memory grew`);
  }

  #wrongColumn(column: unknown, before: number, k: number, i: number): Error {
    const name = `${this.#name}indices[${k}]`;
    if (Number.isInteger(column) && (column as number) >= 0 && (column as number) < this.cols) {
      return new RangeError(
        `${name} is ${column}, after ${before}: the columns of a row${this.#name === 'x.' ? '' : ` (here row ${i})`} must ascend`,
      );
    }
    return wrong(column, `${name} must be an integer from 0 to ${this.cols - 1}, got ${show(column)}`);
  }
}

/** A checked copy of the parts. @throws TypeError or RangeError naming the first wrong entry */
export function checkParts(parts: SparseParts, name: string): OwnParts {
  const reader = new PartsReader(parts, name);
  const { rows, cols, nonZeros } = reader;
  const [values, indices, indptr] = [new Float64Array(nonZeros), new Uint32Array(nonZeros), new Uint32Array(rows + 1)];
  for (let i = 0, at = 0; i < rows; i++) {
    const length = reader.next(i);
    indices.set(reader.columns.subarray(0, length), at);
    values.set(reader.values.subarray(0, length), at);
    at += length;
    indptr[i + 1] = at;
  }
  return { values, indices, indptr, cols };
}

/** A checked copy of the parts in an arena. */
export function storeFromParts(parts: SparseParts, arena: Arena, name = ''): SparseStore {
  const reader = new PartsReader(parts, name);
  const pieces = new RowPieces(arena, reader.nonZeros + reader.rows + 1, reader.rows);
  try {
    for (let i = 0; i < reader.rows; i++) pieces.put(reader, reader.next(i));
    return pieces.finish(reader.cols);
  } finally {
    pieces.dispose(); // after `finish` this releases nothing
  }
}
