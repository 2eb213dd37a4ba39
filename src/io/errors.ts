// DataError: the source, the place in it, what was expected and what came.

import { quoted, visible } from '../escape.js';
import { own } from '../own.js';

/** A place in a source. Lines and columns count from 1. */
export interface Place {
  source: string;
  line?: number | undefined;
  column?: number | undefined;
  cause?: unknown;
}

/**
 * Data that cannot be read. The message names the place: "agaricus.txt:17:9: expected …, got …".
 * @throws Nothing: it is itself what the readers throw
 *
 * @example
 * const text = new TextEncoder().encode('a,b\n1,2\n3\n');
 * const error = await readCsv(text).catch((error) => error);
 * console.log(error instanceof DataError, error.line); // → true 3
 */
export class DataError extends Error {
  /** Survives minification: consoles and messages show it. */
  static override readonly name = 'DataError';
  /** 'DataError'. */
  override name = 'DataError';
  /** The path, address or name of what was read. */
  readonly source: string;
  /** The line, from 1; text only. */
  declare readonly line?: number;
  /** The column in characters, from 1; text only. */
  declare readonly column?: number;

  constructor(message: string, place: Place) {
    const { source, line, column, cause } = own(place);
    const where = [source, line, column].filter((part) => part !== undefined).join(':');
    super(visible(`${where}: ${message}`), cause === undefined ? {} : { cause });
    this.source = source;
    if (line !== undefined) this.line = line;
    if (column !== undefined) this.column = column;
  }
}

/** Characters of a field that a message shows. */
const SHOWN = 40;

/** Bytes as text in quotes for a message: cut if long, with escapes for unprintable characters. */
export function showBytes(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes.slice(0, 4 * SHOWN));
  const isCut = text.length > SHOWN || bytes.length > 4 * SHOWN;
  const start = isCut ? `${text.slice(0, SHOWN - 3)}...` : text;
  return quoted(start);
}
