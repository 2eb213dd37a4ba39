// The two forms of the perceptron, as the JavaScript engine trains them: w and rows (SPEC §2), α and cached scores (§7).

import * as at from '../../../assembly/layout.js';
import { at4, at8, type MemoryViews } from '../../memory/views.js';
import type { Element } from '../contract.js';
import { axpyF64 } from './dots.js';
import { axpyRow, bytesOf, dotRow } from './rows.js';
import type { SparseKernels } from './sparse.js';
import type { Form } from './train.js';

export const primalForm =
  (memory: MemoryViews, { dotSparse, axpySparse }: Pick<SparseKernels, 'dotSparse' | 'axpySparse'>) =>
  (record: number): Form => {
    const { i8 } = memory;
    const element = memory.uint(record, at.ELEMENT) as Element;
    const isSparse = element === at.SPARSE;
    const x = memory.uint(record, at.X);
    const d = memory.uint(record, at.D);
    const stride = isSparse ? at.ROW_BYTES : d * bytesOf(element);
    const y = memory.uint(record, at.Y);
    const w = at8(memory.uint(record, at.W));
    const sums = at8(memory.uint(record, at.SUMS));
    const add = (to: number, sample: number, step: number): void => {
      const row = x + sample * stride;
      if (isSparse) axpySparse(to, row, step);
      else axpyRow(memory, element, to, row, step, d);
    };
    return {
      marginOf(sample, bias) {
        const row = x + sample * stride;
        const sum = isSparse ? dotSparse(row, w) : dotRow(memory, element, row, w, d);
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
