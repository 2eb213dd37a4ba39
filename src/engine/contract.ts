// The contract between the kernels and everything above them. This is where mathematics (x, w, n, d)
// ends and English begins; below it nobody knows what a trainer is, above it nobody knows which engine runs.

import type { Arena } from '../memory/arena.js';

export type EngineKind = 'wasm-simd' | 'wasm-scalar' | 'js';

/** Bytes of one value of X. */
export type ElementBytes = 4 | 8;

/**
 * What every engine can do. Arguments are byte offsets into the arena, counts, and numbers; nothing is
 * checked here. All engines add in the orders of docs/adr/0003 and so return the same bits.
 */
export interface Kernels {
  /** x (d) · w (d), order S. */
  dot(element: ElementBytes, x: number, w: number, d: number): number;
  /** w (d) ← w + step · x (d). */
  axpy(element: ElementBytes, w: number, x: number, step: number, d: number): void;
  /** out[i] = row (order[i], or i where order is 0) · w + b; `group` is scratch of GROUP_BYTES. */
  scores(
    element: ElementBytes,
    x: number,
    n: number,
    d: number,
    order: number,
    w: number,
    b: number,
    out: number,
    group: number,
  ): void;
  /** out[i] = ‖x_i‖², order P. */
  squaredNorms(element: ElementBytes, x: number, n: number, d: number, out: number): void;
  /** Goes on training over a record (assembly/layout.ts) within three budgets; answers why it came back. */
  run(record: number, rows: number, mistakes: number, passes: number): number;
  /** Lists the mistakes of the weights at hand, from CURSOR on, at most `rows` samples. */
  scan(record: number, rows: number): number;
  /** Makes the updates for listed mistakes. */
  apply(record: number, from: number, count: number): void;
}

/** Code that runs over a memory. Opaque to users; made by createEngine or chosen by the `engine` option. */
export interface Engine {
  readonly kind: EngineKind;
  /** Why a faster engine is not in use, if one is not. */
  readonly reason?: string;
}

/** An engine as the library sees it. */
export interface BoundEngine extends Engine {
  readonly arena: Arena;
  /** The kernels over the arena's memory of this moment: fetch them anew after the arena was empty. */
  kernels(): Kernels;
}
