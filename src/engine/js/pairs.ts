// Pairs of rows in order P: norms, the Gram matrix panel by panel, one row of it, and kernels made of them (SPEC §8).

import * as at from '../../../assembly/layout.js';
import type { Kernels } from '../contract.js';
import { dotF32, dotF64 } from './dots.js';
import { exp, power } from './exp.js';
import { at4, at8, type Memory } from './memory.js';

type PairKernels = Pick<Kernels, 'squaredNorms' | 'gramPanel' | 'mirror' | 'pairRow' | 'transform'>;

export function pairKernels(memory: Memory): PairKernels {
  /** Copies float32 values into float64 ones; byte offsets. */
  const widen = (from: number, to: number, count: number): void => {
    for (let k = 0; k < count; k++) memory.f64[at8(to) + k] = memory.f32[at4(from) + k] as number;
  };

  return {
    squaredNorms(element, x, n, d, out) {
      memory.look();
      const X = element === 8 ? memory.f64 : memory.f32;
      for (let i = 0, row = element === 8 ? at8(x) : at4(x); i < n; i++, row += d) {
        let sum = 0;
        for (let panel = 0; panel < d; panel += at.PANEL) {
          let even = 0;
          let odd = 0;
          for (let k = panel; k < Math.min(d, panel + at.PANEL); k++) {
            const square = (X[row + k] as number) * (X[row + k] as number);
            if (k & 1) odd += square;
            else even += square;
          }
          sum += even + odd;
        }
        memory.f64[at8(out) + i] = sum;
      }
    },

    gramPanel(element, x, n, d, k, i, ni, j, nj, out, scratch) {
      memory.look();
      const { f64 } = memory;
      const count = Math.min(at.PANEL, d - k);
      const panelOf = (row: number) => x + (row * d + k) * element;
      // Rows of float32 are widened into the scratch: those of the block j once, those of the block i as they come.
      const wide = element === 4;
      const slot = (row: number) => scratch + 8 * at.PANEL * row;
      if (wide) for (let q = 0; q < nj; q++) widen(panelOf(j + q), slot(q + 1), count);
      for (let p = i; p < i + ni; p++) {
        if (wide) widen(panelOf(p), slot(0), count);
        const a = at8(wide ? slot(0) : panelOf(p));
        const end = i === j ? p + 1 : j + nj;
        for (let q = j; q < end; q++) {
          const b = at8(wide ? slot(q - j + 1) : panelOf(q));
          const sum = dotF64(f64, a, f64, b, count);
          const to = at8(out) + p * n + q;
          f64[to] = k === 0 ? sum : (f64[to] as number) + sum;
        }
      }
    },

    mirror(g, n, i, ni, j, nj) {
      memory.look();
      const { f64 } = memory;
      for (let p = i; p < i + ni; p++) {
        const end = Math.min(j + nj, p);
        for (let q = j; q < end; q++) f64[at8(g) + q * n + p] = f64[at8(g) + p * n + q] as number;
      }
    },

    pairRow(element, x, n, d, z, out) {
      memory.look();
      const { f64, f32 } = memory;
      for (let i = 0, row = x; i < n; i++, row += d * element) {
        let sum = 0;
        for (let k = 0; k < d; k += at.PANEL) {
          const count = Math.min(at.PANEL, d - k);
          sum +=
            element === 8
              ? dotF64(f64, at8(row) + k, f64, at8(z) + k, count)
              : dotF32(f32, at4(row) + k, f64, at8(z) + k, count);
        }
        f64[at8(out) + i] = sum;
      }
    },

    transform(kind, gamma, coef0, degree, values, count, norm, norms) {
      memory.look();
      const { f64 } = memory;
      for (let i = 0, k = at8(values); i < count; i++, k++) {
        const g = f64[k] as number;
        if (kind === at.POLYNOMIAL) {
          f64[k] = power(gamma * g + coef0, degree);
        } else if (kind === at.RBF) {
          const square = norm + (f64[at8(norms) + i] as number) - 2 * g;
          f64[k] = exp(-gamma * (square < 0 ? 0 : square));
        }
      }
    },
  };
}
