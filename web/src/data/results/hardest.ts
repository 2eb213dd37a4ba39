// The rows that were mistaken most often: near the border, on the wrong side, or wrong in the file.

import { h } from '../../ui/dom.js';
import { number } from '../../ui/numbers.js';
import { table } from '../../ui/table.js';
import type { Results } from '../types.js';
import { short } from '../words.js';

export function hardestView({ hardest, summary }: Results): HTMLElement | undefined {
  if (hardest.length === 0) return undefined;
  const isSparse = summary.nonZeros !== undefined;
  const hasLines = hardest.some(({ line }) => line !== undefined);
  const names = isSparse ? ['values'] : (hardest[0]?.values.map(({ name }) => short(name)) ?? []);
  const rows = hardest.map(({ row, line, updates, label, predicted, values }) => [
    number(row),
    ...(hasLines ? [line === undefined ? '–' : number(line)] : []),
    number(updates),
    short(label),
    label === predicted ? 'yes' : `no: ${short(predicted)}`,
    ...(isSparse
      ? [values.map(({ name, value }) => `${short(name.replace('index ', ''))}:${number(value)}`).join('  ')]
      : values.map(({ value }) => number(value))),
  ]);
  const head = ['row', ...(hasLines ? ['line'] : []), 'times wrong', 'is', 'right now', ...names];
  const left = isSparse
    ? ' Of their values, the first six are shown.'
    : summary.cols > names.length
      ? ` The first ${names.length} columns are shown.`
      : '';
  return h(
    'div',
    { class: 'card is-wide' },
    h('h3', {}, 'The hardest rows'),
    h(
      'p',
      { class: 'faint' },
      `Mistaken most often while it learned: near the border, or labelled wrongly in the file. Rows count from 1${hasLines ? ', lines as an editor counts them' : ''}.${left}`,
    ),
    table('Hardest rows', head, rows, { class: 'data-hard' }),
  );
}
