// A folder for what another process is to read, gone afterwards, after Ctrl-C too.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a shell says of a process that SIGINT ended. */
const INTERRUPTED = 130;

/** Waits for `work` with a new folder and deletes that at the end, good or bad. */
export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'perceptron-wasm-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const interrupted = () => {
    remove();
    process.exit(INTERRUPTED);
  };
  process.on('SIGINT', interrupted);
  try {
    return await work(folder);
  } finally {
    process.off('SIGINT', interrupted);
    remove();
  }
}
