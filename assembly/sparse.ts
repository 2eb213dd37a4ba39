// Sparse rows (docs/adr/0009): the same sums as dense ones, to the bit. A zero adds nothing to a lane, so only the stored
// columns are gone through, each in the lane that a dense row would have it in: even columns first, then odd ones.
//
//   order S   even + odd, each from +0 in ascending columns
//   order P   the same in every panel of PANEL columns, panels added up in ascending order
//
// Both lanes of a row are summed side by side: one after the other they would wait for each addition. Measured in million
// values a second on one core (Ice Lake, Node 20, rows of 100 values), w in a cache of the first level / of 800 KB:
//   lanes one value at a time 1008 / 634      four values 1214 / 737      two rows at once, two values each 1091 / 720
// so that the next row need not be begun before this one is done: the processor does that by itself.
//
// Preconditions: a row is the address of its entry (layout.ts); w is f64[d].

import { isRight } from './pass';
import { PANEL, ROW_BYTES, ROW_COLUMNS, ROW_EVENS, ROW_ODDS, ROW_VALUES } from './layout';

/** w of a column. */
@inline
function weightOf(column: u32, w: usize): f64 {
  return load<f64>(w + ((<usize>column) << 3));
}

/** Goes on with the sum of a lane until `end`. */
@inline
function lane(sum: f64, values: usize, columns: usize, end: usize, w: usize): f64 {
  while (columns < end) {
    sum += load<f64>(values) * weightOf(load<u32>(columns), w);
    values += 8;
    columns += 4;
  }
  return sum;
}

/** x · w, order S. */
@inline
function dotOf(x: usize, w: usize): f64 {
  const evens: usize = load<u32>(x, ROW_EVENS);
  const odds: usize = load<u32>(x, ROW_ODDS);
  let v: usize = load<u32>(x, ROW_VALUES);
  let c: usize = load<u32>(x, ROW_COLUMNS);
  let vo = v + (evens << 3);
  let co = c + (evens << 2);
  const endOfEvens = co;
  const endOfOdds = co + (odds << 2);
  const end = c + ((min(evens, odds) & ~3) << 2);
  let even: f64 = 0;
  let odd: f64 = 0;
  while (c < end) {
    even += load<f64>(v) * weightOf(load<u32>(c), w);
    odd += load<f64>(vo) * weightOf(load<u32>(co), w);
    even += load<f64>(v, 8) * weightOf(load<u32>(c, 4), w);
    odd += load<f64>(vo, 8) * weightOf(load<u32>(co, 4), w);
    even += load<f64>(v, 16) * weightOf(load<u32>(c, 8), w);
    odd += load<f64>(vo, 16) * weightOf(load<u32>(co, 8), w);
    even += load<f64>(v, 24) * weightOf(load<u32>(c, 12), w);
    odd += load<f64>(vo, 24) * weightOf(load<u32>(co, 12), w);
    v += 32;
    c += 16;
    vo += 32;
    co += 16;
  }
  return lane(even, v, c, endOfEvens, w) + lane(odd, vo, co, endOfOdds, w);
}

export function sparseDot(x: usize, w: usize): f64 {
  return dotOf(x, w);
}

/**
 * The first place from `from` to `to` − 1 whose sample is not right (pass.ts), or `to`; its margin is left at `out`. One loop for
 * all rows until then: the next row's loads are under way before this row's sum is known.
 */
export function sparseSeek(
  table: usize,
  order: usize,
  y: usize,
  w: usize,
  b: f64,
  mu: f64,
  from: u32,
  to: u32,
  out: usize,
): u32 {
  for (; from < to; from++) {
    const sample: usize = order ? load<u32>(order + ((<usize>from) << 2)) : from;
    const s = dotOf(table + sample * ROW_BYTES, w) + b;
    const m = load<i8>(y + sample) < 0 ? -s : s;
    if (isRight(m, mu)) continue;
    store<f64>(out, m);
    break;
  }
  return from;
}

/** out[r] = row r · w for the `count` rows at the offsets u32[count]. */
export function sparseDots(count: u32, rows: usize, w: usize, out: usize): void {
  for (let i: usize = 0; i < <usize>count; i++) {
    store<f64>(out + (i << 3), sparseDot(load<u32>(rows + (i << 2)), w));
  }
}

/** w (d) ← w + step · x. */
export function sparseAxpy(w: usize, x: usize, step: f64): void {
  const length: usize = load<u32>(x, ROW_EVENS) + load<u32>(x, ROW_ODDS);
  let v: usize = load<u32>(x, ROW_VALUES);
  let c: usize = load<u32>(x, ROW_COLUMNS);
  const end = c + (length << 2);
  while (c < end) {
    const at = w + ((<usize>load<u32>(c)) << 3);
    store<f64>(at, load<f64>(at) + step * load<f64>(v));
    v += 8;
    c += 4;
  }
}

/** out[k] = x · w_k for the `count` planes listed, u32[count]; plane k is f64[d] at w + 8·d·k. */
export function planeDots(x: usize, w: usize, count: u32, d: usize, list: usize, out: usize): void {
  for (let i: usize = 0; i < <usize>count; i++) {
    const k = list ? <usize>load<u32>(list + (i << 2)) : i;
    store<f64>(out + (i << 3), sparseDot(x, w + ((k * d) << 3)));
  }
}

/** The place of the first column not below `limit`, from `c` on. */
@inline
function skipTo(c: usize, end: usize, limit: u32): usize {
  while (c < end && load<u32>(c) < limit) c += 4;
  return c;
}

/** The end of the panel that the next stored column is in. */
@inline
function panelEnd(c: usize, endOfEvens: usize, co: usize, endOfOdds: usize): u32 {
  const even = c < endOfEvens ? load<u32>(c) : u32.MAX_VALUE;
  const odd = co < endOfOdds ? load<u32>(co) : u32.MAX_VALUE;
  return (min(even, odd) / PANEL + 1) * PANEL;
}

