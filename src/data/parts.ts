// CSR in the caller's arrays, in SciPy's form. Every entry is read once, into arrays of the library, and checked there, so that
// kernels use what was checked even if the caller changes the arrays.

import { expectCount, mustBe, show } from '../errors.js';
import { get, has } from '../own.js';
import { MOST_COLS } from './csr.js';
import type { Entries } from './entries.js';
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

/** Whether a value may be a list of numbers. */
export const isList = (value: unknown): value is ArrayLike<number> =>
  typeof value === 'object' && value !== null && typeof (value as ArrayLike<number>).length === 'number';

/** Checks a number of columns. @throws TypeError or RangeError */
export function expectCols(cols: unknown, name: string): void {
  expectCount(cols, 1, name);
  if ((cols as number) > MOST_COLS) throw new RangeError(`${name} must be at most ${MOST_COLS}, got ${show(cols)}`);
}

/** Checks the length of a list. Read a length once: the next answer may be another. @throws TypeError or RangeError */
export function checkLength(length: number, name: string): number {
  if (length >>> 0 === length) return length;
  throw mustBe(`${name}.length`, 'an integer from 0 to 4294967295', length, 'number');
}

/** Reads the rows of CSR parts one after the other. */
export class PartsReader implements Entries {
  readonly rows: number;
  readonly cols: number;
  /** How many entries there are. */
  readonly nonZeros: number;
  readonly #values: ArrayLike<number>;
  readonly #indices: ArrayLike<number>;
  readonly #indptr: ArrayLike<number>;
  /** Where rows begin and end, as a copy; made for the first row that is read. */
  #ends: Uint32Array | undefined;
  readonly #name: string;

  /**
   * Checks the types and lengths of the parts.
   * @param name precedes the names of the parts in errors: '' or 'X.'
   */
  constructor(parts: SparseParts, name: string) {
    if (typeof parts !== 'object' || parts === null) {
      throw new TypeError(`${name || 'the parts'} must be { values, indices, indptr, cols }, got ${show(parts)}`);
    }
    const values = get(parts, 'values');
    if (values === undefined && has(parts, 'data')) {
      throw new TypeError(`${name}values is missing; what SciPy calls "data" is "values" here, and shape[1] is "cols"`);
    }
    const check = (list: unknown, key: string): [ArrayLike<number>, number] => {
      if (!isList(list)) throw new TypeError(`${name}${key} must be an array of numbers, got ${show(list)}`);
      const now = readable(list, `${name}${key}`);
      return [now, checkLength(now.length, `${name}${key}`)];
    };
    const [[ownValues, count], [ownIndices, indexCount], [ownIndptr, ends]] = [
      check(values, 'values'),
      check(get(parts, 'indices'), 'indices'),
      check(get(parts, 'indptr'), 'indptr'),
    ];
    const cols = get(parts, 'cols') as number;
    expectCols(cols, `${name}cols`);
    if (count !== indexCount) {
      throw new RangeError(`${name}values has ${count} entries, ${name}indices ${indexCount}: one each`);
    }
    if (ends === 0) throw new RangeError(`${name}indptr is empty: it has one entry more than there are rows`);
    this.#values = ownValues;
    this.#indices = ownIndices;
    this.#indptr = ownIndptr;
    this.rows = ends - 1;
    this.cols = cols;
    this.nonZeros = count;
    this.#name = name;
    if (ends === 1) this.#readEnds(); // nobody will visit a row
  }

  #readEnds(): Uint32Array {
    const { rows, nonZeros } = this;
    const name = `${this.#name}indptr`;
    const ends = new Uint32Array(rows + 1);
    let least = 0;
    for (let i = 0; i <= rows; i++) {
      const at = this.#indptr[i] as number;
      if (i === 0 && at !== 0) throw mustBe(`${name}[0]`, '0', at, 'number');
      if (!(Number.isInteger(at) && at >= least)) {
        throw mustBe(`${name}[${i}]`, `an integer of at least ${least}`, at, 'number');
      }
      ends[i] = least = at;
    }
    if (least !== nonZeros) {
      throw new RangeError(`${name} ends with ${least}, expected ${nonZeros}: as many as there are values`);
    }
    return ends;
  }

  /** @throws TypeError or RangeError naming a wrong entry */
  visit(i: number, see: (column: number, value: number) => void): void {
    this.#ends ??= this.#readEnds();
    const name = this.#name;
    const values = this.#now(this.#values, 'values');
    const indices = this.#now(this.#indices, 'indices');
    const end = this.#ends[i + 1] as number;
    for (let k = this.#ends[i] as number, before = -1; k < end; k++) {
      const column = indices[k] as number;
      const value = values[k] as number;
      if (!(Number.isInteger(column) && column > before && column < this.cols)) {
        throw this.#wrongColumn(column, before, k, i);
      }
      if (typeof value !== 'number') throw new TypeError(`${name}values[${k}] must be a number, got ${show(value)}`);
      if (value - value !== 0) throw new RangeError(`${name}values[${k}] is ${value}`);
      see(column, value);
      before = column;
    }
  }

  /** A list as it can be read now: it may be a view of a DenseMatrix that growth of the memory has detached. */
  #now(list: ArrayLike<number>, key: string): ArrayLike<number> {
    if (list.length === this.nonZeros) return list;
    const now = readable(list, `${this.#name}${key}`);
    if (now.length === this.nonZeros) return now;
    throw new RangeError(
      `${this.#name}${key} was made shorter, or is a part of a view that was detached when the memory grew`,
    );
  }

  #wrongColumn(column: unknown, before: number, k: number, i: number): Error {
    const name = `${this.#name}indices[${k}]`;
    if (Number.isInteger(column) && (column as number) >= 0 && (column as number) < this.cols) {
      return new RangeError(
        `${name} is ${column}, after ${before}: the columns of a row${this.#name === 'x.' ? '' : ` (here row ${i})`} must ascend`,
      );
    }
    return mustBe(name, `an integer from 0 to ${this.cols - 1}`, column, 'number');
  }
}
