// Classes among labels: how many rows each has, and a share of each held out.

import type { Label } from 'perceptron-wasm';

/** Classes and how many rows they have, in the order of the library: numbers by value, words by code unit. */
export function classCounts(y: readonly Label[]): { label: Label; rows: number }[] {
  const counts = new Map<Label, number>();
  for (const label of y) counts.set(label, (counts.get(label) ?? 0) + 1);
  return [...counts]
    .map(([label, rows]) => ({ label, rows }))
    .sort((a, b) => (a.label < b.label ? -1 : a.label > b.label ? 1 : 0));
}

export interface Split {
  /** Row numbers, ascending. */
  readonly train: Uint32Array;
  readonly heldOut: Uint32Array;
}

/** 32 mixed bits for a number (splitmix32). */
function mixed(value: number): number {
  let z = (value + 0x9e3779b9) | 0;
  z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
  z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
  return (z ^ (z >>> 15)) >>> 0;
}

/**
 * A share of the rows of each class, chosen by the seed; of every class at least one row is trained on. The rows of a class are
 * put in the order of bits that are mixed from their number and the seed, and the first of them are taken.
 */
export function split(y: readonly Label[], share: number, seed: number): Split {
  const byClass = new Map<Label, number[]>();
  y.forEach((label, row) => {
    const rows = byClass.get(label);
    if (rows) rows.push(row);
    else byClass.set(label, [row]);
  });
  const isHeldOut = new Uint8Array(y.length);
  const start = mixed(seed);
  for (const rows of byClass.values()) {
    const drawn = rows.map((row) => [mixed(start ^ row), row] as const).sort(([a, i], [b, j]) => a - b || i - j);
    const count = Math.min(rows.length - 1, Math.round(rows.length * share));
    for (const [, row] of drawn.slice(0, count)) isHeldOut[row] = 1;
  }
  const all = Uint32Array.from(y, (_, row) => row);
  return { train: all.filter((row) => isHeldOut[row] === 0), heldOut: all.filter((row) => isHeldOut[row] === 1) };
}
