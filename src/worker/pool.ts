// Worker threads over one memory, and a queue of orders for them: first come, first served. An order is a few milliseconds of
// work, so that calls share the threads fairly and an abort need not wait long. Every order gets an answer, or an error when its
// worker ends or does not answer in time. Threads start when they are first needed and end after some idle time; between calls they
// do not keep a process alive.

import type { Backing } from '../memory/backing.js';
import type { Answer, Open, Order } from './protocol.js';
import { version } from './source.js';
import { spawn, type Worker } from './spawn.js';

/** Idle threads end after this time: they hold on to their memory. */
const IDLE_MS = 2000;

/**
 * A worker that has not started within 10 s, or not answered an order within a minute, is given up. Time is counted in looks: while
 * this thread is held up, or the machine sleeps, no time passes.
 */
const LOOK_MS = 500;
const START_LOOKS = 20;
const ORDER_LOOKS = 120;

/** A page is not told when a terminated worker has ended. Chromium lets it go on for two seconds (measured), and may be late. */
const GONE_MS = 3000;

interface Asked {
  resolve(value: number | string): void;
  reject(error: Error): void;
}

/** A worker, which carries out one order at a time. */
export class Thread {
  /** Resolves when it can work; rejects if it never will. */
  readonly ready: Promise<void>;
  readonly #worker: Worker;
  readonly #onEnd: (thread: Thread, error: Error) => void;
  #asked: Asked | undefined;
  #error: Error | undefined;
  #looksLeft = START_LOOKS;
  readonly #timer: ReturnType<typeof setInterval>;

  /** @throws what the platform throws where workers are forbidden */
  constructor(open: Open, url: string | URL | undefined, onEnd: (thread: Thread, error: Error) => void) {
    this.#onEnd = onEnd;
    this.#worker = spawn(url, {
      answered: (answer) => this.#answered(answer),
      ended: (why) => this.#ended(why),
    });
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
    (this.#timer as { unref?(): void }).unref?.();
    this.ready = this.#ask(open).then((answer) => {
      if (answer !== version) throw new Error(`${url} is perceptron-wasm/worker.js of another version`);
      this.hasStarted = true;
    });
    this.ready.catch(() => {}); // whoever waits for it is told
  }

  hasStarted = false;

  /** Whether an order is under way. */
  get isBusy(): boolean {
    return this.hasStarted && this.#asked !== undefined;
  }

  carryOut(order: Order): Promise<number> {
    this.#looksLeft = ORDER_LOOKS;
    return this.#ask(order) as Promise<number>;
  }

  #ask(message: Open | Order): Promise<number | string> {
    return new Promise((resolve, reject) => {
      if (this.#error) {
        reject(this.#error);
        return;
      }
      this.#asked = { resolve, reject };
      this.#worker.hold(true);
      this.#worker.post(message);
    });
  }

  #answered(answer: Answer): void {
    const asked = this.#asked;
    this.#asked = undefined;
    this.#worker.hold(false);
    if ('error' in answer) asked?.reject(new Error(`a worker thread failed: ${answer.error}`));
    else asked?.resolve(answer.value);
  }

  #look(): void {
    if (!this.#asked || --this.#looksLeft > 0) return;
    this.#ended('it did not answer in time');
  }

  /** Ends it, whatever it does. */
  async terminate(): Promise<void> {
    await this.#ended('it was stopped');
  }

  /** Ends it as if it had crashed. For tests. */
  async kill(): Promise<void> {
    await this.#worker.terminate();
    await this.#ended('it was killed'); // a page is not told
  }

  async #ended(why: string): Promise<void> {
    if (this.#error) return;
    const error = new Error(`a worker thread ended: ${why}`);
    this.#error = error;
    clearInterval(this.#timer);
    this.#worker.hold(true); // until it is gone
    const gone = this.#worker.terminate();
    const asked = this.#asked;
    // An order may go on to its end. What it writes to must not be given back before. A worker that has not started writes nothing.
    await (gone ?? (this.isBusy && new Promise((resolve) => setTimeout(resolve, GONE_MS))));
    this.#asked = undefined;
    this.#onEnd(this, error);
    asked?.reject(error);
  }
}

