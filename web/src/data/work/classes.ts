// Classes among labels: how many rows each has.

import type { Label } from 'perceptron-wasm';

/** Classes and how many rows they have, in the order of the library: numbers by value, words by code unit. */
export function classCounts(y: readonly Label[]): { label: Label; rows: number }[] {
  const counts = new Map<Label, number>();
  for (const label of y) counts.set(label, (counts.get(label) ?? 0) + 1);
  return [...counts]
    .map(([label, rows]) => ({ label, rows }))
    .sort((a, b) => (a.label < b.label ? -1 : a.label > b.label ? 1 : 0));
}

/** The class with the most rows, the first of equal ones. */
export const majorityOf = (y: readonly Label[]): Label | undefined =>
  classCounts(y).reduce<{ label: Label; rows: number } | undefined>(
    (best, one) => (best && best.rows >= one.rows ? best : one),
    undefined,
  )?.label;
