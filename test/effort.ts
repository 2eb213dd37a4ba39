// How much the two runs of the tests do: `npm test` has the short form of the suites that vitest.config.ts lists as thorough,
// `npm run test:long` all of it.

const isLong = process.env.LONG_TESTS === '1';

/** How many runs of a property: an eighth of them in `npm test`. */
export const runs = (count: number): number => (isLong ? count : Math.ceil(count / 8));

/** Those of a list that `npm test` has; all of them in the long run. */
export const someOf = <T>(all: readonly T[], some: readonly NoInfer<T>[]): readonly T[] => (isLong ? all : some);
