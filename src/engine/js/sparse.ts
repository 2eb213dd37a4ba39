// Sparse rows in plain JavaScript (assembly/sparse.ts): even columns are one lane, odd columns the other.

import * as at from '../../../assembly/layout.js';
import type { Kernels } from '../contract.js';
import { at4, at8, type Memory } from './memory.js';

/** Where the values and columns of the row with this entry are, as indices. */
interface Row {
  v: number;
  c: number;
  evens: number;
  length: number;
}

export type SparseKernels = Pick<
  Kernels,
  'planeDots' | 'countColumns' | 'placeColumns' | 'fillColumns' | 'pairSparse'
> & {
  dotSparse(x: number, w: number): number;
  axpySparse(w: number, x: number, step: number): void;
  normsSparse(table: number, n: number, out: number): void;
};

/** w is an index of f64; other places are byte offsets. Callers have looked at the memory. */
export function sparseKernels(memory: Memory): SparseKernels {
  const rowAt = (entry: number): Row => {
    const evens = memory.uint(entry, at.ROW_EVENS);
    return {
      v: at8(memory.uint(entry, at.ROW_VALUES)),
      c: at4(memory.uint(entry, at.ROW_COLUMNS)),
      evens,
      length: evens + memory.uint(entry, at.ROW_ODDS),
    };
  };

  /** x · w, order S. */
  const dotSparse = (x: number, w: number): number => {
    const { v, c, evens, length } = rowAt(x);
    const { f64, u32 } = memory;
    let even = 0;
    let odd = 0;
    for (let k = 0; k < evens; k++) even += (f64[v + k] as number) * (f64[w + (u32[c + k] as number)] as number);
    for (let k = evens; k < length; k++) odd += (f64[v + k] as number) * (f64[w + (u32[c + k] as number)] as number);
    return even + odd;
  };

  /** Goes through a row panel by panel: which of its entries are even columns of it, and which odd ones. */
  const panels = (
    { c, evens, length }: Row,
    see: (even: number, toEven: number, odd: number, toOdd: number) => void,
  ): void => {
    const { u32 } = memory;
    for (let even = 0, odd = evens; even < evens || odd < length; ) {
      const first = Math.min(
        even < evens ? (u32[c + even] as number) : Infinity,
        odd < length ? (u32[c + odd] as number) : Infinity,
      );
      const limit = first - (first % at.PANEL) + at.PANEL;
      let [toEven, toOdd] = [even, odd];
      while (toEven < evens && (u32[c + toEven] as number) < limit) toEven++;
      while (toOdd < length && (u32[c + toOdd] as number) < limit) toOdd++;
      see(even, toEven, odd, toOdd);
      [even, odd] = [toEven, toOdd];
    }
  };

  return {
    dotSparse,

    axpySparse(w, x, step) {
      const { v, c, length } = rowAt(x);
      const { f64, u32 } = memory;
      for (let k = 0; k < length; k++) {
        const to = w + (u32[c + k] as number);
        f64[to] = (f64[to] as number) + step * (f64[v + k] as number);
      }
    },

    normsSparse(table, n, out) {
      const { f64 } = memory;
      for (let i = 0; i < n; i++) {
        const row = rowAt(table + at.ROW_BYTES * i);
        const squares = (from: number, to: number): number => {
          let sum = 0;
          for (let k = row.v + from; k < row.v + to; k++) sum += (f64[k] as number) * (f64[k] as number);
          return sum;
        };
        let sum = 0;
        panels(row, (even, toEven, odd, toOdd) => {
          sum += squares(even, toEven) + squares(odd, toOdd);
        });
        f64[at8(out) + i] = sum;
      }
    },

    planeDots(x, w, count, d, list, out) {
      memory.look();
      for (let i = 0; i < count; i++) {
        const k = list ? (memory.u32[at4(list) + i] as number) : i;
        memory.f64[at8(out) + i] = dotSparse(x, at8(w) + d * k);
      }
    },

    countColumns(table, n, ends) {
      memory.look();
      const { u32 } = memory;
      for (let i = 0; i < n; i++) {
        const { c, length } = rowAt(table + at.ROW_BYTES * i);
        for (let k = c; k < c + length; k++) {
          const own = at4(ends) + (u32[k] as number);
          u32[own] = (u32[own] as number) + 1;
        }
      }
    },

    placeColumns(ends, d) {
      memory.look();
      const { u32 } = memory;
      for (let k = at4(ends), sum = 0; k < at4(ends) + d; k++) {
        const count = u32[k] as number;
        u32[k] = sum;
        sum += count;
      }
    },

    fillColumns(table, first, n, ends, rows, values) {
      memory.look();
      const { f64, u32 } = memory;
      for (let i = first; i < first + n; i++) {
        const { v, c, length } = rowAt(table + at.ROW_BYTES * i);
        for (let k = 0; k < length; k++) {
          const own = at4(ends) + (u32[c + k] as number);
          const place = u32[own] as number;
          u32[own] = place + 1;
          u32[at4(rows) + place] = i;
          f64[at8(values) + place] = f64[v + k] as number;
        }
      }
    },

    pairSparse(z, ends, rows, values, n, lanes, out) {
      memory.look();
      const { f64, u32 } = memory;
      const [sum, lane, end, row, value] = [at8(out), at8(lanes), at4(ends), at4(rows), at8(values)];
      f64.fill(0, sum, sum + n);
      const own = rowAt(z);
      /** Adds entries from … to − 1 of z to lane `side` of every row that has their columns. */
      const add = (from: number, to: number, side: number): void => {
        for (let k = from; k < to; k++) {
          const x = f64[own.v + k] as number;
          const column = u32[own.c + k] as number;
          const last = u32[end + column] as number;
          for (let e = column === 0 ? 0 : (u32[end + column - 1] as number); e < last; e++) {
            const place = lane + 2 * (u32[row + e] as number) + side;
            f64[place] = (f64[place] as number) + x * (f64[value + e] as number);
          }
        }
      };
      /** Closes the lanes of those rows. */
      const close = (from: number, to: number): void => {
        for (let k = from; k < to; k++) {
          const column = u32[own.c + k] as number;
          const last = u32[end + column] as number;
          for (let e = column === 0 ? 0 : (u32[end + column - 1] as number); e < last; e++) {
            const j = u32[row + e] as number;
            const place = lane + 2 * j;
            f64[sum + j] = (f64[sum + j] as number) + ((f64[place] as number) + (f64[place + 1] as number));
            f64[place] = 0;
            f64[place + 1] = 0;
          }
        }
      };
      panels(own, (even, toEven, odd, toOdd) => {
        add(even, toEven, 0);
        add(odd, toOdd, 1);
        close(even, toEven);
        close(odd, toOdd);
      });
    },
  };
}
