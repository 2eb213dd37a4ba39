// The first lines of a file, read before the rest: are they numbers, is there a label?

import { type Dataset, formatOf, type ReadOptions, readCsv } from '../io/index.js';
import type { DataOptions } from './data.js';
import type { Input } from './source.js';

/** The options for the columns of a CSV file. */
export type LayoutOptions = Pick<DataOptions, 'ignore' | 'header'>;

export const layoutOptions = ({ ignore = [], header }: LayoutOptions): Pick<ReadOptions, 'ignore' | 'header'> => ({
  ...(ignore.length > 0 && { ignore }),
  ...(header !== undefined && { header: header === 'yes' }),
});

interface Tried {
  readonly label: Dataset['label'];
  readonly cols: number;
  readonly names: readonly string[] | undefined;
  /** Whether the labels are words. */
  readonly isWord: boolean;
}

export async function tried(lines: Uint8Array, options: ReadOptions): Promise<Tried | undefined> {
  try {
    const { X, y, label, featureNames } = await readCsv(lines, options);
    const { cols } = X;
    X.dispose();
    return { label, cols, names: featureNames, isWord: typeof y[0] === 'string' };
  } catch {
    return undefined;
  }
}

export function wholeLines(head: Uint8Array): Uint8Array {
  const end = head.lastIndexOf(10);
  return end < 0 ? head : head.subarray(0, end + 1);
}

/**
 * What the first lines of a file are: numbers of a CSV file, a CSV file with words or gaps among its features, or another format.
 * A web address is not read for this: its rows may be numbers.
 */
export async function probe({ head }: Input, options: DataOptions): Promise<'numbers' | 'table' | 'other'> {
  const { format, labels, label } = options;
  if (labels !== undefined || (format !== undefined && format !== 'csv')) return 'other';
  if (!head) return 'numbers';
  if (format === undefined && formatOf(head) !== 'csv') return 'other';
  const asked = { ...layoutOptions(options), ...(label !== undefined && { label }) };
  try {
    const { X } = await readCsv(wholeLines(head), asked);
    X.dispose();
    return 'numbers';
  } catch (error) {
    // No other reader finds a column that is not there, or features beside a single one.
    return /there is no column |expected at least two columns/.test(String(error)) ? 'other' : 'table';
  }
}
