// How large, and for how long.

import type { Pace } from './contest.js';
import type { Recipe } from './data.js';

export interface Size extends Pace {
  readonly title: string;
  readonly train: Recipe & { readonly epochs: number };
  readonly gram: Recipe;
  readonly small: Recipe;
  readonly wide: Recipe;
  readonly tall: Recipe;
  readonly threadsGram: Recipe;
  readonly threadsFit: Recipe & { readonly epochs: number };
}

const quick: Size = {
  title: 'Quick, about 5 s',
  rounds: 5,
  sampleMs: 20,
  train: { rows: 800, cols: 400, flips: 0.1, epochs: 20 },
  gram: { rows: 200, cols: 500 },
  small: { rows: 150, cols: 4, margin: 1 },
  wide: { rows: 40, cols: 1000, margin: 1, offset: 10 },
  tall: { rows: 600, cols: 40, margin: 0.2 },
  threadsGram: { rows: 480, cols: 2000 },
  threadsFit: { rows: 3000, cols: 1000, margin: 3, contradictions: 2, epochs: 20 },
};

export const sizes = {
  quick,
  thorough: {
    ...quick,
    title: 'Thorough, about 20 s',
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
    tall: { rows: 100, cols: 10, margin: 0.2 },
    threadsGram: { rows: 200, cols: 300 },
    threadsFit: { ...quick.threadsFit, rows: 1000, cols: 100, epochs: 5 },
  },
} satisfies Record<string, Size>;

export type SizeName = keyof typeof sizes;

export const sizeNamed = (name: string | null): SizeName =>
  name !== null && Object.hasOwn(sizes, name) ? (name as SizeName) : 'quick';
