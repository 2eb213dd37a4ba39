// What was read: how much, which classes, which column is the label and why; and other ways to take the file.

import { button, h } from '../ui/dom.js';
import { bytes, counted, duration, number, percent } from '../ui/numbers.js';
import { labelField, MOST_COLUMNS } from './labelcolumn.js';
import { labelsChooser } from './labelsfile.js';
import type { ColumnKind, ReadRequest, Summary, TableColumn } from './types.js';
import { columnName, formatOf, KIND_WORDS, short, whole } from './words.js';

/** Classes that are listed. */
const MOST_CLASSES = 12;
/** Each class has weights of its own, and each row a score for each: of more classes, memory runs out. */
const MOST_TRAINED = 1000;
/** More classes than this, most of them of one row, are no classes. */
const MANY_CLASSES = 10;

export interface SummaryActions {
  /** Reads the file once more, taken another way. */
  change(change: Partial<ReadRequest>): void;
}

/** Why these rows cannot be trained on; undefined where they can. */
export function whyNot({ classes, format, file, label }: Summary): string | undefined {
  const [only, second] = classes;
  if (!only) {
    return format === 'npy'
      ? 'A NumPy matrix has no labels in it: the answers to learn from are in a file of their own.'
      : `Which column of “${short(file)}” has the answers? Say so, and it is learned from the others.`;
  }
  if (classes.length > MOST_TRAINED) {
    const what = label ? `“${short(columnName(label.name, label.index))}” has` : 'The labels have';
    const other = format === 'csv' ? ' If so, choose another label column.' : '';
    return `${what} ${number(classes.length)} different values. Is it a measurement, or an ID?${other} A perceptron tells classes apart: this page takes up to ${number(MOST_TRAINED)}.`;
  }
  if (second) return undefined;
  return `All rows are of one class (“${short(String(only.label))}”), so there is nothing to tell apart. Is another column the label?`;
}

/** What looks odd, though it can be trained on. */
export function doubts({ classes, rows, notes, format }: Summary): string[] {
  const single = classes.filter((one) => one.rows === 1).length;
  const isMany =
    classes.length <= MOST_TRAINED &&
    ((classes.length > MANY_CLASSES && single > classes.length / 2) || (rows > 2 && classes.length === rows));
  const other = format === 'csv' ? ' Choose another label column if so.' : '';
  return [
    ...(isMany
      ? [
          `${counted(classes.length, 'class', 'classes')} for ${counted(rows, 'row')}: is this an ID, or a measurement?${other}`,
        ]
      : []),
    ...notes.map((note) =>
      `${note.charAt(0).toUpperCase()}${note.slice(1)}.`
        .replace(/leave it out with "ignore"\.$/, 'You can leave it out below.')
        .replace(/: say "header": false if it is data\.$/, '. If it is data, say so below.'),
    ),
  ];
}

function classList({ classes, rows }: Summary): HTMLElement {
  const most = classes.reduce((largest, one) => Math.max(largest, one.rows), 0);
  const list = h('ul', { class: 'data-classes', 'aria-label': 'Classes' });
  for (const one of classes.slice(0, MOST_CLASSES)) {
    const bar = h('span', { class: 'data-class-bar', 'aria-hidden': 'true' });
    bar.style.width = `${(100 * one.rows) / most}%`;
    const name = String(one.label);
    list.append(
      h(
        'li',
        {},
        h('span', { class: 'data-class-name', title: whole(name) }, short(name)),
        h('span', { class: 'data-class-track', 'aria-hidden': 'true' }, bar),
        h('span', { class: 'number faint' }, `${counted(one.rows, 'row')} (${percent(one.rows / rows)})`),
      ),
    );
  }
  const more = classes.length - MOST_CLASSES;
  if (more > 0)
    list.append(h('li', { class: 'faint data-more-classes' }, `and ${counted(more, 'class', 'classes')} more`));
  return list;
}

