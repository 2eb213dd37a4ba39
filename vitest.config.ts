import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

// Where .ci/run wants the totals, beside the usual output.
const json = process.env.VITEST_JSON;

/** What takes long, and seldom breaks alone: `npm run test:long`, which CI runs beside `npm test`. */
const long = 'test/**/*.long.test.ts';

const project = (name: string, include: string, exclude: string[]) => ({
  // The page imports the package by its name; tests of its logic need no build, and have the sources instead.
  resolve: {
    alias: [{ find: /^perceptron-wasm$/, replacement: resolve(import.meta.dirname, 'src/index.ts') }],
  },
  test: {
    name,
    include: [include],
    exclude,
    // Deadlines for what hangs, not limits on speed: a test waits a minute for a thing to happen, and then says which.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    maxWorkers: availableParallelism(),
    // One process a file: tests that watch memory must not see each other's.
    pool: 'forks' as const,
  },
});

export default defineConfig({
  test: {
    projects: [project('test', 'test/**/*.test.ts', [long]), project('long', long, [])],
    ...(json && { reporters: ['default', ['json', { outputFile: json }]] }),
  },
});
