// The opening: a page that was just opened plays its worked example once, slowly, until somebody does anything.

import { embedded } from '../address.js';
import { shortcutIn } from './keys.js';
import type { Session } from './session.js';

let wasShown = false;

/** `play=1` asks for it; without it the worked example plays, as the first thing on the page and only then. */
function isWanted(params: URLSearchParams): boolean {
  if (params.has('step')) return false;
  if (params.has('play')) return params.get('play') === '1';
  return !embedded && !wasShown && params.size === 0;
}

/** Returns how to stop listening for somebody. */
export function opening(session: Session, params: URLSearchParams): () => void {
  const isFirst = isWanted(params);
  wasShown = true;
  if (!isFirst || matchMedia('(prefers-reduced-motion: reduce)').matches) return () => {};
  session.open();
  const stop = (event: Event) => {
    if (session.opening !== 'playing') return;
    // These have their own way with it: the button that says Pause pauses.
    if (event.target instanceof Element && event.target.closest('.main-controls')) return;
    if (event instanceof KeyboardEvent && shortcutIn(event) !== undefined) return;
    session.pause();
  };
  const events = ['pointerdown', 'keydown'] as const;
  for (const name of events) document.addEventListener(name, stop, true);
  return () => {
    for (const name of events) document.removeEventListener(name, stop, true);
  };
}
