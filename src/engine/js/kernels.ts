// The kernels in plain JavaScript: the engine of last resort, and the reference the others are held to.

import type { Arena } from '../../memory/arena.js';
import type { ElementBytes, Kernels } from '../contract.js';
import { axpyF32, axpyF64, dotF32, dotF64 } from './dots.js';
import { dualForm, primalForm } from './forms.js';
import { at4, at8, Memory } from './memory.js';
import { pairKernels } from './pairs.js';
import { stepsOf } from './train.js';

export function jsKernels(arena: Arena): Kernels {
  const memory = new Memory(arena);
  const dot = (element: ElementBytes, x: number, w: number, d: number) =>
    element === 8
      ? dotF64(memory.f64, at8(x), memory.f64, at8(w), d)
      : dotF32(memory.f32, at4(x), memory.f64, at8(w), d);
  return {
    ...pairKernels(memory),
    dot(element, x, w, d) {
      memory.look();
      return dot(element, x, w, d);
    },
    axpy(element, w, x, step, d) {
      memory.look();
      if (element === 8) axpyF64(memory.f64, at8(w), memory.f64, at8(x), step, d);
      else axpyF32(memory.f64, at8(w), memory.f32, at4(x), step, d);
    },
    scores(element, x, n, d, order, w, b, out) {
      memory.look();
      for (let i = 0; i < n; i++) {
        const sample = order ? (memory.u32[at4(order) + i] as number) : i;
        memory.f64[at8(out) + i] = dot(element, x + sample * d * element, w, d) + b;
      }
    },
    primal: stepsOf(memory, primalForm(memory)),
    dual: stepsOf(memory, dualForm(memory)),
  };
}
