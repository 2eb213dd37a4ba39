// Data of any format: the first bytes decide which one it is.

import { show } from '../errors.js';
import type { DenseMatrix } from '../index.js';
import { get, has } from '../own.js';
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

/** Bytes that the detection reads. */
const HEAD = 2 ** 16;

const PAIR = String.raw`[ \t]+(?:qid|[+-]?\d+):[^\s,;]*(?=\s|$)`;
// The pattern matches each number in one way only: with two, a regular expression would try all combinations of a long line.
const NUMBER = String.raw`[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?`;
/** A number and one index:value, or a word and two of them: a time of day alone must not match. */
const LIBSVM_LINE = new RegExp(String.raw`^\s*(?:${NUMBER}(?:,${NUMBER})*${PAIR}|[^\s:,;]+(?:${PAIR}){2})`);

/**
 * Reads data of any format: .npy by its magic bytes, text with `index:value` as LIBSVM, other text as CSV. `format` overrides
 * the detection.
 * @throws DataError naming source, line and column
 */
export async function readData(source: Source, options: ReadOptions & { format?: DataFormat } = {}): Promise<Dataset> {
  const settings = resolveOptions(options, 'readData', [...READ_KEYS, 'format']);
  const format = get(options, 'format');
  if (format !== undefined && !FORMATS.includes(format)) {
    throw new RangeError(`"format" must be 'libsvm', 'csv' or 'npy', got ${show(format)}`);
  }
  const read = await reading(source, settings, async (window): Promise<Dataset | DenseMatrix> => {
    await window.fill();
    const found = format ?? (await detectFormat(window));
    if (found === 'npy') return readMatrix(window);
    return found === 'libsvm' ? readLibsvmFrom(window) : readCsvFrom(window);
  });
  return has(read, 'format') ? read : withLabels(read, settings);
}

async function detectFormat(window: ByteWindow): Promise<DataFormat> {
  const head = window.bytes.subarray(0, Math.min(HEAD, window.end));
  const format = formatOf(head);
  if (format !== 'npy') await expectText(window);
  return format;
}

/** The format of the first bytes of a file. For the command line. @internal */
export function formatOf(bytes: Uint8Array): DataFormat {
  const head = bytes.subarray(0, HEAD);
  if (beginsWith(head, NPY_MAGIC)) return 'npy';
  const lines = new TextDecoder().decode(head.slice()).split('\n');
  const told = lines.filter((line) => line.trim() !== '' && !line.trimStart().startsWith('#'));
  if (told.length === 0 && head.includes(35)) return 'libsvm'; // only comments: the LIBSVM reader says so
  return told.some((line) => LIBSVM_LINE.test(line)) ? 'libsvm' : 'csv';
}
