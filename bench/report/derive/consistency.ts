// Whether the numbers of a run fit together. What does not is told to the reader, not hidden.

import type { Results, Timing } from '../../harness/results.js';
import { fixed, percent } from '../words.js';
import { answersOf, cellsOf, growthOf, nameOf, tasksOf, timingsOf } from './collect.js';
import { rooflineOf } from './roofline.js';

/** Medians may differ from sums by rounding alone. */
const SLACK = 1e-9;
/** A share of a limit above this is more than noise. */
const OVER = 1.1;

export interface Consistency {
  checked: number;
  /** One sentence each. */
  odd: string[];
}

export function consistencyOf(results: Results): Consistency {
  const statements = [...ratios(results), ...times(results), ...shares(results), ...exponents(results)];
  return {
    checked: statements.length,
    odd: statements.filter(({ holds }) => !holds).map(({ otherwise }) => otherwise),
  };
}

interface Statement {
  holds: boolean;
  otherwise: string;
}

const ratios = (results: Results): Statement[] =>
  answersOf(results).map((answer) => ({
    holds: answer.ratio > 0 && isBetween(answer.ratio, answer.low, answer.high),
    otherwise: `${nameOf(answer)}: the ratio is not within its spread`,
  }));

function times(results: Results): Statement[] {
  const timings: Timing[] = [
    ...timingsOf(results).map(({ timing }) => timing),
    ...cellsOf(results).flatMap(({ primal, dual }) => [primal, dual]),
    ...tasksOf(results).flatMap(({ contenders }) => contenders.map(({ timing }) => timing)),
  ];
  return timings.map(({ name, ms, rounds }) => ({
    holds: ms > 0 && isBetween(ms, Math.min(...rounds), Math.max(...rounds)),
    otherwise: `${name}: the time is not within its rounds`,
  }));
}

const shares = (results: Results): Statement[] =>
  rooflineOf(results)
    .filter(({ who }) => who !== 'peer') // others may have wider lanes than those the peak was measured with
    .map(({ label, share }) => ({
      holds: share <= OVER,
      otherwise: `${label}: ${percent(share)} of a limit: that was measured in a worse moment, or the work is told wrongly`,
    }));

const exponents = (results: Results): Statement[] =>
  growthOf(results).map(({ what, of, exponent, margin, expected }) => ({
    holds: Math.abs(exponent - expected) <= Math.max(margin, 0.3),
    otherwise: `${what}: grows as ${of} to the power ${fixed(2)(exponent)}, and ${expected} was expected`,
  }));

const isBetween = (x: number, low: number, high: number): boolean => x >= low * (1 - SLACK) && x <= high * (1 + SLACK);
