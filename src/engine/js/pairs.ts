// Pairs of rows in order P: norms, products of two matrices panel by panel, one row of them, and kernel functions (SPEC §8).

import * as at from '../../../assembly/layout.js';
import { at8, type MemoryViews } from '../../memory/views.js';
import type { Element, Kernels } from '../contract.js';
import { dotF64 } from './dots.js';
import { exp, power } from './exp.js';
import { bytesOf, dotRow, valuesIn } from './rows.js';

type PairKernels = Pick<Kernels, 'squaredNorms' | 'pairPanel' | 'mirror' | 'pairRow' | 'transform'>;

export function pairKernels(memory: MemoryViews): PairKernels {
  /** Copies values of a row into float64 ones; byte offsets. */
  const widen = (element: Element, from: number, to: number, count: number): void => {
    const [values, k0] = [valuesIn(memory, element), from / bytesOf(element)];
    for (let k = 0; k < count; k++) memory.f64[at8(to) + k] = values[k0 + k] as number;
  };

  return {
    squaredNorms(element, x, n, d, out) {
      memory.refresh();
      const X = valuesIn(memory, element);
      for (let i = 0, row = x / bytesOf(element); i < n; i++, row += d) {
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
      // Rows that are not float64 are widened into the scratch: all rows of B first, each row of A when it is used.
      const slot = (row: number) => scratch + 8 * count * row;
      const [isWideA, isWideB] = [elementA === at.FLOAT64, elementB === at.FLOAT64];
      const ofA = isWideB ? scratch : slot(nj);
      const [bytesA, bytesB] = [bytesOf(elementA), bytesOf(elementB)];
      if (!isWideB) for (let q = 0; q < nj; q++) widen(elementB, b + bytesB * (q * d + k), slot(q), count);
      for (let p = 0; p < ni; p++) {
        const row = a + bytesA * (p * d + k);
        if (!isWideA) widen(elementA, row, ofA, count);
        const left = at8(isWideA ? row : ofA);
        const end = isTriangle ? p + 1 : nj;
        for (let q = 0; q < end; q++) {
          const right = at8(isWideB ? b + 8 * (q * d + k) : slot(q));
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
      const { f64 } = memory;
      const bytes = bytesOf(element);
      for (let i = 0, row = x; i < n; i++, row += d * bytes) {
        let sum = 0;
        for (let k = 0; k < d; k += at.PANEL) {
          const count = Math.min(at.PANEL, d - k);
          sum += dotRow(memory, element, row + k * bytes, at8(z) + k, count);
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
