// Tables for tests: the same data in every form, bits of results, a plain reference.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Table as ArrowTable, vectorFromArray } from 'apache-arrow';
import type { DenseMatrix, SparseMatrix } from '../../src/index.js';
import type { Table } from '../../src/prepare/index.js';

export type Records = Record<string, unknown>[];

/** The same records as columns. */
export const asColumns = (records: Records) => ({
  columns: Object.fromEntries(namesOf(records).map((name) => [name, records.map((record) => record[name])])),
});

/** The same records as a real Arrow table; strings are dictionaries there. */
export function asArrow(records: Records): Table {
  const columns = namesOf(records).map((name) => {
    const values = records.map((record) => record[name] ?? null);
    return [name, vectorFromArray(values)] as const;
  });
  return new ArrowTable(Object.fromEntries(columns)) as unknown as Table;
}

const namesOf = (records: Records): string[] => [...new Set(records.flatMap(Object.keys))];

/** All numbers of a matrix as bits, zeros included; disposes it. */
export function bitsOf(X: DenseMatrix | SparseMatrix): { rows: number; cols: number; bits: BigUint64Array } {
  const { rows, cols } = X;
  const dense = new Float64Array(rows * cols);
  if ('data' in X) dense.set(X.data);
  else {
    for (let i = 0; i < rows; i++) {
      const { indices, values } = X.row(i);
      indices.forEach((column, k) => {
        dense[i * cols + column] = values[k]!;
      });
    }
  }
  X.dispose();
  return { rows, cols, bits: new BigUint64Array(dense.buffer) };
}

/** The rows of a matrix as lists; disposes it. */
export function rowsIn(X: DenseMatrix | SparseMatrix): number[][] {
  const { rows, cols, bits } = bitsOf(X);
  const all = Array.from(new Float64Array(bits.buffer));
  return Array.from({ length: rows }, (_, i) => all.slice(i * cols, (i + 1) * cols));
}

/** A data set of vega-datasets. */
export function vega(name: 'penguins' | 'cars' | 'movies'): Records {
  const main = createRequire(import.meta.url).resolve('vega-datasets');
  const root = main.slice(0, main.lastIndexOf('vega-datasets') + 'vega-datasets'.length);
  return JSON.parse(readFileSync(join(dirname(join(root, 'package.json')), 'data', `${name}.json`), 'utf8'));
}
