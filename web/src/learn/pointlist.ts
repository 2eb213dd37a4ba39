// The points as a table, and how to reach them by keyboard.

import { h } from '../ui/dom.js';
import { table } from '../ui/table.js';
import { letterSwitch } from './keys.js';
import { colourOf } from './pointname.js';
import type { Session } from './session.js';

export const HELP_ID = 'learn-keys';

const KEYS =
  'Tab to a point. Arrow keys move it, with Shift by more. Space or Enter changes its class, Delete removes it. ' +
  'Page Up and Page Down go from point to point. S steps, P plays or pauses, R resets: anywhere on the page.';

/** What the keys do, for those who hear the page: where there is no list to say it. */
export const keysAlone = (): HTMLElement => h('p', { class: 'unseen', id: HELP_ID }, KEYS);

export function pointList(session: Session): { element: HTMLElement; update(): void } {
  const place = h('div');
  const element = h(
    'details',
    { class: 'point-list' },
    h('summary', {}, 'The points as a table, and the keyboard'),
    h('p', { class: 'faint', id: HELP_ID }, KEYS),
    letterSwitch(),
    place,
  );
  const update = () => {
    if (!element.open) return;
    const counts = session.trace.counts(session.steps);
    place.replaceChildren(
      table(
        'The points, and how often each was a mistake so far',
        ['Point', 'Class', 'x₁', 'x₂', 'Mistakes'],
        session.setup.points.map(({ x, y, label }, i) => [`${i + 1}`, colourOf(label), x, y, counts[i] ?? 0]),
      ),
    );
  };
  element.addEventListener('toggle', update);
  return { element, update };
}
