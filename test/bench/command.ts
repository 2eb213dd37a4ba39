// Runs the benchmark as npm does: in a process of its own, with all its processes in one group, as in a terminal.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll } from 'vitest';
import type { Results } from '../../bench/harness/results.js';

const root = resolve(import.meta.dirname, '../..');
const made: string[] = [];

afterAll(() => {
  for (const path of made) rmSync(path, { recursive: true, force: true });
});

/** A folder that is gone afterwards. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'perceptron-wasm-bench-'));
  made.push(path);
  return path;
}

interface Ended {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** Groups of processes that may still be there: a test that runs out of time leaves them. */
const groups = new Set<number>();
const endGroup = (group: number): void => {
  groups.delete(group);
  try {
    process.kill(-group, 'SIGKILL');
  } catch {} // all of them have ended
};
afterAll(() => groups.forEach(endGroup));

interface Watching {
  /** What to look for in what it prints. */
  until: { stream: 'stdout' | 'stderr'; text: RegExp };
  /** What to do once it is there. */
  act: (child: ChildProcess) => void;
}

export function bench(args: readonly string[], watching?: Watching) {
  return new Promise<Ended>((done, failed) => {
    const child = spawn(process.execPath, ['--import', 'tsx', 'bench/run.ts', ...args], {
      cwd: root,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const group = child.pid;
    if (group !== undefined) groups.add(group);
    const said = { stdout: '', stderr: '' };
    let seen = false;
    for (const stream of ['stdout', 'stderr'] as const) {
      child[stream].setEncoding('utf8').on('data', (chunk: string) => {
        said[stream] += chunk;
        // A line may come in pieces, and two at once: what matters is all that was said.
        if (seen || watching?.until.stream !== stream || !watching.until.text.test(said[stream])) return;
        seen = true;
        watching.act(child);
      });
    }
    child.on('error', failed);
    child.on('close', (status) => {
      if (group !== undefined) endGroup(group);
      done({ status, ...said });
    });
  });
}

/** Ctrl-C: it reaches all processes of a terminal. */
export const interrupt = (child: ChildProcess): void => {
  process.kill(-(child.pid as number), 'SIGINT');
};

export const resultsIn = (out: string): Results =>
  JSON.parse(readFileSync(join(out, 'latest.json'), 'utf8')) as Results;

export const reportIn = (out: string): string => readFileSync(join(out, 'report.html'), 'utf8');
