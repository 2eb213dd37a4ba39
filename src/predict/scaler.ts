// The scaler of a pipeline: x_k → (x_k − mean_k) / scale_k.

import { tooLarge } from '../encode/values.js';
import { countFrom, numbersFrom, oneOf, openModel, positive } from '../model/json.js';
import { countRows, isNarrow, isSparse, type Names, type Table, visitRow } from './tables.js';

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
  if (isSparse(X) && means.some((mean) => mean !== 0)) {
    throw new RangeError('this model subtracts means, which would fill every zero of sparse rows: pass dense rows');
  }
  const rows = countRows(X);
  // Float32 rows stay float32, as in the library: every value is rounded once more.
  const values = isSparse(X)
    ? new Float64Array(X.values.length)
    : new (isNarrow(X) ? Float32Array : Float64Array)(rows * X.cols);
  for (let i = 0, at = 0; i < rows; i++) {
    visitRow(X, i, (k, value) => {
      values[at] = (value - (means[k] as number)) / (scales[k] as number);
      if (!Number.isFinite(values[at])) throw tooLarge(names.value(i, k), values[at] as number);
      at++;
    });
  }
  return (isSparse(X) ? { ...X, values } : { ...X, data: values }) as Table;
}
