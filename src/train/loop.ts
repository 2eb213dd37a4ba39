// The training loop: chooses the next sample, ends epochs, and stops (SPEC §3, §11). The kernels decide what a mistake is and what
// an update does; the loop runs them on a learner's record. It pauses when its slice is over, and while a worker thread runs the
// kernels.

import * as at from '../../assembly/layout.js';
import { NEVER, type Pausing, waitFor } from '../async/pausing.js';
import type { FitReport, StopReason } from '../model/report.js';
import { type Resources, TASK_VALUES } from '../worker/threads.js';
import { Patience, Progress } from './holdout.js';
import type { Learner } from './learner.js';
import type { Update } from './options.js';
import { Pocket, type Ratchet } from './pocket.js';
import type { TrainingRecord } from './record.js';
import { listRowSteps } from './rowsteps.js';

/** A finished epoch. */
export interface EpochDone {
  readonly epoch: number;
  readonly mistakes: number;
  readonly loss: number;
  /** Whether training ends with it: it had no mistake, and the learner has confirmed that. */
  readonly isEnd: boolean;
}

/** The caller's callbacks and limit, and the clock and threads to use. */
export interface Hooks extends Resources {
  readonly maxEpochs: number;
  /** Called after every update. */
  readonly onUpdate?: ((update: Update) => void) | undefined;
  /** Called after every epoch; a stop reason ends training. */
  readonly onEpoch?: ((epoch: EpochDone) => StopReason | undefined) | undefined;
}

/** What is trained: a learner, or one for each class (onevsrest.ts). @typeParam S the state that a model keeps */
export interface Training<S> {
  /** Trains until an epoch has no mistake, or until the hooks or the settings stop it; returns the stop reason. */
  train(hooks: Hooks): Pausing<StopReason>;
  /** The present state for a model. @throws RangeError if training has overflowed */
  modelState(stopReason: StopReason): S;
  /** Whether training has seen a sample: before, there is nothing to keep. */
  hasBegun(): boolean;
  /** The progress within the epoch. */
  progress(): { epoch: number; done: number; total: number };
  /** Finished epochs, in all sessions. */
  readonly epochs: number;
  /** In dual form: how the Gram matrix is kept, and the milliseconds spent on it. */
  readonly gram?: { readonly mode: FitReport['gram']; readonly ms: number } | undefined;
  release(): void;
}

/** The largest budget of a kernel, a 32-bit number: if it runs out, the loop calls again. */
export const UNLIMITED = 0xffffffff;

/** Values for one call of a kernel: a few milliseconds on the slowest engine. */
const SLICE_VALUES = 2 ** 21;

/** Entries of a list that plain JavaScript fills or shuffles before it asks the clock. */
const LIST_PIECE = 2 ** 14;

/** Trains until an epoch has no mistake or something stops it. Continues training that has begun. */
export function* train(learner: Learner, hooks: Hooks): Pausing<StopReason> {
  if (learner.epochsLeft < 0) yield* beginTraining(learner, hooks);
  for (;;) {
    learner.stopReason ??= yield* trainEpoch(learner, hooks);
    if (learner.stopReason) return learner.stopReason;
    if (hooks.clock.due()) yield;
  }
}

/**
 * Prepares the first epoch: a pocket begins with a count of the mistakes of the start weights.
 * @param first the first of the learners of one model
 */
export function* beginTraining(learner: Learner, hooks: Hooks, first = learner): Pausing<void> {
  const { settings, heldOut } = learner;
  learner.epochsLeft = hooks.maxEpochs;
  if (learner.problem.rowWeights || settings.update !== 'perceptron') yield* listRowSteps(learner, first, hooks);
  if (heldOut) learner.patience = new Patience(settings.patience);
  else if (settings.tol !== undefined) {
    learner.lossWatch = new Progress(settings.tol * learner.samples, settings.patience);
  }
  // Batches need the list of mistakes itself.
  const mayCount = settings.order === 'random' || (settings.pocket && settings.order !== 'batch');
  if (mayCount && !learner.hasIdle) learner.counter = learner.makeCounter?.();
  if (settings.pocket) learner.pocket = new Pocket(learner.countKept?.(), learner.from, settings.ratchet);
  if (learner.prepare) yield* learner.prepare(hooks);
  const { pocket } = learner;
  const sweeps = settings.order === 'cyclic' || settings.order === 'shuffle';
  if (!pocket || !(sweeps || pocket.ratchet?.isNew)) return;
  if ((yield* countAll(learner, hooks)) === 0 && pocket.ratchet) learner.stopReason = 'separated';
}

