// Worker threads over one memory: started when they are first needed, lent to one call after the other, ended when nobody
// has needed them for a while. Between calls they do not keep a process alive.

import { onAbort } from '../async/signals.js';
import type { Backing } from '../memory/backing.js';
import type { Answer, Open, Order } from './protocol.js';
import { version } from './source.js';
import { spawn, type Worker } from './spawn.js';

/** Idle for so long, they are ended: they hold on to their memory. */
const IDLE_MS = 2000;

/** How long a worker may take to start, and in how many looks that is counted. */
const START_MS = 3000;
const START_LOOKS = 30;

/** By when an order has ended in a page's worker that was told to: Chromium lets it go on for two seconds if need be. */
const GONE_MS = 100;

interface Asked {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** A worker that carries out orders one after the other. */
export class Thread {
  /** Resolves once it can work; rejects if it will never. */
  readonly ready: Promise<void>;
  readonly #worker: Worker;
  /** Orders under way, the oldest first: answers come in the same order. */
  readonly #asked: Asked[] = [];
  #whyEnded: string | undefined;
  readonly #onEnd: (thread: Thread) => void;

  /** @throws what the platform throws where workers are forbidden */
  constructor(open: Open, url: string | URL | undefined, onEnd: (thread: Thread) => void) {
    this.#onEnd = onEnd;
    this.#worker = spawn(url, {
      answered: (answer) => this.#answered(answer),
      ended: (why) => this.#ended(why),
    });
    let looks = 0;
    // While this thread is kept from looking, no answer is heard either.
    const timer = setInterval(() => {
      if (++looks < START_LOOKS) return;
      const of = url === undefined ? '' : `; is ${url} perceptron-wasm/worker.js of this version?`;
      this.#ended(`it did not answer within ${START_MS / 1000} s${of}`);
    }, START_MS / START_LOOKS);
    this.ready = this.ask(open)
      .then((answer) => {
        if (answer !== version) throw new Error(`${url} is perceptron-wasm/worker.js of another version`);
      })
      .finally(() => clearInterval(timer));
    this.ready.catch(() => {}); // told to whoever waits for it
  }

  get isEnded(): boolean {
    return this.#whyEnded !== undefined;
  }

  ask(message: Open | Order): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#whyEnded !== undefined) {
        reject(goneBecause(this.#whyEnded));
        return;
      }
      this.#asked.push({ resolve, reject });
      this.#worker.post(message);
    });
  }

  /** Whether it keeps the process alive. */
  hold(isHeld: boolean): void {
    this.#worker.hold(isHeld);
  }

  /** Ends it, whatever it does. */
  async terminate(): Promise<void> {
    this.#ended('it was stopped');
    this.hold(true); // until it is gone
    await this.#worker.terminate();
  }

  /** Ends it as if it had crashed. For tests. */
  async kill(): Promise<void> {
    await this.#worker.terminate();
  }

  #answered(answer: Answer): void {
    const asked = this.#asked.shift();
    if ('error' in answer) asked?.reject(new Error(`a worker thread failed: ${answer.error}`));
    else asked?.resolve(answer.value);
  }

  async #ended(why: string): Promise<void> {
    if (this.#whyEnded !== undefined) return;
    this.#whyEnded = why;
    const asked = this.#asked.splice(0);
    const gone = this.#worker.terminate();
    this.#onEnd(this);
    // An order may go on to its end: what it writes to must not be given back before. A page is not told when that is.
    await (gone ?? (asked.length > 0 && new Promise((resolve) => setTimeout(resolve, GONE_MS))));
    for (const { reject } of asked) reject(goneBecause(why));
  }
}

const goneBecause = (why: string) => new Error(`a worker thread ended: ${why}`);

/** Threads for some time, in nobody else's use. */
export interface Lease {
  readonly threads: readonly Thread[];
  /** Whether others wait for threads. */
  readonly isAwaited: boolean;
  release(): void;
}

interface Request {
  readonly most: number;
  grant(lease: Lease | undefined): void;
  fail(error: unknown): void;
}

/** Pools that have threads, by the memory they share and the kernels they run. */
const pools = new Map<Backing, Map<WebAssembly.Module, Pool>>();

export class Pool {
  readonly #backing: Backing;
  readonly #open: Open;
  readonly #threads = new Set<Thread>();
  /** Those that could work at some time: where none can, it is no use to try again and again. */
  readonly #started = new WeakSet<Thread>();
  readonly #idle = new Set<Thread>();
  readonly #lent = new Set<Thread>();
  readonly #requests = new Set<Request>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** How many calls are under way that may ask for threads. */
  #users = 0;
  /** How many there should be while calls are under way: as many as have started. */
  #wanted = 1;
  #isStopping = false;
  #stopped: (() => void)[] = [];
  #url: string | URL | undefined;

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

