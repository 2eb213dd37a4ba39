// The worker threads of one call of fitAsync or gramAsync: whether there are any, and what they do for it.

import { type Clock, NEVER, type Pausing, waitFor } from '../async/pausing.js';
import type { BoundEngine } from '../engine/contract.js';
import { show } from '../errors.js';
import { type Block, isNoRoom } from '../memory/arena.js';
import { processors, whyNoWorkers } from './platform.js';
import type { Pool } from './pool.js';
import { type Call, orderOf } from './protocol.js';

/** The time and the threads that work may use. */
export interface Resources {
  readonly clock: Clock;
  readonly threads: Threads | undefined;
}

/** Work that is done at once, on the caller's thread. */
export const ALONE: Resources = Object.freeze({ clock: NEVER, threads: undefined });

/** The pool and the script of the workers: a file of its own, loaded when threads are first wanted. */
let loading: Promise<typeof import('./pool.js')> | undefined;

/**
 * Ends the worker threads that fitAsync and gramAsync have started: idle ones now, the others when the calls that use them
 * are over. You need not call it: they end by themselves when they have been idle for two seconds. Later calls start new ones.
 */
export async function stopThreads(): Promise<void> {
  await (await loading)?.stopThreads();
}

/** Products and sums of an order, each: some 5 ms of a kernel that reads its data from memory. */
export const ORDER_VALUES = 2 ** 24;

/** threads: 'auto' sends work to threads from this many values (a product and a sum each) on: some milliseconds. */
const LARGE = 2 ** 22;

/** As many as 'auto' takes, whatever the machine has; and as many as anybody means. */
const MOST = 16;
const MOST_ASKED = 64;

/** Calls that are made one after the other, in one order, with scratch at an offset. */
export type Part = (scratch: number) => readonly Call[];
/** Parts that must be done one after the other. */
export type Item = Iterable<Part>;

export interface ThreadOptions {
  readonly threads?: number | 'auto' | undefined;
  readonly workerUrl?: string | URL | undefined;
  readonly signal?: AbortSignal | undefined;
}

export class Threads {
  /** How many may work at a time. */
  readonly limit: number;
  /** How many orders were under way at the same time, at most. */
  used = 1;
  #underWay = 0;
  readonly #waiting: (() => void)[] = [];
  #reason: string | undefined;
  readonly #engine: BoundEngine;
  readonly #isAsked: boolean;
  readonly #options: ThreadOptions;
  #pool: Pool | undefined;
  #starting: Promise<void> | undefined;
  #isReady = false;

  /** @param whyAlone why the work must stay on the caller's thread, if so */
  constructor(engine: BoundEngine, options: ThreadOptions, whyAlone?: string) {
    const { threads: wanted = 'auto' } = options;
    this.#engine = engine;
    this.#options = options;
    this.#isAsked = wanted !== 'auto';
    const asked = wanted === 'auto' ? Math.min(processors(), MOST) : Math.min(wanted, MOST_ASKED);
    this.limit = whyAlone ? 1 : asked;
    if (whyAlone && wanted !== 'auto' && wanted > 1) this.#reason = whyAlone;
  }

  /** The signal of the call. */
  get signal(): AbortSignal | undefined {
    return this.#options.signal;
  }

  /** Why no worker thread worked, where some were asked for. */
  get reason(): string | undefined {
    const isInVain = this.#isAsked && this.limit > 1 && !this.#starting;
    return this.#reason ?? (isInVain ? 'this training goes from sample to sample on one thread' : undefined);
  }

