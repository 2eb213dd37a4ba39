// All questions there are, in the order in which they are put, and about how long each takes on two cores of 2021
// (for the time remaining until there is a run to go by).

import type { Mode } from './results.js';

export interface Question {
  /** Its file in bench/questions/. */
  name: string;
  /** Seconds by mode; a mode that is not here does not put the question. */
  seconds: Partial<Record<Mode, number>>;
  /** Put only if --only names it: it takes much room on the disk. */
  onRequest?: true;
}

export const QUESTIONS: readonly Question[] = [
  { name: 'limits', seconds: { smoke: 1, quick: 2, full: 7 } },
  { name: 'crossover', seconds: { smoke: 1, quick: 8, full: 150 } },
  { name: 'scan', seconds: { smoke: 1, quick: 4, full: 25 } },
  { name: 'fit', seconds: { smoke: 1, quick: 5, full: 50 } },
  { name: 'small', seconds: { smoke: 1, quick: 2, full: 9 } },
  { name: 'gram', seconds: { smoke: 1, quick: 4, full: 80 } },
  { name: 'sparse', seconds: { smoke: 1, quick: 3, full: 40 } },
  { name: 'integers', seconds: { smoke: 3, full: 150 } },
  { name: 'float32', seconds: { smoke: 1, full: 5 } },
  { name: 'threads', seconds: { smoke: 1, quick: 5, full: 120 } },
  { name: 'startup', seconds: { smoke: 1, quick: 4, full: 20 } },
  { name: 'memory', seconds: { smoke: 1, quick: 4, full: 50 } },
  { name: 'growth', seconds: { smoke: 1, quick: 3, full: 18 } },
  { name: 'peers', seconds: { smoke: 2, quick: 6, full: 110 } },
  { name: 'firstcall', seconds: { smoke: 1, full: 5 } },
  { name: 'dual', seconds: { smoke: 1, full: 50 } },
  { name: 'pocket', seconds: { smoke: 1, full: 50 } },
  { name: 'multiclass', seconds: { smoke: 1, full: 25 } },
  { name: 'kernel', seconds: { smoke: 1, full: 45 } },
  { name: 'select', seconds: { smoke: 1, full: 40 } },
  { name: 'text', seconds: { smoke: 4, quick: 5, full: 20 } },
  { name: 'textfile', seconds: { smoke: 2, full: 15 } },
  { name: 'libsvmfile', seconds: { smoke: 3, full: 90 } },
  { name: 'io', seconds: { smoke: 4, full: 130 } },
  { name: 'bigfile', seconds: { full: 120 }, onRequest: true },
];

/** What times are shares of: asked with whatever else is asked. */
const LIMITS = 'limits';

/**
 * Those of a mode; with a pattern those whose names fit it, whatever the mode has, and the limits that their times are
 * shares of. One that is put on request only must be named in full: a pattern that fits everything does not mean it.
 */
export function chosen(mode: Mode, only?: RegExp): Question[] {
  if (only) {
    const fits = ({ name, onRequest }: Question): boolean =>
      only.test(name) && (!onRequest || only.source.toLowerCase().includes(name));
    return QUESTIONS.some(fits) ? QUESTIONS.filter((question) => question.name === LIMITS || fits(question)) : [];
  }
  return QUESTIONS.filter(({ seconds, onRequest }) => seconds[mode] !== undefined && !onRequest);
}
