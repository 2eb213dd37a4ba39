// How far rows are from the border, the right side counting up.

import { histogram } from '../../ui/chart.js';
import { h } from '../../ui/dom.js';
import { number } from '../../ui/numbers.js';
import type { Margins, Results } from '../types.js';
import { short } from '../words.js';

/** More groups over each other cannot be told apart. */
const MOST_GROUPS = 4;

const AXES: Record<Margins['kind'], string> = {
  distance: 'distance from the border',
  score: 'score on its own side',
  lead: 'lead over the best other class',
};
const SENTENCES: Record<Margins['kind'], string> = {
  distance: 'Distance from the border. Right of 0 is the right side; near 0 it was a close call.',
  score: 'How sure it is. Right of 0 is the right side; near 0 it was a close call.',
  lead: 'By how much the right class leads. Left of 0 another one won.',
};

export function marginsView({ margins, heldOut, choice }: Results): HTMLElement {
  const { groups, every, kind } = margins;
  const shown =
    groups.length <= MOST_GROUPS
      ? groups
      : [{ name: 'all classes', values: Float64Array.from(groups.flatMap(({ values }) => [...values])) }];
  const colours = shown.length === 2 ? ['minus', 'plus'] : [];
  const chart = histogram({
    label: 'Margins',
    x: AXES[kind],
    groups: shown.map((group, k) => ({
      ...group,
      name: short(group.name),
      ...(colours[k] !== undefined && { class: colours[k] }),
    })),
    mark: 0,
  });
  const scaled = choice.scale === 'none' || kind !== 'distance' ? '' : ' It is measured in the scaled columns.';
  const some = every > 1 ? ` Drawn from one row in ${number(every)}.` : '';
  return h(
    'div',
    { class: 'card' },
    h('h3', {}, 'How sure it is'),
    h('p', { class: 'faint' }, `${SENTENCES[kind]}${scaled}${heldOut ? ' Of the rows held out.' : ''}${some}`),
    chart.element,
  );
}
