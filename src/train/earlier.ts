// Support vectors of earlier sessions, in dual form: whether they are among the present rows, and the part of the others in scores.

import type { Pausing } from '../async/pausing.js';
import type { ArenaRows } from '../data/arenarows.js';
import { countKept, isSameRow, type KeptRows } from '../data/kept.js';
import type { BoundEngine } from '../engine/contract.js';
import type { OtherRows, Pairs } from '../gram/pairs.js';
import type { Dual, Supports } from '../model/state.js';
import type { Resources } from '../worker/threads.js';

/**
 * Whether X can be the latest block of an earlier session: as many rows, and its support vectors at their places with their labels.
 * A block without support vectors cannot be recognised.
 */
export function isLatestBlock(
  X: ArenaRows,
  { samples, first }: Pick<Dual, 'samples' | 'first'>,
  { indices, data }: Pick<Supports, 'indices' | 'data'>,
  isLabelled: (row: number, support: number) => boolean,
): boolean {
  if (samples - first !== X.rows) return false;
  if (indices.length > 0 && (indices.at(-1) as number) < first) return false;
  for (let s = 0; s < indices.length; s++) {
    const i = (indices[s] as number) - first;
    if (i < 0) continue; // of an earlier block
    if (!isLabelled(i, s) || !isSameRow(X, i, data, s)) return false;
  }
  return true;
}

/** Calls `add` with each support vector, ascending, and the byte offset of its kernel values with all rows, f64[rows]. */
export function* addEarlier(
  engine: BoundEngine,
  X: ArenaRows,
  pairs: Pairs,
  data: KeptRows,
  add: (support: number, row: number) => void,
  resources: Resources,
): Pausing<void> {
  const row = engine.arena.allocate(8 * X.rows, `a row of ${X.rows} kernels`, false);
  let others: OtherRows | undefined;
  try {
    others = pairs.copyIn(data);
    for (let s = 0; s < countKept(data); s++) {
      yield* pairs.block(others, s, 1, row.offset, resources);
      add(s, row.offset);
      if (resources.clock.due()) yield;
    }
  } finally {
    engine.arena.release(row);
    others?.release();
  }
}
