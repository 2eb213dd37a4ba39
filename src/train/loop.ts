// The training loop: which sample next, when an epoch is over, when to stop (SPEC §3, §11). What a mistake is and what an update
// does, the kernels know; the loop steers a learner's record. It pauses when its slice of time is over, and while a worker thread
// runs the kernels.

import * as at from '../../assembly/layout.js';
import { NEVER, type Pausing, waitFor } from '../async/pausing.js';
import type { FitReport, StopReason } from '../model/report.js';
import { type Resources, TASK_VALUES, threadsFor } from '../worker/threads.js';
import { Patience } from './holdout.js';
import type { Learner } from './learner.js';
import type { Update } from './options.js';
import { Pocket, type Ratchet } from './pocket.js';
import type { TrainingRecord } from './record.js';

/** An epoch that is over. */
export interface EpochDone {
  readonly epoch: number;
  readonly mistakes: number;
  readonly loss: number;
  /** Whether training ends with it: it had no mistake, and that was confirmed. */
  readonly isEnd: boolean;
}

/** Who is told, when to stop, and with which time and threads. */
export interface Hooks extends Resources {
  readonly maxEpochs: number;
  /** Called after every update. */
  readonly onUpdate?: ((update: Update) => void) | undefined;
  /** Called after every epoch; an answer ends training. */
  readonly onEpoch?: ((epoch: EpochDone) => StopReason | undefined) | undefined;
}

/** What is trained: a learner, or one for each class (onevsrest.ts). @typeParam S what a model keeps of it */
export interface Training<S> {
  /** Trains until nothing is a mistake, or somebody says so; returns why it ended. */
  train(hooks: Hooks): Pausing<StopReason>;
  /** What a model keeps, as it stands now. @throws RangeError if training has overflowed */
  modelState(stopReason: StopReason): S;
  /** Whether a sample has been looked at: before, there is nothing to keep. */
  hasBegun(): boolean;
  /** How far the epoch is. */
  progress(): { epoch: number; done: number; total: number };
  /** Epochs that are over, in all sessions. */
  readonly epochs: number;
  /** In dual form: how the Gram matrix is kept, and the milliseconds spent on it so far. */
  readonly gram?: { readonly mode: FitReport['gram']; readonly ms: number } | undefined;
  release(): void;
}

/** Budgets of the kernels are 32-bit numbers; the loop simply asks again. */
export const UNLIMITED = 0xffffffff;

/** Values scored in one call of a kernel: a few milliseconds on the slowest engine. */
const SLICE_VALUES = 2 ** 21;

/** Entries of a list that plain JavaScript fills or shuffles before it looks at the clock. */
const LIST_PIECE = 2 ** 14;

/** Trains until nothing is a mistake, or somebody says so. Goes on with training that has begun. */
export function* train(learner: Learner, hooks: Hooks): Pausing<StopReason> {
  if (learner.epochsLeft < 0) yield* beginTraining(learner, hooks);
  for (;;) {
    learner.stopReason ??= yield* trainEpoch(learner, hooks);
    if (learner.stopReason) return learner.stopReason;
    if (hooks.clock.due()) yield;
  }
}

/** What comes before the first epoch: a pocket begins with a count of the start weights' mistakes. */
export function* beginTraining(learner: Learner, hooks: Hooks): Pausing<void> {
  const { settings, heldOut } = learner;
  learner.epochsLeft = hooks.maxEpochs;
  if (heldOut) learner.patience = new Patience(settings.patience);
  // Batches need the list of mistakes itself; a counter counts all rows, so it does not go with rows held out.
  else if (settings.order === 'random' || (settings.pocket && settings.order !== 'batch')) {
    learner.counter = learner.makeCounter();
  }
  if (settings.pocket) learner.pocket = new Pocket(learner.countKept(), learner.from, settings.ratchet);
  if (learner.prepare) yield* learner.prepare(hooks);
  const { pocket } = learner;
  const sweeps = settings.order === 'cyclic' || settings.order === 'shuffle';
  if (!pocket || !(sweeps || pocket.ratchet?.isNew)) return;
  if ((yield* countAll(learner, hooks)) === 0 && pocket.ratchet) learner.stopReason = 'separated';
}

/** One epoch, or several that nobody is told of; returns why training ends, if it does. */
export function trainEpoch(learner: Learner, hooks: Hooks): Pausing<StopReason | undefined> {
  if (learner.pocket?.ratchet) return drawSamples(learner, learner.pocket.ratchet, hooks);
  const { order } = learner.settings;
  if (order === 'random') return drawMistakes(learner, hooks);
  return order === 'batch' ? stepByBatch(learner, hooks) : sweep(learner, hooks);
}

