// The training record (assembly/layout.ts) for JavaScript: reads and writes its fields; and the regions that it points to.

import * as at from '../../assembly/layout.js';
import type { Arena } from '../memory/arena.js';
import type { Target } from './learner.js';
import type { Problem } from './problem.js';
import type { NumericSettings } from './settings.js';

export class TrainingRecord {
  readonly #arena: Arena;
  readonly offset: number;
  #buffer: ArrayBufferLike | undefined;
  #u32!: Uint32Array;
  #f64!: Float64Array;

  constructor(arena: Arena, offset: number) {
    this.#arena = arena;
    this.offset = offset;
  }

  #refresh(): void {
    const { buffer } = this.#arena;
    if (buffer === this.#buffer) return;
    this.#buffer = buffer;
    this.#u32 = new Uint32Array(buffer, this.offset, at.RECORD_BYTES / 4);
    this.#f64 = new Float64Array(buffer, this.offset, at.RECORD_BYTES / 8);
  }

  u32(field: number): number {
    this.#refresh();
    return this.#u32[field / 4] as number;
  }

  f64(field: number): number {
    this.#refresh();
    return this.#f64[field / 8] as number;
  }

  /** Copies all fields of another record. */
  copyFrom(other: TrainingRecord): void {
    this.#refresh();
    other.#refresh();
    this.#f64.set(other.#f64);
  }

  setU32(field: number, value: number): void {
    this.#refresh();
    this.#u32[field / 4] = value;
  }

  setF64(field: number, value: number): void {
    this.#refresh();
    this.#f64[field / 8] = value;
  }
}

/** Byte lengths of the regions that all learners have. */
export function sharedRegions(
  { X, samples, rowWeights }: Problem,
  { order, pocket, ratchet, update }: NumericSettings,
  { isOneOfMany, positive }: Target,
) {
  const n = X.rows;
  const scansAll = order === 'random' || order === 'batch' || pocket;
  const isShuffled = order === 'shuffle' || ratchet;
  const isRestricted = samples !== undefined;
  // ‖x̃‖² does not depend on the class: the learner of the first class has the list for all.
  const hasNorms = update !== 'perceptron' && (!isOneOfMany || positive === 0);
  return {
    record: at.RECORD_BYTES,
    scan: scansAll ? at.RECORD_BYTES : 0,
    labels: n, //                                                                 i8[n]
    counts: 4 * n, //                                                             u32[n]
    order: isShuffled || isRestricted ? 4 * n : 0, //                             u32[n]
    training: isShuffled && isRestricted && scansAll ? 4 * n : 0, //              u32[n]
    mistakes: scansAll ? 4 * n : 0, //                                            u32[n]
    margins: scansAll ? 8 * n : 0, //                                             f64[n]
    steps: rowWeights ? 8 * n : 0, //                                             f64[n]
    norms: hasNorms ? 8 * n : 0, //                                               f64[n]
  };
}

export type SharedRegion = keyof ReturnType<typeof sharedRegions>;
