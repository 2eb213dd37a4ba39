// Worker threads over one memory, and a first-in, first-out queue of tasks for them. A task is a few milliseconds of work: calls
// share the threads fairly, and an abort waits only briefly. Every task gets an answer, or an error if its worker ends or does not
// answer in time. Threads start when they are first needed and end when they have been idle for a while. An idle thread does not
// keep the process alive.

import type { Backing } from '../memory/backing.js';
import type { Answer, Open, Task } from './protocol.js';
import { version } from './source.js';
import { spawn, type Worker } from './spawn.js';

/** Idle threads end after this time: each of them uses memory. */
const IDLE_MS = 2000;

/**
 * The pool gives up a worker that has not started within 10 s, or has not answered a task within a minute. It counts timer checks,
 * not time: no check happens while this thread is blocked or the machine sleeps.
 */
const CHECK_MS = 500;
const START_CHECKS = 20;
const TASK_CHECKS = 120;

/** A page gets no event when a terminated worker has ended. In Chromium the worker runs on for two seconds (measured), perhaps more. */
const GONE_MS = 3000;

interface Pending {
  resolve(value: number | string): void;
  reject(error: Error): void;
}

/** A worker. It runs one task at a time. */
export class Thread {
  /** Resolves when the worker is ready; rejects if it does not start. */
  readonly ready: Promise<void>;
  readonly #worker: Worker;
  readonly #onEnd: (thread: Thread, error: Error) => void;
  #pending: Pending | undefined;
  #error: Error | undefined;
  #checksLeft = START_CHECKS;
  readonly #timer: ReturnType<typeof setInterval>;

  /** @throws what the platform throws where workers are forbidden */
  constructor(open: Open, url: string | URL | undefined, onEnd: (thread: Thread, error: Error) => void) {
    this.#onEnd = onEnd;
    this.#worker = spawn(url, {
      answered: (answer) => this.#answered(answer),
      ended: (why) => this.#ended(why),
    });
    this.#timer = setInterval(() => this.#checkTime(), CHECK_MS);
    (this.#timer as { unref?(): void }).unref?.();
    this.ready = this.#send(open).then((answer) => {
      if (answer !== version) throw new Error(`${url} is perceptron-wasm/worker.js of another version`);
      this.hasStarted = true;
    });
    this.ready.catch(() => {}); // the callers that await `ready` get the error
  }

  hasStarted = false;

  /** Whether a task is running. */
  get isBusy(): boolean {
    return this.hasStarted && this.#pending !== undefined;
  }

  runTask(task: Task): Promise<number> {
    this.#checksLeft = TASK_CHECKS;
    return this.#send(task) as Promise<number>;
  }

  #send(message: Open | Task): Promise<number | string> {
    return new Promise((resolve, reject) => {
      if (this.#error) {
        reject(this.#error);
        return;
      }
      this.#pending = { resolve, reject };
      this.#worker.hold(true);
      this.#worker.post(message);
    });
  }

  #answered(answer: Answer): void {
    const pending = this.#pending;
    this.#pending = undefined;
    this.#worker.hold(false);
    if ('error' in answer) pending?.reject(new Error(`a worker thread failed: ${answer.error}`));
    else pending?.resolve(answer.value);
  }

  #checkTime(): void {
    if (!this.#pending || --this.#checksLeft > 0) return;
    this.#ended('it did not answer in time');
  }

  /** Ends the worker, also during a task. */
  async terminate(): Promise<void> {
    await this.#ended('it was stopped');
  }

  /** Ends the worker as a crash would. For tests. */
  async kill(): Promise<void> {
    await this.#worker.terminate();
    await this.#ended('it was killed'); // a page gets no event
  }

  async #ended(why: string): Promise<void> {
    if (this.#error) return;
    const error = new Error(`a worker thread ended: ${why}`);
    this.#error = error;
    clearInterval(this.#timer);
    this.#worker.hold(true); // until the worker has ended
    const gone = this.#worker.terminate();
    const pending = this.#pending;
    // The task may still be running: the memory that it writes to must not be released yet. A worker that has not started writes nothing.
    await (gone ?? (this.isBusy && new Promise((resolve) => setTimeout(resolve, GONE_MS))));
    this.#pending = undefined;
    this.#onEnd(this, error);
    pending?.reject(error);
  }
}

interface Queued extends Pending {
  readonly task: Task;
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
    const thread = new Thread(this.#open, url, (ended, error) => this.#lost(ended, error));
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
      this.#queue.push({ task, resolve: resolve as Pending['resolve'], reject });
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
  return { threads: threads.length, busy: threads.filter(({ isBusy }) => isBusy).length };
}
