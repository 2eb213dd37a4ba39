import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

// Where .ci/run wants the totals, beside the usual output.
const json = process.env.VITEST_JSON;

/** Tests that look at the clock, or want all processors: one file at a time, after all others. */
const timed = [
  'test/clock.',
  'test/threads/{aborts,crowds,fair,gram-underway}.',
  'test/browser/{aborts,responsive}.',
  'test/train/responsive.',
  'test/train/sparse-cost.',
  'test/web/{charts,data-large}.',
];
const timedFiles = timed.map((path) => `${path}*`);

/** Tests of what was built, and of whole processes: not in `npm run test:quick`. */
const slow = 'test/**/*.slow.test.ts';

/** Tests that take long, of what seldom breaks alone: `npm run test:long`, which CI runs beside `npm test`. */
const long = 'test/**/*.long.test.ts';

const shared = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // One process a file: tests that watch memory must not see each other's.
  pool: 'forks',
} as const;

/** The page imports the package by its name; tests of its logic need no build, and have the sources instead. */
const fromSources = {
  alias: [
    { find: /^perceptron-wasm$/, replacement: resolve(import.meta.dirname, 'src/index.ts') },
    { find: /^perceptron-wasm\/scalar$/, replacement: resolve(import.meta.dirname, 'src/scalar.ts') },
  ],
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

/** The timed ones among the tests of a kind. */
const timedOf = (kind: string) => timed.map((path) => `${path}*${kind}test.ts`);

export default defineConfig({
  test: {
    projects: [
      project('quick', ['test/**/*.test.ts'], [slow, long, ...timedFiles], 0),
      project('slow', [slow], timedFiles, 0),
      project('long', [long], timedFiles, 0),
      project('timed', timedOf(''), [slow, long], 1),
      project('timed-slow', timedOf('slow.'), [], 1),
      project('timed-long', timedOf('long.'), [], 1),
    ],
    ...(json && { reporters: ['default', ['json', { outputFile: json }]] }),
  },
});
