// Which column of a CSV file is the label: a list to choose from, or of very many columns a field to write in.

import { h } from '../ui/dom.js';
import { number } from '../ui/numbers.js';
import type { Summary } from './types.js';
import { columnName, short } from './words.js';

/** More columns than this are no list to choose from. */
export const MOST_COLUMNS = 500;

/** The column of this name, or of this number from 0; undefined where there is none. */
export function columnCalled(text: string, columns: readonly (string | undefined)[]): number | undefined {
  const asked = text.trim();
  const named = columns.findIndex((name) => name?.trim() === asked);
  if (named >= 0 && asked !== '') return named;
  const [, digits] = /^(?:column )?(\d+)$/.exec(asked) ?? [];
  return digits !== undefined && Number(digits) < columns.length ? Number(digits) : undefined;
}

export function labelField(
  summary: Summary,
  ignored: readonly number[],
  onLabel: (index: number) => void,
): HTMLElement {
  return summary.columns.length > MOST_COLUMNS
    ? writtenField(summary, onLabel)
    : chosenField(summary, new Set(ignored), onLabel);
}

function chosenField({ columns, label }: Summary, ignored: ReadonlySet<number>, onLabel: (index: number) => void) {
  const select = h('select', { name: 'label-column' });
  // Without it, the browser would show the first column as if it were the label.
  if (!label) select.append(h('option', { value: '', selected: true, disabled: true }, 'Choose a column'));
  columns.forEach((name, index) => {
    if (ignored.has(index) && index !== label?.index) return;
    const isLabel = index === label?.index;
    select.append(h('option', { value: index, selected: isLabel }, short(columnName(name, index))));
  });
  select.addEventListener('change', () => onLabel(Number(select.value)));
  return h('label', { class: 'data-field' }, h('span', {}, 'Label column'), select);
}

function writtenField({ columns, label }: Summary, onLabel: (index: number) => void): HTMLElement {
  const input = h('input', { type: 'text', name: 'label-column', autocomplete: 'off', spellcheck: 'false' });
  input.value = label ? short(columnName(label.name, label.index)) : '';
  const hint = `A name, or a number from 0 to ${number(columns.length - 1)}.`;
  const said = h('span', { class: 'faint' }, hint);
  input.addEventListener('change', () => {
    const index = columnCalled(input.value, columns);
    said.className = index === undefined ? 'data-wrong' : 'faint';
    said.textContent = index === undefined ? `There is no such column. ${hint}` : hint;
    input.setAttribute('aria-invalid', String(index === undefined));
    if (index !== undefined && index !== label?.index) onLabel(index);
  });
  return h('label', { class: 'data-field' }, h('span', {}, 'Label column'), input, said);
}
