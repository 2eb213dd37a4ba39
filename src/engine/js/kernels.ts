// The kernels in plain JavaScript: the engine of last resort, and the reference the others are held to.
// One row after another, no look-ahead, no fusion. Each sum is order S or P of docs/adr/0003: two lanes,
// even and odd, the last element of an odd length in the even lane.

import * as at from '../../../assembly/layout.js';
import type { Arena } from '../../memory/arena.js';
import type { ElementBytes, Kernels } from '../contract.js';

type Floats = Float64Array | Float32Array;

/**
 * x · w in order S; x from element `xAt`, w from element `wAt`.
 * One copy for each type of x: a function that sees a single type of array runs several times faster.
 */
export function dotF64(x: Float64Array, xAt: number, w: Float64Array, wAt: number, d: number): number {
  let even = 0;
  let odd = 0;
  const pairs = d - (d & 1);
  for (let k = 0; k < pairs; k += 2) {
    even += (x[xAt + k] as number) * (w[wAt + k] as number);
    odd += (x[xAt + k + 1] as number) * (w[wAt + k + 1] as number);
  }
  if (d & 1) even += (x[xAt + pairs] as number) * (w[wAt + pairs] as number);
  return even + odd;
}

function dotF32(x: Float32Array, xAt: number, w: Float64Array, wAt: number, d: number): number {
  let even = 0;
  let odd = 0;
  const pairs = d - (d & 1);
  for (let k = 0; k < pairs; k += 2) {
    even += (x[xAt + k] as number) * (w[wAt + k] as number);
    odd += (x[xAt + k + 1] as number) * (w[wAt + k + 1] as number);
  }
  if (d & 1) even += (x[xAt + pairs] as number) * (w[wAt + pairs] as number);
  return even + odd;
}

function axpyF64(w: Float64Array, wAt: number, x: Float64Array, xAt: number, step: number, d: number): void {
  for (let k = 0; k < d; k++) w[wAt + k] = (w[wAt + k] as number) + step * (x[xAt + k] as number);
}

function axpyF32(w: Float64Array, wAt: number, x: Float32Array, xAt: number, step: number, d: number): void {
  for (let k = 0; k < d; k++) w[wAt + k] = (w[wAt + k] as number) + step * (x[xAt + k] as number);
}

export class JsKernels implements Kernels {
  readonly #arena: Arena;
  #buffer: ArrayBufferLike | undefined;
  #f64: Float64Array = new Float64Array();
  #f32: Float32Array = new Float32Array();
  #u32: Uint32Array = new Uint32Array();
  #i8: Int8Array = new Int8Array();

  constructor(arena: Arena) {
    this.#arena = arena;
  }

  /** Looks at the whole memory anew if it has grown or been exchanged. */
  #look(): void {
    const { buffer } = this.#arena;
    if (buffer === this.#buffer && this.#i8.length === buffer.byteLength) return;
    this.#buffer = buffer;
    this.#f64 = new Float64Array(buffer);
    this.#f32 = new Float32Array(buffer);
    this.#u32 = new Uint32Array(buffer);
    this.#i8 = new Int8Array(buffer);
  }

  dot(element: ElementBytes, x: number, w: number, d: number): number {
    this.#look();
    return this.#dot(element, x, w, d);
  }

