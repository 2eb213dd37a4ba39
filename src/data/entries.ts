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

  /** Adds the stored values of row i. */
  addRow(X: Entries, i: number): void {
    X.visit(i, (column, value) => this.add(column, value));
  }

  #grow(): void {
    const { columns, values } = this;
    this.columns = new Uint32Array(2 * columns.length);
    this.columns.set(columns);
    this.values = new Float64Array(2 * values.length);
    this.values.set(values);
  }
}

/** The rows `list` (default: all) as CSR. */
export function gather(X: Entries, list?: ArrayLike<number>): OwnParts {
  const all = new RowBuffer(list ? undefined : X.nonZeros);
  const rows = list?.length ?? X.rows;
  const indptr = new Uint32Array(rows + 1);
  for (let r = 0; r < rows; r++) {
    all.addRow(X, list ? (list[r] as number) : r);
    indptr[r + 1] = all.length;
  }
  return { values: all.values.slice(0, all.length), indices: all.columns.slice(0, all.length), indptr, cols: X.cols };
}
