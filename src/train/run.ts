// One run of the training loop: a learner, its generator of random numbers and its story. A model has one run, or one
// for each class.

import * as at from '../../assembly/layout.js';
import type { Pace, Sliced } from '../async/sliced.js';
import { concat } from '../data/kept.js';
import type { Label } from '../data/labels.js';
import { Random } from '../data/random.js';
import type { Advice, PocketReport, StopReason } from '../model/report.js';
import type { Dual, RunState, Standing } from '../model/state.js';
import { type HeldOut, Patience } from './holdout.js';
import type { Learner } from './learner.js';
import { countNow, type Inbox, type Job, type Ratchet, type Slice, sliceOf, type Tally, trainingLoop } from './loop.js';
import type { Order, Update } from './options.js';
import type { Settings } from './settings.js';
import { Story } from './story.js';

/** Who trains: labels and steps are set. */
export interface Member<Learned> {
  readonly learner: Learner<Learned, string>;
  /** The state to go on from. */
  readonly from: (RunState & Learned) | undefined;
  /** The class weights in force. */
  readonly weights: readonly number[];
  /** The generator to draw from, where members share one. */
  readonly random?: Random;
  /** The number of the class that is +1, where there are many. */
  readonly code?: number;
  /** The order as the loop is to see it, where members share how they are shuffled. */
  readonly order?: Order;
}

/** A pass that is over. */
export interface Pass {
  readonly epoch: number;
  readonly mistakes: number;
  readonly loss: number;
}

/** What the runs of a session have in common. */
export interface RunContext {
  readonly settings: Omit<Settings, 'onEpoch'>;
  readonly maxEpochs: number;
  readonly goesOn: boolean;
  /** The classes, where an update should say of which it is. */
  readonly classes: readonly Label[] | undefined;
  readonly heldOut: HeldOut | undefined;
  readonly slice: Slice;
  /** Told of every pass, and whether training has not gone on since; an answer ends the run. */
  readonly onPass: ((pass: Pass, isEnd: boolean, isNow: boolean) => StopReason | undefined) | undefined;
  /** Milliseconds until it wants to hear of one now, where that is not each. */
  readonly untilTold: (() => number) | undefined;
  /** Whether the other runs of the model may go on when this one is over. */
  readonly isOneOfMany: boolean;
  /** Whether to come back after every pass. */
  readonly stopsAtPasses: boolean;
}

export class Run<Learned> {
  readonly steps: Sliced<StopReason>;
  /** Why it ended, once it has. */
  stopReason: StopReason | undefined;
  /** The latest pass, until somebody takes it. */
  #closed: Pass | undefined;
  readonly #learner: Learner<Learned, string>;
  readonly #member: Member<Learned>;
  readonly #story: Story;
  readonly #random: Random;
  readonly #training: Uint32Array | undefined;
  #pocket: { errors: number; lastErrors: number; replacedAt: number; countedAt: number } | undefined;
  #ratchet: Ratchet | undefined;
  readonly #settings: RunContext['settings'];
  readonly #classes: readonly Label[] | undefined;
  readonly #drawsMistakes: boolean;
  readonly #goesOn: boolean;
  readonly #tally: Tally | undefined;
  readonly #inbox: Inbox = {};
  /** Whether nothing happened but a look that found all still right: then the state before stands. */
  #isUntouched: boolean;

