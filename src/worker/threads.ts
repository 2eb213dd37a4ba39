// The worker threads of one call of fitAsync or gramAsync: whether the call uses any, and which tasks they run.

import { type Clock, NEVER, type Pausing, waitFor } from '../async/pausing.js';
import type { BoundEngine } from '../engine/contract.js';
import { show } from '../errors.js';
import { type Block, isNoRoom } from '../memory/arena.js';
import { processors, whyNoWorkers } from './platform.js';
import type { Pool } from './pool.js';
import { type Call, taskOf } from './protocol.js';

/** The clock and the threads that work may use. */
export interface Resources {
  readonly clock: Clock;
  readonly threads: Threads | undefined;
}

/** For work that runs without pauses, on the caller's thread. */
export const ALONE: Resources = Object.freeze({ clock: NEVER, threads: undefined });

/** The pool and the workers' script are a separate chunk, loaded when a call first needs threads. */
let loading: Promise<typeof import('./pool.js')> | undefined;

/**
 * Ends the worker threads that fitAsync and gramAsync have started: idle ones now, the others when the calls that use them
 * have ended. You need not call it: a thread that is idle for two seconds ends by itself. Later calls start new threads.
 */
export async function stopThreads(): Promise<void> {
  await (await loading)?.stopThreads();
}

/** Values of a task (a product and a sum each): about 5 ms for a kernel that reads its data from memory. */
export const TASK_VALUES = 2 ** 24;

/** threads: 'auto' uses threads for work of at least this many values (a product and a sum each): some milliseconds. */
const LARGE = 2 ** 22;

/** The most threads that 'auto' uses, and the most that a caller can ask for. */
const MOST = 16;
const MOST_ASKED = 64;

/** The calls of one task, given the byte offset of its scratch. */
export type Part = (scratch: number) => readonly Call[];
/** Parts that must run in sequence. */
export type Item = Iterable<Part>;

export interface ThreadOptions {
  readonly threads?: number | 'auto' | undefined;
  readonly workerUrl?: string | URL | undefined;
  readonly signal?: AbortSignal | undefined;
}

export class Threads {
  /** How many threads may work at the same time. */
  readonly limit: number;
  /** The most tasks that ran at the same time. */
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

  /** @param whyAlone why the work must stay on the caller's thread; undefined: it need not */
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

  /** Why no worker thread worked although the caller asked for some. */
  get reason(): string | undefined {
    if (this.#reason !== undefined || !this.#isAsked || this.limit < 2 || this.#starting) return this.#reason;
    return this.#whyNot() ?? 'this training visits one sample after another, on one thread';
  }

  /**
   * Whether work of this many values should go to threads, and the threads have started. Small work is faster here. `meanwhile`:
   * whether the work can run here, step by step, until the threads have started. It waits for them otherwise, and always if the
   * caller asked for a number of threads.
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
      if (!this.#pool) loading = undefined; // the next call loads the chunk again
      this.#reason = `worker threads did not start: ${error instanceof Error ? error.message : String(error)}`;
    }
  }

  #whyNot(): string | undefined {
    const { kind, module, arena } = this.#engine;
    if (kind === 'js') return "engine 'js' works on one thread";
    if (!module) return 'the engine was made from your module, whose memory is not shared';
    if (!arena.backing.shared) {
      const { crossOriginIsolated } = globalThis as { crossOriginIsolated?: boolean };
      return crossOriginIsolated === false
        ? 'this page is not cross-origin isolated, so its memory cannot be shared: serve it with the headers ' +
            '"Cross-Origin-Opener-Policy: same-origin" and "Cross-Origin-Embedder-Policy: require-corp" (docs/threads.md)'
        : 'this platform does not share memory between threads';
    }
    return whyNoWorkers();
  }

  /** Runs calls in a worker; resolves to the value of the last one. At most `limit` tasks run at the same time. */
  async runTask(...calls: Call[]): Promise<number> {
    while (this.#underWay >= this.limit) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.used = Math.max(this.used, ++this.#underWay);
    try {
      return await (this.#pool as Pool).runTask(taskOf(calls));
    } finally {
      this.#underWay--;
      this.#waiting.shift()?.();
    }
  }

  /**
   * Runs the parts of all items, items in any order on any thread, each part with `bytes` of scratch. Returns false, having done
   * nothing, if there is no memory for scratch. Stops early when the signal is aborted; the caller must not resume the work.
   */
  *each(items: Iterable<Item>, bytes: number, zeroed = false): Pausing<boolean> {
    const { arena } = this.#engine;
    let block: Block | undefined;
    let slots = this.limit;
    while (!block) {
      try {
        block = arena.allocate(slots * bytes, `scratch of ${slots} threads`, zeroed);
      } catch (error) {
        slots >>= 1; // fewer threads need less scratch
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
            await this.runTask(...part(offset + slot * bytes));
          }
        }
      };
      const slotsAtWork = Array.from({ length: slots }, (_, slot) =>
        work(slot).catch((error) => {
          hasFailed = true;
          throw error;
        }),
      );
      // Wait for all slots: a task that still runs may write to the scratch.
      const outcomes = yield* waitFor(Promise.allSettled(slotsAtWork));
      const failed = outcomes.find((outcome) => outcome.status === 'rejected');
      if (failed) throw failed.reason;
    } finally {
      arena.release(block);
    }
    return true;
  }

  /** Ends the call; none of its tasks may be running. Threads that are still starting stay in the pool. */
  leave(): void {
    this.#starting?.then(() => {
      this.#pool?.leave();
      this.#pool = undefined;
    });
  }
}

/** The threads of a call if work of this many values should go to them and they have started; else undefined. */
export function* threadsFor({ threads }: Resources, values: number, meanwhile = false): Pausing<Threads | undefined> {
  return threads && (yield* threads.take(values, meanwhile)) ? threads : undefined;
}

/** Checks "threads" and "workerUrl". @throws RangeError or TypeError naming the option */
export function checkThreads({ threads = 'auto', workerUrl }: ThreadOptions): void {
  if (threads !== 'auto' && !(Number.isInteger(threads) && threads >= 1)) {
    throw new RangeError(`"threads" must be 'auto' or an integer of at least 1, got ${show(threads)}`);
  }
  if (workerUrl !== undefined && typeof workerUrl !== 'string' && typeof workerUrl?.href !== 'string') {
    throw new TypeError(`"workerUrl" must be a string or a URL, got ${show(workerUrl)}`);
  }
}
