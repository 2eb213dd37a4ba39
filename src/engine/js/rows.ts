// Dense rows in the memory, whatever their values are stored as.

import * as at from '../../../assembly/layout.js';
import type { MemoryViews } from '../../memory/views.js';
import type { Element } from '../contract.js';
import { axpyF32, axpyF64, axpyInts, dotF32, dotF64, dotInts, type Integers } from './dots.js';

/** Bytes of a value of dense rows. */
export const bytesOf = (element: Element): number => element & at.ELEMENT_BYTES;

const integersOf = (memory: MemoryViews, element: Element): Integers =>
  element === at.UINT8 ? memory.u8 : element === at.INT16 ? memory.i16 : memory.i8;

/** The memory as values of this kind. */
export const valuesIn = (memory: MemoryViews, element: Element): Float64Array | Float32Array | Integers =>
  element === at.FLOAT64 ? memory.f64 : element === at.FLOAT32 ? memory.f32 : integersOf(memory, element);

/** The product of a row at a byte offset with w, f64[d] from index `wAt` on. */
export function dotRow(memory: MemoryViews, element: Element, x: number, wAt: number, d: number): number {
  if (element === at.FLOAT64) return dotF64(memory.f64, x >>> 3, memory.f64, wAt, d);
  if (element === at.FLOAT32) return dotF32(memory.f32, x >>> 2, memory.f64, wAt, d);
  return dotInts(integersOf(memory, element), x / bytesOf(element), memory.f64, wAt, d);
}

/** w ← w + step · x. */
export function axpyRow(memory: MemoryViews, element: Element, wAt: number, x: number, step: number, d: number): void {
  if (element === at.FLOAT64) axpyF64(memory.f64, wAt, memory.f64, x >>> 3, step, d);
  else if (element === at.FLOAT32) axpyF32(memory.f64, wAt, memory.f32, x >>> 2, step, d);
  else axpyInts(memory.f64, wAt, integersOf(memory, element), x / bytesOf(element), step, d);
}
