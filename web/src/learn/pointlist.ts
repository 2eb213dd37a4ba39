// The points as a table, and how to reach them by keyboard.

import { h } from '../ui/dom.js';
import { number } from '../ui/numbers.js';
import { colourOf } from './pointname.js';
import type { Session } from './session.js';

export const HELP_ID = 'learn-keys';

export function pointList(session: Session): { element: HTMLElement; update(): void } {
  const body = h('tbody');
  const heads = ['Point', 'Class', 'x₁', 'x₂', 'Mistakes'];
  const element = h(
    'details',
    { class: 'point-list' },
    h('summary', {}, 'The points as a table, and the keyboard'),
    h(
      'p',
      { class: 'faint', id: HELP_ID },
      'Tab to a point. Arrow keys move it, with Shift by more. Space changes its class, Delete removes it. ' +
        'Page Up and Page Down go from point to point. S steps, P plays or pauses, R resets.',
    ),
    h(
      'div',
      { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Table of the points' },
      h(
        'table',
        {},
        h(
          'thead',
          {},
          h('tr', {}, ...heads.map((text, i) => h('th', { scope: 'col', class: i > 1 && 'number' }, text))),
        ),
        body,
      ),
    ),
  );
  const update = () => {
    if (!element.open) return;
    const counts = session.trace.counts(session.steps);
    body.replaceChildren(
      ...session.setup.points.map(({ x, y, label }, i) =>
        h(
          'tr',
          {},
          h('th', { scope: 'row' }, i + 1),
          h('td', {}, colourOf(label)),
          ...[x, y, counts[i] ?? 0].map((value) => h('td', { class: 'number' }, number(value))),
        ),
      ),
    );
  };
  element.addEventListener('toggle', update);
  return { element, update };
}
