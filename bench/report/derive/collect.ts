// What the questions of a run found out, whichever of them it was. A run may have put only some of them.

import type {
  Answer,
  Cell,
  Findings,
  Growth,
  Limits,
  MemoryUse,
  PeerTask,
  Results,
  Start,
} from '../../harness/results.js';

const all =
  <K extends keyof Findings>(key: K) =>
  ({ questions }: Results): NonNullable<Findings[K]>[] =>
    questions.flatMap((told) => (told[key] === undefined ? [] : [told[key] as NonNullable<Findings[K]>]));

export const answersOf = (results: Results): Answer[] => all('answers')(results).flat();
export const cellsOf = (results: Results): Cell[] => all('cells')(results).flat();
export const tasksOf = (results: Results): PeerTask[] => all('tasks')(results).flat();
export const growthOf = (results: Results): Growth[] => all('growth')(results).flat();
export const startsOf = (results: Results): Start[] => all('starts')(results).flat();
export const memoryOf = (results: Results): MemoryUse[] => all('memory')(results).flat();
export const limitsOf = (results: Results): Limits | undefined => all('limits')(results).at(-1);

/** What our engine or the baseline did, with the question it was done for. */
export const timingsOf = ({ questions }: Results) =>
  questions.flatMap(({ name, question, timings = [] }) => timings.map((timing) => ({ name, question, timing })));

/** 'fit 2000 × 1000, engine js': the engine is named once. */
export const nameOf = ({ what, engine }: Pick<Answer, 'what' | 'engine'>): string =>
  engine === undefined || what.includes(`engine ${engine}`) ? what : `${what}, engine ${engine}`;

/** 'fit 2000 × 1000': the same task has the same name on all engines. */
export const taskName = ({ what, engine }: Pick<Answer, 'what' | 'engine'>): string =>
  engine === undefined ? what : what.replace(`, engine ${engine}`, '');

/** In the order in which keys come first. */
export function groupBy<T, K>(things: readonly T[], keyOf: (thing: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const thing of things) {
    const key = keyOf(thing);
    const group = groups.get(key);
    if (group) group.push(thing);
    else groups.set(key, [thing]);
  }
  return groups;
}
