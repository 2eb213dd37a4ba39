// The rows of a model as JSON: all numbers of a dense row, the stored columns and values of a sparse row.

import { countKept, isKeptSparse, type KeptRows, visitKept } from '../data/kept.js';
import { type ExactNumber, exact, exactNumber, expectLength, fail, fieldsOf, listOf, word } from './json.js';

/** A dense row, or the stored columns of a sparse row (from 0, ascending) and their values. */
export type RowJSON = ExactNumber[] | { columns: number[]; values: ExactNumber[] };

export function rowsToJSON(kept: KeptRows): RowJSON[] {
  return Array.from({ length: countKept(kept) }, (_, s) => {
    const columns: number[] = [];
    const values: ExactNumber[] = [];
    visitKept(kept, s, (column, value) => {
      columns.push(column);
      values.push(exact(value));
    });
    return isKeptSparse(kept) ? { columns, values } : values;
  });
}

/** Checks `count` rows of `cols` columns, all dense or all sparse. @throws TypeError or RangeError naming the field */
export function rowsFrom(value: unknown, path: string, count: number, cols: number): KeptRows {
  const rows = listOf(value, path, (row) => row);
  expectLength(rows, count, path);
  return rows.length > 0 && !Array.isArray(rows[0]) ? sparseFrom(rows, path, cols) : denseFrom(rows, path, cols);
}

function denseFrom(rows: readonly unknown[], path: string, cols: number): KeptRows {
  const lists = rows.map((row, s) => {
    const values = listOf(row, `${path}[${s}]`, exactNumber);
    expectLength(values, cols, `${path}[${s}]`);
    return values;
  });
  const data = new Float64Array(rows.length * cols);
  lists.forEach((list, s) => {
    data.set(list, s * cols);
  });
  return { data, rows: rows.length, cols };
}

function sparseFrom(rows: readonly unknown[], path: string, cols: number): KeptRows {
  const lists = rows.map((row, s) => {
    const at = `${path}[${s}]`;
    const fields = fieldsOf(row, at);
    const columns = ascendingFrom(fields.columns, `${at}.columns`, cols);
    const values = listOf(fields.values, `${at}.values`, exactNumber);
    expectLength(values, columns.length, `${at}.values`);
    return { columns, values };
  });
  const indptr = new Uint32Array(rows.length + 1);
  lists.forEach(({ values }, s) => {
    indptr[s + 1] = (indptr[s] as number) + values.length;
  });
  const total = indptr[rows.length] as number;
  const [indices, values] = [new Uint32Array(total), new Float64Array(total)];
  lists.forEach((list, s) => {
    indices.set(list.columns, indptr[s]);
    values.set(list.values, indptr[s]);
  });
  return { values, indices, indptr, cols };
}

/** Checks ascending integers below a limit. @throws TypeError or RangeError naming the field */
export function ascendingFrom(value: unknown, path: string, below: number): Uint32Array {
  const list = listOf(value, path, word);
  list.forEach((index, k) => {
    const after = k === 0 ? -1 : (list[k - 1] as number);
    if (index <= after || index >= below) {
      fail(`${path}[${k}]`, `an integer above ${after} and below ${below}`, index, 'number');
    }
  });
  return Uint32Array.from(list);
}
