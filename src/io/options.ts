// The options of readers, and the datasets that they return.

import { expectCount, expectOptions, expectSignal, show } from '../errors.js';
import type { DenseMatrix, Dtype, Label, Labels, SparseMatrix } from '../index.js';
import type { Source } from './source.js';

/** The formats that `readData` reads. */
export type DataFormat = 'libsvm' | 'csv' | 'npy';

/** The progress of a reader. */
export interface ReadProgress {
  /** Bytes of the source read so far; compressed bytes if it is compressed. */
  bytes: number;
  /** All bytes of the source, if that is known. */
  totalBytes?: number;
  rows: number;
}

/** Options of `readCsv`, `readLibsvm`, `readNpy` and `readData`. */
export interface ReadOptions {
  /**
   * The number of columns of a model. LIBSVM: missing columns are 0, values beyond are left out and counted. CSV (without the
   * columns of `ignore`) and .npy must have exactly as many.
   */
  cols?: number;
  /** CSV: the label column, by name or by index (from 0; negative from the end); null: there is none. Default: detected. */
  label?: string | number | null;
  /** CSV: whether the first row has the names of the columns. Default: detected. */
  header?: boolean;
  /** CSV: columns to leave out, such as IDs, by name or by index (from 0; negative from the end). Default: none. */
  ignore?: readonly (string | number)[];
  /**
   * .npy: the labels: an .npy of one dimension, text with one label a line, or an array. A Uint8Array is read as a file if it
   * begins like one, or if its length is not the number of rows; else its entries are the labels.
   */
  labels?: Source | Labels;
  /** Refuses data with more columns. Default 2²⁴. */
  maxCols?: number;
  /** Refuses sources with more bytes, after decompression. Default Infinity. */
  maxBytes?: number;
  /** Ends reading with the signal's reason. */
  signal?: AbortSignal;
  /**
   * LIBSVM and CSV: how many worker threads may read at the same time; results do not depend on it. 1: none. Default 'auto': for
   * sources of 16 MiB and more as many as there are processors, at most 8.
   */
  threads?: number | 'auto';
  /** What errors call the source. Default: its path, address or file name, or '<input>'. */
  name?: string;
  /** Called at most 20 times a second, and at the end. */
  onProgress?: (progress: ReadProgress) => void;
}

/** Rows and labels that a reader returns. */
export interface Dataset<L extends Label = Label> {
  /** Integers (dtype 'uint8', 'int8', 'int16') only from a .npy of u1, i1 or i2. */
  X: DenseMatrix<Dtype> | SparseMatrix;
  /** Numbers if all labels are numbers, else strings; booleans from a bool .npy. Empty if there are no labels. */
  y: L[];
  featureNames?: string[];
  /** LIBSVM: how many values in columns beyond `cols` were left out. */
  ignored?: number;
  /** CSV: the label column, and why it was chosen. */
  label?: { index: number; name?: string; reason: string };
  format: DataFormat;
  /** CSV: the character between fields. */
  delimiter?: ',' | '\t' | ';';
  /** CSV: remarks on what may be an error in the file, a sentence each. */
  notes?: readonly string[];
}

export const READ_KEYS = [
  'cols',
  'label',
  'header',
  'ignore',
  'labels',
  'maxCols',
  'maxBytes',
  'signal',
  'threads',
  'name',
  'onProgress',
] as const;

/** Options with their defaults. */
export interface Settings {
  readonly cols: number | undefined;
  readonly label: string | number | null | undefined;
  readonly header: boolean | undefined;
  readonly ignore: readonly (string | number)[];
  readonly labels: Source | Labels | undefined;
  readonly maxCols: number;
  readonly maxBytes: number;
  readonly signal: AbortSignal | undefined;
  readonly threads: number | 'auto';
  readonly name: string | undefined;
  readonly onProgress: ((progress: ReadProgress) => void) | undefined;
}

const isColumn = (value: unknown): boolean => typeof value === 'string' || Number.isInteger(value);

/** Checks options. @throws TypeError or RangeError naming the option */
export function resolveOptions(options: ReadOptions, where: string, known: readonly string[] = READ_KEYS): Settings {
  options = expectOptions(options, known, where);
  const {
    cols,
    label,
    header,
    ignore = [],
    labels,
    maxCols = 2 ** 24,
    maxBytes = Infinity,
    signal,
    threads = 'auto',
    name,
    onProgress,
  } = options;
  if (cols !== undefined) expectCount(cols, 1, '"cols"');
  expectCount(maxCols, 1, '"maxCols"');
  if (!(typeof maxBytes === 'number' && maxBytes >= 1)) {
    const Wrong = typeof maxBytes === 'number' ? RangeError : TypeError;
    throw new Wrong(`"maxBytes" must be a number of at least 1, got ${show(maxBytes)}`);
  }
  if (!(label === undefined || label === null || isColumn(label))) {
    throw new TypeError(`"label" must be a column's name or index, or null, got ${show(label)}`);
  }
  if (header !== undefined && typeof header !== 'boolean') {
    throw new TypeError(`"header" must be true or false, got ${show(header)}`);
  }
  if (!Array.isArray(ignore)) {
    throw new TypeError(`"ignore" must be an array of columns' names or indices, got ${show(ignore)}`);
  }
  const odd = ignore.findIndex((column) => !isColumn(column));
  if (odd >= 0) throw new TypeError(`"ignore"[${odd}] must be a column's name or index, got ${show(ignore[odd])}`);
  if (name !== undefined && typeof name !== 'string') throw new TypeError(`"name" must be a string, got ${show(name)}`);
  if (onProgress !== undefined && typeof onProgress !== 'function') {
    throw new TypeError(`"onProgress" must be a function, got ${show(onProgress)}`);
  }
  expectSignal(signal);
  if (threads !== 'auto' && !(Number.isInteger(threads) && threads >= 1)) {
    throw new RangeError(`"threads" must be 'auto' or an integer of at least 1, got ${show(threads)}`);
  }
  return Object.freeze({
    cols,
    label,
    header,
    ignore: [...ignore],
    labels,
    maxCols,
    maxBytes,
    signal,
    threads,
    name,
    onProgress,
  });
}

/** Text files contain their labels. @throws RangeError if the "labels" option is given */
export function refuseLabels({ labels }: Settings, format: string, where: string): void {
  if (labels !== undefined) {
    throw new RangeError(`"labels" is for .npy only: ${format} has its labels ${where}`);
  }
}

/** Only CSV has columns to leave out. @throws RangeError if the "ignore" option is given */
export function refuseIgnore({ ignore }: Settings, format: string): void {
  if (ignore.length > 0) throw new RangeError(`"ignore" is for CSV only: all columns of ${format} are read`);
}
