// CSR in the caller's arrays, as SciPy has it: checked, and brought into the arena.

import { expectCount, show } from '../errors.js';
import type { Arena } from '../memory/arena.js';
import { MOST_COLS, RowPieces, type SparseStore } from './csr.js';
import { PIECE, runStages, type Stage } from './stages.js';
import { readable } from './views.js';

/** CSR: row i holds `values[k]` in column `indices[k]` for k from indptr[i] to indptr[i + 1] − 1. */
export interface SparseParts {
  values: ArrayLike<number>;
  /** Ascending within a row. */
  indices: ArrayLike<number>;
  /** One more than there are rows. */
  indptr: ArrayLike<number>;
  cols: number;
}

/** A RangeError for a number, a TypeError for anything else. */
export const wrong = (value: unknown, message: string) =>
  new (typeof value === 'number' ? RangeError : TypeError)(message);

/** Whether a value may be a list of numbers. */
export const isList = (value: unknown): value is ArrayLike<number> =>
  typeof value === 'object' && value !== null && typeof (value as ArrayLike<number>).length === 'number';

/** Refuses a number of columns that no matrix can have. */
export function expectCols(cols: unknown, name: string): void {
  expectCount(cols, 1, name);
  if ((cols as number) > MOST_COLS) throw new RangeError(`${name} must be at most ${MOST_COLS}, got ${show(cols)}`);
}

/** What can be said at a glance. `name` comes before the names of the parts in errors: '' or 'X.'. */
export function checkPartsForm(parts: SparseParts, name: string): SparseParts {
  if (typeof parts !== 'object' || parts === null) {
    throw new TypeError(`${name || 'the parts'} must be { values, indices, indptr, cols }, got ${show(parts)}`);
  }
  if (parts.values === undefined && 'data' in parts) {
    throw new TypeError(`${name}values is missing; what SciPy calls "data" is "values" here, and shape[1] is "cols"`);
  }
  const listAt = (key: 'values' | 'indices' | 'indptr'): ArrayLike<number> => {
    const list = parts[key];
    if (!isList(list)) throw new TypeError(`${name}${key} must be an array of numbers, got ${show(list)}`);
    return readable(list, `${name}${key}`);
  };
  const [values, indices, indptr] = [listAt('values'), listAt('indices'), listAt('indptr')];
  const { cols } = parts;
  expectCols(cols, `${name}cols`);
  if (values.length !== indices.length) {
    throw new RangeError(`${name}values has ${values.length} entries, ${name}indices ${indices.length}: one each`);
  }
  if (indptr.length === 0) throw new RangeError(`${name}indptr is empty: it has one entry more than there are rows`);
  return { values, indices, indptr, cols };
}

/** How checking goes on: the stages, and the parts once they have run. */
interface Checking {
  readonly stages: readonly Stage[];
  parts(): SparseParts;
}

/** Rows in a piece: some PIECE values, if rows have about as many each. */
const rowsInPiece = ({ indptr, values }: SparseParts): number =>
  Math.max(1, Math.floor((PIECE * indptr.length) / Math.max(1, values.length)));

/** The checks of parts, entry by entry. The stages throw a TypeError or RangeError that names the first wrong entry. */
export function checkingParts(parts: SparseParts, name: string): Checking {
  const { values, indices, indptr: ends, cols } = checkPartsForm(parts, name);
  const { length } = ends;
  // A copy of where rows begin: `ends` may be a view that growth detaches, and rows behind it would be lost.
  const indptr = new Uint32Array(length);
  const checked = { values, indices, indptr, cols };
  const now = () => readable(ends, `${name}indptr`);
  const begins: Stage = {
    count: length,
    size: PIECE,
    piece(from, to) {
      copyEnds(indptr, now(), from, to, name);
      const last = now()[length - 1] as number;
      if (to === length && last !== values.length) {
        throw new RangeError(`${name}indptr ends with ${last}, expected ${values.length}: as many as there are values`);
      }
    },
  };
  const entries: Stage = {
    count: length - 1,
    size: rowsInPiece(checked),
    piece: (from, to) => checkEntries(checked, from, to, name),
  };
  return { stages: [begins, entries], parts: () => checked };
}

/** Parts, checked now. @throws TypeError or RangeError naming the first entry that is wrong */
export function checkParts(parts: SparseParts, name: string): SparseParts {
  const { stages, parts: checked } = checkingParts(parts, name);
  runStages(stages);
  return checked();
}

/** Copies where rows from … to − 1 begin, checked. */
function copyEnds(into: Uint32Array, indptr: ArrayLike<number>, from: number, to: number, name: string): void {
  for (let i = from; i < to; i++) {
    const at = indptr[i] as number;
    const least = i === 0 ? 0 : (indptr[i - 1] as number);
    if (i === 0 && at !== 0) throw wrong(at, `${name}indptr[0] must be 0, got ${show(at)}`);
    if (!(Number.isInteger(at) && at >= least)) {
      throw wrong(at, `${name}indptr[${i}] must be an integer of at least ${least}, got ${show(at)}`);
    }
    into[i] = at;
  }
}

/** Every entry of rows from … end − 1. */
function checkEntries(parts: SparseParts, from: number, end: number, name: string): void {
  const { indptr, cols } = parts;
  const [values, indices] = [readable(parts.values, `${name}values`), readable(parts.indices, `${name}indices`)];
  for (let i = from; i < end; i++) {
    const to = indptr[i + 1] as number;
    for (let k = indptr[i] as number, before = -1; k < to; k++) {
      const column = indices[k] as number;
      const value = values[k] as number;
      if (!(Number.isInteger(column) && column >= 0 && column < cols)) {
        throw wrong(column, `${name}indices[${k}] must be an integer from 0 to ${cols - 1}, got ${show(column)}`);
      }
      if (column <= before) {
        throw new RangeError(
          `${name}indices[${k}] is ${column}, after ${before}: the columns of a row${name === 'x.' ? '' : ` (here row ${i})`} must ascend`,
        );
      }
      if (typeof value !== 'number') throw new TypeError(`${name}values[${k}] must be a number, got ${show(value)}`);
      if (value - value !== 0) throw new RangeError(`${name}values[${k}] is ${value}`);
      before = column;
    }
  }
}

/** Checked parts on their way into an arena: run the stage, then take the store; or dispose of what is there. */
export function storing(parts: () => SparseParts, rows: number, arena: Arena) {
  let pieces: RowPieces | undefined;
  const made = (): RowPieces => {
    const { values, indptr } = parts();
    pieces ??= new RowPieces(arena, values.length + indptr.length, indptr.length - 1);
    return pieces;
  };
  const stage: Stage = {
    count: rows,
    size: PIECE / 16,
    piece(from, to) {
      const { indices, values, indptr } = parts();
      for (let i = from; i < to; i++) made().put(indices, values, indptr[i] as number, indptr[i + 1] as number);
    },
  };
  return { stage, store: (): SparseStore => made().finish(parts().cols), dispose: () => pieces?.dispose() };
}

/** Checked parts in an arena, copied now. */
export function storeFromParts(parts: SparseParts, arena: Arena): SparseStore {
  const { stage, store, dispose } = storing(() => parts, parts.indptr.length - 1, arena);
  try {
    runStages([stage]);
    return store();
  } finally {
    dispose(); // what is finished belongs to the store
  }
}
