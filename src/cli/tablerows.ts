// Some rows of a table: the folds of a cross-validation, the blocks of a prediction.

/** A column as readTable gives it: NaN and null are missing. */
export type Column = Float64Array | readonly (string | null)[];

/** A table for TableEncoder: columns by name, all of the same length. */
export interface TableRows {
  readonly columns: Readonly<Record<string, Column>>;
  readonly rows: number;
}

const mapped = (table: TableRows, rows: number, of: (column: Column) => Column): TableRows => ({
  columns: Object.fromEntries(Object.entries(table.columns).map(([name, column]) => [name, of(column)])),
  rows,
});

/** A table of these rows. */
export const takeTable = (table: TableRows, rows: Uint32Array): TableRows =>
  mapped(table, rows.length, (column) =>
    column instanceof Float64Array
      ? Float64Array.from(rows, (i) => column[i] as number)
      : Array.from(rows, (i) => column[i] as string | null),
  );

/** A table of the rows start … end − 1. */
export function sliceTable(table: TableRows, start: number, end: number): TableRows {
  if (start === 0 && end === table.rows) return table;
  return mapped(table, end - start, (column) =>
    column instanceof Float64Array ? column.subarray(start, end) : column.slice(start, end),
  );
}
