// Many short fits in one run: where Benchmark.js would take a quarter of a second at least for each of a hundred
// places of a grid, a turn here is the median of as many calls as fit into a few milliseconds.

import { consume, median } from './measure.js';

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
