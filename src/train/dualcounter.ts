// Counts all mistakes in dual form by reading the cached scores of the learner (SPEC §7).

import * as at from '../../assembly/layout.js';
import type { Pausing } from '../async/pausing.js';
import type { BoundEngine } from '../engine/contract.js';
import { isRight, marginOf } from '../engine/js/mistake.js';
import type { Block } from '../memory/arena.js';
import { absentFrom } from './absent.js';
import type { MistakeCounter } from './learner.js';
import type { Problem } from './problem.js';
import type { TrainingRecord } from './record.js';

/** What the counter needs of its learner. */
interface ScoresKept {
  readonly record: TrainingRecord;
  readonly rows: number;
  readonly labels: Int8Array;
  readonly problem: Pick<Problem, 'samples'>;
  overflowAt(index: number): Error;
}

/** Counts the mistakes of a dual learner from its cached scores. */
export class DualCounter implements MistakeCounter {
  readonly #engine: BoundEngine;
  readonly #learner: ScoresKept;
  readonly #out: Block;
  /** Rows that are no samples, and those of them that would be mistakes in the latest count; ascending. */
  readonly #absent: Uint32Array;
  readonly #wrongAbsent: number[] = [];

  constructor(engine: BoundEngine, learner: ScoresKept) {
    this.#engine = engine;
    this.#learner = learner;
    this.#out = engine.arena.allocate(8, 'two counts');
    this.#absent = absentFrom(learner.problem.samples, learner.rows);
  }

  note(): void {}

  *count(): Pausing<number> {
    const { record, rows } = this.#learner;
    const [scores, signs, b] = [record.u32(at.SCORES), record.u32(at.SIGNS), record.f64(at.BIAS)];
    const mu = record.f64(at.MU);
    const { offset } = this.#out;
    const { arena } = this.#engine;
    this.#engine.kernels().tally(scores, signs, rows, 0, 0, b, mu, Number.MAX_VALUE, offset);
    const [infinite, wrong] = arena.u32(offset, 2) as unknown as [number, number];
    const values = arena.f64(scores, rows);
    if (infinite > 0) {
      const lost = values.findIndex((s, i) => !Number.isFinite(s) && !this.#absent.includes(i));
      if (lost >= 0) throw this.#learner.overflowAt(lost);
    }
    this.#wrongAbsent.length = 0;
    if (this.#absent.length > 0) this.#listWrong(values, b, mu);
    return wrong - this.#wrongAbsent.length;
  }

  #listWrong(scores: Float64Array, b: number, mu: number): void {
    const [absent, wrong, { labels }] = [this.#absent, this.#wrongAbsent, this.#learner];
    for (let k = 0; k < absent.length; k++) {
      const i = absent[k] as number;
      if (!isRight(marginOf((scores[i] as number) + b, labels[i] as number), mu)) wrong.push(i);
    }
  }

  pick(k: number): boolean {
    const { record, rows } = this.#learner;
    const { arena } = this.#engine;
    const [at0, signs, b] = [record.u32(at.SCORES), record.u32(at.SIGNS), record.f64(at.BIAS)];
    const [scores, wrong, { labels }] = [arena.f64(at0, rows), this.#wrongAbsent, this.#learner];
    const before = wrong.map((i) => scores[i] as number);
    for (const i of wrong) scores[i] = (labels[i] as number) * Infinity; // right, so that they are not found
    const index = this.#engine.kernels().nthWrong(at0, signs, b, record.f64(at.MU), k);
    for (let j = 0; j < wrong.length; j++) scores[wrong[j] as number] = before[j] as number;
    const s = (scores[index] as number) + b;
    if (!Number.isFinite(s)) throw this.#learner.overflowAt(index);
    arena.u32(record.u32(at.LIST), 1)[0] = index;
    arena.f64(record.u32(at.MARGINS), 1)[0] = Object.is(arena.f64(signs + 8 * index, 1)[0], -0) ? -s : s;
    return true;
  }

  release(): void {
    this.#engine.arena.release(this.#out);
  }
}
