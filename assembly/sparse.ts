// Sparse rows (docs/adr/0009): sums are bit-identical to those of dense rows. A zero adds nothing to a lane, so the loops
// visit the stored columns only, each in its lane of a dense row: even columns first, then odd columns.
//
//   order S   even + odd, each from +0 in ascending columns
//   order P   the same in every panel of PANEL columns, panels added up in ascending order
//
// Both lanes of a row are summed together: one lane alone would wait for each addition. Measured in million values a second
// on one core (Ice Lake, Node 20, rows of 100 values), w in the L1 cache / of 800 KB:
//   lanes one value at a time 1008 / 634      four values 1214 / 737      two rows at once, two values each 1091 / 720
// Summing two rows at once does not help: the processor overlaps consecutive rows by itself.
//
// Preconditions: a row is the address of its entry (layout.ts); w is f64[d].

import { one } from './lanes';
import { NARROW, PANEL, ROW_BYTES, ROW_COLUMNS, ROW_EVENS, ROW_ODDS, ROW_VALUES } from './layout';

/** The weight of a column. */
@inline
function weightOf(column: u32, w: usize): f64 {
  return load<f64>(w + ((<usize>column) << 3));
}

/** Whether the values of a row are float32. */
@inline
function isNarrow(x: usize): bool {
  return load<i32>(x, ROW_ODDS) < 0;
}

@inline
function oddsOf(x: usize): usize {
  return load<u32>(x, ROW_ODDS) & ~NARROW;
}

/** Value k of a row, as f64. */
@inline
function valueAt(values: usize, k: usize, narrow: bool): f64 {
  return narrow ? <f64>load<f32>(values + (k << 2)) : load<f64>(values + (k << 3));
}

/** Continues the sum of a lane until `end`. */
@inline
function lane<T>(sum: f64, values: usize, columns: usize, end: usize, w: usize): f64 {
  while (columns < end) {
    sum += one<T>(values) * weightOf(load<u32>(columns), w);
    values += sizeof<T>();
    columns += 4;
  }
  return sum;
}

/** x · w, order S. */
@inline
function dotOf<T>(x: usize, w: usize): f64 {
  const evens: usize = load<u32>(x, ROW_EVENS);
  const odds = oddsOf(x);
  let v: usize = load<u32>(x, ROW_VALUES);
  let c: usize = load<u32>(x, ROW_COLUMNS);
  let vo = v + evens * sizeof<T>();
  let co = c + (evens << 2);
  const endOfEvens = co;
  const endOfOdds = co + (odds << 2);
  const end = c + ((min(evens, odds) & ~3) << 2);
  let even: f64 = 0;
  let odd: f64 = 0;
  while (c < end) {
    even += <f64>load<T>(v) * weightOf(load<u32>(c), w);
    odd += <f64>load<T>(vo) * weightOf(load<u32>(co), w);
    even += <f64>load<T>(v, sizeof<T>()) * weightOf(load<u32>(c, 4), w);
    odd += <f64>load<T>(vo, sizeof<T>()) * weightOf(load<u32>(co, 4), w);
    even += <f64>load<T>(v, 2 * sizeof<T>()) * weightOf(load<u32>(c, 8), w);
    odd += <f64>load<T>(vo, 2 * sizeof<T>()) * weightOf(load<u32>(co, 8), w);
    even += <f64>load<T>(v, 3 * sizeof<T>()) * weightOf(load<u32>(c, 12), w);
    odd += <f64>load<T>(vo, 3 * sizeof<T>()) * weightOf(load<u32>(co, 12), w);
    v += 4 * sizeof<T>();
    c += 16;
    vo += 4 * sizeof<T>();
    co += 16;
  }
  return lane<T>(even, v, c, endOfEvens, w) + lane<T>(odd, vo, co, endOfOdds, w);
}

export function sparseDot(x: usize, w: usize): f64 {
  return isNarrow(x) ? dotOf<f32>(x, w) : dotOf<f64>(x, w);
}

/** out[r] = row r · w for the `count` rows at the offsets u32[count]. */
export function sparseDots(count: u32, rows: usize, w: usize, out: usize): void {
  for (let i: usize = 0; i < <usize>count; i++) {
    store<f64>(out + (i << 3), sparseDot(load<u32>(rows + (i << 2)), w));
  }
}

