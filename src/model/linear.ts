// What a plane does with rows: scores, labels, loss.

import { GROUP_BYTES } from '../../assembly/layout.js';
import { done, finish, inOneGo, type Pace, type Sliced } from '../async/sliced.js';
import { type ArenaRows, allFinite, firstBad } from '../data/arenarows.js';
import { type Classes, checkLabels, encode, type Label, type Labels, signsFor } from '../data/labels.js';
import { bringIn, type Rows } from '../data/rows.js';
import { type RowWindow, wholeOrInWindows } from '../data/window.js';
import type { BoundEngine, ElementBytes } from '../engine/contract.js';
import { dotF64 } from '../engine/js/dots.js';
import { show } from '../errors.js';
import { aligned } from '../memory/freelist.js';
import type { Plane } from './state.js';

/**
 * Brings X in, checks its width, and hands it to `use`; gives everything back afterwards.
 * @param inWindows whether `use` can do with rows that come in a window, where there is no room for all
 */
export function withRows<T>(
  X: Rows,
  cols: number,
  engine: BoundEngine,
  use: (rows: ArenaRows) => T,
  inWindows = false,
): T {
  const useOnce = (rows: ArenaRows): Sliced<T> => {
    try {
      if (rows.cols !== cols) throw new RangeError(`X has ${rows.cols} columns, the model was fitted on ${cols}`);
      rows.window?.open();
      return done(use(rows));
    } finally {
      rows.release();
    }
  };
  const { arena } = engine;
  return finish(
    inWindows ? wholeOrInWindows(X, arena, 'X', inOneGo, useOnce) : useOnce(finish(bringIn(X, arena, 'X', inOneGo))),
  );
}

/** w·x + b of each row, order S. @throws RangeError naming the first value or row that is not finite */
export const scoresOf = (plane: Plane, rows: ArenaRows, engine: BoundEngine): Float64Array =>
  finish(slicedScores(plane, rows, engine, inOneGo));

/** Values that one call of a kernel goes through, at most: some milliseconds on the slowest engine. */
const CALL_VALUES = 2 ** 21;

/** The same in slices; in a window without. */
export function* slicedScores(plane: Plane, rows: ArenaRows, engine: BoundEngine, pace: Pace): Sliced<Float64Array> {
  if (rows.window) return checkedScores(scoresInWindow(plane, rows.window, rows.element, engine), rows);
  const { weights, bias } = plane;
  const { arena, kernels } = engine;
  const wBytes = aligned(weights.byteLength);
  const block = arena.allocate(wBytes + GROUP_BYTES + 8 * rows.rows, `scores of ${rows.rows} rows`, false);
  try {
    const [w, group] = [block.offset, block.offset + wBytes];
    const out = group + GROUP_BYTES;
    arena.f64(w, weights.length).set(weights);
    const together = Math.ceil(CALL_VALUES / Math.max(1, rows.valuesPerRow));
    for (let i = 0; i < rows.rows; i += together) {
      const count = Math.min(together, rows.rows - i);
      kernels().scores(rows.element, rows.rowAt(i), count, rows.cols, 0, w, bias, out + 8 * i, group);
      if (pace.due()) yield;
    }
    return checkedScores(arena.f64(out, rows.rows).slice(), rows);
  } finally {
    arena.release(block);
  }
}

/** The same of all rows that come in a window, or of those listed; not checked. */
export function scoresInWindow(
  { weights, bias }: Plane,
  window: RowWindow,
  element: ElementBytes,
  { arena, kernels }: BoundEngine,
  list?: Uint32Array,
): Float64Array {
  const { offset, plane, group } = window;
  const cols = weights.length;
  arena.f64(plane, cols).set(weights);
  return window.map((count, out) => kernels().scores(element, offset, count, cols, 0, plane, bias, out, group), list);
}

/** Scores of all rows, or of those listed. @throws RangeError naming the first value or row that is not finite */
export function checkedScores(scores: Float64Array, rows: ArenaRows, list?: Uint32Array): Float64Array {
  if (allFinite(scores)) return scores;
  const bad = scores.findIndex((s) => !Number.isFinite(s));
  throw (
    firstBad(rows) ??
    new RangeError(`the score of X row ${list ? list[bad] : bad} is ${scores[bad]}: its values are too large`)
  );
}

/** w·x + b of one row of plain numbers, the same bits as `scoresOf`. */
export function scoreOfOne({ weights, bias }: Plane, x: ArrayLike<number>): number {
  checkRow(x, weights.length);
  return checkedScore(dotF64(Float64Array.from(x), 0, weights, 0, weights.length) + bias);
}

/** The score of a single x. @throws RangeError if it is not finite */
export function checkedScore(score: number): number {
  if (!Number.isFinite(score)) throw new RangeError(`the score of x is ${score}: its values are too large`);
  return score;
}

/** One row of `cols` finite numbers. */
export function checkRow(x: ArrayLike<number>, cols: number): void {
  if (typeof x !== 'object' || x === null || typeof x.length !== 'number') {
    throw new TypeError(`x must be an array of numbers, got ${show(x)}`);
  }
  if (typeof x[0] === 'object' && x[0] !== null)
    throw new TypeError(`x must be one row of numbers, got an array of rows`);
  if (x.length !== cols) throw new RangeError(`x has ${x.length} values, the model was fitted on ${cols} columns`);
  for (let k = 0; k < cols; k++) {
    const value: unknown = x[k];
    if (typeof value !== 'number') throw new TypeError(`x[${k}] must be a number, got ${show(value)}`);
    if (!Number.isFinite(value)) throw new RangeError(`x[${k}] is ${value}`);
  }
}

/** sign(s), with sign(0) = +1 (SPEC §1), as the class it stands for. */
export function labelOf<L extends Label>(score: number, classes: Classes<L>): L {
  return classes[score >= 0 ? 1 : 0] as L;
}

/** −1 and +1 for y. */
export function signsOf<L extends Label>(y: Labels<L>, rows: number, classes: Classes<L>): Int8Array {
  return signsFor(finish(encode(checkLabels(y, rows), rows, classes, inOneGo)).codes, 1, new Int8Array(rows));
}

/** L = −Σ y·s over the samples with y·s ≤ 0 (SPEC §2). */
export function lossOf(scores: Float64Array, signs: Int8Array): number {
  let loss = 0;
  for (let i = 0; i < scores.length; i++) {
    const m = (scores[i] as number) * (signs[i] as number);
    if (m <= 0) loss -= m;
  }
  return loss;
}
