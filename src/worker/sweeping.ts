// Sweeps over the samples of a record, order by order: by one thread, or by several that look ahead together (team.ts), as it pays.

import * as at from '../../assembly/layout.js';
import { type Arena, type Block, isNoRoom } from '../memory/arena.js';
import { aligned } from '../memory/freelist.js';
import { allOf, type Lease, type Thread } from './pool.js';
import { type Sweep, type Swept, TEAM_CLOSED, TEAM_OVER, TEAM_WORDS, type Team } from './protocol.js';
import { Tempo } from './tempo.js';

/** Milliseconds that one order may take: a signal is looked at in between, and others get their turn. */
export const ORDER_MS = 15;
/** The same while nobody else waits for threads. */
const LONE_MS = 40;
/** And while it is to be found out whether several are faster than one. */
const TRIAL_MS = 4;

/** Values that one thread of a team looks at before it asks for more. */
const CHUNK_VALUES = 3 * 2 ** 10;

/** What a mistake costs a team beside a chunk: all of them meet, in the time of about so many values (3 µs) … */
const MEETING_VALUES = 9000;
/** … where a row takes as long as these, and its own. */
const ROW_VALUES = 30;

export type SweepJob = Omit<Sweep, 'ms' | 'team'>;

/** What a sweep came to, and how many threads worked on it. */
interface Given {
  readonly swept: Swept;
  readonly workers: number;
}

type Meeting = Omit<Team, 'slot'> & { readonly block: Block };

/** Samples that one of a team looks at before it asks for more, for rows of so many values. */
const chunkFor = (values: number): number => Math.max(4, 12 * Math.round(CHUNK_VALUES / values / 12));

/** Samples to a mistake from which on several threads may be faster than one. */
const apartFor = (values: number): number => 2.5 * (chunkFor(values) + MEETING_VALUES / (values + ROW_VALUES));

export class Sweeping {
  readonly #arena: Arena;
  readonly #tempo = new Tempo();
  /** Samples to a mistake, in the latest order. */
  #calm = 0;

  constructor(arena: Arena) {
    this.#arena = arena;
  }

  /** How many threads the next order is for, of `most`. */
  threadsFor(values: number, most: number): number {
    return this.#calm >= apartFor(values) && this.#tempo.isTogether ? most : 1;
  }

  /** Gives an order to the threads that were lent. */
  async give(job: SweepJob, values: number | undefined, { threads, isAwaited }: Lease): Promise<Given> {
    const first = threads[0] as Thread;
    const ms = isAwaited ? ORDER_MS : LONE_MS;
    if (values === undefined) return { swept: (await first.ask({ ...job, ms })) as Swept, workers: 1 };
    const field = (at: number) => this.#arena.u32(job.record + at, 1)[0] as number;
    const team = threads.length > 1 ? this.#meeting(threads.length, values) : undefined;
    const isTrial = !isAwaited && this.#tempo.isTrial(team !== undefined);
    const order = { ...job, ms: isTrial ? TRIAL_MS : ms };
    const [from, mistakes, started] = [field(at.CURSOR), field(at.MISTAKES), performance.now()];
    const given = team
      ? await this.#lead(order, threads, team)
      : { swept: (await first.ask(order)) as Swept, workers: 1 };
    const { swept } = given;
    const samples = swept.mistakes.length * field(at.N) + field(at.CURSOR) - from;
    const made = swept.mistakes.reduce((sum, one) => sum + one, field(at.MISTAKES)) - mistakes;
    this.#calm = samples / Math.max(1, made);
    this.#tempo.note(team !== undefined, samples, performance.now() - started);
    return given;
  }

  /** Where so many threads meet; nothing if there is no room. */
  #meeting(threads: number, values: number): Meeting | undefined {
    const [chunk, apart] = [chunkFor(values), apartFor(values)];
    const stride = aligned(at.RECORD_BYTES) + aligned(12 * chunk);
    const head = aligned(4 * TEAM_WORDS);
    try {
      const block = this.#arena.allocate(head + threads * stride, `${threads} threads`);
      return { block, control: block.offset, copies: block.offset + head, stride, chunk, calm: this.#calm, apart };
    } catch (error) {
      if (isNoRoom(error)) return undefined;
      throw error;
    }
  }

  async #lead(order: Sweep, threads: readonly Thread[], { block, ...place }: Meeting): Promise<Given> {
    const arena = this.#arena;
    try {
      const control = new Int32Array(arena.buffer, place.control, TEAM_WORDS);
      control[0] = -TEAM_CLOSED;
      threads.forEach((_, slot) => {
        const own = place.copies + place.stride * slot;
        arena.f64(own, at.RECORD_BYTES / 8).set(arena.f64(order.record, at.RECORD_BYTES / 8));
        const margins = own + aligned(at.RECORD_BYTES);
        arena.u32(own + at.MARGINS, 1)[0] = margins;
        arena.u32(own + at.LIST, 1)[0] = margins + 8 * place.chunk;
      });
      const asked = threads.map((thread, slot) => {
        const team = { ...place, slot };
        return thread.ask(slot === 0 ? { ...order, team } : { follow: order.record, team });
      });
      const [swept, ...chunks] = await allOf(asked, () => {
        Atomics.store(control, TEAM_OVER, 1); // the others must not wait for who is gone
        Atomics.notify(control, 0);
      });
      return { swept: swept as Swept, workers: 1 + chunks.filter((count) => (count as number) > 0).length };
    } finally {
      arena.release(block);
    }
  }
}
