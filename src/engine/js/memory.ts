// The arena as the JavaScript kernels see it: typed arrays over all of it, and the fields of a training record.

import type { Arena } from '../../memory/arena.js';

/**
 * Byte offsets as indices of 8- and 4-byte values. By shifting: a quotient is a double to V8, which would then convert it at
 * every access (measured: twice the time).
 */
export const at8 = (byteOffset: number): number => byteOffset >>> 3;
export const at4 = (byteOffset: number): number => byteOffset >>> 2;

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
    return this.u32[at4(record + field)] as number;
  }

  setUint(record: number, field: number, value: number): void {
    this.u32[at4(record + field)] = value;
  }

  float(record: number, field: number): number {
    return this.f64[at8(record + field)] as number;
  }

  setFloat(record: number, field: number, value: number): void {
    this.f64[at8(record + field)] = value;
  }

  /** Adds to a field. */
  add(record: number, field: number, by: number): void {
    const k = at8(record + field);
    this.f64[k] = (this.f64[k] as number) + by;
  }
}
