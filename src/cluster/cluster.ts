// connectCluster: what the program that wants the work done holds.

import { expectCount, expectOptions, mustBe } from '../errors.js';
import type { CrossValidation, Grid, Search, Selectable } from '../select/index.js';
import { type Asked, DEFAULTS, warnerOf } from './asked.js';
import { type ClusterMixOptions, trainMixedOn } from './mixed.js';
import type { Mixed } from './mixing.js';
import { type Connection, openConnection } from './redis.js';
import { type Progress, Tasks } from './tasks.js';
import {
  type Caller,
  type ClusterCrossValidateOptions,
  type ClusterSearchOptions,
  compareOn,
  crossValidateOn,
  searchOn,
} from './validate.js';

// For projects that compile with lib es2022 alone, as in src/data/dense.ts.
declare global {
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol;
  }
}

/** Options of `connectCluster`. */
export interface ClusterOptions extends Asked {
  /** How long to wait for a first worker, for a server that went away, and for one that does not answer, in milliseconds. Default 60,000. */
  patienceMs?: number;
  /** Called when something has ended, and every second. */
  onProgress?: ((progress: Progress) => void) | undefined;
}

/** Machines that work, as the program sees them that wants the work done. */
export interface Cluster {
  /** `crossValidate` of perceptron-wasm/select on a file that the workers have: the same object, to the bit. */
  crossValidate(model: Selectable, options: ClusterCrossValidateOptions): Promise<CrossValidation>;
  /** `search` of perceptron-wasm/select on a file that the workers have: the same but for `seconds`. */
  search<M extends Selectable>(model: M, grid: Grid, options: ClusterSearchOptions): Promise<Search<M>>;
  /** Mixing over files that the workers have: the same as `trainMixed` here, to the bit. */
  trainMixed<M>(model: M, options: ClusterMixOptions): Promise<Mixed<M>>;
  /** For the command line. @internal */
  compareModels(
    models: readonly [Selectable, ...Selectable[]],
    options: ClusterSearchOptions & { lenient?: boolean },
  ): ReturnType<typeof compareOn>;
  /** @internal */
  readonly tasks: Tasks;
  /** Ends the connection. Safe to call twice. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Connects to the Redis through which workers get their jobs.
 * @throws TypeError or RangeError naming the option; Error if bullmq or ioredis is not installed, if the server cannot be reached, or
 * if it refuses the password
 *
 * @example
 * import { connectCluster } from 'perceptron-wasm/cluster';
 * const url = 'redis://127.0.0.1:1'; // where your Redis is; nobody listens here
 * const cluster = await connectCluster({ url, connectTimeoutMs: 500 }).catch(({ message }) => console.log(message)); // → 127.0.0.1:1
 * await cluster?.close();
 */
export async function connectCluster(options: ClusterOptions): Promise<Cluster> {
  const {
    patienceMs = 60_000,
    onProgress,
    ...asked
  } = expectOptions(options, [...DEFAULTS, 'patienceMs', 'onProgress'], 'connectCluster');
  expectCount(patienceMs, 1, '"patienceMs"');
  if (onProgress !== undefined && typeof onProgress !== 'function')
    throw mustBe('"onProgress"', 'a function', onProgress);
  const { timeoutMs, signal, warn } = warnerOf(asked);
  const connection = await openConnection(asked.url, { timeoutMs, silenceMs: patienceMs, signal, warn });
  const tasks = new Tasks(connection, patienceMs);
  return new Connected(connection, { tasks, signal, onProgress });
}

class Connected implements Cluster {
  readonly #connection: Connection;
  readonly #caller: Caller;

  constructor(connection: Connection, caller: Caller) {
    this.#connection = connection;
    this.#caller = caller;
  }

  get tasks(): Tasks {
    return this.#caller.tasks;
  }

  crossValidate(model: Selectable, options: ClusterCrossValidateOptions): Promise<CrossValidation> {
    return crossValidateOn(this.#caller, model, options);
  }

  search<M extends Selectable>(model: M, grid: Grid, options: ClusterSearchOptions): Promise<Search<M>> {
    return searchOn(this.#caller, model, grid, options);
  }

  trainMixed<M>(model: M, options: ClusterMixOptions): Promise<Mixed<M>> {
    return trainMixedOn(this.#caller, model, options);
  }

  compareModels(...args: Parameters<Cluster['compareModels']>): ReturnType<typeof compareOn> {
    return compareOn(this.#caller, ...args);
  }

  async close(): Promise<void> {
    await this.#caller.tasks.close();
    await this.#connection.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
