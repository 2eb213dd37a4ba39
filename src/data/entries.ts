// Rows as the columns and values that are stored, wherever they are: visited row by row, gathered in one form.

/** Is called with a column and its value. */
export type See = (column: number, value: number) => void;

/** Rows whose stored values can be visited, wherever they are. */
export interface Entries {
  readonly rows: number;
  readonly cols: number;
  /** How many values are stored, if that is known. */
  readonly nonZeros?: number;
  /** Calls `see` with each stored column of row i, ascending, and its value. */
  visit(i: number, see: See): void;
}

/** The same rows without stored zeros. */
export const nonZerosOf = (X: Entries): Entries => ({
  rows: X.rows,
  cols: X.cols,
  visit: (i, see) =>
    X.visit(i, (column, value) => {
      if (value !== 0) see(column, value);
    }),
});

/** CSR in arrays that belong to the library. */
export interface OwnParts {
  readonly values: Float64Array;
  readonly indices: Uint32Array;
  readonly indptr: Uint32Array;
  readonly cols: number;
}

type Growing = Uint8Array | Uint32Array | Int32Array | Float64Array;

/** The array, or a copy with room for `length` and more. */
export function withRoom<T extends Growing>(array: T, length: number): T {
  if (length <= array.length) return array;
  const larger = new (array.constructor as new (length: number) => T)(Math.max(length, 2 * array.length));
  larger.set(array);
  return larger;
}

/** Entries that a buffer has room for at first, at most: a caller may claim any number. */
const MOST_EXPECTED = 2 ** 20;

/** Columns and values, in lists that grow. Set `length` to 0 to begin again. */
export class RowBuffer {
  columns: Uint32Array;
  values: Float64Array;
  length = 0;

  /** `expected` entries: a hint. */
  constructor(expected = 64) {
    const room = Math.max(64, Math.min(expected, MOST_EXPECTED));
    this.columns = new Uint32Array(room);
    this.values = new Float64Array(room);
  }

  add(column: number, value: number): void {
    const at = this.length;
    if (at === this.columns.length) this.#grow();
    this.columns[at] = column;
    this.values[at] = value;
    this.length = at + 1;
  }

  #grow(): void {
    this.columns = withRoom(this.columns, this.length + 1);
    this.values = withRoom(this.values, this.length + 1);
  }
}

/** Adds the stored values of row i to a buffer. */
export const addRow = (buffer: RowBuffer, X: Entries, i: number): void =>
  X.visit(i, (column, value) => buffer.add(column, value));

/** The rows `list` (default: all) as CSR. */
export function gather(X: Entries, list?: ArrayLike<number>): OwnParts {
  const all = new RowBuffer(list ? undefined : X.nonZeros);
  const rows = list?.length ?? X.rows;
  const indptr = new Uint32Array(rows + 1);
  for (let r = 0; r < rows; r++) {
    addRow(all, X, list ? (list[r] as number) : r);
    indptr[r + 1] = all.length;
  }
  return { values: all.values.slice(0, all.length), indices: all.columns.slice(0, all.length), indptr, cols: X.cols };
}
