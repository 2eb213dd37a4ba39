// A learner: what training works on in the arena, and the way in and out. What all learners have is here: the record,
// labels, the order of a pass, lists of mistakes; primal.ts and dual.ts add what they learn.

import * as at from '../../assembly/layout.js';
import { done, type Pace, type Sliced } from '../async/sliced.js';
import { type ArenaRows, findBad } from '../data/arenarows.js';

import type { BoundEngine, Kernels, Steps } from '../engine/contract.js';
import type { Arena, Block } from '../memory/arena.js';
import { aligned } from '../memory/freelist.js';
import type { Standing } from '../model/state.js';
import type { Elsewhere, Slice, Tally } from './loop.js';
import { TrainingRecord } from './record.js';
import type { NumericSettings } from './settings.js';

/** What a row costs beside its values, counted in values. */
export const ROW_COST = 16;

/** Values of rows held out that are scored in one go. */
const JUDGED_VALUES = 2 ** 20;

/** Byte lengths of the regions all learners have, for n samples. */
function sharedRegions(n: number, { order, validationFraction, pocket, ratchet }: NumericSettings) {
  const looksAtAll = order === 'random' || order === 'batch' || pocket;
  const isShuffled = order === 'shuffle' || ratchet;
  const isHeldOut = validationFraction > 0;
  return {
    record: at.RECORD_BYTES,
    labels: n, //                                                                 i8[n]
    counts: 4 * n, //                                                             u32[n]
    order: isShuffled || isHeldOut ? 4 * n : 0, //                                u32[n]
    training: isShuffled && isHeldOut && looksAtAll ? 4 * n : 0, //               u32[n]
    mistakes: looksAtAll ? 4 * n : 0, //                                          u32[n]
    margins: looksAtAll ? 8 * n : 0, //                                           f64[n]
  };
}

type SharedRegion = keyof ReturnType<typeof sharedRegions>;

/** @typeParam Learned what comes out; @typeParam Own names of the regions a learner adds */
export abstract class Learner<Learned, Own extends string = never> {
  readonly record: TrainingRecord;
  readonly samples: number;
  protected readonly arena: Arena;
  protected readonly kernels: Kernels;
  protected readonly X: ArenaRows;
  /** Byte offsets of the regions; 0 where a region is not needed, which is how the kernels are told. */
  protected readonly offsets: Record<SharedRegion | Own, number>;
  readonly #block: Block;
  #allAt = 0;
  /** Whether samples are visited one after the other, so that a pass can be half done. */
  readonly #sweeps: boolean;

  /** @param own byte lengths of the learner's own regions */
  constructor(engine: BoundEngine, X: ArenaRows, settings: NumericSettings, own: Record<Own, number>) {
    const { arena } = engine;
    this.arena = arena;
    this.X = X;
    this.samples = X.rows;
    this.#sweeps = settings.ratchet || settings.order === 'cyclic' || settings.order === 'shuffle';
    const regions = Object.entries({ ...sharedRegions(X.rows, settings), ...own }) as [SharedRegion | Own, number][];
    const total = regions.reduce((sum, [, bytes]) => sum + aligned(bytes), 0);
    this.#block = arena.allocate(total, `weights and labels of ${X.rows} × ${X.cols} values`);
    this.kernels = engine.kernels();
    let offset = this.#block.offset;
    this.offsets = {} as Record<SharedRegion | Own, number>;
    for (const [name, bytes] of regions) {
      this.offsets[name] = bytes > 0 ? offset : 0;
      offset += aligned(bytes);
    }

    const record = new TrainingRecord(arena, this.offsets.record);
    this.record = record;
    record.setU32(at.N, X.rows);
    if (settings.order === 'shuffle' || settings.ratchet) record.setU32(at.ORDER, this.offsets.order);
    record.setU32(at.Y, this.offsets.labels);
    record.setU32(at.COUNTS, this.offsets.counts);
    record.setU32(at.LIST, this.offsets.mistakes);
    record.setU32(at.MARGINS, this.offsets.margins);
    record.setF64(at.BIAS_SCALE, settings.fitIntercept ? settings.interceptScaling * settings.interceptScaling : 0);
    record.setF64(at.MU, settings.margin);
  }

  /** The kernels that train this form. */
  abstract readonly steps: Steps;
  /** What was learned so far, copied out. @throws RangeError if it has overflowed */
  abstract result(pace: Pace): Sliced<Learned & Standing>;
  /** The scores of some rows with what would predict now: the pocket, where there is one, else the last weights. */
  abstract scoresAt(rows: Uint32Array): Float64Array;
  /** The error for a score of row `index` that is not finite, where all values of rows are. */
  protected abstract overflow(index: number): Error;

  /** The error for a score of row `index` that is not finite: it names the first bad value, if there is one. */
  *overflowing(index: number, pace: Pace): Sliced<Error> {
    return (yield* findBad(this.X, pace)) ?? this.overflow(index);
  }

  /** A faster way to look at all samples, where there is one; it is the learner's to release. */
  tallyFor(_slice: Slice): Tally | undefined {
    return undefined;
  }

