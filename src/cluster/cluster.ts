// connectCluster: what the program that wants the work done holds.

import { expectCount, expectOptions, expectSignal, mustBe } from '../errors.js';
import { type Connection, openConnection } from './redis.js';

/** Options of `connectCluster`. */
export interface ClusterOptions {
  /** redis://… or rediss://…, with user and password if the server wants them. */
  url: string;
  /** How long connecting may take. Default 10,000. */
  connectTimeoutMs?: number;
  /** Ends connecting, and later all calls, with its reason. */
  signal?: AbortSignal | undefined;
  /** Called with a sentence about a server that is set up unwisely. Default: `process.emitWarning`. */
  onWarning?: ((warning: string) => void) | undefined;
}

const KEYS = ['url', 'connectTimeoutMs', 'signal', 'onWarning'] as const;

/** Machines that work, as the program sees them that wants the work done. */
export interface Cluster {
  /** Ends the connection. Safe to call twice. */
  close(): Promise<void>;
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
  const { url, connectTimeoutMs = 10_000, signal, onWarning } = expectOptions(options, KEYS, 'connectCluster');
  expectCount(connectTimeoutMs, 1, '"connectTimeoutMs"');
  expectSignal(signal);
  if (onWarning !== undefined && typeof onWarning !== 'function') throw mustBe('"onWarning"', 'a function', onWarning);
  const connection = await openConnection(url, connectTimeoutMs, signal);
  const warn = onWarning ?? ((warning: string) => process.emitWarning(`perceptron-wasm/cluster: ${warning}`));
  for (const warning of connection.warnings) warn(warning);
  return new Connected(connection);
}

class Connected implements Cluster {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  close(): Promise<void> {
    return this.#connection.close();
  }
}
