// Results on the disk: bench/results/latest.json, and each run in history/ under its date and commit.

import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { FORMAT, type Results } from './results.js';

const RESULTS = new URL('../results/', import.meta.url);

/** Where results go, or a folder of the user's. */
export const folderOf = (out?: string): URL => (out === undefined ? RESULTS : pathToFileURL(`${resolve(out)}${sep}`));

/** Writes both files into the folder. */
export function writeResults(results: Results, folder: URL): void {
  const json = `${JSON.stringify(results, null, 1)}\n`;
  const stamp = results.date.replace(/\.\d+Z$/, 'Z').replaceAll(':', '');
  const past = `history/${[stamp, results.mode, results.commit].filter(Boolean).join('-')}.json`;
  mkdirSync(new URL('history/', folder), { recursive: true });
  for (const name of ['latest.json', past]) write(new URL(name, folder), json);
}

/** All of it or nothing: somebody may be reading. */
function write(path: URL, text: string): void {
  const half = new URL(`${path.href}.${process.pid}`);
  writeFileSync(half, text);
  renameSync(half, path);
}

/** @throws Error whose message is for the user */
export function readResults(path: string | URL): Results {
  const name = typeof path === 'string' ? path : path.pathname;
  let parsed: Partial<Results> | null;
  try {
    parsed = JSON.parse(readFileSync(path, 'utf8')) as Partial<Results> | null;
  } catch (error) {
    throw new Error(`cannot read ${name}: ${(error as Error).message}`, { cause: error });
  }
  if (parsed?.format !== FORMAT || !Array.isArray(parsed.questions)) {
    throw new Error(`${name} holds no results of this benchmark (format '${FORMAT}')`);
  }
  return parsed as Results;
}

/** The latest run, if there is one that can be read: it may be of another version, and only estimates come from it. */
export function readLatest(folder: URL): Results | undefined {
  try {
    return readResults(new URL('latest.json', folder));
  } catch {
    return undefined;
  }
}