/** Trains one epoch, or several if no callback follows them; returns the stop reason, if training ends. */
export function trainEpoch(learner: Learner, hooks: Hooks): Pausing<StopReason | undefined> {
  if (learner.pocket?.ratchet) return drawSamples(learner, learner.pocket.ratchet, hooks);
  const { order } = learner.settings;
  if (order === 'random') return drawMistakes(learner, hooks);
  return order === 'batch' ? stepByBatch(learner, hooks) : sweep(learner, hooks);
}

/** Rows for a budget of values, given the cost of a row. */
export const rowsFor = (values: number, costOfRow: number): number => Math.max(1, Math.floor(values / costOfRow));

/** The rows of one kernel call on this thread. */
export const rowsPerCall = (costOfRow: number, { clock }: Hooks): number =>
  clock === NEVER ? UNLIMITED : (clock.rows ?? rowsFor(SLICE_VALUES, costOfRow));

/** An epoch of fewer values that ends with a callback or a shuffle is trained here: a message to a worker takes longer. */
const SMALL_EPOCH = 2 ** 17;

/** Trains in a worker within three budgets; returns the kernel's status, or undefined if no worker can do it. */
function* runOnThreads(learner: Learner, hooks: Hooks, mistakes: number, epochs: number): Pausing<number | undefined> {
  const { record, remote, costOfRow } = learner;
  const values = learner.samples * costOfRow;
  if (!remote || mistakes !== UNLIMITED || (epochs === 1 && values < SMALL_EPOCH)) return undefined;
  const threads = yield* waitFor(hooks.threads?.take(values, true));
  const rows = rowsFor(TASK_VALUES, costOfRow);
  return threads && (yield* waitFor(threads.runTask([remote.run, record.offset, rows, mistakes, epochs])));
}

/** cyclic and shuffle: takes samples in order, and updates at each mistake. */
function* sweep(learner: Learner, hooks: Hooks): Pausing<StopReason | undefined> {
  const { record, settings, pocket, counter, steps } = learner;
  const isShuffled = settings.order === 'shuffle';
  const most = isShuffled || hooks.onEpoch || learner.heldOut || learner.lossWatch ? 1 : at.PASS_CAPACITY;
  const mistakes = hooks.onUpdate || pocket ? 1 : UNLIMITED;
  const rows = rowsPerCall(learner.costOfRow, hooks);
  if (isShuffled) yield* shuffle(learner, hooks);
  for (;;) {
    const epochs = Math.min(most, learner.epochsLeft);
    const remoteStatus = hooks.threads ? yield* runOnThreads(learner, hooks, mistakes, epochs) : undefined;
    const status = remoteStatus ?? steps.run(record.offset, rows, mistakes, epochs);
    if (status === at.CLEAN || status === at.CLOSED) {
      const isEnd = status === at.CLEAN && (!learner.confirm || (yield* learner.confirm(hooks)));
      const last = record.u32(at.PASSES) - 1;
      const mistakesOfLast = record.u32(at.PASS_MISTAKES + 4 * last);
      const loss = record.f64(at.PASS_LOSS + 8 * last);
      takeEpochs(learner, 1);
      const stop = endEpoch(learner, mistakesOfLast, loss, isEnd, hooks);
      return stop ?? (learner.epochsLeft === 0 ? 'max-epochs' : undefined);
    }
    takeEpochs(learner, 0); // those that were closed within the slice
    const index = record.u32(at.INDEX);
    if (status === at.NON_FINITE) throw learner.overflowAt(index);
    if (status === at.WANTS_ROW) yield* (learner as NeedsRows).ensureRow(index, hooks);
    if (status === at.MISTAKE) {
      counter?.note(index);
      if (pocket) yield* countAll(learner, hooks);
      hooks.onUpdate?.(learner.updateAt(index));
    }
    if (hooks.clock.due()) yield;
  }
}

/** A learner whose kernels stop for rows of the Gram matrix. */
type NeedsRows = Learner & Required<Pick<Learner, 'ensureRow'>>;

/** Adds the epochs that a kernel has closed (PASSES in the record) to the counters, without the last `left`, which the caller adds. */
export function takeEpochs(learner: Learner, left: number): void {
  const { record } = learner;
  const epochs = record.u32(at.PASSES);
  for (let k = 0; k < epochs - left; k++) learner.counters.addEpoch(record.u32(at.PASS_MISTAKES + 4 * k), false);
  learner.epochsLeft -= epochs;
  record.setU32(at.PASSES, 0);
}

