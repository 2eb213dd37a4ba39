// Data and options that several suites train on.

import fc from 'fast-check';
import type { Order, TrainerOptions } from '../src/index.js';
import { Random } from '../src/random.js';

export const orders: readonly Order[] = ['cyclic', 'shuffle', 'random', 'batch'];

export interface Data {
  X: number[][];
  y: number[];
}

/** Integer rows and ±1 labels, `noise` percent of them wrong: every order of addition gives the same bits. */
export function integers(rows: number, cols: number, seed: number, noise = 0): Data {
  const random = Random.seeded(seed);
  const plane = Array.from({ length: cols }, () => random.below(11) - 5);
  const X = Array.from({ length: rows }, () => Array.from({ length: cols }, () => random.below(21) - 10));
  const y = X.map((x) => {
    const side = x.reduce((s, v, k) => s + v * (plane[k] as number), 0) > 3 ? 1 : -1;
    return random.below(100) < noise ? -side : side;
  });
  y[0] = 1;
  y[1] = -1;
  return { X, y };
}

/** Rows of such values with labels of both classes, at least one each. */
export const anyData = (value: fc.Arbitrary<number>, most = { cols: 14, rows: 30 }): fc.Arbitrary<Data> =>
  fc.tuple(fc.integer({ min: 1, max: most.cols }), fc.integer({ min: 2, max: most.rows })).chain(([cols, rows]) =>
    fc.record({
      X: fc.array(fc.array(value, { minLength: cols, maxLength: cols }), { minLength: rows, maxLength: rows }),
      y: fc.array(fc.constantFrom(-1, 1), { minLength: rows, maxLength: rows }).map((y) => [1, -1, ...y.slice(2)]),
    }),
  );

export const real = fc.double({ min: -100, max: 100, noNaN: true });
export const integer = fc.integer({ min: -9, max: 9 });

/** Everything that decides what is learned; some of it, at random. */
export const anyOptions: fc.Arbitrary<TrainerOptions<number> & { maxEpochs: number }> = fc.record(
  {
    learningRate: fc.constantFrom(1, 0.1, 2, 0.5),
    maxEpochs: fc.integer({ min: 1, max: 8 }),
    order: fc.constantFrom(...orders),
    seed: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
    fitIntercept: fc.boolean(),
    interceptScaling: fc.constantFrom(1, 10, 0.3),
    margin: fc.constantFrom(0, 0.5, 7),
    average: fc.boolean(),
    classWeight: fc.constantFrom({ '1': 2 }, { '-1': 0.25, '1': 3 }, 'balanced' as const),
  },
  { requiredKeys: ['maxEpochs'] },
);
