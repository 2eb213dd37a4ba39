// What was read: how much, which classes, which column is the label and why; and other ways to take the file.

import { button, h } from '../ui/dom.js';
import { bytes, counted, duration, number, percent } from '../ui/numbers.js';
import { labelsChooser } from './labelsfile.js';
import type { ReadRequest, Summary } from './types.js';
import { columnName, formatOf } from './words.js';

/** Classes that are listed, and columns that can be chosen from. */
const MOST_CLASSES = 12;
const MOST_COLUMNS = 500;
/** More classes than this, most of them of one row, are no classes. */
const MANY_CLASSES = 10;

export interface SummaryActions {
  /** Reads the file once more, taken another way. */
  change(change: Partial<ReadRequest>): void;
}

/** Why these rows cannot be trained on; undefined where they can. */
export function whyNot({ classes, format, file }: Summary): string | undefined {
  const [only, second] = classes;
  if (!only) {
    return format === 'npy'
      ? 'A NumPy matrix has no labels in it: the answers to learn from are in a file of their own.'
      : `“${file}” has no labels to learn from: say which column has the answers.`;
  }
  if (second) return undefined;
  return `All rows are of one class (“${only.label}”), so there is nothing to tell apart. Is another column the label?`;
}

/** What looks odd, though it can be trained on. */
export function doubts({ classes, rows, notes, format }: Summary): string[] {
  const single = classes.filter((one) => one.rows === 1).length;
  const isMany =
    (classes.length > MANY_CLASSES && single > classes.length / 2) || (rows > 2 && classes.length === rows);
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
  const most = Math.max(...classes.map((one) => one.rows));
  const list = h('ul', { class: 'data-classes', 'aria-label': 'Classes' });
  for (const one of classes.slice(0, MOST_CLASSES)) {
    const bar = h('span', { class: 'data-class-bar', 'aria-hidden': 'true' });
    bar.style.width = `${(100 * one.rows) / most}%`;
    list.append(
      h(
        'li',
        {},
        h('span', { class: 'data-class-name' }, String(one.label)),
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
  text: string,
  options: readonly (readonly [value: string, text: string])[],
  value: string,
): [HTMLElement, HTMLSelectElement] {
  const select = h('select');
  for (const [key, name] of options) select.append(h('option', { value: key, selected: key === value }, name));
  return [h('label', { class: 'data-field' }, h('span', {}, text), select), select];
}

/** Other ways to take a CSV file. */
function csvControls(summary: Summary, request: ReadRequest, { change }: SummaryActions): HTMLElement {
  const { columns, label, hasHeader } = summary;
  const choices = columns
    .slice(0, MOST_COLUMNS)
    .map((name, index) => [String(index), columnName(name, index)] as const)
    .filter(([index]) => !request.ignore.includes(Number(index)));
  const [labelField, labelSelect] = labelledSelect('Label column', choices, String(label?.index ?? ''));
  labelSelect.addEventListener('change', () => change({ label: Number(labelSelect.value) }));
  const [headerField, headerSelect] = labelledSelect(
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
    const box = h('input', { type: 'checkbox', value: index });
    box.checked = !request.ignore.includes(index);
    boxes.append(h('label', {}, box, columnName(name, index)));
  });
  const apply = button('Use these columns', () => {
    const left = [...boxes.querySelectorAll('input')].filter((box) => !box.checked).map((box) => Number(box.value));
    change({ ignore: left });
  });
  const used = `Columns to learn from (${number(summary.cols)} of ${number(summary.cols + request.ignore.length)})`;
  return h(
    'div',
    { class: 'data-taking' },
    h('div', { class: 'row data-fields' }, labelField, headerField),
    h('details', {}, h('summary', {}, used), boxes, apply),
  );
}

export function summaryView(summary: Summary, request: ReadRequest, actions: SummaryActions): HTMLElement {
  const { file, rows, cols, classes, label, nonZeros, format, labelsFile } = summary;
  const shape = [
    counted(rows, 'row'),
    counted(cols, 'column'),
    ...(classes.length > 0 ? [counted(classes.length, 'class', 'classes')] : []),
  ];
  const why = label && `The label is “${columnName(label.name, label.index)}”, because ${label.reason}.`;
  const not = whyNot(summary);
  return h(
    'section',
    { class: 'card data-summary', 'aria-labelledby': 'data-read' },
    h('h2', { id: 'data-read', tabindex: -1 }, file),
    h('p', { class: 'data-shape' }, shape.join(' · ')),
    h(
      'p',
      { class: 'faint' },
      `${formatOf(summary)}. ${bytes(summary.bytes)}, read in ${duration(summary.readMs)}.`,
      nonZeros !== undefined && ` ${percent(nonZeros / (rows * cols))} of the values are written; all others are 0.`,
      labelsFile !== undefined && ` Labels from ${labelsFile}.`,
    ),
    classes.length > 0 && classList(summary),
    why && h('p', {}, why),
    ...doubts(summary).map((doubt) => h('p', { class: 'data-doubt' }, doubt)),
    not !== undefined && h('p', { class: 'data-doubt' }, not),
    format === 'npy' && labelsChooser(labelsFile, (labels) => actions.change({ labels })),
    format === 'csv' && csvControls(summary, request, actions),
  );
}
