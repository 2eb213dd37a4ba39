// What the suites read off the pools; names that this branch does not have yet stand in for themselves.

import type { DenseMatrix, GramOptions, Rows } from '../../src/index.js';
import * as library from '../../src/index.js';

interface Missing {
  gramAsync(
    X: Rows,
    options?: GramOptions & { threads?: number | 'auto'; signal?: AbortSignal; workerUrl?: string | URL },
  ): Promise<DenseMatrix>;
  stopThreads(): Promise<void>;
}

const own = library as unknown as Partial<Missing>;
const path = '../../src/worker/pool.js';
const pool: {
  poolsNow(): { threads: number; busy: number };
  threadsOf(): { kill(): void }[];
} = await import(path).catch(() => ({ poolsNow: () => ({ threads: 0, busy: 0 }), threadsOf: () => [] }));

export const gramAsync: Missing['gramAsync'] =
  own.gramAsync ?? (async (X, { threads: _, signal: __, workerUrl: ___, ...options } = {}) => library.gram(X, options));
export const stopThreads: Missing['stopThreads'] = own.stopThreads ?? (async () => {});
export const isHere = own.stopThreads !== undefined;
export const { poolsNow, threadsOf } = pool;