  /** Puts the weights at hand in the pocket. */
  keep(): void {}

  /** Training mistakes of what is in the pocket from an earlier session; undefined if nothing is. `training`: not all rows. */
  countKept(_training: Uint32Array | undefined, _pace: Pace): Sliced<number | undefined> {
    return done(undefined);
  }

  /** How many of these rows are predicted rightly now. */
  *rightAmong(rows: Uint32Array, pace: Pace): Sliced<number> {
    const together = Math.ceil(JUDGED_VALUES / this.costOfRow);
    let right = 0;
    for (let from = 0; from < rows.length; from += together) {
      const some = rows.subarray(from, from + together);
      const scores = this.scoresAt(some);
      const { labels } = this;
      for (let k = 0; k < some.length; k++) {
        if ((scores[k] as number) >= 0 === (labels[some[k] as number] as number) > 0) right++;
      }
      if (pace.due()) yield;
    }
    return right;
  }

  /** What an update on row `index` left behind, for those who want to know. */
  stateAfter(_index: number): { bias: number; weights?: () => Float64Array; code?: number } {
    const bias = this.record.f64(at.BIAS);
    return this.weights === undefined ? { bias } : { bias, weights: () => this.weights as Float64Array };
  }

  /** Has somebody told of each update, where the loop does not see them one by one. */
  watch(_onUpdate: (index: number) => void): void {}

  /** Training is over for this one; others may go on. */
  retire(): void {}

  /** Work to be done before training, once labels and start are set. */
  *prepare(_pace: Pace): Sliced<void> {}
  /** Fetches row `index` of the Gram matrix. */
  *bring(_index: number, _pace: Pace): Sliced<void> {}
  /** Whether a clean pass is the end: the dual form makes sure that its scores have not drifted. */
  confirm?(pace: Pace): Sliced<boolean>;

  /** How to train in worker threads, where that is possible. */
  get elsewhere(): Elsewhere | undefined {
    return undefined;
  }

  /** The weights as they stand, a view of this moment; where there are weights. */
  get weights(): Float64Array | undefined {
    return undefined;
  }

  /** Values a row may cost: what it is scored or corrected with. */
  get costOfRow(): number {
    return ROW_COST + this.X.valuesPerRow;
  }

  /** The type of the kernel, in dual form. */
  get kernel(): string | undefined {
    return undefined;
  }

  /** −1 or +1 for each row: to be filled in before training. */
  get labels(): Int8Array {
    return this.arena.i8(this.offsets.labels, this.samples);
  }

  /** How often each row was the mistake. */
  get counts(): Uint32Array {
    return this.arena.u32(this.offsets.counts, this.samples);
  }

  /** The rows of a pass, in the order they are visited; there only for orders that need the list. */
  get order(): Uint32Array {
    return this.arena.u32(this.offsets.order, this.record.u32(at.N));
  }

  /** Trains on these rows alone, in this order. */
  restrictTo(rows: Uint32Array): void {
    this.record.setU32(at.N, rows.length);
    this.record.setU32(at.ORDER, this.offsets.order);
    this.order.set(rows);
    this.#allAt = this.offsets.training || this.offsets.order;
    this.arena.u32(this.#allAt, rows.length).set(rows);
  }

  /** The byte offset of a list of all samples to train on, whatever the order of a pass; 0: all rows. */
  get allAt(): number {
    return this.#allAt;
  }

  /** step = (η·c)·y, once for each class (SPEC §12). */
  setSteps(learningRate: number, negative: number, positive: number): void {
    for (const step of [learningRate * negative, learningRate * positive]) {
      if (!(step > 0 && step < Infinity)) {
        throw new RangeError(`"learningRate" times a class weight must be a finite number > 0, got ${step}`);
      }
    }
    this.record.setF64(at.STEP_POSITIVE, learningRate * positive * 1);
    this.record.setF64(at.STEP_NEGATIVE, learningRate * negative * -1);
  }

  protected set standing({ seen, sigma }: Standing) {
    this.record.setF64(at.SEEN, seen);
    this.record.setF64(at.SIGMA, sigma);
  }

  protected get standing(): Standing {
    const { record } = this;
    // A sweep that was broken off counts as far as it went; a look at all samples counts for nothing.
    const seen = record.f64(at.SEEN) + (this.#sweeps ? record.u32(at.CURSOR) : 0);
    const sigma = record.f64(at.SIGMA);
    if (!Number.isFinite(sigma)) throw overflowed('the sum of all steps');
    return { seen, sigma };
  }

  release(): void {
    this.arena.release(this.#block);
  }
}

export function overflowed(what: string): RangeError {
  return new RangeError(
    `training overflowed: ${what} is no longer a finite number; scale X down, or use a smaller "learningRate" or class weight`,
  );
}

/** How far a score may be off after so many updates, given the size of what it is made of. */
export const roundingOf = (updates: number, size: number): number =>
  // Products below the normal numbers round by half of the smallest one, whatever their size.
  updates * (Number.EPSILON * size + Number.MIN_VALUE);
