// How much faster than plain JavaScript, where we lose, and the sentence that a report opens with.

import { median, once, ratioOf } from '../../harness/measure.js';
import {
  type Answer,
  BASELINE,
  type Contender,
  type PeerTask,
  type Ratio,
  type Results,
} from '../../harness/results.js';
import { answersOf, cellsOf, groupBy, nameOf, taskName, tasksOf } from './collect.js';
import { type CrossoverSummary, summaryOf } from './crossover.js';

/** One task, on all engines it was done with; the default one first. */
export interface SpeedUp {
  task: string;
  isLost: boolean;
  points: Answer[];
}

/** Whether rounds lie on both sides of 1: that is neither a win nor a loss. */
export const isWithinNoise = ({ low, high }: Ratio): boolean => low < 1 && high >= 1;

/** Whether plain JavaScript was the faster one, be it within noise. */
export const isBehind = ({ ratio, against }: Answer): boolean => against === BASELINE && ratio < 1;

export const isLost = (answer: Answer): boolean => isBehind(answer) && !isWithinNoise(answer);

/** Against plain JavaScript, by task: those we lose on some engine first, then from the slowest to the fastest. */
export function speedUpsOf(results: Results): SpeedUp[] {
  const answers = answersOf(results).filter(({ against }) => against === BASELINE);
  const speedUps = [...groupBy(answers, taskName)].map(([task, points]): SpeedUp => {
    const sorted = points.sort((a, b) => Number(a.engine !== undefined) - Number(b.engine !== undefined));
    return { task, isLost: points.some(isLost), points: sorted };
  });
  const place = ({ points, isLost: lost }: SpeedUp): number =>
    lost ? Math.min(...points.map(({ ratio }) => ratio)) : (points[0] as Answer).ratio;
  return speedUps.sort((a, b) => Number(b.isLost) - Number(a.isLost) || place(a) - place(b));
}

/** Something that somebody else does faster. */
export interface Loss extends Ratio {
  what: string;
  against: string;
}

/** The baseline where it beats us, and peers with the same algorithm that do; the worst first, those within noise last. (The
 *  baseline is among the contenders of a task, too, but its answers are there already.) */
export function lossesOf(results: Results): Loss[] {
  const own = answersOf(results)
    .filter(isBehind)
    .map((answer) => ({ ...answer, what: nameOf(answer) }));
  return [...own, ...lossesToPeersOf(results)].sort(
    (a, b) => Number(isWithinNoise(a)) - Number(isWithinNoise(b)) || a.ratio - b.ratio,
  );
}

export const lossesToPeersOf = (results: Results): Loss[] => tasksOf(results).flatMap(lossesToPeers);

function lossesToPeers(task: PeerTask): Loss[] {
  return task.contenders
    .filter(({ kind, otherAlgorithm, name }) => kind !== 'ours' && !otherAlgorithm && name !== BASELINE)
    .flatMap((peer) => {
      const ours = rivalOf(peer, task);
      return ours ? [{ what: `${task.what}, ${task.rule}`, against: peer.name, ...ratioTo(peer, ours) }] : [];
    })
    .filter(({ ratio }) => ratio < 1);
}

/** What a user gets: the first of ours. */
export const oursIn = ({ contenders }: PeerTask): Contender | undefined =>
  contenders.find(({ kind }) => kind === 'ours');

/** Which of ours does the same as a peer. */
export const rivalOf = ({ rival }: Contender, task: PeerTask): Contender | undefined =>
  task.contenders.find(({ name }) => name === rival) ?? oursIn(task);

/** How many times a peer takes our time; round by round where both took turns. */
export const ratioTo = (peer: Contender, ours: Contender): Ratio =>
  peer.timing.rounds.length === ours.timing.rounds.length && peer.timing.rounds.length > 0
    ? ratioOf(peer.timing, ours.timing)
    : once(peer.timing.ms / ours.timing.ms);

/** The numbers of the opening sentence; each is there if the run has what it takes. */
export interface Headline {
  training?: { median: number; low: number; high: number; cases: number };
  crossover?: CrossoverSummary;
  /** Undefined where nobody else took part. */
  losses?: Loss[];
  /** Where somebody else was faster in the middle round, and not in all. */
  ties?: Loss[];
}

export function headlineOf(results: Results): Headline {
  const ratios = answersOf(results)
    .filter(({ kind, against, engine }) => kind === 'train' && against === BASELINE && engine === undefined)
    .map(({ ratio }) => ratio);
  const crossover = summaryOf(cellsOf(results));
  const behind = lossesOf(results);
  const hasOthers = answersOf(results).some(({ against }) => against === BASELINE) || tasksOf(results).length > 0;
  return {
    ...(ratios.length > 0 && {
      training: {
        median: median(ratios),
        low: Math.min(...ratios),
        high: Math.max(...ratios),
        cases: ratios.length,
      },
    }),
    ...(crossover && { crossover }),
    ...(hasOthers && {
      losses: behind.filter((loss) => !isWithinNoise(loss)),
      ties: behind.filter(isWithinNoise),
    }),
  };
}
