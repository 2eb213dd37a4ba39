// Columns by name or index, and the column that is likely to be the label.

import { show } from '../errors.js';
import type { DataError } from './errors.js';

/** Usual names of label columns, the surest first; features do not have these names. */
export const SURE_NAMES = ['label', 'class', 'target'];
export const LABEL_NAMES = [...SURE_NAMES, 'y', 'labels', 'category', 'outcome'];

/** Makes errors about a source, or about its first line. */
export interface Faults {
  fault(message: string): DataError;
  lineFault(message: string): DataError;
}

type ColumnOption = '"label"' | '"ignore"' | '"kinds"';
type Names = readonly string[] | undefined;

export const quotedNames = (names: readonly string[]): string => {
  const shown = names.slice(0, 10).map((name) => JSON.stringify(name));
  return shown.join(', ') + (names.length > 10 ? ', …' : '');
};

/** The column that an option names by name or index. @throws DataError if there is no such column */
export function indexOf(
  source: Faults,
  asked: string | number,
  option: ColumnOption,
  columns: number,
  names: Names,
): number {
  if (typeof asked === 'string') return indexOfName(source, asked, option, names);
  const index = asked < 0 ? asked + columns : asked;
  if (index >= 0 && index < columns) return index;
  const verb = option === '"label"' ? 'is' : 'has';
  throw source.fault(
    `${option} ${verb} column ${asked}, but there are ${columns}: 0 to ${columns - 1}, or -1 for the last`,
  );
}

function indexOfName(source: Faults, asked: string, option: ColumnOption, names: Names): number {
  const index = names?.indexOf(asked) ?? -1;
  if (index >= 0 && names?.lastIndexOf(asked) === index) return index;
  const whose = option === '"label"' ? "the label's" : 'its';
  if (index >= 0) throw source.lineFault(`two columns are called ${JSON.stringify(asked)}: give ${whose} index`);
  throw source.lineFault(
    names
      ? `there is no column ${JSON.stringify(asked)}; there are ${quotedNames(names)}`
      : `there is no column ${JSON.stringify(asked)}: the first line has no names, so give ${whose} index`,
  );
}

/** The label that was asked for. @throws DataError if there is no such column, or if it is ignored */
export function askedLabel(
  source: Faults,
  asked: string | number,
  columns: number,
  names: Names,
  ignored: ReadonlySet<number>,
): number {
  const index = indexOf(source, asked, '"label"', columns, names);
  if (ignored.has(index)) throw source.fault(`column ${show(asked)} is the label, so it cannot be in "ignore"`);
  return index;
}

/** The likely label and why it is; or the columns of words, if there are several and none has the name of a label. */
export function guessLabel(
  columns: number,
  names: Names,
  ignored: ReadonlySet<number>,
  isWordy: (column: number) => boolean,
): { index: number; reason: string } | { words: number[] } {
  const lower = names?.map((name) => name.toLowerCase()) ?? [];
  for (const name of LABEL_NAMES) {
    const index = lower.findIndex((other, j) => other === name && !ignored.has(j));
    if (index >= 0) return { index, reason: `it is called ${JSON.stringify(names?.[index])}` };
  }
  const words: number[] = [];
  let last = -1;
  for (let j = 0; j < columns; j++) {
    if (ignored.has(j)) continue;
    last = j;
    if (isWordy(j)) words.push(j);
  }
  if (words.length > 1) return { words };
  const [only] = words;
  if (only !== undefined) return { index: only, reason: 'it is the only column of words' };
  return {
    index: last,
    reason: last === columns - 1 ? 'it is the last column' : 'it is the last column that is not ignored',
  };
}
