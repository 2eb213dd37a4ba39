// The kernels in plain JavaScript: the engine of last resort, and the reference the others are held to.

import type { Arena } from '../../memory/arena.js';
import type { ElementBytes, Kernels } from '../contract.js';
import { axpyF32, axpyF64, dotF32, dotF64 } from './dots.js';
import { dualForm, primalForm } from './forms.js';
import { Memory } from './memory.js';
import { pairKernels } from './pairs.js';
import { stepsOf } from './train.js';

export function jsKernels(arena: Arena): Kernels {
  const memory = new Memory(arena);
  const dot = (element: ElementBytes, x: number, w: number, d: number) =>
    element === 8 ? dotF64(memory.f64, x / 8, memory.f64, w / 8, d) : dotF32(memory.f32, x / 4, memory.f64, w / 8, d);
  return {
    ...pairKernels(memory),
    dot(element, x, w, d) {
      memory.look();
      return dot(element, x, w, d);
    },
    axpy(element, w, x, step, d) {
      memory.look();
      if (element === 8) axpyF64(memory.f64, w / 8, memory.f64, x / 8, step, d);
      else axpyF32(memory.f64, w / 8, memory.f32, x / 4, step, d);
    },
    scores(element, x, n, d, order, w, b, out) {
      memory.look();
      for (let i = 0; i < n; i++) {
        const sample = order ? (memory.u32[order / 4 + i] as number) : i;
        memory.f64[out / 8 + i] = dot(element, x + sample * d * element, w, d) + b;
      }
    },
    primal: stepsOf(memory, primalForm(memory)),
    dual: stepsOf(memory, dualForm(memory)),
  };
}
