// Jobs as the coordinator sees them: sent, and their answers waited for. What is in Redis is the truth, and it is asked again and
// again: an event may be lost, a job may be lost with the memory of a server, and nothing is if both are looked for.

import { createHash, randomUUID } from 'node:crypto';
import type { Queue } from 'bullmq';
import { messageOf, show } from '../errors.js';
import { isKept, type Job } from './jobs.js';
import {
  ALIVE_SECONDS,
  jobKey,
  KEEP_SECONDS,
  PREFIX,
  QUEUE,
  QUEUE_KEYS,
  resultKey,
  WAITING,
  WORKERS,
  workerKey,
} from './keys.js';
import type { Connection } from './redis.js';
import { pack, unpack } from './wire.js';
import type { Answer } from './worker.js';

/** A job to be done, and what people call it. */
export interface Task {
  readonly job: Job;
  readonly name: string;
}

/** What the coordinator sees, for a progress bar. */
export interface Progress {
  readonly what: 'folds' | 'epochs' | 'jobs';
  readonly done: number;
  readonly total: number;
  /** How many workers of this version are there. */
  readonly workers: number;
  readonly elapsedMs: number;
}

export interface RunOptions {
  readonly signal: AbortSignal | undefined;
  /** Called with each answer as it comes. */
  readonly onDone?: ((value: unknown, index: number) => void) | undefined;
  /** Called every second. */
  readonly onCheck?: (() => void) | undefined;
  /** Called when the server has lost jobs, before they are sent again. */
  readonly onLost?: (() => Promise<unknown>) | undefined;
}

/** How often to look at what may have gone wrong, in milliseconds. */
const CHECK_MS = 1000;
/** How often a command that waits looks at its connection, in milliseconds. */
const LOOK_MS = 100;
/** How long tidying up may take, in milliseconds. */
const TIDY_MS = 2000;
/** The longest pause between two looks for answers. */
const MOST_PAUSE_MS = 250;
/** Answers that are asked for at once, and jobs that are sent at once. */
const AT_ONCE = 500;

export class Tasks {
  /** Workers of this version at the last look. */
  workers = 0;
  readonly #connection: Connection;
  readonly #queue: Queue;
  readonly #patienceMs: number;

