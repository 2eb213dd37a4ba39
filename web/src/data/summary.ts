// What was read: how much, which classes, which column is the label and why; and other ways to take the file.

import { button, h } from '../ui/dom.js';
import { bytes, counted, duration, number, percent } from '../ui/numbers.js';
import { labelField, MOST_COLUMNS } from './labelcolumn.js';
import { labelsChooser } from './labelsfile.js';
import type { ReadRequest, Summary } from './types.js';
import { columnName, formatOf, short, whole } from './words.js';

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
      : `“${short(file)}” has no labels to learn from: say which column has the answers.`;
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
      `${note.charAt(0).toUpperCase()}${note.slice(1)}.`.replace(
        /leave it out with "ignore"\.$/,
        'You can leave it out below.',
      ),
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
  columns.slice(0, MOST_COLUMNS).forEach((name, index) => {
    if (index === label?.index) return;
    const box = h('input', { type: 'checkbox', name: `column-${index}`, value: index });
    box.checked = !ignored.has(index);
    const called = columnName(name, index);
    boxes.append(h('label', { title: whole(called) }, box, short(called)));
  });
  const use = () => {
    const left = [...boxes.querySelectorAll('input')].filter((box) => !box.checked).map((box) => Number(box.value));
    // Columns beyond those that are listed stay as they are.
    change({ ignore: [...left, ...request.ignore.filter((index) => index >= MOST_COLUMNS)] });
  };
  const apply = button('Use these columns', use, { name: 'use-columns' });
  const used = `Columns to learn from (${number(summary.cols)} of ${number(summary.cols + request.ignore.length)})`;
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
  const why = label && `The label is “${short(columnName(label.name, label.index))}”, because ${label.reason}.`;
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
    format === 'npy' && labelsChooser(labelsFile, (labels) => actions.change({ labels })),
    format === 'csv' && csvControls(summary, request, actions, isListOpen),
  );
}