interface Queued extends Asked {
  readonly order: Order;
}

/** Pools that have threads, by the memory they share and the kernels they run. */
const pools = new Map<Backing, Map<WebAssembly.Module, Pool>>();

export class Pool {
  readonly #backing: Backing;
  readonly #open: Open;
  readonly #threads = new Set<Thread>();
  readonly #idle: Thread[] = [];
  readonly #queue: Queued[] = [];
  /** Calls under way that may have orders. */
  #calls = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isStopping = false;
  /** How the latest thread ended. */
  #lastError: Error | undefined;
  #onClosed: (() => void)[] = [];

  private constructor(backing: Backing, memory: WebAssembly.Memory, module: WebAssembly.Module) {
    this.#backing = backing; // held, so that the arena comes back to it
    this.#open = { memory, module };
  }

  /** The pool for a memory; made if there is none. */
  static over(backing: Backing, memory: WebAssembly.Memory, module: WebAssembly.Module): Pool {
    const own = pools.get(backing) ?? new Map<WebAssembly.Module, Pool>();
    pools.set(backing, own);
    const pool = own.get(module) ?? new Pool(backing, memory, module);
    own.set(module, pool);
    return pool;
  }

  /** A call begins that may have orders. It must call `leave` in the end. */
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

  /** Whether so many threads have started. */
  has(count: number): boolean {
    return [...this.#threads].filter((thread) => thread.hasStarted).length >= count;
  }

  /** Starts threads until there are `count`, or as many as will start. @throws if there are none */
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

  /** Has an order carried out, after those that came before it. */
  ask(order: Order): Promise<number> {
    return new Promise((resolve, reject) => {
      if (this.#threads.size === 0) {
        reject(this.#lastError ?? new Error('a worker thread ended'));
        return;
      }
      this.#queue.push({ order, resolve: resolve as Asked['resolve'], reject });
      this.#serve();
    });
  }

  #serve(): void {
    while (this.#queue.length > 0 && this.#idle.length > 0) {
      const thread = this.#idle.shift() as Thread;
      const { order, resolve, reject } = this.#queue.shift() as Queued;
      thread.carryOut(order).then(
        (value) => {
          this.#idle.unshift(thread); // the same ones first: they have the data in their caches
          resolve(value);
          this.#serve();
        },
        (error) => {
          if (this.#threads.has(thread)) this.#idle.push(thread); // the order failed, the thread did not
          reject(error);
          this.#serve();
        },
      );
    }
  }

  /** A thread has ended. Where it was the last, orders that wait have nobody to wait for. */
  #lost(thread: Thread, error: Error): void {
    this.#threads.delete(thread);
    this.#lastError = error;
    const place = this.#idle.indexOf(thread);
    if (place >= 0) this.#idle.splice(place, 1);
    if (this.#threads.size === 0) for (const { reject } of this.#queue.splice(0)) reject(error);
  }

  /** Ends all threads: now, or when the calls under way are over. */
  stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#onClosed.push(resolve));
    this.#isStopping = true;
    this.#forget(); // later calls make another pool
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

/** Pools that were told to stop and have not yet. */
const stopping = new Set<Promise<void>>();

const allThreads = (): Thread[] =>
  [...pools.values()].flatMap((own) => [...own.values()].flatMap((pool) => pool.threads));

/** Ends all worker threads: idle ones now, the others when the calls that use them are over. */
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

/** All worker threads there are. For tests. */
export const threadsOf = allThreads;

/** How many threads there are, and how many orders are under way. For tests. */
export function poolsNow(): { threads: number; busy: number } {
  const threads = allThreads();
  return { threads: threads.length, busy: threads.filter(({ isBusy }) => isBusy).length };
}
