// What the tests of readers share: sources of every shape, files in a folder of their own, and an eye on the arena.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect } from 'vitest';
import { defaultArena } from '../../src/engine/engine.js';
import { DenseMatrix, type Dtype, type SparseMatrix } from '../../src/index.js';
import { DataError, type Dataset } from '../../src/io/index.js';

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

// Files of tests share a process. Matrices that earlier ones dropped must not be released while withoutLeak counts.
beforeAll(async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let blocks = -1; blocks !== defaultArena.usage.blocks; ) {
    blocks = defaultArena.usage.blocks;
    collect();
    await later(10); // finalizers run as tasks of their own
  }
});

/** What is left in the arena when it is over: nothing of the reader's. */
export async function withoutLeak<T>(run: () => Promise<T>): Promise<T> {
  const { blocks, liveBytes } = defaultArena.usage;
  const result = await run();
  expect(defaultArena.usage).toMatchObject({ blocks, liveBytes });
  return result;
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
