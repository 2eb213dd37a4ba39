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

export function bench(args: readonly string[], { during }: { during?: (child: ChildProcess) => void } = {}) {
  return new Promise<Ended>((done, failed) => {
    const child = spawn(process.execPath, ['--import', 'tsx', 'bench/run.ts', ...args], {
      cwd: root,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    during?.(child);
    child.on('error', failed);
    child.on('close', (status) => done({ status, stdout, stderr }));
  });
}

export const resultsIn = (out: string): Results =>
  JSON.parse(readFileSync(join(out, 'latest.json'), 'utf8')) as Results;

export const reportIn = (out: string): string => readFileSync(join(out, 'report.html'), 'utf8');
