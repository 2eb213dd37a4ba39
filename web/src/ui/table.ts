// A table that a phone can scroll sideways, by finger and by keyboard.

import { h } from './dom.js';
import { number } from './numbers.js';

type Cell = string | number;

/** "12 ms", "−3.4×", "–": texts that stand under each other as numbers do. */
const looksNumeric = (value: Cell | undefined): boolean =>
  typeof value === 'number' || value === undefined || /^([−-]?[\d∞].*|–|)$/.test(value);

/** A table with its caption and a head. Columns of numbers stand at the right; the first cell of a row is the name of the row. */
export function table(
  caption: string,
  head: readonly string[],
  rows: readonly (readonly Cell[])[],
  options: { readonly class?: string } = {},
): HTMLElement {
  // Names of rows may well begin with a digit: in the first column only numbers are numbers.
  const isNumber = head.map(
    (_, column) =>
      rows.length > 0 &&
      rows.every(({ [column]: value }) => (column > 0 ? looksNumeric(value) : typeof value === 'number')),
  );
  const classOf = (column: number) => (isNumber[column] ? 'number' : undefined);
  const cell = (value: Cell, column: number) =>
    h(
      column === 0 ? 'th' : 'td',
      {
        class: classOf(column),
        scope: column === 0 ? 'row' : undefined,
      },
      typeof value === 'number' ? number(value, 6) : value,
    );
  const body = h('tbody');
  for (const row of rows) body.append(h('tr', {}, ...row.map(cell)));
  const heads = head.map((text, column) => h('th', { scope: 'col', class: classOf(column) }, text));
  return h(
    'div',
    { class: `scroll ${options.class ?? ''}`.trim(), tabindex: 0, role: 'region', 'aria-label': caption },
    h('table', {}, h('caption', {}, caption), h('thead', {}, h('tr', {}, ...heads)), body),
  );
}