/** The sum of squares from c to end. */
@inline
function squares(v: usize, c: usize, end: usize): f64 {
  let sum: f64 = 0;
  for (; c < end; c += 4) {
    const p = load<f64>(v);
    sum += p * p;
    v += 8;
  }
  return sum;
}

/** out[i] = x_i · x_i, order P, for the n rows of a table. */
export function sparseNorms(table: usize, n: u32, out: usize): void {
  for (let i: u32 = 0; i < n; i++) {
    const v: usize = load<u32>(table, ROW_VALUES);
    const start: usize = load<u32>(table, ROW_COLUMNS);
    const endOfEvens = start + ((<usize>load<u32>(table, ROW_EVENS)) << 2);
    const endOfOdds = endOfEvens + ((<usize>load<u32>(table, ROW_ODDS)) << 2);
    let c = start;
    let co = endOfEvens;
    let sum: f64 = 0;
    while (c < endOfEvens || co < endOfOdds) {
      const limit = panelEnd(c, endOfEvens, co, endOfOdds);
      const toEven = skipTo(c, endOfEvens, limit);
      const toOdd = skipTo(co, endOfOdds, limit);
      sum += squares(v + ((c - start) << 1), c, toEven) + squares(v + ((co - start) << 1), co, toOdd);
      c = toEven;
      co = toOdd;
    }
    store<f64>(out, sum);
    out += 8;
    table += ROW_BYTES;
  }
}

/** ends[k] ← ends[k] + how many of the n rows of a table have column k. The first of three steps to rows by columns. */
export function countColumns(table: usize, n: u32, ends: usize): void {
  for (let i: u32 = 0; i < n; i++) {
    let c: usize = load<u32>(table, ROW_COLUMNS);
    const end = c + ((<usize>(load<u32>(table, ROW_EVENS) + load<u32>(table, ROW_ODDS))) << 2);
    for (; c < end; c += 4) {
      const at = ends + ((<usize>load<u32>(c)) << 2);
      store<u32>(at, load<u32>(at) + 1);
    }
    table += ROW_BYTES;
  }
}

/** From how many entries each of d columns has to where they begin. The second step. */
export function placeColumns(ends: usize, d: usize): void {
  let sum: u32 = 0;
  for (let k: usize = 0; k < d; k++) {
    const count = load<u32>(ends + (k << 2));
    store<u32>(ends + (k << 2), sum);
    sum += count;
  }
}

/**
 * Puts n rows of a table, from row `first` on, into their columns, whose beginnings move on to their ends: when all rows are in,
 * column k has entries ends[k − 1] … ends[k] − 1, rows u32 ascending, values f64. The last step.
 */
export function fillColumns(table: usize, first: u32, n: u32, ends: usize, rows: usize, values: usize): void {
  let entry = table + <usize>first * ROW_BYTES;
  for (let i = first; i < first + n; i++) {
    let v: usize = load<u32>(entry, ROW_VALUES);
    let c: usize = load<u32>(entry, ROW_COLUMNS);
    const end = c + ((<usize>(load<u32>(entry, ROW_EVENS) + load<u32>(entry, ROW_ODDS))) << 2);
    for (; c < end; c += 4) {
      const at = ends + ((<usize>load<u32>(c)) << 2);
      const place: usize = load<u32>(at);
      store<u32>(at, <u32>place + 1);
      store<u32>(rows + (place << 2), i);
      store<f64>(values + (place << 3), load<f64>(v));
      v += 8;
    }
    entry += ROW_BYTES;
  }
}

/** Adds x·v to out[row · stride] for the entries of a column. */
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
 * out[j] = z · x_j, order P, for n rows by columns (fillColumns); z is a sparse row, `lanes` f64[2n], zeros before and after.
 * Only rows that share a column with z are touched (Gustavson 1978).
 */
export function pairSparse(z: usize, ends: usize, rows: usize, values: usize, n: u32, lanes: usize, out: usize): void {
  memory.fill(out, 0, (<usize>n) << 3);
  const v: usize = load<u32>(z, ROW_VALUES);
  const start: usize = load<u32>(z, ROW_COLUMNS);
  const endOfEvens = start + ((<usize>load<u32>(z, ROW_EVENS)) << 2);
  const endOfOdds = endOfEvens + ((<usize>load<u32>(z, ROW_ODDS)) << 2);
  let c = start;
  let co = endOfEvens;
  while (c < endOfEvens || co < endOfOdds) {
    const limit = panelEnd(c, endOfEvens, co, endOfOdds);
    const toEven = skipTo(c, endOfEvens, limit);
    const toOdd = skipTo(co, endOfOdds, limit);
    if (toEven - c + (toOdd - co) == 4) {
      // A single column in its panel is the panel's sum.
      const only = toEven == c ? co : c;
      addColumn(ends, rows, values, load<u32>(only), load<f64>(v + ((only - start) << 1)), out, 3);
    } else {
      for (let k = c; k < toEven; k += 4) {
        addColumn(ends, rows, values, load<u32>(k), load<f64>(v + ((k - start) << 1)), lanes, 4);
      }
      for (let k = co; k < toOdd; k += 4) {
        addColumn(ends, rows, values, load<u32>(k), load<f64>(v + ((k - start) << 1)), lanes + 8, 4);
      }
      for (let k = c; k < toEven; k += 4) closeColumn(ends, rows, load<u32>(k), lanes, out);
      for (let k = co; k < toOdd; k += 4) closeColumn(ends, rows, load<u32>(k), lanes, out);
    }
    c = toEven;
    co = toOdd;
  }
}
