// Finds a Python whose numpy uses OpenBLAS and has it compute Gram matrices, in one thread (openblas.py).

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Debian's own first: a `python3` of pyenv or conda hides it and seldom has numpy. */
const PYTHONS = ['/usr/bin/python3', 'python3'];
/** plain.ts leaves it where it is, in bench/. */
const SCRIPT = fileURLToPath(new URL('bench/peers/openblas.py', import.meta.resolve('perceptron-wasm/package.json')));

export interface OpenBlas {
  python: string;
  numpy: string;
  /** The library that was found in the process. */
  path: string;
  /** What it says of itself, e.g. 'OpenBLAS 0.3.21 … SkylakeX MAX_THREADS=64'. */
  config: string;
  /** Whose kernels run, e.g. 'SkylakeX'. */
  core: string;
  threads: number;
  /** OPENBLAS_CORETYPE as asked for; undefined: as it comes. */
  coreType?: string;
}

export interface Timed extends OpenBlas {
  medianMs: number;
  bestMs: number;
}

export type Missing = { missing: string };

function python<T>(command: string, args: readonly string[], coreType?: string): T | Missing {
  const env = { ...process.env, OPENBLAS_NUM_THREADS: '1', OMP_NUM_THREADS: '1', OPENBLAS_CORETYPE: coreType };
  const { status, signal, stdout, stderr, error } = spawnSync(command, [SCRIPT, ...args], { encoding: 'utf8', env });
  if (error) return { missing: `${command} cannot be run (${error.message})` };
  if (status !== 0) return { missing: `${command} ended with ${signal ?? stderr.trim().split('\n').at(-1)}` };
  return JSON.parse(stdout) as T | Missing;
}

/** OpenBLAS with the kernels for `coreType`, or what is in the way. */
export function findOpenBlas(coreType?: string): OpenBlas | Missing {
  const reasons: string[] = [];
  for (const command of PYTHONS) {
    const found = python<Omit<OpenBlas, 'python'>>(command, [], coreType);
    if ('missing' in found) reasons.push(`${command}: ${found.missing}`);
    else if (found.threads !== 1) reasons.push(`${command}: ${found.threads} threads though one was asked for`);
    else if (coreType !== undefined && found.core.toLowerCase() !== coreType.toLowerCase())
      reasons.push(`${command}: kernels for ${found.core} though ${coreType} was asked for`);
    else return { python: command, ...found, ...(coreType !== undefined && { coreType }) };
  }
  return { missing: reasons.join('; ') };
}

/** X·Xᵀ, `calls` times after one to warm up, of the float64 numbers in the file `X`; the last result goes to the file `G`. */
export function timeOpenBlas(
  { python: command, coreType }: OpenBlas,
  { X, rows, cols, calls, G }: { X: string; rows: number; cols: number; calls: number; G: string },
): Timed {
  const timed = python<Timed>(command, [X, ...[rows, cols, calls].map(String), G], coreType);
  if ('missing' in timed) throw new Error(`OpenBLAS was there and is gone: ${timed.missing}`);
  return timed;
}
