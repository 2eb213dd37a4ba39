// Several runs of one session: each to its end, or in step, a pass each in turn.

import type { Pace, Sliced } from '../async/sliced.js';
import type { StopReason } from '../model/report.js';
import type { Pass, Run } from './run.js';

/** Why a session of several runs is over: separated only if all are. */
function reasonOf(runs: readonly Run<unknown>[]): StopReason {
  const reasons = new Set(runs.map((run) => run.stopReason));
  if (reasons.has('max-epochs')) return 'max-epochs';
  return reasons.has('early-stop') ? 'early-stop' : 'separated';
}

/** Takes one run after the other as far as `isThere` says. */
function* inOrder(runs: readonly Run<unknown>[], isThere: (run: Run<unknown>) => boolean): Sliced<void> {
  for (const run of runs) {
    for (let isOver = false; !isOver; ) {
      const { done, value } = run.steps.next();
      isOver = done === true || isThere(run);
      if (!done && (value || !isOver)) yield value; // a promise is waited for even if the pass is over
    }
  }
}

/**
 * The same for runs that have nothing in common: while threads work on one, the others go on. An error is that of the first
 * run that has one, as if they had gone in order; a thread that is gone ends all of them. Nobody is told before all threads
 * are back: what they work on is given back then.
 */
function* sideBySide(runs: readonly Run<unknown>[], isThere: (run: Run<unknown>) => boolean): Sliced<void> {
  let active = [...runs];
  const waiting = new Map<Run<unknown>, PromiseLike<unknown>>();
  let failed: { readonly error: unknown } | undefined;
  const fail = (run: Run<unknown>, error: unknown) => {
    failed = { error };
    active = active.slice(0, active.indexOf(run)); // those before it may have one too
  };
  while (active.length > 0) {
    for (const run of active) {
      if (waiting.has(run) || !active.includes(run)) continue;
      try {
        const { done, value } = run.steps.next();
        const isOver = done === true || isThere(run);
        const drop = () => {
          active = active.filter((other) => other !== run);
        };
        if (!done && value) {
          // Even if its pass is over: it must not go on before.
          waiting.set(
            run,
            value.then(
              () => {
                waiting.delete(run);
                if (isOver) drop();
              },
              (error) => {
                waiting.delete(run);
                failed ??= { error };
                active = [];
              },
            ),
          );
        } else if (isOver) {
          drop();
        } else {
          yield;
        }
      } catch (error) {
        fail(run, error);
      }
    }
    if (active.length > 0 && active.every((run) => waiting.has(run))) yield Promise.race(waiting.values());
  }
  if (waiting.size > 0) yield Promise.all(waiting.values());
  if (failed) throw failed.error;
}

/** Which way: side by side where there are threads, and runs that do not need each other. */
const wayFor = (pace: Pace, isIndependent: boolean) => (pace.threads && isIndependent ? sideBySide : inOrder);

/** Each to its end. */
export function* oneByOne(runs: readonly Run<unknown>[], pace: Pace, isIndependent: boolean): Sliced<StopReason> {
  yield* wayFor(pace, isIndependent)(runs, () => false);
  return reasonOf(runs);
}

/** A pass of each, then `tell`; those that are over drop out. */
export function* inTurns(
  runs: readonly Run<unknown>[],
  pace: Pace,
  isIndependent: boolean,
  tell: (pass: Pass, isEnd: boolean, isNow: boolean) => StopReason | undefined,
): Sliced<StopReason> {
  let active = runs;
  while (active.length > 0) {
    const closed = new Map<Run<unknown>, Pass>();
    const isThere = (run: Run<unknown>) => {
      const pass = run.take();
      if (pass) closed.set(run, pass);
      return pass !== undefined;
    };
    yield* wayFor(pace, isIndependent)(active, isThere);
    const passes: Pass[] = [];
    for (const run of active) {
      isThere(run); // its last pass, if it is over
      const pass = closed.get(run);
      if (pass) passes.push(pass);
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
      true,
    );
    if (stop && active.length > 0) return stop;
  }
  return reasonOf(runs);
}
