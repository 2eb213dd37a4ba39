// How many mistakes each epoch made.

import { lineChart } from '../../ui/chart.js';
import { h } from '../../ui/dom.js';
import { number } from '../../ui/numbers.js';
import type { Results } from '../types.js';

/** Points that are drawn: more stand closer than a line is thick. */
const MOST_POINTS = 400;

export function mistakesView({ report }: Results): HTMLElement | undefined {
  const all = report.mistakesByEpoch;
  if (all.length < 2) return undefined;
  const every = Math.ceil(all.length / MOST_POINTS);
  const points = all
    .map((mistakes, k) => [k + 1, mistakes] as const)
    .filter((_, k) => k % every === 0 || k === all.length - 1);
  const chart = lineChart({
    label: every > 1 ? `Mistakes in an epoch, one of ${every} drawn` : 'Mistakes in each epoch',
    x: 'epoch',
    y: 'mistakes',
    lines: [{ name: 'mistakes', points, class: 'accent' }],
    xIsWhole: true,
  });
  // Of a long training the library keeps the first epochs.
  const isCut = all.length < report.epochs;
  const note = `The first ${number(all.length)} of ${number(report.epochs)} epochs: of later ones the mistakes are counted in all, not one by one.`;
  return h(
    'div',
    { class: 'card' },
    h('h3', {}, 'How it went'),
    chart.element,
    isCut && h('p', { class: 'faint' }, note),
  );
}
