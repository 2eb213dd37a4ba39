// Data of any format: the first bytes decide which one it is.

import { show } from '../errors.js';
import type { DenseMatrix, Dtype } from '../index.js';
import { get, has } from '../own.js';
import { readCsvFrom } from './csv.js';
import { formatOf } from './format.js';
import { readLibsvmFrom } from './libsvm.js';
import { readMatrix, withLabels } from './npy.js';
import { type DataFormat, type Dataset, READ_KEYS, type ReadOptions, resolveOptions } from './options.js';
import { reading } from './reading.js';
import type { Source } from './source.js';
import { expectText } from './text.js';
import type { ByteWindow } from './window.js';

const FORMATS: readonly DataFormat[] = ['libsvm', 'csv', 'npy'];

/**
 * Reads data of any format: .npy by its magic bytes, text with `index:value` as LIBSVM, other text as CSV. `format` overrides
 * the detection.
 * @throws DataError naming source, line and column; TypeError or RangeError naming the option
 *
 * @example
 * const { X, y } = await readData(new TextEncoder().encode('+1 3:1 7:2\n-1 4:1\n'));
 * console.log(X.rows, X.cols, y); // → 2 7 [ 1, -1 ]
 */
export async function readData(source: Source, options: ReadOptions & { format?: DataFormat } = {}): Promise<Dataset> {
  const settings = resolveOptions(options, 'readData', [...READ_KEYS, 'format']);
  const format = get(options, 'format');
  if (format !== undefined && !FORMATS.includes(format)) {
    throw new RangeError(`"format" must be 'libsvm', 'csv' or 'npy', got ${show(format)}`);
  }
  const read = await reading(source, settings, async (window): Promise<Dataset | DenseMatrix<Dtype>> => {
    await window.fill();
    const found = format ?? (await detectFormat(window));
    if (found === 'npy') return readMatrix(window);
    return found === 'libsvm' ? readLibsvmFrom(window) : readCsvFrom(window);
  });
  return has(read, 'format') ? read : withLabels(read, settings);
}

async function detectFormat(window: ByteWindow): Promise<DataFormat> {
  const format = formatOf(window.bytes.subarray(0, window.end));
  if (format !== 'npy') await expectText(window);
  return format;
}
