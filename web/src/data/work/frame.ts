// A row of the data in cells, as a person fills it in: a number, a category or a text each; sparse rows are one text, index:value.

import { DenseMatrix, type Label, SparseBuilder } from 'perceptron-wasm';
import type { Cell, RowField, RowForm, Sample } from '../types.js';
import type { Data } from './reading.js';
import { type Input, isSparse, isTable } from './rows.js';

/** Rows that “Try a row” can begin with. */
const SAMPLES = 25;
/** Values of a category that are a list to choose from. */
const MOST_VALUES = 100;

export interface Frame {
  readonly columns: readonly Omit<RowField, 'cell'>[];
  /** The cells of a row of the data. */
  cellsOf(row: number): Cell[];
  /** One row, as `explain` takes it. */
  one(cells: readonly Cell[]): unknown;
  /** Rows, as the model takes them; to be released. */
  rows(rows: readonly (readonly Cell[])[]): Input;
}

export function frameOf({ X, kinds }: Data, nameOf: (index: number) => string): Frame {
  if (isTable(X)) return tableFrame(X.columns, kinds ?? {});
  return isSparse(X) ? sparseFrame(X.cols, (row) => X.row(row)) : denseFrame(X.cols, (row) => X.row(row), nameOf);
}

function tableFrame(all: Extract<Input, { columns: object }>['columns'], kinds: NonNullable<Data['kinds']>): Frame {
  const used = Object.entries(all).filter(([name]) => kinds[name] !== 'ignore');
  const valueAt = (cells: readonly Cell[], k: number): Cell => cells[k] ?? null;
  return {
    columns: used.map(([name, column]) => {
      const kind = kinds[name] as RowField['kind'];
      const values =
        kind === 'category' &&
        [...new Set<string | number | null>(column)].filter((value) => value !== null).map(String);
      return { name, kind, ...(values && values.length <= MOST_VALUES && { values: values.sort() }) };
    }),
    cellsOf: (row) => used.map(([, column]) => cellOf(column[row])),
    one: (cells) => Object.fromEntries(used.map(([name], k) => [name, valueAt(cells, k)])),
    rows: (rows) => ({
      columns: Object.fromEntries(
        used.map(([name, column], k) => [
          name,
          column instanceof Float64Array
            ? Float64Array.from(rows, (cells) => Number(valueAt(cells, k) ?? Number.NaN))
            : rows.map((cells) => textOf(valueAt(cells, k))),
        ]),
      ),
      rows: rows.length,
    }),
  };
}

const cellOf = (value: number | string | null | undefined): Cell =>
  value === undefined || Number.isNaN(value) ? null : value;
const textOf = (cell: Cell): string | null => (cell === null ? null : String(cell));

function denseFrame(cols: number, rowAt: (row: number) => ArrayLike<number>, nameOf: (index: number) => string): Frame {
  const numbers = (cells: readonly Cell[]): Float64Array =>
    Float64Array.from({ length: cols }, (_, k) => Number(cells[k]));
  return {
    columns: Array.from({ length: cols }, (_, k) => ({ name: nameOf(k), kind: 'number' })),
    cellsOf: (row) => Array.from(rowAt(row)),
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

function sparseFrame(
  cols: number,
  rowAt: (row: number) => { indices: ArrayLike<number>; values: ArrayLike<number> },
): Frame {
  const one = (cells: readonly Cell[]) => sparseRow(String(cells[0] ?? ''), cols);
  return {
    columns: [{ name: 'index:value', kind: 'text' }],
    cellsOf(row) {
      const { indices, values } = rowAt(row);
      return [Array.from(indices, (at, k) => `${at + 1}:${values[k]}`).join(' ')];
    },
    one,
    rows(rows) {
      const builder = new SparseBuilder({ cols });
      for (const { indices, values } of rows.map(one)) builder.add(indices, values);
      return builder.finish();
    },
  };
}

/** Fields for the columns that are given, and rows to begin with: some from each stretch of the file. */
export function formOf(frame: Frame, shown: readonly number[], rows: number, y: readonly Label[]): RowForm {
  const count = Math.min(rows, SAMPLES);
  const samples = Array.from({ length: count }, (_, k): Sample => {
    // Steps that share no factor with the count: neighbours in the list lie far apart in the file.
    const row = Math.floor((((k * 7) % count) * rows) / count);
    return { row: row + 1, label: String(y[row]), cells: frame.cellsOf(row) };
  });
  const fields = shown.map((cell) => ({ cell, ...(frame.columns[cell] as Frame['columns'][number]) }));
  return { fields, columns: frame.columns.length, samples };
}
