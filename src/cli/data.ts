// Reads DATA with a progress bar, and reports on standard error what was detected.

import type { Label } from '../index.js';
import { type Dataset, readData } from '../io/index.js';
import type { TableEncoder } from '../prepare/index.js';
import type { Context } from './context.js';
import { CommandError, inOurWords } from './errors.js';
import { firstFields, otherColumns, withHint } from './header.js';
import { count, counted, note, warn } from './output.js';
import { type LayoutOptions, layoutOptions, tried, wholeLines } from './probing.js';
import { progress, readingOn } from './progress.js';
import type { RawTable } from './rawtable.js';
import type { ClassCount } from './rows.js';
import { type Input, isModel, openInput } from './source.js';

export interface DataOptions {
  readonly format?: Dataset['format'] | 'json' | 'parquet' | undefined;
  readonly label?: string | number | null | undefined;
  readonly ignore?: readonly (string | number)[] | undefined;
  readonly header?: 'yes' | 'no' | undefined;
  readonly labels?: string | undefined;
  readonly cols?: number | undefined;
  readonly 'max-cols'?: number | undefined;
  readonly threads?: number | 'auto' | undefined;
  /** Why this label column, if the user did not choose it. */
  readonly because?: string | undefined;
}

export interface Data extends Omit<Dataset, 'format'> {
  readonly format: Dataset['format'] | RawTable['format'];
  readonly name: string;
  readonly readMs: number;
  /** The table that X was made of, if it was, and what made it. */
  readonly raw?: RawTable;
  readonly encoder?: TableEncoder;
  readonly encodeMs?: number;
}

/** Reads data; `input` is the opened file, if there is one. @throws DataError naming the place, CommandError */
export async function loadData(path: string, options: DataOptions, context: Context, input?: Input): Promise<Data> {
  const { voice, interrupt } = context;
  const opened = input ?? (await openInput(path, context));
  const { source, name, head } = opened;
  if (isModel(head)) {
    throw new CommandError(`${name} is a model, not data (see perceptron-wasm inspect)`);
  }
  const { format, label, cols } = options;
  // A named pipe is opened here, so that Ctrl-C ends the wait for its writer.
  const labels = options.labels === undefined ? undefined : (await openInput(options.labels, context)).source;
  const started = performance.now();
  const bar = progress(voice, 'reading');
  try {
    const dataset = await readData(source, {
      name,
      signal: interrupt.signal,
      ...(isPlain(format) && { format }),
      ...(label !== undefined && { label }),
      ...layoutOptions(options),
      ...(labels !== undefined && { labels }),
      ...(cols !== undefined && { cols }),
      ...(options['max-cols'] !== undefined && { maxCols: options['max-cols'] }),
      ...(options.threads !== undefined && { threads: options.threads }),
      onProgress: readingOn(bar),
    });
    bar.end();
    if (dataset.label && options.because !== undefined) dataset.label.reason = options.because;
    say(dataset, name, cols, context);
    const isAsked = label !== undefined && label !== null && options.because === undefined;
    if (isAsked && dataset.format !== 'csv') warn('--label is for CSV: ignored');
    if (options.header !== undefined && dataset.format !== 'csv') warn('--header is for CSV: ignored');
    return Object.assign(dataset, { name, readMs: performance.now() - started });
  } catch (error) {
    throw withHint(error, head);
  } finally {
    bar.end();
  }
}

const isPlain = (format: DataOptions['format']): format is Dataset['format'] =>
  format !== undefined && format !== 'json' && format !== 'parquet';

const DELIMITERS = { ',': 'comma', '\t': 'tab', ';': 'semicolon' } as const;

/** `comma-separated`. */
export const separatedBy = (delimiter: Dataset['delimiter']): string => `${DELIMITERS[delimiter ?? ',']}-separated`;

/** Which column is the label, and why. */
export const labelLine = (label: Dataset['label']): string =>
  label
    ? `the label is column ${label.index}${label.name === undefined ? '' : ` ${JSON.stringify(label.name)}`} (${label.reason})`
    : 'no label column';

/** Reports what was detected and what was left out. */
function say(
  { format, delimiter, label, featureNames, ignored, notes = [] }: Dataset,
  name: string,
  cols: number | undefined,
  { voice }: Context,
) {
  if (format === 'csv') {
    const header = featureNames ? 'with a header' : 'without a header';
    note(voice, `${name}: ${separatedBy(delimiter)} ${header}; ${labelLine(label)}`);
  }
  for (const remark of notes) note(voice, `${name}: ${inOurWords(remark)}`);
  if (ignored) {
    warn(`${name}: ${counted(ignored, 'value')} in columns beyond the ${count(cols ?? 0)} of the model ignored`);
  }
}

/** @throws CommandError saying how to give labels if the data has none */
export function expectLabels({ y, format, name }: Pick<Data, 'y' | 'format' | 'name'>): void {
  if (y.length > 0) return;
  const how = format === 'npy' ? '--labels FILE' : '--label NAME';
  throw new CommandError(`${name} has no labels to learn from: give them with ${how}`);
}

/** @throws CommandError naming the file if it has only one class */
export function expectClasses({ name }: Pick<Data, 'name'>, classes: readonly ClassCount[]): void {
  const [only, second] = classes;
  if (!only || second) return;
  throw new CommandError(`${name} has one class only (${JSON.stringify(only.label)}); a classifier needs two`);
}

/**
 * Compares the columns with those of the model; warns about other names.
 * @throws CommandError for another number of columns, or the same names in another order
 */
