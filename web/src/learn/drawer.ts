// Everything for the second look, closed at first. What is in it comes when it is opened: who never does loads nothing of it.

import { h } from '../ui/dom.js';
import type { Session } from './session.js';

export interface Drawer {
  readonly element: HTMLDetailsElement;
  update(): void;
}

export function drawer(session: Session): Drawer {
  const place = h('div', { class: 'drawer-place' });
  const element = h(
    'details',
    { class: 'drawer' },
    h('summary', {}, 'More: bend the line, keep the best one, ask for a margin, look at the dual form'),
    place,
  );
  let inside: { update(): void } | undefined;
  let isOnItsWay = false;

  async function fill(): Promise<void> {
    isOnItsWay = true;
    try {
      const { settings } = await import('./settings.js');
      const made = settings(session);
      made.update();
      place.replaceChildren(made.element);
      inside = made;
    } catch (error) {
      const why = `This could not be loaded: ${(error as Error).message}. Close it and open it again to try once more.`;
      place.replaceChildren(h('p', { class: 'trouble', role: 'alert' }, why));
    } finally {
      isOnItsWay = false;
    }
  }

  /** As the session was told, or told us, last. Between a click and the event that tells of it there may be updates. */
  let told = false;
  element.addEventListener('toggle', () => {
    told = element.open;
    if (element.open !== session.isDrawerOpen) session.mode({ isDrawerOpen: element.open });
  });
  return {
    element,
    update() {
      if (session.isDrawerOpen !== told) {
        told = session.isDrawerOpen;
        element.open = told;
      }
      if (!told) return;
      if (inside) inside.update();
      else if (!isOnItsWay) void fill();
    },
  };
}
