// TableEncoder as JSON: the options, and for each column what was learned. Exact to the bit.

import { atPath } from '../encode/paths.js';
import { type Part, tableFrom } from '../encode/table.js';
import { type ExactNumber, type Fields, fieldsOf, flagFrom, listOf, type Packed, stringFrom } from '../model/json.js';
import type { FittedColumn, FittedTable } from './tablefit.js';
import {
  type ColumnSettings,
  type MissingRule,
  resolveTable,
  settingsFrom,
  type TableSettings,
  type UnknownRule,
} from './tableoptions.js';
import { TextVectorizer } from './textvectorizer.js';

/** What every column has. */
interface ColumnBase {
  name: string;
  reason: string;
  /** Whether the options named it; else its kind was guessed. */
  declared: boolean;
}

interface UsedColumn extends ColumnBase {
  missing: MissingRule;
  indicator: boolean;
  /** Whether it has an indicator column. */
  hasIndicator: boolean;
}

/** What a `TableEncoder` learned of one column. */
export type TableColumnJSON =
  | (ColumnBase & { kind: 'ignore' })
  | (UsedColumn & {
      kind: 'number';
      standardize: boolean;
      fill?: ExactNumber;
      mean: ExactNumber;
      scale: number;
    })
  | (UsedColumn & { kind: 'category'; unknown: UnknownRule; maxValues: number; fill?: string; values: string[] })
  | (UsedColumn & { kind: 'text'; text: ReturnType<TextVectorizer['toJSON']> });

/** What `TableEncoder.toJSON` gives. */
export interface TableEncoderJSON {
  type: 'table-encoder';
  version: 1;
  /** For columns that the options do not name. */
  options: { missing: MissingRule; indicator: boolean; unknown: UnknownRule; standardize: boolean };
  columns: TableColumnJSON[];
}

export function packedTable(fitted: FittedTable, settings: TableSettings): Packed<TableEncoderJSON> {
  const { missing, indicator, unknown, standardize } = settings.others;
  const parts = new Map(fitted.encoding.parts.map((part) => [part.name, part]));
  return {
    type: 'table-encoder',
    version: 1,
    options: { missing, indicator, unknown, standardize },
    columns: fitted.columns.map(({ name, reason }): Packed<TableColumnJSON> => {
      const declared = settings.columns.get(name);
      const base = { name, reason, declared: declared !== undefined };
      const part = parts.get(name);
      if (!part) return { ...base, kind: 'ignore' };
      return packedPart(part, base, declared ?? settings.others, fitted.vectorizers.get(name));
    }),
  };
}

function packedPart(
  part: Part,
  base: ColumnBase,
  settings: ColumnSettings,
  vectorizer?: TextVectorizer,
): Packed<TableColumnJSON> {
  const { missing, indicator, standardize, unknown, maxValues } = settings;
  const used = { ...base, missing, indicator, hasIndicator: part.hasIndicator };
  if (part.kind === 'number') {
    const { kind, fill, mean, scale } = part;
    return { ...used, kind, standardize, ...(!part.refuses && { fill }), mean, scale };
  }
  if (part.kind === 'category') {
    const { kind, fill, values } = part;
    return { ...used, kind, unknown, maxValues, ...(fill !== undefined && { fill }), values };
  }
  return { ...used, kind: 'text', text: (vectorizer as TextVectorizer).packed() };
}

/** What was learned, and the options, from JSON. @throws TypeError or RangeError naming the wrong field */
export function fittedFrom(
  json: unknown,
  options: { allowPatterns?: boolean },
): { fitted: FittedTable; settings: TableSettings } {
  const byPath = new Map<string, TextVectorizer>();
  const encoding = tableFrom(json, '', options, (text, path) => {
    const vectorizer = atPath(path, () => TextVectorizer.fromJSON(text, options));
    byPath.set(path, vectorizer);
    return vectorizer.encoding;
  });
  const fields = fieldsOf(json, 'the model');
  const { others } = atPath('', () => resolveTable(fieldsOf(fields.options, 'options')));
  const declared = new Map<string, ColumnSettings>();
  const vectorizers = new Map<string, TextVectorizer>();
  const columns = listOf(fields.columns, 'columns', (value, at) => {
    const { name, kind, reason, ...rest } = fieldsOf(value, at) as Fields & FittedColumn; // tableFrom checked name and kind
    const vectorizer = byPath.get(`${at}.text`);
    if (vectorizer) vectorizers.set(name, vectorizer);
    if (flagFrom(rest.declared, `${at}.declared`)) {
      const { missing, indicator, standardize, unknown, maxValues } = rest;
      const given = { missing, indicator, standardize, unknown, maxValues };
      const settings = atPath('', () => settingsFrom(given, others, `${at}.`));
      declared.set(name, { ...settings, kind, ...(vectorizer && { vectorizer: () => vectorizer.unfitted() }) });
    }
    return { name, kind, reason: stringFrom(reason, `${at}.reason`) };
  });
  return { fitted: { columns, encoding, vectorizers }, settings: { columns: declared, others } };
}
