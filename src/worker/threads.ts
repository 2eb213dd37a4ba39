// The worker threads that one call of fitAsync or gramAsync may use. Until work is worth a thread, this is all that is loaded: the
// pool, the tasks and the workers' script are a separate chunk (taskrunner.ts).

import { type Clock, NEVER, type Pausing, waitFor } from '../async/pausing.js';
import type { BoundEngine } from '../engine/contract.js';
import { messageOf, show } from '../errors.js';
import type { TaskRunner } from './taskrunner.js';

/** The clock and the threads that work may use. */
export interface Resources {
  readonly clock: Clock;
  readonly threads: Threads | undefined;
}

/** For work that runs without pauses, on the caller's thread. */
export const ALONE: Resources = Object.freeze({ clock: NEVER, threads: undefined });

type Chunk = typeof import('./taskrunner.js');
let loading: Promise<Chunk> | undefined;

/**
 * Ends the worker threads that fitAsync and gramAsync have started: idle ones now, the others when the calls that use them
 * have ended. You need not call it: a thread that is idle for two seconds ends by itself. Later calls start new threads.
 * @throws Nothing
 *
 * @example
 * await gramAsync([[1, 0], [1, 1]], { threads: 2 });
 * await stopThreads();
 */
export async function stopThreads(): Promise<void> {
  await (await loading)?.stopThreads();
}

/** Values of a task (a product and a sum each): about 5 ms for a kernel that reads its data from memory. */
export const TASK_VALUES = 2 ** 24;

/** threads: 'auto' uses threads for work of at least this many values (a product and a sum each): some milliseconds. */
const LARGE = 2 ** 22;

export interface ThreadOptions {
  readonly threads?: number | 'auto' | undefined;
  readonly workerUrl?: string | URL | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The most tasks that ran at the same time; why none ran on a thread, if the caller asked for threads or the work was large. */
export interface ThreadsUsed {
  readonly used: number;
  readonly reason: string | undefined;
}

export class Threads {
  /** The options of the call. */
  readonly options: ThreadOptions;
  /** Whether the work must stay on the caller's thread. */
  readonly isAlone: boolean;
  readonly #engine: BoundEngine;
  readonly #isAsked: boolean;
  #reason: string | undefined;
  #starting: Promise<void> | undefined;
  #runner: TaskRunner | undefined;

  /**
   * @param whyAlone why the work must stay on the caller's thread; undefined: it need not
   * @throws RangeError or TypeError naming the option that is wrong
   */
  constructor(engine: BoundEngine, options: ThreadOptions, whyAlone?: string) {
    const { threads = 'auto', workerUrl } = options;
    if (threads !== 'auto' && !(Number.isInteger(threads) && threads >= 1)) {
      throw new RangeError(`"threads" must be 'auto' or an integer of at least 1, got ${show(threads)}`);
    }
    if (workerUrl !== undefined && typeof workerUrl !== 'string' && typeof workerUrl?.href !== 'string') {
      throw new TypeError(`"workerUrl" must be a string or a URL, got ${show(workerUrl)}`);
    }
    this.#engine = engine;
    this.options = options;
    this.#isAsked = threads !== 'auto' && threads > 1;
    this.isAlone = whyAlone !== undefined || threads === 1;
    if (this.#isAsked) this.#reason = whyAlone;
  }

  /**
   * What runs tasks on threads, once they have started, if work of this many values should go to them: small work is faster here.
   * `meanwhile`: whether the work can run here, step by step, until the threads have started. It waits for them otherwise, and
   * always if the caller asked for a number of threads.
   */
  take(values: number, meanwhile: boolean): TaskRunner | undefined | Promise<TaskRunner | undefined> {
    if (this.#reason !== undefined || this.isAlone || !(this.#isAsked || values >= LARGE)) return undefined;
    this.#starting ??= this.#load(async ({ startRunner }) => {
      const { runner, reason } = await startRunner(this.#engine, this.options);
      this.#runner = runner;
      this.#reason = reason;
    });
    if (this.#runner || (meanwhile && !this.#isAsked)) return this.#runner;
    return this.#starting.then(() => this.#runner);
  }

  /** How many threads worked, for the report. */
  async outcome(): Promise<ThreadsUsed> {
    if (this.#isAsked && !this.#starting && this.#reason === undefined) {
      await this.#load(({ whyNoThreads }) => {
        this.#reason = whyNoThreads(this.#engine) ?? 'this training visits one sample after another, on one thread';
      });
    }
    return { used: this.#runner?.used ?? 1, reason: this.#reason };
  }

  /** Loads the chunk and uses it. */
  async #load(use: (chunk: Chunk) => void | Promise<void>): Promise<void> {
    let chunk: Chunk | undefined;
    try {
      loading ??= import('./taskrunner.js');
      chunk = await loading;
      await use(chunk);
    } catch (error) {
      if (!chunk) loading = undefined; // the next call loads it again
      this.#reason = `worker threads did not start: ${messageOf(error)}`;
    }
  }

  /** Ends the call; none of its tasks may be running. Threads that are still starting stay in the pool. */
  leave(): void {
    this.#starting?.then(() => this.#runner?.leave());
  }
}

/** What runs tasks on the threads of a call, if work of this many values should go to them (`take`). */
export const threadsFor = (
  { threads }: Resources,
  values: number,
  meanwhile = false,
): Pausing<TaskRunner | undefined> => waitFor(threads?.take(values, meanwhile));
