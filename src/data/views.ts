// Views that matrices have handed out: growth of the memory may detach them, and then they no longer know where they were.

import type { Block } from '../memory/arena.js';

export type Floats = Float64Array | Float32Array;

/** Where each view that a DenseMatrix has handed out lies. */
export const placeOfView = new WeakMap<object, { block: Block; again(): Floats }>();

/** A list of numbers as it can be read now: a view of ours is made again if growth has detached it. */
export function readable<T extends object>(list: T, name: string): T {
  const place = placeOfView.get(list);
  if (!place) return list;
  if (place.block.holders === 0) throw new Error(`${name} is a view into a DenseMatrix that was disposed`);
  return (list as unknown as Floats).byteLength === 0 ? (place.again() as unknown as T) : list;
}
