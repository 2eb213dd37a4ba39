// A folder for files that somebody else is to read, gone afterwards.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Calls `work` with a new folder and deletes that at the end, good or bad. */
export function withTemporaryFolder<T>(work: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'perceptron-wasm-'));
  // Ctrl-C reaches the processes we wait for too: they end, that is an error here, and the error ends us, after tidying up.
  const stay = () => {};
  process.on('SIGINT', stay);
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true });
    process.off('SIGINT', stay);
  }
}
