// Many short fits in one run: where Benchmark.js would take a quarter of a second at least for each of a hundred
// places of a grid, a turn here is the median of as many calls as fit into a few milliseconds.

import { type Contestant, consume, contestInRounds, median } from './measure.js';
import type { Timing } from './results.js';

/** Milliseconds of a call. */
export const timed = (run: () => number) => (): number => {
  const started = performance.now();
  consume(run());
  return performance.now() - started;
};

/** A turn for `contestInRounds`: the median of what `measure` gives within `ms` milliseconds, of one call at least. */
export const turnOf = (ms: number, measure: () => number) => (): number => {
  const end = performance.now() + ms;
  const times: number[] = [];
  do times.push(measure());
  while (performance.now() < end);
  return median(times);
};

/** Short work in turns of `ms` milliseconds; one turn of each before the first round does not count. */
export function contestOfTurns(contestants: readonly Contestant[], rounds: number, ms: number): Timing[] {
  const measured = contestants.map(({ run, ...contestant }) => ({ ...contestant, measure: turnOf(ms, timed(run)) }));
  for (const { measure } of measured) measure();
  return contestInRounds(measured, rounds);
}
