// Blocks: whole lines of text for worker threads, and what the threads make of them.

import type { Layout } from './layout.js';
import type { Settings } from './options.js';

/** Bytes `start` … `end` − 1; a line feed follows, or another byte that is no part of a number. */
export interface Block {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/** The first message to a worker: what all blocks have in common. */
export interface Work {
  readonly settings: Settings;
  /** The layout of CSV; undefined: the text is LIBSVM. */
  readonly layout: Layout | undefined;
}

/** Rows of LIBSVM. */
export interface SparseRows {
  readonly labels: Float64Array;
  /** How many entries each row has. */
  readonly lengths: Uint32Array;
  readonly columns: Uint32Array;
  readonly values: Float64Array;
  readonly ignored: number;
}

/** Rows of CSV: their features row by row, the different labels, and the number of its label for each row. */
export interface DenseRows {
  readonly values: Float64Array;
  readonly texts: readonly string[];
  readonly codes: Float64Array;
}

/** The answer to a block. */
export interface BlockResult<Rows> {
  /** The block, so that its memory can be used again. */
  readonly block: Block;
  /** Undefined if something in it is wrong, or it does not end where a row ends. */
  readonly rows: Rows | undefined;
  readonly rowCount: number;
  readonly lineCount: number;
}
