// perceptron-wasm worker: does jobs of a cluster until it is told to stop.

import { addressOf } from './address.js';
import type { Run } from './context.js';
import { EXIT, UsageError } from './errors.js';
import type { WORKER } from './options.js';
import { note, warn } from './output.js';

/** Signals in this time count as one, in milliseconds. */
const SECOND_MS = 500;

export const worker: Run<typeof WORKER.options> = async ({ values }, { voice, interrupt, version }) => {
  const { redis = 'env', 'data-root': dataRoot, threads, 'cache-bytes': cacheBytes } = values;
  const url = addressOf(redis, '--redis');
  if (dataRoot === undefined)
    throw new UsageError('--data-root DIR is missing: the folder that jobs may read files of');
  const { startWorker } = await import('../cluster/index.js'); // other commands need not load it
  const started = await startWorker({
    url,
    dataRoot,
    signal: interrupt.signal,
    onWarning: warn,
    ...(threads !== undefined && { threads }),
    ...(cacheBytes !== undefined && { cacheBytes }),
  });
  interrupt.release(); // a signal ends the worker, not the process
  note(voice, `worker ${started.name} of version ${version} waits for jobs; their files are below ${dataRoot}`);
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      process.on(signal, () => {
        resolve();
        // What a second one wants is the end: the jobs it has go to other workers. One that comes at once is the first again: npx
        // passes on what the terminal has sent to both.
        setTimeout(() => process.on(signal, () => process.exit(EXIT.interrupted)), SECOND_MS).unref();
      });
    }
  });
  note(voice, 'it takes no more jobs, and ends when those it has are done or given back');
  await started.close();
  return EXIT.done;
};
