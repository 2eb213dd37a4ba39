// What to do about a messy file: a sentence each, with the option that solves it.

import { quoted, shellWord } from '../escape.js';
import { count, counted } from './output.js';
import type { TableChoices, TableFile } from './rawtable.js';

type Schema = TableFile['schema'][number];

/** Columns that a sentence names. */
const MOST_NAMED = 5;

const listed = (columns: readonly { readonly name: string }[]): string => {
  const shown = columns.slice(0, MOST_NAMED).map(({ name }) => quoted(name));
  const more = columns.length - shown.length;
  return shown.join(', ') + (more > 0 ? ` and ${count(more)} more` : '');
};

/** A category of so many different values, more than half as many as rows, says little. */
const MANY_VALUES = 20;
const isNearlyId = ({ kind, distinct, missing }: Schema, rows: number): boolean =>
  kind === 'category' && distinct >= MANY_VALUES && distinct > (rows - missing) / 2;

/** The advice on a table, most urgent first, and the command that trains on it. */
export function remediesFor(file: TableFile, choices: TableChoices): string[] {
  const { schema, label, rows, problemCount } = file;
  const features = schema.filter(({ name }) => name !== label?.name);
  const isKind = (...kinds: Schema['kind'][]) => features.filter(({ kind }) => kinds.includes(kind));
  const advice: string[] = [];
  if (!label) {
    const likely = isKind('category').filter(({ distinct }) => distinct > 1 && distinct <= MANY_VALUES);
    const such = likely.length > 0 ? `, such as ${listed(likely)}` : '';
    advice.push(`no column is called label, class or target: say which one it is with --label NAME${such}`);
  }
  const unlabelled = schema.find(({ name }) => name === label?.name)?.missing ?? 0;
  if (unlabelled > 0) {
    const have =
      unlabelled === 1
        ? 'row has no label: fill it in, leave it out (--missing median)'
        : 'rows have no label: fill them in, leave them out (--missing median)';
    advice.push(`${count(unlabelled)} ${have}, or choose another --label`);
  }
  for (const [column, times] of troubled(file)) advice.push(remedyFor(column, times));
  if (problemCount > 0) {
    advice.push(
      'train stops at these problems; with --missing median (or mean, zero, most-frequent) it reads the file as they say',
    );
  }
  const gaps = features.filter(({ missing, kind }) => missing > 0 && kind !== 'empty' && kind !== 'id');
  if (gaps.length > 0) {
    const values = gaps.reduce((sum, { missing }) => sum + missing, 0);
    const rule = choices.missing ?? 'median';
    advice.push(
      `${counted(values, 'value')} missing in ${listed(gaps)}: --missing ${rule}${choices.missing === undefined ? ' is the default' : ''}; others are mean, most-frequent, zero and refuse`,
    );
  }
  const vague = features.filter((column) => isNearlyId(column, rows));
  if (vague.length > 0) {
    advice.push(
      `nearly every value of ${listed(vague)} is different: leave such columns out (--ignore), or take their words (--text)`,
    );
  }
  const left = isKind('id');
  if (left.length > 0)
    advice.push(
      `${listed(left)} left out: no value comes twice; use such a column with --category, --text or not at all`,
    );
  if (label) advice.push(commandFor(file, choices, label, problemCount > 0 || unlabelled > 0));
  return advice;
}

/** The command that trains on the table, with the options that it was read with. */
function commandFor(
  { name, isNameless }: TableFile,
  { missing, header, ignore = [], category = [], text = [], format }: TableChoices,
  label: NonNullable<TableFile['label']>,
  hasProblems: boolean,
): string {
  const rule = missing === undefined || missing === 'refuse' ? 'median' : missing;
  const each = (option: string, columns: readonly (string | number)[]) =>
    columns.map((column) => `${option} ${shellWord(String(column))}`);
  return [
    `perceptron-wasm train ${name === 'standard input' ? '-' : shellWord(name)}`,
    `--label ${isNameless ? Number(label.name.slice(1)) - 1 : shellWord(label.name)}`,
    ...each('--format', format === undefined ? [] : [format]),
    ...each('--header', header === undefined ? [] : [header]),
    ...[...each('--ignore', ignore), ...each('--category', category), ...each('--text', text)],
    ...(hasProblems || missing !== undefined ? [`--missing ${hasProblems ? rule : missing}`] : []),
  ].join(' ');
}

/** The columns of numbers with words in them, and in how many of the problems that were kept. */
function troubled({ problems, names }: TableFile): Map<string, number> {
  const found = new Map<string, number>();
  for (const { what } of problems) {
    const name = names.find((one) => what.includes(` in ${quoted(one)}, got `));
    if (name !== undefined) found.set(name, (found.get(name) ?? 0) + 1);
  }
  return found;
}

function remedyFor(column: string, times: number): string {
  const word = shellWord(column);
  const values = times === 1 ? `a value of ${quoted(column)} is` : `${count(times)} values of ${quoted(column)} are`;
  return `${values} no number: correct the file, leave the column out (--ignore ${word}), or take it as categories (--category ${word})`;
}
