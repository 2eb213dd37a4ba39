// Results on the disk: bench/results/latest.json, and each run in history/ under its date and commit.

import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { FORMAT, type Results } from './results.js';

export const FOLDER = new URL('../results/', import.meta.url);

/** Writes both files; returns the one in history/, from bench/results/. */
export function writeResults(results: Results): string {
  const json = `${JSON.stringify(results, null, 1)}\n`;
  const stamp = results.date.replace(/\.\d+Z$/, 'Z').replaceAll(':', '');
  const past = `history/${[stamp, results.mode, results.commit].filter(Boolean).join('-')}.json`;
  mkdirSync(new URL('history/', FOLDER), { recursive: true });
  for (const name of ['latest.json', past]) write(name, json);
  return past;
}

/** All of it or nothing: somebody may be reading. */
function write(name: string, text: string): void {
  const half = new URL(`${name}.${process.pid}`, FOLDER);
  writeFileSync(half, text);
  renameSync(half, new URL(name, FOLDER));
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

/** The same of what may not be there yet. */
export function readLatest(): Results | undefined {
  try {
    return readResults(new URL('latest.json', FOLDER));
  } catch {
    return undefined;
  }
}
