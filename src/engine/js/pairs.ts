// Pairs of rows in order P: norms, products of two matrices panel by panel, one row of them, and kernel functions (SPEC §8).

import * as at from '../../../assembly/layout.js';
import { at4, at8, type MemoryViews } from '../../memory/views.js';
import type { Kernels } from '../contract.js';
import { dotF32, dotF64 } from './dots.js';
import { exp, power } from './exp.js';

type PairKernels = Pick<Kernels, 'squaredNorms' | 'pairPanel' | 'mirror' | 'pairRow' | 'transform'>;

export function pairKernels(memory: MemoryViews): PairKernels {
  /** Copies float32 values into float64 ones; byte offsets. */
  const widen = (from: number, to: number, count: number): void => {
    for (let k = 0; k < count; k++) memory.f64[at8(to) + k] = memory.f32[at4(from) + k] as number;
  };

  return {
    squaredNorms(element, x, n, d, out) {
      memory.refresh();
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

    pairPanel(elementA, a, ni, elementB, b, nj, d, k, isTriangle, out, ld, scratch) {
      memory.refresh();
      const { f64 } = memory;
      const count = Math.min(at.PANEL, d - k);
      // Float32 rows are widened into the scratch: all rows of B first, each row of A when it is used.
      const slot = (row: number) => scratch + 8 * count * row;
      const ofA = elementB === 4 ? slot(nj) : scratch;
      if (elementB === 4) for (let q = 0; q < nj; q++) widen(b + 4 * (q * d + k), slot(q), count);
      for (let p = 0; p < ni; p++) {
        const row = a + elementA * (p * d + k);
        if (elementA === 4) widen(row, ofA, count);
        const left = at8(elementA === 4 ? ofA : row);
        const end = isTriangle ? p + 1 : nj;
        for (let q = 0; q < end; q++) {
          const right = at8(elementB === 4 ? slot(q) : b + 8 * (q * d + k));
          const sum = dotF64(f64, left, f64, right, count);
          const to = at8(out) + p * ld + q;
          f64[to] = k === 0 ? sum : (f64[to] as number) + sum;
        }
      }
    },

    mirror(g, n, i, ni, j, nj) {
      memory.refresh();
      const { f64 } = memory;
      for (let p = i; p < i + ni; p++) {
        const end = Math.min(j + nj, p);
        for (let q = j; q < end; q++) f64[at8(g) + q * n + p] = f64[at8(g) + p * n + q] as number;
      }
    },

    pairRow(element, x, n, d, z, out) {
      memory.refresh();
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
      memory.refresh();
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