function labelledSelect(
  name: string,
  text: string,
  options: readonly (readonly [value: string, text: string])[],
  value: string,
): [HTMLElement, HTMLSelectElement] {
  const select = h('select', { name });
  for (const [key, said] of options) select.append(h('option', { value: key, selected: key === value }, said));
  return [h('label', { class: 'data-field' }, h('span', {}, text), select), select];
}

type KindOption = readonly (readonly [value: string, text: string])[];

const options = (...kinds: ColumnKind[]): KindOption => kinds.map((kind) => [kind, KIND_WORDS[kind]]);
/** What a column can be taken for, by what it was taken for: words are never numbers. */
const KINDS: Record<ColumnKind, KindOption> = {
  number: options('number', 'category', 'ignore'),
  category: options('category', 'text', 'ignore'),
  text: options('text', 'category', 'ignore'),
  ignore: options('ignore', 'category', 'text'),
};
/** Of a column that was left out, nobody knows what it is. */
const AUTO: KindOption = [...options('ignore'), ['auto', 'Use it']];
const isGiven = (kind: string): boolean => kind === 'category' || kind === 'text';

/** Other ways to take a CSV file. The controls have names: made anew, they are known by them. */
function csvControls(
  summary: Summary,
  request: ReadRequest,
  { change }: SummaryActions,
  isListOpen: boolean,
): HTMLElement {
  const { columns, label, hasHeader } = summary;
  const ignored = new Set(request.ignore);
  const [headerField, headerSelect] = labelledSelect(
    'first-line',
    'First line',
    [
      ['yes', 'Names of the columns'],
      ['no', 'Data'],
    ],
    hasHeader ? 'yes' : 'no',
  );
  // The columns are others without names, or with them: what was said of them no longer holds.
  headerSelect.addEventListener('change', () => change({ header: headerSelect.value === 'yes' }));
  const boxes = h('div', { class: 'data-columns' });
  const taken = new Map(summary.table?.map((column) => [column.name, column]));
  const selects: { index: number; name: string; before: string; select: HTMLSelectElement }[] = [];
  columns.slice(0, MOST_COLUMNS).forEach((given, index) => {
    if (index === label?.index) return;
    const called = columnName(given, index);
    const name = given?.trim() ? given : `x${index + 1}`; // as the reader calls it
    const column = taken.get(name);
    const before = ignored.has(index) ? 'ignore' : (column?.kind ?? 'number');
    const kinds = ignored.has(index) ? AUTO : KINDS[before as ColumnKind];
    const select = h('select', { name: `column-${index}` });
    for (const [kind, text] of kinds) select.append(h('option', { value: kind, selected: kind === before }, text));
    selects.push({ index, name, before, select });
    boxes.append(h('label', { title: column?.reason ?? whole(called) }, h('span', {}, short(called)), select));
  });
  const use = () => {
    const chosen = selects.map((one) => ({ ...one, kind: one.select.value }));
    const left = chosen.filter(
      ({ kind, before, index }) => kind === 'ignore' && (before !== 'ignore' || ignored.has(index)),
    );
    const said = chosen.filter(({ kind, before, name }) => isGiven(kind) && (kind !== before || request.kinds?.[name]));
    // Columns beyond those that are listed stay as they are.
    change({
      ignore: [...left.map(({ index }) => index), ...request.ignore.filter((index) => index >= MOST_COLUMNS)],
      kinds: Object.fromEntries(said.map(({ name, kind }) => [name, kind as 'category'])),
    });
  };
  const apply = button('Use these columns', use, { name: 'use-columns' });
  const used = `Columns to learn from (${number(summary.cols)} of ${number(columns.length - (label ? 1 : 0))})`;
  return h(
    'div',
    { class: 'data-taking' },
    h(
      'div',
      { class: 'row data-fields' },
      labelField(summary, request.ignore, (index) => change({ label: index })),
      headerField,
    ),
    h(
      'details',
      { open: isListOpen },
      h('summary', {}, used),
      columns.length > MOST_COLUMNS && h('p', { class: 'faint' }, `The first ${MOST_COLUMNS} can be left out here.`),
      boxes,
      apply,
    ),
  );
}

