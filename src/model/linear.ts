// Scores, labels and loss of rows with a plane.

import { GROUP_BYTES } from '../../assembly/layout.js';
import { type ArenaRows, allFinite, firstBad, planeBytes } from '../data/arenarows.js';
import type { OwnParts } from '../data/entries.js';
import { isKeptSparse, type KeptRows } from '../data/kept.js';
import { type Classes, encode, type Label, type Labels, signsFor } from '../data/labels.js';
import { isList } from '../data/parts.js';
import { oneRow, type Row } from '../data/row.js';
import { copyIn, partOfRows, type Rows, rowsOfPart, sourceOf } from '../data/rows.js';
import type { BoundEngine } from '../engine/contract.js';
import { dotAny, dotF64 } from '../engine/js/dots.js';
import { isNoRoom } from '../memory/arena.js';
import { aligned } from '../memory/freelist.js';
import type { Plane } from './state.js';

/** Copies X in, checks its number of columns, calls `use` with the rows and releases them. @throws RangeError for other columns */
export function withRows<T>(X: Rows, cols: number, engine: BoundEngine, use: (rows: ArenaRows) => T): T {
  const rows = copyIn(X, engine.arena, 'X');
  try {
    if (rows.cols !== cols) throw new RangeError(`X has ${rows.cols} columns, the model was fitted on ${cols}`);
    return use(rows);
  } finally {
    rows.release();
  }
}

/** The scores of all rows. Rows that are larger than the memory are copied in part by part. */
export function scoresInParts(
  X: Rows,
  cols: number,
  engine: BoundEngine,
  scoresOf: (rows: ArenaRows) => Float64Array,
): Float64Array {
  try {
    return withRows(X, cols, engine, scoresOf);
  } catch (error) {
    const rowsPerPart = isNoRoom(error) ? rowsOfPart(X, engine.arena) : undefined;
    if (!rowsPerPart) throw error;
    const { rows } = sourceOf(X, 'X');
    let all: Float64Array | undefined;
    for (let from = 0; from < rows; from += rowsPerPart) {
      const part = partOfRows(X, from, Math.min(rows, from + rowsPerPart));
      const scores = withRows(part, cols, engine, scoresOf);
      const perRow = scores.length / Math.min(rowsPerPart, rows - from);
      all ??= new Float64Array(rows * perRow);
      all.set(scores, from * perRow);
    }
    return all as Float64Array;
  }
}

/** w·x + b of each row, order S. @throws RangeError naming the first value or row that is not finite */
export function scoresOf({ weights, bias }: Plane, rows: ArenaRows, { arena, kernels }: BoundEngine): Float64Array {
  const wBytes = aligned(planeBytes(rows));
  const block = arena.allocate(wBytes + GROUP_BYTES + 8 * rows.rows, `scores of ${rows.rows} rows`, false);
  try {
    const [w, group] = [block.offset, block.offset + wBytes];
    const out = group + GROUP_BYTES;
    arena.f64(w, weights.length).set(weights);
    kernels().scores(rows.element, rows.offset, rows.rows, rows.cols, 0, w, bias, out, group);
    return checkedScores(arena.f64(out, rows.rows).slice(), rows);
  } finally {
    arena.release(block);
  }
}

/** Scores of all rows, or of those listed. @throws RangeError naming the first value or row that is not finite */
export function checkedScores(scores: Float64Array, rows: ArenaRows, list?: Uint32Array): Float64Array {
  if (allFinite(scores)) return scores;
  const bad = scores.findIndex((s) => !Number.isFinite(s));
  throw (
    firstBad(rows) ??
    new RangeError(
      `the score of X row ${list ? list[bad] : rows.first + bad} is ${scores[bad]}: its values are too large`,
    )
  );
}

/**
 * w·x + b of the caller's row, bit-identical to `scoresOf`. No copy and no check is necessary where the score is finite: a value
 * that is not would make it NaN or infinite. Else a checked copy tells what is wrong.
 */
export function scoreOfRow(plane: Plane, x: Row, cols: number): number {
  const { weights, bias } = plane;
  const score = isList(x) && x.length === cols ? dotAny(x, 0, weights, 0, cols) + bias : NaN;
  return Number.isFinite(score) ? score : scoreOfOne(plane, oneRow(x, cols));
}

/** w·x + b of one checked row. */
export function scoreOfOne({ weights, bias }: Plane, x: KeptRows): number {
  const dot = isKeptSparse(x) ? dotSparse(x, weights) : dotF64(x.data as Float64Array, 0, weights, 0, weights.length);
  return checkedScore(dot + bias);
}

/** x · w of one sparse row, order S: even columns are one lane, odd columns the other. */
function dotSparse({ indices, values }: OwnParts, weights: Float64Array): number {
  let [even, odd] = [0, 0];
  for (let k = 0; k < indices.length; k++) {
    const column = indices[k] as number;
    const product = (values[k] as number) * (weights[column] as number);
    if (column & 1) odd += product;
    else even += product;
  }
  return even + odd;
}

/** The score of a single x. @throws RangeError if it is not finite */
export function checkedScore(score: number): number {
  if (!Number.isFinite(score)) throw new RangeError(`the score of x is ${score}: its values are too large`);
  return score;
}

/** The class of a score: that of sign(s), with sign(0) = +1 (SPEC §1). */
export function labelOf<L extends Label>(score: number, classes: Classes<L>): L {
  return classes[score >= 0 ? 1 : 0] as L;
}

/** y as −1 and +1. */
export function signsOf<L extends Label>(y: Labels<L>, rows: number, classes: Classes<L>): Int8Array {
  return signsFor(encode(y, rows, classes).codes, 1, new Int8Array(rows));
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
