// What a reader is told, and what it gives.

import { expectCount, expectOptions, expectSignal, show } from '../errors.js';
import type { DenseMatrix, Label, Labels, SparseMatrix } from '../index.js';
import type { Source } from './source.js';

export type DataFormat = 'libsvm' | 'csv' | 'npy';

/** How far a reader is. */
export interface ReadProgress {
  /** Bytes of the source as it is stored, so compressed ones if it is compressed. */
  bytes: number;
  /** All of them, where that is known. */
  totalBytes?: number;
  rows: number;
}

export interface ReadOptions {
  /**
   * The columns a model has. LIBSVM: missing ones are 0, values beyond are left out and counted; CSV (without those of `ignore`)
   * and .npy must have as many.
   */
  cols?: number;
  /** CSV: the label column, by name or by index (from 0; negative from the end); null: there is none. Default: detected. */
  label?: string | number | null;
  /** CSV: whether the first row has the names of the columns. Default: detected. */
  header?: boolean;
  /** CSV: columns that are left out, by name or by index (from 0; negative from the end), such as one of IDs. Default: none. */
  ignore?: readonly (string | number)[];
  /**
   * .npy: where the labels are. An .npy of one dimension, text with one label a line, or an array. A Uint8Array is a file's bytes
   * if it begins like a file or has not as many entries as there are rows, else the labels themselves.
   */
  labels?: Source | Labels;
  /** Refuses data with more columns. Default 2²⁴. */
  maxCols?: number;
  /** Refuses sources with more bytes, after decompression. Default Infinity. */
  maxBytes?: number;
  /** Ends reading with the signal's reason. */
  signal?: AbortSignal;
  /** What errors call the source. Default: its path, address or file name, or '<input>'. */
  name?: string;
  /** Called at most 20 times a second, and at the end. */
  onProgress?: (progress: ReadProgress) => void;
}

/** Rows and labels as read from somewhere. */
export interface Dataset<L extends Label = Label> {
  X: DenseMatrix | SparseMatrix;
  /** Numbers if all labels are, else strings; booleans of a bool .npy. Empty if there are none. */
  y: L[];
  featureNames?: string[];
  /** LIBSVM: values in columns beyond `cols`, which were left out. */
  ignored?: number;
  /** CSV: which column the labels are from, and why. */
  label?: { index: number; name?: string; reason: string };
  format: DataFormat;
  /** CSV: what stood between the fields. */
  delimiter?: ',' | '\t' | ';';
  /** CSV: what was read as it stands, but looks like a mistake, a sentence each. */
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
  readonly name: string | undefined;
  readonly onProgress: ((progress: ReadProgress) => void) | undefined;
}

const isColumn = (value: unknown): boolean => typeof value === 'string' || Number.isInteger(value);

/** Checks options. @throws TypeError or RangeError naming the option */
export function resolveOptions(options: ReadOptions, where: string, known: readonly string[] = READ_KEYS): Settings {
  expectOptions(options, known, where);
  const {
    cols,
    label,
    header,
    ignore = [],
    labels,
    maxCols = 2 ** 24,
    maxBytes = Infinity,
    signal,
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
  return Object.freeze({
    cols,
    label,
    header,
    ignore: [...ignore],
    labels,
    maxCols,
    maxBytes,
    signal,
    name,
    onProgress,
  });
}

/** Labels of text files stand in them. @throws RangeError */
export function refuseLabels({ labels }: Settings, format: string, where: string): void {
  if (labels !== undefined) {
    throw new RangeError(`"labels" goes with .npy: ${format} has its labels ${where}`);
  }
}

/** Only CSV has columns to leave out. @throws RangeError */
export function refuseIgnore({ ignore }: Settings, format: string): void {
  if (ignore.length > 0) throw new RangeError(`"ignore" goes with CSV: of ${format} all columns are read`);
}
