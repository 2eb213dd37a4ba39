// Tables without names: their columns are called x1, x2, … by their place. Rows to predict come without the label as often as not,
// and then the columns behind it stand one place before that of training.

import { firstFields } from './header.js';
import type { TableFile } from './rawtable.js';
import { type Input, looksLikeTable } from './source.js';
import type { TableModel } from './tablefor.js';

const placeOf = (name: string): number => Number(name.slice(1));

/**
 * The place of the label in training if this CSV file has no names and all columns of training but the label, and if that was not the
 * last one; else Infinity.
 */
export function placeWithoutLabel({ head }: Input, { encoder, label, ignored = [], isNameless }: TableModel): number {
  if (!isNameless || label === undefined || !head || looksLikeTable(head)) return Infinity;
  const others = encoder.columns.length + ignored.length;
  return firstFields(head).length === others && placeOf(label) <= others ? placeOf(label) : Infinity;
}

/** The name in the file of a column of training. */
export const nameHere = (name: string, lacking: number): string =>
  placeOf(name) > lacking ? `x${placeOf(name) - 1}` : name;

/** The file with the names of training. */
export function renamed(file: TableFile, lacking: number): TableFile {
  const nameThere = (name: string): string => (placeOf(name) >= lacking ? `x${placeOf(name) + 1}` : name);
  return {
    ...file,
    names: file.names.map(nameThere),
    schema: file.schema.map((column) => ({ ...column, name: nameThere(column.name) })),
    columns: Object.fromEntries(Object.entries(file.columns).map(([name, values]) => [nameThere(name), values])),
  };
}
