// The rows that were mistaken most often: near the border, on the wrong side, or wrong in the file.

import { h } from '../../ui/dom.js';
import { counted, number } from '../../ui/numbers.js';
import { table } from '../../ui/table.js';
import type { Results, Value } from '../types.js';
import { cut, short } from '../words.js';

/** Of a text: the table is to be seen at a glance. */
const MOST_CHARACTERS = 36;

const written = (value: Value['value']): string =>
  typeof value === 'string' ? cut(value, MOST_CHARACTERS) : Number.isNaN(value) ? '–' : number(value);

/** Whose answer it is in the end. */
const FINAL = {
  primal: 'the last border',
  averaged: 'the mean of all borders on the way',
  pocket: 'the best border on the way',
  dual: 'the last border',
};

/** What the numbers say: nobody knows by himself why a row is corrected in every epoch, and right in the end. */
function meaning({ hardest, report, choice }: Results): string {
  const often = hardest.filter(({ updates }) => updates > 1 && updates >= report.epochs / 2);
  const wrong = hardest.filter(({ label, predicted }) => label !== predicted).length;
  const most = often.length === 0 ? '' : ` ${often.length === 1 ? 'One of them was' : `${number(often.length)} of them were`} corrected in at least every second of ${counted(report.epochs, 'epoch')}: other rows pulled the border back each time.`; // biome-ignore format: one sentence
  const end =
    wrong === 0
      ? ` In the end all of them are right: the answer is that of ${FINAL[choice.trainer]}.`
      : ` In the end ${wrong === 1 ? 'one is' : `${number(wrong)} are`} still wrong: on the other side of the border, or labelled wrongly in the file.`;
  return `Corrected most often while it learned, so nearest to the border.${most}${end}`;
}

export function hardestView(results: Results): HTMLElement | undefined {
  const { hardest, summary } = results;
  if (hardest.length === 0) return undefined;
  const isSparse = summary.nonZeros !== undefined;
  const hasLines = hardest.some(({ line }) => line !== undefined);
  const names = isSparse ? ['values'] : (hardest[0]?.values.map(({ name }) => short(name)) ?? []);
  const rows = hardest.map(({ row, line, updates, label, predicted, values }) => [
    number(row),
    ...(hasLines ? [line === undefined ? '–' : number(line)] : []),
    number(updates),
    short(label),
    label === predicted ? 'right' : `wrong: ${short(predicted)}`,
    ...(isSparse
      ? [values.map(({ name, value }) => `${short(name.replace('index ', ''))}:${written(value)}`).join('  ')]
      : values.map(({ value }) => written(value))),
  ]);
  const head = ['row', ...(hasLines ? ['line'] : []), 'corrected', 'is', 'in the end', ...names];
  const left = isSparse
    ? ' Of their values, the first six are shown.'
    : summary.cols > names.length
      ? ` The first ${names.length} columns are shown.`
      : '';
  return h(
    'div',
    { class: 'card is-wide' },
    h('h3', {}, 'The hardest rows'),
    h('p', {}, meaning(results)),
    h(
      'p',
      { class: 'faint' },
      `“Corrected” counts how often. Rows count from 1${hasLines ? ', lines as an editor counts them' : ''}.${left}`,
    ),
    table('Hardest rows', head, rows, { class: 'data-hard' }),
  );
}
