// Data of several classes, and what suites of the family read off their models.

import fc from 'fast-check';
import type { Order } from '../src/index.js';
import { Random } from '../src/random.js';

export interface ManyData {
  X: number[][];
  /** 0 … K − 1. */
  y: number[];
}

/** Integer rows, the label that of the largest of K integer planes, `noise` percent of them drawn anew. */
export function manyClasses(rows: number, cols: number, classes: number, seed: number, noise = 0): ManyData {
  const random = Random.seeded(seed);
  const value = (most: number) => random.below(2 * most + 1) - most;
  const planes = Array.from({ length: classes }, () => Array.from({ length: cols + 1 }, () => value(5)));
  const X = Array.from({ length: rows }, () => Array.from({ length: cols }, () => value(10)));
  const y = X.map((x) => {
    const scores = planes.map((p) => x.reduce((s, v, k) => s + v * (p[k] as number), p[cols] as number));
    return random.below(100) < noise ? random.below(classes) : scores.indexOf(Math.max(...scores));
  });
  for (let k = 0; k < classes; k++) y[k] = k; // every class is there
  return { X, y };
}

/** Three clouds far from each other in integer rows: planes separate each of them from the rest. */
export function clouds(each: number, seed: number): ManyData {
  const random = Random.seeded(seed);
  const centres = [
    [40, 0],
    [-30, 40],
    [-30, -40],
  ];
  const y = Array.from({ length: 3 * each }, (_, i) => i % 3);
  const X = y.map((k) => (centres[k] as number[]).map((v) => v + random.below(11) - 5));
  return { X, y };
}

/** Rows of such values, and labels of `classes` classes, at least one row each. */
export const anyClasses = (
  value: fc.Arbitrary<number>,
  most = { cols: 9, rows: 24, classes: 5 },
): fc.Arbitrary<ManyData & { classes: number }> =>
  fc
    .record({
      cols: fc.integer({ min: 1, max: most.cols }),
      rows: fc.integer({ min: most.classes, max: most.rows }),
      classes: fc.integer({ min: 2, max: most.classes }),
    })
    .chain(({ cols, rows, classes }) =>
      fc.record({
        X: fc.array(fc.array(value, { minLength: cols, maxLength: cols }), { minLength: rows, maxLength: rows }),
        y: fc
          .array(fc.nat({ max: classes - 1 }), { minLength: rows, maxLength: rows })
          .map((y) => y.map((label, i) => (i < classes ? i : label))),
        classes: fc.constant(classes),
      }),
    );

export const XOR = {
  X: [
    [0, 0],
    [1, 1],
    [0, 1],
    [1, 0],
  ],
  y: [-1, -1, 1, 1],
};

const dot = (x: readonly number[], z: readonly number[]) => x.reduce((s, v, k) => s + v * (z[k] as number), 0);
export const linearGram = (X: readonly number[][]): number[][] => X.map((x) => X.map((z) => dot(x, z)));
/** Of the kernel (x·z + 1)²: whole numbers for whole rows. */
export const squareGram = (X: readonly number[][]): number[][] => X.map((x) => X.map((z) => (dot(x, z) + 1) ** 2));
export const SQUARE_KERNEL = { type: 'polynomial', degree: 2, gamma: 1, coef0: 1 } as const;

/** −0 as 0: sums in another order may end at either. */
export const plain = (values: Iterable<number>): number[] => Array.from(values, (v) => v + 0);

/** Without the clean passes at its end, which not every way of training makes. */
export function busy(mistakesByEpoch: readonly number[]): number[] {
  const list = [...mistakesByEpoch];
  while (list.at(-1) === 0) list.pop();
  return list;
}

/** What was learned, without how it was asked for. */
export const state = (model: { toJSON(): unknown }): unknown => ({ ...(model.toJSON() as object), options: null });

/** A model through text. */
export const saved = (model: unknown): { options: Record<string, unknown> } & Record<string, unknown> =>
  JSON.parse(JSON.stringify(model));

export const sweeping: readonly Order[] = ['cyclic', 'shuffle'];
