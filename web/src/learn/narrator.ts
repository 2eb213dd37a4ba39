// For those who hear the page: one sentence a step, totals only while it plays, and the end.

import { speak } from '../ui/speak.js';
import type { Cause, Session } from './session.js';
import { sentenceAt, spokenAt, totalsAt } from './words.js';

const EVERY_MS = 3000;

export function narrator(session: Session): (cause: Cause) => void {
  let last = 0;
  return (cause) => {
    const { trace, steps, isPlaying } = session;
    if (cause === 'mode' && isPlaying) last = performance.now();
    if (cause === 'step' || cause === 'end') speak(spokenAt(trace, steps));
    if (cause === 'reset') speak(`Back at the start. ${sentenceAt(trace, steps)}`);
    if (cause === 'play' && performance.now() - last > EVERY_MS) {
      last = performance.now();
      speak(totalsAt(trace, steps));
    }
  };
}
