// The cases of the digest in other runtimes than the one that runs the tests: the browsers that are installed, and what `npm run
// runtimes` has fetched. It runs all cases and writes docs/runtimes.md; here it is one of eight.

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { runtimes } from '../../scripts/runtimes/all.js';

const EVERY = 8;

beforeAll(() => {
  if (!existsSync(resolve(import.meta.dirname, '../../dist/index.js')))
    throw new Error('there is no dist/: npm run build');
});

const quick = runtimes.filter(({ isQuick }) => isQuick);
for (const { name, isHere } of quick) {
  if (!isHere(false)) console.warn(`${name} is not here: its digest is skipped (npm run runtimes fetches it).`);
}

describe.each(quick.filter(({ isHere }) => isHere(false)))('$name', (runtime) => {
  test('gives the committed hashes on every engine and on threads', async () => {
    const { ways, threads, threadsReason, engine, engineReason } = await runtime.run(EVERY);
    expect(ways.map(({ how }) => how.engine)).toEqual(['wasm-simd', 'wasm-simd', 'wasm-scalar', 'js']);
    for (const { how, runs, wrong, reason } of ways) {
      expect({ how, wrong, reason }).toEqual({ how, wrong: [], reason: undefined });
      expect(runs).toBeGreaterThan(50);
    }
    expect(`${engine}, ${engineReason ?? 'the fastest'}`).toBe('wasm-simd, the fastest');
    expect(threads).toBe(runtime.threads);
    if (threads === 1) expect(threadsReason).toMatch(/isolat|thread|Worker|SharedArrayBuffer/i);
  });
});
