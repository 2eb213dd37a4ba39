// The primal learner: weights, labels and the training record in the arena, and the way in and out.

import * as at from '../../assembly/layout.js';
import type { ArenaRows } from '../data/rows.js';
import type { Arena, Block } from '../memory/arena.js';
import type { Plane } from '../model/state.js';
import type { NumericSettings } from './options.js';
import { TrainingRecord } from './record.js';

/** What to start from: a plane, and where averaging stands. */
export interface Start {
  readonly last: Plane;
  readonly sums: Plane | undefined;
  readonly seen: number;
  readonly sigma: number;
}

/** Byte lengths of the learner's regions for n samples of d features, in the order they lie in its block. */
function regionsOf(n: number, d: number, settings: NumericSettings) {
  const looksAtAll = settings.order === 'random' || settings.order === 'batch';
  const listed = settings.order === 'shuffle' || settings.validationFraction > 0;
  return {
    record: at.RECORD_BYTES,
    labels: n, //                                   i8[n]
    order: listed ? 4 * n : 0, //                   u32[n]
    weights: 8 * d, //                              f64[d]
    sums: settings.average ? 8 * d : 0, //          f64[d]
    mistakes: looksAtAll ? 4 * n : 0, //            u32[n]
    margins: looksAtAll ? 8 * n : 0, //             f64[n]
  };
}
type Region = keyof ReturnType<typeof regionsOf>;

export class PrimalLearner {
  readonly record: TrainingRecord;
  readonly samples: number;
  readonly features: number;
  readonly #arena: Arena;
  readonly #block: Block;
  readonly #offsets = {} as Record<Region, number>;

  constructor(arena: Arena, X: ArenaRows, settings: NumericSettings) {
    this.#arena = arena;
    this.samples = X.rows;
    this.features = X.cols;
    const regions = Object.entries(regionsOf(X.rows, X.cols, settings)) as [Region, number][];
    const aligned = (bytes: number) => Math.ceil(bytes / 16) * 16;
    const total = regions.reduce((sum, [, bytes]) => sum + aligned(bytes), 0);
    this.#block = arena.allocate(total, `weights and labels of ${X.rows} × ${X.cols} values`);
    let offset = this.#block.offset;
    for (const [name, bytes] of regions) {
      this.#offsets[name] = bytes > 0 ? offset : 0; // 0 tells the kernels that there is none
      offset += aligned(bytes);
    }

    const record = new TrainingRecord(arena, this.#offsets.record);
    this.record = record;
    record.setU32(at.X, X.offset);
    record.setU32(at.N, X.rows);
    record.setU32(at.D, X.cols);
    record.setU32(at.ELEMENT, X.element);
    if (settings.order === 'shuffle') record.setU32(at.ORDER, this.#offsets.order);
    record.setU32(at.Y, this.#offsets.labels);
    record.setU32(at.W, this.#offsets.weights);
    record.setU32(at.SUMS, this.#offsets.sums);
    record.setU32(at.LIST, this.#offsets.mistakes);
    record.setU32(at.MARGINS, this.#offsets.margins);
    record.setF64(at.BIAS_SCALE, settings.fitIntercept ? settings.interceptScaling * settings.interceptScaling : 0);
    record.setF64(at.MU, settings.margin);
  }

  /** −1 or +1 for each row: to be filled in before training. */
  get labels(): Int8Array {
    return this.#arena.i8(this.#offsets.labels, this.samples);
  }

  /** The rows of a pass, in the order they are visited; there only for orders that need the list. */
  get order(): Uint32Array {
    return this.#arena.u32(this.#offsets.order, this.record.u32(at.N));
  }

  /** Trains on these rows alone, in this order. */
  restrictTo(rows: Uint32Array): void {
    this.record.setU32(at.N, rows.length);
    this.record.setU32(at.ORDER, this.#offsets.order);
    this.order.set(rows);
  }

  /** The weights as they stand, a view of this moment. */
  get weights(): Float64Array {
    return this.#arena.f64(this.#offsets.weights, this.features);
  }

  get weightsOffset(): number {
    return this.#offsets.weights;
  }

  /** step = (η·c)·y, once for each class (SPEC §12). */
  setSteps(learningRate: number, [negative, positive]: readonly [number, number]): void {
    for (const step of [learningRate * negative, learningRate * positive]) {
      if (!(step > 0 && step < Infinity)) {
        throw new RangeError(`"learningRate" times a class weight must be a finite number > 0, got ${step}`);
      }
    }
    this.record.setF64(at.STEP_POSITIVE, learningRate * positive * 1);
    this.record.setF64(at.STEP_NEGATIVE, learningRate * negative * -1);
  }

  start({ last, sums, seen, sigma }: Start): void {
    this.weights.set(last.weights);
    this.record.setF64(at.BIAS, last.bias);
    if (sums && this.#offsets.sums) {
      this.#arena.f64(this.#offsets.sums, this.features).set(sums.weights);
      this.record.setF64(at.BIAS_SUM, sums.bias);
    }
    this.record.setF64(at.SEEN, seen);
    this.record.setF64(at.SIGMA, sigma);
  }

  /** Copies out where training stands. */
  result(): Start & { plane: Plane } {
    const { record } = this;
    const last = { weights: this.weights.slice(), bias: record.f64(at.BIAS) };
    // A sweep that was broken off counts as far as it went; a look at all samples (random, batch) counts for nothing.
    const seen = record.f64(at.SEEN) + (this.#offsets.mistakes ? 0 : record.u32(at.CURSOR));
    const sigma = record.f64(at.SIGMA);
    if (!this.#offsets.sums) return { last, sums: undefined, seen, sigma, plane: last };
    const sums = {
      weights: this.#arena.f64(this.#offsets.sums, this.features).slice(),
      bias: record.f64(at.BIAS_SUM),
    };
    return { last, sums, seen, sigma, plane: meanPlane(last, sums, seen) };
  }

  release(): void {
    this.#arena.release(this.#block);
  }
}

/** (T·w − SUMS) / T: the mean of w over T samples (SPEC §9). */
function meanPlane(last: Plane, sums: Plane, seen: number): Plane {
  if (seen === 0) return last;
  const mean = (w: number, sum: number) => (seen * w - sum) / seen;
  return {
    weights: last.weights.map((w, k) => mean(w, sums.weights[k] as number)),
    bias: mean(last.bias, sums.bias),
  };
}
