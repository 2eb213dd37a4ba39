// What rounding leaves where numbers cancel: 2.8e−17 is shown as the 0 that it is on paper. Only what is shown: the trace keeps
// the library's own numbers.

import { planeAt } from './trace.js';
import type { Plane, Step, Trace } from './types.js';

/** As a share of the largest number of a trace; rounding is some 1e-16 of it for each step, and there are thousands at most. */
const SHARE = 1e-12;

const known = new WeakMap<readonly Step[], number>();

/** What is dust, by the largest number of all steps. */
function dustOf({ steps }: Pick<Trace, 'steps'>): number {
  let dust = known.get(steps);
  if (dust === undefined) {
    let largest = 0;
    for (const { after, bias, score } of steps) {
      const sizes = [bias, score, ...(after?.w ?? [])].map(Math.abs);
      largest = Math.max(largest, ...sizes);
    }
    dust = SHARE * largest;
    known.set(steps, dust);
  }
  return dust;
}

const shown = (plane: Plane, clean: (value: number) => number): Plane => ({
  w: [clean(plane.w[0]), clean(plane.w[1])],
  b: clean(plane.b),
});

/** Takes the dust from numbers of a trace. */
export function cleaner(trace: Pick<Trace, 'steps'>): (value: number) => number {
  const dust = dustOf(trace);
  return (value) => (Math.abs(value) <= dust ? 0 : value);
}

/** The line that moves, as it is shown; undefined with a kernel that bends lines. */
export function shownPlaneAt(trace: Trace, moment: number): Plane | undefined {
  const plane = planeAt(trace, moment);
  return plane && shown(plane, cleaner(trace));
}

/** A step as it is shown. The score of a sample that is right by dust alone stays as it is: it is not 0. */
export function shownStep(trace: Trace, step: Step): Step {
  const clean = cleaner(trace);
  const { before, after, bias, score, isMistake } = step;
  return {
    ...step,
    before: before && shown(before, clean),
    after: after && shown(after, clean),
    bias: clean(bias),
    score: isMistake ? clean(score) : score,
  };
}
