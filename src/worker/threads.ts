// Threads as sliced work sees them: for one call of fitAsync or gramAsync, over the memory of its engine.

import * as at from '../../assembly/layout.js';
import type { Pace, Sliced } from '../async/sliced.js';
import type { BoundEngine } from '../engine/contract.js';
import { type Block, isNoRoom } from '../memory/arena.js';
import { aligned } from '../memory/freelist.js';
import { type Lease, Pool, type Thread } from './pool.js';
import {
  type Group,
  KERNELS,
  type Kernel,
  type Order,
  type Scan,
  type Sweep,
  type Swept,
  TEAM_CLOSED,
  TEAM_OVER,
  TEAM_WORDS,
  type Team,
} from './protocol.js';
import { processors, whyNoWorkers } from './spawn.js';
import { Tempo } from './tempo.js';

/** A call of a kernel, by the name the module exports it under. */
export type Call = readonly [kernel: Kernel, ...numbers: number[]];

/** 'auto': from this many values on, a product and a sum each, work goes to threads at once … */
const LARGE = 2 ** 22;
/** … and any other once the call has gone on for so long. */
const LONG_MS = 30;
/** What is done sooner than an order has come and gone. */
const SHORT = 2 ** 21;

/** As many as 'auto' takes, whatever the machine has. */
const MOST = 16;
/** More than this nobody means. */
const MOST_ASKED = 64;

/** Milliseconds that one order may take: a signal is looked at in between, and others get their turn. */
const ORDER_MS = 15;
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

type SweepJob = Omit<Sweep, 'ms' | 'team'>;

/** What a sweep needs to know to be led with others: rows are dense, and their scores come of weights. */
interface Ahead {
  /** Values of a row. */
  readonly values: number;
}

/** Some milliseconds of calls, with scratch at an offset. */
export type Part = (scratch: number) => readonly Call[] | Group;
/** Calls that must be made one after the other. */
export type Item = Iterable<Part>;

export class Threads {
  /** How many may work at a time. */
  readonly limit: number;
  /** How many did, at most. */
  used = 1;
  /** Orders for one thread that may be under way, and those that wait because there are as many as may work. */
  #lone = 0;
  readonly #waiting: (() => void)[] = [];
  #working = 0;
  #reason: string | undefined;
  readonly #engine: BoundEngine;
  readonly #isAsked: boolean;
  readonly #url: string | URL | undefined;
  readonly #signal: AbortSignal | undefined;
  readonly #started = performance.now();
  #pool: Pool | undefined;
  #starting: Promise<void> | undefined;
  #isReady = false;
  #hasStarted = false;
  readonly #tempo = new Tempo();
  /** Samples to a mistake, in the latest order of a sweep. */
  #calm = 0;
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(
    engine: BoundEngine,
    wanted: number | 'auto',
    url: string | URL | undefined,
    signal: AbortSignal | undefined,
    isWatched = false,
  ) {
    this.#engine = engine;
    this.#isAsked = wanted !== 'auto';
    this.limit = isWatched
      ? 1
      : Math.min(wanted === 'auto' ? processors() : wanted, wanted === 'auto' ? MOST : MOST_ASKED);
    this.#url = url;
    this.#signal = signal;
    const isMany = wanted !== 'auto' && wanted > 1;
    if (isWatched && isMany) this.#reason = 'onUpdate is told of every update, on the thread that it was given on';
  }

  /** Why there were none, where some were wanted. */
  get reason(): string | undefined {
    const isInVain = this.#isAsked && this.limit > 1 && !this.#hasStarted;
    return this.#reason ?? (isInVain ? 'this training goes from sample to sample on one thread' : undefined);
  }

