// Worker threads over one memory, and a first-in, first-out queue of tasks for them. A task is a few milliseconds of work: calls
// share the threads fairly, and an abort waits only briefly. Every task gets an answer, or an error if its worker ends or does not
// answer in time. Threads start when they are first needed and end when they have been idle for a while. An idle thread does not
// keep the process alive.

import type { Backing } from '../memory/backing.js';
import { Thread as WorkerThread } from './handle.js';
import type { Open, Task } from './protocol.js';
import { source, version } from './source.js';

type Thread = WorkerThread<Open, Task, number>;

/** Idle threads end after this time: each of them uses memory. */
const IDLE_MS = 2000;

interface Queued {
  readonly task: Task;
  resolve(value: number): void;
  reject(error: Error): void;
}

/** Pools by the memory that their threads share and the module that they run. */
const pools = new Map<Backing, Map<WebAssembly.Module, Pool>>();

export class Pool {
  readonly #backing: Backing;
  readonly #open: Open;
  readonly #threads = new Set<Thread>();
  readonly #idle: Thread[] = [];
  readonly #queue: Queued[] = [];
  /** Calls that have entered and not left. */
  #calls = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isStopping = false;
  /** How the latest thread ended. */
  #lastError: Error | undefined;
  #onClosed: (() => void)[] = [];

  private constructor(backing: Backing, memory: WebAssembly.Memory, module: WebAssembly.Module) {
    this.#backing = backing; // keeps the memory alive, so that the arena uses it again
    this.#open = { memory, module };
  }

  /** The pool for a memory and a module; makes one if there is none. */
  static over(backing: Backing, memory: WebAssembly.Memory, module: WebAssembly.Module): Pool {
    const own = pools.get(backing) ?? new Map<WebAssembly.Module, Pool>();
    pools.set(backing, own);
    const pool = own.get(module) ?? new Pool(backing, memory, module);
    own.set(module, pool);
    return pool;
  }

  /** Registers a call that may send tasks. The call must end with `leave`. */
  enter(): void {
    this.#calls++;
    clearTimeout(this.#timer);
  }

  leave(): void {
    if (--this.#calls > 0) return;
    if (this.#isStopping || this.#threads.size === 0) {
      this.#close();
      return;
    }
    this.#timer = setTimeout(() => this.#close(), IDLE_MS);
    (this.#timer as { unref?(): void }).unref?.();
  }

  /** Whether at least `count` threads have started. */
  has(count: number): boolean {
    return [...this.#threads].filter((thread) => thread.hasStarted).length >= count;
  }

  /** Starts threads until there are `count`, or as many as can start. @throws if none started */
  async start(count: number, url: string | URL | undefined): Promise<void> {
    const before = [...this.#threads].map(({ ready }) => ready);
    const starting = Array.from({ length: Math.max(0, count - before.length) }, () => this.#add(url));
    const outcomes = await Promise.allSettled([...before, ...starting]);
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (this.#threads.size === 0) throw failed?.reason ?? new Error('no worker thread started');
  }

  async #add(url: string | URL | undefined): Promise<void> {
    const thread = new WorkerThread<Open, Task, number>({ source, version }, this.#open, url, (ended, error) =>
      this.#lost(ended, error),
    );
    this.#threads.add(thread);
    try {
      await thread.ready;
    } catch (error) {
      await thread.terminate();
      throw error;
    }
    this.#idle.push(thread);
    this.#serve();
  }

  /** Queues a task; resolves to the value of its last call. */
  runTask(task: Task): Promise<number> {
    return new Promise((resolve, reject) => {
      if (this.#threads.size === 0) {
        reject(this.#lastError ?? new Error('a worker thread ended'));
        return;
      }
      this.#queue.push({ task, resolve, reject });
      this.#serve();
    });
  }

  #serve(): void {
    while (this.#queue.length > 0 && this.#idle.length > 0) {
      const thread = this.#idle.shift() as Thread;
      const { task, resolve, reject } = this.#queue.shift() as Queued;
      thread.runTask(task).then(
        (value) => {
          this.#idle.unshift(thread); // reuse this thread first: the data is in its cache
          resolve(value);
          this.#serve();
        },
        (error) => {
          if (this.#threads.has(thread)) this.#idle.push(thread); // the task failed, the thread did not
          reject(error);
          this.#serve();
        },
      );
    }
  }

  /** Removes a thread that has ended. If it was the last one, all queued tasks fail. */
  #lost(thread: Thread, error: Error): void {
    this.#threads.delete(thread);
    this.#lastError = error;
    const place = this.#idle.indexOf(thread);
    if (place >= 0) this.#idle.splice(place, 1);
    if (this.#threads.size === 0) for (const { reject } of this.#queue.splice(0)) reject(error);
  }

  /** Ends all threads: now, or when the running calls have left. */
  stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#onClosed.push(resolve));
    this.#isStopping = true;
    this.#forget(); // later calls make a new pool
    if (this.#calls === 0) this.#close();
    return closed;
  }

  #forget(): void {
    const own = pools.get(this.#backing);
    if (own?.get(this.#open.module) === this) own.delete(this.#open.module);
    if (own?.size === 0) pools.delete(this.#backing);
  }

  async #close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#forget();
    await Promise.all([...this.#threads].map((thread) => thread.terminate()));
    for (const resolve of this.#onClosed.splice(0)) resolve();
  }

  get threads(): Thread[] {
    return [...this.#threads];
  }
}

/** Pools that are stopping. */
const stopping = new Set<Promise<void>>();

const allThreads = (): Thread[] =>
  [...pools.values()].flatMap((own) => [...own.values()].flatMap((pool) => pool.threads));

/** Ends all worker threads: idle ones now, the others when the calls that use them have ended. */
export async function stopThreads(): Promise<void> {
  for (const own of [...pools.values()]) {
    for (const pool of [...own.values()]) {
      const closed = pool.stop();
      stopping.add(closed);
      closed.then(() => stopping.delete(closed));
    }
  }
  await Promise.all(stopping);
}

/** All worker threads. For tests. */
export const threadsOf = allThreads;

/** How many threads there are, and how many of them run a task. For tests. */
export function poolsNow(): { threads: number; busy: number } {
  const threads = allThreads();
  return { threads: threads.length, busy: threads.filter(({ tasks }) => tasks > 0).length };
}
