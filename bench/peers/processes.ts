// Whole processes, timed from the outside.

import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';

/** The folder of the package that is measured. */
export const HOME = dirname(createRequire(import.meta.url).resolve('perceptron-wasm/package.json'));

/** Milliseconds of a process, and what it printed. @throws Error if it fails */
export function runProcess(program: string, args: readonly string[]): { ms: number; stdout: string } {
  const started = performance.now();
  const env = { ...process.env, OPENBLAS_NUM_THREADS: '1' };
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8', env });
  const ms = performance.now() - started;
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${error?.message ?? stderr}`);
  return { ms, stdout };
}
