// The options that connectCluster and startWorker share.

import { expectCount, expectSignal, mustBe } from '../errors.js';

export interface Asked {
  /** redis://… or rediss://…, with user and password if the server wants them. */
  url: string;
  /** How long connecting may take, in milliseconds. Default 10,000. */
  connectTimeoutMs?: number;
  /** Ends connecting, and later all calls, with its reason; closes a worker. */
  signal?: AbortSignal | undefined;
  /** Called with a sentence about a server that is set up unwisely, goes away or comes back. Default: `process.emitWarning`. */
  onWarning?: ((warning: string) => void) | undefined;
}

export const DEFAULTS = ['url', 'connectTimeoutMs', 'signal', 'onWarning'] as const;

/** @throws TypeError or RangeError naming the option */
export function warnerOf({ connectTimeoutMs: timeoutMs = 10_000, signal, onWarning }: Asked) {
  expectCount(timeoutMs, 1, '"connectTimeoutMs"');
  expectSignal(signal);
  if (onWarning !== undefined && typeof onWarning !== 'function') throw mustBe('"onWarning"', 'a function', onWarning);
  const warn = onWarning ?? ((warning: string) => process.emitWarning(`perceptron-wasm/cluster: ${warning}`));
  return { timeoutMs, signal, warn };
}
