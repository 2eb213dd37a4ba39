// The one training loop: which sample next, when a pass is over, when to stop (SPEC §3, §11).
//
// It is a generator that yields when its slice of time is over and returns why it stopped. `fit` runs it
// to the end in one go, `fitAsync` slice by slice; both do the same work in the same order.
// What a mistake is and what an update does, the kernels know; the loop only steers a record.

import * as at from '../../assembly/layout.js';
import { inOneGo, type Pace, type Pause, PIECE, type Sliced } from '../async/sliced.js';
import type { Random } from '../data/random.js';
import type { Steps } from '../engine/contract.js';
import type { StopReason } from '../model/report.js';
import type { Passes, Swept } from '../worker/protocol.js';
import type { Threads } from '../worker/threads.js';
import type { Order } from './options.js';
import type { TrainingRecord } from './record.js';

/** Until told otherwise: the kernels count budgets in 32 bits, and the loop simply asks again. */
const UNLIMITED = 0xffffffff;

/** Passes that threads make before they answer, at most: what they tell of each is to be booked here. */
const MOST_PASSES = 2 ** 14;

/** How much to do before letting others have their turn. */
export interface Slice extends Pace {
  readonly rows: number;
}

/** Counts and finds the mistakes of the weights at hand faster than a scan does, with the same answers. */
export interface Tally {
  /** Row `index` was corrected. */
  note(index: number): void;
  /** How many there are; looking at rows one by one, it lets others have their turn as `slice` says. */
  count(slice: Slice): Sliced<number>;
  /** Puts the k-th of the mistakes just counted, in the order of rows, first in the record's list. */
  pick(k: number): void;
}

/** What threads came to that nobody has booked yet: the loop may have been broken off meanwhile. */
export interface Inbox {
  swept?: Swept | undefined;
}

/** Training in worker threads, with what the steps here would come to. */
export interface Elsewhere {
  /** Values that a pass goes through, about. */
  readonly values: number;
  /** Goes on for a while, or until somebody must see to it. What it came to is left in `inbox` too, if nobody waits for it. */
  run(threads: Threads, rows: number, passes: Passes, inbox: Inbox): Sliced<Swept>;
  /** Lists mistakes for a while, as `scan` of the steps does. */
  scan?(threads: Threads, rows: number): Sliced<number>;
}

/** The ratchet (Gallant 1990; SPEC §6): right answers in a row, now and when the pocket was replaced. */
export interface Ratchet {
  run: number;
  pocketRun: number;
  /** Whether there is nothing in the pocket yet. */
  isNew: boolean;
}

/** All of it. */
const wholeFit: Slice = { ...inOneGo, rows: UNLIMITED };

/** Values scored in one call of a kernel: a few milliseconds on the slowest engine. */
const SLICE_VALUES = 2 ** 21;

/** The slice for rows that may cost this many values each. */
export const sliceOf = (pace: Pace, values: number): Slice =>
  pace === inOneGo
    ? wholeFit
    : {
        rows: pace.rows ?? Math.max(1, Math.floor(SLICE_VALUES / values)),
        due: () => pace.due(),
        threads: pace.threads,
      };

export interface Job {
  /** The kernels of the form that is trained. */
  readonly steps: Steps;
  readonly record: TrainingRecord;
  /** Samples in a pass. */
  readonly samples: number;
  readonly order: Order;
  readonly maxEpochs: number;
  readonly random: Random;
  readonly slice: Slice;
  /** The byte offset of u32[samples], all of them once; 0: 0 … samples − 1. */
  readonly allAt: number;
  /** Puts the samples of a pass into the record's order list, not yet shuffled, and returns that list. */
  listSamples(): Uint32Array;
  /** Whether those are all rows, in their order. */
  readonly hasAllRows: boolean;
  /** That list, as a view of this moment. */
  sampleList(): Uint32Array;
  /** After each update, if anybody wants to know. */
  readonly onUpdate: ((index: number) => void) | undefined;
  /**
   * After each pass; `isEnd` says that it was clean, and confirmed; `isNow`, that training has not gone on since. An answer
   * ends the fit.
   */
  onPass(mistakes: number, loss: number, isEnd: boolean, isNow: boolean): StopReason | undefined;
  /** After each pass that is not the end, where rows are held out: why to stop, if so. */
  readonly judge: (() => Sliced<StopReason | undefined>) | undefined;
  /** Whether passes may be run several at a call, to be told of afterwards. */
  readonly passesTogether: boolean;
  /** Milliseconds until somebody wants to hear of a pass while it is now, where that is not each of them. */
  readonly untilTold: (() => number) | undefined;
  /** Fetches what an update on row `index` needs and the kernels did not find. */
  bring(index: number): Sliced<void>;
  /** Where the kernels can be called in worker threads instead. */
  readonly elsewhere?: Elsewhere | undefined;
  readonly inbox: Inbox;
  /** Where there is a faster way to look at all samples. */
  readonly tally: Tally | undefined;
  /** With a pocket: after each look at all samples, how many are mistakes. */
  readonly onCount: ((mistakes: number) => void) | undefined;
  readonly ratchet: Ratchet | undefined;
  /** Whether a clean pass is the end, where that is not certain. */
  readonly confirm: (() => Sliced<boolean>) | undefined;
  /** The error for a score of row `index` that is not finite. */
  overflow(index: number): Sliced<Error>;
}

