// Whether the numbers of a run fit together. What does not is told to the reader, not hidden.

import { backwards } from '../../harness/crossing.js';
import { median } from '../../harness/measure.js';
import type { Answer, Results, Timing } from '../../harness/results.js';
import { fixed, percent, plain } from '../words.js';
import { answersOf, cellsOf, growthOf, limitsOf, nameOf, tasksOf, timingsOf } from './collect.js';
import { groupsOf } from './crossover.js';
import { placeOf, rooflineOf } from './roofline.js';

/** Medians may differ from sums by rounding alone. */
const SLACK = 1e-9;
/** A share of a limit above this is more than noise. */
const OVER = 1.1;

export interface Consistency {
  checked: number;
  /** One sentence each. */
  odd: string[];
}

interface Statement {
  holds: boolean;
  otherwise: string;
}

const RULES = { ratios, times, orders, shares, exponents } satisfies Record<string, (results: Results) => Statement[]>;

/** By all rules, or by some. Those of ratios and times hold of any run, however noisy. */
export function consistencyOf(
  results: Results,
  rules: readonly (keyof typeof RULES)[] = Object.keys(RULES) as (keyof typeof RULES)[],
): Consistency {
  const statements = rules.flatMap((rule) => RULES[rule](results));
  return {
    checked: statements.length,
    odd: statements.filter(({ holds }) => !holds).map(({ otherwise }) => otherwise),
  };
}

function ratios(results: Results): Statement[] {
  return answersOf(results).flatMap((answer) => [
    {
      holds: isPossible(answer) && isBetween(answer.ratio, answer.low, answer.high),
      otherwise: `${nameOf(answer)}: the ratio is not within its spread`,
    },
    ...(answer.byRound
      ? [
          {
            holds: isMedian(answer, answer.byRound),
            otherwise: `${nameOf(answer)}: the ratio is not that of its rounds`,
          },
        ]
      : []),
  ]);
}

/** Nothing is a fine answer where less is better: what a call costs over another, say. */
const isPossible = ({ ratio, lowerIsBetter }: Answer): boolean => (lowerIsBetter ? ratio >= 0 : ratio > 0);

const isMedian = ({ ratio, low, high, rounds }: Answer, byRound: readonly number[]): boolean =>
  byRound.length === rounds &&
  isBetween(median(byRound), ratio, ratio) &&
  isBetween(low, Math.min(...byRound), Math.min(...byRound)) &&
  isBetween(high, Math.max(...byRound), Math.max(...byRound));

function times(results: Results): Statement[] {
  const timings: Timing[] = [
    ...timingsOf(results).map(({ timing }) => timing),
    ...cellsOf(results).flatMap(({ primal, dual }) => [primal, dual]),
    ...tasksOf(results).flatMap(({ contenders }) => contenders.map(({ timing }) => timing)),
    ...growthOf(results).flatMap(({ points }) => points.map(({ timing }) => timing)),
  ];
  return timings.map(({ name, ms, rounds }) => ({
    holds: ms > 0 && isBetween(ms, Math.min(...rounds), Math.max(...rounds)),
    otherwise: `${name}: the time is not within its rounds`,
  }));
}

/** What took less time than less of it did, by the times and by the best round of each: a slower moment makes one of them so. */
function backwardsOf(points: readonly { x: number; timing: Timing }[]): [fewer: number, more: number] | undefined {
  const by = (ms: (timing: Timing) => number) =>
    backwards(points.map(({ x, timing }) => ({ epochs: x, ms: ms(timing) })));
  const best = new Set(by(({ rounds }) => Math.min(...rounds)).map(([, more]) => more));
  return by(({ ms }) => ms).find(([, more]) => best.has(more));
}

/** More to do takes longer. */
function orders(results: Results): Statement[] {
  const passes = groupsOf(cellsOf(results)).flatMap(({ rows, cols, cells }) =>
    (['primal', 'dual'] as const).map((form) => ({
      what: `${form} fit ${plain(rows)} × ${plain(cols)}`,
      of: 'passes',
      found: backwardsOf(cells.map((cell) => ({ x: cell.epochs, timing: cell[form] }))),
    })),
  );
  const sizes = growthOf(results).map(({ what, of, at, points }) => ({
    what: `${what}, ${at}`,
    of,
    found: backwardsOf(points),
  }));
  return [...passes, ...sizes].map(({ what, of, found }) => ({
    holds: found === undefined,
    otherwise: `${what}: ${plain(found?.[1])} ${of} took less time than ${plain(found?.[0])}`,
  }));
}

function shares(results: Results): Statement[] {
  const limits = limitsOf(results);
  const more = [
    ...cellsOf(results).flatMap(({ primal, dual }) => [primal, dual]),
    ...growthOf(results).flatMap(({ points }) => points.map(({ timing }) => timing)),
  ].flatMap((timing) => {
    const place = placeOf(timing, limits);
    return place ? [{ label: timing.name, share: place.share }] : [];
  });
  return [
    // Peers may have wider lanes than those the peak was measured with.
    ...rooflineOf(results).filter(({ who }) => who !== 'peer'),
    ...more,
  ].map(({ label, share }) => ({
    holds: share <= OVER,
    otherwise: `${label}: ${percent(share)} of a limit: that was measured in a worse moment, or the work is told wrongly`,
  }));
}

function exponents(results: Results): Statement[] {
  return growthOf(results).map(({ what, of, exponent, margin, expected }) => ({
    holds: Math.abs(exponent - expected) <= Math.max(margin, 0.3),
    otherwise: `${what}: grows as ${of} to the power ${fixed(2)(exponent)}, and ${expected} was expected`,
  }));
}

const isBetween = (x: number, low: number, high: number): boolean => x >= low * (1 - SLACK) && x <= high * (1 + SLACK);