  #dot(element: ElementBytes, x: number, w: number, d: number): number {
    return element === 8
      ? dotF64(this.#f64, x / 8, this.#f64, w / 8, d)
      : dotF32(this.#f32, x / 4, this.#f64, w / 8, d);
  }

  axpy(element: ElementBytes, w: number, x: number, step: number, d: number): void {
    this.#look();
    if (element === 8) axpyF64(this.#f64, w / 8, this.#f64, x / 8, step, d);
    else axpyF32(this.#f64, w / 8, this.#f32, x / 4, step, d);
  }

  scores(
    element: ElementBytes,
    x: number,
    n: number,
    d: number,
    order: number,
    w: number,
    b: number,
    out: number,
    _group: number,
  ): void {
    this.#look();
    for (let i = 0; i < n; i++) {
      const sample = order ? (this.#u32[order / 4 + i] as number) : i;
      this.#f64[out / 8 + i] = this.#dot(element, x + sample * d * element, w, d) + b;
    }
  }

  squaredNorms(element: ElementBytes, x: number, n: number, d: number, out: number): void {
    this.#look();
    const X: Floats = element === 8 ? this.#f64 : this.#f32;
    for (let i = 0, row = x / element; i < n; i++, row += d) {
      let sum = 0;
      for (let panel = 0; panel < d; panel += at.PANEL) {
        let even = 0;
        let odd = 0;
        for (let k = panel; k < Math.min(d, panel + at.PANEL); k++) {
          const square = (X[row + k] as number) * (X[row + k] as number);
          if (k & 1) odd += square;
          else even += square;
        }
        sum += even + odd;
      }
      this.#f64[out / 8 + i] = sum;
    }
  }

  run(record: number, rows: number, mistakes: number, passes: number): number {
    this.#look();
    const u32 = this.#u32;
    const n = this.#uint(record, at.N);
    const mu = this.#float(record, at.MU);
    const cursorAt = (record + at.CURSOR) / 4;
    u32[(record + at.PASSES) / 4] = 0;

    for (;;) {
      if (u32[cursorAt] === n) {
        if (this.#closePass(record)) return at.CLEAN;
        if (this.#uint(record, at.PASSES) === passes) return at.CLOSED;
      }
      if (rows-- === 0) return at.PAUSED;
      const cursor = u32[cursorAt] as number;
      const sample = this.#sampleAt(record, cursor);
      const m = this.#marginOf(record, sample);
      if (!(m > mu && m < Infinity)) {
        u32[(record + at.INDEX) / 4] = sample;
        if (!Number.isFinite(m)) return at.NON_FINITE;
        this.#update(record, sample, m, this.#float(record, at.SEEN) + cursor);
        u32[cursorAt] = cursor + 1;
        if (--mistakes === 0) return at.MISTAKE;
      } else {
        u32[cursorAt] = cursor + 1;
      }
    }
  }

  scan(record: number, rows: number): number {
    this.#look();
    const n = this.#uint(record, at.N);
    const mu = this.#float(record, at.MU);
    const list = this.#uint(record, at.LIST) / 4;
    const margins = this.#uint(record, at.MARGINS) / 8;
    let cursor = this.#uint(record, at.CURSOR);
    let found = this.#uint(record, at.COUNT);
    for (; rows > 0 && cursor < n; rows--, cursor++) {
      const sample = this.#sampleAt(record, cursor);
      const m = this.#marginOf(record, sample);
      if (m > mu && m < Infinity) continue;
      if (!Number.isFinite(m)) {
        this.#u32[(record + at.INDEX) / 4] = sample;
        return at.NON_FINITE;
      }
      this.#u32[list + found] = sample;
      this.#f64[margins + found] = m;
      found++;
    }
    this.#u32[(record + at.CURSOR) / 4] = cursor;
    this.#u32[(record + at.COUNT) / 4] = found;
    return cursor === n ? at.CLOSED : at.PAUSED;
  }

  apply(record: number, from: number, count: number): void {
    this.#look();
    const list = this.#uint(record, at.LIST) / 4;
    const margins = this.#uint(record, at.MARGINS) / 8;
    const seen = this.#float(record, at.SEEN);
    for (let k = from; k < from + count; k++) {
      this.#update(record, this.#u32[list + k] as number, this.#f64[margins + k] as number, seen);
    }
  }

  #uint(record: number, field: number): number {
    return this.#u32[(record + field) / 4] as number;
  }

  #float(record: number, field: number): number {
    return this.#f64[(record + field) / 8] as number;
  }

  #add(record: number, field: number, by: number): void {
    this.#f64[(record + field) / 8] = this.#float(record, field) + by;
  }

  /** The row at a place of the pass. */
  #sampleAt(record: number, place: number): number {
    const order = this.#uint(record, at.ORDER);
    return order ? (this.#u32[order / 4 + place] as number) : place;
  }

  /** y·s of a sample (SPEC §2). */
  #marginOf(record: number, sample: number): number {
    const element = this.#uint(record, at.ELEMENT) as ElementBytes;
    const d = this.#uint(record, at.D);
    const row = this.#uint(record, at.X) + sample * d * element;
    const score = this.#dot(element, row, this.#uint(record, at.W), d) + this.#float(record, at.BIAS);
    return (this.#i8[this.#uint(record, at.Y) + sample] as number) < 0 ? -score : score;
  }

  /** One update (SPEC §2, §12) and its bookkeeping. */
  #update(record: number, sample: number, m: number, before: number): void {
    const element = this.#uint(record, at.ELEMENT) as ElementBytes;
    const d = this.#uint(record, at.D);
    const row = this.#uint(record, at.X) + sample * d * element;
    const positive = (this.#i8[this.#uint(record, at.Y) + sample] as number) > 0;
    const step = this.#float(record, positive ? at.STEP_POSITIVE : at.STEP_NEGATIVE);
    const scale = this.#float(record, at.BIAS_SCALE);
    const sums = this.#uint(record, at.SUMS);
    if (sums) {
      this.axpy(element, sums, row, before * step, d);
      this.#add(record, at.BIAS_SUM, before * step * scale);
    }
    this.axpy(element, this.#uint(record, at.W), row, step, d);
    this.#add(record, at.BIAS, step * scale);
    this.#add(record, at.SIGMA, Math.abs(step));
    this.#add(record, at.LOSS, -m);
    this.#u32[(record + at.MISTAKES) / 4] = this.#uint(record, at.MISTAKES) + 1;
    this.#u32[(record + at.INDEX) / 4] = sample;
  }

  /** Closes a pass: its mistakes and loss into the list, counters to zero. Returns whether it was clean. */
  #closePass(record: number): boolean {
    const mistakes = this.#uint(record, at.MISTAKES);
    const k = this.#uint(record, at.PASSES);
    this.#u32[(record + at.PASS_MISTAKES) / 4 + k] = mistakes;
    this.#f64[(record + at.PASS_LOSS) / 8 + k] = this.#float(record, at.LOSS);
    this.#u32[(record + at.PASSES) / 4] = k + 1;
    this.#add(record, at.SEEN, this.#uint(record, at.N));
    this.#f64[(record + at.LOSS) / 8] = 0;
    this.#u32[(record + at.MISTAKES) / 4] = 0;
    this.#u32[(record + at.CURSOR) / 4] = 0;
    return mistakes === 0;
  }
}
