// Reads a table for a model: its columns by name, in any order. The label column may be there or not, others are left out.

import { type DataFormat, formatOf, uniqueNames } from '../io/index.js';
import type { TableEncoder } from '../prepare/index.js';
import type { Context } from './context.js';
import { CommandError } from './errors.js';
import { firstFields, nearest } from './header.js';
import { nameHere, placeWithoutLabel, renamed } from './nameless.js';
import { count, counted, note, warn } from './output.js';
import {
  expectNoProblems,
  fillsGaps,
  type RawTable,
  readTableFile,
  sayLayout,
  type TableChoices,
  type TableFile,
  tableFrom,
  warnOfProblems,
} from './rawtable.js';
import type { Input } from './source.js';
import { looksLikeTable } from './source.js';

/** What a model says of the tables that it takes. */
export interface TableModel {
  readonly encoder: TableEncoder;
  /** How messages call the model, or the file that it was trained on. */
  readonly name: string;
  /** The label column of training, and the columns left out then: not worth a word if they are there. */
  readonly label?: string | undefined;
  readonly ignored?: readonly (string | number)[] | undefined;
  /** Whether the file of training had no names: then columns are found by their place. */
  readonly isNameless?: boolean | undefined;
}

export type ForOptions = Pick<TableChoices, 'format' | 'label' | 'ignore' | 'header' | 'max-cols' | 'missing'>;

const IS_CONSTANT = /^column ".*" is constant: /;

/** @throws CommandError if the file lacks a column of the model, or has problems that --missing does not allow; DataError */
export async function loadTableFor(
  input: Input,
  model: TableModel,
  options: ForOptions,
  context: Context,
): Promise<RawTable> {
  const used = model.encoder.columns.filter(({ kind }) => kind !== 'ignore');
  const label = options.label === undefined ? model.label : options.label;
  const header = headerOf(input, model, options);
  const fields = fieldsOf(input, model, { ...options, header });
  if (fields) expectNames(fields, used, input, model);
  const isSure = header === 'no' && options.label === undefined && options.ignore === undefined;
  const lacking = isSure ? placeWithoutLabel(input, model) : Infinity;
  const wanted = [...used.map(({ name }) => name), ...(typeof label === 'string' ? [label] : [])];
  const given = Object.fromEntries(
    used.flatMap(({ name, kind }) =>
      kind !== 'ignore' && (!fields || fields.includes(name)) ? [[nameHere(name, lacking), kind]] : [],
    ),
  );
  const hasLabel =
    lacking === Infinity &&
    label !== null &&
    label !== undefined &&
    (typeof label === 'number' || !fields || fields.includes(label));
  const choices: TableChoices = {
    ...options,
    header,
    given,
    label: options.label === undefined ? null : label,
    // Columns that the model does not know are not even looked at.
    ignore: options.ignore ?? fields?.flatMap((field, k) => (wanted.includes(field) || k === label ? [] : [k])),
  };
  const read = await readTableFile(input, choices, context).catch((error) => {
    throw lackingColumn(error, used, input, model);
  });
  const file = lacking === Infinity ? read : renamed(read, lacking);
  if (file !== read) {
    const which = `the label of training, column ${lacking - 1}, is not there`;
    note(context.voice, `${input.name}: ${which}: the columns behind it are one place further left`);
  }
  expectNames(file.names, used, input, model);
  if (fillsGaps(options)) warnOfProblems(file);
  else expectNoProblems(file, 'correct the file, or take it as it is read with --missing median');
  tellOthers(fields ?? file.names, wanted, model, input, context);
  const table = tableFrom(hasLabel ? withLabel(file, label, fields) : file, choices);
  // A column may well be the same in all of a few rows.
  const notes = table.notes?.filter((remark) => !IS_CONSTANT.test(remark)) ?? [];
  sayLayout({ ...table, notes }, context);
  return table;
}

/** Whether the first line of a CSV file has names: if those of the model are there; and if the model knows none, it has none. */
function headerOf(input: Input, model: TableModel, options: ForOptions): ForOptions['header'] {
  if (options.header !== undefined) return options.header;
  const { encoder, isNameless } = model;
  const fields = fieldsOf(input, model, options);
  if (!fields) return isNameless ? 'no' : undefined;
  if (encoder.columns.every(({ name, kind }) => kind === 'ignore' || fields.includes(name))) return 'yes';
  return isNameless ? 'no' : undefined;
}

