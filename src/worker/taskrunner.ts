// Runs the tasks of one call on the pool. This file is the entry of the chunk that is loaded when a call first needs threads.
// It imports nothing that is outside of the chunk at run time: bundlers would split that off into a third file.

import type { BoundEngine } from '../engine/contract.js';
import type { Arena, Block } from '../memory/arena.js';
import { processors, whyNoWorkers } from './platform.js';
import { Pool } from './pool.js';
import { type Call, taskOf } from './protocol.js';
import type { ThreadOptions } from './threads.js';

export { stopThreads } from './pool.js';

/** The most threads that 'auto' uses, and the most that a caller can ask for. */
const MOST = 16;
const MOST_ASKED = 64;

/** The calls of one task, given the byte offset of its scratch. */
export type Part = (scratch: number) => readonly Call[];
/** Parts that must run in sequence. */
export type Item = Iterable<Part>;

/**
 * Starts threads for a call; the reason, if this is not possible. Neither: there is one processor, and the caller did not ask.
 * @throws if no thread started
 */
export async function startRunner(
  engine: BoundEngine,
  { threads = 'auto', workerUrl, signal }: ThreadOptions,
): Promise<{ runner?: TaskRunner; reason?: string | undefined }> {
  const limit = threads === 'auto' ? Math.min(processors(), MOST) : Math.min(threads, MOST_ASKED);
  if (limit < 2) return {};
  const reason = whyNoThreads(engine);
  if (reason !== undefined) return { reason };
  const { arena, module } = engine as BoundEngine & { module: () => WebAssembly.Module };
  const { backing } = arena;
  const pool = Pool.over(backing, backing.memory as WebAssembly.Memory, module());
  pool.enter();
  try {
    if (!pool.has(limit)) await pool.start(limit, workerUrl);
  } catch (error) {
    pool.leave();
    throw error;
  }
  return { runner: new TaskRunner(pool, limit, arena, signal) };
}

/** Why threads cannot work with this engine; undefined if they can. */
export function whyNoThreads({ kind, module, arena }: BoundEngine): string | undefined {
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

export class TaskRunner {
  /** How many threads may work at the same time. */
  readonly limit: number;
  /** The most tasks that ran at the same time. */
  used = 1;
  #underWay = 0;
  readonly #waiting: (() => void)[] = [];
  readonly #pool: Pool;
  readonly #arena: Arena;
  readonly #signal: AbortSignal | undefined;

  constructor(pool: Pool, limit: number, arena: Arena, signal: AbortSignal | undefined) {
    this.#pool = pool;
    this.limit = limit;
    this.#arena = arena;
    this.#signal = signal;
  }

  /** Runs calls in a worker; resolves to the value of the last one. At most `limit` tasks run at the same time. */
  async runTask(...calls: Call[]): Promise<number> {
    while (this.#underWay >= this.limit) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.used = Math.max(this.used, ++this.#underWay);
    try {
      return await this.#pool.runTask(taskOf(calls));
    } finally {
      this.#underWay--;
      this.#waiting.shift()?.();
    }
  }

  /**
   * Runs the parts of all items, items in any order on any thread, each part with `bytes` of scratch. Resolves to false, having
   * done nothing, if there is no memory for scratch. Stops early when the signal is aborted; the caller must not resume the work.
   */
  async each(items: Iterable<Item>, bytes: number, zeroed = false): Promise<boolean> {
    let block: Block | undefined;
    let slots = this.limit;
    while (!block) {
      try {
        block = this.#arena.allocate(slots * bytes, `scratch of ${slots} threads`, zeroed);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error; // the arena has no room
        slots >>= 1; // fewer threads need less scratch
        if (slots === 0) return false;
      }
    }
    const { offset } = block;
    try {
      const left = items[Symbol.iterator]();
      let hasFailed = false;
      const work = async (slot: number): Promise<void> => {
        try {
          for (let item = left.next(); !item.done; item = left.next()) {
            for (const part of item.value) {
              if (hasFailed || this.#signal?.aborted) return;
              await this.runTask(...part(offset + slot * bytes));
            }
          }
        } catch (error) {
          hasFailed = true;
          throw error;
        }
      };
      // Wait for all slots: a task that still runs may write to the scratch.
      const outcomes = await Promise.allSettled(Array.from({ length: slots }, (_, slot) => work(slot)));
      const failed = outcomes.find((outcome) => outcome.status === 'rejected');
      if (failed) throw failed.reason;
    } finally {
      this.#arena.release(block);
    }
    return true;
  }

  leave(): void {
    this.#pool.leave();
  }
}