  /**
   * Whether work of this many values (a product and a sum each) should go to them: small work is sooner done here. `back`:
   * how much of it can be done before this thread must see to it.
   */
  wants(values: number, back = values): boolean {
    if (this.#reason !== undefined || this.limit < 2 || this.#signal?.aborted) return false;
    if (this.#isAsked || values >= LARGE) return true;
    return back >= SHORT && performance.now() - this.#started >= LONG_MS;
  }

  /**
   * Starts them, if that was not done before; answers whether there are any. `meanwhile`: whether there is something to be done
   * here until they are there.
   */
  *ready(meanwhile = false): Sliced<boolean> {
    if (this.#isReady || this.#reason !== undefined) return this.#isReady;
    this.#starting ??= this.#start(); // several may ask before they are there
    if (!this.#isReady && (this.#isAsked || !meanwhile)) yield this.#starting;
    return this.#isReady;
  }

  async #start(): Promise<void> {
    this.#hasStarted = true;
    this.#reason = this.#whyNot();
    if (this.#reason !== undefined) return;
    const { backing } = this.#engine.arena;
    let pool: Pool | undefined;
    try {
      const module = this.#engine.module as () => WebAssembly.Module;
      pool = Pool.over(backing, backing.memory as WebAssembly.Memory, module());
      this.#pool = pool;
      pool.enter();
      this.#isReady = pool.hasIdle(this.limit);
      if (this.#isReady) return;
      await pool.start(this.limit, this.#url);
    } catch (error) {
      this.#reason = `worker threads did not start: ${error instanceof Error ? error.message : String(error)}`;
    }
    this.#isReady = this.#reason === undefined && this.#pool === pool; // or the call is over by now
  }

  #whyNot(): string | undefined {
    const { kind, module, arena } = this.#engine;
    if (kind === 'js') return "engine 'js' works on one thread";
    if (!module) return 'the engine was made from a module of yours, whose memory is not shared';
    if (!arena.backing.shared) {
      const { crossOriginIsolated } = globalThis as { crossOriginIsolated?: boolean };
      return crossOriginIsolated === false
        ? 'this page is not cross-origin isolated, so its memory cannot be shared: serve it with the headers ' +
            '"Cross-Origin-Opener-Policy: same-origin" and "Cross-Origin-Embedder-Policy: require-corp" (docs/threads.md)'
        : 'this platform does not share memory between threads';
    }
    return whyNoWorkers();
  }

  /**
   * Has the calls of all items made, items in any order on any thread, the parts of an item one after the other. A part is
   * some milliseconds of work, with `bytes` of scratch to itself.
   * Answers false, with nothing done, where there is no room for that: on as many threads as there is room for it is done.
   * @throws the reason of the signal, if it came in between and some were not made
   */
  *each(items: Iterable<Item>, bytes: number, zeroed = false): Sliced<boolean> {
    const { arena } = this.#engine;
    let isDone = false;
    let block: Block | undefined;
    let most = this.limit;
    while (!block) {
      try {
        block = arena.allocate(most * bytes, `scratch of ${most} threads`, zeroed);
      } catch (error) {
        most >>= 1;
        if (!isNoRoom(error)) throw error;
        if (most === 0) return false;
      }
    }
    try {
      yield this.#track(
        this.#makeAll(items, block.offset, bytes, most).then((answer) => {
          isDone = answer;
        }),
      );
    } finally {
      arena.release(block);
    }
    if (!isDone) throw this.#signal?.reason;
    return true;
  }

  /** Answers whether all were made. */
  async #makeAll(items: Iterable<Item>, scratch: number, bytes: number, most: number): Promise<boolean> {
    const left = items[Symbol.iterator]();
    /** Items put down because others were waiting. */
    const begun: Iterator<Part>[] = [];
    const busy = new Set<number>();
    let isOver = false;
    const nextItem = (): Iterator<Part> | undefined => {
      const item = begun.pop() ?? left.next().value?.[Symbol.iterator]();
      if (!item) isOver = true;
      return item;
    };
    const make = async (thread: Thread, slot: number, isDue: () => boolean): Promise<void> => {
      // Two at a time: one is worked on while the other is on its way.
      const asked: Promise<unknown>[] = [];
      let item: Iterator<Part> | undefined;
      try {
        while (!isDue()) {
          item ??= nextItem();
          if (!item) break;
          const { done, value: part } = item.next();
          if (done) {
            item = undefined;
            continue;
          }
          busy.add(slot);
          asked.push(thread.ask(orderOf(part(scratch + slot * bytes))));
          // The others get their first before anybody gets a second.
          await (asked.length === 2 ? asked.shift() : undefined);
        }
      } finally {
        await Promise.allSettled(asked); // the second too, if the first failed: it may still write
      }
      if (item) begun.push(item);
      await Promise.all(asked);
    };
    while (!isOver || begun.length > 0) {
      await this.#lent(most, async (lease) => {
        const end = performance.now() + ORDER_MS;
        let hasFailed = false;
        const isDue = () =>
          hasFailed || this.#signal?.aborted === true || (lease.isAwaited && performance.now() >= end);
        await allOf(
          lease.threads.map((thread, slot) => make(thread, slot, isDue)),
          () => {
            hasFailed = true;
          },
        );
      });
      if (this.#signal?.aborted) return false;
    }
    this.used = Math.max(this.used, busy.size);
    return true;
  }

  /** Trains on, in a worker, until something happens that only this thread can see to; or for a while. */
  *sweep(job: SweepJob, ahead: Ahead | undefined, inbox: { swept?: Swept | undefined }): Sliced<Swept> {
    yield this.#track(ahead ? this.#sweepAhead(job, ahead, inbox) : this.#sweepAlone(job, inbox));
    return inbox.swept ?? { status: at.PAUSED, mistakes: [], losses: [] };
  }

