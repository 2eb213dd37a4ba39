// The data and the border, in two columns.

import { planeChart } from '../../ui/chart.js';
import { h } from '../../ui/dom.js';
import { number } from '../../ui/numbers.js';
import type { Results } from '../types.js';
import { short } from '../words.js';

export function viewView({ view, classes, choice, summary }: Results): HTMLElement | undefined {
  if (!view) return undefined;
  const { x, y, every, others } = view;
  const isBent = choice.trainer === 'dual' && choice.kernel !== 'linear';
  const which =
    others === 0
      ? `Both columns, and the ${isBent ? 'bent' : 'straight'} border between the classes.`
      : `The two heaviest of ${number(others + 2)} columns, and the border where the others have their usual values. A point on the wrong side here may still be answered rightly, because of its other values.`;
  const some = every > 1 ? ` One row in ${number(every)} is drawn of ${number(summary.rows)}.` : '';
  const named = ({ name, ...rest }: typeof x) => ({ ...rest, name: short(name) });
  const chart = planeChart({
    label: 'Rows and border',
    ...view,
    x: named(x),
    y: named(y),
    classes: classes.map(short),
  });
  return h(
    'div',
    { class: 'card' },
    h('h3', {}, 'The data and the border'),
    h('p', { class: 'faint' }, `${which}${some}`),
    chart.element,
  );
}
