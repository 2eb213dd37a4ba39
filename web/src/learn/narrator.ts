// For those who hear the page: one sentence a step, totals only while it plays, and the end.

import { speak } from '../ui/speak.js';
import type { Cause, Session } from './session.js';
import { stopWords } from './tour.js';
import { sentenceAt, spokenAt, totalsAt, YOUR_TURN } from './words.js';

const EVERY_MS = 3000;

export function narrator(session: Session): (cause: Cause) => void {
  let last = 0;
  const now = () => {
    const { trace, steps } = session;
    return { points: trace.setup.points, steps, said: sentenceAt(trace, steps), tour: session.tour };
  };
  let before = now();
  /** Other settings, or other points, begin anew. Where nothing is other than it was, as with each pull at a slider, nothing is said. */
  const setUp = () => {
    const { points, steps, said, tour } = now();
    if (tour !== undefined && tour !== before.tour) return speak(stopWords(tour));
    // Whoever edits points says what became of them.
    if (points !== before.points && session.preset === undefined) return;
    if (steps > 0) speak(spokenAt(session.trace, steps));
    else if (before.steps > 0) speak(`Back at the start. ${said}`);
    else if (said !== before.said) speak(said);
  };
  return (cause) => {
    const { trace, steps, isPlaying, opening } = session;
    // What nobody asked for is not talked over: its end is told.
    if (opening === 'playing') return;
    if (cause === 'setup') setUp();
    before = now();
    if (cause === 'mode' && isPlaying) last = performance.now();
    if (cause === 'step' || cause === 'end') speak(`${spokenAt(trace, steps)}${opening ? ` ${YOUR_TURN}` : ''}`);
    if (cause === 'reset') speak(`Back at the start. ${sentenceAt(trace, steps)}`);
    if (cause === 'play' && performance.now() - last > EVERY_MS) {
      last = performance.now();
      speak(totalsAt(trace, steps));
    }
  };
}
