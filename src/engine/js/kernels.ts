// The kernels in plain JavaScript: the engine of last resort, and the reference the others are held to.
// One row after another, no look-ahead, no fusion. Each sum is order S or P of docs/adr/0003: two lanes,
// even and odd, the last element of an odd length in the even lane.

import * as at from '../../../assembly/layout.js';
import type { Arena } from '../../memory/arena.js';
import type { ElementBytes, Kernels } from '../contract.js';

type Floats = Float64Array | Float32Array;

/** x · w in order S; x from element `xAt`, w from element `wAt`. Also used on plain arrays. */
export function dotOf(x: ArrayLike<number>, xAt: number, w: Float64Array, wAt: number, d: number): number {
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

function axpyOf(w: Float64Array, wAt: number, x: Floats, xAt: number, step: number, d: number): void {
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

  #floats(element: ElementBytes): Floats {
    return element === 8 ? this.#f64 : this.#f32;
  }

  dot(element: ElementBytes, x: number, w: number, d: number): number {
    this.#look();
    return dotOf(this.#floats(element), x / element, this.#f64, w / 8, d);
  }

  axpy(element: ElementBytes, w: number, x: number, step: number, d: number): void {
    this.#look();
    axpyOf(this.#f64, w / 8, this.#floats(element), x / element, step, d);
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
    const X = this.#floats(element);
    for (let i = 0; i < n; i++) {
      const sample = order ? (this.#u32[order / 4 + i] as number) : i;
      this.#f64[out / 8 + i] = dotOf(X, x / element + sample * d, this.#f64, w / 8, d) + b;
    }
  }

  squaredNorms(element: ElementBytes, x: number, n: number, d: number, out: number): void {
    this.#look();
    const X = this.#floats(element);
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
    const f64 = this.#f64;
    const u32 = this.#u32;
    const uint = (field: number) => (record + field) / 4;
    const n = u32[uint(at.N)] as number;
    u32[uint(at.PASSES)] = 0;

    while (true) {
      if (u32[uint(at.CURSOR)] === n) {
        if (this.#closePass(record)) return at.CLEAN;
        if (u32[uint(at.PASSES)] === passes) return at.CLOSED;
      }
      if (rows-- === 0) return at.PAUSED;
      const cursor = u32[uint(at.CURSOR)] as number;
      const sample = this.#sampleAt(record, cursor);
      const m = this.#marginOf(record, sample);
      if (!(m > (f64[(record + at.MU) / 8] as number)) || m === Infinity) {
        u32[uint(at.INDEX)] = sample;
        if (!Number.isFinite(m)) return at.NON_FINITE;
        this.#update(record, sample, m, (f64[(record + at.SEEN) / 8] as number) + cursor);
        u32[uint(at.CURSOR)] = cursor + 1;
        if (--mistakes === 0) return at.MISTAKE;
      } else {
        u32[uint(at.CURSOR)] = cursor + 1;
      }
    }
  }

  scan(record: number, rows: number): number {
    this.#look();
    const u32 = this.#u32;
    const f64 = this.#f64;
    const uint = (field: number) => (record + field) / 4;
    const n = u32[uint(at.N)] as number;
    const mu = f64[(record + at.MU) / 8] as number;
    while (rows-- > 0 && (u32[uint(at.CURSOR)] as number) < n) {
      const sample = this.#sampleAt(record, u32[uint(at.CURSOR)] as number);
      const m = this.#marginOf(record, sample);
      if (!(m > mu) || m === Infinity) {
        u32[uint(at.INDEX)] = sample;
        if (!Number.isFinite(m)) return at.NON_FINITE;
        const found = u32[uint(at.COUNT)] as number;
        u32[(u32[uint(at.LIST)] as number) / 4 + found] = sample;
        f64[(u32[uint(at.MARGINS)] as number) / 8 + found] = m;
        u32[uint(at.COUNT)] = found + 1;
      }
      u32[uint(at.CURSOR)] = (u32[uint(at.CURSOR)] as number) + 1;
    }
    return u32[uint(at.CURSOR)] === n ? at.CLOSED : at.PAUSED;
  }

  apply(record: number, from: number, count: number): void {
    this.#look();
    const list = (this.#u32[(record + at.LIST) / 4] as number) / 4;
    const margins = (this.#u32[(record + at.MARGINS) / 4] as number) / 8;
    const seen = this.#f64[(record + at.SEEN) / 8] as number;
    for (let k = from; k < from + count; k++) {
      this.#update(record, this.#u32[list + k] as number, this.#f64[margins + k] as number, seen);
    }
  }

  /** The row at a place of the pass. */
  #sampleAt(record: number, place: number): number {
    const order = this.#u32[(record + at.ORDER) / 4] as number;
    return order ? (this.#u32[order / 4 + place] as number) : place;
  }

  /** y·s of a sample (SPEC §2). */
  #marginOf(record: number, sample: number): number {
    const uint = (field: number) => this.#u32[(record + field) / 4] as number;
    const element = uint(at.ELEMENT) as ElementBytes;
    const d = uint(at.D);
    const X = this.#floats(element);
    const s = dotOf(X, uint(at.X) / element + sample * d, this.#f64, uint(at.W) / 8, d);
    const score = s + (this.#f64[(record + at.BIAS) / 8] as number);
    return (this.#i8[uint(at.Y) + sample] as number) < 0 ? -score : score;
  }

  /** One update (SPEC §2, §12) and its bookkeeping. */
  #update(record: number, sample: number, m: number, before: number): void {
    const f64 = this.#f64;
    const uint = (field: number) => this.#u32[(record + field) / 4] as number;
    const add = (field: number, by: number) => {
      f64[(record + field) / 8] = (f64[(record + field) / 8] as number) + by;
    };
    const element = uint(at.ELEMENT) as ElementBytes;
    const d = uint(at.D);
    const X = this.#floats(element);
    const row = uint(at.X) / element + sample * d;
    const positive = (this.#i8[uint(at.Y) + sample] as number) > 0;
    const step = f64[(record + (positive ? at.STEP_POSITIVE : at.STEP_NEGATIVE)) / 8] as number;
    const scale = f64[(record + at.BIAS_SCALE) / 8] as number;
    if (uint(at.SUMS)) {
      axpyOf(f64, uint(at.SUMS) / 8, X, row, before * step, d);
      add(at.BIAS_SUM, before * step * scale);
    }
    axpyOf(f64, uint(at.W) / 8, X, row, step, d);
    add(at.BIAS, step * scale);
    add(at.SIGMA, Math.abs(step));
    add(at.LOSS, -m);
    this.#u32[(record + at.MISTAKES) / 4] = uint(at.MISTAKES) + 1;
    this.#u32[(record + at.INDEX) / 4] = sample;
  }

  /** Closes a pass: its mistakes and loss into the list, counters to zero. Returns whether it was clean. */
  #closePass(record: number): boolean {
    const u32 = this.#u32;
    const f64 = this.#f64;
    const uint = (field: number) => (record + field) / 4;
    const mistakes = u32[uint(at.MISTAKES)] as number;
    const k = u32[uint(at.PASSES)] as number;
    u32[uint(at.PASS_MISTAKES) + k] = mistakes;
    f64[(record + at.PASS_LOSS) / 8 + k] = f64[(record + at.LOSS) / 8] as number;
    u32[uint(at.PASSES)] = k + 1;
    f64[(record + at.SEEN) / 8] = (f64[(record + at.SEEN) / 8] as number) + (u32[uint(at.N)] as number);
    f64[(record + at.LOSS) / 8] = 0;
    u32[uint(at.MISTAKES)] = 0;
    u32[uint(at.CURSOR)] = 0;
    return mistakes === 0;
  }
}