  #sweepAlone(job: SweepJob, inbox: { swept?: Swept | undefined }): Promise<void> {
    return this.#lent(1, async ({ threads: [first], isAwaited }) => {
      const order = { ...job, ms: isAwaited ? ORDER_MS : LONE_MS };
      inbox.swept = (await (first as Thread).ask(order)) as Swept;
    });
  }

  /** Alone or together, as it pays. */
  #sweepAhead(job: SweepJob, { values }: Ahead, inbox: { swept?: Swept | undefined }): Promise<void> {
    const { arena } = this.#engine;
    const tempo = this.#tempo;
    const field = (at: number) => arena.u32(job.record + at, 1)[0] as number;
    const chunk = Math.max(4, 12 * Math.round(CHUNK_VALUES / values / 12));
    const apart = 2.5 * (chunk + MEETING_VALUES / (values + ROW_VALUES));
    return this.#lent(this.#calm >= apart && tempo.isTogether ? this.limit : 1, async ({ threads, isAwaited }) => {
      const team = threads.length > 1 ? this.#teamOf(threads.length, chunk, apart) : undefined;
      const order = { ...job, ms: isAwaited ? ORDER_MS : tempo.isTrial(team !== undefined) ? TRIAL_MS : LONE_MS };
      const [from, mistakes, started] = [field(at.CURSOR), field(at.MISTAKES), performance.now()];
      const swept = team
        ? await this.#lead(order, threads, team)
        : ((await (threads[0] as Thread).ask(order)) as Swept);
      inbox.swept = swept;
      const samples = swept.mistakes.length * field(at.N) + field(at.CURSOR) - from;
      const made = swept.mistakes.reduce((sum, one) => sum + one, field(at.MISTAKES)) - mistakes;
      this.#calm = samples / Math.max(1, made);
      tempo.note(team !== undefined, samples, performance.now() - started);
    });
  }

  /** Where so many threads meet; nothing if there is no room. */
  #teamOf(threads: number, chunk: number, apart: number): (Omit<Team, 'slot'> & { readonly block: Block }) | undefined {
    const stride = aligned(at.RECORD_BYTES) + aligned(12 * chunk);
    const head = aligned(4 * TEAM_WORDS);
    try {
      const block = this.#engine.arena.allocate(head + threads * stride, `${threads} threads`);
      return { block, control: block.offset, copies: block.offset + head, stride, chunk, calm: this.#calm, apart };
    } catch (error) {
      if (isNoRoom(error)) return undefined;
      throw error;
    }
  }

  async #lead(
    order: Sweep,
    threads: readonly Thread[],
    { block, ...place }: Omit<Team, 'slot'> & { readonly block: Block },
  ): Promise<Swept> {
    const { arena } = this.#engine;
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
      this.used = Math.max(this.used, 1 + chunks.filter((count) => (count as number) > 0).length);
      return swept as Swept;
    } finally {
      arena.release(block);
    }
  }

  /** Lists mistakes in a worker, for a while; answers as the kernel does. */
  *scan(job: Omit<Scan, 'ms'>): Sliced<number> {
    let status: number = at.PAUSED;
    yield this.#track(
      this.#lent(1, async ({ threads: [first] }) => {
        status = (await (first as Thread).ask({ ...job, ms: ORDER_MS })) as number;
      }),
    );
    return status;
  }

  /** Lends threads to `use`; not at all once the signal says so. */
  async #lent(most: number, use: (lease: Lease) => Promise<void>): Promise<void> {
    if (most === 1 && this.#lone++ >= this.limit) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      const lease = await (this.#pool as Pool).lease(most, this.#signal);
      if (!lease) return;
      if (most === 1) this.used = Math.max(this.used, ++this.#working);
      try {
        await use(lease);
      } finally {
        if (most === 1) this.#working--;
        lease.release();
      }
    } finally {
      if (most === 1 && this.#lone-- > this.limit) this.#waiting.shift()?.();
    }
  }

  #track<T>(work: Promise<T>): Promise<T> {
    this.#underWay.add(work);
    const done = () => this.#underWay.delete(work);
    work.then(done, done);
    return work;
  }

  /** Whether something is under way. */
  get isAtWork(): boolean {
    return this.#underWay.size > 0;
  }

  /** Waits until nothing is under way: only then may memory that they use be given back. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#underWay);
  }

  /** The same; and they are free for others until they are wanted again. */
  async leave(): Promise<void> {
    await this.settled();
    this.#pool?.leave();
    this.#pool = undefined;
    this.#starting = undefined;
    this.#isReady = false;
  }
}

/** All answers; once one has failed `onFailure` is called, and when the others have come too, it throws. */
async function allOf<T>(asked: readonly Promise<T>[], onFailure: () => void): Promise<T[]> {
  for (const one of asked) one.catch(onFailure);
  const outcomes = await Promise.allSettled(asked);
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
}

/** The threads of a pace, if work of this many values should go to them and they are there. */
export function* threadsFor({ threads }: Pace, values: number): Sliced<Threads | undefined> {
  return threads?.wants(values) && (yield* threads.ready()) ? threads : undefined;
}

/** Where parts of `size` begin: 0, size, 2·size, … below count. */
export const startsOf = (count: number, size: number): number[] =>
  Array.from({ length: Math.ceil(count / size) }, (_, k) => k * size);

const orderOf = (part: readonly Call[] | Group): Order => ('group' in part ? part : { calls: flatten(part) });

function flatten(calls: readonly Call[]): number[] {
  const flat: number[] = [];
  for (const [kernel, ...numbers] of calls) flat.push(KERNELS.indexOf(kernel), ...numbers);
  return flat;
}
