// Letters that step, play and reset, wherever the focus is but in a field; and the switch for who needs the letters for something
// else (WCAG 2.1.4): then they work on the plane and on the buttons only.

import { h } from '../ui/dom.js';
import type { Session } from './session.js';

/** Nothing is typed into these. */
const FIELDS = 'input:not([type=radio], [type=checkbox], [type=range]), select, textarea';

export const SHORTCUTS = ['s', 'p', 'r'] as const;

let areEverywhere = true;

/** Who switches them off has them off on the way back, too. */
export function letterSwitch(): HTMLElement {
  const input = h('input', { type: 'checkbox' });
  input.checked = areEverywhere;
  input.addEventListener('change', () => {
    areEverywhere = input.checked;
  });
  return h('label', { class: 'check' }, input, 'S, P and R work anywhere on the page');
}

/** Which of them an event is, where it is one. */
export function shortcutIn(event: KeyboardEvent): (typeof SHORTCUTS)[number] | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof Element)) return undefined;
  if (event.target.closest(FIELDS)) return undefined;
  if (!areEverywhere && !event.target.closest('.plane, .learn-bar')) return undefined;
  return SHORTCUTS.find((key) => key === event.key.toLowerCase());
}

/** Returns how to stop listening. */
export function letterKeys(session: Session): () => void {
  const acts: Readonly<Record<(typeof SHORTCUTS)[number], () => void>> = {
    s: () => session.step(),
    p: () => (session.isPlaying ? session.pause() : session.play()),
    r: () => session.reset(),
  };
  const act = (event: KeyboardEvent) => {
    const key = shortcutIn(event);
    // A key that is held down steps on; it does not play and pause in turns.
    if (key === undefined || (event.repeat && key === 'p')) return;
    event.preventDefault();
    acts[key]();
  };
  document.addEventListener('keydown', act);
  return () => document.removeEventListener('keydown', act);
}
