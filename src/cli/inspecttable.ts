// Describes a table: its shape, each column, its classes, and all problems at once with the option that solves each.

import { visible } from '../escape.js';
import type { ValuesOf } from './arguments.js';
import type { Context } from './context.js';
import { labelLine, separatedBy } from './data.js';
import { inOurWords } from './errors.js';
import type { INSPECT } from './options.js';
import { count, counted, print, printJSON, label as shown } from './output.js';
import type { TableFile } from './rawtable.js';
import { remediesFor } from './remedies.js';
import { type ClassCount, classCounts } from './rows.js';
import { classLine, FORMAT_NAMES } from './story.js';
import { sheet, table, wrap } from './tables.js';

type InspectValues = ValuesOf<typeof INSPECT.options>;
type Schema = TableFile['schema'][number];

/** Problems and columns that are printed; JSON has all that the reader kept. */
const MOST_PRINTED = 20;
const MOST_COLUMNS = 60;

export async function inspectTable(file: TableFile, values: InspectValues, { voice, version }: Context): Promise<void> {
  const { name, rows, names, schema, problems, problemCount, format, delimiter, label, notes = [] } = file;
  const classes = classesOf(file);
  const advice = remediesFor(file, values);
  const columns = names.length - (label ? 1 : 0); // the label is not counted, here as everywhere
  if (voice.json) {
    return printJSON({
      command: 'inspect',
      version,
      kind: 'table',
      file: name,
      format,
      rows,
      cols: columns,
      delimiter,
      label,
      classes,
      columns: schema,
      problems,
      problemCount,
      notes,
      advice,
    });
  }
  const separated = format === 'csv' ? `, ${separatedBy(delimiter)}` : '';
  const facts = sheet([
    [
      'data',
      `${visible(name)}: ${counted(rows, 'row')} × ${counted(columns, 'column')}, ${FORMAT_NAMES[format]}${separated}`,
    ],
    [
      'label',
      label
        ? `${visible(labelLine(label).replace(/^the label is /, ''))}`
        : 'not known: say which column it is with --label NAME',
    ],
    ...(label ? [['classes', classes.length > 0 ? classLine(classes) : 'no labels'] as const] : []),
    ...notes.map((text, i) => [i === 0 ? 'notes' : '', visible(inOurWords(text))] as const),
  ]);
  const parts = [facts, columnTable(file), ...(problemCount > 0 ? [problemList(file)] : []), adviceList(advice)];
  await print(`${parts.join('\n\n')}\n`);
}

/** The classes of the label column; rows without a label are not counted. */
function classesOf({ columns, label }: TableFile): ClassCount[] {
  const column = label && columns[label.name];
  if (!column) return [];
  const isThere = (value: number | string | null): value is number | string => value !== null && !Number.isNaN(value);
  return classCounts(Array.from<number | string | null>(column).filter(isThere));
}

const KINDS: Record<Schema['kind'], string> = {
  number: 'number',
  category: 'category',
  text: 'text',
  id: 'ID, left out',
  empty: 'empty, left out',
};

const MOST_EXAMPLE = 24;

const example = (value: number | string): string => {
  const text = typeof value === 'number' ? String(value) : shown(value);
  return text.length > MOST_EXAMPLE ? `${text.slice(0, MOST_EXAMPLE - 1)}…` : text;
};

function columnTable({ schema, label }: TableFile): string {
  const rows = schema
    .slice(0, MOST_COLUMNS)
    .map(({ name, kind, missing, distinct, reason, examples }) => [
      visible(name),
      name === label?.name ? 'label' : KINDS[kind],
      missing > 0 ? count(missing) : '',
      count(distinct),
      visible(examples.map(example).join(', ')),
      visible(reason),
    ]);
  const more = schema.length - rows.length;
  const rest = more > 0 ? `\n  and ${counted(more, 'more column')} (--json has them all)` : '';
  return `${table(['column', 'kind', 'missing', 'different', 'such as', 'because'], rows, [0, 1, 4, 5])}${rest}`;
}

function problemList({ problems, problemCount, name }: TableFile): string {
  const lines = problems
    .slice(0, MOST_PRINTED)
    .map(({ line, column, what }) => wrap(visible(`${name}:${line}:${column}: ${inOurWords(what)}`)));
  const more = problemCount - lines.length;
  const rest = more > 0 ? [`  and ${counted(more, 'more problem')} (--json has the first 1,000)`] : [];
  return [`${counted(problemCount, 'problem')}:`, ...lines, ...rest].join('\n');
}

function adviceList(advice: readonly string[]): string {
  return sheet(advice.map((text, i) => [i === 0 ? 'advice' : '', text] as const));
}
