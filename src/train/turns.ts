// Several runs of one session: one after the other, or in step, a pass each in turn.

import type { Pace, Sliced } from '../async/sliced.js';
import type { StopReason } from '../model/report.js';
import type { Pass, Run } from './run.js';

/** Why a session of several runs is over: separated only if all are. */
function reasonOf(runs: readonly Run<unknown>[]): StopReason {
  const reasons = new Set(runs.map((run) => run.stopReason));
  if (reasons.has('max-epochs')) return 'max-epochs';
  return reasons.has('early-stop') ? 'early-stop' : 'separated';
}

/** Each to its end. */
export function* oneByOne(runs: readonly Run<unknown>[]): Sliced<StopReason> {
  for (const run of runs) yield* run.steps;
  return reasonOf(runs);
}

/** A pass of each, then `tell`; those that are over drop out. */
export function* inTurns(
  runs: readonly Run<unknown>[],
  pace: Pace,
  tell: (pass: Pass, isEnd: boolean) => StopReason | undefined,
): Sliced<StopReason> {
  let active = runs;
  while (active.length > 0) {
    const passes: Pass[] = [];
    for (const run of active) {
      for (;;) {
        const { done, value } = run.steps.next();
        const pass = run.take();
        if (pass) passes.push(pass);
        if (done || pass) break;
        yield value;
      }
    }
    active = active.filter((run) => run.stopReason === undefined);
    if (pace.due()) yield;
    if (passes.length === 0) continue;
    const stop = tell(
      {
        epoch: Math.max(...passes.map(({ epoch }) => epoch)),
        mistakes: passes.reduce((sum, { mistakes }) => sum + mistakes, 0),
        loss: passes.reduce((sum, { loss }) => sum + loss, 0),
      },
      active.length === 0 && reasonOf(runs) === 'separated',
    );
    if (stop && active.length > 0) return stop;
  }
  return reasonOf(runs);
}
