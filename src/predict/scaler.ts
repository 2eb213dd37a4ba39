// The scaler of a pipeline: x_k → (x_k − mean_k) / scale_k.

import { tooLarge } from '../encode/values.js';
import { countFrom, numbersFrom, oneOf, openModel, positive } from '../model/json.js';
import { isSparse, type Names, type SparseTable, type Table } from './tables.js';

export interface Scales {
  readonly cols: number;
  readonly means: Float64Array;
  readonly scales: Float64Array;
}

const kindFrom = oneOf('standardize', 'centre', 'unit-ball');

/** Reads a scaler from its JSON. @throws TypeError or RangeError naming the field that is wrong */
export function scalerFrom(json: unknown): Scales {
  const fields = openModel(json, ['scaler']);
  kindFrom(fields.kind, 'kind');
  const cols = countFrom(fields.cols, 'cols');
  const means = numbersFrom(fields.means, 'means', cols);
  return { cols, means, scales: numbersFrom(fields.scales, 'scales', cols, positive) };
}

/** The scaled rows in the same storage. @throws RangeError naming a value that is too large */
export function scaled(X: Table, { means, scales }: Scales, names: Names): Table {
  const { cols } = X;
  if (isSparse(X)) return scaledSparse(X, means, scales, names);
  // Float32 rows stay float32, as in the library: every value is rounded once more.
  const data = new (X.data.BYTES_PER_ELEMENT === 4 ? Float32Array : Float64Array)(X.rows * cols);
  for (let i = 0, at = 0; i < X.rows; i++) {
    for (let k = 0; k < cols; k++, at++) {
      data[at] = ((X.data[at] as number) - (means[k] as number)) / (scales[k] as number);
      if (!Number.isFinite(data[at])) throw tooLarge(names.value(i, k), data[at] as number);
    }
  }
  return { data, rows: X.rows, cols };
}

function scaledSparse(X: SparseTable, means: Float64Array, scales: Float64Array, names: Names): SparseTable {
  if (means.some((mean) => mean !== 0)) {
    throw new RangeError('this model subtracts means, which would fill every zero of sparse rows: pass dense rows');
  }
  const { indices, indptr, cols } = X;
  const values = X.values.map((value, k) => value / (scales[indices[k] as number] as number));
  const bad = values.findIndex((value) => !Number.isFinite(value));
  if (bad >= 0) {
    const i = indptr.findIndex((end) => end > bad) - 1;
    throw tooLarge(names.value(i, indices[bad] as number), values[bad] as number);
  }
  return { values, indices, indptr, cols };
}
