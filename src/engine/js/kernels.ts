// The kernels in plain JavaScript: the fallback engine, and the reference for the tests of the others.

import * as at from '../../../assembly/layout.js';
import type { Arena } from '../../memory/arena.js';
import { at4, at8, MemoryViews } from '../../memory/views.js';
import type { Element, Kernels } from '../contract.js';
import { axpyF64 } from './dots.js';
import { dualForm, primalForm } from './forms.js';
import { manyKernel } from './many.js';
import { pairKernels } from './pairs.js';
import { axpyRow, bytesOf, dotRow } from './rows.js';
import { sparseKernels } from './sparse.js';
import { stepsOf } from './train.js';

/** y·(s + b), where y is the sign of a zero. */
const signedMargin = (f64: Float64Array, score: number, sign: number, b: number): number => {
  const s = (f64[score] as number) + b;
  return Object.is(f64[sign], -0) ? -s : s;
};

export function jsKernels(arena: Arena): Kernels {
  const memory = new MemoryViews(arena);
  const { dotSparse, axpySparse, normsSparse, ...sparse } = sparseKernels(memory);
  const dot = (element: Element, x: number, w: number, d: number) => {
    if (element === 0) return dotSparse(x, at8(w));
    return dotRow(memory, element, x, at8(w), d);
  };
  const pairs = pairKernels(memory);
  const openPrimal = primalForm(memory, { dotSparse, axpySparse });
  return {
    ...pairs,
    ...sparse,
    squaredNorms(element, x, n, d, out) {
      memory.refresh();
      if (element === 0) normsSparse(x, n, out);
      else pairs.squaredNorms(element, x, n, d, out);
    },
    dot(element, x, w, d) {
      memory.refresh();
      return dot(element, x, w, d);
    },
    axpy(element, w, x, step, d) {
      memory.refresh();
      if (element === 0) axpySparse(at8(w), x, step);
      else axpyRow(memory, element, at8(w), x, step, d);
    },
    scores(element, x, n, d, order, w, b, out) {
      memory.refresh();
      const stride = element === 0 ? at.ROW_BYTES : d * bytesOf(element);
      for (let i = 0; i < n; i++) {
        const sample = order ? (memory.u32[at4(order) + i] as number) : i;
        memory.f64[at8(out) + i] = dot(element, x + sample * stride, w, d) + b;
      }
    },
    tally(scores, signs, n, row, step, b, low, high, out) {
      memory.refresh();
      const { f64, u32 } = memory;
      if (row) axpyF64(f64, at8(scores), f64, at8(row), step, n);
      let right = 0;
      let above = 0;
      for (let i = 0; i < n; i++) {
        const m = signedMargin(f64, at8(scores) + i, at8(signs) + i, b);
        if (m > high) right++;
        if (m > low) above++;
      }
      u32[at4(out)] = right;
      u32[at4(out) + 1] = n - above;
    },
    nthWrong(scores, signs, b, high, k) {
      memory.refresh();
      for (let i = 0; ; i++) {
        if (signedMargin(memory.f64, at8(scores) + i, at8(signs) + i, b) > high) continue;
        if (k-- === 0) return i;
      }
    },
    primal: stepsOf(memory, openPrimal),
    runMany: manyKernel(memory, openPrimal),
    dual: stepsOf(memory, dualForm(memory)),
  };
}