  /** A call begins that may ask for threads; it must say `leave` in the end. */
  enter(): void {
    this.#users++;
    clearTimeout(this.#timer);
  }

  leave(): void {
    if (--this.#users > 0) return;
    clearTimeout(this.#timer);
    if (this.#isStopping || this.#threads.size === 0) {
      this.#close();
      return;
    }
    this.#timer = setTimeout(() => this.#close(), IDLE_MS);
    (this.#timer as { unref?(): void }).unref?.();
  }

  /** Whether so many are there, and nobody has them. */
  hasIdle(count: number): boolean {
    return this.#idle.size >= count;
  }

  /** Sees to it that there are `count` threads, or as many as will start. @throws if there are none */
  async start(count: number, url: string | URL | undefined): Promise<void> {
    this.#url = url;
    const before = [...this.#threads].map(({ ready }) => ready);
    const starting = Array.from({ length: Math.max(0, count - before.length) }, () => this.#spawn());
    const outcomes = await Promise.allSettled([...before, ...starting]);
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (this.#threads.size === 0) throw failed?.reason ?? new Error('no worker thread started');
    this.#wanted = Math.max(this.#wanted, this.#threads.size);
  }

  async #spawn(): Promise<void> {
    let thread: Thread | undefined;
    try {
      thread = new Thread(this.#open, this.#url, (ended) => this.#lost(ended));
      this.#threads.add(thread);
      await thread.ready;
    } catch (error) {
      thread?.terminate();
      this.#wanted = Math.max(1, this.#threads.size); // where they do not start, it is no use to try again and again
      if (this.#threads.size === 0) for (const request of this.#requests) request.fail(error);
      throw error;
    }
    this.#started.add(thread);
    thread.hold(false);
    this.#idle.add(thread);
    this.#serve();
  }

  /** Up to `most` threads, at least one: all that are idle, or a fair share of them. None once `signal` says so. */
  lease(most: number, signal: AbortSignal | undefined): Promise<Lease | undefined> {
    return new Promise((resolve, reject) => {
      const done = () => {
        this.#requests.delete(request);
        forget();
      };
      const request: Request = {
        most,
        grant(lease) {
          done();
          resolve(lease);
        },
        fail(error) {
          done();
          reject(error);
        },
      };
      if (signal?.aborted) {
        resolve(undefined);
        return;
      }
      const forget = onAbort(signal, () => request.grant(undefined));
      this.#requests.add(request);
      this.#serve();
      for (let k = this.#threads.size; k < this.#wanted; k++) this.#replace(); // lost while nobody waited
    });
  }

  #serve(): void {
    for (const request of this.#requests) {
      if (this.#idle.size === 0) return;
      const share = Math.max(1, Math.floor(this.#idle.size / this.#requests.size));
      // The same ones first, call after call: they have the data in their caches.
      const idle = [...this.#threads].filter((thread) => this.#idle.has(thread));
      const threads = idle.slice(0, Math.min(request.most, share));
      for (const thread of threads) {
        this.#idle.delete(thread);
        this.#lent.add(thread);
        thread.hold(true);
      }
      const requests = this.#requests;
      request.grant({
        threads,
        get isAwaited() {
          return requests.size > 0;
        },
        release: () => this.#takeBack(threads),
      });
    }
  }

  #takeBack(threads: readonly Thread[]): void {
    for (const thread of threads) {
      this.#lent.delete(thread);
      if (thread.isEnded) continue;
      thread.hold(false);
      this.#idle.add(thread);
    }
    this.#serve();
  }

  /** A thread is gone: another takes its place, if anybody waits. */
  #lost(thread: Thread): void {
    this.#threads.delete(thread);
    this.#idle.delete(thread);
    if (this.#requests.size > 0 && this.#started.has(thread)) this.#replace();
  }

  #replace(): void {
    this.#spawn().catch(() => {}); // those who wait are told if there is nobody left
  }

  /** Ends all threads, now if none is in use, else when the calls that may use them are over. */
  stop(): Promise<void> {
    const stopped = new Promise<void>((resolve) => this.#stopped.push(resolve));
    this.#isStopping = true;
    this.#forget(); // later calls make another
    if (this.#users === 0) this.#close();
    return stopped;
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
    for (const resolve of this.#stopped.splice(0)) resolve();
  }

  /** All of its threads, and how many are in use. */
  get state(): { threads: Thread[]; busy: number } {
    return { threads: [...this.#threads], busy: this.#lent.size };
  }
}

/** Pools that were told to stop, and have not. */
const stopping = new Set<Promise<void>>();

const allPools = () => [...pools.values()].flatMap((own) => [...own.values()]);

/**
 * Ends the worker threads that fitAsync and gramAsync have started: idle ones now, the others when the calls that use them
 * are over. Nothing needs it: they end by themselves when they have been idle for two seconds. Later calls start new ones.
 */
export async function stopThreads(): Promise<void> {
  for (const pool of allPools()) {
    const stopped = pool.stop();
    stopping.add(stopped);
    stopped.then(() => stopping.delete(stopped));
  }
  await Promise.all(stopping);
}

/** All worker threads there are. For tests. */
export const threadsOf = (): Thread[] => allPools().flatMap(({ state }) => state.threads);

/** How many there are, and how many are in use. For tests. */
export function poolsNow(): { threads: number; busy: number } {
  const states = allPools().map(({ state }) => state);
  const sum = (values: number[]) => values.reduce((a, b) => a + b, 0);
  return { threads: sum(states.map(({ threads }) => threads.length)), busy: sum(states.map(({ busy }) => busy)) };
}

/** All answers; once one has failed `onFailure` is called, and when the others have come too, it throws. */
export async function allOf<T>(asked: readonly Promise<T>[], onFailure: () => void): Promise<T[]> {
  for (const one of asked) one.catch(onFailure);
  const outcomes = await Promise.allSettled(asked);
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
}