export function trainingLoop(job: Job): Sliced<StopReason> {
  if (job.ratchet) return drawSamples(job, job.ratchet);
  if (job.order === 'random') return drawMistakes(job);
  return job.order === 'batch' ? stepByBatch(job) : sweep(job);
}

function* isConfirmed({ confirm }: Job): Sliced<boolean> {
  return confirm ? yield* confirm() : true;
}

/** cyclic and shuffle: samples in order, updating as mistakes are met. */
function* sweep(job: Job): Sliced<StopReason> {
  const { steps, record, slice } = job;
  const shuffled = job.order === 'shuffle';
  const together = shuffled || !job.passesTogether ? 1 : at.PASS_CAPACITY;
  const mistakesTogether = job.onUpdate || job.onCount ? 1 : UNLIMITED;
  let left = job.maxEpochs;
  let atStart = true;
  yield* countAll(job);
  for (;;) {
    if (atStart && shuffled) {
      const list = job.listSamples();
      if (list.length <= PIECE) job.random.shuffle(list);
      else yield* job.random.shuffling(job.sampleList, slice);
    }
    const swept = mistakesTogether === 1 ? undefined : yield* runElsewhere(job, passesElsewhere(job, left));
    if (swept?.random) job.random.state.set(swept.random);
    const status = swept?.status ?? steps.run(record.offset, slice.rows, mistakesTogether, Math.min(together, left));
    const passes = swept?.mistakes.length ?? record.u32(at.PASSES);
    const mistakes = swept?.mistakes ?? record.u32s(at.PASS_MISTAKES, passes);
    const losses = swept?.losses ?? record.f64s(at.PASS_LOSS, passes);
    record.setU32(at.PASSES, 0); // they are in the books soon
    atStart = status === at.CLOSED || status === at.CLEAN;
    let isEnd = false;
    for (let k = 0; k < passes; k++) {
      left--;
      // All before it is in the books by now: whoever breaks off here leaves a history that adds up.
      if (status === at.CLEAN && k === passes - 1) isEnd = yield* isConfirmed(job);
      let stop = job.onPass(mistakes[k] as number, losses[k] as number, isEnd, atStart && k === passes - 1);
      if (job.judge && !isEnd) stop ??= yield* job.judge();
      if (stop) return stop;
    }
    if (isEnd) return 'separated';
    if (status === at.NON_FINITE) throw yield* job.overflow(record.u32(at.INDEX));
    if (status === at.WANTS_ROW) yield* job.bring(record.u32(at.INDEX));
    if (status === at.MISTAKE) {
      job.tally?.note(record.u32(at.INDEX));
      yield* countAll(job);
      job.onUpdate?.(record.u32(at.INDEX));
    }
    if (left === 0) return 'max-epochs';
    if (slice.due()) yield;
  }
}

/** How many passes may be made before this thread must see to them. */
function passesElsewhere({ order, random, hasAllRows, passesTogether, untilTold }: Job, left: number): Passes {
  const isShuffled = order === 'shuffle';
  if (!(passesTogether || untilTold) || (isShuffled && !hasAllRows)) return { passes: 1 };
  return {
    passes: Math.min(left, MOST_PASSES),
    ...(untilTold && { tellIn: untilTold() }),
    ...(isShuffled && { random: Array.from(random.state) }),
  };
}