/** Rows of a slice, or of an order to a worker, given what a row costs. */
export const rowsFor = (values: number, costOfRow: number): number => Math.max(1, Math.floor(values / costOfRow));

/** Rows that one call of a kernel on this thread may look at. */
export const rowsHere = (costOfRow: number, { clock }: Hooks): number =>
  clock === NEVER ? UNLIMITED : (clock.rows ?? rowsFor(SLICE_VALUES, costOfRow));

/** Trains within three budgets in a worker; returns why the kernel came back, or undefined where there is none to do it. */
function* runThere(learner: Learner, hooks: Hooks, mistakes: number, passes: number): Pausing<number | undefined> {
  const { record, remote, costOfRow } = learner;
  if (!remote || mistakes !== UNLIMITED) return undefined;
  const threads = yield* threadsFor(hooks, learner.samples * costOfRow, true);
  const rows = rowsFor(TASK_VALUES, costOfRow);
  return threads && (yield* waitFor(threads.runTask([remote.run, record.offset, rows, mistakes, passes])));
}

/** cyclic and shuffle: samples in order, updating as mistakes are met. */
function* sweep(learner: Learner, hooks: Hooks): Pausing<StopReason | undefined> {
  const { record, settings, pocket, counter, steps } = learner;
  const isShuffled = settings.order === 'shuffle';
  const most = isShuffled || hooks.onEpoch || learner.heldOut ? 1 : at.PASS_CAPACITY;
  const mistakes = hooks.onUpdate || pocket ? 1 : UNLIMITED;
  const rows = rowsHere(learner.costOfRow, hooks);
  if (isShuffled) yield* shuffle(learner, hooks);
  for (;;) {
    const passes = Math.min(most, learner.epochsLeft);
    const there = hooks.threads ? yield* runThere(learner, hooks, mistakes, passes) : undefined;
    const status = there ?? steps.run(record.offset, rows, mistakes, passes);
    if (status === at.CLEAN || status === at.CLOSED) {
      const isEnd = status === at.CLEAN && (!learner.confirm || (yield* learner.confirm(hooks)));
      return closeEpochs(learner, isEnd, hooks);
    }
    takeEpochs(learner, 0); // those that were closed before the slice was over
    const index = record.u32(at.INDEX);
    if (status === at.NON_FINITE) throw learner.overflowAt(index);
    if (status === at.WANTS_ROW) yield* (learner as Bringing).bring(index, hooks);
    if (status === at.MISTAKE) {
      counter?.note(index);
      if (pocket) yield* countAll(learner, hooks);
      hooks.onUpdate?.(learner.updateAt(index));
    }
    if (hooks.clock.due()) yield;
  }
}

/** A learner whose kernels ask for rows of the Gram matrix. */
type Bringing = Learner & Required<Pick<Learner, 'bring'>>;

/** Adds the epochs that a kernel has closed to the counters; the last `left` of them are left for the caller. */
function takeEpochs(learner: Learner, left: number): void {
  const { record } = learner;
  const passes = record.u32(at.PASSES);
  for (let k = 0; k < passes - left; k++) learner.counters.addEpoch(record.u32(at.PASS_MISTAKES + 4 * k), false);
  learner.epochsLeft -= passes;
  record.setU32(at.PASSES, 0);
}

/** The kernel has closed an epoch, or several that nobody is told of. */
function closeEpochs(learner: Learner, isEnd: boolean, hooks: Hooks): StopReason | undefined {
  const { record } = learner;
  const last = record.u32(at.PASSES) - 1;
  const mistakes = record.u32(at.PASS_MISTAKES + 4 * last);
  const loss = record.f64(at.PASS_LOSS + 8 * last);
  takeEpochs(learner, 1);
  const stop = endEpoch(learner, mistakes, loss, isEnd, hooks);
  return stop ?? (learner.epochsLeft === 0 ? 'max-epochs' : undefined);
}

function* isConfirmed(learner: Learner, hooks: Hooks): Pausing<boolean> {
  return learner.confirm ? yield* learner.confirm(hooks) : true;
}

