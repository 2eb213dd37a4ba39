// The names of what is kept in Redis. All begin alike, so that a user of it can be limited to them (docs/cluster.md), and all expire.

import { version } from '../../package.json';

/** The first part of every key. */
export const PREFIX = 'perceptron-wasm';

/** The queue: workers of another version have another one, since their results may differ. */
export const QUEUE = version;

/** How long results, jobs and runs are kept after nobody has asked for them, in seconds. */
export const KEEP_SECONDS = 3600;

/** How long answers are kept for whoever asked that nobody asks for again: errors, and what is about a disk as it is now. */
export const SHORT_SECONDS = 60;

/** Redis ends the connection when a value is larger than 512 MiB, its proto-max-bulk-len. */
export const MOST_VALUE_BYTES = 2 ** 29;

/** How long a worker counts as one after its last sign of life, in seconds; and how often it gives one, in milliseconds. */
export const ALIVE_SECONDS = 10;
export const HEARTBEAT_MS = 2000;

/** The names of all workers, of every version. */
export const WORKERS = `${PREFIX}:workers`;
/** The version of a worker, as long as it lives. */
export const workerKey = (name: string): string => `${PREFIX}:worker:${name}`;
/** The answer to a job. */
export const resultKey = (id: string): string => `${PREFIX}:result:${id}`;
/** Common weights, by their SHA-256. */
export const weightsKey = (hash: string): string => `${PREFIX}:weights:${hash}`;
/** The checkpoint of a run. */
export const runKey = (id: string): string => `${PREFIX}:run:${id}`;
/** Written by whoever waits for answers: a server that is full refuses it. */
export const WAITING = `${PREFIX}:waiting`;
/** What BullMQ keeps of a job. */
export const jobKey = (id: string): string => `${PREFIX}:${QUEUE}:${id}`;

/** What BullMQ keeps of the queue, but for keys that expire soon by themselves and must: a longer 'stalled-check' would stop the search for dead workers. */
export const QUEUE_KEYS: readonly string[] = [
  ...['active', 'wait', 'waiting-children', 'paused', 'id', 'delayed', 'prioritized', 'completed', 'failed'],
  ...['stalled', 'repeat', 'meta', 'events', 'pc', 'marker', 'de'],
].map(jobKey);
