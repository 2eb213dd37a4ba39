// The two summation orders of docs/adr/0003, for dense and for sparse rows. Both add in two lanes, even columns and odd
// columns; order P closes the lanes after every 512 columns, order S at the end only. A column that a sparse row does not
// store would add ±0 to its lane, which changes nothing: so sparse and dense rows give bit-identical sums.

import { PANEL } from '../../assembly/layout.js';
import { dotF64 } from '../engine/js/dots.js';
import type { SparseTable } from './tables.js';

/** Columns after which the lanes are closed. S: a row with weights. P: a pair of rows. */
export const S = Infinity;
export const P = PANEL;

/** x · z, from element `xAt` of x and element `zAt` of z on, over d columns. */
export function dot(x: Float64Array, xAt: number, z: Float64Array, zAt: number, d: number, panel: number): number {
  let sum = 0;
  for (let k = 0; k < d; k += panel) sum += dotF64(x, xAt + k, z, zAt + k, Math.min(panel, d - k));
  return sum;
}

/** Sparse row i · z, where column k of z is element `zAt + k`; without z, the product of the row with itself. */
export function dotSparse(X: SparseTable, i: number, panel: number, z?: Float64Array, zAt = 0): number {
  const { values, indices, indptr } = X;
  const end = indptr[i + 1] as number;
  let sum = 0;
  let even = 0;
  let odd = 0;
  let limit = panel;
  for (let k = indptr[i] as number; k < end; k++) {
    const column = indices[k] as number;
    if (column >= limit) {
      sum += even + odd;
      even = odd = 0;
      limit = column - (column % panel) + panel;
    }
    const value = values[k] as number;
    const product = value * (z ? (z[zAt + column] as number) : value);
    if (column & 1) odd += product;
    else even += product;
  }
  return sum + (even + odd);
}
