// startWorker: takes jobs from the queue, does them, and leaves the answers.

import { createHash } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import { availableParallelism, hostname } from 'node:os';
import { resolve } from 'node:path';
import type { Job as QueueJob } from 'bullmq';
import { expectCount, expectOptions, messageOf, mustBe } from '../errors.js';
import { DataError } from '../io/index.js';
import { type Asked, DEFAULTS, warnerOf } from './asked.js';
import { Datasets } from './datasets.js';
import { isKept, type Job, perform, type Workplace } from './jobs.js';
import {
  ALIVE_SECONDS,
  HEARTBEAT_MS,
  KEEP_SECONDS,
  MOST_VALUE_BYTES,
  PREFIX,
  QUEUE,
  QUEUE_KEYS,
  resultKey,
  SHORT_SECONDS,
  WORKERS,
  weightsKey,
  workerKey,
} from './keys.js';
import { type Connection, openConnection } from './redis.js';
import { FileError, openBelow } from './root.js';
import { pack, unpack } from './wire.js';

/** Options of `startWorker`. */
export interface WorkerOptions extends Asked {
  /** The folder that jobs may read files of; their paths are relative to it. */
  dataRoot: string;
  /** How many bytes of data stay in memory for later jobs. Default 1 GiB. */
  cacheBytes?: number;
  /** How many jobs run at once, and threads each may use, as for fitAsync. Default 'auto': as many as there are processors. */
  threads?: number | 'auto';
  /** How long a job stays with a worker that has stopped answering, before another one does it, in milliseconds. Default 10,000. */
  lockMs?: number;
}

/** A worker of the cluster in this process. */
export interface ClusterWorker {
  /** Its name in messages: machine, process, number. */
  readonly name: string;
  /**
   * Takes no more jobs, waits up to `graceMs` (default 5000) for those it has, gives back the rest, and ends the connection, at the
   * latest two seconds later. Safe to call twice.
   */
  close(graceMs?: number): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** What a worker answers. */
export type Answer =
  | { readonly value: unknown }
  | { readonly error: { readonly name: string; readonly message: string; readonly worker: string } };

const KEYS = ['dataRoot', 'cacheBytes', 'threads', 'lockMs'] as const;

/** Jobs that a worker's death has interrupted so often are given up: they may be why it died. */
const MOST_STALLS = 3;

/** A server that answers nothing for so long is connected to anew, in milliseconds. */
const SILENCE_MS = 60_000;

/** How long `close` may take beyond the time that jobs have: they are given back meanwhile, in milliseconds. */
const GIVE_BACK_MS = 2000;

let count = 0;

/**
 * Starts a worker in this process. It lives until `close`, through any loss of the connection.
 * @throws TypeError or RangeError naming the option; Error if a peer is missing, the server refuses, or there is no such folder
 *
 * @example
 * import { startWorker } from 'perceptron-wasm/cluster';
 * const url = 'redis://127.0.0.1:1'; // where your Redis is; nobody listens here
 * const options = { url, dataRoot: '.', connectTimeoutMs: 500 };
 * const worker = await startWorker(options).catch(({ message }) => console.log(message)); // → 127.0.0.1:1
 * await worker?.close();
 */
export async function startWorker(options: WorkerOptions): Promise<ClusterWorker> {
  const {
    dataRoot,
    cacheBytes = 2 ** 30,
    threads = 'auto',
    lockMs = 10_000,
    ...asked
  } = expectOptions(options, [...DEFAULTS, ...KEYS], 'startWorker');
  if (typeof dataRoot !== 'string') throw mustBe('"dataRoot"', 'the path of a folder', dataRoot);
  expectCount(cacheBytes, 0, '"cacheBytes"');
  if (threads !== 'auto') expectCount(threads, 1, '"threads"');
  expectCount(lockMs, 100, '"lockMs"');
  const root = await realpath(resolve(dataRoot)).catch((cause: unknown) => {
    throw new Error(`the data root ${dataRoot} cannot be read: ${messageOf(cause)}`, { cause });
  });
  if (!(await stat(root)).isDirectory()) throw new RangeError(`"dataRoot" must be a folder, got the file ${dataRoot}`);
  const { warn, timeoutMs, signal } = warnerOf(asked);
  const connection = await openConnection(asked.url, { timeoutMs, silenceMs: SILENCE_MS, signal, warn });
  const worker = new Working(connection, root, { cacheBytes, threads, lockMs });
  try {
    await worker.beat();
    signal?.throwIfAborted();
  } catch (error) {
    await worker.close();
    throw error;
  }
  signal?.addEventListener('abort', () => void worker.close(), { once: true });
  return worker;
}

interface Settings {
  readonly cacheBytes: number;
  readonly threads: number | 'auto';
  readonly lockMs: number;
}

class Working implements ClusterWorker {
  readonly name = `${hostname()}:${process.pid}:${++count}`;
  readonly #connection: Connection;
  readonly #datasets: Datasets;
  readonly #worker: InstanceType<Connection['bull']['Worker']>;
  readonly #stopping = new AbortController();
  readonly #place: Workplace;
  readonly #heart: NodeJS.Timeout;
  #weights: { readonly hash: string; readonly list: Float64Array } | undefined;
  #closing: Promise<void> | undefined;