/** Trains in worker threads, if there are any and it is worth their while. */
function* runElsewhere({ elsewhere, slice, inbox }: Job, passes: Passes): Sliced<Swept | undefined> {
  const { threads } = slice;
  if (!elsewhere || !threads?.wants(elsewhere.values, passes.passes * elsewhere.values)) return undefined;
  if (!(yield* threads.ready(true))) return undefined;
  const swept = yield* elsewhere.run(threads, slice.rows, passes, inbox);
  inbox.swept = undefined;
  return swept;
}

/** The same for a look at all samples. */
function* scanElsewhere(elsewhere: Elsewhere | undefined, { threads, rows }: Slice): Sliced<number | undefined> {
  // One look may not be worth the way there.
  if (!elsewhere?.scan || !threads?.wants(elsewhere.values, elsewhere.values / 8)) return undefined;
  return (yield* threads.ready(true)) ? yield* elsewhere.scan(threads, rows) : undefined;
}

/** Counts all mistakes in the middle of a sweep, which then goes on as if nothing had happened; nor does it show in a pause. */
export function* countNow(job: Looker): Sliced<number> {
  const { record } = job;
  const fields = [at.CURSOR, at.INDEX, at.ORDER];
  const read = () => fields.map((field) => record.u32(field));
  const write = (values: readonly number[]) => {
    for (let k = 0; k < fields.length; k++) record.setU32(fields[k] as number, values[k] as number);
  };
  const sweep = read();
  const look = lookAtAll({ ...job, elsewhere: undefined }); // the fields that it needs are not there in a pause
  try {
    for (;;) {
      const { done, value } = look.next();
      const own = done ? undefined : read();
      write(sweep);
      if (!own) return value as number;
      yield value as Pause;
      write(own);
    }
  } finally {
    look.return(0);
  }
}

/** With a pocket: counts all mistakes, and tells. */
function* countAll(job: Job): Sliced<number | undefined> {
  if (!job.onCount) return undefined;
  const count = yield* countNow(job);
  job.onCount(count);
  return count;
}

type Looker = Pick<Job, 'steps' | 'record' | 'slice' | 'overflow' | 'tally' | 'allAt' | 'elsewhere'>;

/** Lists all mistakes of the scores at hand, or at least counts them; returns how many there are. */
export function* lookAtAll(job: Looker): Sliced<number> {
  const { steps, record, slice, overflow, tally, elsewhere } = job;
  if (tally) return yield* tally.count(slice);
  record.setU32(at.CURSOR, 0);
  record.setU32(at.COUNT, 0);
  const order = record.u32(at.ORDER);
  record.setU32(at.ORDER, job.allAt); // a pass may be of draws, and not have all samples
  for (let status: number = at.PAUSED; status !== at.CLOSED; ) {
    status = (yield* scanElsewhere(elsewhere, slice)) ?? steps.scan(record.offset, slice.rows);
    if (status === at.NON_FINITE) throw yield* overflow(record.u32(at.INDEX));
    if (slice.due()) yield;
  }
  record.setU32(at.ORDER, order);
  record.setU32(at.CURSOR, 0);
  return record.u32(at.COUNT);
}

/** Makes `count` listed updates from `from` on. */
function* update({ steps, record, bring }: Job, from: number, count: number): Sliced<void> {
  for (let done = 0; ; ) {
    done += steps.apply(record.offset, from + done, count - done);
    if (done === count) return;
    yield* bring(record.u32(at.INDEX));
  }
}

/** Tells of the pass that the record holds and starts the next one. */
function* closePass({ record, onPass, judge }: Job, isEnd: boolean): Sliced<StopReason | undefined> {
  const mistakes = record.u32(at.MISTAKES);
  const loss = record.f64(at.LOSS);
  record.setU32(at.MISTAKES, 0);
  record.setF64(at.LOSS, 0);
  return onPass(mistakes, loss, isEnd, true) ?? (judge && !isEnd ? yield* judge() : undefined);
}

const oneMoreSeen = (record: TrainingRecord) => record.setF64(at.SEEN, record.f64(at.SEEN) + 1);

/** random: draw among all mistakes, update, look again. N updates are an epoch; a clean look is none. */
function* drawMistakes(job: Job): Sliced<StopReason> {
  const { record, slice } = job;
  for (let left = job.maxEpochs; ; ) {
    const count = yield* lookAtAll(job);
    job.onCount?.(count);
    if (count === 0) {
      if (!(yield* isConfirmed(job))) continue;
      if (record.u32(at.MISTAKES) > 0) yield* closePass(job, true);
      return 'separated';
    }
    if (left === 0) return 'max-epochs';
    const drawn = job.random.below(count);
    job.tally?.pick(drawn);
    yield* update(job, job.tally ? 0 : drawn, 1);
    job.tally?.note(record.u32(at.INDEX));
    oneMoreSeen(record);
    job.onUpdate?.(record.u32(at.INDEX));
    if (record.u32(at.MISTAKES) === job.samples) {
      left--;
      const stop = yield* closePass(job, false);
      if (stop) return stop;
    }
    if (slice.due()) yield;
  }
}