  /**
   * Whether work of this many values should go to threads, and they are there. Small work is sooner done here. `meanwhile`: whether
   * the work can go on here, step by step, until threads have started; only work that must be sent whole waits for them.
   */
  *take(values: number, meanwhile: boolean): Pausing<boolean> {
    if (this.#reason !== undefined || this.limit < 2 || !(this.#isAsked || values >= LARGE)) return false;
    this.#starting ??= this.#start();
    if (!this.#isReady && (this.#isAsked || !meanwhile)) yield this.#starting;
    return this.#isReady;
  }

  async #start(): Promise<void> {
    this.#reason = this.#whyNot();
    if (this.#reason !== undefined) return;
    const { backing } = this.#engine.arena;
    try {
      loading ??= import('./pool.js');
      const { Pool } = await loading;
      const module = this.#engine.module as () => WebAssembly.Module;
      const pool = Pool.over(backing, backing.memory as WebAssembly.Memory, module());
      this.#pool = pool;
      pool.enter();
      this.#isReady = pool.has(this.limit);
      if (!this.#isReady) await pool.start(this.limit, this.#options.workerUrl);
      this.#isReady = true;
    } catch (error) {
      if (!this.#pool) loading = undefined; // the file may be there the next time
      this.#reason = `worker threads did not start: ${error instanceof Error ? error.message : String(error)}`;
    }
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

  /** Has calls made in a worker, and returns what the last one returned. No more than `limit` orders are under way. */
  async order(...calls: Call[]): Promise<number> {
    while (this.#underWay >= this.limit) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.used = Math.max(this.used, ++this.#underWay);
    try {
      return await (this.#pool as Pool).ask(orderOf(calls));
    } finally {
      this.#underWay--;
      this.#waiting.shift()?.();
    }
  }

  /**
   * Has the parts of all items done, items in any order on any thread, each part with `bytes` of scratch. Returns false, with
   * nothing done, where there is no room for scratch. Stops early once the signal is aborted: the work is then not resumed.
   */
  *each(items: Iterable<Item>, bytes: number, zeroed = false): Pausing<boolean> {
    const { arena } = this.#engine;
    let block: Block | undefined;
    let slots = this.limit;
    while (!block) {
      try {
        block = arena.allocate(slots * bytes, `scratch of ${slots} threads`, zeroed);
      } catch (error) {
        slots >>= 1; // fewer threads need less
        if (!isNoRoom(error)) throw error;
        if (slots === 0) return false;
      }
    }
    const { offset } = block;
    try {
      const left = items[Symbol.iterator]();
      let hasFailed = false;
      const isOver = () => hasFailed || this.#options.signal?.aborted === true;
      const work = async (slot: number): Promise<void> => {
        for (let item = left.next(); !item.done; item = left.next()) {
          for (const part of item.value) {
            if (isOver()) return;
            await this.order(...part(offset + slot * bytes));
          }
        }
      };
      const slotsAtWork = Array.from({ length: slots }, (_, slot) =>
        work(slot).catch((error) => {
          hasFailed = true;
          throw error;
        }),
      );
      // All of them: whoever is still at work may write to the scratch.
      const outcomes = yield* waitFor(Promise.allSettled(slotsAtWork));
      const failed = outcomes.find((outcome) => outcome.status === 'rejected');
      if (failed) throw failed.reason;
    } finally {
      arena.release(block);
    }
    return true;
  }

  /** The call is over: no order of it is under way. Threads that are still starting are waited for, and left to the pool. */
  leave(): void {
    this.#starting?.then(() => {
      this.#pool?.leave();
      this.#pool = undefined;
    });
  }
}

/** The threads of a call, if work of this many values should go to them and they are there. */
export function* threadsFor({ threads }: Resources, values: number, meanwhile = false): Pausing<Threads | undefined> {
  return threads && (yield* threads.take(values, meanwhile)) ? threads : undefined;
}

/** Where parts of `size` begin: 0, size, 2·size, … below count. */
export const startsOf = (count: number, size: number): number[] =>
  Array.from({ length: Math.ceil(count / size) }, (_, k) => k * size);

/** Refuses what is no number of threads, and no place to load their script from. */
export function checkThreads({ threads = 'auto', workerUrl }: ThreadOptions): void {
  if (threads !== 'auto' && !(Number.isInteger(threads) && threads >= 1)) {
    throw new RangeError(`"threads" must be 'auto' or an integer of at least 1, got ${show(threads)}`);
  }
  if (workerUrl !== undefined && typeof workerUrl !== 'string' && typeof workerUrl?.href !== 'string') {
    throw new TypeError(`"workerUrl" must be a string or a URL, got ${show(workerUrl)}`);
  }
}