  /** @param patienceMs how long to wait for a first worker, and for a server that went away */
  constructor(connection: Connection, patienceMs: number) {
    this.#connection = connection;
    this.#patienceMs = patienceMs;
    this.#queue = new connection.bull.Queue(QUEUE, {
      connection: connection.redis,
      prefix: PREFIX,
      skipVersionCheck: true, // redis.ts has asked; it would print
      skipMetasUpdate: true,
    });
    this.#queue.on('error', () => {}); // without a listener it would end the process
  }

  close(): Promise<void> {
    return this.#queue.close();
  }

  /** The answers to all tasks, in their order. After a failure, waiting jobs are taken back. @throws the first error that comes */
  async run(tasks: readonly Task[], { signal, onDone, onCheck, onLost }: RunOptions): Promise<unknown[]> {
    const answers = new Array<unknown>(tasks.length);
    /** Tasks without an answer: equal ones are one job. */
    const open = new Map<string, number[]>();
    tasks.forEach(({ job }, index) => {
      const id = idOf(job);
      open.set(id, [...(open.get(id) ?? []), index]);
    });
    const taskOf = (id: string) => tasks[(open.get(id) as number[])[0] as number] as Task;
    const take = async (isFirst = false) => {
      let found = 0;
      for (const ids of inLots([...open.keys()])) {
        const values = await this.command((redis) => redis.mgetBuffer(...ids.map(resultKey)), signal);
        const came = ids.flatMap((id, k) => {
          const bytes = values[k];
          return bytes ? [{ id, task: taskOf(id), answer: Object(unpack(bytes)) as Answer }] : [];
        });
        const used = came.filter(({ task, answer }) => 'error' in answer || !isKept(task.job));
        await this.forget(...used.map(({ id }) => resultKey(id)));
        for (const { id, task, answer } of came) {
          if ('error' in answer) {
            if (isFirst) continue; // of an earlier call: what was wrong may have been mended
            throw errorFrom(answer.error, task.name);
          }
          const { value } = answer;
          for (const index of open.get(id) as number[]) {
            answers[index] = value;
            onDone?.(value, index);
          }
          open.delete(id);
          found++;
        }
      }
      return found;
    };
    const send = async (ids: readonly string[]) => {
      for (const lot of inLots(ids)) {
        const jobs = lot.map((jobId) => {
          const { job, name } = taskOf(jobId);
          const data = { packed: pack(job).toString('base64') };
          return { name, data, opts: { jobId, removeOnComplete: true } };
        });
        await this.command(() => this.#queue.addBulk(jobs), signal);
        const given = await this.#keep(lot, signal);
        if (given.size === 0) continue;
        // Given up in an earlier call, and so not added now.
        await this.command(() => this.#remove(given), signal);
        await this.command(() => this.#queue.addBulk(jobs.filter(({ opts }) => given.has(opts.jobId))), signal);
        await this.#keep([...given], signal);
      }
    };
    try {
      signal?.throwIfAborted();
      if (tasks.some(({ job }) => !isNew(job))) await take(true);
      await send([...open.keys()]);
      let [latest, checked, alone] = [performance.now(), performance.now(), performance.now()];
      while (open.size > 0) {
        // A twentieth of the time that the answer has taken already, so that waiting costs no more than that.
        const pause = Math.min(Math.max(1, (performance.now() - latest) / 20), MOST_PAUSE_MS);
        await later(pause, signal);
        if ((await take()) > 0) latest = performance.now();
        if (performance.now() - checked < CHECK_MS || open.size === 0) continue;
        const versions = await this.#look(signal);
        if (this.workers > 0) alone = performance.now();
        if (performance.now() - alone > this.#patienceMs) throw this.#nobody(versions);
        const lost = await this.#lost([...open.keys()], taskOf, signal);
        if (lost.length > 0) {
          await take(); // they may have ended meanwhile
          const still = lost.filter((id) => open.has(id));
          if (still.length > 0) await onLost?.();
          await send(still);
        }
        checked = performance.now();
        onCheck?.();
      }
      return answers;
    } catch (error) {
      await this.#takeBack([...open.keys()]);
      throw error;
    }
  }

  /**
   * A command that waits while the server is away. A connection without answers is ended by its own timeout (redis.ts).
   * @throws Error after `patienceMs`, or if the server refuses
   */
  async command<T>(work: (redis: Connection['redis']) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const { redis, place } = this.#connection;
    // Counted by a timer, not by a clock: the time in which this process stood still does not count.
    for (let awayMs = 0; ; ) {
      let timer: NodeJS.Timeout | undefined;
      const isLong = new Promise<never>((_, reject) => {
        timer = setInterval(() => {
          if (signal?.aborted) reject(signal.reason);
          awayMs = redis.status === 'ready' ? 0 : awayMs + LOOK_MS;
          if (awayMs > this.#patienceMs) reject(new LostError());
        }, LOOK_MS);
      });
      try {
        return await Promise.race([work(redis), isLong]);
      } catch (error) {
        const said = messageOf(error);
        if (error instanceof LostError) {
          throw new Error(
            `Redis at ${place} went away ${Math.round(this.#patienceMs / 1000)} s ago and has not come back: start it, and ask again (what was done is kept if it keeps an append-only file)`,
          );
        }
        if (isFull(said)) throw this.#full(error);
        if (!/Connection is closed|ECONN|EPIPE|^LOADING|^BUSY|^READONLY/.test(said) || awayMs > this.#patienceMs)
          throw error;
        await later(LOOK_MS, signal);
        awayMs += LOOK_MS;
      } finally {
        clearInterval(timer);
      }
    }
  }

  /** Removes keys, if the server is there. */
  forget(...keys: readonly string[]): Promise<void> {
    return this.#tidy(keys, (redis) => redis.del(...keys));
  }

  /** Does what may be left undone, since all of it expires: never fails, and waits neither for a server that is away nor for one that is silent. */
  async #tidy(what: readonly string[], work: (redis: Connection['redis']) => Promise<unknown>): Promise<void> {
    const { redis } = this.#connection;
    if (what.length === 0 || redis.status !== 'ready') return;
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        redis.off('close', end);
        resolve();
      };
      const timer = setTimeout(end, TIDY_MS);
      redis.once('close', end);
      work(redis).then(end, end);
    });
  }

  /** Keeps jobs, and the queue, for as long as anybody waits for them. Returns the jobs that were given up. */
  async #keep(ids: readonly string[], signal: AbortSignal | undefined): Promise<Set<string>> {
    const found = await this.command((redis) => {
      const all = redis.pipeline();
      for (const id of ids) all.hexists(jobKey(id), 'failedReason');
      for (const key of [...QUEUE_KEYS, ...ids.map(jobKey)]) all.expire(key, KEEP_SECONDS);
      return all.exec();
    }, signal);
    return new Set(ids.filter((_, k) => found?.[k]?.[1] === 1));
  }

  /** Counts workers; returns the versions of all. @throws Error if the server is full: workers cannot answer then, nor say so */
  async #look(signal: AbortSignal | undefined): Promise<string[]> {
    await this.command((redis) => redis.set(WAITING, QUEUE, 'EX', ALIVE_SECONDS), signal);
    const names = await this.command((redis) => redis.smembers(WORKERS), signal);
    const versions = names.length > 0 ? await this.command((redis) => redis.mget(...names.map(workerKey)), signal) : [];
    const gone = names.filter((_, k) => versions[k] === null);
    if (gone.length > 0) await this.command((redis) => redis.srem(WORKERS, ...gone), signal);
    const alive = versions.filter((version) => version !== null);
    this.workers = alive.filter((version) => version === QUEUE).length;
    return alive;
  }

  #nobody(versions: readonly string[]): Error {
    const seen =
      versions.length > 0
        ? `there are workers of version ${[...new Set(versions)].join(', ')} only, and results of versions may differ: start workers of ${QUEUE}, or use that version here`
        : 'start one with perceptron-wasm worker --redis URL --data-root DIR';
    return new Error(
      `no worker of version ${QUEUE} has been at ${this.#connection.place} for ${Math.round(this.#patienceMs / 1000)} s: ${seen}`,
    );
  }

  /** Jobs that the server has no longer. @throws Error for one that was given up */
  async #lost(
    ids: readonly string[],
    taskOf: (id: string) => Task,
    signal: AbortSignal | undefined,
  ): Promise<string[]> {
    const lost: string[] = [];
    for (const lot of inLots(ids)) {
      const found = await this.command((redis) => {
        const all = redis.pipeline();
        for (const id of lot) all.expire(jobKey(id), KEEP_SECONDS).hget(jobKey(id), 'failedReason');
        return all.exec();
      }, signal);
      for (const [k, id] of lot.entries()) {
        const [, exists] = found?.[2 * k] ?? [];
        const [, failure] = found?.[2 * k + 1] ?? [];
        if (exists === 0) lost.push(id);
        if (typeof failure !== 'string') continue;
        await this.#takeBack([id]);
        const { name } = taskOf(id);
        if (isFull(failure)) throw this.#full(failure);
        const why = /stalled/.test(failure)
          ? 'stalled again and again: workers died of it, or stood still for longer than their lockMs; is there memory enough for the data, and time for the event loop?'
          : `failed: ${failure}`;
        throw new Error(`${name} ${why}`);
      }
    }
    return lost;
  }

  /** Removes jobs that nobody does yet, if the server is there. */
  #takeBack(ids: readonly string[]): Promise<void> {
    return this.#tidy(ids, () => this.#remove(ids));
  }

  #remove(ids: Iterable<string>): Promise<unknown> {
    return Promise.allSettled([...ids].map((id) => this.#queue.remove(id)));
  }

  #full(cause: unknown): Error {
    const { place } = this.#connection;
    return new Error(`Redis at ${place} is full: raise its maxmemory, or give the cluster one of its own`, { cause });
  }
}

