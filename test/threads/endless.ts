// Fits that end when they are told to, for the suites of what goes wrong on threads.

import { getEventListeners } from 'node:events';
import {
  DualPerceptron,
  MulticlassPerceptron,
  Perceptron,
  Pipeline,
  PocketPerceptron,
  Scaler,
} from '../../src/index.js';
import { type AnyTrainer, flatRows } from './helpers.js';

// One row with both labels: neither planes nor kernels separate them, so that no fit ends by itself.
export const noisy = flatRows({ rows: 1500, cols: 400, noise: 0.3, contradicts: true });
const rare = flatRows({ rows: 1500, cols: 400, gap: 0.01, contradicts: true });
export const RBF = { type: 'rbf', gamma: 0.01 } as const;
export const forever = { maxEpochs: 1e9 };

export const listeners = ({ signal }: AbortController) => getEventListeners(signal, 'abort').length;

/** Fits that would go on for long. */
export const endless: [string, () => AnyTrainer, typeof noisy][] = [
  ['Perceptron, many mistakes', () => new Perceptron<number>(forever) as never, noisy],
  ['Perceptron, rare mistakes', () => new Perceptron<number>(forever) as never, rare],
  ['shuffle', () => new Perceptron<number>({ ...forever, order: 'shuffle', average: true }) as never, noisy],
  ['random', () => new Perceptron<number>({ ...forever, order: 'random' }) as never, noisy],
  ['batch', () => new Perceptron<number>({ ...forever, order: 'batch' }) as never, noisy],
  ['pocket', () => new PocketPerceptron<number>(forever) as never, noisy],
  ['dual', () => new DualPerceptron<number>(forever) as never, noisy],
  ['rbf, Gram rows', () => new DualPerceptron<number>({ ...forever, kernel: RBF, gram: 'rows' }) as never, noisy],
  ['side by side', () => new MulticlassPerceptron<number>({ ...forever, order: 'batch' }) as never, noisy],
  ['one-vs-rest', () => new MulticlassPerceptron<number>(forever) as never, noisy],
  ['blocks', () => new MulticlassPerceptron<number>({ ...forever, kernel: RBF, gram: 'blocks' }) as never, noisy],
  ['multinomial', () => new MulticlassPerceptron<number>({ ...forever, strategy: 'multinomial' }) as never, noisy],
  [
    'pipeline',
    () => new Pipeline<number>(new Scaler({ kind: 'standardize' }), new Perceptron<number>(forever)) as never,
    noisy,
  ],
];
/** Trained on the caller's thread, in slices, whatever is asked for. */
export const noWorkers = new Set(['multinomial', 'random', 'pocket']);
export const small = flatRows({ rows: 20, cols: 400 });
