// Which rows are held out together. Seeded, so that results are reproducible: the same seed, the same folds.
//
// The rule. Stratified: the rows of each class, in class order, are shuffled and dealt to the folds like cards; each class goes on
// where the last one ended, so that folds differ by one row at most. Not stratified: all rows are shuffled and dealt. With groups:
// groups are shuffled, sorted by size, the largest first, and each goes to the fold that it makes the least uneven (see `dealGroups`).

import { Random } from '../random.js';

export interface Fold {
  /** Row numbers, ascending. */
  readonly train: Uint32Array;
  readonly test: Uint32Array;
}

/** The rows of each class, ascending. */
export function rowsByClass(codes: Uint32Array, classes: number): number[][] {
  const rows: number[][] = Array.from({ length: classes }, () => []);
  codes.forEach((code, i) => void rows[code]?.push(i));
  return rows;
}

/** The fold of each row: the lists are shuffled and dealt, one after the other. */
export function deal(lists: readonly number[][], rows: number, folds: number, seed: number): Uint32Array {
  const random = Random.seeded(seed);
  const foldOf = new Uint32Array(rows);
  let next = 0;
  for (const list of lists) {
    random.shuffle(list);
    for (const row of list) foldOf[row] = next++ % folds;
  }
  return foldOf;
}

/**
 * The part of each row, where rows of a group stay together. Part p should get the share `shares[p]` of the rows of each class. A
 * group goes where Σ over classes of (rows of the class in the part / rows of the class)² / share grows least; of equal parts, to
 * the first.
 */
export function dealGroups(
  groups: Uint32Array,
  codes: Uint32Array,
  classes: number,
  shares: readonly number[],
  seed: number,
): Uint32Array {
  const count = groups.reduce((most, group) => Math.max(most, group + 1), 0);
  const rowsOf = rowsByClass(groups, count);
  const order = Uint32Array.from({ length: count }, (_, g) => g);
  Random.seeded(seed).shuffle(order);
  const totals = countsIn(codes, classes);
  const held = shares.map(() => new Float64Array(classes));
  const partOf = new Uint32Array(groups.length);
  const bySize = [...order].sort((a, b) => (rowsOf[b] as number[]).length - (rowsOf[a] as number[]).length);
  for (const group of bySize) {
    const rows = rowsOf[group] as number[];
    const own = countsIn(
      Uint32Array.from(rows, (i) => codes[i] as number),
      classes,
    );
    let [best, least] = [0, Infinity];
    held.forEach((counts, part) => {
      let cost = 0;
      for (let c = 0; c < classes; c++) {
        const [total, before, more] = [totals[c] as number, counts[c] as number, own[c] as number];
        cost += (more * (2 * before + more)) / (total * total * (shares[part] as number));
      }
      if (cost < least) [best, least] = [part, cost];
    });
    const counts = held[best] as Float64Array;
    own.forEach((more, c) => {
      counts[c] = (counts[c] as number) + more;
    });
    for (const row of rows) partOf[row] = best;
  }
  return partOf;
}

/** How many rows each class has. */
export function countsIn(codes: Uint32Array, classes: number): Float64Array {
  const counts = new Float64Array(classes);
  for (const code of codes) counts[code] = (counts[code] as number) + 1;
  return counts;
}

/** Folds of rows, given the fold of each. */
export function foldsFrom(foldOf: Uint32Array, folds: number): Fold[] {
  const all = foldOf.map((_, i) => i);
  return Array.from({ length: folds }, (_, fold) => ({
    train: all.filter((i) => foldOf[i] !== fold),
    test: all.filter((i) => foldOf[i] === fold),
  }));
}
