// A sweep that is under way in a worker: what it has come to, how its passes are shuffled, and when it comes back.

import * as at from '../../assembly/layout.js';
import { Random } from '../random.js';
import type { Sweep, Swept } from './protocol.js';
import type { View } from './view.js';

export class Course {
  readonly swept: { -readonly [K in keyof Swept]: Swept[K] } = { status: at.PAUSED, mistakes: [], losses: [] };
  readonly #view: View;
  readonly #job: Sweep;
  readonly #random: Random | undefined;
  readonly #started = performance.now();

  constructor(view: View, job: Sweep) {
    this.#view = view;
    this.#job = job;
    this.#random = job.random && new Random(job.random);
  }

  get #elapsed(): number {
    return performance.now() - this.#started;
  }

  /** How many passes the next call of `run` may close. */
  get passesTogether(): number {
    const { passes, tellIn = Infinity } = this.#job;
    const isAtLast = this.#random || (tellIn < Infinity && this.#elapsed >= tellIn);
    return isAtLast ? 1 : Math.min(at.PASS_CAPACITY, passes - this.swept.mistakes.length);
  }

  /** Takes note of what a call of `run` came to. */
  note(status: number): void {
    const { swept } = this;
    const { record } = this.#job;
    const view = this.#view;
    swept.status = status;
    const closed = view.uint(record, at.PASSES);
    for (let k = 0; k < closed; k++) {
      swept.mistakes.push(view.uint(record, at.PASS_MISTAKES + 4 * k));
      swept.losses.push(view.f64[(record + at.PASS_LOSS + 8 * k) / 8] as number);
    }
    view.setUint(record, at.PASSES, 0);
  }

  /** Whether there is more to do, and time for it; a pass that is about to begin is shuffled then. */
  goesOn(): boolean {
    const { swept } = this;
    const { passes, ms, tellIn = Infinity } = this.#job;
    const isAtEnd = swept.status === at.CLOSED;
    if (!isAtEnd && swept.status !== at.PAUSED) return false;
    const elapsed = this.#elapsed;
    if (elapsed >= ms || (isAtEnd && (swept.mistakes.length >= passes || elapsed >= tellIn))) return false;
    if (isAtEnd && this.#random) {
      this.#shuffle(this.#random);
      swept.status = at.PAUSED; // in the next pass, though at its start
    }
    return true;
  }

  /** Shuffles the samples of the next pass, from the order of rows. */
  #shuffle(random: Random): void {
    const view = this.#view;
    const { record } = this.#job;
    const place = view.uint(record, at.ORDER) >>> 2;
    const order = view.u32.subarray(place, place + view.uint(record, at.N));
    for (let i = 0; i < order.length; i++) order[i] = i;
    random.shuffle(order);
    this.swept.random = Array.from(random.state);
  }
}
