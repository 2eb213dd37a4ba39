// Contenders for one task take turns: in each round everybody is measured once, in one process or another.

import { consume, median, ratioOf, timingOf, turnsOf } from '../harness/measure.js';
import type { Answer, Contender, PeerTask, Target, Timing, Work } from '../harness/results.js';

export interface Player {
  name: string;
  kind: Contender['kind'];
  /** Milliseconds of so many calls, each. */
  measure: (calls: number) => number[] | Promise<number[]>;
  otherAlgorithm?: boolean;
  /** Asked for when all rounds are over. */
  note?: string | (() => string);
  work?: Work;
  /** What an answer calls it; without one there is no answer about it. */
  against?: string;
  /** Which of ours does the same as it; undefined: the first. */
  rival?: string;
  target?: Target;
  /** Measured along, for a note: no contender. */
  aside?: true;
}

export interface Task {
  /** E.g. 'fit 300 × 100, dense'. */
  what: string;
  rule: string;
  /** The first is ours. */
  players: Player[];
  skipped: PeerTask['skipped'];
}

export interface Pace {
  rounds: number;
  /** Milliseconds of a turn, about: several calls where one is shorter. Theirs is then the median. Undefined: a turn is one
   *  call, and no call warms up, because each is a process of its own. */
  turnMs?: number;
}

export interface Played {
  task: PeerTask;
  answers: Answer[];
  /** Of all players, those on the side too, by name. */
  timings: Map<string, Timing>;
}

const MOST_CALLS = 100;
/** A player whose first call takes so many turns is warm. */
const PATIENCE = 10;

/** Calls in this process. */
export const calling =
  (run: () => number) =>
  (calls: number): number[] =>
    Array.from({ length: calls }, () => {
      const started = performance.now();
      consume(run());
      return performance.now() - started;
    });

/** The same of work whose first result is checked: that call only warms up, and one that takes seconds is not made once more. */
export function callingChecked<T>(run: () => T, check: (result: T) => void, use: (result: T) => number) {
  let checked = false;
  return calling(() => {
    const result = run();
    if (!checked) check(result);
    checked = true;
    return use(result);
  });
}

/** Calls that fit into a turn, by calls that also warm the player up. */
async function callsOf({ measure }: Player, turnMs: number): Promise<number> {
  const [first] = (await measure(1)) as [number];
  if (first > PATIENCE * turnMs) return 1;
  // The first call compiles: how long one takes, later ones tell.
  const typical = median(await measure(3));
  return Math.max(1, Math.min(MOST_CALLS, Math.round(turnMs / typical)));
}

export async function play(task: Task, { rounds, turnMs }: Pace): Promise<Played> {
  const { what, rule, players, skipped } = task;
  const calls: number[] = [];
  for (const player of players) calls.push(turnMs === undefined ? 1 : await callsOf(player, turnMs));
  const times = players.map((): number[][] => []);
  for (let round = 0; round < rounds; round++) {
    for (const i of turnsOf(players.length, round)) {
      times[i]?.push([median(await (players[i] as Player).measure(calls[i] as number))]);
    }
  }
  const timings = new Map(players.map((player, i) => [player.name, timingOf(player, times[i] as number[][])]));
  const contenders = players.filter(({ aside }) => !aside).map((player) => contenderOf(player, timings));
  const answers = players.flatMap((player) => answersAbout(player, timings, task));
  return { task: { what, rule, contenders, skipped }, answers, timings };
}

function contenderOf(
  { name, kind, otherAlgorithm = false, note, rival }: Player,
  timings: Map<string, Timing>,
): Contender {
  const words = typeof note === 'function' ? note() : note;
  const timing = timings.get(name) as Timing;
  return { name, kind, otherAlgorithm, timing, ...(words && { note: words }), ...(rival && { rival }) };
}

function answersAbout(
  { name, against, rival, target, aside }: Player,
  timings: Map<string, Timing>,
  { what, players }: Task,
): Answer[] {
  if (against === undefined || aside) return [];
  const [first] = players as [Player];
  const [theirs, ours] = [timings.get(name) as Timing, timings.get(rival ?? first.name) as Timing];
  return [{ what, ...ratioOf(theirs, ours), against, ...(target && { target }) }];
}
