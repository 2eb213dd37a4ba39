// The contract between the kernels and the rest of the library. Below it the names are mathematical (x, w, n, d)
// and nothing knows a trainer; above it the names are English and nothing knows which engine runs.

import type { Arena } from '../memory/arena.js';

/** The built-in engines: WebAssembly with SIMD, WebAssembly without, plain JavaScript. Results are bit-identical. */
export type EngineKind = 'wasm-simd' | 'wasm-scalar' | 'js';

/** How values of rows are stored (assembly/layout.ts). 0: rows are sparse, and the address of a row is that of its table entry. */
export type Element = 0 | 1 | 2 | 4 | 8 | 17;

/** Training over a record (assembly/layout.ts) in primal or dual form. Budgets and counts are below 2³². */
export interface Steps {
  /** Continues training until one of three budgets is used up; returns why it stopped (PAUSED, MISTAKE, …). */
  run(record: number, rows: number, mistakes: number, epochs: number): number;
  /** Lists the mistakes of the current scores, from CURSOR on, for at most `rows` samples. */
  scan(record: number, rows: number): number;
  /** Makes the updates for listed mistakes; returns how many. It stops early if an update needs row INDEX of the Gram matrix. */
  apply(record: number, from: number, count: number): number;
}

/**
 * The kernels of an engine. Arguments are byte offsets into the arena, counts, and numbers; kernels check
 * nothing. All engines add in the orders of docs/adr/0003, so their results are bit-identical.
 */
export interface Kernels {
  readonly primal: Steps;
  readonly dual: Steps;
  /** Trains several primal records in step (assembly/many.ts); `header` lists them. */
  runMany(header: number, rows: number, mistakes: number): number;
  /** x (d) · w (d), order S. */
  dot(element: Element, x: number, w: number, d: number): number;
  /** w (d) ← w + step · x (d). */
  axpy(element: Element, w: number, x: number, step: number, d: number): void;
  /** out[i] = row (order[i], or i if order is 0) · w + b; `group` is scratch of GROUP_BYTES, `w` has `planeBytes` (arenarows.ts). */
  scores(
    element: Element,
    x: number,
    n: number,
    d: number,
    order: number,
    w: number,
    b: number,
    out: number,
    group: number,
  ): void;
  /**
   * scores (n) ← scores + step · row (n), unless row is 0; then counts margins y·(s + b) above `high`, and those not above
   * `low`, into u32[2] at `out`. `signs` is f64[n], +0 where y is +1, −0 where it is −1.
   */
  tally(
    scores: number,
    signs: number,
    n: number,
    row: number,
    step: number,
    b: number,
    low: number,
    high: number,
    out: number,
  ): void;
  /** The k-th row, from 0, whose margin is not above `high`. Precondition: there is one. */
  nthWrong(scores: number, signs: number, b: number, high: number, k: number): number;
  /** out[i] = x · w_k for the `count` planes k in `list`, u32[count] (0: all); x is a sparse row, plane k is f64[d] at w + 8·d·k. */
  planeDots(x: number, w: number, count: number, d: number, list: number, out: number): void;
  /** Stores sparse rows by columns, in three steps. First: ends[k] ← ends[k] + how many of n rows have column k. */
  countColumns(table: number, n: number, ends: number): void;
  /** Second, after all rows are counted: ends[k] becomes the index of the first entry of column k. */
  placeColumns(ends: number, d: number): void;
  /**
   * Third: adds n rows from `first` on. After all rows, column k has entries ends[k − 1] … ends[k] − 1 of `rows`, u32, and
   * `values`, f64.
   */
  fillColumns(table: number, first: number, n: number, ends: number, rows: number, values: number): void;
  /** out[j] = z · x_j, order P, for n rows by columns; z is a sparse row, `lanes` is f64[2n], all zeros before and after. */
  pairSparse(z: number, ends: number, rows: number, values: number, n: number, lanes: number, out: number): void;
  /** out[i] = ‖x_i‖², order P. */
  squaredNorms(element: Element, x: number, n: number, d: number, out: number): void;
  /**
   * The part of elements k … k + PANEL − 1 in the products of rows A (ni, d) and B (nj, d), order P, `ld` numbers from
   * row to row of `out`: stored if k is 0, else added. A triangle is A with itself, only pairs with column ≤ row.
   * B has at most GRAM_BLOCK rows. `scratch` is 64 bytes and room for the panel of the rows of B and of up to GRAM_BLOCK rows
   * of A as float64, in whole pairs and fours: `panelBytes` of src/data/products.ts.
   */
  pairPanel(
    elementA: Element,
    a: number,
    ni: number,
    elementB: Element,
    b: number,
    nj: number,
    d: number,
    k: number,
    isTriangle: boolean,
    out: number,
    ld: number,
    scratch: number,
  ): void;
  /** Copies a block of G (n, n) below the diagonal to its mirror image above the diagonal. */
  mirror(g: number, n: number, i: number, ni: number, j: number, nj: number): void;
  /** out[i] = x_i · z, order P, for n rows; z is f64[d], `group` scratch of GROUP_BYTES. */
  pairRow(element: Element, x: number, n: number, d: number, z: number, out: number, group: number): void;
  /** Replaces dot products with one row, f64[count], by the kernel function `kind` (SPEC §8); only RBF reads norm and norms. */
  transform(
    kind: number,
    gamma: number,
    coef0: number,
    degree: number,
    values: number,
    count: number,
    norm: number,
    norms: number,
  ): void;
}

/** A call of a kernel as data: its name, and its arguments as numbers. */
export type KernelCall = readonly [
  kernel: Exclude<keyof Kernels, 'primal' | 'dual' | 'dot' | 'axpy'>,
  ...numbers: number[],
];

/** Code that runs over a memory: made by createEngine or chosen by the `engine` option. Opaque to you. */
export interface Engine {
  readonly kind: EngineKind;
  /** Why a faster engine is not in use; undefined: this is the fastest. */
  readonly reason?: string | undefined;
}

/** An engine with its arena and kernels. */
export interface BoundEngine extends Engine {
  readonly arena: Arena;
  /** The kernels over the arena's current memory: get them again after the arena was empty. */
  kernels(): Kernels;
  /** The module from which worker threads make kernels over shared memory; undefined if there is none. */
  readonly module: (() => WebAssembly.Module) | undefined;
}
