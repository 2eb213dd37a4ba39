// Data of any format: which one it is, its first bytes tell.

import { show } from '../errors.js';
import type { DenseMatrix } from '../index.js';
import { readCsvFrom } from './csv.js';
import { readLibsvmFrom } from './libsvm.js';
import { readMatrix, withLabels } from './npy.js';
import { NPY_MAGIC } from './npyheader.js';
import { type DataFormat, type Dataset, READ_KEYS, type ReadOptions, resolveOptions } from './options.js';
import { reading } from './reading.js';
import type { Source } from './source.js';
import { beginsWith, expectText } from './text.js';
import type { ByteWindow } from './window.js';

const FORMATS: readonly DataFormat[] = ['libsvm', 'csv', 'npy'];

/** Bytes that are looked at. */
const HEAD = 2 ** 16;

const PAIR = String.raw`[ \t]+(?:qid|[+-]?\d+):[^\s,;]*(?=\s|$)`;
// One way to read each number: with two, a line of many would be tried in all combinations.
const NUMBER = String.raw`[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?`;
/** A number and index:value, or any word and two of those: a time of day is not enough. */
const LIBSVM_LINE = new RegExp(String.raw`^\s*(?:${NUMBER}(?:,${NUMBER})*${PAIR}|[^\s:,;]+(?:${PAIR}){2})`);

/**
 * Reads data of any of the formats: .npy by its magic, text with `index:value` as LIBSVM, other text as CSV. `format` says which
 * one it is where that is known.
 * @throws DataError naming source, line and column
 */
export async function readData(source: Source, options: ReadOptions & { format?: DataFormat } = {}): Promise<Dataset> {
  const settings = resolveOptions(options, 'readData', [...READ_KEYS, 'format']);
  const { format } = options;
  if (format !== undefined && !FORMATS.includes(format)) {
    throw new RangeError(`"format" must be 'libsvm', 'csv' or 'npy', got ${show(format)}`);
  }
  const read = await reading(source, settings, async (window): Promise<Dataset | DenseMatrix> => {
    await window.fill();
    const found = format ?? (await detectFormat(window));
    if (found === 'npy') return readMatrix(window);
    return found === 'libsvm' ? readLibsvmFrom(window) : readCsvFrom(window);
  });
  return 'format' in read ? read : withLabels(read, settings);
}

/** The format that the first lines are of. */
async function detectFormat(window: ByteWindow): Promise<DataFormat> {
  const head = window.bytes.subarray(0, Math.min(HEAD, window.end));
  if (beginsWith(head, NPY_MAGIC)) return 'npy';
  await expectText(window);
  const lines = new TextDecoder().decode(head.slice()).split('\n');
  const told = lines.filter((line) => line.trim() !== '' && !line.trimStart().startsWith('#'));
  if (told.length === 0 && head.includes(35)) return 'libsvm'; // comments only: it says so
  return told.some((line) => LIBSVM_LINE.test(line)) ? 'libsvm' : 'csv';
}
