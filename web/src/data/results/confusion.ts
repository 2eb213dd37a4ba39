// Who is taken for whom: a table whose cells are the darker, the more rows are in them.

import { h } from '../../ui/dom.js';
import { counted, number } from '../../ui/numbers.js';
import type { Confusion, Results } from '../types.js';
import { short, whole } from '../words.js';

/** Classes whose table has room beside another picture. */
const MOST_IN_HALF = 6;

export function confusionView({ classes, training, heldOut }: Results): HTMLElement {
  const { confusion } = heldOut ?? training;
  const isWide = confusion.table !== undefined && classes.length > MOST_IN_HALF;
  const rows = heldOut ? 'the rows held out' : 'the training rows';
  const how = confusion.table
    ? 'a line for what they are, a column for what they were taken for. On the diagonal it is right.'
    : 'the mistakes that were made most often.';
  return h(
    'div',
    { class: isWide ? 'card is-wide' : 'card' },
    h('h3', {}, 'Who is taken for whom'),
    h('p', { class: 'faint' }, `Of ${rows}: ${how}`),
    confusion.table ? matrix(classes, confusion.table) : pairs(classes, confusion.worst),
  );
}

const heading = (name: string, scope: 'row' | 'col'): HTMLElement =>
  h('th', { scope, title: whole(name), class: scope === 'col' ? 'number' : undefined }, short(name));

function matrix(classes: readonly string[], confusion: readonly (readonly number[])[]): HTMLElement {
  const body = h('tbody');
  confusion.forEach((counts, row) => {
    const total = counts.reduce((sum, count) => sum + count, 0);
    const line = h('tr', {}, heading(classes[row] as string, 'row'));
    counts.forEach((count, column) => {
      const cell = h(
        'td',
        { class: `number ${row === column ? 'is-right' : count > 0 ? 'is-wrong' : ''}`.trim() },
        number(count),
      );
      cell.style.setProperty('--share', total === 0 ? '0%' : `${Math.round((60 * count) / total)}%`);
      line.append(cell);
    });
    body.append(line);
  });
  return h(
    'div',
    { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Confusion matrix' },
    h(
      'table',
      { class: 'data-confusion' },
      h('caption', {}, 'Rows: what they are. Columns: what they were taken for.'),
      h('thead', {}, h('tr', {}, h('td'), ...classes.map((name) => heading(name, 'col')))),
      body,
    ),
  );
}

function pairs(classes: readonly string[], worst: Confusion['worst']): HTMLElement {
  if (worst.length === 0) return h('p', {}, 'Nobody is taken for anybody else.');
  const items = worst.map(({ is, taken, rows }) =>
    h(
      'li',
      {},
      `${short(classes[is] as string)} taken for ${short(classes[taken] as string)}: ${counted(rows, 'row')}`,
    ),
  );
  return h('ol', { class: 'data-pairs' }, ...items);
}