  constructor(context: RunContext, member: Member<Learned>) {
    const { learner, from } = member;
    const { settings, heldOut } = context;
    this.#learner = learner;
    this.#member = member;
    this.#classes = context.classes;
    this.#drawsMistakes = settings.order === 'random' && !settings.ratchet;
    this.#goesOn = context.goesOn;
    if (settings.onUpdate) learner.watch((index) => settings.onUpdate?.(this.#updateAt(index)));
    this.#random = member.random ?? (from ? new Random(from.random) : Random.seeded(settings.seed));
    this.#story = new Story(from?.history, context.goesOn);
    this.#training = heldOut?.training;
    if (heldOut) learner.restrictTo(heldOut.training);
    this.#isUntouched = context.isOneOfMany && from?.history.converged === true;
    // Batches need the list of mistakes itself.
    const needsCount = settings.order === 'random' || (settings.pocket && settings.order !== 'batch');
    this.#tally = needsCount ? learner.tallyFor(context.slice) : undefined;
    this.#settings = settings;
    this.steps = this.#run(context);
  }

  /** To be done before the first step: counts what is in the pocket from before. */
  *open(pace: Pace): Sliced<void> {
    const { pocket, ratchet } = this.#settings;
    if (!pocket) return;
    const { from } = this.#member;
    const errors = (yield* this.#learner.countKept(this.#training, pace)) ?? Infinity;
    const isNew = errors === Infinity;
    const replacedAt = isNew ? 0 : (from?.history.pocket?.replacedAt ?? 0);
    this.#pocket = { errors, lastErrors: NaN, replacedAt, countedAt: -1 };
    if (!ratchet) return;
    const { run = 0, pocketRun = 0 } = (isNew ? undefined : from?.ratchet) ?? {};
    this.#ratchet = { run, pocketRun, isNew };
  }

  *#run(context: RunContext): Sliced<StopReason> {
    this.stopReason = yield* trainingLoop(this.#jobFor(context));
    this.#learner.retire();
    return this.stopReason;
  }

  /** Updates so far, in all sessions. */
  get #updates(): number {
    return this.#story.mistakes + this.#learner.record.u32(at.MISTAKES);
  }

  /** Passes so far, in all sessions. */
  get epochs(): number {
    return this.#story.epochs;
  }

  /** Whether training has come to a sample; where all are looked at before an update, to an update or the end of a pass. */
  hasBegun(): boolean {
    const { record } = this.#learner;
    const { order, ratchet } = this.#settings;
    const looksFirst = order === 'batch' || (order === 'random' && !ratchet);
    const fields = looksFirst ? [at.MISTAKES, at.PASSES] : [at.CURSOR, at.MISTAKES, at.PASSES];
    const before = this.#member.from?.history.epochs ?? 0;
    return (
      this.#story.epochs > before || this.#inbox.swept !== undefined || fields.some((field) => record.u32(field) > 0)
    );
  }

  /** How far the pass is. */
  progress(): { epoch: number; done: number; total: number } {
    const { record } = this.#learner;
    const done = record.u32(this.#drawsMistakes ? at.MISTAKES : at.CURSOR);
    return { epoch: this.#story.epochs + 1, done, total: record.u32(at.N) };
  }

  /** The pass that was closed since somebody last asked. */
  take(): Pass | undefined {
    const closed = this.#closed;
    this.#closed = undefined;
    return closed;
  }

  #jobFor({ settings, slice, heldOut, stopsAtPasses, ...context }: RunContext): Job {
    const learner = this.#learner;
    const { record } = learner;
    const story = this.#story;
    const training = this.#training;
    const patience = heldOut && new Patience(settings.patience);
    const passesTogether = !context.onPass && !heldOut && !stopsAtPasses;
    const own: Slice = stopsAtPasses ? { ...slice, due: () => this.#closed !== undefined || slice.due() } : slice;
    return {
      steps: learner.steps,
      record,
      samples: record.u32(at.N),
      allAt: learner.allAt,
      order: this.#member.order ?? settings.order,
      maxEpochs: context.maxEpochs,
      random: this.#random,
      slice: own,
      listSamples() {
        const order = learner.order;
        if (training) order.set(training);
        else for (let i = 0; i < order.length; i++) order[i] = i;
        return order;
      },
      hasAllRows: !training,
      onUpdate: settings.onUpdate && ((index) => settings.onUpdate?.(this.#updateAt(index))),
      passesTogether,
      untilTold: heldOut || stopsAtPasses ? undefined : context.untilTold,
      onPass: (mistakes, loss, isEnd, isNow) => {
        if (this.#isUntouched && mistakes === 0 && isEnd) {
          this.#closed = { epoch: story.epochs, mistakes, loss };
          return undefined;
        }
        this.#isUntouched = false;
        story.addPass(mistakes);
        if (passesTogether) return undefined; // nobody is told, and there may be very many
        const pass = { epoch: story.epochs, mistakes, loss };
        this.#closed = pass;
        const stop = context.onPass?.(pass, isEnd, isNow);
        return isEnd ? undefined : stop; // separated, whatever anybody says
      },
      judge: heldOut && (() => this.#judge(heldOut, patience as Patience, slice)),
      sampleList: () => learner.order,
      bring: (index) => learner.bring(index, slice),
      confirm: learner.confirm?.bind(learner, slice),
      overflow: (index) => learner.overflowing(index, slice),
      elsewhere: learner.elsewhere,
      inbox: this.#inbox,
      tally: this.#tally,
      onCount: this.#pocket && ((count) => this.#counted(count)),
      ratchet: this.#ratchet,
    };
  }

  /** Looks at the rows held out. The pass is not over for others before that is done. */
  *#judge({ judging }: HeldOut, patience: Patience, slice: Slice): Sliced<StopReason | undefined> {
    const closed = this.#closed;
    this.#closed = undefined;
    const right = yield* this.#learner.rightAmong(judging, slice);
    this.#closed = closed;
    return patience.isOver(right) ? 'early-stop' : undefined;
  }

  #updateAt(index: number): Update {
    const { bias, weights, code = this.#member.code } = this.#learner.stateAfter(index);
    const update = {
      index,
      epoch: this.#story.epochs + 1,
      mistakes: this.#updates,
      ...(code !== undefined && this.#classes && { label: this.#classes[code] as Label }),
      bias,
    };
    if (weights) Object.defineProperty(update, 'weights', { get: weights, enumerable: true });
    return update;
  }

  /** Takes note of a count of all mistakes, and fills the pocket if there are fewer than ever (SPEC §6). */
  #counted(count: number): void {
    const pocket = this.#pocket;
    if (!pocket) return;
    pocket.lastErrors = count;
    pocket.countedAt = this.#updates;
    if (!(count < pocket.errors)) return;
    this.#learner.keep();
    pocket.errors = count;
    pocket.replacedAt = this.#updates;
    if (this.#ratchet) this.#ratchet.pocketRun = this.#ratchet.run;
  }

  /** What is known of the pocket. The last weights are counted, where the loop did not do it. */
  *#pocketReport(pace: Pace): Sliced<PocketReport | undefined> {
    const pocket = this.#pocket;
    if (!pocket) return undefined;
    if (pocket.countedAt !== this.#updates) {
      const learner = this.#learner;
      const { record, steps, allAt } = learner;
      const slice = sliceOf(pace, learner.costOfRow);
      const overflow = (row: number) => learner.overflowing(row, slice);
      pocket.lastErrors = yield* countNow({ record, steps, tally: this.#tally, overflow, allAt, slice });
      pocket.countedAt = this.#updates;
    }
    const { errors, lastErrors, replacedAt } = pocket;
    return { errors, lastErrors, replacedAt };
  }

  /** Books the passes that were closed when the loop was broken off. */
  #bookRest(): void {
    const { record } = this.#learner;
    const passes = record.u32(at.PASSES);
    const rest = [...(this.#inbox.swept?.mistakes ?? []), ...record.u32s(at.PASS_MISTAKES, passes)];
    record.setU32(at.PASSES, 0);
    if (this.#inbox.swept?.random) this.#random.state.set(this.#inbox.swept.random);
    this.#inbox.swept = undefined;
    for (const mistakes of rest) this.#story.addPass(mistakes);
    if (rest.length > 0) this.#isUntouched = false;
  }

  /** The state as it stands now. @throws RangeError if training has overflowed */
  *state(stopReason: StopReason, advice: (epochs: number) => Sliced<Advice[]>, pace: Pace): Sliced<RunState & Learned> {
    this.#bookRest();
    const { from, weights } = this.#member;
    const { record } = this.#learner;
    const own: Learned & Standing & Counted = yield* this.#learner.result(pace);
    const result = this.#goesOn ? withCounts(own, from as Counted | undefined) : own;
    const random = this.#random.state.slice();
    if (from && this.#isUntouched && record.u32(at.MISTAKES) === 0)
      return { ...from, ...placeOf(result as Partial<Dual>), ...(this.#member.random && { random }) };
    const pocket = yield* this.#pocketReport(pace);
    const open = record.u32(at.MISTAKES);
    const advised = yield* advice(this.#story.epochs + (open > 0 ? 1 : 0));
    const range = from?.classWeightRange ?? [Infinity, 0];
    return {
      ...result,
      classWeightRange: [Math.min(range[0], ...weights), Math.max(range[1], ...weights)],
      random,
      ...(this.#ratchet && { ratchet: { run: this.#ratchet.run, pocketRun: this.#ratchet.pocketRun } }),
      history: this.#story.history(stopReason, open, pocket, advised),
    };
  }
}

/** Where the rows of a dual result stand among all samples. */
function placeOf(result: Partial<Pick<Dual, 'samples' | 'first' | 'scores'>>): object {
  const { samples, first, scores } = result;
  return samples === undefined ? {} : { samples, first, scores };
}

/** What learned weights, and may know how often each row was the mistake. */
interface Counted {
  readonly counts?: Uint32Array;
}

/** A result with the mistakes of the blocks before: rows of a stream are numbered throughout. */
function withCounts<T extends Counted>(result: T, from: Counted | undefined): T {
  if (!from?.counts || !result.counts) return result;
  return { ...result, counts: concat(Uint32Array, from.counts, result.counts) };
}