/** batch: score all samples with one w, then make all updates. */
function* stepByBatch(job: Job): Sliced<StopReason> {
  const { record, slice } = job;
  for (let left = job.maxEpochs; left > 0; left--) {
    const count = yield* lookAtAll(job);
    job.onCount?.(count);
    const isEnd = count === 0 && (yield* isConfirmed(job));
    const together = job.onUpdate ? 1 : Math.min(slice.rows, count);
    for (let from = 0; from < count; from += together) {
      yield* update(job, from, Math.min(together, count - from));
      job.onUpdate?.(record.u32(at.INDEX));
      if (slice.due()) yield;
    }
    oneMoreSeen(record);
    const stop = yield* closePass(job, isEnd);
    if (stop) return stop;
    if (isEnd) return 'separated';
    if (slice.due()) yield; // now: whoever stops here stops between two passes
  }
  job.onCount?.(yield* lookAtAll(job));
  return 'max-epochs';
}

/**
 * The ratchet: samples are drawn among all of them, right or wrong, N draws an epoch; all are counted only when more in
 * a row were right than when the pocket was last replaced.
 */
function* drawSamples(job: Job, ratchet: Ratchet): Sliced<StopReason> {
  const { steps, record, slice } = job;
  if (ratchet.isNew && (yield* countAll(job)) === 0) return 'separated';
  for (let left = job.maxEpochs; left > 0; left--) {
    const samples = job.listSamples().slice();
    const { length } = samples;
    for (let k = 0; k < length; k += PIECE) {
      draw(job, samples, k, Math.min(length, k + PIECE));
      if (slice.due()) yield;
    }
    for (let isOver = false; !isOver; ) {
      const before = record.u32(at.CURSOR);
      // As far as the run need go before it is worth a count; these weights may have been counted already.
      const wanted = ratchet.run > ratchet.pocketRun ? UNLIMITED : ratchet.pocketRun + 1 - ratchet.run;
      const status = steps.run(record.offset, Math.min(slice.rows, wanted), 1, 1);
      if (status === at.NON_FINITE) throw yield* job.overflow(record.u32(at.INDEX));
      isOver = record.u32(at.PASSES) === 1;
      const looked = (isOver ? length : record.u32(at.CURSOR)) - before;
      if (status === at.WANTS_ROW) yield* job.bring(record.u32(at.INDEX));
      if (status === at.MISTAKE) {
        ratchet.run = 0;
        job.tally?.note(record.u32(at.INDEX));
        job.onUpdate?.(record.u32(at.INDEX));
      } else {
        const wasCounted = ratchet.run > ratchet.pocketRun;
        ratchet.run += looked;
        if (!wasCounted && ratchet.run > ratchet.pocketRun) {
          // The mistakes of a pass that was just closed are not in the story yet.
          if (isOver) {
            record.setU32(at.MISTAKES, record.u32(at.PASS_MISTAKES));
            record.setU32(at.PASSES, 0);
          }
          const isEnd = (yield* countAll(job)) === 0;
          if (isOver) {
            record.setU32(at.MISTAKES, 0);
            record.setU32(at.PASSES, 1);
          }
          if (isEnd && isOver) takePass(job, true);
          else if (isEnd) yield* closePass(job, true);
          if (isEnd) return 'separated';
        }
      }
      if (slice.due()) yield;
    }
    let stop = takePass(job, false);
    if (job.judge) stop ??= yield* job.judge();
    if (stop) return stop;
  }
  return 'max-epochs';
}

/** Tells of the pass that a kernel has closed. */
function takePass({ record, onPass }: Job, isEnd: boolean): StopReason | undefined {
  record.setU32(at.PASSES, 0);
  return onPass(record.u32(at.PASS_MISTAKES), record.f64(at.PASS_LOSS), isEnd, true);
}

/** Draws samples for places from … to − 1 of a pass. */
function draw({ random, sampleList }: Job, samples: Uint32Array, from: number, to: number): void {
  const list = sampleList();
  for (let k = from; k < to; k++) list[k] = samples[random.below(samples.length)] as number;
}
