// A row of the data in cells, as a person fills it in: a number, a category or a text each; sparse rows are one text, index:value.

import { DenseMatrix, SparseBuilder } from 'perceptron-wasm';
import type { Cell, RowField, RowForm, Sample } from '../types.js';
import type { Data } from './reading.js';
import { type Input, isSparse, isTable, type Table } from './rows.js';

/** Rows that “Try a row” can begin with. */
const SAMPLES = 25;
/** Cells that all of them have, at most. */
const MOST_CELLS = 100_000;
/** Values of a category that are a list to choose from. */
const MOST_VALUES = 100;

/** How a model takes its rows: what is made of cells. It holds no data, which may be given back before the model is. */
export interface Frame {
  readonly columns: readonly Omit<RowField, 'cell'>[];
  /** One row, as `explain` takes it. */
  one(cells: readonly Cell[]): unknown;
  /** Rows, as the model takes them; to be released. */
  rows(rows: readonly (readonly Cell[])[]): Input;
}

type Columns = Frame['columns'];

export function frameOf({ X, kinds }: Data, nameOf: (index: number) => string): Frame {
  if (isTable(X)) return tableFrame(columnsOf(X, kinds ?? {}));
  if (isSparse(X)) return sparseFrame(X.cols);
  return denseFrame(Array.from({ length: X.cols }, (_, k) => ({ name: nameOf(k), kind: 'number' })));
}

/** The cells of a row of the data. */
export function cellsOf({ X, kinds = {} }: Pick<Data, 'X' | 'kinds'>): (row: number) => Cell[] {
  if (isTable(X)) {
    const used = Object.entries(X.columns).flatMap(([name, column]) => (kinds[name] === 'ignore' ? [] : [column]));
    return (row) => used.map((column) => cellOf(column[row]));
  }
  if (!isSparse(X)) return (row) => Array.from(X.row(row));
  return (row) => {
    const { indices, values } = X.row(row);
    return [Array.from(indices, (at, k) => `${at + 1}:${values[k]}`).join(' ')];
  };
}

function columnsOf({ columns }: Table, kinds: NonNullable<Data['kinds']>): Columns {
  return Object.entries(columns).flatMap(([name, column]) => {
    const kind = kinds[name];
    if (kind === undefined || kind === 'ignore') return [];
    const found = kind === 'category' ? new Set<string | number | null>(column) : new Set();
    const values = [...found].filter((value) => value !== null).map(String);
    return [{ name, kind, ...(values.length > 0 && values.length <= MOST_VALUES && { values: values.sort() }) }];
  });
}

function tableFrame(columns: Columns): Frame {
  const cellAt = (cells: readonly Cell[], k: number): Cell => cells[k] ?? null;
  return {
    columns,
    one: (cells) => Object.fromEntries(columns.map(({ name }, k) => [name, cellAt(cells, k)])),
    rows: (rows) => ({
      columns: Object.fromEntries(
        columns.map(({ name, kind }, k) => [
          name,
          kind === 'number'
            ? Float64Array.from(rows, (cells) => Number(cellAt(cells, k) ?? Number.NaN))
            : rows.map((cells) => textOf(cellAt(cells, k))),
        ]),
      ),
      rows: rows.length,
    }),
  };
}

const cellOf = (value: number | string | null | undefined): Cell =>
  value === undefined || Number.isNaN(value) ? null : value;
const textOf = (cell: Cell): string | null => (cell === null ? null : String(cell));

function denseFrame(columns: Columns): Frame {
  const cols = columns.length;
  const numbers = (cells: readonly Cell[]): Float64Array =>
    Float64Array.from({ length: cols }, (_, k) => Number(cells[k]));
  return {
    columns,
    one: numbers,
    rows(rows) {
      const X = DenseMatrix.allocate(rows.length, cols);
      rows.forEach((cells, i) => void X.data.set(numbers(cells), i * cols));
      return X;
    },
  };
}

/** @throws RangeError saying what was expected */
function sparseRow(text: string, cols: number): { indices: Uint32Array; values: Float64Array } {
  const pairs = text
    .split(/\s+/)
    .filter(Boolean)
    .map((pair) => {
      const [, index, value] = /^(\d+):([^\s:]+)$/.exec(pair) ?? [];
      const [at, number] = [Number(index), Number(value)];
      if (!(at >= 1) || !Number.isFinite(number)) throw new RangeError(`“${pair}” is no index:value, such as 12:0.5`);
      return [at - 1, number] as const;
    })
    .filter(([at]) => at < cols) // the model knows no others
    .sort(([a], [b]) => a - b);
  const twice = pairs.find(([at], k) => pairs[k + 1]?.[0] === at);
  if (twice) throw new RangeError(`index ${twice[0] + 1} is there twice`);
  return { indices: Uint32Array.from(pairs, ([at]) => at), values: Float64Array.from(pairs, ([, value]) => value) };
}

function sparseFrame(cols: number): Frame {
  const one = (cells: readonly Cell[]) => sparseRow(String(cells[0] ?? ''), cols);
  return {
    columns: [{ name: 'index:value', kind: 'text' }],
    one,
    rows(rows) {
      const builder = new SparseBuilder({ cols });
      for (const { indices, values } of rows.map(one)) builder.add(indices, values);
      return builder.finish();
    },
  };
}

/** Fields for the columns that are given, and rows to begin with: some from each stretch of the file. */
export function formOf({ columns }: Frame, shown: readonly number[], data: Pick<Data, 'X' | 'kinds' | 'y'>): RowForm {
  const { X, y } = data;
  const at = cellsOf(data);
  const count = Math.max(1, Math.min(X.rows, SAMPLES, Math.floor(MOST_CELLS / columns.length)));
  const samples = Array.from({ length: count }, (_, k): Sample => {
    // Steps that share no factor with the count: neighbours in the list lie far apart in the file.
    const row = Math.floor((((k * 7) % count) * X.rows) / count);
    return { row: row + 1, label: String(y[row]), cells: at(row) };
  });
  const fields = shown.map((cell) => ({ cell, ...(columns[cell] as Columns[number]) }));
  return { fields, columns: columns.length, samples };
}
