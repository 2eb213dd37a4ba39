// The first step of a pipeline may make rows of raw values: an encoder of texts or tables.

import { RowBuffer } from '../data/entries.js';
import { tableFrom } from '../encode/table.js';
import { tableOf } from '../encode/tables.js';
import { textFrom } from '../encode/text.js';
import { mustBe } from '../errors.js';
import { ofOne, type Step, type Table, visitRow } from './tables.js';

/** `count` rows of `cols` columns, each of which `encode` appends. */
function rowsFrom(
  { cols, isSparse }: { cols: number; isSparse: boolean },
  count: number,
  encode: (i: number, row: RowBuffer) => void,
): Table {
  const row = new RowBuffer();
  const indptr = new Uint32Array(count + 1);
  for (let i = 0; i < count; i++) {
    encode(i, row);
    indptr[i + 1] = row.length;
  }
  const { columns, values, length } = row;
  const X = { values: values.subarray(0, length), indices: columns.subarray(0, length), indptr, cols };
  if (isSparse) return X;
  const data = new Float64Array(count * cols);
  for (let i = 0; i < count; i++) {
    visitRow(X, i, (column, value) => {
      data[i * cols + column] = value;
    });
  }
  return { data, rows: count, cols };
}

type ReadEncoder = (json: unknown, allowPatterns: boolean) => Step;

const textEncoder: ReadEncoder = (json, allowPatterns) => {
  const encoding = textFrom(json, '', { allowPatterns });
  const { cols } = encoding;
  return {
    cols,
    takesRows: false,
    apply(X, names) {
      const isOne = names === ofOne;
      if (!isOne && (typeof X === 'string' || !(Symbol.iterator in Object(X)))) {
        throw mustBe('X', 'an iterable of strings', X);
      }
      const texts = isOne ? [X] : Array.from(X as Iterable<unknown>);
      return rowsFrom({ cols, isSparse: true }, texts.length, (i, row) => {
        const text = texts[i];
        if (typeof text !== 'string') throw mustBe(isOne ? 'x' : `texts[${i}]`, 'a string', text);
        encoding.encode(text, row);
      });
    },
  };
};

const tableEncoder: ReadEncoder = (json, allowPatterns) => {
  const encoding = tableFrom(json, '', { allowPatterns });
  const { cols, columns } = encoding;
  return {
    cols,
    takesRows: false,
    apply(X, names) {
      const isOne = names === ofOne;
      const { rows, value } = tableOf(isOne ? [X] : X, columns);
      return rowsFrom(encoding, rows, (i, row) => encoding.encode((k) => value(i, k), isOne ? -1 : i, row));
    },
  };
};

/** By the "type" of the step. */
export const encoders: ReadonlyMap<string, ReadEncoder> = new Map([
  ['text-vectorizer', textEncoder],
  ['table-encoder', tableEncoder],
]);
