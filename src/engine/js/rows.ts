// Dense rows in the memory, whatever their values are stored as.

import * as at from '../../../assembly/layout.js';
import type { MemoryViews } from '../../memory/views.js';
import type { Element } from '../contract.js';
import { axpyAny, axpyF64, dotAny, dotF64 } from './dots.js';

/** Bytes of a value of dense rows. */
export const bytesOf = (element: Element): number => element & at.ELEMENT_BYTES;

/** The memory as values of this kind. */
export const valuesIn = (memory: MemoryViews, element: Element) =>
  element === at.FLOAT64
    ? memory.f64
    : element === at.FLOAT32
      ? memory.f32
      : element === at.UINT8
        ? memory.u8
        : element === at.INT16
          ? memory.i16
          : memory.i8;

/** The product of a row at a byte offset with w, f64[d] from index `wAt` on. */
export function dotRow(memory: MemoryViews, element: Element, x: number, wAt: number, d: number): number {
  if (element === at.FLOAT64) return dotF64(memory.f64, x >>> 3, memory.f64, wAt, d);
  return dotAny(valuesIn(memory, element), x / bytesOf(element), memory.f64, wAt, d);
}

/** w ← w + step · x. */
export function axpyRow(memory: MemoryViews, element: Element, wAt: number, x: number, step: number, d: number): void {
  if (element === at.FLOAT64) axpyF64(memory.f64, wAt, memory.f64, x >>> 3, step, d);
  else axpyAny(memory.f64, wAt, valuesIn(memory, element), x / bytesOf(element), step, d);
}
