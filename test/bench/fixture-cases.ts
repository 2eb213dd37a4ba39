// What the imagined run (fixture.ts) measured against plain JavaScript.

import type { Answer, Work } from '../../bench/harness/results.js';
import { dense } from './fixture-grid.js';

export interface Case {
  name: string;
  question: string;
  what: string;
  kind?: 'train';
  target?: Answer['target'];
  baselineMs: number;
  /** Speed-ups of the default engine, of scalar kernels and of JavaScript. */
  ratios: [number, number?, number?];
  work?: Work;
}

export const CASES: readonly Case[] = [
  {
    name: 'scan',
    question: 'How fast are scores? (1000 × 1000)',
    what: 'scoring 1000 × 1000',
    baselineMs: 1.9,
    ratios: [6.9, 4.8, 1.3],
    work: dense(1000, 1000),
    target: { atLeast: 6 },
  },
  {
    name: 'scan',
    question: 'And from memory? (1000 × 100,000)',
    what: 'scoring 1000 × 100,000',
    baselineMs: 214,
    ratios: [4.5, 3.7, 1.4],
    work: dense(1000, 100_000),
    target: { atLeast: 4 },
  },
  {
    name: 'fit',
    question: 'How fast is a fit? (2000 × 1000, 20 passes)',
    what: 'fit 2000 × 1000, some mistakes',
    kind: 'train',
    baselineMs: 92,
    ratios: [4.4, 3.4, 1.2],
    work: dense(2000, 1000, 20),
    target: { atLeast: 4 },
  },
  {
    name: 'fit',
    question: 'And with dense mistakes?',
    what: 'fit 2000 × 1000, dense mistakes',
    kind: 'train',
    baselineMs: 120,
    ratios: [4.0],
  },
  {
    name: 'fit',
    question: 'And with rare mistakes?',
    what: 'fit 2000 × 1000, rare mistakes',
    kind: 'train',
    baselineMs: 88,
    ratios: [5.7],
  },
  {
    name: 'gram',
    question: 'How fast is the Gram matrix? (480 × 10,000)',
    what: 'Gram matrix 480 × 10,000',
    baselineMs: 2210,
    ratios: [12.1, 5.9, 1.5],
    work: { flops: 480 * 481 * 10_000, bytes: 8 * 480 * 10_000, resident: 8 * 480 * 10_000 },
    target: { atLeast: 12 },
  },
  {
    name: 'sparse',
    question: 'How fast are sparse fits? (20,000 × 100,000 at 0.1 %)',
    what: 'sparse fit 20,000 × 100,000 at 0.1 %, some mistakes',
    kind: 'train',
    baselineMs: 61,
    ratios: [2.4, 2.3, 0.9],
    target: { atLeast: 2.5 },
  },
  {
    name: 'sparse',
    question: 'And if X is copied in?',
    what: 'sparse fit 20,000 × 100,000 at 0.1 %, X copied in each time',
    kind: 'train',
    baselineMs: 61,
    ratios: [1.54],
  },
  {
    name: 'dual',
    question: 'How fast is a dual fit? (sonar, 208 × 60)',
    what: 'dual fit of sonar, 208 × 60, Gram matrix included',
    kind: 'train',
    baselineMs: 310,
    ratios: [6.2, 2.5, 0.66],
    target: { atLeast: 6 },
  },
  {
    name: 'kernel',
    question: 'How fast is a kernel? (4000 × 784)',
    what: 'kernel perceptron, ten classes, degree 3, one pass over 4000 × 784',
    kind: 'train',
    baselineMs: 9200,
    ratios: [9.6, 5.0, 1.6],
    target: { atLeast: 5 },
  },
  {
    name: 'pocket',
    question: 'How fast is the pocket? (spambase, 4601 × 57)',
    what: 'pocket on spambase, 4601 × 57, 23,005 updates',
    kind: 'train',
    baselineMs: 1800,
    ratios: [21, 13, 5.8],
    target: { atLeast: 20 },
  },
  {
    name: 'firstcall',
    question: 'How fast is a fit of 3 rows?',
    what: 'fit 3 × 2, the worked example',
    kind: 'train',
    baselineMs: 0.0021,
    ratios: [0.42],
  },
];
