// Counts all mistakes in dual form by reading the cached scores of the learner (SPEC §7).

import * as at from '../../assembly/layout.js';
import type { Pausing } from '../async/pausing.js';
import type { BoundEngine } from '../engine/contract.js';
import type { Block } from '../memory/arena.js';
import type { MistakeCounter } from './learner.js';
import type { TrainingRecord } from './record.js';

/** What the counter needs of its learner. */
interface ScoresKept {
  readonly record: TrainingRecord;
  readonly rows: number;
  overflowAt(index: number): Error;
}

/** Counts the mistakes of a dual learner from its cached scores. */
export class DualCounter implements MistakeCounter {
  readonly #engine: BoundEngine;
  readonly #learner: ScoresKept;
  readonly #out: Block;

  constructor(engine: BoundEngine, learner: ScoresKept) {
    this.#engine = engine;
    this.#learner = learner;
    this.#out = engine.arena.allocate(8, 'two counts');
  }

  note(): void {}

  *count(): Pausing<number> {
    const { record, rows } = this.#learner;
    const [scores, signs, b] = [record.u32(at.SCORES), record.u32(at.SIGNS), record.f64(at.BIAS)];
    const { offset } = this.#out;
    const { arena } = this.#engine;
    this.#engine.kernels().tally(scores, signs, rows, 0, 0, b, record.f64(at.MU), Number.MAX_VALUE, offset);
    const [infinite, wrong] = arena.u32(offset, 2) as unknown as [number, number];
    if (infinite > 0) {
      throw this.#learner.overflowAt(arena.f64(scores, rows).findIndex((s) => !Number.isFinite(s)));
    }
    return wrong;
  }

  pick(k: number): boolean {
    const { record } = this.#learner;
    const { arena } = this.#engine;
    const [scores, signs, b] = [record.u32(at.SCORES), record.u32(at.SIGNS), record.f64(at.BIAS)];
    const index = this.#engine.kernels().nthWrong(scores, signs, b, record.f64(at.MU), k);
    const s = (arena.f64(scores + 8 * index, 1)[0] as number) + b;
    if (!Number.isFinite(s)) throw this.#learner.overflowAt(index);
    arena.u32(record.u32(at.LIST), 1)[0] = index;
    arena.f64(record.u32(at.MARGINS), 1)[0] = Object.is(arena.f64(signs + 8 * index, 1)[0], -0) ? -s : s;
    return true;
  }

  release(): void {
    this.#engine.arena.release(this.#out);
  }
}
