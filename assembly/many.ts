// Several perceptrons trained in step on the same samples in the same order (one-vs-rest, SPEC §11): each row is loaded once for
// the weights of all records. Each record ends bit-identical to being trained alone by `run`.
//
// All records share X, N, D, ORDER, ELEMENT and MU. A record whose CURSOR is ahead of that of the last record has visited that row
// already: so a call that stops in the middle of a row resumes where it stopped.

import { dots } from './dot';
import { halfDots2, split, splitFor } from './halves';
import { integerWiden } from './integers';
import {
  BIAS,
  CLOSED,
  CURSOR,
  D,
  ELEMENT,
  FLOAT32,
  FLOAT64,
  INDEX,
  MANY_COUNT,
  MANY_LATEST,
  MANY_RECORDS,
  MANY_ROW,
  MANY_SCORES,
  MANY_WEIGHTS,
  MISTAKE,
  MU,
  N,
  NORMS,
  NON_FINITE,
  ORDER,
  PASSES,
  PAUSED,
  SEEN,
  SPARSE,
  W,
  X,
  Y,
} from './layout';
import { closeEpoch, isIdle, isRight } from './mistake';
import { addPrimalMistake } from './primal';
import { strideOf } from './scores';
import { sparseDot } from './sparse';
import { step } from './step';

/** Weight vectors multiplied with a row at a time: more would not fit the registers. */
const TOGETHER: u32 = 8;

/** scores[k] = x · w_k for the weights at the offsets u32[count], order S; x is f64[d], or a sparse row. */
@inline
function productsOf(x: usize, isSparse: bool, d: usize, weights: usize, count: u32, scores: usize): void {
  if (isSparse) {
    for (let k: usize = 0; k < <usize>count; k++) store<f64>(scores + (k << 3), sparseDot(x, load<u32>(weights + (k << 2))));
    return;
  }
  // The roles of `dots` are exchanged: its rows are the weight vectors, and its w is the row.
  for (let k: u32 = 0; k < count; k += TOGETHER) {
    dots(8, min(TOGETHER, count - k), weights + ((<usize>k) << 2), x, d, scores + ((<usize>k) << 3));
  }
}

/** Copies the row x (d) as float64 to `to`. */
function widen(element: usize, x: usize, d: usize, to: usize): void {
  if (element != FLOAT32) return integerWiden(element, x, d, to);
  for (let k: usize = 0; k < d; k++) store<f64>(to + (k << 3), <f64>load<f32>(x + (k << 2)));
}

/** Sets the cursors: records before `k` have visited the row at `cursor`. */
function stopAt(records: usize, count: u32, cursor: u32, k: u32): void {
  for (let i: u32 = 0; i < count; i++) {
    store<u32>(<usize>load<u32>(records + ((<usize>i) << 2)), i < k ? cursor + 1 : cursor, CURSOR);
  }
}

/**
 * Continues training all records of a header until `rows` samples were visited, `mistakes` mistakes were made, the epoch was closed,
 * or a score was not finite. All records close their epoch together.
 */
export function runMany(g: usize, rows: u32, mistakes: u32): i32 {
  const count = load<u32>(g, MANY_COUNT);
  const records: usize = load<u32>(g, MANY_RECORDS);
  const weights: usize = load<u32>(g, MANY_WEIGHTS);
  const scores: usize = load<u32>(g, MANY_SCORES);
  const wide: usize = load<u32>(g, MANY_ROW);
  const first: usize = load<u32>(records);
  const last: usize = load<u32>(records + ((<usize>(count - 1)) << 2));
  const n = load<u32>(first, N);
  const d: usize = load<u32>(first, D);
  const x: usize = load<u32>(first, X);
  const order: usize = load<u32>(first, ORDER);
  const mu = load<f64>(first, MU);
  const element: usize = load<u32>(first, ELEMENT);
  const isNarrow = element != FLOAT64 && element != SPARSE;
  const stride = strideOf(element, d);
  let isSplit = true;
  for (let i: u32 = 0; i < count && isSplit; i++) {
    isSplit = splitFor(element, load<u32>(weights + ((<usize>i) << 2)), d, rows) != element;
  }
  let cursor = load<u32>(last, CURSOR);
  let k: u32 = 0;
  while (load<u32>(<usize>load<u32>(records + ((<usize>k) << 2)), CURSOR) > cursor) k++;
  for (let i: u32 = 0; i < count; i++) store<u32>(<usize>load<u32>(records + ((<usize>i) << 2)), 0, PASSES);

  for (; cursor < n; cursor++) {
    if (rows-- == 0) {
      stopAt(records, count, cursor, k);
      return PAUSED;
    }
    const sample = order ? load<u32>(order + ((<usize>cursor) << 2)) : cursor;
    const row = x + <usize>sample * stride;
    if (isSplit) {
      for (let i: usize = 0; i < <usize>count; i += 2) {
        const two = weights + (i << 2);
        halfDots2(element, row, row, load<u32>(two), load<u32>(two, 4), d, scores + (i << 3));
      }
    } else {
      if (isNarrow) widen(element, row, d, wide);
      productsOf(isNarrow ? wide : row, element == SPARSE, d, weights, count, scores);
    }
    for (; k < count; k++) {
      const r: usize = load<u32>(records + ((<usize>k) << 2));
      let m = load<f64>(scores + ((<usize>k) << 3)) + load<f64>(r, BIAS);
      if (load<i8>(<usize>load<u32>(r, Y) + sample) < 0) m = -m;
      if (isRight(m, mu)) continue;
      if (load<u32>(r, NORMS) && isIdle(r, sample)) continue; // a call only where it can be true: 1.06x
      store<u32>(g, k, MANY_LATEST);
      if (m - m != 0) {
        store<u32>(r, sample, INDEX);
        stopAt(records, count, cursor, k);
        return NON_FINITE;
      }
      const by = addPrimalMistake(r, sample, m, load<f64>(r, SEEN) + <f64>cursor);
      step(element, load<u32>(r, W), row, by, d);
      if (isSplit) isSplit = split(load<u32>(r, W), d);
      if (--mistakes == 0) {
        stopAt(records, count, cursor, k + 1);
        return MISTAKE;
      }
    }
    k = 0;
  }
  for (let i: u32 = 0; i < count; i++) closeEpoch(<usize>load<u32>(records + ((<usize>i) << 2)));
  return CLOSED;
}
