// The arena as the JavaScript kernels see it: typed arrays over all of it, and the fields of a training record.

import type { Arena } from '../../memory/arena.js';

export class Memory {
  readonly #arena: Arena;
  #buffer: ArrayBufferLike | undefined;
  f64: Float64Array = new Float64Array();
  f32: Float32Array = new Float32Array();
  u32: Uint32Array = new Uint32Array();
  i8: Int8Array = new Int8Array();

  constructor(arena: Arena) {
    this.#arena = arena;
  }

  /** Looks at the whole memory anew if it has grown or been exchanged: every kernel begins with this. */
  look(): void {
    const { buffer } = this.#arena;
    if (buffer === this.#buffer && this.i8.length === buffer.byteLength) return;
    this.#buffer = buffer;
    this.f64 = new Float64Array(buffer);
    this.f32 = new Float32Array(buffer);
    this.u32 = new Uint32Array(buffer);
    this.i8 = new Int8Array(buffer);
  }

  uint(record: number, field: number): number {
    return this.u32[(record + field) / 4] as number;
  }

  setUint(record: number, field: number, value: number): void {
    this.u32[(record + field) / 4] = value;
  }

  float(record: number, field: number): number {
    return this.f64[(record + field) / 8] as number;
  }

  setFloat(record: number, field: number, value: number): void {
    this.f64[(record + field) / 8] = value;
  }

  /** Adds to a field. */
  add(record: number, field: number, by: number): void {
    const k = (record + field) / 8;
    this.f64[k] = (this.f64[k] as number) + by;
  }
}
