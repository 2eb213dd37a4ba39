// What the tests of readers share: sources of every shape, files in a folder of their own, and an eye on the arena.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { defaultArena } from '../../src/engine/engine.js';
import { DenseMatrix, type Dtype, type SparseMatrix } from '../../src/index.js';
import { DataError, type Dataset } from '../../src/io/index.js';
import type { Block } from '../../src/memory/arena.js';

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A folder that is gone after the tests. */
export function folder(): { path(name: string): string; file(name: string, content: string | Uint8Array): string } {
  const root = mkdtempSync(join(tmpdir(), 'perceptron-io-'));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  const path = (name: string) => join(root, name);
  return {
    path,
    file: (name, content) => {
      writeFileSync(path(name), content);
      return path(name);
    },
  };
}

/** Bytes in chunks of these lengths, the last one again and again. */
export async function* inChunks(bytes: Uint8Array, ...lengths: number[]): AsyncGenerator<Uint8Array> {
  for (let at = 0, k = 0; at < bytes.length; k++) {
    const length = lengths[Math.min(k, lengths.length - 1)] ?? 1;
    yield bytes.slice(at, at + length);
    at += length;
  }
}

/**
 * Every block that is allocated meanwhile is released in the end. The sum of live blocks would not tell: test files share a process,
 * and the collector may release what an earlier one has dropped.
 */
export async function withoutLeak<T>(run: () => Promise<T>): Promise<T> {
  const made: Block[] = [];
  const { allocate } = defaultArena;
  defaultArena.allocate = function (...args) {
    const block = allocate.apply(this, args);
    made.push(block);
    return block;
  };
  try {
    return await run();
  } finally {
    defaultArena.allocate = allocate;
    expect(made.filter(({ holders }) => holders > 0)).toEqual([]);
  }
}

/** The DataError that reading ends with; the arena is as before. */
export async function dataErrorOf(read: () => Promise<unknown>): Promise<DataError> {
  return withoutLeak(async () => {
    const error: unknown = await read().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(DataError);
    return error as DataError;
  });
}

/** A dataset as plain values; its matrix is given back. */
export function plain({ X, ...rest }: Dataset) {
  const values = X instanceof DenseMatrix ? denseRows(X) : sparseRows(X);
  const { rows, cols } = X;
  X.dispose();
  return { rows, cols, values, ...rest };
}

const denseRows = (X: DenseMatrix<Dtype>): number[][] => Array.from({ length: X.rows }, (_, i) => Array.from(X.row(i)));

/** Columns and values of each row, those that are stored. */
const sparseRows = (X: SparseMatrix): [number, number][][] =>
  Array.from({ length: X.rows }, (_, i) => {
    const { indices, values } = X.row(i);
    return Array.from(indices, (column, k): [number, number] => [column, values[k] as number]);
  });