/** Labels to choose from with a click: columns of a few words. */
function labelButtons({ table = [], columns }: Summary, { change }: SummaryActions): HTMLElement | undefined {
  const likely = table.filter(({ kind, distinct }) => kind === 'category' && distinct <= MOST_CLASSES).slice(0, 6);
  if (likely.length === 0) return undefined;
  const buttons = likely.map(({ name }) =>
    button(`The label is “${short(name)}”`, () => change({ label: columns.indexOf(name) })),
  );
  return h('div', { class: 'row' }, ...buttons);
}

/** "Columns: 3 numbers, 2 categories, 1 text. … Left out: “id”." */
function takenFor(table: readonly TableColumn[]): string {
  const count = (kind: ColumnKind) => table.filter((column) => column.kind === kind).length;
  const kinds = [
    count('number') > 0 && counted(count('number'), 'number'),
    count('category') > 0 && counted(count('category'), 'category', 'categories'),
    count('text') > 0 && counted(count('text'), 'text'),
  ].filter(Boolean);
  const left = table.filter(({ kind }) => kind === 'ignore').map(({ name }) => `“${short(name)}”`);
  const gaps = table.reduce((sum, { kind, missing }) => sum + (kind === 'ignore' ? 0 : missing), 0);
  return [
    `Columns: ${kinds.join(', ')}.`,
    count('number') > 0 && 'Numbers are standardised.',
    count('category') > 0 && 'Each value of a category becomes a column.',
    count('text') > 0 && 'Words of a text become columns.',
    gaps > 0 &&
      `${counted(gaps, 'empty field')} ${gaps === 1 ? 'is' : 'are'} filled with the median of the column or its most frequent value.`,
    left.length > 0 && `Left out: ${left.slice(0, 5).join(', ')}.`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** Why it is the label: the reader's reason, or who chose it. */
function reasonFor(reason: string, { label, origin }: ReadRequest): string {
  if (label === undefined) return `, because ${reason}`;
  return origin === 'example' ? '' : ', as you said';
}

/** `isListOpen`: the columns are listed, as they were before. */
export function summaryView(
  summary: Summary,
  request: ReadRequest,
  actions: SummaryActions,
  isListOpen: boolean,
): HTMLElement {
  const { file, rows, cols, classes, label, nonZeros, format, labelsFile } = summary;
  const shape = [
    counted(rows, 'row'),
    counted(cols, 'column'),
    ...(classes.length > 0 ? [counted(classes.length, 'class', 'classes')] : []),
  ];
  const why =
    label && `The label is “${short(columnName(label.name, label.index))}”${reasonFor(label.reason, request)}.`;
  const not = whyNot(summary);
  return h(
    'section',
    { class: 'card data-summary', 'aria-labelledby': 'data-read' },
    h('h2', { id: 'data-read', tabindex: -1, title: whole(file) }, short(file)),
    h('p', { class: 'data-shape' }, shape.join(' · ')),
    h(
      'p',
      { class: 'faint' },
      `${formatOf(summary)}. ${bytes(summary.bytes)}, read in ${duration(summary.readMs)}.`,
      nonZeros !== undefined && ` ${percent(nonZeros / (rows * cols))} of the values are written; all others are 0.`,
      labelsFile !== undefined && ` Labels from ${short(labelsFile)}.`,
    ),
    classes.length > 0 && classList(summary),
    why && h('p', {}, why),
    ...doubts(summary).map((doubt) => h('p', { class: 'data-doubt' }, doubt)),
    not !== undefined && h('p', { class: 'data-doubt' }, not),
    classes.length === 0 && labelButtons(summary, actions),
    format === 'npy' && labelsChooser(labelsFile, (labels) => actions.change({ labels })),
    summary.table && h('p', {}, takenFor(summary.table)),
    (format === 'csv' || summary.table) && csvControls(summary, request, actions, isListOpen),
  );
}
