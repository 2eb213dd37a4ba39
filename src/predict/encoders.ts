// The steps of a pipeline: Scalers, and as the first one an encoder of texts or tables, which makes rows of raw values.

import { RowBuffer } from '../data/entries.js';
import { tableFrom } from '../encode/table.js';
import { recordOf, tableOf } from '../encode/tables.js';
import { textFrom } from '../encode/text.js';
import { show } from '../errors.js';
import { fail, fieldsOf } from '../model/json.js';
import { has } from '../own.js';
import { type Scales, scalerFrom } from './scaler.js';
import type { Table } from './tables.js';

/** Makes rows of raw values. */
export interface Encoder {
  /** The columns of a row. */
  readonly cols: number;
  many(X: unknown): Table;
  one(x: unknown): Table;
}

export const isEncoder = (step: Encoder | Scales): step is Encoder => has(step, 'many');

type EncodeRow = (i: number, row: RowBuffer) => void;

/** Rows in one piece: `count` of them, or until `encode` says that there is none. */
function rowsFrom(cols: number, isSparse: boolean, count: number, encode: EncodeRow): Table {
  const row = new RowBuffer();
  const indptr = new Uint32Array(count + 1);
  for (let i = 0; i < count; i++) {
    encode(i, row);
    indptr[i + 1] = row.length;
  }
  const { columns, values, length } = row;
  if (isSparse) return { values: values.subarray(0, length), indices: columns.subarray(0, length), indptr, cols };
  const data = new Float64Array(count * cols);
  for (let i = 0, k = 0; i < count; i++) {
    for (; k < (indptr[i + 1] as number); k++) data[i * cols + (columns[k] as number)] = values[k] as number;
  }
  return { data, rows: count, cols };
}

const readers: Readonly<Record<string, (json: unknown, allowPatterns: boolean) => Encoder>> = {
  'text-vectorizer'(json, allowPatterns) {
    const encoding = textFrom(json, '', { allowPatterns });
    const { cols } = encoding;
    const encode = (text: unknown, name: string, row: RowBuffer) => {
      if (typeof text !== 'string') throw new TypeError(`${name} must be a string, got ${show(text)}`);
      encoding.encode(text, row);
    };
    return {
      cols,
      many(X) {
        if (typeof X !== 'object' || X === null || !(Symbol.iterator in X)) {
          throw new TypeError(`X must be an iterable of strings, got ${show(X)}`);
        }
        const texts = Array.from(X as Iterable<unknown>);
        return rowsFrom(cols, true, texts.length, (i, row) => encode(texts[i], `texts[${i}]`, row));
      },
      one: (x) => rowsFrom(cols, true, 1, (_, row) => encode(x, 'x', row)),
    };
  },
  'table-encoder'(json, allowPatterns) {
    const encoding = tableFrom(json, '', { allowPatterns });
    const { cols, isSparse, columns } = encoding;
    return {
      cols,
      many(X) {
        const isNothing = Array.isArray(X) && X.length === 0;
        const { rows, value } = isNothing ? { rows: 0, value: () => {} } : tableOf(X, columns);
        let at = 0;
        const valueAt = (k: number) => value(at, k);
        return rowsFrom(cols, isSparse, rows, (i, row) => {
          at = i;
          encoding.encode(valueAt, i, row);
        });
      },
      one: (x) => rowsFrom(cols, isSparse, 1, (_, row) => encoding.encode(recordOf(x, columns), -1, row)),
    };
  },
};

/** Step k of a pipeline. @throws TypeError or RangeError naming the field that is wrong */
export function stepFrom(json: unknown, k: number, allowPatterns: boolean): Encoder | Scales {
  const { type } = fieldsOf(json, 'the step');
  const read = k === 0 && typeof type === 'string' && Object.hasOwn(readers, type) ? readers[type] : undefined;
  if (read) return read(json, allowPatterns);
  if (k > 0 || type === 'scaler') return scalerFrom(json);
  return fail('type', ['"scaler"', ...Object.keys(readers).map(show)].join(' or '), type, 'string');
}
