// Typed arrays of the caller: views of matrices, which growth of the memory may detach, and what a typed array really is.

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

/** The accessors of all typed arrays, which tell what a typed array is even if it has properties of the same names. */
const ACCESSORS: object = /* @__PURE__ */ Object.getPrototypeOf(Float64Array.prototype);

/** A view of our own of the caller's floats as they are now, from any realm; undefined if they are something else. */
export function floatsOf(given: unknown, name: string): Floats | undefined {
  if (!ArrayBuffer.isView(given)) return undefined;
  const now = readable(given, name);
  const ask = (key: PropertyKey) => Reflect.get(ACCESSORS, key, now);
  const kind = ask(Symbol.toStringTag);
  const Kind = kind === 'Float64Array' ? Float64Array : kind === 'Float32Array' ? Float32Array : undefined;
  if (!Kind) return undefined;
  const buffer: ArrayBuffer = ask('buffer'); // or a SharedArrayBuffer
  return buffer.byteLength === 0 ? new Kind() : new Kind(buffer, ask('byteOffset'), ask('length'));
}

/** Gives an object properties that nobody can change: the sizes of blocks depend on them. */
export function fix(object: object, values: Record<string, unknown>): void {
  for (const [key, value] of Object.entries(values)) Object.defineProperty(object, key, { value, enumerable: true });
}
