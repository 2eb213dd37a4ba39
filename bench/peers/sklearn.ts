// Finds a Python with scikit-learn and has its Perceptron fit sparse rows (scikit-learn.py).

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SparseSet } from '../data/sparse.js';

/** Debian's own first: a `python3` of pyenv or conda hides it and seldom has scikit-learn. */
const PYTHONS = ['/usr/bin/python3', 'python3'];
/** plain.ts leaves it where it is, in bench/. */
const SCRIPT = fileURLToPath(
  new URL('bench/peers/scikit-learn.py', import.meta.resolve('perceptron-wasm/package.json')),
);

export interface Sklearn {
  python: string;
  /** Versions. */
  sklearn: string;
  numpy: string;
  scipy: string;
}

export interface TimedFit {
  /** Passes that were made. */
  epochs: number;
  medianMs: number;
  /** The median of fits with one pass. */
  onePassMs: number;
  weights: Float64Array;
  intercept: number;
}

export type Missing = { missing: string };

function python<T>(command: string, args: readonly string[]): T | Missing {
  const { status, signal, stdout, stderr, error } = spawnSync(command, [SCRIPT, ...args], { encoding: 'utf8' });
  if (error) return { missing: `${command} cannot be run (${error.message})` };
  if (status !== 0) return { missing: `${command} ended with ${signal ?? stderr.trim().split('\n').at(-1)}` };
  return JSON.parse(stdout) as T | Missing;
}

/** A Python that has scikit-learn, or what is in the way. */
export function findSklearn(): Sklearn | Missing {
  const reasons: string[] = [];
  for (const command of PYTHONS) {
    const found = python<Omit<Sklearn, 'python'>>(command, []);
    if (!('missing' in found)) return { python: command, ...found };
    reasons.push(`${command}: ${found.missing}`);
  }
  return { missing: reasons.join('; ') };
}

/** Writes the rows to files in `folder`, for timeSklearn. Indices are below 2³¹: as u32 they have the bytes of i32. */
export function writeForSklearn({ values, indices, indptr, y }: SparseSet, folder: string): void {
  for (const [name, data] of Object.entries({
    'values.f64': values,
    'indices.i32': indices,
    'indptr.i32': indptr,
    'y.i8': y,
  })) {
    writeFileSync(join(folder, name), data);
  }
}

/** `calls` fits of exactly `epochs` passes after one to warm up, and as many of one pass, of the rows in `folder`, timed inside Python. */
export function timeSklearn(
  { python: command }: Sklearn,
  folder: string,
  { cols, epochs, fitIntercept, calls }: { cols: number; epochs: number; fitIntercept: boolean; calls: number },
): TimedFit {
  const args = [folder, ...[cols, epochs, fitIntercept ? 1 : 0, calls].map(String)];
  const timed = python<Omit<TimedFit, 'weights' | 'intercept'>>(command, args);
  if ('missing' in timed) throw new Error(`scikit-learn was there and is gone: ${timed.missing}`);
  const plane = new Float64Array(new Uint8Array(readFileSync(join(folder, 'coef.f64'))).buffer);
  return { ...timed, weights: plane.subarray(0, cols), intercept: plane[cols] as number };
}
