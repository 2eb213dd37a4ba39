// A learner: one training record in the arena and its regions, made from a state and copied out to a state. Learner has what all
// learners share; primal.ts, dual.ts and the multinomial files add what they learn. loop.ts runs them.

import * as at from '../../assembly/layout.js';
import { finish, type Pausing } from '../async/pausing.js';
import { type ArenaRows, firstBad } from '../data/arenarows.js';
import { concat } from '../data/kept.js';
import { type Label, signsFor } from '../data/labels.js';
import type { BoundEngine, Kernels, Steps } from '../engine/contract.js';
import type { Arena, Block } from '../memory/arena.js';
import { aligned } from '../memory/freelist.js';
import type { StopReason } from '../model/report.js';
import type { Dual, ModelState, RunState, Standing } from '../model/state.js';
import { Random } from '../random.js';
import type { KernelName } from '../worker/protocol.js';
import { ALONE } from '../worker/threads.js';
import { adviceOf } from './advice.js';
import { Counters } from './counters.js';
import type { HeldOut, Patience, Progress } from './holdout.js';
import { type Hooks, scanAll, type Training, takeEpochs, train } from './loop.js';
import type { Update } from './options.js';
import type { Pocket } from './pocket.js';
import type { Problem } from './problem.js';
import { type SharedRegion, sharedRegions, TrainingRecord } from './record.js';
import { BELOW_ONE, weightRange } from './rowsteps.js';
import type { NumericSettings } from './settings.js';

/** The cost of a row beside its values, in values. */
export const ROW_COST = 16;

/** The class that is +1 to a learner, and the weights of the other classes and of this class. */
export interface Target {
  readonly positive: number;
  readonly weights: readonly number[];
  /** Whether `onUpdate` gets the class of an update. */
  readonly isNamed: boolean;
  /** Whether there is a learner for each class. */
  readonly isOneOfMany: boolean;
  /** The generator of random numbers, if learners share one. */
  readonly random: Random | undefined;
}

/** What `onUpdate` gets of the state after an update: the weights in primal form, the class if it is not the learner's own. */
export interface StateAfter {
  readonly bias: number;
  readonly weights: (() => Float64Array) | undefined;
  readonly code: number | undefined;
}

/** Counts and finds the mistakes of the present weights faster than a scan, with the same results. */
export interface MistakeCounter {
  /** Must be called after every update, on row `index`. */
  note(index: number): void;
  /** How many mistakes there are; undefined: scan instead. */
  count(hooks: Hooks): Pausing<number | undefined>;
  /** Puts the k-th of the mistakes just counted first in the record's list. Returns false if a scan has listed them all. */
  pick(k: number): boolean;
  release(): void;
}

/** Inherits nothing: an optional method is a learner's own or its class's, whatever another library has put on Object.prototype. */
const Bare = /* @__PURE__ */ (() => {
  class Bare {}
  Object.setPrototypeOf(Bare.prototype, null);
  return Bare;
})();

