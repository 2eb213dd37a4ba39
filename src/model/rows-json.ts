// The rows of a model as JSON: all numbers of a dense row, the stored columns and values of a sparse row.

import { gather } from '../data/entries.js';
import { countKept, isKeptSparse, type KeptRows } from '../data/kept.js';
import {
  type ExactNumber,
  expectLength,
  fail,
  fieldsOf,
  isList,
  listOf,
  numbersFrom,
  type Packed,
  word,
} from './json.js';

/** A dense row, or the stored columns of a sparse row (from 0, ascending) and their values. */
export type RowJSON = ExactNumber[] | { columns: number[]; values: ExactNumber[] };

/** The rows one by one, as views: to be read once. */
export function* packedRows(kept: KeptRows): Generator<Packed<RowJSON>> {
  for (let s = 0; s < countKept(kept); s++) {
    if (isKeptSparse(kept)) {
      const [from, to] = [kept.indptr[s], kept.indptr[s + 1]];
      yield { columns: kept.indices.subarray(from, to), values: kept.values.subarray(from, to) };
    } else yield kept.data.subarray(s * kept.cols, (s + 1) * kept.cols);
  }
}

/** Checks `count` (undefined: any) rows of `cols` columns, all dense or all sparse. @throws TypeError or RangeError naming the field */
export function rowsFrom(value: unknown, path: string, count: number | undefined, cols: number): KeptRows {
  const rows = listOf(value, path, (row) => row);
  expectLength(rows, count ?? rows.length, path);
  return rows.length > 0 && !isList(rows[0]) ? sparseFrom(rows, path, cols) : denseFrom(rows, path, cols);
}

function denseFrom(rows: readonly unknown[], path: string, cols: number): KeptRows {
  // All lengths first: a short file may say any number of columns.
  rows.forEach((row, s) => {
    if (!isList(row)) fail(`${path}[${s}]`, 'an array', row);
    expectLength(row, cols, `${path}[${s}]`);
  });
  const data = new Float64Array(rows.length * cols);
  rows.forEach((row, s) => {
    data.set(numbersFrom(row, `${path}[${s}]`), s * cols);
  });
  return { data, rows: rows.length, cols };
}

const sparseFrom = (rows: readonly unknown[], path: string, cols: number): KeptRows =>
  gather({
    rows: rows.length,
    cols,
    visit(s, see) {
      const at = `${path}[${s}]`;
      const fields = fieldsOf(rows[s], at);
      const columns = ascendingFrom(fields.columns, `${at}.columns`, cols);
      const values = numbersFrom(fields.values, `${at}.values`, columns.length);
      columns.forEach((column, k) => {
        see(column, values[k] as number);
      });
    },
  });

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