@inline
function axpyOf<T>(w: usize, x: usize, step: f64): void {
  let v: usize = load<u32>(x, ROW_VALUES);
  let c: usize = load<u32>(x, ROW_COLUMNS);
  const length = <usize>load<u32>(x, ROW_EVENS) + oddsOf(x);
  const pairs = c + ((length & ~1) << 2);
  while (c < pairs) {
    const at = w + ((<usize>load<u32>(c)) << 3);
    const next = w + ((<usize>load<u32>(c, 4)) << 3);
    store<f64>(at, load<f64>(at) + step * one<T>(v));
    store<f64>(next, load<f64>(next) + step * <f64>load<T>(v, sizeof<T>()));
    v += 2 * sizeof<T>();
    c += 8;
  }
  if (length & 1) {
    const at = w + ((<usize>load<u32>(c)) << 3);
    store<f64>(at, load<f64>(at) + step * one<T>(v));
  }
}

/** w (d) ← w + step · x. */
export function sparseAxpy(w: usize, x: usize, step: f64): void {
  if (isNarrow(x)) axpyOf<f32>(w, x, step);
  else axpyOf<f64>(w, x, step);
}

/** out[k] = x · w_k for the `count` planes listed, u32[count]; plane k is f64[d] at w + 8·d·k. */
export function planeDots(x: usize, w: usize, count: u32, d: usize, list: usize, out: usize): void {
  for (let i: usize = 0; i < <usize>count; i++) {
    const k = list ? <usize>load<u32>(list + (i << 2)) : i;
    store<f64>(out + (i << 3), sparseDot(x, w + ((k * d) << 3)));
  }
}

/** The address of the first column ≥ `limit`, from `c` on. */
@inline
function skipTo(c: usize, end: usize, limit: u32): usize {
  while (c < end && load<u32>(c) < limit) c += 4;
  return c;
}

/** The end of the panel of the next stored column. */
@inline
function panelEnd(c: usize, endOfEvens: usize, co: usize, endOfOdds: usize): u32 {
  const even = c < endOfEvens ? load<u32>(c) : u32.MAX_VALUE;
  const odd = co < endOfOdds ? load<u32>(co) : u32.MAX_VALUE;
  return (min(even, odd) / PANEL + 1) * PANEL;
}

/** The sum of the squares of values from … to − 1. */
@inline
function squares(v: usize, from: usize, to: usize, narrow: bool): f64 {
  let sum: f64 = 0;
  for (; from < to; from++) {
    const p = valueAt(v, from, narrow);
    sum += p * p;
  }
  return sum;
}

/** out[i] = x_i · x_i, order P, for the n rows of a table. */
export function sparseNorms(table: usize, n: u32, out: usize): void {
  for (let i: u32 = 0; i < n; i++) {
    const narrow = isNarrow(table);
    const v: usize = load<u32>(table, ROW_VALUES);
    const start: usize = load<u32>(table, ROW_COLUMNS);
    const endOfEvens = start + ((<usize>load<u32>(table, ROW_EVENS)) << 2);
    const endOfOdds = endOfEvens + (oddsOf(table) << 2);
    let c = start;
    let co = endOfEvens;
    let sum: f64 = 0;
    while (c < endOfEvens || co < endOfOdds) {
      const limit = panelEnd(c, endOfEvens, co, endOfOdds);
      const toEven = skipTo(c, endOfEvens, limit);
      const toOdd = skipTo(co, endOfOdds, limit);
      sum +=
        squares(v, (c - start) >> 2, (toEven - start) >> 2, narrow) +
        squares(v, (co - start) >> 2, (toOdd - start) >> 2, narrow);
      c = toEven;
      co = toOdd;
    }
    store<f64>(out, sum);
    out += 8;
    table += ROW_BYTES;
  }
}

/** ends[k] ← ends[k] + how many of the n rows of a table have column k. The first of three steps that store rows by columns. */
export function countColumns(table: usize, n: u32, ends: usize): void {
  for (let i: u32 = 0; i < n; i++) {
    let c: usize = load<u32>(table, ROW_COLUMNS);
    const end = c + ((<usize>load<u32>(table, ROW_EVENS) + oddsOf(table)) << 2);
    for (; c < end; c += 4) {
      const at = ends + ((<usize>load<u32>(c)) << 2);
      store<u32>(at, load<u32>(at) + 1);
    }
    table += ROW_BYTES;
  }
}

/** Replaces the count of each of d columns by the index of its first entry. The second step. */
export function placeColumns(ends: usize, d: usize): void {
  let sum: u32 = 0;
  for (let k: usize = 0; k < d; k++) {
    const count = load<u32>(ends + (k << 2));
    store<u32>(ends + (k << 2), sum);
    sum += count;
  }
}

