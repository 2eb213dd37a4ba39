// Supports taken apart and put together.

import type { Supports } from './state.js';

/** Supports from … to − 1. */
export function part(s: Supports, from: number, to: number, cols: number): Supports {
  return {
    data: s.data.slice(from * cols, to * cols),
    indices: s.indices.slice(from, to),
    signs: s.signs.slice(from, to),
    alphas: s.alphas.slice(from, to),
    counts: s.counts.slice(from, to),
    sums: s.sums?.slice(from, to),
    pocket: s.pocket?.slice(from, to),
  };
}

/** Supports of earlier blocks, then those of this one. */
export function joined(a: Supports, b: Supports): Supports {
  return {
    data: joinedRows(a.data, b.data),
    indices: concat(Uint32Array, a.indices, b.indices),
    signs: concat(Int8Array, a.signs, b.signs),
    alphas: concat(Float64Array, a.alphas, b.alphas),
    counts: concat(Uint32Array, a.counts, b.counts),
    sums: a.sums && b.sums && concat(Float64Array, a.sums, b.sums),
    pocket: a.pocket && b.pocket && concat(Float64Array, a.pocket, b.pocket),
  };
}

/** Rows one after the other, as float64 unless both are float32. */
export function joinedRows(a: Supports['data'], b: Supports['data']): Supports['data'] {
  const isSmall = a.BYTES_PER_ELEMENT === 4 && b.BYTES_PER_ELEMENT === 4;
  return isSmall ? concat(Float32Array, a, b) : concat(Float64Array, a, b);
}

export function concat<T extends { set(values: ArrayLike<number>, at?: number): void }>(
  List: new (length: number) => T,
  a: ArrayLike<number>,
  b: ArrayLike<number>,
): T {
  const both = new List(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
