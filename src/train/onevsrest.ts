// One-vs-rest (SPEC §11): a learner for each class against the rest. They are trained in step if possible, so that an epoch reads
// each row once; else one after the other, or at the same time on threads. Each ends bit-identical to being trained alone.

import * as at from '../../assembly/layout.js';
import { type Pausing, waitFor } from '../async/pausing.js';
import { drive, SliceClock } from '../async/turns.js';
import type { Gram } from '../gram/gramrows.js';
import { combinedHistory, type History, type StopReason } from '../model/report.js';
import type { RunState } from '../model/state.js';
import { adviceOf } from './advice.js';
import type { InStep } from './instep.js';
import type { Learner } from './learner.js';
import { beginTraining, type EpochDone, endEpoch, type Hooks, type Training, train, trainEpoch } from './loop.js';

/** @typeParam Learned what a learner learns; @typeParam S the state of the model */
export class OneVsRest<Learned, S> implements Training<S> {
  readonly #members: readonly Learner<Learned>[];
  readonly #inStep: InStep | undefined;
  readonly gram: Training<S>['gram'];
  readonly #sharedGram: Gram | undefined;
  readonly #stateOf: (runs: (RunState & Learned)[], history: History) => S;

  constructor(
    members: readonly Learner<Learned>[],
    inStep: InStep | undefined,
    gram: Gram | undefined,
    stateOf: (runs: (RunState & Learned)[], history: History) => S,
  ) {
    this.#members = members;
    this.#inStep = inStep;
    this.#sharedGram = gram;
    this.gram = gram ?? inStep?.gram;
    this.#stateOf = stateOf;
  }

  *train(hooks: Hooks): Pausing<StopReason> {
    const members = this.#members;
    for (const member of members) yield* beginTraining(member, hooks, members[0]);
    if (!this.#inStep && !hooks.onEpoch) {
      yield* this.#each(members, hooks, (member) => train(member, hooks));
      return reasonOf(members);
    }
    for (let active = members; active.length > 0; ) {
      const closed = this.#inStep ? yield* this.#epochInStep(active, hooks) : yield* this.#epoch(active, hooks);
      active = active.filter(({ stopReason }) => !stopReason);
      const isEnd = active.length === 0 && reasonOf(members) === 'separated';
      const stop = closed.length > 0 ? hooks.onEpoch?.(sumOf(closed, isEnd)) : undefined;
      if (stop && active.length > 0) return stop;
      if (active.length > 0 && hooks.clock.due()) yield;
    }
    return reasonOf(members);
  }

  /** An epoch of all classes in step; returns the epoch of each class. */
  *#epochInStep(active: readonly Learner[], hooks: Hooks): Pausing<EpochDone[]> {
    yield* (this.#inStep as InStep).epoch(active, hooks);
    const closed: EpochDone[] = [];
    for (const member of active) {
      const { record, counters } = member;
      const mistakes = record.u32(at.PASS_MISTAKES);
      const loss = record.f64(at.PASS_LOSS);
      const isEnd = mistakes === 0;
      record.setU32(at.PASSES, 0);
      member.epochsLeft--;
      const stop = endEpoch(member, mistakes, loss, isEnd, { onEpoch: undefined });
      member.stopReason = stop ?? (member.epochsLeft === 0 ? 'max-epochs' : undefined);
      closed.push({ epoch: counters.epochs, mistakes, loss, isEnd });
    }
    return closed;
  }

  /** An epoch of each class by itself; returns the finished ones, in the order of classes. */
  *#epoch(active: readonly Learner[], hooks: Hooks): Pausing<EpochDone[]> {
    const closed: EpochDone[] = [];
    yield* this.#each(active, hooks, function* (member, k) {
      const onEpoch = (epoch: EpochDone) => {
        closed[k] = epoch;
        return undefined;
      };
      member.stopReason = yield* trainEpoch(member, { ...hooks, onEpoch });
    });
    return closed.filter(Boolean);
  }

  /** Runs `work` for each learner: one after the other, or at the same time on threads if they share nothing that changes. */
  *#each(
    members: readonly Learner[],
    hooks: Hooks,
    work: (member: Learner, k: number) => Pausing<unknown>,
  ): Pausing<void> {
    const { threads, clock } = hooks;
    if (!threads || threads.isAlone || !(clock instanceof SliceClock) || this.#sharedGram?.mode === 'rows') {
      for (const [k, member] of members.entries()) yield* work(member, k);
      return;
    }
    const works = members.map(work);
    try {
      const all = works.map((own) => drive(own, clock, threads.options.signal));
      const outcomes = yield* waitFor(Promise.allSettled(all));
      // Throws the error of the first learner that has one, as if they had been trained one after the other.
      for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
    } finally {
      for (const own of works) own.return(undefined);
    }
  }

  modelState(stopReason: StopReason): S {
    const runs: (RunState & Learned)[] = [];
    for (const member of this.#members) runs.push(member.modelState(member.stopReason ?? stopReason));
    const history = combinedHistory(runs, stopReason);
    const mayAdvise = stopReason === 'max-epochs' || this.#members[0]?.kernel === 'rbf';
    const advice = mayAdvise ? adviceOf(this.#members, stopReason, history.epochs) : [];
    return this.#stateOf(runs, Object.freeze({ ...history, advice: Object.freeze(advice) }));
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

  release(): void {
    for (const member of this.#members) member.release();
    this.#inStep?.release();
    this.#sharedGram?.release();
  }
}

/** The stop reason of several learners: separated only if all are. */
function reasonOf(members: readonly Learner[]): StopReason {
  let reason: StopReason = 'separated';
  for (const { stopReason } of members) {
    if (stopReason === 'max-epochs') return stopReason;
    if (stopReason === 'early-stop' || stopReason === 'no-progress') reason = stopReason;
  }
  return reason;
}

/** The epochs of all classes as one epoch. */
function sumOf(closed: readonly EpochDone[], isEnd: boolean): EpochDone {
  let [epoch, mistakes, loss] = [0, 0, 0];
  for (const one of closed) {
    epoch = Math.max(epoch, one.epoch);
    mistakes += one.mistakes;
    loss += one.loss;
  }
  return { epoch, mistakes, loss, isEnd };
}
