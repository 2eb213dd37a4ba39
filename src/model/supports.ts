// Splits and joins lists of support vectors.

import { concat, joinKept, partOfKept } from '../data/kept.js';
import type { Supports } from './state.js';

/** Support vectors from … to − 1. */
export function part(s: Supports, from: number, to: number): Supports {
  return {
    data: partOfKept(s.data, from, to),
    indices: s.indices.slice(from, to),
    signs: s.signs.slice(from, to),
    alphas: s.alphas.slice(from, to),
    counts: s.counts.slice(from, to),
    sums: s.sums?.slice(from, to),
    pocket: s.pocket?.slice(from, to),
  };
}

/** The support vectors of a, then those of b. */
export function joined(a: Supports, b: Supports): Supports {
  return {
    data: joinKept(a.data, b.data),
    indices: concat(Uint32Array, a.indices, b.indices),
    signs: concat(Int8Array, a.signs, b.signs),
    alphas: concat(Float64Array, a.alphas, b.alphas),
    counts: concat(Uint32Array, a.counts, b.counts),
    sums: a.sums && b.sums && concat(Float64Array, a.sums, b.sums),
    pocket: a.pocket && b.pocket && concat(Float64Array, a.pocket, b.pocket),
  };
}
