// The scaler of a pipeline: x_k → (x_k − mean_k) / scale_k.

import { tooLarge } from '../encode/values.js';
import { countFrom, numbersFrom, oneOf, openModel, positive } from '../model/json.js';
import { countRows, isSparse, type Names, type Step, type Table, visitRow } from './tables.js';

const kindFrom = oneOf('standardize', 'centre', 'unit-ball');

/** Reads a scaler from its JSON. @throws TypeError or RangeError naming the field that is wrong */
export function scalerFrom(json: unknown): Step {
  const fields = openModel(json, ['scaler']);
  kindFrom(fields.kind, 'kind');
  const cols = countFrom(fields.cols, 'cols');
  const means = numbersFrom(fields.means, 'means', cols);
  const scales = numbersFrom(fields.scales, 'scales', cols, positive);
  return { cols, takesRows: true, apply: (X, names) => scaled(X as Table, means, scales, names) };
}

/** The scaled rows in the same storage. @throws RangeError naming a value that is too large */
function scaled(X: Table, means: Float64Array, scales: Float64Array, names: Names): Table {
  if (isSparse(X) && means.some((mean) => mean !== 0)) {
    throw new RangeError('this model subtracts means, which would fill every zero of sparse rows: pass dense rows');
  }
  const given = isSparse(X) ? X.values : X.data;
  // Float32 rows stay float32, as in the library: every value is rounded once more.
  const values = new (given.BYTES_PER_ELEMENT === 4 ? Float32Array : Float64Array)(given.length);
  for (let i = 0, at = 0; i < countRows(X); i++) {
    visitRow(X, i, (k, value) => {
      values[at] = (value - (means[k] as number)) / (scales[k] as number);
      if (!Number.isFinite(values[at])) throw tooLarge(names.value(i, k), values[at] as number);
      at++;
    });
  }
  return { ...X, [isSparse(X) ? 'values' : 'data']: values };
}
