// What the columns of a table were taken for, in one line.

import { visible } from '../escape.js';
import type { ColumnKind } from '../prepare/index.js';
import { count, counted, label as shown } from './output.js';

/** A column to tell of. */
export interface ToldColumn {
  readonly name: string;
  readonly kind: ColumnKind;
  readonly reason?: string;
  /** Values that are missing. */
  readonly missing?: number | undefined;
  /** Different values of a category. */
  readonly distinct?: number | undefined;
}

/** The most columns that are named. */
const MOST_NAMED = 12;

const AS: Record<ColumnKind, string> = {
  text: 'as text',
  category: 'as category',
  number: 'as number',
  ignore: 'left out',
};

/** `size as number (12 missing: median)`; `rule` is what fills the gaps. */
function told({ name, kind, reason, missing = 0, distinct }: ToldColumn, rule: string): string {
  const facts = [
    ...(kind === 'category' && distinct !== undefined ? [counted(distinct, 'value')] : []),
    ...(kind === 'ignore' && reason !== undefined ? [reason] : []),
    ...(missing > 0 && kind !== 'ignore' ? [`${count(missing)} missing${fillOf(kind, rule)}`] : []),
  ];
  return `${shown(name)} ${AS[kind]}${facts.length > 0 ? ` (${facts.join('; ')})` : ''}`;
}

/** What fills a gap in a column of this kind. */
function fillOf(kind: ColumnKind, rule: string): string {
  if (rule === '') return '';
  if (kind === 'number' || rule === 'most-frequent') return kind === 'text' ? ': empty' : `: ${rule}`;
  return kind === 'text' ? ': empty' : ': none of the values';
}

/** All columns in one line; numbers without gaps are only counted if there are many columns. */
export function columnsLine(columns: readonly ToldColumn[], rule = ''): string {
  const isPlain = ({ kind, missing = 0 }: ToldColumn) => kind === 'number' && missing === 0;
  const named = columns.length <= MOST_NAMED ? columns : columns.filter((column) => !isPlain(column));
  const shownOnes = named.slice(0, MOST_NAMED);
  const others = named.length - shownOnes.length;
  const plain = columns.length - named.length;
  return [
    ...shownOnes.map((column) => visible(told(column, rule))),
    ...(others > 0 ? [`${count(others)} more such columns`] : []),
    ...(plain > 0 ? [`${count(plain)} ${shownOnes.length > 0 ? 'others ' : ''}as number`] : []),
  ].join(', ');
}
