// One-vs-rest (SPEC §11): a learner for each class against the rest. Where they can, they are trained in step, with one look at a
// row; else one after the other, or side by side on threads. Each ends with the bits of being trained alone.

import * as at from '../../assembly/layout.js';
import { type Pausing, waitFor } from '../async/pausing.js';
import { drive, SliceClock } from '../async/turns.js';
import type { Gram } from '../gram/gramrows.js';
import { type History, type StopReason, together } from '../model/report.js';
import type { RunState } from '../model/state.js';
import { adviceOf } from './advice.js';
import type { InStep } from './instep.js';
import type { Learner } from './learner.js';
import { beginTraining, type EpochDone, endEpoch, type Hooks, type Training, train, trainEpoch } from './loop.js';

/** @typeParam Learned what a learner learns; @typeParam S the state of all of them */
export class OneVsRest<Learned, S> implements Training<S> {
  readonly #members: readonly Learner<Learned>[];
  readonly #inStep: InStep | undefined;
  readonly #gram: Gram | undefined;
  readonly #stateOf: (runs: (RunState & Learned)[], history: History) => S;

  constructor(
    members: readonly Learner<Learned>[],
    inStep: InStep | undefined,
    gram: Gram | undefined,
    stateOf: (runs: (RunState & Learned)[], history: History) => S,
  ) {
    this.#members = members;
    this.#inStep = inStep;
    this.#gram = gram;
    this.#stateOf = stateOf;
  }

  *train(hooks: Hooks): Pausing<StopReason> {
    const members = this.#members;
    for (const member of members) yield* beginTraining(member, hooks);
    if (!this.#inStep && !hooks.onEpoch) {
      yield* this.#each(members, hooks, (member) => train(member, hooks));
      return reasonOf(members);
    }
    for (let active = members; active.length > 0; active = active.filter(({ stopReason }) => !stopReason)) {
      const closed = yield* this.#epoch(active, hooks);
      const isOver = active.every(({ stopReason }) => stopReason);
      const stop = tell(closed, isOver && reasonOf(members) === 'separated', hooks);
      if (stop && !isOver) return stop;
      if (hooks.clock.due()) yield;
    }
    return reasonOf(members);
  }

  /** An epoch of each; returns those that were closed, in the order of classes. */
  *#epoch(active: readonly Learner[], hooks: Hooks): Pausing<EpochDone[]> {
    const closed: (EpochDone | undefined)[] = active.map(() => undefined);
    const collecting = (k: number) => ({
      onEpoch(epoch: EpochDone) {
        closed[k] = epoch;
        return undefined;
      },
    });
    if (this.#inStep) {
      yield* this.#inStep.epoch(active, hooks);
      active.forEach((member, k) => {
        const mistakes = member.record.u32(at.PASS_MISTAKES);
        const loss = member.record.f64(at.PASS_LOSS);
        member.record.setU32(at.PASSES, 0);
        member.epochsLeft--;
        const stop = endEpoch(member, mistakes, loss, mistakes === 0, collecting(k));
        member.stopReason = stop ?? (member.epochsLeft === 0 ? 'max-epochs' : undefined);
      });
    } else {
      yield* this.#each(active, hooks, function* (member, k) {
        member.stopReason = yield* trainEpoch(member, { ...hooks, ...collecting(k) });
      });
    }
    return closed.filter((epoch) => epoch !== undefined);
  }

  /** Does something for each learner: one after the other, or side by side on threads if they share nothing that changes. */
  *#each(
    members: readonly Learner[],
    hooks: Hooks,
    work: (member: Learner, k: number) => Pausing<unknown>,
  ): Pausing<void> {
    const { threads, clock } = hooks;
    if (!threads || threads.limit < 2 || !(clock instanceof SliceClock) || this.#gram?.mode === 'rows') {
      for (const [k, member] of members.entries()) yield* work(member, k);
      return;
    }
    const works = members.map(work);
    try {
      const all = works.map((own) => drive(own, clock, threads.signal));
      const outcomes = yield* waitFor(Promise.allSettled(all));
      // The error of the first learner that has one, as if they had gone one after the other.
      for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
    } finally {
      for (const own of works) own.return(undefined);
    }
  }

  modelState(stopReason: StopReason): S {
    const runs = this.#members.map((member) => member.state(member.stopReason ?? stopReason));
    const histories = runs.map(({ history }) => history);
    const epochs = Math.max(...histories.map((history) => history.epochs));
    const advice = adviceOf(this.#members, stopReason, epochs);
    return this.#stateOf(runs, together(histories, stopReason, advice));
  }

  hasBegun(): boolean {
    return this.#members.some((member) => member.hasBegun());
  }

  progress(): { epoch: number; done: number; total: number } {
    const first = this.#members[0] as Learner;
    return (this.#members.find(({ stopReason }) => !stopReason) ?? first).progress();
  }

  get epochs(): number {
    return Math.max(...this.#members.map(({ counters }) => counters.epochs));
  }

  get gram(): Training<S>['gram'] {
    return this.#gram ?? this.#inStep?.gram;
  }

  release(): void {
    for (const member of this.#members) member.release();
    this.#inStep?.release();
    this.#gram?.release();
  }
}

/** Why training of several learners is over: separated only if all are. */
function reasonOf(members: readonly Learner[]): StopReason {
  const reasons = new Set(members.map(({ stopReason }) => stopReason));
  if (reasons.has('max-epochs')) return 'max-epochs';
  return reasons.has('early-stop') ? 'early-stop' : 'separated';
}

/** Tells of the epochs of all classes as one. */
function tell(closed: readonly EpochDone[], isEnd: boolean, { onEpoch }: Hooks): StopReason | undefined {
  if (!onEpoch || closed.length === 0) return undefined;
  const sum = (of: (epoch: EpochDone) => number) => closed.reduce((total, epoch) => total + of(epoch), 0);
  return onEpoch({
    epoch: Math.max(...closed.map(({ epoch }) => epoch)),
    mistakes: sum(({ mistakes }) => mistakes),
    loss: sum(({ loss }) => loss),
    isEnd,
  });
}
