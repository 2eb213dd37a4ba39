// Threads as sliced work sees them: for one call of fitAsync or gramAsync, over the memory of its engine.

import * as at from '../../assembly/layout.js';
import type { Pace, Sliced } from '../async/sliced.js';
import type { BoundEngine } from '../engine/contract.js';
import { type Block, isNoRoom } from '../memory/arena.js';
import { allOf, type Lease, Pool, type Thread } from './pool.js';
import { type Group, KERNELS, type Kernel, type Order, type Scan, type Swept } from './protocol.js';
import { processors, whyNoWorkers } from './spawn.js';
import { ORDER_MS, Sweeping, type SweepJob } from './sweeping.js';

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
  readonly #sweeping: Sweeping;
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(
    engine: BoundEngine,
    wanted: number | 'auto',
    url: string | URL | undefined,
    signal: AbortSignal | undefined,
    isWatched = false,
  ) {
    this.#engine = engine;
    this.#sweeping = new Sweeping(engine.arena);
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

  /**
   * Trains on, in a worker, until something happens that only this thread can see to; or for a while. `values` of a row: where
   * several threads may look ahead.
   */
  *sweep(job: SweepJob, values: number | undefined, inbox: { swept?: Swept | undefined }): Sliced<Swept> {
    const most = values === undefined ? 1 : this.#sweeping.threadsFor(values, this.limit);
    yield this.#track(
      this.#lent(most, async (lease) => {
        const { swept, workers } = await this.#sweeping.give(job, values, lease);
        inbox.swept = swept;
        this.used = Math.max(this.used, workers);
      }),
    );
    return inbox.swept ?? { status: at.PAUSED, mistakes: [], losses: [] };
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
