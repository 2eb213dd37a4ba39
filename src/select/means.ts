// The numbers of an evaluation by name, and their mean and deviation over folds.

import type { Label } from '../index.js';
import type { Evaluation } from './metrics.js';

/** The names that `mean`, `deviation` and `metric` use. */
export const METRICS = [
  'accuracy',
  'balancedAccuracy',
  'matthews',
  'macro.precision',
  'macro.recall',
  'macro.f1',
  'weighted.precision',
  'weighted.recall',
  'weighted.f1',
  'rocAuc',
  'averagePrecision',
  'baseline.accuracy',
] as const;

/** A metric by which `search` chooses. */
export type Metric = (typeof METRICS)[number];

/** The metrics that an evaluation has. */
export function metricsOf<L extends Label>(evaluation: Evaluation<L>): Map<Metric, number> {
  const found = new Map<Metric, number>();
  for (const name of METRICS) {
    const value = name.split('.').reduce<unknown>((at, key) => (at as Record<string, unknown>)?.[key], evaluation);
    if (typeof value === 'number') found.set(name, value);
  }
  return found;
}

/** The mean of numbers, and their sample standard deviation (divisor K − 1). */
export function spreadOf(each: readonly number[]): { mean: number; deviation: number } {
  const mean = each.reduce((sum, value) => sum + value, 0) / each.length;
  const squares = each.reduce((sum, value) => sum + (value - mean) * (value - mean), 0);
  return { mean, deviation: Math.sqrt(squares / (each.length - 1)) };
}

/** Mean and standard deviation of each metric over folds. */
export interface Spreads {
  /** By name: 'accuracy', 'macro.f1', 'rocAuc' … Metrics that a fold lacks are left out. */
  readonly mean: Readonly<Partial<Record<Metric, number>>>;
  /** The sample standard deviation (divisor K − 1). */
  readonly deviation: Readonly<Partial<Record<Metric, number>>>;
}

export function spreadsOf<L extends Label>(folds: readonly Evaluation<L>[]): Spreads {
  const all = folds.map(metricsOf);
  const [mean, deviation]: [Partial<Record<Metric, number>>, Partial<Record<Metric, number>>] = [{}, {}];
  for (const name of METRICS) {
    const values = all.map((metrics) => metrics.get(name));
    if (values.includes(undefined)) continue;
    const spread = spreadOf(values as number[]);
    mean[name] = spread.mean;
    deviation[name] = spread.deviation;
  }
  return { mean, deviation };
}