/** Every order ends an epoch here: counts it, calls `onEpoch`, and judges the rows held out. Returns the stop reason, if training ends. */
export function endEpoch(
  learner: Learner,
  mistakes: number,
  loss: number,
  isEnd: boolean,
  { onEpoch }: Pick<Hooks, 'onEpoch'>,
): StopReason | undefined {
  learner.counters.addEpoch(mistakes, isEnd);
  const stop = onEpoch?.({ epoch: learner.counters.epochs, mistakes, loss, isEnd });
  if (isEnd) return 'separated'; // whatever onEpoch returned
  if (!stop && learner.lossWatch?.isOver(loss)) return 'no-progress';
  if (stop || !learner.heldOut) return stop;
  return learner.patience?.isOver(learner.rightAmong(learner.heldOut.judging)) ? 'early-stop' : undefined;
}

/** Shuffles the samples of an epoch (SPEC §12: Fisher–Yates from the identity). */
function* shuffle(learner: Learner, hooks: Hooks): Pausing<void> {
  listSamples(learner.order, learner.problem.samples);
  for (let from = learner.samples - 1; from > 0; from -= LIST_PIECE) {
    learner.random.shufflePart(learner.order, from, Math.max(0, from - LIST_PIECE));
    if (hooks.clock.due()) yield;
  }
}

/** Fills a list with the samples of an epoch, ascending. */
export function listSamples(order: Uint32Array, samples: Uint32Array | undefined): Uint32Array {
  if (samples) order.set(samples);
  else for (let i = 0; i < order.length; i++) order[i] = i;
  return order;
}

/** Counts all mistakes of the present weights, and lists them unless a counter did it; returns the count. */
export function* scanAll(learner: Learner, hooks: Hooks): Pausing<number> {
  const counted = learner.counter ? yield* learner.counter.count(hooks) : undefined;
  if (counted !== undefined) return counted;
  const { scanRecord, record, remote, costOfRow } = learner;
  scanRecord.copyFrom(record);
  scanRecord.setU32(at.ORDER, learner.allSamples); // an epoch of draws may lack samples
  scanRecord.setU32(at.CURSOR, 0);
  scanRecord.setU32(at.COUNT, 0);
  for (let status: number = at.PAUSED; status !== at.CLOSED; ) {
    const threads = remote && (yield* waitFor(hooks.threads?.take(learner.samples * costOfRow, true)));
    status =
      threads && remote
        ? yield* waitFor(threads.runTask([remote.scan, scanRecord.offset, rowsFor(TASK_VALUES, costOfRow)]))
        : learner.steps.scan(scanRecord.offset, rowsPerCall(learner.costOfRow, hooks));
    if (status === at.NON_FINITE) throw learner.overflowAt(scanRecord.u32(at.INDEX));
    if (hooks.clock.due()) yield;
  }
  return scanRecord.u32(at.COUNT);
}

/** Counts all mistakes, and notes the count for the pocket. */
function* countAll(learner: Learner, hooks: Hooks): Pausing<number> {
  const count = yield* scanAll(learner, hooks);
  if (learner.pocket?.note(count, learner.updates)) learner.keep?.(); // fewer than ever (SPEC §6)
  return count;
}

/** Makes `count` updates of the list, from place `from` on. */
function* update(learner: Learner, from: number, count: number, hooks: Hooks): Pausing<void> {
  const { record, steps } = learner;
  for (let done = 0; ; ) {
    done += steps.apply(record.offset, from + done, count - done);
    if (done === count) return;
    yield* (learner as NeedsRows).ensureRow(record.u32(at.INDEX), hooks);
  }
}

/** random and batch: ends the epoch that the record is in the middle of (MISTAKES and LOSS). */
function closeEpoch(learner: Learner, isEnd: boolean, hooks: Hooks): StopReason | undefined {
  const { record } = learner;
  const mistakes = record.u32(at.MISTAKES);
  const loss = record.f64(at.LOSS);
  record.setU32(at.MISTAKES, 0);
  record.setF64(at.LOSS, 0);
  return endEpoch(learner, mistakes, loss, isEnd, hooks);
}

const oneMoreSeen = (record: TrainingRecord) => record.setF64(at.SEEN, record.f64(at.SEEN) + 1);

