// The two forms of the perceptron, as the JavaScript engine trains them: w and rows (SPEC §2), α and cached scores (§7).

import * as at from '../../../assembly/layout.js';
import { at4, at8, type MemoryViews } from '../../memory/views.js';
import { axpyF32, axpyF64, dotF32, dotF64 } from './dots.js';
import type { SparseKernels } from './sparse.js';
import type { Form } from './train.js';

export const primalForm =
  (memory: MemoryViews, { dotSparse, axpySparse }: Pick<SparseKernels, 'dotSparse' | 'axpySparse'>) =>
  (record: number): Form => {
    const { f64, f32, i8 } = memory;
    const isSparse = memory.uint(record, at.ELEMENT) === at.SPARSE;
    const table = memory.uint(record, at.X);
    const isWide = memory.uint(record, at.ELEMENT) === 8;
    const x = memory.uint(record, at.X) >>> (isWide ? 3 : 2);
    const d = memory.uint(record, at.D);
    const y = memory.uint(record, at.Y);
    const w = at8(memory.uint(record, at.W));
    const sums = at8(memory.uint(record, at.SUMS));
    const add = (to: number, sample: number, step: number): void => {
      if (isSparse) axpySparse(to, table + at.ROW_BYTES * sample, step);
      else if (isWide) axpyF64(f64, to, f64, x + sample * d, step, d);
      else axpyF32(f64, to, f32, x + sample * d, step, d);
    };
    return {
      marginOf(sample, bias) {
        const row = x + sample * d;
        const sum = isSparse
          ? dotSparse(table + at.ROW_BYTES * sample, w)
          : isWide
            ? dotF64(f64, row, f64, w, d)
            : dotF32(f32, row, f64, w, d);
        const score = sum + bias;
        return (i8[y + sample] as number) < 0 ? -score : score;
      },
      stepOf: undefined,
      isReady: () => true,
      update(sample, step, before) {
        if (sums) add(sums, sample, before * step);
        add(w, sample, step);
      },
    };
  };

export const dualForm =
  (memory: MemoryViews) =>
  (record: number): Form => {
    const { f64, u32, i8 } = memory;
    const table = at4(memory.uint(record, at.ROWS));
    const length = memory.uint(record, at.LENGTH);
    const y = memory.uint(record, at.Y);
    const scores = at8(memory.uint(record, at.SCORES));
    const alphas = at8(memory.uint(record, at.ALPHAS));
    const sums = at8(memory.uint(record, at.ALPHA_SUMS));
    const stamps = at8(memory.uint(record, at.STAMPS));
    return {
      marginOf(sample, bias) {
        const s = (f64[scores + sample] as number) + bias;
        return (i8[y + sample] as number) < 0 ? -s : s;
      },
      stepOf: undefined,
      isReady: (sample) => u32[table + sample] !== 0,
      update(sample, step, before) {
        const size = Math.abs(step);
        f64[alphas + sample] = (f64[alphas + sample] as number) + size;
        if (sums) f64[sums + sample] = (f64[sums + sample] as number) + before * size;
        if (stamps) {
          memory.add(record, at.TICK, 1);
          f64[stamps + sample] = memory.float(record, at.TICK);
        }
        axpyF64(f64, scores, f64, at8(u32[table + sample] as number), step, length);
      },
    };
  };
