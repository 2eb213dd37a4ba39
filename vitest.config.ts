import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

// Where .ci/run wants the totals, beside the usual output.
const json = process.env.VITEST_JSON;

/** What takes long, and seldom breaks alone: `npm run test:long`, which CI runs beside `npm test`. */
const long = 'test/**/*.long.test.ts';

/**
 * `together`: folders whose files share a process, one a core. None of them counts on a memory, threads or globals that nobody used
 * before. A process and its modules cost a file half a second of CPU, more than most of these tests. Other folders, and new ones,
 * have a process a file.
 */
const sharing = [
  'assembly',
  'bench',
  'cluster',
  'docs',
  'encode',
  'io',
  'predict',
  'prepare',
  'proof',
  'released',
  'select',
].map((folder) => `test/${folder}/**/*.test.ts`);

/** What `npm test` runs in a short form, and `npm run test:long` whole (test/effort.ts). */
const thorough = [
  'test/bad-input/dual-gram.test.ts',
  'test/bad-input/dual-overflow.test.ts',
  'test/bad-input/dual-rows.test.ts',
  'test/bad-input/family.test.ts',
  'test/cli/hostile.test.ts',
  'test/cli/recommended.test.ts',
  'test/cli/train.test.ts',
  'test/data/gram.test.ts',
  'test/data/pairs.test.ts',
  'test/data/sparse.test.ts',
  'test/digest/digest.test.ts',
  'test/faults/allocations.test.ts',
  'test/fuzz/fuzz.test.ts',
  'test/io/fuzz.test.ts',
  'test/io/onnx.test.ts',
  'test/io/sklearn.test.ts',
  'test/io/table-properties.test.ts',
  'test/io/writers.test.ts',
  'test/model/dual-json.test.ts',
  'test/model/sparse.test.ts',
  'test/proof/prove.test.ts',
  'test/proof/verify.test.ts',
  'test/reproduce.test.ts',
  'test/select/metrics.test.ts',
  'test/threads/crowds.test.ts',
  'test/threads/determinism.test.ts',
  'test/threads/gram.test.ts',
  'test/threads/narrow.test.ts',
  'test/threads/readers.test.ts',
  'test/train/dual-properties.test.ts',
  'test/train/dual.test.ts',
  'test/train/multiclass.test.ts',
  'test/train/pocket.test.ts',
  'test/train/properties.test.ts',
  'test/train/sparse-cost.test.ts',
  'test/train/sparse.test.ts',
  'test/train/stream.test.ts',
  'test/unshared.test.ts',
  'test/web/data.test.ts',
  'test/web/learn-trace.test.ts',
  'test/web/learn.test.ts',
  'test/web/measure-page.test.ts',
  'test/web/shell.test.ts',
];

const project = (name: string, include: string[], exclude: string[], env: Record<string, string>, isolate = true) => ({
  // The page imports the package by its name; tests of its logic need no build, and have the sources instead.
  resolve: {
    alias: [
      { find: /^perceptron-wasm$/, replacement: resolve(import.meta.dirname, 'src/index.ts') },
      { find: /^fast-check$/, replacement: resolve(import.meta.dirname, 'test/fastcheck.ts') },
      { find: /^perceptron-wasm\/cluster$/, replacement: resolve(import.meta.dirname, 'src/cluster/index.ts') },
      { find: /^perceptron-wasm\/prepare$/, replacement: resolve(import.meta.dirname, 'src/prepare/index.ts') },
      { find: /^perceptron-wasm\/select$/, replacement: resolve(import.meta.dirname, 'src/select/index.ts') },
      { find: /^perceptron-wasm\/prove$/, replacement: resolve(import.meta.dirname, 'src/prove.ts') },
      { find: /^perceptron-wasm\/scalar$/, replacement: resolve(import.meta.dirname, 'src/scalar.ts') },
    ],
  },
  test: {
    name,
    include,
    exclude,
    env,
    // Deadlines for what hangs, not limits on speed: a test waits a minute for a thing to happen, and then says which.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    maxWorkers: availableParallelism(),
    // One process a file, but for `together`: tests that watch memory must not see each other's.
    pool: 'forks' as const,
    isolate,
  },
});

export default defineConfig({
  test: {
    projects: [
      project('test', ['test/**/*.test.ts'], [long, ...sharing], {}),
      project('together', sharing, [long], {}, false),
      project('long', [long, ...thorough], [], { LONG_TESTS: '1' }),
    ],
    ...(json && { reporters: ['default', ['json', { outputFile: json }]] }),
  },
});
