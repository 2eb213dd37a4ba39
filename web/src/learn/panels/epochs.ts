// Mistakes by epoch: a bar for each that is over, an outline for the one under way.

import { h, svg } from '../../ui/dom.js';
import { counted, number } from '../../ui/numbers.js';
import { boundOf, type EpochRow, epochRows } from '../epochs.js';
import { mistakesAt } from '../trace.js';
import type { Trace } from '../types.js';
import { folded, type Panel } from './panel.js';

/** Bars that have room; and those whose numbers have room, too. */
const MOST_BARS = 100;
const MOST_NUMBERS = 12;
/** Bars before there are so many epochs do not grow wider. */
const LEAST_PLACES = 6;

const HEIGHT = 118;
const TOP = 20;
const BOTTOM = 20;

/** The bound on mistakes, where it says something. */
export function boundWords(trace: Trace, steps: number): string {
  const bound = boundOf(trace);
  if (bound === undefined) return '';
  const formula = trace.setup.margin === 0 ? 'R²/γ²' : '(R² + 2μ/η)/γ²';
  return `At most ${counted(bound, 'mistake')} can happen here (${formula}), in any order. So far ${number(mistakesAt(trace, steps))}.`;
}

/** What the bars show, for those who do not see them. */
export function epochWords(rows: readonly EpochRow[]): string {
  if (rows.length === 0) return 'No epoch has begun.';
  const last = rows.slice(-5);
  const said = last.map(
    ({ epoch, mistakes, isUnderWay }) =>
      `epoch ${epoch}${isUnderWay ? ', under way' : ''}: ${counted(mistakes, 'mistake')}${isUnderWay ? ' so far' : ''}`,
  );
  const lead = last.length < rows.length ? `The last of ${rows.length} epochs: ` : '';
  return `${lead}${said.join('; ')}.`.replace(/^e/, 'E');
}

function draw(rows: readonly EpochRow[], most: number): SVGElement[] {
  const shown = rows.slice(-MOST_BARS);
  const places = Math.max(LEAST_PLACES, shown.length);
  const hasNumbers = shown.length <= MOST_NUMBERS;
  const x = (place: number) => `${((100 * place) / places).toFixed(2)}%`;
  const room = HEIGHT - TOP - BOTTOM;
  const text = (words: string, place: number, y: number, name: string) =>
    svg('text', { class: name, x: x(place + 0.5), y, 'text-anchor': 'middle' }, words);
  const nodes: SVGElement[] = [];
  shown.forEach(({ epoch, mistakes, isUnderWay }, k) => {
    const height = (room * mistakes) / Math.max(1, most);
    const y = TOP + room - height;
    if (mistakes > 0 || isUnderWay) {
      const name = isUnderWay ? 'epoch-bar under-way' : 'epoch-bar';
      const gap = hasNumbers ? 0.14 : 0.06;
      nodes.push(
        svg('rect', { class: name, x: x(k + gap), y: y - 0.5, width: x(1 - 2 * gap), height: Math.max(1, height) }),
      );
    }
    if (hasNumbers) {
      nodes.push(text(number(mistakes), k, y - 5, mistakes === 0 && !isUnderWay ? 'epoch-value clean' : 'epoch-value'));
    }
    if (hasNumbers || k === 0 || k === shown.length - 1) {
      const words = isUnderWay && hasNumbers ? `${epoch} …` : String(epoch);
      nodes.push(text(words, k, HEIGHT - 5, 'epoch-name'));
    }
  });
  const base = svg('line', { class: 'epoch-base', x1: 0, x2: '100%', y1: TOP + room, y2: TOP + room });
  return [base, ...nodes];
}

export function epochPanel(): Panel {
  const picture = svg('svg', { class: 'epoch-picture', role: 'img', height: HEIGHT });
  const words = h('p', { class: 'panel-words' });
  const now = h('span', { class: 'faint' });
  const list = folded('Mistakes by epoch');
  let drawn = '';
  return {
    element: h(
      'div',
      { class: 'panel epoch-panel' },
      h('h2', {}, 'Mistakes by epoch ', now),
      picture,
      words,
      list.element,
    ),
    update(trace, steps) {
      const rows = epochRows(trace, steps);
      const said = boundWords(trace, steps);
      words.textContent = said;
      words.hidden = said === '';
      const last = rows.at(-1);
      now.textContent = last?.isUnderWay ? `· ${last.epoch} is under way` : '';
      const most = trace.epochs.reduce((max, { mistakes }) => Math.max(max, mistakes), 0);
      // Between two mistakes nothing here changes.
      const key = JSON.stringify([last, most, rows.length]);
      if (key === drawn) return;
      drawn = key;
      picture.setAttribute('aria-label', `Mistakes by epoch. ${epochWords(rows)}`);
      picture.replaceChildren(...draw(rows, most));
      list.show(['epoch', 'mistakes', 'in all'], () =>
        rows.map(({ epoch, mistakes, total, isUnderWay }) => [
          isUnderWay ? `${epoch}, under way` : `${epoch}`,
          mistakes,
          total,
        ]),
      );
    },
  };
}
