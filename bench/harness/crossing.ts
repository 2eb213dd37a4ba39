// Where the dual form overtakes the primal, from times at several numbers of passes.

import { relativeFit } from './relative.js';

export interface Point {
  epochs: number;
  primalMs: number;
  dualMs: number;
}

/** Passes and milliseconds where both take the same; or the dual form is faster from the first point on, or not by the last. */
export type Crossing = { epochs: number; ms: number } | 'before' | 'after';

/**
 * Both forms pay something once and something for each pass: a straight line each through all the points, and where the
 * two meet. A point that noise has moved moves that a little; by the neighbours of a crossing alone it would decide it.
 * Points in any order; a crossing outside of them is not claimed.
 */
export function crossingAt(points: readonly Point[]): Crossing {
  const sorted = [...points].sort((a, b) => a.epochs - b.epochs);
  const [first, last] = [sorted[0]?.epochs ?? 1, sorted.at(-1)?.epochs ?? 1];
  const line = (ms: (point: Point) => number) =>
    relativeFit(sorted.map((point) => ({ u: 1, v: point.epochs, y: ms(point) })));
  const [primal, dual] = [line(({ primalMs }) => primalMs), line(({ dualMs }) => dualMs)];
  if (!(primal.b > 0 && dual.b >= 0)) return betweenPoints(sorted); // one point, or noise has passes cost nothing
  const lead = (epochs: number): number => primal.a - dual.a + (primal.b - dual.b) * epochs;
  if (lead(last) < 0) return 'after';
  if (primal.b <= dual.b) return lead(first) > 0 ? 'before' : 'after'; // the primal form catches up, if anybody does
  const epochs = (dual.a - primal.a) / (primal.b - dual.b);
  return epochs < first ? 'before' : { epochs, ms: primal.a + primal.b * epochs };
}

/** From where on the dual form stays ahead, on straight lines between the logarithms of passes and of primal / dual. */
function betweenPoints(sorted: readonly Point[]): Crossing {
  const leads = sorted.map(({ primalMs, dualMs }) => Math.log(primalMs / dualMs));
  const before = leads.findLastIndex((lead) => lead < 0);
  if (before < 0) return 'before';
  if (before === sorted.length - 1) return 'after';
  const [from, to] = [sorted[before] as Point, sorted[before + 1] as Point];
  const [behind, ahead] = [leads[before] as number, leads[before + 1] as number];
  const share = -behind / (ahead - behind);
  return {
    epochs: from.epochs * (to.epochs / from.epochs) ** share,
    ms: from.primalMs * (to.primalMs / from.primalMs) ** share,
  };
}

/** The passes alone. 0: from the first point on; Infinity: not even at the last. */
export function crossingOf(points: readonly Point[]): number {
  const crossing = crossingAt(points);
  return crossing === 'before' ? 0 : crossing === 'after' ? Infinity : crossing.epochs;
}

/** More passes take at least this share of the time of fewer: below it, it is noise. */
const MONOTONE = 0.9;

/** Numbers of passes that took less time than fewer of them did: the fewer, the more. In any order. */
export function backwards(times: readonly { epochs: number; ms: number }[]): [fewer: number, more: number][] {
  const sorted = [...times].sort((a, b) => a.epochs - b.epochs);
  const found: [number, number][] = [];
  let slowest = sorted[0];
  for (const time of sorted) {
    if (!slowest || time.ms >= slowest.ms) slowest = time;
    else if (time.ms < MONOTONE * slowest.ms && time.epochs > slowest.epochs) found.push([slowest.epochs, time.epochs]);
  }
  return found;
}

/** How many times one is the other, or the other the one: 1 where they agree. */
export const factorBetween = (one: number, other: number): number => Math.max(one / other, other / one);
