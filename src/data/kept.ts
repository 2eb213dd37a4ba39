// Rows that a model keeps: copies in plain arrays outside of the arena, stored as the rows were.

import { has } from '../own.js';
import type { ArenaRows } from './arenarows.js';
import { type Entries, gather, nonZerosOf, type OwnParts } from './entries.js';
import { type Dtype, dtypeOf, type Floats, STORAGE, type Values } from './views.js';

/** Dense rows, one after the other. */
interface KeptDense {
  /** Integers too: typed as the flat rows of a caller are. */
  readonly data: Floats;
  /** Set where rows can be integers: those are copied in only with it. */
  readonly dtype?: Dtype;
  readonly rows: number;
  readonly cols: number;
}

export type KeptRows = KeptDense | OwnParts;

export const NO_ROWS: KeptRows = { data: new Float64Array(), rows: 0, cols: 0 };

/** Whether they are stored sparsely. */
export const isKeptSparse = (kept: KeptRows): kept is OwnParts => has(kept, 'indptr');

export const countKept = (kept: KeptRows): number => (isKeptSparse(kept) ? kept.indptr.length - 1 : kept.rows);

/** Copies of these rows. */
export const keepRows = (X: ArenaRows, list: ArrayLike<number>): KeptRows =>
  X.store ? gather(X, list) : takeDense(X.view(), list, X.cols);

function takeDense(values: Values, list: ArrayLike<number>, cols: number): KeptDense {
  const dtype = dtypeOf(values);
  const data = new STORAGE[dtype].Values(list.length * cols) as Floats;
  for (let r = 0; r < list.length; r++) {
    const i = list[r] as number;
    data.set(values.subarray(i * cols, (i + 1) * cols), r * cols);
  }
  return { data, dtype, rows: list.length, cols };
}

/** The stored values of kept rows; the non-zeros of dense ones. */
export function entriesOfKept(kept: KeptRows): Entries {
  const { cols } = kept;
  const all: Entries = { rows: countKept(kept), cols, visit: (s, see) => visitKept(kept, s, see) };
  return isKeptSparse(kept) ? { ...all, nonZeros: kept.values.length } : nonZerosOf(all);
}

/** Copies of the rows `places`. */
export const takeKept = (kept: KeptRows, places: ArrayLike<number>): KeptRows =>
  isKeptSparse(kept) ? gather(entriesOfKept(kept), places) : takeDense(kept.data, places, kept.cols);

/** Copies of rows from … to − 1. */
export const partOfKept = (kept: KeptRows, from: number, to: number): KeptRows =>
  takeKept(
    kept,
    Uint32Array.from({ length: to - from }, (_, k) => from + k),
  );

/** The rows of `a`, then those of `b`: sparse if one of them is, stored as both are, else as float64. */
export function joinKept(a: KeptRows, b: KeptRows): KeptRows {
  if (countKept(a) === 0) return b;
  if (countKept(b) === 0) return a;
  if (!isKeptSparse(a) && !isKeptSparse(b)) {
    const [own, other] = [dtypeOf(a.data), dtypeOf(b.data)];
    const dtype = own === other ? own : 'float64';
    const data = concat(STORAGE[dtype].Values, a.data, b.data) as Floats;
    return { data, dtype, rows: a.rows + b.rows, cols: a.cols };
  }
  const [x, z] = [entriesOfKept(a), entriesOfKept(b)];
  return gather({
    rows: x.rows + z.rows,
    cols: x.cols,
    visit: (s, see) => (s < x.rows ? x.visit(s, see) : z.visit(s - x.rows, see)),
  });
}

export function concat<T extends { set(values: ArrayLike<number>, at?: number): void }>(
  List: new (length: number) => T,
  a: ArrayLike<number>,
  b: ArrayLike<number>,
): T {
  const both = new List(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

/** Calls `see` with each column of row s, ascending, and its value; for a sparse row, with the stored ones only. */
export function visitKept(kept: KeptRows, s: number, see: (column: number, value: number) => void): void {
  if (isKeptSparse(kept)) {
    const { indptr, indices, values } = kept;
    for (let k = indptr[s] as number; k < (indptr[s + 1] as number); k++)
      see(indices[k] as number, values[k] as number);
  } else {
    const { data, cols } = kept;
    for (let k = 0, at = s * cols; k < cols; k++, at++) see(k, data[at] as number);
  }
}

/** Writes row s to `to`, `cols` values that can hold it. */
export function denseRow(kept: KeptRows, s: number, to: Values): void {
  if (isKeptSparse(kept)) to.fill(0);
  visitKept(kept, s, (k, value) => {
    to[k] = value;
  });
}

/** Whether row i of X is bit-identical to row s of what was kept; values that are not stored are 0. */
export function isSameRow(X: ArenaRows, i: number, kept: KeptRows, s: number): boolean {
  if (!X.store && !isKeptSparse(kept)) {
    const values = X.view();
    const { cols } = X;
    for (let k = 0; k < cols; k++) if (!Object.is(values[i * cols + k], kept.data[s * cols + k])) return false;
    return true;
  }
  const own = new Map<number, number>();
  X.visit(i, (k, value) => {
    if (value !== 0) own.set(k, value);
  });
  let isSame = true;
  visitKept(kept, s, (k, value) => {
    if (value === 0) return;
    isSame &&= own.get(k) === value;
    own.delete(k);
  });
  return isSame && own.size === 0;
}