const isFull = (said: string): boolean => /\bOOM command not allowed|^OOM\b/.test(said);

class LostError extends Error {}

const KINDS: Readonly<Record<string, new (message: string) => Error>> = { TypeError, RangeError };

/** The error of a worker, as the local call would throw it; that of a file names the worker. */
function errorFrom({ name, message, worker }: { name: string; message: string; worker: string }, task: string): Error {
  if (name === 'FileError') return new Error(`${message} (on worker ${worker})`);
  const Kind = KINDS[name];
  return Kind ? new Kind(message) : new Error(`${task} failed on worker ${worker}: ${show(message).slice(1, -1)}`);
}

/** Whether a job is another one each time: what is on a disk now, for example. */
const isNew = ({ kind }: Job): boolean => kind === 'look' || kind === 'nothing';

/** The same job, the same id. */
function idOf(job: Job): string {
  const hash = createHash('sha256').update(QUEUE).update(pack(job));
  if (isNew(job)) hash.update(randomUUID());
  return `${job.kind}-${hash.digest('hex')}`;
}

function* inLots(ids: readonly string[]): Generator<readonly string[]> {
  for (let from = 0; from < ids.length; from += AT_ONCE) yield ids.slice(from, from + AT_ONCE);
}

/** @throws the signal's reason */
function later(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
