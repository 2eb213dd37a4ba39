// Scores of many rows with one w: s_i = x_i·w + b (SPEC §2), order S.

import { dots } from './dot';
import { splitFor } from './halves';
import { ELEMENT_BYTES, GROUP_SCORES, ROW_BYTES, SPARSE } from './layout';

/** Rows scored together when memory is the bottleneck, and when the caches are. */
const DEEP: u32 = 12;
const WIDE: u32 = 8;

/** Data of at least this many bytes is assumed not to fit the caches: DEEP rows instead of WIDE. */
const BEYOND_CACHE: u64 = 32 << 20;

/** Bytes of `d` values, so from row to row; for sparse rows, from entry to entry of their table. */
@inline
export function strideOf(element: usize, d: usize): usize {
  return element == SPARSE ? <usize>ROW_BYTES : d * (element & ELEMENT_BYTES);
}

/** How many rows to score together, for n rows of `stride` bytes each. */
@inline
export function fullGroup(n: u32, stride: usize): u32 {
  return <u64>n * <u64>stride >= BEYOND_CACHE ? DEEP : WIDE;
}

/**
 * Lists the byte offsets of `count` rows from place `at` on, and repeats the last one until the list
 * has 1, 4, 8 or 12 entries (a repeated row costs less than a slower kernel for fewer rows).
 */
export function listGroup(x: usize, stride: usize, order: usize, at: u32, count: u32, group: usize): void {
  let row: usize = 0;
  for (let i: u32 = 0; i < count; i++) {
    const sample = order ? load<u32>(order + ((<usize>(at + i)) << 2)) : at + i;
    row = x + <usize>sample * stride;
    store<u32>(group + ((<usize>i) << 2), <u32>row);
  }
  if (count == 1) return;
  const full: u32 = count <= 4 ? 4 : count <= 8 ? 8 : 12;
  for (let i = count; i < full; i++) store<u32>(group + ((<usize>i) << 2), <u32>row);
}

/** out[i] = row (order[i], or i if order is 0) · w + b, for i < n; group is scratch of GROUP_BYTES. Room behind w: halves.ts. */
export function scores(
  element: usize,
  x: usize,
  n: u32,
  d: usize,
  order: usize,
  w: usize,
  b: f64,
  out: usize,
  group: usize,
): void {
  element = splitFor(element, w, d, n);
  const stride = strideOf(element, d);
  const most = fullGroup(n, stride);
  for (let at: u32 = 0; at < n; ) {
    const count = min(most, n - at);
    listGroup(x, stride, order, at, count, group);
    dots(element, count, group, w, d, group + GROUP_SCORES);
    for (let i: u32 = 0; i < count; i++) {
      store<f64>(out, load<f64>(group + ((<usize>i) << 3), GROUP_SCORES) + b);
      out += 8;
    }
    at += count;
  }
}
