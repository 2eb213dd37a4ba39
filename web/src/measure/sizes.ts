// How large, and for how long.

import type { Pace } from './contest.js';
import type { Recipe } from './data.js';

export interface Size extends Pace {
  readonly title: string;
  readonly train: Recipe & { readonly epochs: number };
  readonly gram: Recipe;
  readonly small: Recipe;
  /** For primal against dual: as many values and epochs in every shape, from few long rows to many short ones. */
  readonly shapes: readonly (Recipe & { readonly epochs: number })[];
  readonly threadsGram: Recipe;
  readonly threadsFit: Recipe & { readonly epochs: number };
}

const shape = (rows: number, cols: number) => ({ rows, cols, margin: 0.5, offset: 5, contradictions: 1, epochs: 200 });

const quick: Size = {
  title: 'Quick, about 6 s',
  rounds: 5,
  sampleMs: 20,
  train: { rows: 800, cols: 400, flips: 0.1, epochs: 20 },
  gram: { rows: 200, cols: 500 },
  small: { rows: 150, cols: 4, margin: 1 },
  shapes: [shape(20, 2000), shape(40, 1000), shape(80, 500), shape(160, 250), shape(320, 125), shape(640, 62)],
  threadsGram: { rows: 480, cols: 2000 },
  threadsFit: { rows: 3000, cols: 1000, margin: 3, contradictions: 2, epochs: 20 },
};

export const sizes = {
  quick,
  thorough: {
    ...quick,
    title: 'Thorough, about 25 s',
    rounds: 15,
    sampleMs: 40,
    train: { ...quick.train, rows: 2000, cols: 500 },
    gram: { rows: 300, cols: 1000 },
  },
  /** For tests: it shows that everything runs, and its numbers mean nothing. */
  tiny: {
    ...quick,
    title: 'Tiny',
    rounds: 3,
    sampleMs: 2,
    train: { ...quick.train, rows: 100, cols: 50, epochs: 5 },
    gram: { rows: 40, cols: 50 },
    shapes: [shape(10, 200), shape(100, 20)],
    threadsGram: { rows: 200, cols: 300 },
    threadsFit: { ...quick.threadsFit, rows: 1000, cols: 100, epochs: 5 },
  },
} satisfies Record<string, Size>;

export type SizeName = keyof typeof sizes;

export const sizeNamed = (name: string | null): SizeName =>
  name !== null && Object.hasOwn(sizes, name) ? (name as SizeName) : 'quick';
