// The guided tour on the screen: its stops in a row, and the stop that is shown now.

import { addressOf, embedded } from '../address.js';
import { button, h, setAttribute } from '../ui/dom.js';
import type { Session } from './session.js';
import { stops } from './tour.js';
import type { Setup } from './types.js';

export interface TourBar {
  readonly row: HTMLElement;
  readonly card: HTMLElement;
  update(): void;
}

const addressOfStop = (number: number): string => addressOf('learn', new URLSearchParams({ tour: String(number) }));

export function tourBar(session: Session, act: (setup: Partial<Setup>) => void): TourBar {
  const links = stops.map(({ title }, k) =>
    h(
      'a',
      { class: 'stop', href: addressOfStop(k + 1), 'aria-label': `Stop ${k + 1}: ${title}`, title },
      String(k + 1),
    ),
  );
  const row = h('nav', { class: 'tour', 'aria-label': 'Guided tour' }, h('span', {}, 'Guided tour'), ...links);
  const card = h('section', { class: 'tour-card', 'aria-label': 'Guided tour', hidden: true });
  let shown: number | undefined;
  let next: HTMLElement | undefined;

  function fill(number: number): void {
    const stop = stops[number - 1];
    if (!stop) return;
    const { title, words, task, act: deed } = stop;
    const isLast = number === stops.length;
    next = h(
      'a',
      { class: 'button', href: isLast ? addressOf('learn') : addressOfStop(number + 1) },
      isLast ? 'End of the tour' : embedded ? 'Next stop' : `Next: ${stops[number]?.title}`,
    );
    // Whoever went on by it goes on by it.
    const hadFocus = card.contains(document.activeElement);
    const buttons = h('div', { class: 'row' }, deed && button(deed.text, () => act(deed.setup)), next);
    card.replaceChildren(
      h('p', { class: 'faint' }, `Stop ${number} of ${stops.length}`),
      h('h2', {}, title),
      h('p', {}, words),
      h('p', {}, h('b', {}, 'Try this: '), task),
      buttons,
    );
    if (hadFocus) next.focus({ preventScroll: true });
  }

  return {
    row,
    card,
    update() {
      const { tour } = session;
      if (tour !== shown) {
        shown = tour;
        if (tour !== undefined) fill(tour);
        card.hidden = tour === undefined;
        for (const [k, link] of links.entries()) setAttribute(link, 'aria-current', k + 1 === tour && 'step');
      }
      next?.classList.toggle('main', session.hasSaidAll);
      row.hidden = embedded && tour === undefined;
    },
  };
}