/** Counts and tells of an epoch that is over, and looks at the rows held out. Returns why training ends, if it does. */
export function endEpoch(
  learner: Learner,
  mistakes: number,
  loss: number,
  isEnd: boolean,
  { onEpoch }: Pick<Hooks, 'onEpoch'>,
): StopReason | undefined {
  learner.counters.addEpoch(mistakes, isEnd);
  const stop = onEpoch?.({ epoch: learner.counters.epochs, mistakes, loss, isEnd });
  if (isEnd) return 'separated'; // whatever anybody says
  if (stop || !learner.heldOut) return stop;
  return learner.patience?.isOver(learner.rightAmong(learner.heldOut.judging)) ? 'early-stop' : undefined;
}

/** Puts the samples of an epoch in a fresh order (SPEC §12: Fisher–Yates from the identity). */
function* shuffle(learner: Learner, hooks: Hooks): Pausing<void> {
  listSamples(learner);
  for (let from = learner.samples - 1; from > 0; from -= LIST_PIECE) {
    learner.random.shufflePart(learner.order, from, Math.max(0, from - LIST_PIECE));
    if (hooks.clock.due()) yield;
  }
}

/** Puts the samples of an epoch into the order list, as they come. */
function listSamples({ order, heldOut }: Learner): Uint32Array {
  if (heldOut) order.set(heldOut.training);
  else for (let i = 0; i < order.length; i++) order[i] = i;
  return order;
}

/** Lists all mistakes of the weights at hand, or at least counts them; returns how many there are. */
export function* lookAtAll(learner: Learner, hooks: Hooks): Pausing<number> {
  const counted = learner.counter ? yield* learner.counter.count(hooks) : undefined;
  if (counted !== undefined) return counted;
  const { scanRecord, record, remote, costOfRow } = learner;
  scanRecord.copyFrom(record);
  scanRecord.setU32(at.ORDER, learner.allSamples); // an epoch may be of draws, and not have all samples
  scanRecord.setU32(at.CURSOR, 0);
  scanRecord.setU32(at.COUNT, 0);
  for (let status: number = at.PAUSED; status !== at.CLOSED; ) {
    const threads = remote && hooks.threads ? yield* threadsFor(hooks, learner.samples * costOfRow, true) : undefined;
    status =
      threads && remote
        ? yield* waitFor(threads.runTask([remote.scan, scanRecord.offset, rowsFor(TASK_VALUES, costOfRow)]))
        : learner.steps.scan(scanRecord.offset, rowsHere(learner.costOfRow, hooks));
    if (status === at.NON_FINITE) throw learner.overflowAt(scanRecord.u32(at.INDEX));
    if (hooks.clock.due()) yield;
  }
  return scanRecord.u32(at.COUNT);
}

/** With a pocket: counts all mistakes, and takes note of the count. */
function* countAll(learner: Learner, hooks: Hooks): Pausing<number> {
  const count = yield* lookAtAll(learner, hooks);
  learner.noteCount(count);
  return count;
}

/** Makes `count` listed updates from `from` on. */
function* update(learner: Learner, from: number, count: number, hooks: Hooks): Pausing<void> {
  const { record, steps } = learner;
  for (let done = 0; ; ) {
    done += steps.apply(record.offset, from + done, count - done);
    if (done === count) return;
    yield* (learner as Bringing).bring(record.u32(at.INDEX), hooks);
  }
}

/** Ends the epoch whose mistakes and loss the record holds. */
function closeEpoch(learner: Learner, isEnd: boolean, hooks: Hooks): StopReason | undefined {
  const { record } = learner;
  const mistakes = record.u32(at.MISTAKES);
  const loss = record.f64(at.LOSS);
  record.setU32(at.MISTAKES, 0);
  record.setF64(at.LOSS, 0);
  return endEpoch(learner, mistakes, loss, isEnd, hooks);
}

const oneMoreSeen = (record: TrainingRecord) => record.setF64(at.SEEN, record.f64(at.SEEN) + 1);

