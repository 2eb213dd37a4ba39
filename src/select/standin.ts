// Stands in for metrics.ts until that is merged.

import type { Label } from '../index.js';

export interface Evaluation<L extends Label = Label> {
  rows: number;
  accuracy: number;
  baseline: { label: L; accuracy: number };
}

export function evaluate<L extends Label>(
  yTrue: readonly L[],
  yPredicted: readonly L[],
  options: { scores?: unknown; sampleWeight?: Float64Array; classes?: readonly L[]; baseline?: L } = {},
): Evaluation<L> {
  const share = (isRight: (i: number) => boolean) => {
    let [right, total] = [0, 0];
    yTrue.forEach((_, i) => {
      const weight = options.sampleWeight?.[i] ?? 1;
      total += weight;
      if (isRight(i)) right += weight;
    });
    return right / total;
  };
  const label = options.baseline as L;
  return {
    rows: yTrue.length,
    accuracy: share((i) => yTrue[i] === yPredicted[i]),
    baseline: { label, accuracy: share((i) => yTrue[i] === label) },
  };
}