/** The names that the reader gives to the columns of a CSV file, from its first line; undefined for others, and if it has none. */
function fieldsOf(
  { head }: Input,
  { isNameless }: TableModel,
  { format, header }: ForOptions,
): readonly string[] | undefined {
  if (!head || header === 'no' || looksLikeTable(head)) return undefined;
  const found: DataFormat | ForOptions['format'] = format ?? formatOf(head);
  if (found !== 'csv') return undefined;
  const fields = firstFields(head);
  if (fields.length === 0) return undefined;
  // If the model knows no names, the first line may be a row, and an empty field in it no column called x1.
  return isNameless ? fields : uniqueNames(fields);
}

/** The file with its label column known, if it has that column. */
function withLabel(file: TableFile, label: string | number, names: readonly string[] = file.names): TableFile {
  const name = typeof label === 'string' ? label : names.at(label);
  if (name === undefined || !file.names.includes(name) || file.label) return file;
  return { ...file, label: { index: names.indexOf(name), name, reason: 'as in training' } };
}

function expectNames(
  names: readonly string[],
  used: readonly { readonly name: string }[],
  input: Input,
  model: TableModel,
): void {
  const missing = used.filter(({ name }) => !names.includes(name)).map(({ name }) => JSON.stringify(name));
  const [first] = missing;
  if (first === undefined) return;
  const near = nearest(JSON.parse(first), names);
  const hint = near === undefined ? '' : `: do you mean ${JSON.stringify(near)}?`;
  const others = missing.length > 1 ? ` and ${counted(missing.length - 1, 'other')}` : '';
  throw new CommandError(`${input.name} has no column ${first}${others}, which ${model.name} needs${hint}`);
}

/** The error about a column of the model that the reader did not find, in the same words; other errors as they are. */
function lackingColumn(
  error: unknown,
  used: readonly { readonly name: string }[],
  input: Input,
  model: TableModel,
): unknown {
  const message = error instanceof Error ? error.message : '';
  const column = used.find(({ name }) => message.includes(`there is no column ${JSON.stringify(name)}`));
  if (!column) return error;
  const which = `which ${model.name} needs`;
  return new CommandError(`${input.name} has no column ${JSON.stringify(column.name)}, ${which}`, { cause: error });
}

/** Says once which columns are not used. */
function tellOthers(
  names: readonly string[],
  wanted: readonly string[],
  { encoder, ignored = [], name }: TableModel,
  input: Input,
  { voice }: Context,
): void {
  const known = new Set<string | number>([...wanted, ...ignored, ...encoder.columns.map((column) => column.name)]);
  const others = names.filter((column, k) => !known.has(column) && !known.has(k));
  if (others.length === 0) return;
  const shown = others.slice(0, 5).map((column) => JSON.stringify(column));
  const more = others.length > shown.length ? ` and ${count(others.length - shown.length)} more` : '';
  note(
    voice,
    `${input.name}: ${shown.join(', ')}${more} ignored: ${name} does not know ${others.length === 1 ? 'this column' : 'these columns'}`,
  );
}

/** Warns once of categories that the model does not know; they count as none of its values. */
export function warnOfCategories({ table, name }: RawTable, encoder: TableEncoder): void {
  const found: string[] = [];
  let values = 0;
  for (const { column, known } of categoriesOf(encoder)) {
    const unknown = new Set<string>();
    for (const value of table.columns[column] ?? []) {
      if (value === null || Number.isNaN(value)) continue;
      if (known.has(String(value))) continue;
      unknown.add(String(value));
      values++;
    }
    for (const value of unknown) if (found.length < 3) found.push(`${column}=${value}`);
  }
  if (values === 0) return;
  const such = found.map((one) => JSON.stringify(one)).join(', ');
  warn(
    `${name}: ${counted(values, 'value')} of categories the model does not know, such as ${such}: they count as none of its values`,
  );
}

function categoriesOf(encoder: TableEncoder): { column: string; known: ReadonlySet<string> }[] {
  const { columns } = encoder.packed();
  return [...columns].flatMap((column) =>
    column.kind === 'category' ? [{ column: column.name, known: new Set(column.values) }] : [],
  );
}
