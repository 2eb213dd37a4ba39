// The format of data by its first bytes: .npy by its magic bytes, text with `index:value` as LIBSVM, other text as CSV.

import { NPY_MAGIC } from './npyheader.js';
import type { DataFormat } from './options.js';
import { beginsWith } from './text.js';

/** Bytes that the detection reads. */
const HEAD = 2 ** 16;

const PAIR = String.raw`[ \t]+(?:qid|[+-]?\d+):[^\s,;]*(?=\s|$)`;
// The pattern matches each number in one way only: with two, a regular expression would try all combinations of a long line.
const NUMBER = String.raw`[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?`;
/** A number and one index:value, or a word and two of them: a time of day alone must not match. */
const LIBSVM_LINE = new RegExp(String.raw`^\s*(?:${NUMBER}(?:,${NUMBER})*${PAIR}|[^\s:,;]+(?:${PAIR}){2})`);

/** The format of the first bytes of a file. */
export function formatOf(bytes: Uint8Array): DataFormat {
  const head = bytes.subarray(0, HEAD);
  if (beginsWith(head, NPY_MAGIC)) return 'npy';
  const lines = new TextDecoder().decode(head.slice()).split('\n');
  const told = lines.filter((line) => line.trim() !== '' && !line.trimStart().startsWith('#'));
  if (told.length === 0 && head.includes(35)) return 'libsvm'; // only comments: the LIBSVM reader says so
  return told.some((line) => LIBSVM_LINE.test(line)) ? 'libsvm' : 'csv';
}
