// Two runs side by side: what got faster or slower beyond noise. Ratios within a run can be compared with those of
// another, whatever else the machine did meanwhile; times can where both ran on the same machine, once the machine's own
// part (it may be slower today) is taken out, by what was timed of code that is not ours.
//
// Beyond noise: the rounds of one run are all on one side of the rounds of the other. Of five rounds each, chance does
// that once in 126 cases, so of hundreds a few, which is told beside them; and it must be more than a tenth. What was
// measured while the machine was slowed down (pace.ts) is not judged.

import { median } from './measure.js';
import { disturbed } from './pace.js';
import { type Answer, BASELINE, BEST_SIZE, type Results, type Timing } from './results.js';

/** A smaller change is not news. */
const NOTABLE = 1.1;
/** Fewer rounds than these, on either side, cannot tell noise from change. */
const ROUNDS = 5;

export interface Change {
  what: string;
  /** How many times better the new run is; below 1, worse. */
  better: number;
  old: Range;
  new: Range;
}

interface Range {
  value: number;
  low: number;
  high: number;
}

export interface Comparison {
  ratios: Judged;
  /** Where both ran on the same machine. `drift`: how many times slower it was the second time, by code that is not ours;
   *  undefined where no such code was timed in both runs, undisturbed. */
  times?: Judged & { drift?: number };
  /** Why not, otherwise. */
  apart?: string;
}

export interface Judged {
  faster: Change[];
  slower: Change[];
  /** Those that could be judged, changed or not. */
  judged: number;
  /** In only one of the runs. */
  unmatched: number;
  /** With too few rounds, disturbed, or nothing to divide by. */
  unjudged: number;
  /** How many of those judged chance alone would set apart, were all rounds independent: they are not quite, so at least. */
  byChance: number;
}

interface Figure extends Range {
  rounds: number;
  lowerIsBetter: boolean;
  isDisturbed: boolean;
  /** Whether it is a time of other people's code. */
  isOthers?: boolean;
}

export function compareResults(older: Results, newer: Results): Comparison {
  const ratios = judge(ratiosOf(older), ratiosOf(newer));
  const apart = differenceOf(older, newer);
  if (apart !== undefined) return { ratios, apart };
  const [before, after] = [timesOf(older), timesOf(newer)];
  // Disturbed figures are not judged, so they must not decide how those that are look.
  const others = [...after].flatMap(([key, figure]) => {
    const old = before.get(key);
    return old && figure.isOthers && isCalm(old) && isCalm(figure) ? [figure.value / old.value] : [];
  });
  if (others.length === 0) return { ratios, times: judge(before, after) };
  const drift = median(others);
  for (const figure of after.values()) {
    figure.value /= drift;
    figure.low /= drift;
    figure.high /= drift;
  }
  return { ratios, times: { ...judge(before, after), drift } };
}

/** Whether a figure can be divided by another, and tells of the machine as it usually is. */
const isCalm = ({ value, isDisturbed }: Figure): boolean => !isDisturbed && value > 0;

const isJudged = (figure: Figure): boolean => figure.rounds >= ROUNDS && isCalm(figure);

function differenceOf(older: Results, newer: Results): string | undefined {
  for (const key of ['cpu', 'cores', 'node', 'platform'] as const) {
    const [one, other] = [older.machine[key], newer.machine[key]];
    if (one !== other) return `${key} was ${one} and is ${other}`;
  }
  return older.mode === newer.mode ? undefined : `the old run was ${older.mode}, the new one ${newer.mode}`;
}

function judge(older: ReadonlyMap<string, Figure>, newer: ReadonlyMap<string, Figure>): Judged {
  const judged: Judged = { faster: [], slower: [], judged: 0, unmatched: 0, unjudged: 0, byChance: 0 };
  for (const [what, { isOthers }] of older) if (!isOthers && !newer.has(what)) judged.unmatched++;
  for (const [what, figure] of newer) {
    if (figure.isOthers) continue; // it tells of the machine, not of us
    const old = older.get(what);
    if (!old) {
      judged.unmatched++;
      continue;
    }
    if (!isJudged(old) || !isJudged(figure)) {
      judged.unjudged++;
      continue;
    }
    judged.judged++;
    judged.byChance += chanceApart(old.rounds, figure.rounds);
    const isApart = figure.low > old.high || figure.high < old.low;
    const better = figure.lowerIsBetter ? old.value / figure.value : figure.value / old.value;
    if (!isApart || Math.max(better, 1 / better) < NOTABLE) continue;
    (better > 1 ? judged.faster : judged.slower).push({ what, better, old: rangeOf(old), new: rangeOf(figure) });
  }
  judged.faster.sort((a, b) => b.better - a.better);
  judged.slower.sort((a, b) => a.better - b.better);
  return judged;
}

/** How likely it is that of so many rounds of one thing and so many more of the same all are above, or all below: 2 of all
 *  the ways to choose which of them come first. */
function chanceApart(some: number, others: number): number {
  let ways = 1;
  for (let i = 1; i <= some; i++) ways *= (others + i) / i;
  return 2 / ways;
}

const rangeOf = ({ value, low, high }: Figure): Range => ({ value, low, high });

function ratiosOf({ questions }: Results): Map<string, Figure> {
  const slow = new Set(disturbed(questions).map(({ name }) => name));
  return new Map(
    questions.flatMap(({ name, answers }) =>
      answers
        .filter(({ against }) => against !== BEST_SIZE)
        .map((answer) => [nameOf(answer), figureOf(answer, slow.has(name))] as const),
    ),
  );
}

const nameOf = ({ what, against }: Answer): string => `${what}, to ${against}`;

const figureOf = ({ ratio, low, high, rounds, lowerIsBetter }: Answer, isDisturbed: boolean): Figure => ({
  value: ratio,
  low,
  high,
  rounds,
  lowerIsBetter: lowerIsBetter === true,
  isDisturbed,
});

/** All that was timed, whichever part of a run it is in. */
function timesOf({ questions }: Results): Map<string, Figure> {
  const slow = new Set(disturbed(questions).map(({ name }) => name));
  return new Map(
    questions.flatMap((told) => {
      const { name, question, timings = [], cells = [], tasks = [], growth = [] } = told;
      const at = (timing: Timing, where: string, isOthers = timing.name.startsWith(BASELINE)) =>
        [`${timing.name}: ${where}`, { ...timeOf(timing), isDisturbed: slow.has(name), isOthers }] as const;
      return [
        ...timings.map((timing) => at(timing, question)),
        ...cells.flatMap(({ primal, dual }) => [at(primal, question), at(dual, question)]),
        ...tasks.flatMap(({ what, contenders }) =>
          contenders.map(({ timing, kind }) => at(timing, what, kind !== 'ours')),
        ),
        ...growth.flatMap(({ what, of, at: where, points }) =>
          points.map(({ x, timing }) => at(timing, `${what}, ${of} = ${x}, ${where}`)),
        ),
      ];
    }),
  );
}

const timeOf = ({ ms, rounds }: Timing): Omit<Figure, 'isDisturbed'> => ({
  value: ms,
  low: Math.min(...rounds),
  high: Math.max(...rounds),
  rounds: rounds.length,
  lowerIsBetter: true,
});