/** @typeParam Learned what it learns; @typeParam Own names of the learner's own regions */
export abstract class Learner<Learned = unknown, Own extends string = string>
  extends Bare
  implements Training<ModelState & RunState & Learned>
{
  readonly record: TrainingRecord;
  /** A copy of the record for scans of all samples, so that they do not disturb a sweep. */
  readonly scanRecord: TrainingRecord;
  readonly settings: NumericSettings;
  readonly problem: Problem;
  readonly heldOut: HeldOut | undefined;
  readonly random: Random;
  readonly counters: Counters;
  /** Rows of X; an epoch may have fewer samples. */
  readonly rows: number;
  /** The cost of scoring or correcting a row, in values. */
  costOfRow: number;
  pocket: Pocket | undefined;
  /** Why training ended; undefined before. */
  stopReason: StopReason | undefined;
  /** How many epochs may still begin; −1 before training. */
  epochsLeft = -1;
  patience: Patience | undefined;
  /** Set with `tol`. */
  lossWatch: Progress | undefined;
  /** Whether no step changes the score of some row: ‖x̃‖² = 0 (SPEC §15). */
  hasIdle = false;
  counter: MistakeCounter | undefined;
  /** The type of the kernel function, in dual form. */
  kernel: string | undefined;
  readonly engine: BoundEngine;
  protected readonly arena: Arena;
  protected readonly kernels: Kernels;
  protected readonly X: ArenaRows;
  /** Byte offsets of the regions; 0, for the kernels, if a region is not needed. */
  protected readonly offsets: Record<SharedRegion | Own, number>;
  readonly from: RunState | undefined;
  private readonly block: Block;
  private readonly target: Target;

  /** @param own byte lengths of the learner's own regions */
  constructor(
    engine: BoundEngine,
    problem: Problem,
    settings: NumericSettings,
    target: Target,
    from: RunState | undefined,
    own: Record<Own, number>,
  ) {
    super();
    const { X, heldOut } = problem;
    const { arena } = engine;
    this.engine = engine;
    this.arena = arena;
    this.X = X;
    this.rows = X.rows;
    this.costOfRow = ROW_COST + X.valuesPerRow;
    this.problem = problem;
    this.settings = settings;
    this.heldOut = heldOut;
    this.target = target;
    this.from = from;
    this.visitsEach = settings.ratchet || settings.order === 'cyclic' || settings.order === 'shuffle';
    this.random = target.random ?? (from ? new Random(from.random) : Random.seeded(settings.seed));
    const isUntouched = target.isOneOfMany && !problem.isBlock && from?.history.converged === true;
    this.counters = new Counters(from?.history, problem.goesOn, isUntouched);

    const regions: Record<string, number> = Object.assign(sharedRegions(problem, settings, target), own);
    let bytes = 0;
    for (const name in regions) bytes += aligned(regions[name] as number);
    this.block = arena.allocate(bytes, `weights and labels of ${X.rows} × ${X.cols} values`);
    this.kernels = engine.kernels();
    let next = this.block.offset;
    for (const name in regions) {
      const length = regions[name] as number;
      regions[name] = length > 0 ? next : 0;
      next += aligned(length);
    }
    this.offsets = regions as Record<SharedRegion | Own, number>;

    const record = new TrainingRecord(arena, this.offsets.record);
    this.record = record;
    this.scanRecord = this.offsets.scan ? new TrainingRecord(arena, this.offsets.scan) : record;
    record.setU32(at.N, X.rows);
    if (settings.order === 'shuffle' || settings.ratchet) record.setU32(at.ORDER, this.offsets.order);
    record.setU32(at.Y, this.offsets.labels);
    record.setU32(at.COUNTS, this.offsets.counts);
    record.setU32(at.LIST, this.offsets.mistakes);
    record.setU32(at.MARGINS, this.offsets.margins);
    record.setU32(at.STEPS, this.offsets.steps);
    record.setU32(at.NORMS, this.offsets.norms);
    // (η·c)·y (SPEC §12); the multinomial learners have their own step for each class.
    record.setF64(at.STEP_POSITIVE, settings.learningRate * (target.weights[1] as number));
    record.setF64(at.STEP_NEGATIVE, -(settings.learningRate * (target.weights[0] as number)));
    record.setF64(at.BIAS_SCALE, settings.fitIntercept ? settings.interceptScaling * settings.interceptScaling : 0);
    record.setF64(at.MU, settings.update === 'perceptron' ? settings.margin : BELOW_ONE);
    signsFor(problem.codes, target.positive, this.labels);
    if (problem.samples) this.#restrictTo(problem.samples);
  }

  /** The kernels that train this learner. */
  abstract readonly steps: Steps;
  /** A copy of what was learned so far. @throws RangeError if it has overflowed */
  protected abstract result(): Learned & Standing;
  /** How many of these rows are predicted correctly now: with the pocket if there is one, else with the last weights. */
  abstract rightAmong(rows: Uint32Array): number;
  /** The error for a score of row `index` that is not finite although all values of X are. */
  protected overflow(index: number): Error {
    return overflowed(`the score of row ${this.X.first + index}`);
  }

  /** Work before training; may pause. */
  prepare?(hooks: Hooks): Pausing<void>;
  /** Computes row `index` of the Gram matrix, for which a kernel has stopped. */
  ensureRow?(index: number, hooks: Hooks): Pausing<void>;
  /** The Gram matrix, in dual form. */
  readonly gram?: Training<Learned>['gram'];
  /** Whether an epoch without a mistake ends training: the dual form checks that its scores have not drifted. */
  confirm?(hooks: Hooks): Pausing<boolean>;
  /** The kernels that worker threads can run on the record in place of `steps`. */
  readonly remote?: { readonly run: KernelName; readonly scan: KernelName } | undefined;
  /** A faster way to count mistakes, if there is one. */
  makeCounter?(): MistakeCounter | undefined;
  /** Puts the present weights in the pocket. */
  keep?(): void;
  /** Training mistakes of the weights in the pocket from an earlier session; undefined if it is empty. */
  countKept?(): number | undefined;
  /** What `onUpdate` gets after the latest update, on row `index`. */
  protected stateAfter(_index: number): StateAfter {
    return { bias: this.record.f64(at.BIAS), weights: undefined, code: undefined };
  }

  /** The error for a score of row `index` that is not finite: it names the first bad value of X, if there is one. */
  overflowAt(index: number): Error {
    return firstBad(this.X) ?? this.overflow(index);
  }

  /** The number of the class that is +1. */
  get positive(): number {
    return this.target.positive;
  }

  /** Samples of an epoch. */
  get samples(): number {
    return this.record.u32(at.N);
  }

  /** −1 or +1 for each row. */
  get labels(): Int8Array {
    return this.arena.i8(this.offsets.labels, this.rows);
  }

  /** How often each row was a mistake. */
  get counts(): Uint32Array {
    return this.arena.u32(this.offsets.counts, this.rows);
  }

  /** The rows of an epoch in their order, for orders that need the list. */
  get order(): Uint32Array {
    return this.arena.u32(this.offsets.order, this.samples);
  }

  /** In dual form: makes K(x, x) of the squared lengths x·x, f64[rows] at `offset`. */
  applyKernel?(offset: number): void;

  /** Whether no step changes the score of a row, which then counts as right. */
  protected isIdle(row: number): boolean {
    return this.hasIdle && this.arena.f64(this.record.u32(at.NORMS) + 8 * row, 1)[0] === 0;
  }

  /** The weight of the class of a row. */
  classWeightOf(_index: number, label: number): number {
    return this.target.weights[label > 0 ? 1 : 0] as number;
  }

  /** Restricts training to these rows. */
  #restrictTo(rows: Uint32Array): void {
    const { record, offsets } = this;
    record.setU32(at.N, rows.length);
    record.setU32(at.ORDER, offsets.order);
    this.order.set(rows);
    if (offsets.training) this.arena.u32(offsets.training, rows.length).set(rows);
  }

  /** The byte offset of a list of all samples, whatever the order of an epoch is; 0: all rows in order. */
  get allSamples(): number {
    return this.problem.samples ? this.offsets.training || this.offsets.order : 0;
  }

  /** Updates so far, in all sessions: also those of an epoch that the ratchet has just closed and not yet counted. */
  get updates(): number {
    const { record } = this;
    const closed = record.u32(at.PASSES) ? record.u32(at.PASS_MISTAKES) : 0;
    return this.counters.mistakes + closed + record.u32(at.MISTAKES);
  }

  /** Whether an epoch visits one sample after another; orders that do not scan all samples first. */
  private readonly visitsEach: boolean;

  /** Whether training has seen a sample; in orders that scan all samples first, an update or the end of an epoch. */
  hasBegun(): boolean {
    const { record } = this;
    return (
      this.counters.epochs > (this.from?.history.epochs ?? 0) ||
      record.u32(at.MISTAKES) > 0 ||
      record.u32(at.PASSES) > 0 ||
      (this.visitsEach && record.u32(at.CURSOR) > 0)
    );
  }

  /** The progress within the epoch. */
  progress(): { epoch: number; done: number; total: number } {
    const { record, settings, scanRecord } = this;
    const done = this.visitsEach
      ? record.u32(at.CURSOR)
      : settings.order === 'batch'
        ? scanRecord.u32(at.CURSOR)
        : record.u32(at.MISTAKES);
    return { epoch: this.counters.current, done, total: this.samples };
  }

  /** What `onUpdate` gets for an update on row `index`. */
  updateAt(index: number): Update {
    const { bias, weights, code = this.target.positive } = this.stateAfter(index);
    const { classes } = this.problem;
    const update = {
      index: this.X.first + index,
      epoch: this.counters.current,
      mistakes: this.updates,
      ...(this.target.isNamed && { label: classes[code] as Label }),
      bias,
    };
    if (weights) Object.defineProperty(update, 'weights', { get: weights, enumerable: true });
    return update;
  }

  train(hooks: Hooks): Pausing<StopReason> {
    return train(this, hooks);
  }

  get epochs(): number {
    return this.counters.epochs;
  }

  /** The present state; with advice, unless there is a learner for each class. @throws RangeError if training has overflowed */
  modelState(stopReason: StopReason): ModelState & RunState & Learned {
    const { record, counters, problem, pocket, from } = this;
    takeEpochs(this, 0); // epochs that were closed before an abort
    const result: Learned & Standing & Counted & Partial<Dual> = this.result();
    const random = this.random.state.slice();
    const open = record.u32(at.MISTAKES);
    if (from && counters.isUntouched && open === 0) {
      // The state from before, with the places of a dual result among all samples.
      const { samples, first, scores } = result;
      const places = samples !== undefined && { samples, first, scores };
      return { ...(from as ModelState & RunState & Learned), ...places, ...(this.target.random && { random }) };
    }
    if (pocket && pocket.countedAt !== this.updates) {
      pocket.lastErrors = finish(scanAll(this, { ...ALONE, maxEpochs: 0 }));
      pocket.countedAt = this.updates;
    }
    const { weights, isOneOfMany } = this.target;
    const range = from?.classWeightRange ?? [Infinity, 0];
    const mayAdvise = !isOneOfMany && (stopReason === 'max-epochs' || this.kernel === 'rbf');
    const advice = mayAdvise ? adviceOf([this], stopReason, counters.epochs + (open > 0 ? 1 : 0)) : [];
    // The rows of a stream are numbered throughout: keep the mistakes of the blocks before.
    const before = problem.goesOn ? (from as Counted | undefined)?.counts : undefined;
    return {
      classes: problem.classes,
      cols: problem.X.cols,
      classWeightRange: problem.rowWeights
        ? weightRange(this, range)
        : [Math.min(range[0], ...weights), Math.max(range[1], ...weights)],
      random,
      ...(pocket?.ratchet && { ratchet: { run: pocket.ratchet.run, pocketRun: pocket.ratchet.pocketRun } }),
      history: counters.history(stopReason, open, pocket?.report(), advice),
      ...result, // the last: Node 20 adds properties to a spread copy ten times as slowly
      ...(before && result.counts && { counts: concat(Uint32Array, before, result.counts) }),
    };
  }

  /** Continues the average and the sum of steps of an earlier session. */
  protected resume({ seen, sigma }: Standing): void {
    this.record.setF64(at.SEEN, seen);
    this.record.setF64(at.SIGMA, sigma);
  }

  /** The samples seen and the sum of all steps. */
  protected get standing(): Standing {
    const { record } = this;
    // An epoch that was aborted counts the samples it has seen; a scan of all samples counts none.
    const seen = record.f64(at.SEEN) + (this.visitsEach ? record.u32(at.CURSOR) : 0);
    const sigma = record.f64(at.SIGMA);
    if (!Number.isFinite(sigma)) throw overflowed('the sum of all steps');
    return { seen, sigma };
  }

  release(): void {
    this.counter?.release();
    this.arena.release(this.block);
  }
}

export function overflowed(what: string): RangeError {
  return new RangeError(
    `training overflowed: ${what} is no longer a finite number; scale X down, or use a smaller "learningRate" or class weight`,
  );
}

/** A result that may have the mistakes of each row. */
interface Counted {
  readonly counts?: Uint32Array;
}