/** random: draws one of all mistakes, updates, scans again. N updates are an epoch; a scan without a mistake is none. */
function* drawMistakes(learner: Learner, hooks: Hooks): Pausing<StopReason | undefined> {
  const { record, samples, counter } = learner;
  for (;;) {
    const count = yield* countAll(learner, hooks);
    if (count === 0) {
      if (learner.confirm && !(yield* learner.confirm(hooks))) continue;
      if (record.u32(at.MISTAKES) > 0) closeEpoch(learner, true, hooks);
      return 'separated';
    }
    if (learner.epochsLeft === 0) return 'max-epochs';
    const drawn = learner.random.below(count);
    yield* update(learner, counter?.pick(drawn) ? 0 : drawn, 1, hooks);
    counter?.note(record.u32(at.INDEX));
    oneMoreSeen(record);
    hooks.onUpdate?.(learner.updateAt(record.u32(at.INDEX)));
    if (record.u32(at.MISTAKES) === samples) {
      learner.epochsLeft--;
      return closeEpoch(learner, false, hooks);
    }
    if (hooks.clock.due()) yield;
  }
}

/** batch: scores all samples with one w, then makes all updates. */
function* stepByBatch(learner: Learner, hooks: Hooks): Pausing<StopReason | undefined> {
  const { record, pocket } = learner;
  if (learner.epochsLeft === 0) {
    if (pocket) yield* countAll(learner, hooks);
    return 'max-epochs';
  }
  const count = yield* countAll(learner, hooks);
  const isEnd = count === 0 && (!learner.confirm || (yield* learner.confirm(hooks)));
  const perCall = hooks.onUpdate ? 1 : Math.min(rowsPerCall(learner.costOfRow, hooks), count);
  for (let from = 0; from < count; from += perCall) {
    yield* update(learner, from, Math.min(perCall, count - from), hooks);
    hooks.onUpdate?.(learner.updateAt(record.u32(at.INDEX)));
    if (hooks.clock.due()) yield;
  }
  oneMoreSeen(record);
  learner.epochsLeft--;
  return closeEpoch(learner, isEnd, hooks);
}

/**
 * The ratchet: draws among all samples, right or wrong; N draws are an epoch. It counts all mistakes only after a longer run of
 * right samples than when the pocket was last replaced.
 */
function* drawSamples(learner: Learner, ratchet: Ratchet, hooks: Hooks): Pausing<StopReason | undefined> {
  const { record, steps, counter } = learner;
  if (learner.epochsLeft === 0) return 'max-epochs';
  yield* draw(learner, hooks);
  const { samples } = learner;
  let [isOver, isEnd] = [false, false];
  while (!isOver && !isEnd) {
    const before = record.u32(at.CURSOR);
    // Until the run is long enough for a count; the present weights may have been counted already.
    const wanted = ratchet.run > ratchet.pocketRun ? UNLIMITED : ratchet.pocketRun + 1 - ratchet.run;
    const status = steps.run(record.offset, Math.min(rowsPerCall(learner.costOfRow, hooks), wanted), 1, 1);
    if (status === at.NON_FINITE) throw learner.overflowAt(record.u32(at.INDEX));
    isOver = record.u32(at.PASSES) === 1;
    const looked = (isOver ? samples : record.u32(at.CURSOR)) - before;
    if (status === at.WANTS_ROW) yield* (learner as NeedsRows).ensureRow(record.u32(at.INDEX), hooks);
    if (status === at.MISTAKE) {
      ratchet.run = 0;
      counter?.note(record.u32(at.INDEX));
      hooks.onUpdate?.(learner.updateAt(record.u32(at.INDEX)));
    } else {
      const wasCounted = ratchet.run > ratchet.pocketRun;
      ratchet.run += looked;
      if (!wasCounted && ratchet.run > ratchet.pocketRun) isEnd = (yield* countAll(learner, hooks)) === 0;
    }
    if (!isEnd && hooks.clock.due()) yield;
  }
  if (!isOver) return closeEpoch(learner, true, hooks);
  learner.epochsLeft--;
  record.setU32(at.PASSES, 0);
  return endEpoch(learner, record.u32(at.PASS_MISTAKES), record.f64(at.PASS_LOSS), isEnd, hooks);
}

/** Draws the samples of an epoch, each among all samples. */
function* draw(learner: Learner, hooks: Hooks): Pausing<void> {
  const samples = listSamples(learner.order, learner.problem.samples).slice();
  for (let k = 0; k < samples.length; k += LIST_PIECE) {
    const { order } = learner;
    const end = Math.min(samples.length, k + LIST_PIECE);
    for (let place = k; place < end; place++) {
      order[place] = samples[learner.random.below(samples.length)] as number;
    }
    if (hooks.clock.due()) yield;
  }
}
