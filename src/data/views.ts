// Views of matrices that callers hold: growth of the memory may detach a view, and a detached view does not know its place.

import type { Block } from '../memory/arena.js';

export type Floats = Float64Array | Float32Array;

/** The place of each view of a DenseMatrix that a caller may hold. */
export const placeOfView = new WeakMap<object, { block: Block; again(): Floats }>();

/** A list of numbers as it can be read now: a detached view of a DenseMatrix is made again. */
export function readable<T extends object>(list: T, name: string): T {
  const place = placeOfView.get(list);
  if (!place) return list;
  if (place.block.holders === 0) throw new Error(`${name} is a view into a DenseMatrix that was disposed`);
  return (list as unknown as Floats).byteLength === 0 ? (place.again() as unknown as T) : list;
}
