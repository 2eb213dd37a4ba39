// The JSON of a model file of any size. It is untrusted input: its bytes, and the memory that they take, are limited.

import { expectOptions } from '../errors.js';
import { JsonParser } from './json.js';
import { type ReadOptions, resolveOptions } from './options.js';
import { reading } from './reading.js';
import type { Source } from './source.js';
import { expectText } from './text.js';
import type { ByteWindow } from './window.js';

export interface ReadModelFileOptions extends Pick<ReadOptions, 'signal' | 'name'> {
  /**
   * Refuses files with more bytes, after decompression, and files whose numbers take more memory than this or 1 GiB, whichever is
   * more. Default 2³⁰ (1 GiB).
   */
  maxBytes?: number;
}

const MAX_BYTES = 2 ** 30;

/** The most bytes of a model in LIBLINEAR's format, which is read as one string. */
const MOST_TEXT_BYTES = 2 ** 28;

/** Fields in which lists of numbers stay arrays: options, labels, and what the command line adds. */
const UNPACKED = ['options', 'classes', 'classes_', 'data'] as const;

/**
 * The JSON of a model file, lists of numbers as Float64Arrays: `loadModel` takes it. If `takesText`, a file that does not begin like
 * JSON is returned as a string: it may be a model in LIBLINEAR's format.
 */
export async function readModelFile(
  source: Source,
  options: ReadModelFileOptions,
  takesText = false,
): Promise<unknown> {
  const { maxBytes = MAX_BYTES, ...rest } = expectOptions(options, ['maxBytes', 'signal', 'name'], 'readModel');
  const settings = resolveOptions({ ...rest, maxBytes }, 'readModel', ['maxBytes', 'signal', 'name']);
  return reading(source, settings, async (window) => {
    await expectText(window);
    const isJson = /^\s*[{[]/.test(new TextDecoder().decode(window.bytes.subarray(window.start, window.start + 256)));
    return isJson || !takesText ? readJson(window, Math.max(maxBytes, MAX_BYTES) / 8) : readText(window);
  });
}

/** The value in a window over JSON. */
export async function readJson(
  window: ByteWindow,
  mostNumbers: number,
  unpacked: readonly string[] = UNPACKED,
): Promise<unknown> {
  const parser = new JsonParser(window, mostNumbers, unpacked);
  for (;;) {
    parser.parse();
    if (window.isLast) return parser.finish();
    await window.fill();
  }
}

async function readText(window: ByteWindow): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  try {
    for (;;) {
      text += decoder.decode(window.bytes.subarray(window.start, window.end), { stream: !window.isLast });
      window.start = window.end;
      if (window.isLast) return text;
      if (text.length > MOST_TEXT_BYTES) break;
      await window.fill();
    }
  } catch (error) {
    throw error instanceof TypeError ? window.fault('this is not text in UTF-8') : error;
  }
  throw window.fault(`this is text of more than ${MOST_TEXT_BYTES} bytes`);
}