/** random: draw among all mistakes, update, look again. N updates are an epoch; a clean look is none. */
function* drawMistakes(learner: Learner, hooks: Hooks): Pausing<StopReason | undefined> {
  const { record, samples, counter } = learner;
  for (;;) {
    const count = yield* countAll(learner, hooks);
    if (count === 0) {
      if (!(yield* isConfirmed(learner, hooks))) continue;
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

/** batch: score all samples with one w, then make all updates. */
function* stepByBatch(learner: Learner, hooks: Hooks): Pausing<StopReason | undefined> {
  const { record, pocket } = learner;
  if (learner.epochsLeft === 0) {
    if (pocket) yield* countAll(learner, hooks);
    return 'max-epochs';
  }
  const count = yield* countAll(learner, hooks);
  const isEnd = count === 0 && (yield* isConfirmed(learner, hooks));
  const together = hooks.onUpdate ? 1 : Math.min(rowsHere(learner.costOfRow, hooks), count);
  for (let from = 0; from < count; from += together) {
    yield* update(learner, from, Math.min(together, count - from), hooks);
    hooks.onUpdate?.(learner.updateAt(record.u32(at.INDEX)));
    if (hooks.clock.due()) yield;
  }
  oneMoreSeen(record);
  learner.epochsLeft--;
  return closeEpoch(learner, isEnd, hooks);
}

/**
 * The ratchet: samples are drawn among all of them, right or wrong, N draws an epoch; all are counted only when more in
 * a row were right than when the pocket was last replaced.
 */
function* drawSamples(learner: Learner, ratchet: Ratchet, hooks: Hooks): Pausing<StopReason | undefined> {
  const { record, steps, counter } = learner;
  if (learner.epochsLeft === 0) return 'max-epochs';
  yield* draw(learner, hooks);
  const { samples } = learner;
  for (let isOver = false; !isOver; ) {
    const before = record.u32(at.CURSOR);
    // As far as the run need go before it is worth a count; these weights may have been counted already.
    const wanted = ratchet.run > ratchet.pocketRun ? UNLIMITED : ratchet.pocketRun + 1 - ratchet.run;
    const status = steps.run(record.offset, Math.min(rowsHere(learner.costOfRow, hooks), wanted), 1, 1);
    if (status === at.NON_FINITE) throw learner.overflowAt(record.u32(at.INDEX));
    isOver = record.u32(at.PASSES) === 1;
    const looked = (isOver ? samples : record.u32(at.CURSOR)) - before;
    if (status === at.WANTS_ROW) yield* (learner as Bringing).bring(record.u32(at.INDEX), hooks);
    if (status === at.MISTAKE) {
      ratchet.run = 0;
      counter?.note(record.u32(at.INDEX));
      hooks.onUpdate?.(learner.updateAt(record.u32(at.INDEX)));
    } else if (yield* isAllRight(learner, ratchet, looked, isOver, hooks)) {
      const mistakes = isOver ? record.u32(at.PASS_MISTAKES) : record.u32(at.MISTAKES);
      const loss = isOver ? record.f64(at.PASS_LOSS) : record.f64(at.LOSS);
      record.setU32(at.PASSES, 0);
      record.setU32(at.MISTAKES, 0);
      record.setF64(at.LOSS, 0);
      return endEpoch(learner, mistakes, loss, true, hooks);
    }
    if (hooks.clock.due()) yield;
  }
  learner.epochsLeft--;
  record.setU32(at.PASSES, 0);
  return endEpoch(learner, record.u32(at.PASS_MISTAKES), record.f64(at.PASS_LOSS), false, hooks);
}

/** After `looked` more right answers: counts all mistakes if the run is longer than the pocket's. Returns whether there are none. */
function* isAllRight(
  learner: Learner,
  ratchet: Ratchet,
  looked: number,
  isOver: boolean,
  hooks: Hooks,
): Pausing<boolean> {
  const { record } = learner;
  const wasCounted = ratchet.run > ratchet.pocketRun;
  ratchet.run += looked;
  if (wasCounted || !(ratchet.run > ratchet.pocketRun)) return false;
  // The mistakes of an epoch that was just closed are not in the counters yet.
  if (isOver) {
    record.setU32(at.MISTAKES, record.u32(at.PASS_MISTAKES));
    record.setU32(at.PASSES, 0);
  }
  const isRight = (yield* countAll(learner, hooks)) === 0;
  if (isOver) {
    record.setU32(at.MISTAKES, 0);
    record.setU32(at.PASSES, 1);
  }
  return isRight;
}

/** Draws the samples of an epoch, each among all of them. */
function* draw(learner: Learner, hooks: Hooks): Pausing<void> {
  const samples = listSamples(learner).slice();
  for (let k = 0; k < samples.length; k += LIST_PIECE) {
    const { order } = learner;
    const end = Math.min(samples.length, k + LIST_PIECE);
    for (let place = k; place < end; place++) {
      order[place] = samples[learner.random.below(samples.length)] as number;
    }
    if (hooks.clock.due()) yield;
  }
}
