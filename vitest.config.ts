import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

// Where .ci/run wants the totals, beside the usual output.
const json = process.env.VITEST_JSON;

/** Tests that look at the clock, or want all processors: one file at a time, after all others. */
const timed = [
  'test/clock.',
  'test/threads/{aborts,crowds,fair}.',
  'test/browser/{aborts,responsive}.',
  'test/train/responsive.',
  'test/train/sparse-cost.',
];
const timedFiles = timed.map((path) => `${path}*`);

/** Tests of what was built, and of whole processes: not in `npm run test:quick`. */
const slow = 'test/**/*.slow.test.ts';

const shared = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // One process a file: tests that watch memory must not see each other's.
  pool: 'forks',
} as const;

/** The page imports the package by its name; tests of its logic need no build, and have the sources instead. */
const fromSources = {
  alias: [{ find: /^perceptron-wasm$/, replacement: resolve(import.meta.dirname, 'src/index.ts') }],
};

const project = (name: string, include: string[], exclude: string[], groupOrder: number) => ({
  ...(name === 'quick' && { resolve: fromSources }),
  test: {
    ...shared,
    name,
    include,
    exclude,
    maxWorkers: groupOrder === 0 ? availableParallelism() : 1,
    sequence: { groupOrder },
  },
});

export default defineConfig({
  test: {
    projects: [
      project('quick', ['test/**/*.test.ts'], [slow, ...timedFiles], 0),
      project('slow', [slow], timedFiles, 0),
      project(
        'timed',
        timed.map((path) => `${path}*test.ts`),
        [slow],
        1,
      ),
      project(
        'timed-slow',
        timed.map((path) => `${path}*slow.test.ts`),
        [],
        1,
      ),
    ],
    ...(json && { reporters: ['default', ['json', { outputFile: json }]] }),
  },
});
