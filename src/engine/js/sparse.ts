// Sparse rows in plain JavaScript (assembly/sparse.ts): even columns are one lane, odd columns the other.

import * as at from '../../../assembly/layout.js';
import { at4, at8, type MemoryViews } from '../../memory/views.js';
import type { Kernels } from '../contract.js';

/** A row of the table: the indices of its values in f64 or f32, and of its columns in u32. */
interface Row {
  isNarrow: boolean;
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

// A lane is the sum of values from … to − 1, each times the weight of its column: one function for each type, as in dots.ts.
function laneF64(
  f64: Float64Array,
  u32: Uint32Array,
  v: number,
  c: number,
  w: number,
  from: number,
  to: number,
): number {
  let sum = 0;
  for (let k = from; k < to; k++) sum += (f64[v + k] as number) * (f64[w + (u32[c + k] as number)] as number);
  return sum;
}

function laneF32(
  f32: Float32Array,
  f64: Float64Array,
  u32: Uint32Array,
  v: number,
  c: number,
  w: number,
  from: number,
  to: number,
): number {
  let sum = 0;
  for (let k = from; k < to; k++) sum += (f32[v + k] as number) * (f64[w + (u32[c + k] as number)] as number);
  return sum;
}

/** w is an index of f64; other arguments are byte offsets. Callers have called memory.refresh. */
export function sparseKernels(memory: MemoryViews): SparseKernels {
  const rowAt = (entry: number): Row => {
    const evens = memory.uint(entry, at.ROW_EVENS);
    const odds = memory.uint(entry, at.ROW_ODDS);
    const isNarrow = (odds & at.NARROW) !== 0;
    const values = memory.uint(entry, at.ROW_VALUES);
    return {
      isNarrow,
      v: isNarrow ? at4(values) : at8(values),
      c: at4(memory.uint(entry, at.ROW_COLUMNS)),
      evens,
      length: evens + (odds & ~at.NARROW),
    };
  };

  /** Value k of a row. */
  const numberAt = ({ isNarrow, v }: Row, k: number): number =>
    (isNarrow ? memory.f32[v + k] : memory.f64[v + k]) as number;

  /** x · w, order S. */
  const dotSparse = (x: number, w: number): number => {
    const { isNarrow, v, c, evens, length } = rowAt(x);
    const { f64, f32, u32 } = memory;
    if (isNarrow) return laneF32(f32, f64, u32, v, c, w, 0, evens) + laneF32(f32, f64, u32, v, c, w, evens, length);
    return laneF64(f64, u32, v, c, w, 0, evens) + laneF64(f64, u32, v, c, w, evens, length);
  };

  /** Visits a row panel by panel: the range of its entries in even columns, and that in odd columns. */
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
      const row = rowAt(x);
      const { f64, u32 } = memory;
      for (let k = 0; k < row.length; k++) {
        const to = w + (u32[row.c + k] as number);
        f64[to] = (f64[to] as number) + step * numberAt(row, k);
      }
    },

    normsSparse(table, n, out) {
      const { f64 } = memory;
      for (let i = 0; i < n; i++) {
        const row = rowAt(table + at.ROW_BYTES * i);
        const squares = (from: number, to: number): number => {
          let sum = 0;
          for (let k = from; k < to; k++) sum += numberAt(row, k) * numberAt(row, k);
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
      memory.refresh();
      for (let i = 0; i < count; i++) {
        const k = list ? (memory.u32[at4(list) + i] as number) : i;
        memory.f64[at8(out) + i] = dotSparse(x, at8(w) + d * k);
      }
    },

    countColumns(table, n, ends) {
      memory.refresh();
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
      memory.refresh();
      const { u32 } = memory;
      for (let k = at4(ends), sum = 0; k < at4(ends) + d; k++) {
        const count = u32[k] as number;
        u32[k] = sum;
        sum += count;
      }
    },

    fillColumns(table, first, n, ends, rows, values) {
      memory.refresh();
      const { f64, u32 } = memory;
      for (let i = first; i < first + n; i++) {
        const row = rowAt(table + at.ROW_BYTES * i);
        for (let k = 0; k < row.length; k++) {
          const own = at4(ends) + (u32[row.c + k] as number);
          const place = u32[own] as number;
          u32[own] = place + 1;
          u32[at4(rows) + place] = i;
          f64[at8(values) + place] = numberAt(row, k);
        }
      }
    },

    pairSparse(z, ends, rows, values, n, lanes, out) {
      memory.refresh();
      const { f64, u32 } = memory;
      const [sum, lane, end, row, value] = [at8(out), at8(lanes), at4(ends), at4(rows), at8(values)];
      f64.fill(0, sum, sum + n);
      const own = rowAt(z);
      /** Adds entries from … to − 1 of z to lane `side` of every row that has their columns. */
      const add = (from: number, to: number, side: number): void => {
        for (let k = from; k < to; k++) {
          const x = numberAt(own, k);
          const column = u32[own.c + k] as number;
          const last = u32[end + column] as number;
          for (let e = column === 0 ? 0 : (u32[end + column - 1] as number); e < last; e++) {
            const place = lane + 2 * (u32[row + e] as number) + side;
            f64[place] = (f64[place] as number) + x * (f64[value + e] as number);
          }
        }
      };
      /** Closes the lanes of the same rows. */
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
