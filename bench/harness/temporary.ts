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

/** What a shell says of a process that SIGINT ended. */
const INTERRUPTED = 130;

/** The same of work that must be waited for: then Ctrl-C can be heard, and tidying up comes first. */
export async function withFolderLater<T>(work: (folder: string) => Promise<T>): Promise<T> {
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
