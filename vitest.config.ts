import { defineConfig } from 'vitest/config';

// Where .ci/run wants the totals, beside the usual output.
const json = process.env.VITEST_JSON;

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // One process a file: tests that watch memory must not see each other's.
    pool: 'forks',
    ...(json && { reporters: ['default', ['json', { outputFile: json }]] }),
  },
});
