// Which columns decide: the heaviest weights, of one class at a time where there are more than two.

import { type Bar, barChart } from '../../ui/chart.js';
import { h } from '../../ui/dom.js';
import { number } from '../../ui/numbers.js';
import type { Plane, Results } from '../types.js';
import { short } from '../words.js';

const barsOf = ({ heaviest }: Plane): Bar[] =>
  heaviest.map(({ name, value }) => ({
    name: short(name),
    value,
    class: value > 0 ? 'plus' : 'minus',
    text: number(value, 3),
  }));

const optionsOf = (plane: Plane) => ({
  label: plane.negative === undefined ? `Weights of ${short(plane.positive)}` : 'Weights',
  value: 'weight',
  bars: barsOf(plane),
});

const sentenceOf = ({ positive, negative, bias }: Plane): string => {
  const against = negative === undefined ? 'against it' : `for ${short(negative)}`;
  return `To the right speaks for ${short(positive)}, to the left ${against}. The bias is ${number(bias, 3)}.`;
};

export function weightsView({ planes, summary, choice }: Results): HTMLElement | undefined {
  const [first] = planes;
  if (!first) return undefined;
  const chart = barChart(optionsOf(first));
  const sentence = h('p', { class: 'faint' }, sentenceOf(first));
  const some = summary.cols > first.heaviest.length ? `The heaviest of ${number(summary.cols)}.` : '';
  const scaled = choice.scale === 'none' ? '' : 'Weights of the scaled columns.';
  const note = [some, scaled].join(' ').trim();
  const select = h('select', { 'aria-label': 'Class' });
  planes.forEach(({ positive }, k) => void select.append(h('option', { value: k }, short(positive))));
  select.addEventListener('change', () => {
    const plane = planes[Number(select.value)] as Plane;
    chart.update(optionsOf(plane));
    sentence.textContent = sentenceOf(plane);
  });
  return h(
    'div',
    { class: 'card' },
    h('h3', {}, 'What decides'),
    sentence,
    planes.length > 1 && select,
    chart.element,
    note !== '' && h('p', { class: 'faint' }, note),
  );
}
