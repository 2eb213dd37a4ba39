// Threads as sliced work sees them: for one call of fitAsync or gramAsync, over the memory of its engine.

import type { Sliced } from '../async/sliced.js';

/** A call of a kernel, by the name the module exports it under. */
export type Call = readonly [kernel: string, ...numbers: number[]];

export interface Threads {
  /** How many may work at a time. */
  readonly limit: number;
  /** Whether work of this many values (a product and a sum each) should go to them: small work is sooner done here. */
  wants(values: number): boolean;
  /** Starts them, if that was not done before; answers whether there are any. */
  ready(): Sliced<boolean>;
  /**
   * Has the calls of all items made, in any order, on any thread. `slot`, below `limit`, says which: no two items that are
   * worked on at the same time have the same, so that each may have scratch of its own.
   */
  each(items: number, callsOf: (item: number, slot: number) => readonly Call[]): Sliced<void>;
}
