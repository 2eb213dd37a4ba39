import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    // One process a file: tests that watch memory must not see each other's.
    pool: 'forks',
  },
});