  constructor(connection: Connection, root: string, { cacheBytes, threads, lockMs }: Settings) {
    this.#connection = connection;
    this.#datasets = new Datasets((path) => openBelow(root, path), cacheBytes, this.#stopping.signal);
    this.#place = {
      datasets: this.#datasets,
      threads,
      signal: this.#stopping.signal,
      weights: (hash) => this.#weightsOf(hash),
    };
    this.#worker = new connection.bull.Worker(QUEUE, (job, token) => this.#process(job, token), {
      connection: connection.redis,
      prefix: PREFIX,
      concurrency: threads === 'auto' ? availableParallelism() : threads,
      lockDuration: lockMs,
      stalledInterval: Math.ceil(lockMs / 2),
      maxStalledCount: MOST_STALLS,
      skipVersionCheck: true, // redis.ts has asked; it would print
    });
    // Without a listener an error would end the process. The connection comes back by itself, and lost jobs are done again.
    this.#worker.on('error', () => {});
    this.#heart = setInterval(() => void this.beat().catch(() => {}), HEARTBEAT_MS);
  }

  /** A sign of life; without a connection none, since it would wait for one. @throws Error if the server refuses it @internal */
  async beat(): Promise<void> {
    const { redis } = this.#connection;
    if (redis.status !== 'ready') return;
    const beat = redis.pipeline();
    beat.sadd(WORKERS, this.name).expire(WORKERS, KEEP_SECONDS);
    beat.set(workerKey(this.name), QUEUE, 'EX', ALIVE_SECONDS);
    for (const key of QUEUE_KEYS) beat.expire(key, KEEP_SECONDS);
    for (const [error] of (await beat.exec()) ?? []) if (error) throw error;
  }

  async #process(job: QueueJob, token: string | undefined): Promise<void> {
    let answer: Answer;
    let request: Job | undefined;
    try {
      request = unpack(Buffer.from(String(job.data.packed), 'base64')) as Job;
      const value = await perform(request, this.#place);
      if (value === undefined) return; // the weights are gone: the coordinator sends them again, and then the job
      answer = { value };
    } catch (error) {
      if (this.#stopping.signal.aborted) {
        await job.moveToWait(token);
        throw new this.#connection.bull.WaitingError();
      }
      answer = { error: told(error, this.name) };
    }
    const seconds = 'error' in answer || !isKept(request) ? SHORT_SECONDS : KEEP_SECONDS;
    let bytes = pack(answer);
    if (bytes.length > MOST_VALUE_BYTES) {
      const error = new RangeError(`the answer has ${bytes.length} bytes, and Redis takes ${MOST_VALUE_BYTES}`);
      bytes = pack({ error: told(error, this.name) });
    }
    await this.#connection.redis.set(resultKey(String(job.id)), bytes, 'EX', seconds);
  }

  async #weightsOf(hash: string): Promise<Float64Array | undefined> {
    if (this.#weights?.hash === hash) return this.#weights.list;
    const bytes = await this.#connection.redis.getBuffer(weightsKey(String(hash)));
    if (!bytes) return undefined;
    if (createHash('sha256').update(bytes).digest('hex') !== hash)
      throw new Error('the common weights in Redis are not those of this run');
    const list = new Float64Array(Uint8Array.from(bytes).buffer);
    this.#weights = { hash, list };
    return list;
  }

  close(graceMs = 5000): Promise<void> {
    this.#closing ??= this.#close(graceMs);
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(graceMs: number): Promise<void> {
    clearInterval(this.#heart);
    const { redis } = this.#connection;
    const timers: NodeJS.Timeout[] = [];
    const after = (ms: number) => new Promise<void>((resolve) => timers.push(setTimeout(resolve, ms)));
    void after(graceMs).then(() => this.#stopping.abort());
    const inOrder = async () => {
      if (redis.status !== 'ready') return this.#worker.close(true); // there is nobody to give jobs back to
      await this.#worker.close();
      await redis.pipeline().srem(WORKERS, this.name).del(workerKey(this.name)).exec();
    };
    try {
      // The server may go away meanwhile: what is not given back is found by its lock.
      await Promise.race([inOrder(), after(graceMs + GIVE_BACK_MS)]);
    } finally {
      for (const timer of timers) clearTimeout(timer);
      this.#stopping.abort();
      this.#datasets.dispose();
      await this.#connection.close();
    }
  }
}

/** An error that travels: it quotes nothing of a file but labels. */
function told(error: unknown, worker: string): { name: string; message: string; worker: string } {
  const name = error instanceof Error ? error.name : 'Error';
  if (error instanceof DataError) {
    const { source, line, column } = error;
    const place = [source, line, column].filter((part) => part !== undefined).join(':');
    return { name: 'FileError', message: `${place}: this cannot be read as data: see perceptron-wasm inspect`, worker };
  }
  return { name: error instanceof FileError ? 'FileError' : name, message: messageOf(error), worker };
}
