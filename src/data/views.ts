// Typed arrays of the caller: views of matrices, which growth of the memory may detach, and what a typed array really is.

import { FLOAT32, FLOAT64, INT8, INT16, UINT8 } from '../../assembly/layout.js';
import type { Element } from '../engine/contract.js';
import type { Block } from '../memory/arena.js';

export type Floats = Float64Array | Float32Array;

/** The typed array of each storage type. */
export interface Arrays {
  float64: Float64Array;
  float32: Float32Array;
  uint8: Uint8Array;
  int8: Int8Array;
  int16: Int16Array;
}

/** How a DenseMatrix stores values. */
export type Dtype = keyof Arrays;
export type Values = Arrays[Dtype];

type Constructor = new (
  ...of: [length?: number] | [buffer: ArrayBufferLike, byteOffset: number, length: number]
) => Values;

interface Storage {
  readonly element: Exclude<Element, 0>;
  readonly Values: Constructor & { readonly BYTES_PER_ELEMENT: number };
}

/** All storage types. */
export const STORAGE: Readonly<Record<Dtype, Storage>> = {
  float64: { element: FLOAT64, Values: Float64Array },
  float32: { element: FLOAT32, Values: Float32Array },
  uint8: { element: UINT8, Values: Uint8Array },
  int8: { element: INT8, Values: Int8Array },
  int16: { element: INT16, Values: Int16Array },
};

export const DTYPES = Object.keys(STORAGE) as Dtype[];

/** The storage type of an array of ours; undefined if it is of another kind. */
export const dtypeOf = (values: Values): Dtype =>
  DTYPES.find((dtype) => values instanceof STORAGE[dtype].Values) as Dtype;

/** The typed array of dense rows of each element: `new ARRAYS[element](buffer, byteOffset, length)`. */
export const ARRAYS = Object.fromEntries(
  Object.values(STORAGE).map(({ element, Values }) => [element, Values]),
) as unknown as Readonly<Record<Exclude<Element, 0>, Constructor>>;

/** The place of each view of a DenseMatrix that a caller may hold. */
export const placeOfView = new WeakMap<object, { block: Block; again(): Values }>();

/** A list of numbers as it can be read now: a detached view of a DenseMatrix is made again. */
export function readable<T extends object>(list: T, name: string): T {
  const place = placeOfView.get(list);
  if (!place) return list;
  if (place.block.holders === 0) throw new Error(`${name} is a view into a DenseMatrix that was disposed`);
  return (list as unknown as Values).byteLength === 0 ? (place.again() as unknown as T) : list;
}

/** The accessors of all typed arrays, which tell what a typed array is even if it has properties of the same names. */
const ACCESSORS: object = /* @__PURE__ */ Object.getPrototypeOf(Float64Array.prototype);

/**
 * A view of our own of the caller's floats as they are now, from any realm; of integers if `dtype` is what a
 * DenseMatrix calls them. undefined if they are something else.
 */
export function valuesOf(given: unknown, name: string, dtype: unknown): Values | undefined {
  if (!ArrayBuffer.isView(given)) return undefined;
  const now = readable(given, name);
  const ask = (key: PropertyKey) => Reflect.get(ACCESSORS, key, now);
  const kind = ask(Symbol.toStringTag);
  const own = DTYPES.find((each) => STORAGE[each].Values.name === kind);
  if (!own || !(own.startsWith('float') || own === dtype)) return undefined;
  const Kind = STORAGE[own].Values;
  const buffer: ArrayBuffer = ask('buffer'); // or a SharedArrayBuffer
  return buffer.byteLength === 0 ? new Kind() : new Kind(buffer, ask('byteOffset'), ask('length'));
}

/** Gives an object properties that nobody can change: the sizes of blocks depend on them. */
export function fix(object: object, values: Record<string, unknown>): void {
  for (const [key, value] of Object.entries(values)) Object.defineProperty(object, key, { value, enumerable: true });
}