/**
 * Adds n rows of a table, from row `first` on, to their columns, and moves ends[k] behind each new entry: after all rows,
 * column k has entries ends[k − 1] … ends[k] − 1, rows u32 ascending, values f64. The last step.
 */
export function fillColumns(table: usize, first: u32, n: u32, ends: usize, rows: usize, values: usize): void {
  let entry = table + <usize>first * ROW_BYTES;
  for (let i = first; i < first + n; i++) {
    const narrow = isNarrow(entry);
    const v: usize = load<u32>(entry, ROW_VALUES);
    const length = <usize>load<u32>(entry, ROW_EVENS) + oddsOf(entry);
    const c: usize = load<u32>(entry, ROW_COLUMNS);
    for (let k: usize = 0; k < length; k++) {
      const at = ends + ((<usize>load<u32>(c + (k << 2))) << 2);
      const place: usize = load<u32>(at);
      store<u32>(at, <u32>place + 1);
      store<u32>(rows + (place << 2), i);
      store<f64>(values + (place << 3), valueAt(v, k, narrow));
    }
    entry += ROW_BYTES;
  }
}

/** Adds x·v to the f64 at out + (row << shift) for each entry (row, v) of column k. */
@inline
function addColumn(ends: usize, rows: usize, values: usize, k: u32, x: f64, out: usize, shift: usize): void {
  const at = ends + ((<usize>k) << 2);
  let from: usize = k == 0 ? 0 : load<u32>(at - 4);
  const to: usize = load<u32>(at);
  for (; from < to; from++) {
    const place = out + ((<usize>load<u32>(rows + (from << 2))) << shift);
    store<f64>(place, load<f64>(place) + x * load<f64>(values + (from << 3)));
  }
}

/** Closes the lanes of all rows that have column k into their sums. */
@inline
function closeColumn(ends: usize, rows: usize, k: u32, lanes: usize, out: usize): void {
  const at = ends + ((<usize>k) << 2);
  let from: usize = k == 0 ? 0 : load<u32>(at - 4);
  const to: usize = load<u32>(at);
  for (; from < to; from++) {
    const row: usize = load<u32>(rows + (from << 2));
    const own = lanes + (row << 4);
    const place = out + (row << 3);
    store<f64>(place, load<f64>(place) + (load<f64>(own) + load<f64>(own, 8)));
    store<f64>(own, 0);
    store<f64>(own, 0, 8);
  }
}

/**
 * out[j] = z · x_j, order P, for n rows by columns (fillColumns); z is a sparse row, `lanes` is f64[2n], all zeros before and
 * after. Visits only rows that share a column with z (Gustavson 1978).
 */
export function pairSparse(z: usize, ends: usize, rows: usize, values: usize, n: u32, lanes: usize, out: usize): void {
  memory.fill(out, 0, (<usize>n) << 3);
  const narrow = isNarrow(z);
  const v: usize = load<u32>(z, ROW_VALUES);
  const start: usize = load<u32>(z, ROW_COLUMNS);
  const endOfEvens = start + ((<usize>load<u32>(z, ROW_EVENS)) << 2);
  const endOfOdds = endOfEvens + (oddsOf(z) << 2);
  let c = start;
  let co = endOfEvens;
  while (c < endOfEvens || co < endOfOdds) {
    const limit = panelEnd(c, endOfEvens, co, endOfOdds);
    const toEven = skipTo(c, endOfEvens, limit);
    const toOdd = skipTo(co, endOfOdds, limit);
    if (toEven - c + (toOdd - co) == 4) {
      // The only column of a panel is its sum: no lanes are needed.
      const only = toEven == c ? co : c;
      addColumn(ends, rows, values, load<u32>(only), valueAt(v, (only - start) >> 2, narrow), out, 3);
    } else {
      for (let k = c; k < toEven; k += 4) {
        addColumn(ends, rows, values, load<u32>(k), valueAt(v, (k - start) >> 2, narrow), lanes, 4);
      }
      for (let k = co; k < toOdd; k += 4) {
        addColumn(ends, rows, values, load<u32>(k), valueAt(v, (k - start) >> 2, narrow), lanes + 8, 4);
      }
      for (let k = c; k < toEven; k += 4) closeColumn(ends, rows, load<u32>(k), lanes, out);
      for (let k = co; k < toOdd; k += 4) closeColumn(ends, rows, load<u32>(k), lanes, out);
    }
    c = toEven;
    co = toOdd;
  }
}