export function expectColumns(
  { X, name, featureNames }: Data,
  cols: number,
  known: readonly string[] | undefined,
  where: string,
): void {
  if (X.cols !== cols) {
    throw otherColumns({ name, cols: X.cols, names: featureNames }, { name: where, cols, names: known });
  }
  if (!featureNames || !known) return;
  const at = known.findIndex((column, k) => column !== featureNames[k]);
  if (at < 0) return;
  const differs = `column ${at} is ${JSON.stringify(featureNames[at])} in ${name} and ${JSON.stringify(known[at])} in ${where}`;
  if (known.every((column) => featureNames.includes(column))) {
    throw new CommandError(`the columns come in another order: ${differs}`);
  }
  warn(`${differs}: columns are taken by their place`);
}

/** What a model file stores about its training data. */
export interface DataMemory {
  readonly label?: { readonly index: number; readonly name?: string } | undefined;
  /** The --ignore columns, as the user gave them. */
  readonly ignored?: readonly (string | number)[] | undefined;
}

/** The columns left out in training that a file has, too: names that occur in it, numbers if it has more columns than the model. */
export function ignoredIn({ head }: Input, { ignored, label }: DataMemory, cols: number): readonly (string | number)[] {
  const fields = firstFields(head);
  const named = (ignored ?? []).filter((column) => typeof column === 'string' && fields.includes(column));
  const others = named.length + (label?.name !== undefined && fields.includes(label.name) ? 1 : 0);
  if (fields.length - others <= cols) return named;
  return (ignored ?? []).filter((column) => typeof column === 'number' || named.includes(column));
}

/** The columns of the model. */
export interface Columns {
  readonly name: string;
  readonly cols: number;
  readonly names?: readonly string[] | undefined;
}

/**
 * The label column of a CSV file for a model: the column of the same name, else the same position if the first lines of the file
 * show a label there. A feature of the model is never the label.
 * @throws CommandError if the header of the file lacks columns of the model
 */
export async function labelIn(
  input: Input,
  model: Columns,
  memory: DataMemory,
  layout: LayoutOptions,
): Promise<string | number | null | undefined> {
  const { index, name } = memory.label ?? {};
  if (!input.head) return name ?? index;
  const fields = layout.header === 'no' ? [] : firstFields(input.head);
  if (name !== undefined && fields.includes(name)) {
    expectHeader(input, model, name, layout);
    return name;
  }
  const lines = wholeLines(input.head);
  const remembered = [name, index].filter((guess) => guess !== undefined);
  for (const label of [...remembered, undefined, null]) {
    const found = await tried(lines, {
      ...layoutOptions(layout),
      cols: model.cols,
      ...(label !== undefined && { label }),
    });
    if (found && !(found.label?.name !== undefined && model.names?.includes(found.label.name))) return label;
  }
  if (fields.some((field) => model.names?.includes(field))) expectHeader(input, model, undefined, layout);
  // A column of words is the label, however many columns of numbers there are.
  const found = await tried(lines, layoutOptions(layout));
  if (found?.isWord && found.cols !== model.cols) {
    throw otherColumns({ name: input.name, cols: found.cols, names: found.names }, model);
  }
  return undefined;
}

/** A header with the label must have all columns of the model. @throws CommandError naming the missing ones */
export function expectHeader(
  { head, name }: Input,
  model: Columns,
  label: string | undefined,
  { ignore = [], header }: LayoutOptions,
): void {
  const fields = firstFields(head);
  if (header === 'no' || (label !== undefined && !fields.includes(label))) return;
  const isIgnored = (field: string, k: number) =>
    [field, k, k - fields.length].some((column) => ignore.includes(column));
  const names = fields.filter((field, k) => field !== label && !isIgnored(field, k));
  if (names.length !== model.cols) throw otherColumns({ name, cols: names.length, names }, model);
}

/** Warns about labels that are not classes of the model; in a file 1 and "1" are the same. */
export function warnOfUnknown({ y, name }: Pick<Data, 'y' | 'name'>, classes: readonly Label[]): void {
  const known = new Set(classes.map(String));
  const unknown = y.filter((label) => !known.has(String(label)));
  if (unknown.length === 0) return;
  const rows = unknown.length === 1 ? '1 row has a label' : `${count(unknown.length)} rows have labels`;
  warn(`${name}: ${rows} the model does not know, such as ${JSON.stringify(unknown[0])}`);
}

const MANY_CLASSES = 10;

/** Warns if most classes have one row: such labels are row numbers, names or measurements. */
export function warnOfManyClasses(
  { y, name, format }: Pick<Data, 'y' | 'name' | 'format'>,
  classes: readonly ClassCount[],
): void {
  const single = classes.filter(({ rows }) => rows === 1).length;
  const isMany = classes.length > MANY_CLASSES && single > classes.length / 2;
  if (!isMany && (classes.length < y.length || y.length < 3)) return;
  const how = format === 'libsvm' || format === 'npy' ? '' : ' (--label NAME)';
  warn(
    `${name}: ${counted(classes.length, 'class', 'classes')} for ${counted(y.length, 'row')}: is this an ID column, a transposed file, or a file without labels?${how}`,
  );
}

/** How many predictions are right; in a file 1 and "1" are the same. */
export function countRight(predictions: readonly Label[], y: readonly Label[]): number {
  let right = 0;
  for (let i = 0; i < y.length; i++) if (predictions[i] === y[i] || String(predictions[i]) === String(y[i])) right++;
  return right;
}
