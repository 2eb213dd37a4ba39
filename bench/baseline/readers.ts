// Files as a JavaScript programmer reads them who needs it done by noon: the whole file as a string, split into lines, lines
// into fields. Nothing is checked. Nobody tunes this file for or against us: bytes instead of strings are what we sell.
// A file above 512 MB is not to be read this way: strings cannot be longer.

import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Csr } from './sparse.js';

/** The text of a file; of one that ends with .gz, unpacked. */
function textOf(path: string): string {
  const bytes = readFileSync(path);
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
}

/** LIBSVM lines, `LABEL COLUMN:VALUE …`, columns from 1. */
export function readLibsvm(path: string): Csr & { y: number[] } {
  const y: number[] = [];
  const values: number[] = [];
  const indices: number[] = [];
  const indptr = [0];
  let cols = 0;
  for (const line of textOf(path).split('\n')) {
    if (line === '') continue;
    const [label, ...entries] = line.split(' ');
    y.push(Number(label));
    for (const entry of entries) {
      const [column, value] = entry.split(':') as [string, string];
      indices.push(Number(column) - 1);
      values.push(parseFloat(value));
    }
    indptr.push(values.length);
    cols = Math.max(cols, (indices.at(-1) ?? -1) + 1);
  }
  return {
    values: Float64Array.from(values),
    indices: Uint32Array.from(indices),
    indptr: Uint32Array.from(indptr),
    cols,
    y,
  };
}

export interface Table {
  data: Float64Array;
  rows: number;
  cols: number;
  y: string[];
}

/** CSV with a header and the label in the last column. */
export function readCsv(path: string): Table {
  const [header, ...lines] = textOf(path).trimEnd().split('\n') as [string, ...string[]];
  const cols = header.split(',').length - 1;
  const data = new Float64Array(lines.length * cols);
  const y: string[] = [];
  lines.forEach((line, i) => {
    const fields = line.split(',');
    for (let k = 0; k < cols; k++) data[i * cols + k] = parseFloat(fields[k] as string);
    y.push(fields[cols] as string);
  });
  return { data, rows: lines.length, cols, y };
}
